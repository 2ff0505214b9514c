"""Convert the Brown corpus's tags and tokens to ours.

Brown keeps contractions and genitives whole ("don't/DO*", "company's/NN$") and does not distinguish the base form of a
verb from the present ("VB" is both), which agreement needs. :func:`brown_sentences` splits the first like our
tokeniser, and decides the second by looking left for a subject.
Tags: Francis and Kučera (1979), "Brown corpus manual".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paraphrast.errors import InputError
from paraphrast.text.languages.record import words as word_set

_OURS = {
    "NN": "NN NR PN",
    "NNS": "NNS NRS",
    "NNP": "NP",
    "NNPS": "NPS",
    "VB": "VB BE HV DO",
    "VBD": "VBD BED BEDZ HVD DOD",
    "VBG": "VBG BEG HVG",
    "VBN": "VBN BEN HVN DON",
    "VBP": "BEM BER",
    "VBZ": "VBZ BEZ HVZ DOZ",
    "MD": "MD",
    "JJ": "JJ JJS AP OD",
    "JJR": "JJR",
    "JJS": "JJT",
    "RB": "RB QL QLP RN",
    "RBR": "RBR",
    "RBS": "RBT",
    "IN": "IN CS",
    "TO": "TO",
    "DT": "AT DT DTI DTS DTX",
    "PDT": "ABL ABN ABX",
    "PRP": "PP PPS PPSS PPO PPL PPLS PP$$",
    "PRP$": "PP$",
    "WDT": "WDT",
    "WP": "WPS WPO",
    "WP$": "WP$",
    "WRB": "WRB WQL",
    "CC": "CC",
    "CD": "CD",
    "EX": "EX",
    "UH": "UH",
    "RP": "RP",
    "NEG": "*",
    "PUNCT": ". , : -- - ( ) `` '' '",
    "FW": "NIL",
}
_MAP = {brown: ours for ours, browns in _OURS.items() for brown in browns.split()}
#: Tags that are part of a name in a title ("Fulton County Grand Jury").
_TITLE = {"NNS": "NNPS", **dict.fromkeys(("NN", "JJ", "JJS", "JJR", "VBN", "VBG", "VB", "FW"), "NNP")}
_SUFFIX = re.compile(r"(?<=.)-(TL|HL|NC|T|N)$")
_CLITIC = re.compile(r"(.+)('s|'re|'ve|'ll|'d|'m)", re.IGNORECASE)
_NOT = re.compile(r"(.+)(n't)", re.IGNORECASE)
_GENITIVE = re.compile(r"(.+?)('s|')", re.IGNORECASE)
_COMPARED = {**dict.fromkeys(("more", "less", "fewer"), "JJR"), **dict.fromkeys(("most", "least"), "JJS")}
#: Verbs with an object and a bare infinitive: "let them go".
_CAUSATIVE = word_set(
    "let lets letting make makes made making help helps helped helping see sees saw seen seeing watch "
    "watched watching hear heard hearing have has had having"
)


def _base(tag: str) -> tuple[str, bool, bool]:
    """The tag without marks, whether it was in a title, and whether the word is foreign."""
    base, title = tag.upper(), False
    foreign = base.startswith("FW-")
    base = base.removeprefix("FW-")
    while match := _SUFFIX.search(base):
        title = title or match[1] in ("TL", "T")
        base = base[: match.start()]
    return base, title, foreign


def brown_tag(tag: str) -> str:
    """Our tag for a Brown tag in either case; for a compound, that of its first part.

    >>> brown_tag("PPSS+HV"), brown_tag("nn-tl"), brown_tag("BEDZ*"), brown_tag("np$")
    ('PRP', 'NNP', 'VBD', 'NNP')
    """
    base, title, foreign = _base(tag)
    if foreign:
        return "NNP" if title else "FW"
    first = base.split("+")[0]
    if first not in _MAP:
        first = first.removesuffix("*").removesuffix("$")
    if first not in _MAP:
        raise InputError(f"expected a tag of the Brown corpus, got {tag!r}")
    mapped = _MAP[first]
    return _TITLE.get(mapped, mapped) if title else mapped


def split_brown(word: str, tag: str) -> list[tuple[str, str]]:
    """One Brown token as our tokens with our tags.

    >>> split_brown("company's", "NN$")
    [('company', 'NN'), ("'s", 'POS')]
    >>> split_brown("don't", "DO*")
    [('do', 'VB'), ("n't", 'NEG')]
    """
    base, _, foreign = _base(tag)
    if word in ("``", "''"):
        return [('"', "PUNCT")]
    if foreign:
        return [(word, brown_tag(tag))]
    if word.lower() == "cannot":
        return [(word[:3], "MD"), (word[3:], "NEG")]
    if len(base) > 1 and base.endswith("*") and (match := _NOT.fullmatch(word)):
        return [(match[1], brown_tag(tag)), (match[2], "NEG")]
    if "+" in base and (match := _CLITIC.fullmatch(word)):
        return [(match[1], brown_tag(tag)), (match[2], brown_tag(base.rpartition("+")[2]))]
    if base.endswith("$") and base not in _MAP and (match := _GENITIVE.fullmatch(word)):
        return [(match[1], brown_tag(tag)), (match[2], "POS")]
    return [(word, brown_tag(tag))]


def brown_sentences(
    sentences: Iterable[Iterable[tuple[str, str]]], *, raw_every: int = 4
) -> Iterator[tuple[list[str], list[str]]]:
    """Training sentences for :class:`~paraphrast.text.syntax.tag.Tagger` from sentences of ``(word, Brown tag)``.

    The tagger is used on truecased text, so the first word of a sentence loses its capital unless it is a name. Every
    ``raw_every``-th sentence keeps it, so that capitals missed by the truecaser do no harm. Sentences with untagged
    words are left out.
    """
    for number, sentence in enumerate(sentences):
        pairs = list(sentence)
        if not pairs or any(tag.upper() == "NIL" for _, tag in pairs):
            continue
        words: list[str] = []
        tags: list[str] = []
        subjects: list[str] = []
        for word, tag in pairs:
            for part, our_tag in split_brown(word, tag):
                words.append(part)
                tags.append(our_tag)
                subjects.append(_base(tag)[0])
        _refine(words, tags, subjects)
        if number % raw_every:
            truecase_first(words, tags)
        yield words, tags


def truecase_first(words: list[str], tags: list[str]) -> None:
    """Take the capital of the first word away, in place, unless it is a name."""
    first = next((place for place, tag in enumerate(tags) if tag != "PUNCT"), None)
    if first is not None and tags[first] not in ("NNP", "NNPS", "FW") and words[first] != "I":
        words[first] = words[first][:1].lower() + words[first][1:]


def _refine(words: list[str], tags: list[str], brown: list[str]) -> None:
    """Make distinctions, in place, that Brown's tags leave to the words and the sentence."""
    for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
        low = word.lower()
        if tag == "JJ" and brown[place] == "AP" and low in _COMPARED:
            tags[place] = _COMPARED[low]
        elif tag == "RB" and brown[place] == "QL" and low in ("more", "less", "most", "least"):
            tags[place] = "RBR" if low in ("more", "less") else "RBS"
        elif tag == "WP" and low in ("that", "which"):
            tags[place] = "WDT"
        elif tag == "PDT" and (place + 1 == len(tags) or tags[place + 1] not in ("DT", "PRP$")):
            tags[place] = "DT"
        elif tag == "NN" and brown[place].startswith("NR") and place and word[:1].isupper():
            tags[place] = "NNP"
        elif (
            tag == "VB"
            and brown[place].split("+")[-1].rstrip("*") != "BE"
            and _is_present(words, tags, brown, place)
        ):
            tags[place] = "VBP"


def _is_present(words: list[str], tags: list[str], brown: list[str], place: int) -> bool:
    """Whether the verb at ``place`` (Brown VB, HV, DO) is a present form rather than a base form.

    Looks left past adverbs: after "to", a modal, "do" or an object pronoun the verb is a base form; after a nominative
    pronoun, a relative or a noun it is a present form, unless an auxiliary is before that subject ("do you know",
    "should companies pay", "let people go"). After "and" and "or" it is like the previous verb.
    """
    left = _skip_adverbs(tags, place - 1)
    if left < 0 or tags[left] in ("TO", "MD", "PUNCT"):
        return False
    kind = brown[left].split("+")[0]
    if tags[left] == "CC":
        return next((tags[other] == "VBP" for other in range(left, -1, -1) if tags[other][:2] == "VB"), False)
    if words[left].lower() in ("do", "does", "did") or kind in ("PPO", "PPS", "IN", "CS", "AT", "PP$"):
        return False
    if kind == "PPSS":
        before = _skip_adverbs(tags, left - 1)
        return before < 0 or not (tags[before] == "MD" or words[before].lower() in ("do", "did", "does"))
    if tags[left] in ("WP", "WDT"):
        return True
    nominal = False
    for other in range(left, -1, -1):
        tag = tags[other]
        if tag in ("NN", "NNS", "NNP", "NNPS", "PRP", "DT", "JJ", "CD"):
            nominal = True
        elif (
            tag == "MD" or words[other].lower() in ("do", "does", "did") or words[other].lower() in _CAUSATIVE
        ):
            return False
        elif tag.startswith("VB") or tag in ("TO", "WDT", "WP"):
            return nominal
    return nominal


def _skip_adverbs(tags: list[str], place: int) -> int:
    while place >= 0 and tags[place] in ("RB", "NEG", "RBR"):
        place -= 1
    return place
