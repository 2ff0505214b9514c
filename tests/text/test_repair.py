from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.text import Draft, Mender, apply_drafts, get_language, mend, repair
from paraphrast.text.languages.elision import vowel_sound

ENGLISH = get_language("en")


def edited(text: str, *edits: tuple[str, str], code: str = "en") -> tuple[str, list[Draft]]:
    drafts, done = [], 0
    for number, (before, after) in enumerate(edits):
        start = text.index(before, done)
        done = start + len(before)
        drafts.append(Draft(start, done, after, (number,)))
    mended = mend(text, drafts, get_language(code))
    return apply_drafts(text, mended), mended


@pytest.mark.parametrize(
    ("text", "before", "after", "expected"),
    [
        ("I saw a big house.", "big", "old", "I saw an old house."),
        ("I saw an old house.", "old", "big", "I saw a big house."),
        ("I saw a big apple.", "big ", "", "I saw an apple."),
        ("I saw a big apple.", "big", "", "I saw an apple."),
        ("I saw the apple.", "the", "a", "I saw an apple."),
        ("I saw it.", "it", "a hour of an week", "I saw an hour of a week."),
        ("A report came.", "report", "hour", "An hour came."),
        ("Plan A was good.", "was", "is", "Plan A is good."),
        ("A BIG HOUSE", "BIG", "OLD", "AN OLD HOUSE"),
        ("THIS IS A PROPOSAL.", "PROPOSAL", "MOTION", "THIS IS A MOTION."),
        ("IT IS AN ISSUE.", "ISSUE", "MATTER", "IT IS A MATTER."),
        ("Here is a UNESCO report.", "is", "was", "Here was a UNESCO report."),
        ("We met a big group.", "big", "FRONTEX", "We met a FRONTEX group."),
        ("We met a big group.", "big", "MEP", "We met an MEP group."),
        ("We met a big group.", "big", "unicameral", "We met a unicameral group."),
        ("We met a big group.", "big", "uninformed", "We met an uninformed group."),
        ("a “big” house", "big", "old", "an “old” house"),
        ("We read the study.", "study", "the report", "We read the report."),
        ("We read it the day.", "it", "it on the", "We read it on the day."),
        ("We read that that study.", "study", "report", "We read that that report."),
        ("However, we agree.", "However, ", "", "We agree."),
        ("The men met.", "The men", "a body of men", "A body of men met."),
        ("the men met.", "the men", "a body", "a body met."),
        ("We can't go.", "n't", "not", "We can not go."),
        ("Won't he go?", "n't", "not", "Will not he go?"),
        ("We didn't go.", "did", "can", "We can't go."),
        ("We didn't go.", "did", "could", "We couldn't go."),
        ("We don’t go.", "go", "say it's on", "We don’t say it’s on."),
        ("The plan, which failed, is dead.", "which failed", "", "The plan, is dead."),
        ("The plan failed.", "failed", " was bad ", "The plan was bad."),
        ("The plan failed, so.", "failed", "was bad ,", "The plan was bad, so."),
        ("The plan failed", "failed", "", "The plan"),
        (
            "The EU's plan",
            "'s",
            "and",
            "The EU and plan",
        ),
        ("The children's toys", "children", "kids", "The kids' toys"),
        ("The children’s toys", "children", "kids", "The kids’ toys"),
        ("The manager's desk", "manager", "boss", "The boss's desk"),
        ("The kid's desk", "kid", "kids", "The kids' desk"),
        ("The cat's gone", "cat", "dog", "The dog's gone"),
        ("Tokens , here .", "Tokens", "Words", "Words , here ."),
        ("So it was. Then he left.", "Then he", "later he", "So it was. Later he left."),
    ],
)
def test_english(text: str, before: str, after: str, expected: str) -> None:
    assert edited(text, (before, after))[0] == expected


@pytest.mark.parametrize(
    ("code", "text", "before", "after", "expected"),
    [
        ("fr", "Il voit le garçon.", "garçon", "homme", "Il voit l'homme."),
        ("fr", "Il parle d'amour.", "amour", "garçons", "Il parle de garçons."),
        ("fr", "Il voit l'homme.", "homme", "garçon", "Il voit l'garçon."),
        ("fr", "C’est ce que je vois", "je vois", "il voit", "C’est ce qu’il voit"),
        ("fr", "Quoi ? Rien !", "Quoi", "Qui", "Qui ? Rien !"),
        ("es", "padres y madres", "madres", "hijos", "padres e hijos"),
        ("it", "la grande scuola", "grande scuola", "università", "l'università"),
        ("zh", "我们好", "我们", "你们都", "你们都好"),
        ("qx", "a big b", "big", "a", "a b"),
    ],
)
def test_other_languages(code: str, text: str, before: str, after: str, expected: str) -> None:
    assert edited(text, (before, after), code=code)[0] == expected


def test_the_absorbed_article_belongs_to_the_edit() -> None:
    assert edited("I saw a big house.", ("big", "old"))[1] == [Draft(6, 11, "an old", (0,))]


def test_edits_that_touch_are_merged() -> None:
    output, drafts = edited("we go on now", ("go", "walk"), (" on", " off"))
    assert output == "we walk off now"
    assert drafts == [Draft(3, 8, "walk off", (0, 1))]


def test_edits_that_touch_are_kept_apart_by_a_space() -> None:
    text = "The firm's list is long."
    drafts = [Draft(4, 8, "partner", (0,)), Draft(8, 15, "the register", (1,))]
    assert apply_drafts(text, mend(text, drafts, get_language("en"))) == "The partner the register is long."


def test_a_repair_across_two_edits_merges_them() -> None:
    output, drafts = edited("we saw one thing", ("one", "a"), ("thing", "item"))
    assert output == "we saw an item"
    assert drafts == [Draft(7, 16, "an item", (0, 1))]


def test_an_edit_that_changes_nothing_is_dropped() -> None:
    assert edited("a apple here", ("apple", "apple"))[1] == []
    assert edited("the report", ("report", "the report"))[1] == []


@pytest.mark.parametrize("spans", [[(0, 3), (2, 5)], [(3, 2)], [(0, 99)], [(-1, 2)]])
def test_overlapping_spans_are_refused(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="separate spans"):
        mend("some text", [Draft(start, end, "x") for start, end in spans], ENGLISH)


WORDS = (
    "a",
    "an",
    "the",
    "apple",
    "report",
    "hour",
    "one",
    "that",
    "had",
    "The",
    "A",
    "Paris",
    "can",
    "do",
    "8",
    "EU",
)
MARKS = (", ", " ", " ", " ", ". ", " “", "” ")


@st.composite
def texts_with_drafts(draw: st.DrawFn) -> tuple[str, list[Draft]]:
    """A text of words and marks, with some of its words, or runs of them, replaced."""
    text, spans = "", []
    for word in draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)):
        spans.append((len(text), len(text) + len(word)))
        text += word + draw(st.sampled_from(MARKS))
    text = text.rstrip()
    afters = st.lists(st.sampled_from([*WORDS, ",", "n't", "old,"]), max_size=3).map(" ".join)
    drafts, index = [], 0
    while index < len(spans):
        length = draw(st.integers(1, 2))
        last = min(index + length, len(spans)) - 1
        if draw(st.booleans()):
            drafts.append(Draft(spans[index][0], min(spans[last][1], len(text)), draw(afters), (index,)))
        index = last + 1
    return text, drafts


def wrong_articles(text: str) -> list[str]:
    """Lower-case a before a vowel sound, an before any other."""
    pairs = re.findall(r"(?<![\w'’.-])(an?)\s+(?=[“]*(\w[\w'’-]*))", text)
    return [f"{article} {word}" for article, word in pairs if (article == "an") != vowel_sound(word)]


def doubles(text: str) -> set[str]:
    return {
        match[0].lower() for match in re.findall(r"(?<![\w'’-])([a-z]+)(?=\s+(\1)(?![\w'’-]))", text, re.I)
    }


@settings(max_examples=400)
@given(texts_with_drafts())
def test_what_is_mended_is_whole(case: tuple[str, list[Draft]]) -> None:
    text, drafts = case
    mended = mend(text, drafts, ENGLISH)
    output = apply_drafts(text, mended)
    if not wrong_articles(text):
        assert not wrong_articles(output)
    assert doubles(output) <= doubles(text)
    assert " ," in text or " ," not in output
    assert "  " in text or "  " not in output
    assert mend(text, mended, ENGLISH) == mended
    done = 0
    for draft in mended:
        assert done <= draft.start <= draft.end
        assert draft.after != text[draft.start : draft.end]
        assert draft.parts
        done = draft.end + 1
    known = {part for draft in drafts for part in draft.parts}
    kept = [part for draft in mended for part in draft.parts]
    assert set(kept) <= known
    assert len(kept) == len(set(kept))


@st.composite
def any_drafts(draw: st.DrawFn) -> tuple[str, list[Draft]]:
    """Any text and spans, words cut through included."""
    strings = st.text(alphabet="aly oe.,'’n\u0301tA\nh8!", max_size=20)
    text = draw(strings)
    edges = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    return text, [Draft(start, end, draw(strings), (number,)) for number, (start, end) in enumerate(pairs)]


@pytest.mark.parametrize("code", ["en", "fr", "es", "it", "zh"])
@given(case=any_drafts())
def test_mending_twice_changes_nothing(code: str, case: tuple[str, list[Draft]]) -> None:
    text, drafts = case
    language = get_language(code)
    mended = mend(text, drafts, language)
    assert mend(text, mended, language) == mended
    assert all(left.end < right.start for left, right in pairwise(mended))


LONG_TEXT = (
    "An old man said that that was a rather long way to go, and the committee can't examine a plan of the "
    "European Union before an hour has passed : he left. It is a union of states, NATO , and others"
)
PIECES = [
    "",
    "a",
    "an",
    "the",
    "hour",
    "union",
    "that",
    "can",
    "not",
    "n't",
    ",",
    "(",
    "Union of",
    "an old",
    " x ",
]


@given(
    st.lists(
        st.tuples(st.integers(0, len(LONG_TEXT.split()) - 1), st.integers(0, 2), st.sampled_from(PIECES)),
        min_size=1,
        max_size=6,
    )
)
def test_groups_of_drafts_are_mended_as_the_whole_is(wanted: list[tuple[int, int, str]]) -> None:
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", LONG_TEXT)]
    drafts: list[Draft] = []
    for first, more, after in sorted(wanted):
        last = min(first + more, len(words) - 1)
        if not drafts or words[first][0] >= drafts[-1].end:
            drafts.append(Draft(words[first][0], words[last][1], after, (len(drafts),)))
    whole = Mender(LONG_TEXT, ENGLISH)
    whole._groups = lambda ordered: iter([list(ordered)])  # type: ignore[method-assign]
    mender = Mender(LONG_TEXT, ENGLISH)
    mended = mender.mend(drafts)
    assert mended == whole.mend(drafts)
    assert mender.mend(drafts) == mended  # and from memory
    page = repair._Page(mender, drafts)
    for pattern in (repair._TWO_WORDS, repair._PAIR):
        all_of_them = [match for match in pattern.finditer(page.output) if page.overlaps(*_pair(match))]
        found = [match for match in page.pairs(pattern) if page.overlaps(*_pair(match))]
        assert [_pair(match) for match in found] == [_pair(match) for match in all_of_them]


def _pair(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), match.end("next")


def test_a_clitic_joins_the_word_before_it() -> None:
    english = get_language("en")
    text = "They did not go, and it is late."
    start = text.index("not")
    (draft,) = mend(text, [Draft(start, start + 3, "n't")], english)
    assert apply_drafts(text, [draft]) == "They didn't go, and it is late."
    start = text.index("is late")
    (draft,) = mend(text, [Draft(start, start + 2, "'s")], english)
    assert apply_drafts(text, [draft]) == "They did not go, and it's late."
    start = text.index("They")
    (draft,) = mend(text, [Draft(start, start + 4, "'Seven")], english)
    assert apply_drafts(text, [draft]).startswith("'Seven did")


@pytest.mark.parametrize(
    "filler",
    [" " * 100_000, "a" * 100_000 + " 1 ", "a'1," * 25_000, "a-" * 50_000, "( " * 50_000],
    ids=["spaces", "word", "apostrophes", "hyphens", "brackets"],
)
def test_time_grows_with_the_length_of_the_text_only(filler: str) -> None:
    """The square of the length would take more than ten seconds."""
    text = f"I saw a big house {filler} and a big car today."
    began = time.process_time()
    after, _ = edited(text, ("big", "old"), ("big", "old"))
    assert after == f"I saw an old house {filler} and an old car today."
    assert time.process_time() - began < 3
