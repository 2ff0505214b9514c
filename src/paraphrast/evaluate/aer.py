"""Precision, recall and alignment error rate of word links against sure and possible gold links.

Och and Ney (2003, §5; Quirk et al. 2004, §3.2 use "exactly the formulae"): with A the links of an aligner, S the sure
and P the sure and possible links of the gold standard,

    precision = |A ∩ P| / |A|      recall = |A ∩ S| / |S|      AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

and F1 = 2 |A ∩ P| / (|A| + |P|), the harmonic mean of precision and recall if every gold link counts, sure or possible.
Without possible links P = S, and F1 = 1 − AER. Counts are summed over all sentences first.

A share of nothing is 1: without links none is wrong, and without sure links none is missed. So an empty alignment has
AER 0 against an empty gold standard.

Links of *identical words* (both tokens are equal in lower case) and all other links are also scored separately: A, S
and P are each restricted to such links, as in the paper's table 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Difference, Floats, Interval, bootstrap, paired_difference
from paraphrast.evaluate.links import LinkKeys, WordPairs, check_pairs, keys_of
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.signature import fingerprint, signature
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

FIGURES = ("precision", "recall", "aer", "f1")
#: Columns of the sufficient statistics: |A|, |S|, |P|, |A ∩ S|, |A ∩ P|.
COUNTS = ("found", "sure", "possible", "found_sure", "found_possible")


@dataclass(frozen=True, slots=True)
class Part:
    """Figures of all links, or of links of one kind. Shares, not percent."""

    precision: float
    recall: float
    aer: float
    f1: float
    counts: dict[str, int]
    intervals: dict[str, Interval | None]

    def to_dict(self) -> dict[str, float]:
        """The four figures, by name."""
        return {name: getattr(self, name) for name in FIGURES}


@dataclass(frozen=True, slots=True)
class AlignmentScore:
    """The result of :func:`score_alignment`; ``identical`` and ``non_identical`` are None without words."""

    total: Part
    identical: Part | None
    non_identical: Part | None
    sentences: int
    signature: str

    def parts(self) -> dict[str, Part]:
        """The parts by name, ``total`` first."""
        named = {"total": self.total, "identical": self.identical, "non_identical": self.non_identical}
        return {name: part for name, part in named.items() if part is not None}

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON: the figures by name, with a nested object for each part."""
        result: dict[str, object] = dict(self.total.to_dict())
        intervals: dict[str, object] = dict(_plain(self.total.intervals))
        counts: dict[str, object] = {"sentences": self.sentences, **self.total.counts}
        for name, part in (("identical", self.identical), ("non_identical", self.non_identical)):
            result[name] = None if part is None else part.to_dict()
            if part is not None:
                intervals[name] = _plain(part.intervals)
                counts[name] = part.counts
        return {**result, "intervals": intervals, "counts": counts, "signature": self.signature}


def _plain(intervals: dict[str, Interval | None]) -> dict[str, list[float] | None]:
    return {name: None if interval is None else interval.to_list() for name, interval in intervals.items()}


def figures(sums: Floats) -> Floats:
    """Precision, recall, AER and F1 of counts: float64[n, 5] (:data:`COUNTS`) → float64[n, 4]."""
    links, sure, possible, links_sure, links_possible = sums.T
    return np.stack(
        [
            _share(links_possible, links),
            _share(links_sure, sure),
            1 - _share(links_sure + links_possible, links + sure),
            _share(2 * links_possible, links + possible),
        ],
        axis=1,
    )


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.ones_like(part), where=whole > 0)


def link_counts(found: LinkKeys, sure: LinkKeys, possible: LinkKeys) -> NDArray[np.int64]:
    """Sufficient statistics of every sentence pair, int64[pairs, 5]; ``possible`` includes ``sure``."""
    return np.stack(
        [
            found.per_pair(),
            sure.per_pair(),
            possible.per_pair(),
            found.both(sure).per_pair(),
            found.both(possible).per_pair(),
        ],
        axis=1,
    )


def score_alignment(
    found: Links,
    gold: GoldLinks,
    words: WordPairs | None = None,
    options: BootstrapOptions | None = None,
    *,
    fields: Sequence[tuple[str, object]] = (),
) -> AlignmentScore:
    """Score the links of an aligner against a gold standard.

    words: the tokens of both sides, needed to score identical and non-identical words separately.
    fields: additional fields of the signature, such as how files were read.
    """
    options = options or BootstrapOptions()
    units = _units(found, gold, words)
    parts = {name: _part(counts, options) for name, counts in units.items()}
    return AlignmentScore(
        parts["total"],
        parts.get("identical"),
        parts.get("non_identical"),
        len(found),
        _signature(gold, words, options, fields),
    )


def compare_alignments(
    first: Links,
    second: Links,
    gold: GoldLinks,
    words: WordPairs | None = None,
    options: BootstrapOptions | None = None,
) -> dict[str, dict[str, Difference]]:
    """The figures of ``second`` minus those of ``first``, by part and name, by paired bootstrap over sentences."""
    first_units, second_units = _units(first, gold, words), _units(second, gold, words)
    return {
        part: dict(
            zip(
                FIGURES,
                paired_difference(first_units[part], second_units[part], figures, options),
                strict=True,
            )
        )
        for part in first_units
    }


def _units(found: Links, gold: GoldLinks, words: WordPairs | None) -> dict[str, NDArray[np.int64]]:
    """Sufficient statistics per part. Checks that all arrays are of the same sentences."""
    check_pairs(found, gold, words)
    if not len(found):
        raise InputError("expected at least one sentence pair to score, got none")
    found_keys, sure, possible = keys_of(found, gold.sure, gold.possible)
    possible = possible.either(sure)
    units = {"total": link_counts(found_keys, sure, possible)}
    if words is not None:
        same = [words.identical(keys) for keys in (found_keys, sure, possible)]
        every = (found_keys, sure, possible)
        units["identical"] = link_counts(*(keys.only(mask) for keys, mask in zip(every, same, strict=True)))
        units["non_identical"] = units["total"] - units["identical"]
    return units


def _part(units: NDArray[np.int64], options: BootstrapOptions) -> Part:
    totals = units.sum(axis=0)
    precision, recall, aer, f1 = figures(totals[None, :].astype(np.float64))[0].tolist()
    intervals = bootstrap(units, figures, options)
    return Part(
        precision,
        recall,
        aer,
        f1,
        counts=dict(zip(COUNTS, totals.tolist(), strict=True)),
        intervals=dict(zip(FIGURES, intervals, strict=True)),
    )


def _signature(
    gold: GoldLinks,
    words: WordPairs | None,
    options: BootstrapOptions,
    fields: Sequence[tuple[str, object]],
) -> str:
    return signature(
        "aer",
        [
            ("sentences", len(gold.sure)),
            ("gold", gold_fingerprint(gold)),
            ("f1", "all"),
            ("identical", "lower" if words is not None else None),
            *fields,
            *options.fields(),
        ],
    )


def gold_fingerprint(gold: GoldLinks) -> str:
    """Eight hexadecimal digits that identify the links of a gold standard."""
    sides = (gold.sure, gold.possible)
    return fingerprint(*(array for links in sides for array in (links.starts, links.source, links.target)))
