"""Whether two sentences are paraphrases: a logistic regression over overlap, alignment, names and numbers.

Quirk et al. 2004, §6 leave identification to future work and announce a classifier with features of document structure,
bootstrapped from initial alignments. The features here: shared words, stems, runs of words and letters; the longest
common subsequence; a soft alignment (every word with the most similar word of the other sentence, by letters); names
and numbers on only one side; negation; lengths; and the positions of the sentences in their articles. Products of
pairs of features model their interaction.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._logistic import fit_logistic
from paraphrast.acquire.sentences import lower_words
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.files import atomic_write
from paraphrast.formats.json_text import parse_json
from paraphrast.text.languages.registry import get_language

FORMAT = "paraphrast-pair-classifier"
#: Names of the features, in order.
FEATURES = (
    "words", "bigrams", "trigrams", "stems", "content", "content missed by less", "content missed by more",
    "subsequence of shorter", "subsequence of longer", "distance", "length ratio", "length difference",
    "letters", "soft alignment by less", "soft alignment by more", "names", "names missed by both",
    "numbers differ", "numbers missed", "numbers shared", "negation differs", "first word", "last word",
    "longest run", "both lead", "place difference",
)  # fmt: skip
#: Features that only sentences from articles have.
PLACE = 2
_CAPITAL = re.compile(r"(?<=\s)[^\W\d_a-zà-ÿ][\w.&'’-]*")
_SOFT = 0.6
#: Number of words of a sentence that are used. Words are compared with each other, so time grows with its square.
LONGEST = 512
#: Number of labelled pairs that the packaged weights represent, and their strength, if those pairs are not available.
_STANDS_FOR, _PRIOR_RIDGE = 4000, 100.0


def pair_features(
    first: Sequence[str],
    second: Sequence[str],
    *,
    places: NDArray[np.int64] | None = None,
    language: str = "en",
) -> NDArray[np.float64]:
    """Features of sentence pairs, [pairs, features]. ``places``: the number of each sentence in its article.

    Of a sentence of more than :data:`LONGEST` words, those words are used.
    """
    if len(first) != len(second):
        raise InputError(f"expected as many second sentences as first, got {len(first)} and {len(second)}")
    vocabulary: list[str] = []
    rows = [row[:LONGEST].tolist() for row in lower_words([*first, *second], language, vocabulary)]
    record = get_language(language)
    stems = _stems(vocabulary, record.stemmer)
    is_content = [any(map(str.isalnum, word)) and word not in record.function_words for word in vocabulary]
    is_number = [word[:1].isdigit() or (word[:1] in "$£€" and len(word) > 1) for word in vocabulary]
    is_negation = [word in record.negations for word in vocabulary]
    words = _Words(vocabulary, stems, is_content, is_number, is_negation, {})
    table = np.zeros((len(first), len(FEATURES)))
    for index in range(len(first)):
        table[index, :-PLACE] = _features(
            rows[index], rows[len(first) + index], first[index], second[index], words
        )
    if places is not None and len(places):
        table[:, -2] = (places < 2).all(axis=1)
        table[:, -1] = np.minimum(np.abs(places[:, 0] - places[:, 1]), 10) / 10
    return table


@dataclass(frozen=True)
class _Words:
    text: list[str]
    stems: list[int]
    is_content: list[bool]
    is_number: list[bool]
    is_negation: list[bool]
    alike: dict[tuple[int, int], float]

    def similarity(self, one: int, other: int) -> float:
        """Similarity of two words by their letters; 0 below :data:`_SOFT`."""
        if one == other or self.stems[one] == self.stems[other]:
            return 1.0
        key = (one, other) if one < other else (other, one)
        cached = self.alike.get(key)
        if cached is None:
            from rapidfuzz.distance import Indel

            cached = float(Indel.normalized_similarity(self.text[one], self.text[other]))
            cached = self.alike[key] = cached if cached >= _SOFT else 0.0
        return cached


def _stems(vocabulary: Sequence[str], stemmer: str | None) -> list[int]:
    if not stemmer:
        return list(range(len(vocabulary)))
    import snowballstemmer

    stem = snowballstemmer.stemmer(stemmer)
    ids: dict[str, int] = {}
    return [ids.setdefault(stem.stemWord(word), len(ids)) for word in vocabulary]


def _dice(one: Counter[Any], other: Counter[Any]) -> float:
    total = sum(one.values()) + sum(other.values())
    return 2.0 * sum((one & other).values()) / total if total else 0.0


def _runs(row: Sequence[int], size: int) -> Counter[Any]:
    return Counter(tuple(row[i : i + size]) for i in range(len(row) - size + 1))


def _features(a: list[int], b: list[int], text_a: str, text_b: str, words: _Words) -> list[float]:
    from rapidfuzz.distance import Indel, LCSseq

    less, more = sorted((max(len(a), 1), max(len(b), 1)))
    common = LCSseq.similarity(a, b)
    content_a, content_b = ([w for w in row if words.is_content[w]] for row in (a, b))
    stems_a, stems_b = (Counter(words.stems[w] for w in row) for row in (content_a, content_b))
    missed = sorted((sum((stems_a - stems_b).values()), sum((stems_b - stems_a).values())))
    soft = sorted((_aligned(content_a, content_b, words), _aligned(content_b, content_a, words)))
    names_a, names_b = set(_CAPITAL.findall(text_a)), set(_CAPITAL.findall(text_b))
    numbers_a, numbers_b = ({w for w in row if words.is_number[w]} for row in (a, b))
    lower_a, lower_b = text_a.lower(), text_b.lower()
    letters = _dice(
        Counter(lower_a[i : i + 3] for i in range(len(lower_a) - 2)),
        Counter(lower_b[i : i + 3] for i in range(len(lower_b) - 2)),
    )
    return [
        _dice(Counter(a), Counter(b)),
        _dice(_runs(a, 2), _runs(b, 2)),
        _dice(_runs(a, 3), _runs(b, 3)),
        _dice(Counter(words.stems[w] for w in a), Counter(words.stems[w] for w in b)),
        _dice(stems_a, stems_b),
        min(missed[0], 8) / 8,
        min(missed[1], 12) / 12,
        common / less,
        common / more,
        min(Indel.distance(a, b), 40) / 40,
        less / more,
        min(more - less, 15) / 15,
        letters,
        soft[0],
        soft[1],
        2.0 * len(names_a & names_b) / (len(names_a) + len(names_b)) if names_a or names_b else 1.0,
        min(len(names_a - names_b), len(names_b - names_a), 3) / 3,
        float(bool(numbers_a - numbers_b) and bool(numbers_b - numbers_a)),
        min(len(numbers_a ^ numbers_b), 4) / 4,
        min(len(numbers_a & numbers_b), 3) / 3,
        float(any(words.is_negation[w] for w in a) != any(words.is_negation[w] for w in b)),
        float(a[:1] == b[:1]),
        float([w for w in a if words.is_content[w]][-1:] == [w for w in b if words.is_content[w]][-1:]),
        min(_longest_run(a, b), 20) / 20,
    ]


def _aligned(row: Sequence[int], other: Sequence[int], words: _Words) -> float:
    """Mean similarity of each word with its most similar word of the other sentence."""
    if not row or not other:
        return 0.0
    present = set(other)
    return sum(1.0 if w in present else max(words.similarity(w, v) for v in present) for w in row) / len(row)


def _longest_run(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common run of words."""
    best = 0
    before: dict[int, int] = {}
    where: dict[int, list[int]] = {}
    for index, word in enumerate(b):
        where.setdefault(word, []).append(index)
    for word in a:
        now = {index: before.get(index - 1, 0) + 1 for index in where.get(word, ())}
        best = max(best, *now.values()) if now else best
        before = now
    return best


def _expanded(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Features, products of pairs of them, and a constant."""
    count = features.shape[1] - PLACE
    one, other = np.triu_indices(count)
    plain = features[:, :count]
    return np.concatenate(
        [features, plain[:, one] * plain[:, other], np.ones((len(features), 1))], axis=1, dtype=np.float64
    )


SIZE = len(FEATURES) + (len(FEATURES) - PLACE) * (len(FEATURES) - PLACE + 1) // 2 + 1


@dataclass(frozen=True)
class PairClassifier:
    """Weights of the features, their products and a constant."""

    weights: NDArray[np.float64]
    note: str = ""

    def probability(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """p(paraphrase) of pairs."""
        chances = np.zeros(len(features))
        for begin in range(0, len(features), 1 << 14):
            odds = _expanded(features[begin : begin + (1 << 14)]) @ self.weights
            chances[begin : begin + (1 << 14)] = 1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30)))
        return chances

    def save(self, path: str | Path) -> None:
        """Write the weights as JSON."""
        record = {
            "format": FORMAT,
            "note": self.note,
            "features": FEATURES,
            "weights": [round(float(weight), 4) for weight in self.weights],
        }
        with atomic_write(Path(path)) as stream:
            stream.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> PairClassifier:
        """Read a file written by :meth:`save`."""
        try:
            record = parse_json(Path(path).read_text(encoding="utf-8"))
            weights = np.array(record["weights"], dtype=np.float64)
            if (
                record["format"] != FORMAT
                or tuple(record["features"]) != FEATURES
                or weights.shape != (SIZE,)
            ):
                raise ValueError("written by a version with other features")
            return cls(weights, str(record.get("note", "")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FormatError(
                f"expected a pair classifier: {error}",
                where=path,
                remedy="train it again with this version",
            ) from error


@cache
def default_classifier() -> PairClassifier:
    """The classifier of the package."""
    return PairClassifier.load(Path(__file__).with_name("pair_weights.json"))


def train_classifier(
    features: NDArray[np.float64],
    truth: NDArray[np.float64],
    *,
    ridge: float = 3.0,
    importance: NDArray[np.float64] | None = None,
    prior: NDArray[np.float64] | None = None,
    note: str = "",
) -> PairClassifier:
    """Fit to labelled pairs: logistic regression with a ridge around ``prior`` (weights, 0 if None)."""
    if len(features) != len(truth) or not len(truth) or truth.min() == truth.max():
        raise InputError("expected both paraphrases and other pairs")
    rows = _expanded(features)
    penalty = np.full(SIZE, ridge)
    penalty[-1] = 1e-6
    if prior is not None:
        # The constant is fixed; the weights know nothing of positions in articles, which labelled pairs do not have.
        penalty[-1] = 1e6
        penalty[len(FEATURES) - PLACE : len(FEATURES)] = 3.0
    weights = fit_logistic(rows, truth, penalty, importance=importance, prior=prior)
    return PairClassifier(weights, note)


def bootstrap(
    classifier: PairClassifier,
    unlabelled: NDArray[np.float64],
    labelled: NDArray[np.float64] | None = None,
    truth: NDArray[np.float64] | None = None,
    *,
    rounds: int = 3,
    sure: float = 0.95,
    share: float = 0.5,
) -> PairClassifier:
    """Train again with pairs that the classifier is certain of, as if they were labelled (Quirk et al. 2004, §6).

    labelled, truth: the pairs it was trained on; without them, its weights are the prior. sure: probability from which
    a pair counts as a paraphrase (below 1 − sure, as none); share: maximum total weight of such pairs relative to the
    labelled ones.
    """
    if labelled is None or truth is None:
        labelled, truth, known = np.zeros((0, len(FEATURES))), np.zeros(0), _STANDS_FOR
        prior: NDArray[np.float64] | None = classifier.weights
    else:
        known, prior = len(truth), None
    for _ in range(rounds):
        chance = classifier.probability(unlabelled)
        chosen = (chance >= sure) | (chance <= 1 - sure)
        labels = (chance[chosen] >= sure).astype(np.float64)
        if not chosen.any() or (prior is not None and labels.min() == labels.max()):
            break
        each = min(1.0, share * known / chosen.sum())
        # Equal total weight for both kinds: most candidates are not paraphrases, which the classifier should not learn.
        halves = each * chosen.sum() / 2 / np.array([max(int((labels == kind).sum()), 1) for kind in (0, 1)])
        importance = np.concatenate([np.ones(len(truth)), np.minimum(halves[labels.astype(np.int64)], 1.0)])
        classifier = train_classifier(
            np.concatenate([labelled, unlabelled[chosen]]),
            np.concatenate([truth, labels]),
            ridge=3.0 if prior is None else _PRIOR_RIDGE,
            importance=importance,
            prior=prior,
            note=classifier.note,
        )
    return classifier
