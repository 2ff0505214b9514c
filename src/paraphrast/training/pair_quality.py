"""The context-free score of a model's pairs: WordNet and vectors from the data room, evidence from its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.build.encoders import encoder_names, open_encoder
from paraphrast.data.by_language import (
    LISTS,
    RELATIONS,
    VECTORS,
    folder_of,
    read_vectors,
)
from paraphrast.formats.files import read_lines
from paraphrast.tables.quality.score import (
    FEATURES,
    QualityModel,
    WordKnowledge,
    known_words,
    quality_features,
)
from paraphrast.text import get_language
from paraphrast.training.pivot_features import syntax_feature
from paraphrast.types import Encoder, ParaphraseTable, Phrases, Vocabulary, pair_keys

#: Grade without the encoder, of 1 to 5, from which a pair is also read by the encoder.
ENCODED_GRADE = 2.8
#: Cosines of phrases are rounded, so that the last bits of their vectors do not matter.
DECIMALS = 4
#: Probability from which a pair of words is a good one.
PAIRED_WELL = 0.02
_PAIRS_AT_ONCE = 100_000
#: Kinds of tables → which evidence their score is.
_EVIDENCE_OF_KIND = {
    "graph": "graph",
    "lexicon": "thesaurus",
    "wordnet": "thesaurus",
    "dictionary": "dictionary",
    "thesaurus": "similarity",
}
#: Evidence → column of a pivot table.
_PIVOT = {
    "pivot_both": "both",
    "pivot_reverse": "reverse",
    "pivot_languages": "languages",
    "pivot_context": "context",
}


@dataclass(frozen=True)
class QualityScorer:
    """What is known of a vocabulary's words, an encoder of phrases if there is one, and the trees that judge pairs."""

    words: Sequence[str]
    knowledge: WordKnowledge
    model: QualityModel
    encoder: Encoder | None = None

    def features(
        self,
        phrases: Phrases,
        source: NDArray[np.int32],
        target: NDArray[np.int32],
        evidence: Mapping[str, NDArray[np.floating]],
        *,
        threads: int = 1,
        done: Callable[[int], None] | None = None,
    ) -> NDArray[np.float32]:
        """float32[pairs, features] by ``tables.quality.FEATURES``; done: called with the number of phrases encoded.

        The encoder takes most of the time. It reads the pairs that look like paraphrases without it; the meaning of the
        others stays unknown.
        """
        features = quality_features(phrases, source, target, self.knowledge, evidence)
        if self.encoder is None:
            return features
        rows = np.flatnonzero(self.model.grade(features) >= ENCODED_GRADE)
        features[rows, FEATURES.index("meaning")] = meanings(
            self.encoder, phrases, self.words, source[rows], target[rows], threads, done
        )
        return features


def meanings(
    encoder: Encoder,
    phrases: Phrases,
    words: Sequence[str],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    threads: int = 1,
    done: Callable[[int], None] | None = None,
) -> NDArray[np.float32]:
    """The cosine of both phrases' vectors; NaN where a phrase has none."""
    used, place = np.unique(np.concatenate([source, target]), return_inverse=True)
    texts = [[words[index] for index in row if index >= 0] for row in phrases.words[used].tolist()]
    vectors = encoder.phrases(texts, threads=threads, done=done)
    one, two = place[: len(source)], place[len(source) :]
    cosine = np.zeros(len(source), np.float64)
    for begin in range(0, len(source), _PAIRS_AT_ONCE):
        part = slice(begin, begin + _PAIRS_AT_ONCE)
        cosine[part] = np.einsum("nd,nd->n", vectors[one[part]], vectors[two[part]], dtype=np.float64)
    known: NDArray[np.bool_] = np.asarray(vectors.any(axis=1))
    return np.where(known[one] & known[two], np.round(cosine, DECIMALS), np.nan).astype(np.float32)


def make_scorer(
    vocabulary: Vocabulary,
    language: str,
    *,
    word_pairs: Iterable[tuple[str, str, str]] = (),
    fetch: bool = False,
    model: QualityModel | None = None,
) -> QualityScorer:
    """A scorer from what of vectors, WordNet and lists of related words is on this machine.

    word_pairs: further relations of words, as :func:`paired_words` finds them in the model's own tables.

    fetch: get what is not.
    """
    record = get_language(language)
    code = record.code
    folders = knowledge_folders(knowledge_names(code), fetch)
    vectors = None
    for name in VECTORS.get(record.code, ()):
        if name in folders:
            vectors = read_vectors(folders[name])

    def relations() -> Iterator[tuple[str, str, str]]:
        for name in RELATIONS.get(record.code, ()):
            if name in folders:
                for line in read_lines(folders[name] / "relations.tsv.gz"):
                    relation, one, two = line.split("\t")
                    yield relation, one, two
        for name in LISTS.get(record.code, ()):
            if name in folders:
                for line in read_lines(folders[name] / "pairs.tsv.gz"):
                    one, two = line.split("\t", 2)[:2]
                    yield "listed", one.lower(), two.lower()
        yield from word_pairs

    encoders = [open_encoder(folders[name]) for name in encoder_names(code) if name in folders]
    return QualityScorer(
        vocabulary.words,
        known_words(vocabulary, record, vectors, relations()),
        model or QualityModel.default(),
        encoders[0] if encoders else None,
    )


def knowledge_names(language: str) -> list[str]:
    """Names of the data that pairs of a language are judged by; none where the index has nothing for it.

    The encoder is among them only if the extra that runs it is installed.
    """
    lexicons = [name for names in (RELATIONS, LISTS, VECTORS) for name in names.get(language, ())]
    return [*lexicons, *encoder_names(language)]


def paired_words(
    tables: Mapping[str, ParaphraseTable], phrases: Phrases, words: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Pairs of single words in the tables of translation (pivot, graph), told apart by their probability."""
    single = phrases.lengths == 1
    for name in sorted(tables):
        table = tables[name]
        if table.info.kind not in ("pivot", "graph"):
            continue
        rows = np.flatnonzero(single[table.source] & single[table.target] & ~(table.score < np.log(0.001)))
        sides = [phrases.words[side[rows], 0].tolist() for side in (table.source, table.target)]
        for one, two, score in zip(*sides, table.score[rows].tolist(), strict=True):
            relation = "paired_well" if score >= np.log(PAIRED_WELL) else "paired"
            yield relation, words[one].lower(), words[two].lower()


def knowledge_folders(names: Sequence[str], fetch: bool) -> dict[str, Path]:
    """Where the named data lies; fetch: get what is not here yet, all of it or a clear error."""
    folders = {name: folder_of(name, fetch=fetch) for name in names}
    return {name: folder for name, folder in folders.items() if folder is not None}


def pair_evidence(
    tables: Mapping[str, ParaphraseTable],
    categories: NDArray[np.uint32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
) -> dict[str, NDArray[np.float32]]:
    """What a model's tables say of pairs: ``tables.quality.EVIDENCE``, NaN where they say nothing.

    Tables of one kind count as one witness, the highest score. A pair of phrases with the id −1 is in no table.
    """
    wanted = pair_keys(source, target)
    columns: dict[str, NDArray[np.float32]] = {}
    held = np.zeros(len(wanted), np.float32)
    for name in sorted(tables):
        table = tables[name]
        own = table.keys
        order = np.argsort(own, kind="stable")
        place = order[np.minimum(np.searchsorted(own[order], wanted), max(len(own) - 1, 0))]
        found = own[place] == wanted if len(own) else np.zeros(len(wanted), np.bool_)
        held += found
        if table.info.kind == "pivot":
            for evidence, column in _PIVOT.items():
                if column in table.features:
                    columns[evidence] = _where(found, table.features[column], place)
            columns["pivot"] = _where(found, table.score, place)
        elif table.info.kind in _EVIDENCE_OF_KIND:
            evidence = _EVIDENCE_OF_KIND[table.info.kind]
            value = _where(found, table.score, place)
            columns[evidence] = np.fmax(columns[evidence], value) if evidence in columns else value
    columns["tables"] = held
    known = (source >= 0) & (target >= 0)
    columns["category"] = np.where(known, shared_category(categories, source, target), np.nan).astype(
        np.float32
    )
    columns["syntax"] = np.where(known, syntax_feature(categories, source, target), np.nan).astype(np.float32)
    return columns


def _where(
    found: NDArray[np.bool_], values: NDArray[np.float32], place: NDArray[np.int64]
) -> NDArray[np.float32]:
    result = np.full(len(found), np.nan, np.float32)
    result[found] = values[place[found]]
    return result


def shared_category(
    categories: NDArray[np.uint32], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float32]:
    """The number of the first category that both have, else of the source's first; NaN where it has none."""
    both = categories[source] & categories[target]
    mask = np.where(both != 0, both, categories[source]).astype(np.int64)
    lowest = mask & -mask
    number = np.log2(np.maximum(lowest, 1)).astype(np.float32)
    return np.where(mask != 0, number, np.float32(np.nan)).astype(np.float32)
