"""Two annotations of the same sentences: their agreement, their differences, and one gold standard from both.

Quirk et al. (2004, §3.2), after Och and Ney: two people link the words of each pair, each link sure or possible, and
look again at differences. Then a link is sure if both say sure, and possible in every other case. Agreement is 1 − the
mean of the two directional AERs (their footnote 4; they report 93.1 %): each annotation, with all its links, sure or
possible, is used once as the alignment and once as the gold standard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.aer import figures, gold_fingerprint, link_counts
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.links import LinkKeys, keys_of
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.signature import signature
from paraphrast.formats.pharaoh import GoldLinks


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two annotations, and the AER of each with the other as gold standard."""

    agreement: float
    interval: Interval | None
    first_aer: float
    second_aer: float
    counts: dict[str, int]
    signature: str

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "agreement": self.agreement,
            "aer": {"first_found": self.first_aer, "second_found": self.second_aer},
            "intervals": {"agreement": None if self.interval is None else self.interval.to_list()},
            "counts": self.counts,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A link that two annotations judge differently: sure, possible, or ``none``. All numbers from 0."""

    pair: int
    source: int
    target: int
    first: str
    second: str


def agreement(
    first: GoldLinks,
    second: GoldLinks,
    options: BootstrapOptions | None = None,
    *,
    fields: Sequence[tuple[str, object]] = (),
) -> Agreement:
    """Agreement of two annotations: 1 for the same links, 0 for none in common.

    fields: additional fields of the signature, such as how files were read.
    """
    options = options or BootstrapOptions()
    if not len(first.sure):
        raise InputError("expected at least one sentence pair to compare, got none")
    sure_one, all_one, sure_two, all_two = _four(first, second)
    forth = link_counts(all_one, sure_two, all_two)
    back = link_counts(all_two, sure_one, all_one)
    units = np.concatenate([forth, back], axis=1)
    value, first_aer, second_aer = _agreement(units.sum(axis=0)[None, :].astype(np.float64))[0]
    differing = len(list(disagreements(first, second)))
    return Agreement(
        float(value),
        bootstrap(units, lambda sums: _agreement(sums)[:, 0], options)[0],
        float(first_aer),
        float(second_aer),
        {
            "sentences": len(first.sure),
            "first_sure": len(sure_one),
            "first_all": len(all_one),
            "second_sure": len(sure_two),
            "second_all": len(all_two),
            "differences": differing,
        },
        signature(
            "agreement",
            [
                ("sentences", len(first.sure)),
                ("first", gold_fingerprint(first)),
                ("second", gold_fingerprint(second)),
                ("found", "all"),
                *fields,
                *options.fields(),
            ],
        ),
    )


def _agreement(sums: Floats) -> Floats:
    """Counts of both directions, float64[n, 10] → agreement and both directional AERs, float64[n, 3]."""
    forth, back = figures(sums[:, :5])[:, 2], figures(sums[:, 5:])[:, 2]
    return np.stack([1 - (forth + back) / 2, forth, back], axis=1)


def merge(first: GoldLinks, second: GoldLinks) -> GoldLinks:
    """One gold standard from two annotations: sure if both say sure, possible in every other case."""
    sure_one, all_one, sure_two, all_two = _four(first, second)
    return GoldLinks(sure_one.both(sure_two).to_links(), all_one.either(all_two).to_links())


def disagreements(first: GoldLinks, second: GoldLinks) -> Iterator[Disagreement]:
    """Every link that the two annotations judge differently, in order."""
    sure_one, all_one, sure_two, all_two = _four(first, second)
    every = all_one.either(all_two)
    # 0 none, 1 possible, 2 sure: a sure link is also among all links.
    first_label = every.inside(all_one).astype(np.int64) + every.inside(sure_one)
    two = every.inside(all_two).astype(np.int64) + every.inside(sure_two)
    differ = first_label != two
    rows = every.only(differ)
    for pair, source, target, before, after in zip(
        rows.pair().tolist(),
        rows.source().tolist(),
        rows.target().tolist(),
        first_label[differ].tolist(),
        two[differ].tolist(),
        strict=True,
    ):
        yield Disagreement(pair, source, target, _KINDS[before], _KINDS[after])


_KINDS = ("none", "possible", "sure")


def review_lines(
    rows: Iterator[Disagreement],
    source: Sequence[Sequence[str]] | None = None,
    target: Sequence[Sequence[str]] | None = None,
    *,
    first: int = 0,
) -> Iterator[str]:
    """Disagreements as TSV lines with a header, for review: sentence (from 1), link, words, both labels.

    first: the number of a sentence's first word, as in the annotations.
    """
    yield "sentence\tlink\tsource\ttarget\tfirst\tsecond"
    for row in rows:
        words = (
            f"{source[row.pair][row.source]}\t{target[row.pair][row.target]}" if source and target else "\t"
        )
        link = f"{row.source + first}-{row.target + first}"
        yield f"{row.pair + 1}\t{link}\t{words}\t{row.first}\t{row.second}"


def _four(first: GoldLinks, second: GoldLinks) -> tuple[LinkKeys, LinkKeys, LinkKeys, LinkKeys]:
    """Sure links and all links of both. Sure links are added to all links if the record lacks them."""
    sure_one, all_one, sure_two, all_two = keys_of(first.sure, first.possible, second.sure, second.possible)
    return sure_one, all_one.either(sure_one), sure_two, all_two.either(sure_two)
