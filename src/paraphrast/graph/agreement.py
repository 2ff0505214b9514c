"""Whether two phrases fit the same positions, by the tags at their ends and by their categories.

The paper adds tag sequences as vertices, so that phrases of one kind are closer (§3.1). On the whole graph such
vertices would connect everything, so here tags are a factor of the score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph import _kernels_discounted as k
from paraphrast.graph.features import Features
from paraphrast.text.syntax.category import replaceable_masks

#: Agreement of unknown or disjoint categories.
LOWEST_SHARE = 0.05


@dataclass(frozen=True)
class EndTags:
    """The tags of the first (or the last) word of each phrase: start int64[n + 1], tag int32, share float64."""

    start: NDArray[np.int64]
    tag: NDArray[np.int32]
    share: NDArray[np.float64]


@dataclass(frozen=True)
class Categories:
    """Category masks of each phrase, and of the categories it can replace (``text.category``), uint32[phrases] each."""

    mask: NDArray[np.uint32]
    replaceable: NDArray[np.uint32]

    def share(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.float64]:
        """The share of each source's categories that its target can replace (Callison-Burch 2008)."""
        mask, wide = self.mask[source], self.replaceable[target]
        share = np.where(wide == 0, 1.0, _bits(mask & wide) / np.maximum(_bits(mask), 1))
        known = (mask != 0) & (self.mask[target] != 0)
        return np.where(known, np.maximum(share, LOWEST_SHARE), LOWEST_SHARE)


@dataclass(frozen=True)
class Agreement:
    """Agreement of pairs of phrases, 0 to 1: the mean of two parts, if both are known.

    first, last: tags at either end; this part is the geometric mean of Σ_t sqrt(p(t|e) p(t|e′)) at both ends.
    categories: this part is the geometric mean of :meth:`Categories.share` in both directions.
    """

    first: EndTags | None
    last: EndTags | None
    categories: Categories | None

    def __call__(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.float64]:
        """Agreement of each pair; 1 if nothing is known about any phrase."""
        parts = []
        if self.first is not None and self.last is not None:
            ends = [
                k.shared_mass(source, target, end.start, end.tag, end.share)
                for end in (self.first, self.last)
            ]
            parts.append(np.sqrt(ends[0] * ends[1]))
        if self.categories is not None:
            forward, back = self.categories.share(source, target), self.categories.share(target, source)
            parts.append(np.sqrt(forward * back))
        if not parts:
            return np.ones(len(source))
        return np.asarray(sum(parts) / len(parts), dtype=np.float64)


def make_agreement(features: Features, category: NDArray[np.uint32] | None = None) -> Agreement:
    """Agreement by the tag sequences of the features, and by category masks if any phrase has one."""
    first = last = categories = None
    if features.has_tags:
        sequences = features.tag_sequences
        lengths = (sequences >= 0).sum(axis=1)
        first = _end_tags(features, sequences[:, 0])
        last = _end_tags(features, sequences[np.arange(len(sequences)), np.maximum(lengths - 1, 0)])
    if category is not None and category.any():
        categories = Categories(category, replaceable_masks(category))
    return Agreement(first, last, categories)


def _end_tags(features: Features, tag_of_sequence: NDArray[np.int32]) -> EndTags:
    """Shares of sequences, summed over those with the same tag at one end."""
    owner = np.repeat(np.arange(features.phrase_size, dtype=np.int64), np.diff(features.tag_start))
    tags = int(tag_of_sequence.max(initial=0)) + 1
    key = owner * tags + tag_of_sequence[features.tag]
    order = np.argsort(key, kind="stable")
    distinct, starts = np.unique(key[order], return_index=True)
    owner, tag = np.divmod(distinct, tags)
    start = np.searchsorted(owner, np.arange(features.phrase_size + 1)).astype(np.int64)
    return EndTags(start, tag.astype(np.int32), np.add.reduceat(features.tag_share[order], starts))


def _bits(masks: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The number of bits of each mask."""
    return sum(((masks >> bit) & 1 for bit in range(32)), start=np.zeros(len(masks), np.int64))
