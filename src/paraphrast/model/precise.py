"""Precise rewriting: candidates from tables and round trips, scored by models, ranked by P(accepted).

1. Parts are single edits of fast rewriting, and the differences of round trips (the sentence translated there and
   back). Whole round trips are candidates too.
2. Every part is scored by itself, with the fast groups of features; the best parts with all groups.
3. Probable parts are combined, best first. The combinations are scored; the likeliest of them with all groups.
4. Results are ranked by their probability, plus what a larger change is worth (``model/change.py``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paraphrast import data
from paraphrast.errors import DataError, InputError
from paraphrast.model.change import gain_of
from paraphrast.model.control import Control
from paraphrast.model.parts import ROUND_TRIP, Candidate, Part, Workshop, log_odds_of
from paraphrast.model.steps import Work, in_step, run
from paraphrast.read import GROUPS, Acceptability, Reader, RoundTrip
from paraphrast.read.acceptability import FAST_COLUMNS, shipped
from paraphrast.read.reader import FIRST, Reading, Trips
from paraphrast.text import Language, split_sentences
from paraphrast.types import Edit, Paraphrase

log = logging.getLogger(__name__)

#: The data sets of the reader by language: two translation models per pivot language, a language model, an encoder.
PIVOTS = {"en": {"fr": ("opus-mt-en-fr", "opus-mt-fr-en")}}
LANGUAGE_MODELS = {"en": "smollm2-135m"}
ENCODERS = {"en": "minilm-en"}
#: Factor of the gain for larger changes when candidates are chosen for full scoring: the fast groups prefer small ones.
SHORTLIST = 1.5
#: Translations that the fast groups of features use.
FIRST_TRANSLATIONS = 1
#: Sentences of at most this many words are translated in more ways: their round trips have fewer differences.
SHORT = 12
#: In a text of several sentences: probabilities from which on a sentence may be rewritten with the others; and the
#: number of rewrites of each sentence that are offered alone.
LIKELY, ALONE = (0.5, 0.7, 0.8, 0.9), 3
#: What a sentence that stays as it is counts among rewritten ones.
UNCHANGED = 0.75
#: Number of candidates requested from fast rewriting, and their strength.
CANDIDATES, CANDIDATE_STRENGTH = 48, 0.9


@dataclass(frozen=True)
class PreciseOptions:
    """How many candidates of each sentence are scored.

    translations: number of translations of the sentence, for scoring and for round trips. beam: size of the beam that
    searches them. trips: number of round trips. fast, differences: maximum number of parts from the tables and from
    round trips. singles, wholes, combined: numbers of single parts, whole round trips and combinations that are scored
    with all groups of features. least: minimum probability of a part that may be combined.
    """

    translations: int = 2
    beam: int = 4
    trips: int = 9
    fast: int = 12
    differences: int = 18
    wholes: int = 1
    singles: int = 5
    combined: int = 2
    least: float = 0.5


def open_reader(
    language: Language,
    *,
    threads: int = 1,
    options: PreciseOptions | None = None,
    groups: Collection[str] = GROUPS,
) -> Reader:
    """The reader of a language, with models from the data index; ``groups``: groups of features that it computes."""
    options = options or PreciseOptions()
    if language.code not in PIVOTS:
        raise InputError(
            f"precise: no translation models for language {language.code!r}",
            remedy=f"remove precise, or use a model of {', '.join(sorted(PIVOTS))}",
        )
    pivots = PIVOTS[language.code]
    causal, encoder = LANGUAGE_MODELS[language.code], ENCODERS[language.code]
    folders = _require([*(name for pair in pivots.values() for name in pair), causal, encoder])
    return Reader.open(
        {pivot: (folders[there], folders[back]) for pivot, (there, back) in pivots.items()},
        folders[causal],
        folders[encoder],
        threads=threads,
        translations=options.translations,
        beam=options.beam,
        groups=groups,
    )


def _used_groups(models: Sequence[Acceptability]) -> list[str]:
    """The groups of features that a model uses; the others need not be read."""
    used = {name.partition("_")[0] for model in models for name in model.columns}
    return [name for name in GROUPS if name in used]


class Judge:
    """P(accepted) of the candidates of one sentence; each model scores each text once."""

    def __init__(self, reader: Reader, source: str, first: Acceptability, full: Acceptability) -> None:
        self._reader, self._source = reader, source
        self._models = {"first": first, "full": full}
        self._known: dict[tuple[str, str], float] = {}
        self._fast: dict[str, tuple[float, float]] = {}

    def note(self, text: str, probabilities: Sequence[float | None]) -> None:
        """Keep what fast rewriting says of the parts of a rewrite, for :meth:`read`."""
        known = [probability for probability in probabilities if probability is not None]
        if known and len(known) == len(probabilities):
            self._fast.setdefault(text, (log_odds_of(min(known)), float(len(known))))

    def request(self, kind: str, texts: Sequence[str]) -> list[Reading]:
        """What :meth:`read` will read."""
        unknown = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        groups = FIRST if kind == "first" else self._reader.groups
        few = FIRST_TRANSLATIONS if kind == "first" else None
        return [Reading(self._source, tuple(unknown), groups, few)] if unknown else []

    def read(self, kind: str, texts: Sequence[str]) -> list[float]:
        """P(accepted) of each text by the model ``kind``."""
        for wanted in self.request(kind, texts):
            unknown = wanted.rewrites
            features = self._reader.read(
                self._source, unknown, wanted.groups, translations=wanted.translations
            )
            no_parts = tuple(FAST_COLUMNS.values())
            fast = np.array([self._fast.get(text, no_parts) for text in unknown])
            found = self._models[kind].probability(
                (*self._reader.columns, *FAST_COLUMNS), np.column_stack([features, fast])
            )
            self._known |= {(kind, text): float(p) for text, p in zip(unknown, found, strict=True)}
        return [self._known[kind, text] for text in texts]


class PreciseRoad:
    """Rewrites sentences precisely; safe to share between threads."""

    def __init__(
        self,
        reader: Reader,
        language: Language,
        options: PreciseOptions | None = None,
        *,
        first: Acceptability | None = None,
        full: Acceptability | None = None,
    ) -> None:
        self.reader, self.language = reader, language
        self.options = options or PreciseOptions()
        self._first, self._full = first or shipped("first"), full or shipped("full")

    @classmethod
    def open(
        cls, language: Language, *, threads: int = 1, options: PreciseOptions | None = None
    ) -> PreciseRoad:
        """Precise rewriting for a language, with models from the data index; one error names all that are missing."""
        groups = _used_groups([shipped("first"), shipped("full")])
        return cls(open_reader(language, threads=threads, options=options, groups=groups), language, options)

    def judge(
        self, text: str, rewrites: Sequence[str], best: int = 3, fast: Sequence[float | None] = ()
    ) -> list[float]:
        """P(accepted) of rewrites of one sentence: of the ``best`` by all groups, of the others by the fast groups.

        fast: the probability of each rewrite by fast rewriting, where it is known.
        """
        judge = Judge(self.reader, text, self._first, self._full)
        for rewrite, probability in zip(rewrites, fast, strict=False):
            judge.note(rewrite, [probability])
        likely = np.array(judge.read("first", rewrites))
        chosen = np.argsort(-likely, kind="stable")[:best]
        likely[chosen] = judge.read("full", [rewrites[place] for place in chosen])
        found: list[float] = likely.tolist()
        return found

    def rewrite_all(
        self,
        texts: Sequence[str],
        fast: Sequence[Sequence[Paraphrase]],
        control: Control,
        protected: Sequence[Sequence[tuple[int, int]]],
        keep: Callable[[Paraphrase], bool] = lambda result: True,
        *,
        threads: int = 1,
    ) -> list[list[Paraphrase]]:
        """The results of each text; ``fast``: candidates of fast rewriting.

        Texts share batches of the models. Neither this nor the number of threads changes a result.
        """
        works = [
            self._text(text, given, spans, control, keep)
            for text, given, spans in zip(texts, fast, protected, strict=True)
        ]
        if threads <= 1 or len(texts) == 1:
            return run(self.reader, in_step(works))
        with ThreadPoolExecutor(threads) as pool:
            return run(self.reader, in_step(works, pool))

    def rewrite(
        self,
        text: str,
        fast: Sequence[Paraphrase],
        control: Control,
        protected: Sequence[tuple[int, int]] = (),
        keep: Callable[[Paraphrase], bool] = lambda result: True,
    ) -> list[Paraphrase]:
        """The best rewrites of a text, sentence by sentence; ``keep``: whether a result meets all constraints."""
        return run(self.reader, self._text(text, fast, protected, control, keep))

    def _text(
        self,
        text: str,
        fast: Sequence[Paraphrase],
        protected: Sequence[tuple[int, int]],
        control: Control,
        keep: Callable[[Paraphrase], bool],
    ) -> Work[list[Paraphrase]]:
        sentences = split_sentences(text, self.language)
        if len(sentences) <= 1:
            results = yield from self._sentence(text, fast, control, protected, keep)
            return results[: control.n]
        works = []
        for start, end in sentences:
            inside = [_inside(one, text, start, end) for one in fast]
            own = [(max(low, start) - start, min(high, end) - start) for low, high in protected
                   if low < end and start < high]  # fmt: skip
            works.append(self._sentence(text[start:end], [one for one in inside if one], control, own))
        found = yield from in_step(works)
        by_sentence = [(start, end, results) for (start, end), results in zip(sentences, found, strict=True)]
        return [one for one in _joined(text, by_sentence, control.strength, self.language) if keep(one)][
            : control.n
        ]

    def _sentence(
        self,
        text: str,
        fast: Sequence[Paraphrase],
        control: Control,
        protected: Sequence[tuple[int, int]],
        keep: Callable[[Paraphrase], bool] = lambda result: True,
    ) -> Work[list[Paraphrase]]:
        if not any(map(str.isalpha, text)) or not self.reader.readable(text):
            return [one for one in fast if keep(one)]
        shop = Workshop(text, self.language, protected)
        judge = Judge(self.reader, text, self._first, self._full)
        trips: list[RoundTrip] = []
        if not control.tables or ROUND_TRIP in control.tables:
            wanted = self._trips(text)
            yield [wanted]
            trips = self.reader.round_trips(text, wanted.n, ways=wanted.ways)
        parts = self._parts(shop, fast, trips)
        singles = {
            part.key: made for part in parts if (made := shop.make([part])) is not None and self._fits(made)
        }
        parts = [part for part in parts if part.key in singles]
        for part in parts:
            judge.note(singles[part.key].text, [part.probability])
        texts = [singles[part.key].text for part in parts]
        wholes = self._wholes(shop, trips) if control.max_edits == 0 else []
        yield judge.request("first", [*texts, *(one.text for one in wholes)])
        alone = dict(zip([part.key for part in parts], judge.read("first", texts), strict=True))
        room = {part.key: SHORTLIST * shop.gain(singles[part.key], control.strength) for part in parts}
        ranked = sorted(parts, key=lambda part: -alone[part.key] - room[part.key])
        best = ranked[: self.options.singles]
        texts = [singles[part.key].text for part in best]
        yield judge.request("full", texts)
        alone |= zip([part.key for part in best], judge.read("full", texts), strict=True)
        candidates = [singles[part.key] for part in best]
        candidates += self._combined(shop, parts, alone, control)
        likely = judge.read("first", [one.text for one in wholes])
        order = np.argsort(-np.array(likely), kind="stable")[: self.options.wholes]
        candidates += [wholes[place] for place in order]
        for one in {one.text: one for one in reversed(candidates)}.values():
            judge.note(one.text, [part.probability for part in one.parts])
        yield judge.request("full", [one.text for one in candidates])
        return self._ranked(shop, judge, candidates, alone, control, keep)

    def _trips(self, text: str) -> Trips:
        more = 2 if len(text.split()) <= SHORT else 1
        return Trips(text, more * self.options.trips, more + self.options.translations)

    def _parts(self, shop: Workshop, fast: Sequence[Paraphrase], trips: Sequence[RoundTrip]) -> list[Part]:
        own = shop.fast_parts(fast)
        own.sort(key=lambda part: -(part.probability or 0.0))
        every = {part.key: part for part in own}
        differences = shop.trip_parts(trips)
        by_key = {part.key: part for part in own[: self.options.fast]}
        for part in differences[: self.options.differences]:
            known = every.get(part.key)
            by_key[part.key] = (
                part
                if known is None
                else replace(known, tables=(*known.tables, ROUND_TRIP), foreign=part.foreign)
            )
        return list(by_key.values())

    def _fits(self, candidate: Candidate) -> bool:
        return self.reader.readable(candidate.text)

    def _wholes(self, shop: Workshop, trips: Sequence[RoundTrip]) -> list[Candidate]:
        made = [whole for trip in trips if (whole := shop.whole_trip(trip)) is not None and self._fits(whole)]
        made = list({one.text: one for one in reversed(made)}.values())[::-1]
        return made[: 2 * self.options.wholes]

    def _combined(
        self,
        shop: Workshop,
        parts: Sequence[Part],
        alone: dict[tuple[int, int, str], float],
        control: Control,
    ) -> list[Candidate]:
        """Combinations of probable parts, each with one part more than the last; the likeliest of them."""
        ranked = sorted((part for part in parts if alone[part.key] >= self.options.least),
                        key=lambda part: -alone[part.key])  # fmt: skip
        most = control.max_edits or 8
        made: dict[str, Candidate] = {}
        for first in ranked[:4]:
            chosen = [first]
            for part in ranked:
                if len(chosen) >= most:
                    break
                if all(part.end <= other.start or other.end <= part.start for other in chosen):
                    chosen.append(part)
                    together = shop.make(chosen)
                    if together is not None and self._fits(together):
                        made.setdefault(together.text, together)
        options = list(made.values())
        worth = [
            min(alone[part.key] for part in one.parts) + SHORTLIST * shop.gain(one, control.strength)
            for one in options
        ]
        order = np.argsort(-np.array(worth), kind="stable")[: self.options.combined]
        return [options[place] for place in order]

    def _ranked(
        self,
        shop: Workshop,
        judge: Judge,
        candidates: Sequence[Candidate],
        alone: dict[tuple[int, int, str], float],
        control: Control,
        keep: Callable[[Paraphrase], bool],
    ) -> list[Paraphrase]:
        by_text = {one.text: one for one in reversed(candidates)}
        texts = list(by_text)
        likely = judge.read("full", texts)
        worth = [
            p + shop.gain(by_text[text], control.strength) for text, p in zip(texts, likely, strict=True)
        ]
        order = sorted(range(len(texts)), key=lambda place: (-worth[place], texts[place]))
        results = (shop.result(by_text[texts[place]], likely[place], alone) for place in order)
        return [one for one in results if keep(one)]


def candidate_control(control: Control, *, ranked: bool = False) -> Control:
    """The control with which fast rewriting makes candidates: many single edits, also unlikely ones.

    ranked: whether fast rewriting ranks by probability; otherwise strength sets its thresholds.
    """
    single = 0 if control.must_use else 1
    return replace(
        control,
        n=CANDIDATES,
        strength=0.5 if ranked else max(control.strength, CANDIDATE_STRENGTH),
        sure=0.0,
        max_edits=single,
        distinct=0.0,
        explain=False,
        precise=False,
    )


def _inside(one: Paraphrase, text: str, start: int, end: int) -> Paraphrase | None:
    """A rewrite of ``text`` as a rewrite of ``text[start:end]``; None if it has edits elsewhere."""
    if not one.edits or not all(start <= edit.start and edit.end <= end for edit in one.edits):
        return None
    edits = [replace(edit, start=edit.start - start, end=edit.end - start, out_start=edit.out_start - start,
                     out_end=edit.out_end - start) for edit in one.edits]  # fmt: skip
    return replace(
        one,
        source=text[start:end],
        text=one.text[start : len(one.text) - (len(text) - end)],
        edits=tuple(edits),
    )


def _joined(
    text: str, by_sentence: Iterable[tuple[int, int, list[Paraphrase]]], strength: float, language: Language
) -> list[Paraphrase]:
    """Results of a text of several sentences, with all sentences rewritten or some.

    Ranked by the sum, over rewritten sentences, of what makes the rank of each (probability and gain), less what a
    sentence that stays as it is counts.
    """
    rows = list(by_sentence)
    joined: dict[str, tuple[float, Paraphrase]] = {}
    for choice in _choices([results for _, _, results in rows]):
        pieces: list[str] = []
        edits: list[Edit] = []
        done, shift, likely, score, worth = 0, 0, 1.0, 0.0, 0.0
        for (start, end, _), one in zip(rows, choice, strict=True):
            pieces.append(text[done:start])
            done = end
            if one is None:
                pieces.append(text[start:end])
                continue
            pieces.append(one.text)
            edits += [replace(edit, start=edit.start + start, end=edit.end + start,
                              out_start=edit.out_start + start + shift, out_end=edit.out_end + start + shift)
                      for edit in one.edits]  # fmt: skip
            shift += len(one.text) - (end - start)
            likely *= one.probability
            score += one.score
            worth += one.probability + gain_of(one, language, strength) - UNCHANGED
        whole = "".join([*pieces, text[done:]])
        joined.setdefault(whole, (worth, Paraphrase(text, whole, score, tuple(edits), likely)))
    return [one for _, one in sorted(joined.values(), key=lambda entry: -entry[0])]


def _choices(results: Sequence[Sequence[Paraphrase]]) -> list[list[Paraphrase | None]]:
    """Which rewrite of each sentence: the likely ones, the k-th of each, and one sentence alone; None: as it is."""
    depth = max(map(len, results), default=0)
    choices: list[list[Paraphrase | None]] = [
        [found[min(rank, len(found) - 1)] if found else None for found in results] for rank in range(depth)
    ]
    for least in LIKELY:
        choices.append([found[0] if found and found[0].probability >= least else None for found in results])
    for place, found in enumerate(results):
        for one in found[:ALONE]:
            alone: list[Paraphrase | None] = [None] * len(results)
            alone[place] = one
            choices.append(alone)
    return [choice for choice in choices if any(one is not None for one in choice)]


def _require(names: Sequence[str]) -> dict[str, Path]:
    missing = [name for name in names if not data.is_cached(name)]
    if missing:
        shown = [data.show(name) for name in missing]
        sizes = ", ".join(f"{one['name']} ({one['size_mb']:.0f} MB; {one['licence']})" for one in shown)
        raise DataError(
            f"precise: not on this machine: {sizes}", remedy=f"paraphrast data get {' '.join(missing)}"
        )
    return {name: data.require(name) for name in names}
