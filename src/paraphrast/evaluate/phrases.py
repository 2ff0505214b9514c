"""Phrase paraphrases with human labels: mean expected precision (Martzoukos and Monz 2012, §4.2).

Annotators label each pair 0 (different), 1 (same meaning, but ungrammatical here, or an inflection) or 2 (same).
Lenient counts 1 and 2, strict only 2. With several annotators, pᵢ is the share that give a counted label to the
paraphrase at rank i; E[p@k] = 1/k Σ pᵢ, and MEP@k is its mean over phrases. If a phrase has fewer than k paraphrases,
pᵢ = 0 for the rest: the sum is divided by k, as in the paper. If one phrase is a part of the other, word by word, the
pair counts 0 regardless of its labels. Pairs without a label count 0 too; their number is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.options import BlankOptions, BootstrapOptions

#: (phrase, paraphrase) → the labels of its annotators.
PhraseLabels = Mapping[tuple[str, str], Sequence[int]]
#: Phrase → its paraphrases, best first.
Ranked = Mapping[str, Sequence[str]]
LABELS = (0, 1, 2)
MODES = {"lenient": 1, "strict": 2}


@dataclass(frozen=True)
class MepScore:
    """mode → k → MEP@k, and its interval; labelled: the share of the top pairs that have a label."""

    phrases: int
    values: dict[str, dict[int, float]]
    intervals: dict[str, dict[int, Interval | None]]
    pairs: int
    labelled: int

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "phrases": self.phrases,
            "pairs": self.pairs,
            "labelled": self.labelled,
            **{mode: {str(k): value for k, value in by.items()} for mode, by in self.values.items()},
            "intervals": {
                mode: {str(k): interval.to_list() if interval else None for k, interval in by.items()}
                for mode, by in self.intervals.items()
            },
        }


def is_part(first: str, second: str) -> bool:
    """Whether one phrase is a part of the other, or equal: whole words in sequence, ignoring case."""
    first_words, second_words = first.lower().split(), second.lower().split()
    short, long = (
        (first_words, second_words) if len(first_words) <= len(second_words) else (second_words, first_words)
    )
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def choose_phrases(tables: Mapping[str, Ranked], options: BlankOptions | None = None) -> list[str]:
    """Random phrases that every table has paraphrases for, the same number of each length."""
    options = options or BlankOptions()
    if not tables:
        raise InputError("expected at least one table, got none")
    every = list(tables.values())
    shared = [
        phrase
        for phrase in every[0]
        if phrase.strip() and all(len(table.get(phrase, ())) >= options.least for table in every)
    ]
    generator = np.random.Generator(np.random.PCG64(options.seed))
    chosen: list[str] = []
    for length in options.lengths:
        fitting = sorted(phrase for phrase in shared if len(phrase.split()) == length)
        if len(fitting) < options.phrases:
            raise InputError(
                f"expected {options.phrases} phrases of {length} words that all tables know, got {len(fitting)}",
                remedy="ask for fewer, or lower --least",
            )
        chosen += sorted(
            fitting[at] for at in generator.permutation(len(fitting))[: options.phrases].tolist()
        )
    return chosen


def blank_pairs(
    tables: Mapping[str, Ranked], phrases: Sequence[str], options: BlankOptions | None = None
) -> list[tuple[str, str]]:
    """The pairs to label: the best of all tables, merged, without their origin; phrases and paraphrases shuffled.

    If one phrase is a part of the other, the pair is left out, because it counts 0 without a label.
    """
    options = options or BlankOptions()
    generator = np.random.Generator(np.random.PCG64([options.seed, 1]))
    pairs: list[tuple[str, str]] = []
    for at in generator.permutation(len(phrases)).tolist():
        phrase = phrases[at]
        merged = sorted(
            {text for table in tables.values() for text in list(table.get(phrase, ()))[: options.top]}
        )
        paraphrases = [text for text in merged if not is_part(phrase, text)]
        pairs += [(phrase, paraphrases[place]) for place in generator.permutation(len(paraphrases)).tolist()]
    return pairs


def expected_precision(
    table: Ranked,
    phrases: Sequence[str],
    labels: PhraseLabels,
    options: BootstrapOptions | None = None,
    *,
    ranks: Sequence[int] = (1, 5, 10),
) -> MepScore:
    """MEP@k of one table over some phrases, lenient and strict."""
    if not phrases:
        raise InputError("expected at least one phrase, got none")
    top = max(ranks)
    pairs = labelled = 0
    units = np.zeros((len(phrases), len(MODES) * len(ranks) + 1))
    units[:, -1] = 1
    for row, phrase in enumerate(phrases):
        shares = np.zeros((len(MODES), top))
        for rank, text in enumerate(list(table.get(phrase, ()))[:top]):
            pairs += 1
            pair_labels = labels.get((phrase, text), ())
            if is_part(phrase, text):
                labelled += 1
                continue
            if pair_labels:
                labelled += 1
                for mode, least in enumerate(MODES.values()):
                    shares[mode, rank] = sum(label >= least for label in pair_labels) / len(pair_labels)
        units[row, :-1] = [shares[mode, :k].sum() / k for mode in range(len(MODES)) for k in ranks]

    def means(sums: Floats) -> Floats:
        quotient: Floats = sums[:, :-1] / sums[:, -1:]
        return quotient

    values = means(units.sum(axis=0, keepdims=True))[0].tolist()
    intervals = bootstrap(units, means, options)
    places = [(mode, k) for mode in MODES for k in ranks]
    by_mode: dict[str, dict[int, float]] = {mode: {} for mode in MODES}
    ends: dict[str, dict[int, Interval | None]] = {mode: {} for mode in MODES}
    for (name, k), value, interval in zip(places, values, intervals, strict=True):
        by_mode[name][k] = value
        ends[name][k] = interval
    return MepScore(len(phrases), by_mode, ends, pairs, labelled)
