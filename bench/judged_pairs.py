"""Phrase pairs that people graded, as rows that the context-free score can be fitted to and measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fitting import TreeOptions, fit_quality
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.evaluate.folds import folds_of
from paraphrast.evaluate.ranking import spearman
from paraphrast.formats.phrase_labels import Judgement
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.sentences import load_sentences
from paraphrast.formats.table_file import load_table
from paraphrast.model.folder import model_vocabulary, read_manifest
from paraphrast.tables.pivot.contexts import context_feature, context_vectors, cosines
from paraphrast.tables.pivot.join import LanguagePairs
from paraphrast.tables.quality.score import FEATURES, GROUPS, QualityModel
from paraphrast.text.syntax.category import CATEGORIES
from paraphrast.training.pair_quality import make_scorer, pair_evidence, paired_words
from paraphrast.types import MAX_PHRASE, Phrases, Vocabulary
from pivot_rows import merged_pairs

#: Labels of phrase structure → our categories; all others are unknown.
_CATEGORY_OF_LABEL = {
    "NN": "NOUN_SG", "NX": "NOUN_SG", "NNS": "NOUN_PL", "NNP": "NAME", "NNPS": "NAME", "NP": "NP_SG", "NAC": "NP_SG",
    "PRP": "PRONOUN", "VB": "VERB_BASE", "VP": "VERB_BASE", "VBZ": "VERB_S", "VBP": "VERB_P", "VBD": "VERB_PAST",
    "VBG": "VERB_ING", "VBN": "VERB_PP", "MD": "MODAL", "TO": "TO_VERB", "JJ": "ADJ", "ADJP": "ADJ", "JJR": "ADJ_COMP",
    "JJS": "ADJ_SUP", "RB": "ADV", "ADVP": "ADV", "RP": "ADV", "RBS": "ADV", "IN": "PREP", "PP": "PP", "CC": "CONJ",
    "CONJP": "CONJ", "DT": "DET", "PDT": "DET", "PRP$": "DET", "POS": "DET", "CD": "NUMBER", "QP": "NUMBER", "WP": "WH",
    "WDT": "WH", "WRB": "WH", "WHNP": "WH", "WHADVP": "WH", "WHPP": "WH", "WHADJP": "WH", "SBARQ": "WH", "S": "CLAUSE",
    "SQ": "CLAUSE", "SINV": "CLAUSE", "SBAR": "CLAUSE", "FRAG": "OTHER", "X": "OTHER", "INTJ": "OTHER", "UH": "OTHER",
    "LST": "OTHER", "LS": "OTHER", "TOP": "OTHER", "UCP": "OTHER", "PRN": "OTHER", "$": "OTHER",
}  # fmt: skip


@dataclass(frozen=True)
class JudgedPairs:
    """features: float32[pairs, features] by ``tables.quality.FEATURES``; grades: means, 1 to 5; fold_key: the phrase;
    covered: bool, whether some table of the model has the pair."""

    features: NDArray[np.float32]
    grades: NDArray[np.float64]
    fold_key: tuple[str, ...]
    covered: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.grades)

    def take(self, rows: slice) -> JudgedPairs:
        """Some of the pairs."""
        return JudgedPairs(self.features[rows], self.grades[rows], self.fold_key[rows], self.covered[rows])


def judged_pairs(
    model: str | Path,
    judgements: Sequence[Judgement],
    work: str | Path | None = None,
    *,
    fetch: bool = False,
    threads: int = 1,
) -> JudgedPairs:
    """The features of graded pairs by a model's tables; words that the model never saw have theirs too.

    work: the kept work folder of the model's training, for the scores of pairs that no table kept.
    """
    folder = Path(model)
    manifest = read_manifest(folder)
    known = model_vocabulary(folder)
    with Engine(threads=1) as engine:
        phrases, categories = load_phrases(engine, folder / "phrases.parquet")
        tables = {
            path.stem: load_table(engine, path) for path in sorted((folder / "tables").glob("*.parquet"))
        }
    pairs = [(tuple(one.phrase.split()), tuple(one.paraphrase.split())) for one in judgements]
    vocabulary, matrix = _numbered(known, [side for pair in pairs for side in pair])
    source, target = (np.arange(start, len(matrix), 2, dtype=np.int32) for start in (0, 1))
    ids = {tuple(row[row >= 0].tolist()): number for number, row in enumerate(phrases.words)}
    places = np.array(
        [
            [
                ids.get(side, -1)
                for side in trimmed(tuple(one[one >= 0].tolist()), tuple(two[two >= 0].tolist()))
            ]
            for one, two in zip(matrix[source], matrix[target], strict=True)
        ],
        dtype=np.int32,
    ).reshape(len(pairs), 2)
    evidence = pair_evidence(tables, categories, places[:, 0], places[:, 1])
    if work is not None:
        texts = [
            (tuple(one[one >= 0].tolist()), tuple(two[two >= 0].tolist()))
            for one, two in zip(matrix[source], matrix[target], strict=True)
        ]
        for texts_of in (texts, [trimmed(*pair) for pair in texts]):
            for name, values in corpus_evidence(Path(work), len(vocabulary), texts_of).items():
                own = evidence.get(name, np.full(len(pairs), np.nan, np.float32))
                evidence[name] = np.where(np.isnan(own), values, own).astype(np.float32)
    told = [_CATEGORY_OF_LABEL.get(one.category, "UNKNOWN") for one in judgements]
    numbers = np.array([CATEGORIES.index(name) for name in told], dtype=np.float32)
    evidence["category"] = np.where(numbers > 0, numbers, evidence["category"]).astype(np.float32)
    scorer = make_scorer(
        vocabulary,
        str(manifest["language"]),
        word_pairs=paired_words(tables, phrases, known.words),
        fetch=fetch,
        model=QualityModel.empty(),
    )
    features = scorer.features(
        Phrases(matrix, np.zeros(len(matrix), np.uint8)), source, target, evidence, threads=threads
    )
    return JudgedPairs(
        features,
        np.array([one.mean for one in judgements]),
        tuple(one.phrase for one in judgements),
        (evidence["tables"] > 0) | ~np.isnan(evidence.get("pivot", np.full(len(pairs), np.nan))),
    )


def corpus_evidence(
    work: Path, vocabulary_size: int, pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> dict[str, NDArray[np.float32]]:
    """Pivot scores and contexts of any pairs, those that filters or ranks keep out of the tables too.

    work: the kept work folder of a model's training (``train --keep-work``): its counted phrase pairs and its text.
    """
    languages = sorted(path.name.removeprefix("extract-") for path in work.glob("extract-*"))
    phrases, _, counted, _ = merged_pairs(work, languages)
    ids = _phrase_ids(phrases.words, {side for pair in pairs for side in pair})
    source, target = (
        np.array([ids.get(pair[side], -1) for pair in pairs], dtype=np.int64) for side in (0, 1)
    )
    known = (source >= 0) & (target >= 0)
    source, target = source[known], target[known]
    forward, reverse, seen = np.zeros(len(source)), np.zeros(len(source)), np.zeros(len(source))
    for own in counted:
        there = _matrix(own, own.source_total, len(phrases))
        back = _matrix(own, own.target_total, len(phrases))
        one = np.asarray(there[source].multiply(back[target]).sum(axis=1)).ravel()
        two = np.asarray(there[target].multiply(back[source]).sum(axis=1)).ravel()
        forward, reverse, seen = forward + one, reverse + two, seen + (one > 0)
    with np.errstate(divide="ignore"):
        scores = [np.log(total / max(len(counted), 1)) for total in (forward, reverse)]
    met = seen > 0
    values = {
        "pivot": scores[0],
        "pivot_reverse": scores[1],
        "pivot_both": np.minimum(*scores),
        "pivot_languages": np.log(np.maximum(seen, 1.0)),
    }
    found = {}
    for name, value in values.items():
        found[name] = np.full(len(pairs), np.nan, np.float32)
        found[name][np.flatnonzero(known)[met]] = value[met]
    found["pivot_context"] = _contexts(work, vocabulary_size, pairs)
    return found


def _phrase_ids(words: NDArray[np.int32], wanted: set[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """The numbers of those wanted phrases that a store sorted by words has."""
    padded = np.full((len(wanted), words.shape[1]), -1, dtype=np.int32)
    texts = sorted(wanted)
    for row, text in enumerate(texts):
        padded[row, : len(text)] = text[: words.shape[1]]
    kind = np.dtype((np.void, words.shape[1] * 4))
    have, ask = (np.ascontiguousarray(one + 1, dtype=">i4").view(kind).ravel() for one in (words, padded))
    order = np.argsort(have, kind="stable")
    place = order[np.minimum(np.searchsorted(have[order], ask), len(have) - 1)]
    return {text: int(at) for text, at, same in zip(texts, place, have[place] == ask, strict=True) if same}


def _matrix(pairs: LanguagePairs, total: NDArray[np.int64], phrases: int) -> Any:
    """Sparse [phrases, foreign phrases] of count / total."""
    from scipy import sparse

    shape = (phrases, int(pairs.target.max(initial=0)) + 1)
    return sparse.csr_matrix((pairs.count / total, (pairs.source, pairs.target)), shape=shape)


def _contexts(
    work: Path, vocabulary_size: int, pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> NDArray[np.float32]:
    """The feature ``context`` of pairs by the model's text; NaN where a phrase is not in it."""
    texts = sorted({side for pair in pairs for side in pair})
    matrix = np.full((len(texts), MAX_PHRASE), -1, dtype=np.int32)
    for row, text in enumerate(texts):
        matrix[row, : len(text)] = text
    number = {text: row for row, text in enumerate(texts)}
    source, target = (np.array([number[pair[side]] for pair in pairs], dtype=np.int32) for side in (0, 1))
    corpora = [load_sentences(path.parent) for path in sorted((work / "text" / "en").glob("*/starts.npy"))]
    vectors = context_vectors(corpora, Phrases(matrix, np.zeros(len(texts), np.uint8)), vocabulary_size)
    return context_feature(cosines(vectors, source, target))


def trimmed(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both without the words they share at either end, as tables have them; as they are where one holds the other."""
    begin = 0
    while begin < min(len(one), len(two)) and one[begin] == two[begin]:
        begin += 1
    end = 0
    while end < min(len(one), len(two)) - begin and one[-1 - end] == two[-1 - end]:
        end += 1
    left, right = one[begin : len(one) - end], two[begin : len(two) - end]
    return (left, right) if left and right else (one, two)


def _numbered(known: Vocabulary, phrases: Sequence[tuple[str, ...]]) -> tuple[Vocabulary, NDArray[np.int32]]:
    """The vocabulary with the phrases' own words behind it, and the phrases by their numbers; truecased where the
    model knows a word with its capital only."""
    number = dict(known.ids)
    for word in known.words:
        number.setdefault(word.lower(), number[word])
    added: list[str] = []
    matrix = np.full((len(phrases), MAX_PHRASE), -1, dtype=np.int32)
    for row, words in enumerate(phrases):
        if not words:
            raise InputError("expected phrases of at least one word, got an empty one")
        for place, word in enumerate(words[:MAX_PHRASE]):
            if word not in number:
                number[word] = len(known) + len(added)
                added.append(word)
            matrix[row, place] = number[word]
    counts = np.concatenate([known.counts, np.zeros(len(added), np.int64)])
    return Vocabulary((*known.words, *added), counts), matrix


def cross_validated(
    pairs: JudgedPairs, options: TreeOptions | None = None, *, folds: int = 5, without: Sequence[str] = ()
) -> NDArray[np.float64]:
    """The grade of every pair by trees fitted to the pairs of other phrases.

    without: groups of ``tables.quality.GROUPS`` that are hidden.
    """
    features = pairs.features.copy()
    for group in without:
        features[:, [FEATURES.index(name) for name in GROUPS[group]]] = np.nan
    fold = folds_of(pairs.fold_key, folds)
    grades = np.zeros(len(pairs))
    for number in range(folds):
        train, held = fold != number, fold == number
        grades[held] = fit_quality(features[train], pairs.grades[train], options).grade(features[held])
    return grades


def correlations(pairs: JudgedPairs, grades: NDArray[np.float64]) -> dict[str, float]:
    """Spearman with the judgements over all pairs and over those that some table has."""
    some = pairs.covered
    return {
        "all": spearman(grades, pairs.grades),
        "covered": spearman(grades[some], pairs.grades[some]),
        "pairs": float(len(pairs)),
        "covered_pairs": float(some.sum()),
    }
