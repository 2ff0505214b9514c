"""How likely a phrase pair is a good paraphrase, judged without a sentence.

A pivot probability says how often two phrases were translated alike, not whether people consider them paraphrases: its
rank correlation with human judgements is 0.41. String, frequency and word-vector features reach more, even without any
table (Pavlick et al. 2015, §2). So small boosted trees, fitted to human judgements, use everything known about a pair,
including tables. The trees are numbers in ``quality_weights.json``; the judgements are not shipped.

A value that a table lacks is NaN. The trees were fitted with NaN values, so a model with fewer tables, no vectors or no
WordNet is scored by the other features.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._trees import Trees
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.json_text import parse_json
from paraphrast.tables.checks.filters import check_rows, filter_classes, is_punctuation
from paraphrast.tables.quality import _kernels_quality as k
from paraphrast.text.languages.record import Language
from paraphrast.types import FIRST_WORD, MASKS, Phrases, Vocabulary

__all__ = [
    "EVIDENCE",
    "FEATURES",
    "GROUPS",
    "RELATIONS",
    "QualityModel",
    "WordKnowledge",
    "known_words",
    "quality_features",
]

#: Relation of two words → its bit. A hypernym is more general than the source word, a hyponym more specific.
RELATIONS: dict[str, int] = {
    "synonym": k.SYNONYM,
    "hypernym": k.HYPERNYM,
    "hyponym": k.HYPONYM,
    "sibling": k.SIBLING,
    "antonym": k.ANTONYM,
    "derived": k.DERIVED,
    "similar": k.SIMILAR,
    "listed": k.LISTED,
    "paired": k.PAIRED,
    "paired_well": k.PAIRED_WELL,
}
#: The same relation with both words exchanged.
_INVERSE = {"hypernym": "hyponym", "hyponym": "hypernym"}
#: Evidence from tables (natural logs of probabilities), and ``meaning``, the cosine of both phrases by a sentence
#: encoder. Each may be missing.
EVIDENCE = (
    "category",
    "syntax",
    "pivot",
    "pivot_both",
    "pivot_reverse",
    "pivot_languages",
    "pivot_context",
    "graph",
    "thesaurus",
    "dictionary",
    "similarity",
    "tables",
    "meaning",
)
FEATURES = (*k.NAMES, *EVIDENCE)
#: Groups of features, for ablations.
GROUPS: dict[str, tuple[str, ...]] = {
    "strings": k.NAMES[:12],
    "vectors": k.NAMES[12:21],
    "frequency": k.NAMES[21:25],
    "wordnet": k.NAMES[25:32],
    "word pairs": k.NAMES[32:35],
    "flags": k.NAMES[35:],
    "category": EVIDENCE[:2],
    "pivot": EVIDENCE[2:8],
    "lexicons": EVIDENCE[8:12],
    "encoder": EVIDENCE[12:],
}
WEIGHTS_FILE = Path(__file__).with_name("quality_weights.json")
FORMAT_VERSION = 1
#: Judgements run from 1 to 5. As shares they are kept away from 0 and 1, because tables store their logarithm.
WORST, BEST = 1.0, 5.0
_NEAREST = 0.02
#: Number of directions common to all vectors, which carry no meaning (Mu and Viswanath 2018).
_SHARED_DIRECTIONS = 2


@dataclass(frozen=True)
class WordKnowledge:
    """Properties of each vocabulary id; see :func:`known_words`.

    letters between ``letter_begin``; vector: float32[words, size], unit length, zeros if unknown; rank: float32, log
    of the frequency rank, NaN if unknown; folded, stem: int32; content, negation: bool; number: int32, −1 for none;
    keys, bits: relations of stems, ``first << 32 | second`` ascending.
    """

    letter_begin: NDArray[np.int64]
    letters: NDArray[np.int32]
    vector: NDArray[np.float32]
    rank: NDArray[np.float32]
    folded: NDArray[np.int32]
    stem: NDArray[np.int32]
    content: NDArray[np.bool_]
    number: NDArray[np.int32]
    negation: NDArray[np.bool_]
    keys: NDArray[np.int64]
    bits: NDArray[np.uint16]


def known_words(
    vocabulary: Vocabulary,
    language: Language,
    vectors: tuple[Sequence[str], NDArray[np.floating]] | None = None,
    relations: Iterable[tuple[str, str, str]] = (),
) -> WordKnowledge:
    """Collect the properties of a vocabulary's words.

    vectors: words in order of frequency, and one row for each. relations: (name from :data:`RELATIONS`, word, other
    word), both in lower case. They are stored for the stems of the words.
    """
    classes = filter_classes(vocabulary, language)
    lows = [word.lower().replace("’", "'") for word in vocabulary.words]
    letters = [np.array([ord(letter) for letter in low], dtype=np.int32) for low in lows]
    letter_begin = np.zeros(len(lows) + 1, dtype=np.int64)
    np.cumsum([len(own) for own in letters], out=letter_begin[1:])
    number = np.full(len(lows), -1, np.int32)
    negation = np.zeros(len(lows), np.bool_)
    for index, low in enumerate(lows):
        if vocabulary.words[index] in MASKS or low in language.number_words or low.isdigit():
            number[index] = classes.folded[index]
        negation[index] = low in language.negations
    vector, rank = _vectors(lows, vectors)
    stem_of = {low: int(classes.stem[index]) for index, low in enumerate(lows) if index >= FIRST_WORD}
    keys, bits = _relations(relations, stem_of)
    return WordKnowledge(
        letter_begin,
        np.concatenate([np.zeros(0, np.int32), *letters]),
        vector,
        rank,
        classes.folded,
        classes.stem,
        ~classes.function_word & ~classes.punctuation,
        number,
        negation,
        keys,
        bits,
    )


def _vectors(
    words: Sequence[str], vectors: tuple[Sequence[str], NDArray[np.floating]] | None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Unit vectors without the directions common to all, and log ranks."""
    rank = np.full(len(words), np.nan, np.float32)
    if vectors is None:
        return np.zeros((len(words), 1), np.float32), rank
    known, table = vectors
    row_of = {word: row for row, word in enumerate(known)}
    places = np.array(
        [-1 if is_punctuation(word) else row_of.get(word, -1) for word in words], dtype=np.int64
    )
    held = places >= 0
    rank[held] = np.log(places[held] + 2.0)
    # Sums by einsum: their order does not depend on the number of threads of a linear algebra library.
    common = np.asarray(table[: min(len(known), 20_000)], dtype=np.float64)
    centre = common.mean(axis=0)
    common = common - centre
    _, directions = np.linalg.eigh(np.einsum("ni,nj->ij", common, common))
    shared = directions[:, -_SHARED_DIRECTIONS:]
    vector = np.zeros((len(words), table.shape[1]))
    vector[held] = np.asarray(table[places[held]], dtype=np.float64) - centre
    vector -= np.einsum("nk,dk->nd", np.einsum("nd,dk->nk", vector, shared), shared)
    vector[~held] = 0.0
    vector /= np.maximum(np.sqrt(np.einsum("nd,nd->n", vector, vector)), 1e-9)[:, None]
    # Rounded, so that the last bits of the factorisation do not matter.
    return np.round(vector, 5).astype(np.float32), rank


def _relations(
    relations: Iterable[tuple[str, str, str]], stem_of: Mapping[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Sorted keys of pairs of stems, and the relation bits of each, in both directions."""
    bits_of: dict[int, int] = {}
    for name, one, two in relations:
        if name not in RELATIONS:
            raise InputError(f"unknown relation {name!r}", remedy=f"known: {', '.join(RELATIONS)}")
        first, second = stem_of.get(one, -1), stem_of.get(two, -1)
        if first < 0 or second < 0 or first == second:
            continue
        bits_of[first << 32 | second] = bits_of.get(first << 32 | second, 0) | RELATIONS[name]
        back = RELATIONS[_INVERSE.get(name, name)]
        bits_of[second << 32 | first] = bits_of.get(second << 32 | first, 0) | back
    keys = np.array(sorted(bits_of), dtype=np.int64)
    return keys, np.array([bits_of[key] for key in keys.tolist()], dtype=np.uint16)


def quality_features(
    phrases: Phrases,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    knowledge: WordKnowledge,
    evidence: Mapping[str, NDArray[np.floating]] | None = None,
) -> NDArray[np.float32]:
    """float32[pairs, features] as in :data:`FEATURES`. evidence: as in :data:`EVIDENCE`, NaN if a table lacks it."""
    check_rows(phrases, source, target, len(knowledge.folded))
    known = dict(evidence or {})
    unknown = sorted(set(known) - set(EVIDENCE))
    if unknown:
        raise InputError(f"unknown evidence {unknown[0]!r}", remedy=f"known: {', '.join(EVIDENCE)}")
    computed = k.pair_features(
        np.ascontiguousarray(phrases.words),
        np.asarray(source, np.int32),
        np.asarray(target, np.int32),
        knowledge.letter_begin,
        knowledge.letters,
        knowledge.vector,
        knowledge.rank,
        knowledge.folded,
        knowledge.stem,
        knowledge.content,
        knowledge.number,
        knowledge.negation,
        knowledge.keys,
        knowledge.bits,
    )
    nothing = np.full(len(source), np.nan, np.float32)
    columns = [np.asarray(known.get(name, nothing), dtype=np.float32) for name in EVIDENCE]
    return np.ascontiguousarray(np.column_stack([computed, *columns]))


@dataclass(frozen=True)
class QualityModel:
    """Trees over :data:`FEATURES`, and a note about the data they were fitted on."""

    trees: Trees
    note: str = ""

    def grade(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """The expected average grade, 1 (nothing in common) to 5 (the same)."""
        grades: NDArray[np.float64] = np.clip(self.trees.predict(features), WORST, BEST)
        return grades

    def log_quality(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Natural log of the grade as a share, 0.02 to 0.98: the column ``quality`` of a table."""
        share = (self.grade(features) - WORST) / (BEST - WORST)
        return np.log(np.clip(share, _NEAREST, 1.0 - _NEAREST)).astype(np.float32)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "format_version": FORMAT_VERSION,
            "note": self.note,
            "features": list(FEATURES),
            **self.trees.to_dict(),
        }

    @classmethod
    def load(cls, path: Path) -> QualityModel:
        """Read a file written from :meth:`to_dict`."""
        try:
            values = parse_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise FormatError(f"expected a quality model as JSON: {error}", where=path) from error
        if (
            not isinstance(values, dict)
            or values.get("format_version") != FORMAT_VERSION
            or tuple(values.get("features", ())) != FEATURES
        ):
            raise FormatError("expected a quality model with the features of this version", where=path)
        try:
            return cls(Trees.from_dict(values), str(values.get("note", "")))
        except InputError as error:
            raise FormatError(error.message, where=path) from error

    @classmethod
    def empty(cls) -> QualityModel:
        """Trees that grade every pair 3, for collecting features before fitting."""
        nothing = np.zeros((0, 1), np.float32)
        return cls(Trees(3.0, np.zeros((0, 1), np.int32), nothing, np.zeros((0, 2), np.float32)))

    @classmethod
    def default(cls) -> QualityModel:
        """The model that ships with the package."""
        return _default()


@cache
def _default() -> QualityModel:
    return QualityModel.load(WEIGHTS_FILE)
