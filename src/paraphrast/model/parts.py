"""Parts of a precise rewrite: single changes of a sentence with exact offsets, and their combinations.

A part comes from the tables (an edit of a fast rewrite) or from a round trip (a difference between the sentence and
its translation back). No part changes numbers, names, negations or protected spans. Differences of spelling, case,
punctuation, articles or the form of a word alone are not parts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from paraphrast.align.trip_edits import round_trip_edits
from paraphrast.model.change import changed_words, gain
from paraphrast.model.kept import keeps, people_of
from paraphrast.model.places import is_out_of_place
from paraphrast.model.spelling import one_spelling
from paraphrast.read import RoundTrip
from paraphrast.text import Draft, Language, Mender, analyse
from paraphrast.text.stem import stem_word
from paraphrast.types import Edit, Paraphrase

ROUND_TRIP = "roundtrip"
#: Two differences of a round trip with at most this number of words between them are one part.
_BRIDGE = 1
_WORD = re.compile(r"\S+")
_ALPHANUMERIC = re.compile(r"\w+")


@dataclass(frozen=True)
class Part:
    """``text[start:end]`` becomes ``after``. probability: the fast model's. foreign: the translation behind it."""

    start: int
    end: int
    after: str
    tables: tuple[str, ...]
    probability: float | None = None
    foreign: str | None = None

    @property
    def key(self) -> tuple[int, int, str]:
        """What makes two parts the same change."""
        return self.start, self.end, self.after


@dataclass(frozen=True)
class Candidate:
    """A rewritten text and its parts. whole: it is a whole round trip, apart from spelling, case and punctuation."""

    text: str
    parts: tuple[Part, ...]
    drafts: tuple[Draft, ...]
    whole: bool = False


class Workshop:
    """Makes candidates of one sentence: repairs the text around parts, and refuses changes that are not allowed."""

    def __init__(self, text: str, language: Language, protected: Sequence[tuple[int, int]] = ()) -> None:
        self.text, self.language, self.protected = text, language, protected
        self._mender = Mender(text, language)

    def fast_parts(self, rewrites: Iterable[Paraphrase]) -> list[Part]:
        """The distinct edits of fast rewrites, in their order."""
        found: dict[tuple[int, int, str], Part] = {}
        for rewrite in rewrites:
            for edit in rewrite.edits:
                part = Part(edit.start, edit.end, edit.after, edit.tables, edit.probability)
                if not (self._is_idle(part) or self._repeats(part) or self._changes_verb(part)):
                    found.setdefault(part.key, part)
        return list(found.values())

    def trip_parts(self, trips: Sequence[RoundTrip]) -> list[Part]:
        """The differences of round trips from the sentence, by monolingual alignment; likeliest round trips first."""
        edits = round_trip_edits(self.text, trips, language=self.language.code)
        rank = {trip.foreign: place for place, trip in reversed(list(enumerate(trips)))}
        parts = [Part(edit.start, edit.end, edit.after, (ROUND_TRIP,), None, edit.foreign) for edit in edits]
        allowed = [part for part in parts if self._allows(part)]
        return sorted(allowed, key=lambda part: (rank.get(part.foreign or "", 0), part.start, part.end))

    def whole_trip(self, trip: RoundTrip) -> Candidate | None:
        """A round trip as one candidate, with the sentence's spelling, case and punctuation; None if not allowed."""
        parts = [part for part in self._differences(trip) if not self._is_idle(part)]
        if not parts or not all(map(self._is_free, parts)) or any(map(self._changes_verb, parts)):
            return None
        made = self.make(parts, whole=True)
        return made if made is not None and keeps(self.text, made.text, self.language) else None

    def make(self, parts: Sequence[Part], *, whole: bool = False) -> Candidate | None:
        """The sentence with some parts applied; None if two overlap, repair changes a protected span, or no change."""
        ordered = sorted(parts, key=lambda part: (part.start, part.end))
        if any(one.end > two.start for one, two in pairwise(ordered)):
            return None
        drafts = [Draft(part.start, part.end, part.after, (place,)) for place, part in enumerate(ordered)]
        mended = self._mender.mend(drafts)
        if not mended or any(
            draft.start < end and start < draft.end for draft in mended for start, end in self.protected
        ):
            return None
        pieces, done = [], 0
        for draft in mended:
            pieces += [self.text[done : draft.start], draft.after]
            done = draft.end
        text = "".join(pieces) + self.text[done:]
        if text.casefold() == self.text.casefold():
            return None
        return Candidate(text, tuple(ordered), tuple(mended), whole)

    def gain(self, candidate: Candidate, strength: float) -> float:
        """What the size of a change is worth beside its probability."""
        changed = sum(
            changed_words(self.text[draft.start : draft.end], draft.after, self.language)
            for draft in candidate.drafts
        )
        return gain(changed, len(self.text.split()), strength)

    def result(
        self, candidate: Candidate, probability: float, alone: dict[tuple[int, int, str], float]
    ) -> Paraphrase:
        """A candidate as a result; alone: the probability of each part by itself, for the parts that were scored."""
        edits, length, done = [], 0, 0
        for draft in candidate.drafts:
            out_start = length + draft.start - done
            length, done = out_start + len(draft.after), draft.end
            parts = [candidate.parts[place] for place in draft.parts]
            likely = [alone.get(part.key, part.probability) for part in parts]
            known = [one for one in likely if one is not None]
            foreign = [part.foreign for part in parts if part.foreign is not None]
            edits.append(
                Edit(
                    draft.start,
                    draft.end,
                    out_start,
                    length,
                    self.text[draft.start : draft.end],
                    draft.after,
                    min(known, default=probability),
                    tuple(dict.fromkeys(table for part in parts for table in part.tables)),
                    foreign[0] if foreign else None,
                )
            )
        score = log_odds_of(probability)
        return Paraphrase(self.text, candidate.text, score, tuple(edits), probability)

    def _differences(self, trip: RoundTrip) -> list[Part]:
        """The differences between the words of the sentence and of a round trip; nearby ones are merged."""
        before, after = list(_WORD.finditer(self.text)), list(_WORD.finditer(trip.text))
        matcher = SequenceMatcher(
            None,
            [_bare(word[0], self.language) for word in before],
            [_bare(word[0], self.language) for word in after],
            autojunk=False,
        )
        spans: list[list[int]] = []
        for tag, start, end, new_start, new_end in matcher.get_opcodes():
            if tag == "equal":
                continue
            if spans and start - spans[-1][1] <= _BRIDGE:
                spans[-1][1], spans[-1][3] = end, new_end
            else:
                spans.append([start, end, new_start, new_end])
        parts = []
        for start, end, new_start, new_end in spans:
            if start == end or new_start == new_end:  # an insertion or deletion: include a neighbour
                if start > 0 and new_start > 0:
                    start, new_start = start - 1, new_start - 1
                elif end < len(before) and new_end < len(after):
                    end, new_end = end + 1, new_end + 1
                else:
                    return []
            first, last = before[start].start(), before[end - 1].end()
            new = trip.text[after[new_start].start() : after[new_end - 1].end()]
            parts.append(Part(first, last, new, (ROUND_TRIP,), None, trip.foreign))
        return _separate(self.text, parts)

    def _allows(self, part: Part) -> bool:
        if not self._is_free(part) or self._is_idle(part) or self._repeats(part) or self._changes_verb(part):
            return False
        if self._loses_words(part) or self._trades_owner(part):
            return False
        if is_out_of_place(self.text, part.start, part.end, part.after, self.language):
            return False
        return keeps(self.text, self.text[: part.start] + part.after + self.text[part.end :], self.language)

    def _repeats(self, part: Part) -> bool:
        """Whether a part inserts a content word that the sentence has elsewhere: "increases … the increase"."""
        before, after, rest = (
            {stem for stem in _stems(_plain_words(side, self.language), self.language) if stem[0].isalpha()}
            - self.language.function_words
            for side in (
                self.text[part.start : part.end],
                part.after,
                f"{self.text[: part.start]} {self.text[part.end :]}",
            )
        )
        return bool((after - before) & rest)

    def _changes_verb(self, part: Part) -> bool:
        """Whether a part changes the tense, the aspect or the modal of a verb, or takes the verb away."""
        return self._changes_tense(part) or self._changes_modal(part) or self._loses_verb(part)

    def _loses_verb(self, part: Part) -> bool:
        """Whether a part makes an infinitive of a question: "How can I start" → "How to start"."""
        infinitives = self.language.question_infinitives
        rewritten = f"{self.text[: part.start]}{part.after}{self.text[part.end :]}"
        pairs = [list(pairwise(_plain_words(side, self.language))) for side in (self.text, rewritten)]
        before, after = (sum(pair in infinitives for pair in side) for side in pairs)
        return after > before

    def _loses_words(self, part: Part) -> bool:
        """Whether a part only takes words away that say or hold something: "cheated on" → "cheated"."""
        lost, gained = self._exchanged(part)
        if gained or not lost:
            return False
        droppable = self.language.droppable
        content = set(lost) - self.language.function_words - droppable
        return bool(content) or (lost.total() == 1 and not set(lost) <= droppable)

    def _trades_owner(self, part: Part) -> bool:
        """Whether a part has an article for a possessive, another person, or the other way round: "their future" → "the
        future", "his car" → "her car"."""
        lost, gained = (set(words) for words in self._exchanged(part))
        persons, articles = frozenset[str]().union(*self.language.persons), self.language.articles
        if (lost & persons and gained & articles) or (lost & articles and gained & persons):
            return True
        people = people_of(self.language)
        return any(lost & one and gained & other for one in people for other in people if one is not other)

    def _exchanged(self, part: Part) -> tuple[Counter[str], Counter[str]]:
        """The words that a part takes away, and those that it adds."""
        before, after = (
            Counter(_plain_words(side, self.language))
            for side in (self.text[part.start : part.end], part.after)
        )
        return before - after, after - before

    def _changes_modal(self, part: Part) -> bool:
        """Whether a part has one modal for another: "may" → "can"; "may" and "might" count as one."""
        modals = self.language.modals
        before, after = (
            {modals[word] for word in _tense_words(side, self.language) if word in modals}
            for side in (self.text[part.start : part.end], part.after)
        )
        return bool(before and after and before != after)

    def _changes_tense(self, part: Part) -> bool:
        """Whether a part changes the form of a word, or the auxiliaries: "play" → "am playing"."""
        before, after = (
            _tense_words(side, self.language) for side in (self.text[part.start : part.end], part.after)
        )
        forms, new_forms = (_forms(words, self.language) for words in (before, after))
        if any(forms[stem] != new_forms[stem] for stem in forms.keys() & new_forms.keys()):
            return True
        auxiliaries, new = (
            Counter(word for word in side if word in self.language.tense_auxiliaries)
            for side in (before, after)
        )
        missing, added = auxiliaries - new, new - auxiliaries
        return self._exceeds(missing, after.count("'s")) or self._exceeds(added, before.count("'s"))

    def _exceeds(self, auxiliaries: Counter[str], clitics: int) -> bool:
        """Whether there are auxiliaries that no "'s" stands for: it is "is", "has" or a genitive."""
        short = sum(auxiliaries[word] for word, clitic in self.language.contracted.items() if clitic == "'s")
        return auxiliaries.total() > short or short > clitics

    def _is_free(self, part: Part) -> bool:
        return not any(part.start < end and start < part.end for start, end in self.protected)

    def _is_idle(self, part: Part) -> bool:
        """Whether a part changes only spelling, case, punctuation, spaces, articles or the forms of single words."""
        before, after = (
            _plain_words(side, self.language) for side in (self.text[part.start : part.end], part.after)
        )
        return before == after or _stems(before, self.language) == _stems(after, self.language)


def _tense_words(text: str, language: Language) -> list[str]:
    """The words of a text in lower case, with contractions in full, except "'s"."""
    words: list[str] = []
    for token in analyse(text, language, one_sentence=True).words:
        low = token.lower()
        words.append(language.full_forms.get(low, low))
    return words


def _forms(words: Sequence[str], language: Language) -> dict[str, set[str]]:
    """The forms of each content word, by stem."""
    forms: dict[str, set[str]] = {}
    for word in words:
        for stem in (
            _stems([word], language) if word.isalpha() and word not in language.function_words else ()
        ):
            forms.setdefault(stem, set()).add(word)
    return forms


def _separate(text: str, parts: list[Part]) -> list[Part]:
    """Merge parts that overlap since they include a neighbouring word."""
    merged: list[Part] = []
    for part in parts:
        if merged and part.start < merged[-1].end:
            return []
        merged.append(part)
    return merged


def _bare(word: str, language: Language) -> str:
    """A written word in lower case, without punctuation around it; punctuation alone is returned as it is."""
    bare = word.strip("\"'“”‘’.,;:!?()[]«»-–—").casefold()
    return one_spelling(bare, language) if bare else word


def _plain_words(text: str, language: Language) -> list[str]:
    return [one_spelling(word, language) for word in _ALPHANUMERIC.findall(text.casefold())]


def _stems(words: Sequence[str], language: Language) -> list[str]:
    """The stems of content words and the function words other than articles, in order."""
    kept = [word for word in words if word not in language.articles]
    if not language.stemmer:
        return kept
    bases = [language.irregular.get(word, word) for word in kept]
    return [base if base in language.function_words else stem_word(base, language.stemmer) for base in bases]


def log_odds_of(probability: float) -> float:
    """Log-odds, of a probability not too close to 0 or 1."""
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))
