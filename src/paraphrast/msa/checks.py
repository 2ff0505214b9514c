"""Checks of a new sentence that need no parse: repetitions, quotations and brackets, dates, and whether it is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from paraphrast.msa.cluster import Cluster, is_content
from paraphrast.types import Vocabulary

#: The kinds of a new sentence, compared with its cluster.
NEW, CLOSE, SHORTENED, COPY = "new", "close", "shortened", "copy"
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "``": "''", "-LRB-": "-RRB-"}
_SINGLE = frozenset({"'", "`", "‘", "’", "&apos;"})
_CONTRACTIONS = frozenset({"s", "t", "re", "ll", "ve", "d", "m"})
_LONGEST_ABBREVIATION = 3
# fmt: off
_ABBREVIATIONS = frozenset({
    "calif", "sept", "blvd", "corp", "assn", "lieut", "supt", "mass", "conn", "wash", "tenn",
})
_NEVER_LAST = frozenset({
    "a", "an", "the", "and", "or", "nor", "my", "your", "our", "their", "whose",
    "if", "than", "because", "although",
})
_REPORTS = frozenset({
    "say", "says", "said", "saying", "tell", "tells", "told", "according", "report", "reports", "reported",
})
_CALENDAR = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "yesterday",
    "today", "tonight", "january", "february", "march", "april", "june", "july",
    "august", "september", "october", "november", "december",
})
# fmt: on
_PARTICLES = frozenset(
    {
        "out",
        "off",
        "up",
        "away",
        "back",
        "together",
        "across",
        "through",
        "behind",
        "beside",
        "between",
        "during",
        "against",
        "along",
        "around",
        "near",
        "while",
    }
)
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers", "y", "ly")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def novelty(words: Sequence[str], cluster: Cluster) -> str:
    """``copy`` if an input sentence has the same words apart from case and punctuation, ``shortened`` if one has all
    the words in this order, else ``new``."""
    plain = plain_words(words)
    kind = NEW
    for row in cluster.words:
        given = plain_words(row)
        if given == plain:
            return COPY
        if is_subsequence(plain, given):
            kind = SHORTENED
    return kind


def has_same_content(words: Sequence[str], cluster: Cluster) -> bool:
    """Whether an input sentence has the same words in the same order but for function words."""
    content = _content(words, cluster)
    return any(_content(row, cluster) == content for row in cluster.words)


def _content(words: Sequence[str], cluster: Cluster) -> list[str]:
    return [word.lower() for word in words if is_content(word, cluster.language)]


def plain_words(words: Sequence[str]) -> list[str]:
    """Words in lower case, without punctuation."""
    return [word.lower() for word in words if any(map(str.isalnum, word))]


def is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether ``long`` has all of ``short``, in order."""
    rest = iter(long)
    return all(word in rest for word in short)


def says_twice(
    words: Sequence[str], cluster: Cluster, most: Mapping[tuple[str, ...], int] | None = None
) -> bool:
    """Whether something is repeated that no input sentence repeats as often: three words in a row with a content word
    among them, a content word, a particle, or a verb of reporting.

    most: :func:`said_most` of the cluster, computed once for many sentences.
    """
    again = {key: count for key, count in _said(words, cluster).items() if count > 1}
    if not again:
        return False
    given = said_most(cluster) if most is None else most
    return any(count > max(given.get(key, 0), 1) for key, count in again.items())


_REPORT_KEY = ("<report>",)


def said_most(cluster: Cluster) -> dict[tuple[str, ...], int]:
    """For everything that :func:`says_twice` counts, the largest count in one sentence."""
    counts: dict[tuple[str, ...], int] = {}
    for row in cluster.words:
        for key, count in _said(row, cluster).items():
            counts[key] = max(counts.get(key, 0), count)
    return counts


def _said(row: Sequence[str], cluster: Cluster) -> Counter[tuple[str, ...]]:
    small = [word.lower() for word in row]
    content = [is_content(word, cluster.language) for word in row]
    counts: Counter[tuple[str, ...]] = Counter()
    for at in range(len(small)):
        if at + 3 <= len(small) and any(content[at : at + 3]):
            counts[tuple(small[at : at + 3])] += 1
        if content[at] or small[at] in _PARTICLES:
            counts[small[at],] += 1
        if small[at] in _REPORTS:
            counts[_REPORT_KEY] += 1
    return counts


def is_unbalanced(words: Sequence[str]) -> bool:
    """Whether a bracket or quotation is opened and not closed, or closed and not opened."""
    words = _joined_marks(words)
    closing = {close: opening for opening, close in _PAIRS.items()}
    stack: list[str] = []
    for word in words:
        if word in _PAIRS:
            stack.append(word)
        elif word in closing and (not stack or stack.pop() != closing[word]):
            return True
    return bool(stack) or sum(word == '"' for word in words) % 2 == 1 or _single_quotes(words) % 2 == 1


def _joined_marks(words: Sequence[str]) -> list[str]:
    """Replace two adjacent single marks by one double mark."""
    marks: list[str] = []
    for word in words:
        if word in ("'", "`") and marks and marks[-1] == word:
            marks[-1] = word * 2
        else:
            marks.append(word)
    return marks


def _single_quotes(words: Sequence[str]) -> int:
    """Single quotation marks that are not apostrophes (of a genitive in "s" or of a contraction)."""
    count = 0
    for place, word in enumerate(words):
        if word not in _SINGLE:
            continue
        after = words[place + 1].lower() if place + 1 < len(words) else ""
        before = words[place - 1].lower() if place else ""
        count += not (after in _CONTRACTIONS or before.endswith("s"))
    return count


def has_inner_end(words: Sequence[str]) -> bool:
    """Whether a sentence seems to end before its last words: a full stop after a long word, not an abbreviation."""
    last = max((place for place, word in enumerate(words) if any(map(str.isalnum, word))), default=0)
    return any(
        words[place] in ".?!"
        and place < last
        and len(words[place - 1]) > _LONGEST_ABBREVIATION
        and words[place - 1].isalpha()
        and words[place - 1].lower() not in _ABBREVIATIONS
        for place in range(1, len(words))
    )


def has_open_end(words: Sequence[str], cluster: Cluster | None = None) -> bool:
    """Whether the last word cannot end a sentence: an article, a conjunction, a possessive, or an abbreviation at which
    no sentence of the cluster ends ("in Los Angeles, Calif." from "in Calif. on Monday")."""
    last = _last_word(words)
    if last in _NEVER_LAST:
        return True
    if cluster is None or last not in _ABBREVIATIONS | cluster.language.titles:
        return False
    return all(_last_word(row) != last for row in cluster.words)


def _last_word(words: Sequence[str]) -> str:
    return next((word.lower() for word in reversed(words) if any(map(str.isalnum, word))), "")


def repeats_number(values: Sequence[str], most: Mapping[str, int]) -> bool:
    """Whether a number occurs more often than in any input sentence ("twenty-year-old Smith, 20,")."""
    return any(count > max(most.get(value, 0), 1) for value, count in Counter(values).items())


def mixes_days(words: Sequence[str], cluster: Cluster) -> bool:
    """Whether it names two days of the week or months that no input sentence names together."""
    named = _days(words)
    return len(named) > 1 and not any(named <= _days(row) for row in cluster.words)


def mixes_persons(words: Sequence[str], cluster: Cluster) -> bool:
    """Whether it has pronouns for two persons ("his", "her") that no input sentence has together."""
    named = _persons(words, cluster)
    return len(named) > 1 and not any(named <= _persons(row, cluster) for row in cluster.words)


def _persons(words: Sequence[str], cluster: Cluster) -> set[int]:
    small = {word.lower() for word in words}
    return {place for place, person in enumerate(cluster.language.persons) if not person.isdisjoint(small)}


def is_headline(words: Sequence[str]) -> bool:
    """Whether no mark ends the sentence, and a word after the first has a capital."""
    return words[-1] not in ".!?" and any(word[:1].isupper() for word in words[1:])


def misspelt_words(words: Sequence[str], cluster: Cluster) -> set[str]:
    """Words of one input sentence that differ in one letter from a word of several ("panting" for "painting")."""
    sentences: Counter[str] = Counter()
    for row in cluster.words:
        sentences.update({word.lower() for word in row})
    common = [word for word, count in sentences.items() if count > 1 and len(word) > 3 and word.isalpha()]
    rare = {word.lower() for word in words if sentences[word.lower()] == 1}
    return {word for word in rare if any(_is_slip(word, other) for other in common)}


def unknown_slips(cluster: Cluster, vocabulary: Vocabulary, least: int = 100) -> frozenset[str]:
    """Words of one input sentence that are not in a vocabulary with counts, but with one letter more or less, or two
    letters exchanged, are frequent there ("oppsing" for "opposing")."""
    known, counts = vocabulary.ids, vocabulary.counts
    sentences: Counter[str] = Counter()
    for row in cluster.words:
        sentences.update(set(row))
    return frozenset(
        word
        for word, count in sentences.items()
        if count == 1
        and len(word) > 3
        and word.isalpha()
        and word.islower()
        and word not in known
        and not any(word.endswith(ending) and word[: -len(ending)] in known for ending in _ENDINGS)
        and any(other in known and counts[known[other]] >= least for other in _one_letter_away(word))
    )


def _one_letter_away(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    for at in range(1, len(word)):
        for letter in _LETTERS:
            yield word[:at] + letter + word[at:]


def _is_slip(word: str, other: str) -> bool:
    """Whether a letter in the middle of a word is missing, added or another: not at its end, where inflections are."""
    if abs(len(word) - len(other)) > 1 or word == other or word[0] != other[0]:
        return False
    if len(word) == len(other):
        unlike = [at for at in range(len(word)) if word[at] != other[at]]
        swapped = len(unlike) == 2 and sorted(word) == sorted(other) and unlike[1] == unlike[0] + 1
        return swapped or (len(unlike) == 1 and len(word) > 3)
    short, long = sorted((word, other), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long) - 1))


def _days(words: Sequence[str]) -> set[str]:
    return {part for word in words for part in word.lower().split()} & _CALENDAR
