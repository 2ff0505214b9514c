"""Repair the text around edits.

Substituting a phrase can break its surroundings: "a" before a vowel, a doubled word, an extra space, a sentence that
begins in lower case. :func:`mend` looks at the edited text, finds such faults where an edit touches them, and rewrites
them. A rewrite that reaches into kept text enlarges the edit, so the text outside the final edits is always that of the
input, character for character. Faults of the input itself stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from paraphrast.errors import InputError
from paraphrast.text.casing import capitalise
from paraphrast.text.languages.record import Language
from paraphrast.text.split import split_sentences

_LETTERS = r"[^\W\d_]+(?:['’\-][^\W\d_]+)*"
_TWO_WORDS = re.compile(
    rf"(?<!\w)(?<!\w['’\-])(?P<word>{_LETTERS})(?=\s+(?P<next>{_LETTERS})(?!\w)(?!['’\-]\w))"
)
_PAIR = re.compile(
    r"(?<!\w)(?<!\w['’.\-])(?P<word>[^\W\d_]+['’]?)(?P<gap>(?<=['’])|\s+)(?=[\"“‘«(\[]*(?P<next>\w[\w.,'’\-]{0,60}))"
)
#: Begins only where a run of spaces begins: tried at every space of a long run, it would take the square of its length.
_BEFORE_MARK = re.compile(r"(?<![ \t\u00a0])[ \t\u00a0]++(?=,|[;:!?)\]](?!\w)|\.(?![\w.]))")
_TWO_MARKS = re.compile(r"[,;:]\s*(?=[,;:.!?])")
_SPACES = re.compile(r"[ \t\u00a0]{2,}")
_WORD = re.compile(_LETTERS)
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_POSSESSIVE = "'s"
_POSSESSIVE_ENDING = re.compile(r"['’][sS](?!\w)")
_PLURAL = re.compile(r"[^suiSUI][sS]$")
#: Kept text that separates two drafts, so that no rule sees both: two whole words, not all of it capitals. To the right
#: of a draft, a rule reads the next word; to the left, the previous word and the sign or letter that ends the one
#: before that.
_FAR = re.compile(r"\s[^\sa-z]*[a-z]\S*\s+[^\sa-z]*[a-z]\S*\s")

#: A rewrite: replace ``output[start:end]`` by the string.
_Fix = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished edit: ``text[start:end]`` becomes ``after``. ``parts``: the edits it came from."""

    start: int
    end: int
    after: str
    parts: tuple[int, ...] = ()


def mend(text: str, drafts: Sequence[Draft], language: Language) -> list[Draft]:
    """The drafts after repair, from left to right. Adjacent ones are merged, those without effect dropped.

    Repaired where an edit touches them: the forms of ``language.elision`` (a/an, elision), stems without their clitic
    ("ca" + "not"), doubled words, missing and extra spaces, the first capital of a sentence. Apostrophes follow the
    input: if it has ’ and no ', so do the edits. Repairing again changes nothing.
    """
    return Mender(text, language).mend(drafts)


class Mender:
    """:func:`mend` for many rewrites of one text.

    The text is analysed once. Rewrites of a text share most of their drafts, so groups of close drafts that need no
    repair are cached; a rewrite made only of such groups needs no repair.
    """

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language = language
        self.doubles = {word.casefold() for word, _, _ in _repeats(_TWO_WORDS.finditer(text))}
        self.spaced_marks = {text[match.end()] for match in _BEFORE_MARK.finditer(text)}
        self.spaced_marks.update(language.space_before_marks)
        self.two_marks = _TWO_MARKS.search(text) is not None
        self.capitals = list(_sentence_capitals(text, language))
        self._sound: dict[tuple[tuple[int, int, str], ...], bool] = {}

    def mend(self, drafts: Sequence[Draft]) -> list[Draft]:
        """The drafts after repair; see :func:`mend`."""
        ordered = sorted(drafts, key=lambda draft: (draft.start, draft.end))
        _check(self.text, ordered)
        styled = [_attached(_styled(draft, self.text), self.text, self.language) for draft in ordered]
        if all(map(self._is_sound, self._groups(styled))):
            return styled
        page = _Page(self, styled)
        # Every rewrite fixes one fault; the limit only guards against rules that undo each other.
        for _ in range(20 * len(ordered) + 20):
            fix = page.first_fault()
            if fix is None:
                break
            page.rewrite(*fix)
        return page.drafts

    def _groups(self, ordered: Sequence[Draft]) -> Iterator[list[Draft]]:
        """The drafts in groups that a rule might see at the same time."""
        group: list[Draft] = []
        for draft in ordered:
            if group and _FAR.search(self.text, group[-1].end, draft.start):
                yield group
                group = []
            group.append(draft)
        if group:
            yield group

    def _is_sound(self, group: list[Draft]) -> bool:
        """Whether the drafts, without others in the text, need no repair."""
        key = tuple([(draft.start, draft.end, draft.after) for draft in group])
        sound = self._sound.get(key)
        if sound is None:
            page = _Page(self, group)
            sound = self._sound[key] = page.drafts == group and page.first_fault() is None
        return sound


def apply_drafts(text: str, drafts: Sequence[Draft]) -> str:
    """The text after applying ordered, separate drafts to ``text``."""
    pieces: list[str] = []
    done = 0
    for draft in drafts:
        pieces += [text[done : draft.start], draft.after]
        done = draft.end
    return "".join(pieces) + text[done:]


def _check(text: str, ordered: Sequence[Draft]) -> None:
    done = 0
    for draft in ordered:
        if not done <= draft.start <= draft.end <= len(text):
            raise InputError(
                f"expected separate spans inside a text of {len(text)} characters, "
                f"got {draft.start} to {draft.end} after {done}",
                remedy="drop one of two overlapping edits",
            )
        done = draft.end


def _styled(draft: Draft, text: str) -> Draft:
    """The draft with the input's kind of apostrophe."""
    if "'" in draft.after and "’" in text and "'" not in text:
        return Draft(draft.start, draft.end, draft.after.replace("'", "’"), draft.parts)
    return draft


def begins_with_clitic(after: str, language: Language) -> bool:
    """Whether a text begins with a clitic that belongs to the word before it, such as "n't" or "'s"."""
    low = after.lower().replace("’", "'")
    return any(
        low.startswith(clitic) and not low[len(clitic) : len(clitic) + 1].isalnum()
        for clitic in language.suffix_clitics
    )


def _attached(draft: Draft, text: str, language: Language) -> Draft:
    """A draft that begins with a clitic, joined to the word before it: "did not" becomes "didn't", not "did n't"."""
    start = draft.start
    follows_word = start > 1 and text[start - 1] == " " and text[start - 2].isalnum()
    if follows_word and begins_with_clitic(draft.after, language):
        return Draft(start - 1, draft.end, draft.after, draft.parts)
    return draft


class _Page:
    """The input, the drafts and the resulting output, with the position of each draft in the output."""

    def __init__(self, given: Mender, drafts: list[Draft]) -> None:
        self.given = given
        self.text = given.text
        self.language = given.language
        self._set(drafts)

    def _set(self, drafts: list[Draft]) -> None:
        merged: list[Draft] = []
        for draft in drafts:
            if draft.after == self.text[draft.start : draft.end]:
                continue
            if merged and merged[-1].end == draft.start:
                last = merged.pop()
                space = (
                    " " if _runs_together(last.after + draft.after, len(last.after), self.language) else ""
                )
                after = f"{last.after}{space}{draft.after}"
                draft = Draft(last.start, draft.end, after, _joined(last.parts, draft.parts))
            merged.append(draft)
        merged = [draft for draft in merged if draft.after != self.text[draft.start : draft.end]]
        self.drafts = merged
        self.output = apply_drafts(self.text, merged)
        self.spans: list[tuple[int, int]] = []
        shift = 0
        for draft in merged:
            start = draft.start + shift
            self.spans.append((start, start + len(draft.after)))
            shift += len(draft.after) - (draft.end - draft.start)

    def touches(self, start: int, end: int) -> bool:
        """Whether a draft is in or at the edge of ``output[start:end]``."""
        return any(left <= end and start <= right for left, right in self.spans)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether part of ``output[start:end]`` belongs to a draft, or a deletion is inside it."""
        return any(left < end and start < right for left, right in self.spans)

    def covers(self, start: int, end: int) -> bool:
        """Whether one draft made all of ``output[start:end]``."""
        return any(left <= start and end <= right for left, right in self.spans)

    def pairs(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The matches of a pattern for a word and the next that can overlap a draft, as in the whole output.

        Neither word of a match contains white space, so a match that reaches beyond the left edge of a draft begins at
        most two words before it.
        """
        done = 0
        for left, right in self.spans:
            start = _two_words_before(self.output, left)
            for match in pattern.finditer(self.output, max(done, start)):
                if match.start() >= right:
                    break
                done = match.end()
                yield match

    def rewrite(self, start: int, end: int, new: str) -> None:
        """Replace ``output[start:end]``. Drafts in it or at its edges are merged with it."""
        inside = [index for index, (left, right) in enumerate(self.spans) if left <= end and start <= right]
        first, last = inside[0], inside[-1]
        out_start = min(start, self.spans[first][0])
        out_end = max(end, self.spans[last][1])
        source_start = self.drafts[first].start - (self.spans[first][0] - out_start)
        source_end = self.drafts[last].end + (out_end - self.spans[last][1])
        after = self.output[out_start:start] + new + self.output[end:out_end]
        parts: tuple[int, ...] = ()
        for index in inside:
            parts = _joined(parts, self.drafts[index].parts)
        merged = _styled(Draft(source_start, source_end, after, parts), self.text)
        self._set([*self.drafts[:first], merged, *self.drafts[last + 1 :]])

    def first_fault(self) -> _Fix | None:
        """The next fault to repair."""
        for rule in _RULES:
            for fix in rule(self):
                if self.output[fix[0] : fix[1]] != fix[2] and self.touches(fix[0], fix[1]):
                    return fix
        return None


def _joined(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return left + tuple(part for part in right if part not in left)


# --- the rules: each yields rewrites of the page's output ---------------------------------------------


def _missing_spaces(page: _Page) -> Iterator[_Fix]:
    """Two words without a space at the edge of an edit, unless the second is a clitic that belongs there."""
    for edge in sorted({edge for span in page.spans for edge in span}):
        if _runs_together(page.output, edge, page.language):
            yield edge, edge, " "


def _runs_together(output: str, edge: int, language: Language) -> bool:
    """Whether two words meet at ``edge`` without a space, and the second is not a clitic that belongs there."""
    around = output[max(0, edge - 1) : edge + 1]
    if not language.segmented or not edge or len(around) < 2 or not around.isalnum():
        return False
    return not any(map(_is_ideograph, around)) and _clitic_at(output, edge, language) is None


def _superfluous_spaces(page: _Page) -> Iterator[_Fix]:
    """White space on both sides of an edge, or at an end of the text that had none."""
    output, text = page.output, page.text
    lead = len(output) - len(output.lstrip())
    if lead and page.overlaps(0, lead + 1) and not text[:1].isspace():
        yield 0, lead, ""
    tail = len(output.rstrip())
    if tail < len(output) and page.touches(tail, len(output)) and not text[-1:].isspace():
        yield tail, len(output), ""
    for match in _SPACES.finditer(output):
        start, end = match.span()
        for left, right in page.spans:
            if left < end and start < right:
                if left == right:
                    yield left, end, ""
                elif left <= start and end <= right:
                    yield start, end, match[0][0]
                else:
                    yield max(start, left), min(end, right), ""


def _spaces_before_marks(page: _Page) -> Iterator[_Fix]:
    """A space before a comma, full stop and so on, if the input has none there."""
    for match in _BEFORE_MARK.finditer(page.output):
        start, end = match.span()
        if start and page.output[end] not in page.given.spaced_marks and page.overlaps(start, end + 1):
            yield start, end, ""


def _marks(page: _Page) -> Iterator[_Fix]:
    """A comma before another mark, unless the input has such a pair."""
    if page.given.two_marks:
        return
    for match in _TWO_MARKS.finditer(page.output):
        if page.overlaps(match.start(), match.end() + 1):
            yield match.start(), match.end(), ""


def _stems(page: _Page) -> Iterator[_Fix]:
    """ca + not → can not, can + n't → ca + n't."""
    hosts = page.language.clitic_hosts
    stems = {full: stem for stem, full in hosts.items()}
    for draft, (left, right) in zip(page.drafts, page.spans, strict=True):
        before = _LAST_WORD.search(page.output, max(0, left - 20), left)
        had = _clitic_at(page.text, draft.start, page.language)
        has = _clitic_at(page.output, left, page.language)
        if before and had and not has and before[0].lower() in hosts:
            yield *before.span(), _cased(hosts[before[0].lower()], before[0])
        last = _LAST_WORD.search(page.output, left, right)
        if last and last[0].lower() in stems and _clitic_at(page.output, right, page.language):
            yield *last.span(), _cased(stems[last[0].lower()], last[0])


def _possessives(page: _Page) -> Iterator[_Fix]:
    """kids + 's → kids + '."""
    if _POSSESSIVE not in page.language.suffix_clitics:
        return
    for draft, (left, right) in zip(page.drafts, page.spans, strict=True):
        ending = _POSSESSIVE_ENDING.match(page.output, right)
        last = _LAST_WORD.search(page.output, left, right)
        if (
            ending
            and last
            and _PLURAL.search(last[0])
            and not page.text[draft.start : draft.end].endswith("s")
        ):
            yield *ending.span(), ending[0][0]


def _doubles(page: _Page) -> Iterator[_Fix]:
    """A doubled word, unless the input has it doubled somewhere."""
    output = page.output
    for word, first, second in _repeats(page.pairs(_TWO_WORDS)):
        if word.casefold() in page.given.doubles or not page.overlaps(first[0], second[1]):
            continue
        if page.covers(*second) and page.covers(second[0], second[1] + 1) and output[second[1]].isspace():
            yield second[0], second[1] + 1, ""
        elif (
            page.covers(*first)
            and first[0]
            and page.covers(first[0] - 1, first[1])
            and output[first[0] - 1].isspace()
        ):
            yield first[0] - 1, first[1], ""
        else:
            yield first[1], second[1], ""


def _elisions(page: _Page) -> Iterator[_Fix]:
    """a/an, elision: the form of a function word that depends on the next word."""
    rule = page.language.elision
    if rule is None:
        return
    shouted = page.output.isupper()
    for match in page.pairs(_PAIR):
        word, gap, following = match["word"], match["gap"], match["next"]
        # In a text in capitals, the capitals of a word do not show how it is pronounced.
        form = rule(word, following.lower() if shouted else following)
        plain = word.lower().replace("’", "'")
        if form is None or form == plain or not page.overlaps(match.start(), match.end("next")):
            continue
        if word[0].isupper() and not _begins(page.output, match.start()) and not shouted:
            continue  # a letter, not a word: "plan A is"
        new = _cased(form, word) if not shouted else form.upper()
        between = page.output[match.end() : match.start("next")]
        new += ("" if form.endswith("'") else gap or " ") + between
        if page.touches(match.start(), match.start("next")):
            yield match.start(), match.start("next"), new
        else:
            yield match.start(), match.end("next"), new + following


def _capitals(page: _Page) -> Iterator[_Fix]:
    """A sentence that began with a capital and was edited there begins with a capital again."""
    for start, letter in page.given.capitals:
        for draft, (left, _) in zip(page.drafts, page.spans, strict=True):
            if start <= draft.start <= letter < max(draft.end, draft.start + 1):
                word = _WORD.search(page.output, left)
                if word and not re.search(r"[.!?…\n\d]", page.output[left : word.start()]):
                    yield left, word.end(), page.output[left : word.start()] + capitalise(word[0])


#: In the order in which they are applied.
_RULES: tuple[Callable[[_Page], Iterator[_Fix]], ...] = (
    _missing_spaces, _superfluous_spaces, _spaces_before_marks, _marks, _stems, _possessives, _doubles, _elisions,
    _capitals,
)  # fmt: skip


# --- helpers of the rules ------------------------------------------------------------------------------


def _repeats(pairs: Iterator[re.Match[str]]) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Words that are repeated directly, with the spans of both."""
    for match in pairs:
        if match["word"].casefold() == match["next"].casefold():
            yield match["word"], match.span("word"), match.span("next")


def _sentence_capitals(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Start and first letter of every sentence whose first letter is a capital."""
    for start, end in split_sentences(text, language):
        word = _WORD.search(text, start, end)
        if word and word[0][0].isupper():
            yield start, word.start()


def _two_words_before(text: str, position: int) -> int:
    """The end of the third word before ``position``, 0 if there is none. Does not copy the text."""
    for _ in range(2):
        while position and text[position - 1].isspace():
            position -= 1
        while position and not text[position - 1].isspace():
            position -= 1
    while position and text[position - 1].isspace():
        position -= 1
    return position


def _clitic_at(text: str, position: int, language: Language) -> str | None:
    """The clitic without an apostrophe before it (n't) at ``position``."""
    for clitic in _bare_clitics(language.suffix_clitics):
        end = position + len(clitic)
        matches = text[position:end].lower().replace("’", "'") == clitic
        if matches and not text[end : end + 1].isalnum():
            return clitic
    return None


@cache
def _bare_clitics(clitics: tuple[str, ...]) -> tuple[str, ...]:
    """Clitics that begin with a letter."""
    return tuple(clitic for clitic in clitics if clitic[0].isalpha())


def _begins(text: str, position: int) -> bool:
    """Whether a sentence may begin at ``position``."""
    head = text[:position].rstrip(" \t\n\"'“”‘’«»()[]¿¡–—-")
    return not head or head[-1] in ".!?…:"


def _cased(form: str, like: str) -> str:
    """``form`` with the case of ``like``."""
    if len(like.strip("'’")) > 1 and like.isupper():
        return form.upper()
    return form[0].upper() + form[1:] if like[0].isupper() else form


def _is_ideograph(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or char >= "\U00020000"
