"""Sets of links of many sentence pairs as sorted integers, so that set operations are array operations.

A link is one int64: (pair · width + source position) · width + target position, where ``width`` is one more than the
largest position. Union and intersection of two sets are then those of two sorted arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import At, InputError
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class LinkKeys:
    """A set of links: ``keys`` sorted and distinct; ``pairs`` sentence pairs, positions below ``width``."""

    keys: NDArray[np.int64]
    pairs: int
    width: int

    def __len__(self) -> int:
        return len(self.keys)

    def pair(self) -> NDArray[np.int64]:
        """The sentence pair of every link."""
        return self.keys // (self.width * self.width)

    def source(self) -> NDArray[np.int64]:
        """The source position of every link."""
        return self.keys // self.width % self.width

    def target(self) -> NDArray[np.int64]:
        """The target position of every link."""
        return self.keys % self.width

    def per_pair(self) -> NDArray[np.int64]:
        """Number of links of each sentence pair."""
        return np.bincount(self.pair(), minlength=self.pairs).astype(np.int64)

    def only(self, mask: NDArray[np.bool_]) -> LinkKeys:
        """The links where the mask is true."""
        return LinkKeys(self.keys[mask], self.pairs, self.width)

    def inside(self, other: LinkKeys) -> NDArray[np.bool_]:
        """For each link, whether the other set has it."""
        if not len(other):
            return np.zeros(len(self), dtype=np.bool_)
        place = np.minimum(np.searchsorted(other.keys, self.keys), len(other) - 1)
        return np.asarray(other.keys[place] == self.keys)

    def both(self, other: LinkKeys) -> LinkKeys:
        """The intersection of two sets."""
        return self.only(self.inside(other))

    def either(self, other: LinkKeys) -> LinkKeys:
        """The union of two sets."""
        return LinkKeys(np.union1d(self.keys, other.keys), self.pairs, self.width)

    def without(self, other: LinkKeys) -> LinkKeys:
        """The links that the other set lacks."""
        return self.only(~self.inside(other))

    def to_links(self) -> Links:
        """As flat arrays, sorted by pair, source, target."""
        starts = np.zeros(self.pairs + 1, dtype=np.int64)
        np.cumsum(self.per_pair(), out=starts[1:])
        return Links(starts, self.source().astype(np.int32), self.target().astype(np.int32))


def keys_of(*every: Links) -> list[LinkKeys]:
    """Sets of links that can be compared. All must have the same number of sentence pairs."""
    pairs = len(every[0])
    if any(len(links) != pairs for links in every):
        raise InputError(
            f"expected links of the same sentence pairs, got {', '.join(str(len(links)) for links in every)}",
            remedy="a line without links is an empty line",
        )
    tops = [int(side.max()) for links in every for side in (links.source, links.target) if len(side)]
    width = max(tops, default=0) + 1
    if pairs * width * width > _LARGEST:
        raise InputError(
            f"expected positions of words in a sentence, got {width - 1}", remedy="correct the file of links"
        )
    return [_keys(links, pairs, width) for links in every]


def _keys(links: Links, pairs: int, width: int) -> LinkKeys:
    pair = np.repeat(np.arange(pairs, dtype=np.int64), np.diff(links.starts))
    keys = (pair * width + links.source) * width + links.target
    return LinkKeys(np.unique(keys), pairs, width)


@dataclass(frozen=True)
class WordPairs:
    """The words of both sides as numbers: equal numbers are equal words, lower-cased.

    source_starts, target_starts: int64[pairs + 1]; source, target: int64 words, flat.
    """

    source_starts: NDArray[np.int64]
    source: NDArray[np.int64]
    target_starts: NDArray[np.int64]
    target: NDArray[np.int64]

    @classmethod
    def from_tokens(cls, source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]) -> WordPairs:
        """From the tokens of every sentence."""
        if len(source) != len(target):
            raise InputError(f"expected as many sentences on both sides, got {len(source)} and {len(target)}")
        numbers: dict[str, int] = {}
        return cls(*_numbered(source, numbers), *_numbered(target, numbers))

    def __len__(self) -> int:
        return len(self.source_starts) - 1

    def identical(self, links: LinkKeys) -> NDArray[np.bool_]:
        """For each link, whether its two words are equal."""
        pair = links.pair()
        source = self.source[self.source_starts[pair] + links.source()]
        target = self.target[self.target_starts[pair] + links.target()]
        return np.asarray(source == target)


def _numbered(
    side: Iterable[Sequence[str]], numbers: dict[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = [[numbers.setdefault(token.lower(), len(numbers)) for token in tokens] for tokens in side]
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return starts, np.array([word for row in rows for word in row], dtype=np.int64)


def check_positions(links: Links, words: WordPairs, name: str = "<links>") -> None:
    """Raise an error for a link to a word that its sentence does not have. Names the line of the first such link."""
    pair = np.repeat(np.arange(len(links), dtype=np.int64), np.diff(links.starts))
    for positions, starts, side in (
        (links.source, words.source_starts, "source"),
        (links.target, words.target_starts, "target"),
    ):
        lengths = np.diff(starts)[pair]
        outside = np.flatnonzero((positions >= lengths) | (positions < 0))
        if len(outside):
            first = int(outside[0])
            raise InputError(
                f"expected positions in a {side} sentence of {int(lengths[first])} words, got the link "
                f"{int(links.source[first])}-{int(links.target[first])} (counted from 0)",
                where=At(name, int(pair[first]) + 1),
                remedy="check that the text is tokenised as for the aligner, and that both count from the same number",
            )


def check_pairs(found: Links, gold: GoldLinks, words: WordPairs | None) -> None:
    """Raise an error if links, gold standard and words are not of the same sentences."""
    if len(found) != len(gold.sure) or (words is not None and len(words) != len(found)):
        line_counts = f"{len(found)} lines of links, {len(gold.sure)} of gold"
        raise InputError(
            f"expected one line per sentence pair in every file, got {line_counts}"
            + (f", {len(words)} sentence pairs of text" if words is not None else ""),
            remedy="a line without links is an empty line; nothing was scored",
        )
    if words is not None:
        check_positions(found, words)
        check_positions(gold.possible, words, "<gold>")
        check_positions(gold.sure, words, "<gold>")
