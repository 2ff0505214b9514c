"""Equivalence sets of the evaluation bitext, and the substitutes of each phrase (Owczarzak et al. 2006, §3).

Target phrases aligned with one source phrase are considered equivalent: *people*, *public*, *citizens* for *citoyens*.
Each has its probability of being the translation of that phrase. A phrase in two sets has the equivalents of both, but
there is no transitivity (§3.5): *sure* – *certain* and *certain* – *some* do not give *sure* – *some*. Inflectional
variants are kept (§5, example 4).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from paraphrast.errors import InputError
from paraphrast.references.options import SetOptions
from paraphrast.references.words import Phrase, is_word
from paraphrast.types import LooseTable, TextRow


@dataclass(frozen=True, slots=True)
class Item:
    """A member of an equivalence set. probability: p(phrase | source phrase)."""

    phrase: Phrase
    probability: float
    count: int


@dataclass(frozen=True, slots=True)
class EquivalenceSet:
    """Two or more target phrases aligned with one source phrase, the most probable first."""

    source: Phrase
    items: tuple[Item, ...]

    def text(self) -> str:
        """As the paper prints it: question – issue – matter."""
        return " – ".join(" ".join(item.phrase) for item in self.items)

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "source": " ".join(self.source),
            "items": [
                {"phrase": " ".join(item.phrase), "probability": item.probability, "count": item.count}
                for item in self.items
            ],
        }


def equivalence_sets(
    pairs: Iterable[tuple[Phrase, Phrase, int]],
    options: SetOptions | None = None,
    closed: Collection[str] = frozenset(),
) -> list[EquivalenceSet]:
    """The equivalence sets of phrase pairs (source, target, count). Source phrases with only one target are left out.

    closed: words of the closed classes that ``options`` names. Probabilities are shares of all pairs of the source
    phrase, before any are dropped.
    """
    options = options or SetOptions()
    counts: dict[Phrase, dict[Phrase, int]] = {}
    for source, target, count in pairs:
        members = counts.setdefault(source, {})
        members[target] = members.get(target, 0) + count
    sets = []
    for source in sorted(counts):
        total = sum(counts[source].values())
        items = [
            Item(target, count / total, count)
            for target, count in counts[source].items()
            if count >= options.at_least
            and count / total >= options.threshold
            and len(target) <= options.longest
            and all(is_word(word) for word in target)
            and not all(word in closed for word in target)
        ]
        if len(items) > 1:
            items.sort(key=lambda item: (-item.count, item.phrase))
            sets.append(EquivalenceSet(source, tuple(items)))
    return sets


def count_sets(sets: Sequence[EquivalenceSet]) -> dict[str, float]:
    """The paper's counts: sets, words or phrases in them, and the mean size of a set."""
    members = sum(len(equivalents.items) for equivalents in sets)
    distinct = len({item.phrase for equivalents in sets for item in equivalents.items})
    return {
        "sets": len(sets),
        "items": members,
        "phrases": distinct,
        "mean": members / len(sets) if sets else 0.0,
    }


@dataclass(frozen=True, slots=True)
class Substitute:
    """A substitute for a phrase. probability: 0 to 1. origin: the resources that list it.

    literal: its capitals are kept, instead of taking those of the phrase that it replaces. found: an output has it, so
    it is kept however many substitutes are more probable.
    """

    target: Phrase
    probability: float
    origin: str
    literal: bool = False
    found: bool = False


@dataclass
class Substitutions:
    """Phrase (lower-cased words) → its substitutes, the most probable first."""

    rows: dict[Phrase, tuple[Substitute, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(len(row) for row in self.rows.values())

    @property
    def longest(self) -> int:
        """Number of words of the longest phrase."""
        return max((len(phrase) for phrase in self.rows), default=0)

    def of(self, phrase: Phrase) -> tuple[Substitute, ...]:
        """The substitutes of a phrase."""
        return self.rows.get(phrase, ())

    def items(self) -> Iterator[tuple[Phrase, Substitute]]:
        """Every pair, in the order of phrases."""
        for phrase in sorted(self.rows):
            for substitute in self.rows[phrase]:
                yield phrase, substitute


def set_substitutions(
    sets: Sequence[EquivalenceSet], *, origin: str = "bitext", spelling: Mapping[str, str] | None = None
) -> Substitutions:
    """The substitutes from equivalence sets: p(e₂ | e₁) = Σ_f p(f | e₁) p(e₂ | f) over the sets f that have both.

    This is Bannard and Callison-Burch's (2005) probability, which §5 ranks by. p(f | e₁) is computed within the sets.
    spelling: lower-cased word → its spelling within a sentence.
    """
    total: dict[Phrase, int] = {}
    for equivalents in sets:
        for item in equivalents.items:
            total[item.phrase] = total.get(item.phrase, 0) + item.count
    by_phrase: dict[Phrase, dict[Phrase, float]] = {}
    for equivalents in sets:
        for first in equivalents.items:
            share = first.count / total[first.phrase]
            substitutes = by_phrase.setdefault(first.phrase, {})
            for second in equivalents.items:
                if second.phrase != first.phrase:
                    substitutes[second.phrase] = (
                        substitutes.get(second.phrase, 0.0) + share * second.probability
                    )
    write = spelling or {}
    return Substitutions(
        {
            phrase: _ranked(
                Substitute(tuple(write.get(word, word) for word in target), min(value, 1.0), origin)
                for target, value in substitutes.items()
            )
            for phrase, substitutes in by_phrase.items()
        }
    )


def row_substitutions(
    rows: Iterable[tuple[Phrase, Phrase, float]],
    *,
    origin: str,
    closed: Collection[str] = frozenset(),
    threshold: float = 0.0,
    longest: int = 4,
    wanted: Collection[Phrase] | None = None,
) -> Substitutions:
    """Substitutes from the rows of a table (source, target, probability), filtered like equivalence sets.

    wanted: the only phrases to keep.
    """
    by_phrase: dict[Phrase, dict[Phrase, float]] = {}
    for source, target, probability in rows:
        key = tuple(word.lower() for word in source)
        if wanted is not None and key not in wanted:
            continue
        lowered = tuple(word.lower() for word in target)
        if (
            lowered == key
            or probability < threshold
            or max(len(key), len(target)) > longest
            or not all(is_word(word) for word in (*key, *target))
            or all(word in closed for word in key)
            or all(word in closed for word in lowered)
        ):
            continue
        substitutes = by_phrase.setdefault(key, {})
        substitutes[target] = max(substitutes.get(target, 0.0), min(probability, 1.0))
    return Substitutions(
        {
            phrase: _ranked(Substitute(target, value, origin) for target, value in substitutes.items())
            for phrase, substitutes in by_phrase.items()
        }
    )


def loose_rows(table: LooseTable, forbidden: int = 0xFF) -> Iterator[tuple[Phrase, Phrase, float]]:
    """The rows of a standalone table. forbidden: bits of the vetoes that exclude a row."""
    veto = table.table.veto
    for row in range(len(table)):
        if len(veto) and int(veto[row]) & forbidden:
            continue
        score = float(table.table.score[row])
        yield (
            table.phrase(int(table.table.source[row])),
            table.phrase(int(table.table.target[row])),
            math.exp(min(score, 0.0)),
        )


def text_rows(rows: Iterable[TextRow]) -> Iterator[tuple[Phrase, Phrase, float]]:
    """The rows of a model's table, as words of the metrics' tokeniser."""
    from paraphrast.references.words import split_words

    for row in rows:
        if "<" not in row.source and "<" not in row.target:
            yield (
                tuple(split_words(row.source)),
                tuple(split_words(row.target)),
                math.exp(min(row.score, 0.0)),
            )


def merge_substitutions(parts: Sequence[tuple[Substitutions, float]], *, top: int = 50) -> Substitutions:
    """Merge several weighted resources: p = 1 − Π (1 − weight · p), with at most ``top`` substitutes per phrase."""
    for _, weight in parts:
        if not 0 <= weight <= 1:
            raise InputError(f"expected weights from 0 to 1, got {weight}")
    by_phrase: dict[Phrase, dict[tuple[Phrase, bool], tuple[float, tuple[str, ...], bool]]] = {}
    for part, weight in parts:
        for phrase, substitutes in part.rows.items():
            entries = by_phrase.setdefault(phrase, {})
            for substitute in substitutes:
                key = (substitute.target, substitute.literal)
                left, origins, found = entries.get(key, (1.0, (), False))
                entries[key] = (
                    left * (1 - weight * substitute.probability),
                    (*origins, substitute.origin),
                    found or substitute.found,
                )
    return Substitutions(
        {
            phrase: most_probable(
                _ranked(
                    Substitute(target, 1 - left, "+".join(dict.fromkeys(origins)), literal, found)
                    for (target, literal), (left, origins, found) in entries.items()
                    if left < 1
                ),
                top,
            )
            for phrase, entries in by_phrase.items()
        }
    )


def most_probable(substitutes: Sequence[Substitute], top: int) -> tuple[Substitute, ...]:
    """The first ``top``, which are the most probable, and all that an output has."""
    return (*substitutes[:top], *(substitute for substitute in substitutes[top:] if substitute.found))


def _ranked(substitutes: Iterable[Substitute]) -> tuple[Substitute, ...]:
    return tuple(
        sorted(
            substitutes,
            key=lambda substitute: (-substitute.probability, substitute.target, substitute.literal),
        )
    )
