"""Text for small runs, written for them: sentence pairs with gold links, a bitext, articles, reports, judged outputs.

A small grammar makes the sentences. Synonyms share a translation, so that pivoting, walks and equivalence sets find
them; which words belong together is known, so every sentence pair has its links.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from paraphrast.formats.articles import Article
from paraphrast.formats.mt import MtOutput, MtSegment

#: Groups of words with the same meaning, and their translation.
_PEOPLE: dict[str, tuple[str, ...]] = {
    "ausschuss": ("committee", "commission"),
    "minister": ("minister", "secretary"),
    "rat": ("council",),
}
_VERBS: dict[str, tuple[str, ...]] = {
    "prüfen": ("examine", "look at"),
    "ablehnen": ("reject", "turn down"),
    "annehmen": ("accept", "approve"),
    "besprechen": ("discuss", "talk about"),
}
_ADJECTIVES: dict[str, tuple[str, ...]] = {
    "wichtigen": ("important", "significant"),
    "großen": ("big", "large"),
    "neuen": ("new",),
}
_NOUNS: dict[str, tuple[str, ...]] = {
    "vorschlag": ("proposal", "plan"),
    "bericht": ("report",),
    "haushalt": ("budget",),
    "einwand": ("objection", "complaint"),
}
_TIMES: dict[str, tuple[str, ...]] = {
    "morgen": ("tomorrow",),
    "sofort": ("immediately", "at once"),
    "heute": ("today",),
}
_GROUPS: tuple[dict[str, tuple[str, ...]], ...] = (_PEOPLE, _VERBS, _ADJECTIVES, _NOUNS, _TIMES)


@dataclass(frozen=True)
class SentencePair:
    """Two sentences with the same meaning as tokens, their translation, and their links: sure and possible."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    foreign: tuple[str, ...]
    sure: tuple[tuple[int, int], ...]
    possible: tuple[tuple[int, int], ...]


def sentence_pairs(count: int, seed: int = 1) -> list[SentencePair]:
    """Pairs of the grammar. Words of one phrase are linked: sure where both phrases are one word, else possible."""
    draw = random.Random(seed)
    return [_pair(draw) for _ in range(count)]


def _pair(draw: random.Random) -> SentencePair:
    keys = [draw.choice(list(group)) for group in _GROUPS]
    sides = []
    for _ in range(2):
        phrases = [draw.choice(group[key]).split() for group, key in zip(_GROUPS, keys, strict=True)]
        person, verb, adjective, noun, when = phrases
        sides.append([["the"], person, ["will"], verb, ["the"], adjective, noun, when, ["."]])
    sure: list[tuple[int, int]] = []
    possible: list[tuple[int, int]] = []
    starts = [0, 0]
    for one, two in zip(*sides, strict=True):
        cells = [(starts[0] + i, starts[1] + j) for i in range(len(one)) for j in range(len(two))]
        if one == two:
            cells = [(starts[0] + i, starts[1] + i) for i in range(len(one))]
        (sure if one == two or len(cells) == 1 else possible).extend(cells)
        starts = [starts[0] + len(one), starts[1] + len(two)]
    first, second = (tuple(word for phrase in side for word in phrase) for side in sides)
    subject, predicate, attribute, noun_key, time = keys
    foreign = ("der", subject, "wird", "den", attribute, noun_key, time, predicate, ".")
    return SentencePair(first, second, foreign, tuple(sure), (*sure, *possible))


#: Reports of events: event → sentences of each of its articles.
EVENTS = {
    "bridge": (
        ("A ship hit the old bridge on Monday, and two people were hurt.", "The bridge was closed at once."),
        (
            "A ship struck the old bridge on Monday, and two people were injured.",
            "The old bridge was closed.",
        ),
        ("A large ship hit the old bridge on Monday morning.", "Two people were hurt when the ship hit it."),
    ),
    "storm": (
        ("A storm cut the power of 300 homes in the north.", "The power came back on Tuesday night."),
        ("A heavy storm cut the power of 300 houses in the north.", "Power was restored on Tuesday night."),
    ),
    "vote": (
        ("The council will discuss the new budget tomorrow.", "The mayor rejected the objection."),
        ("The council will talk about the new budget tomorrow.", "The mayor turned down the objection."),
    ),
}


def articles() -> list[Article]:
    """The reports as articles with their clusters."""
    return [
        Article(f"{event}-{number}", cluster=event, date="2004-05-31", sentences=sentences)
        for event, reports in EVENTS.items()
        for number, sentences in enumerate(reports)
    ]


#: Attack reports of two papers, for templates: the same slots, other words.
TEMPLATE_ARTICLES = tuple(
    Article(f"{side}-{number}", cluster=str(number), sentences=(sentence,))
    for number, (count, place) in enumerate(
        [
            ("three", "Oslo"),
            ("five", "Rome"),
            ("two", "Bonn"),
            ("nine", "Cork"),
            ("four", "Lyon"),
            ("six", "Graz"),
        ]
    )
    for side, sentence in (
        ("a", f"A storm hurt {count} people in {place}."),
        ("b", f"In {place} a storm left {count} people injured."),
    )
)
#: Sentences to rewrite.
SENTENCES = (
    "The committee will examine the important proposal tomorrow.",
    "The minister rejected the objection because it came too late.",
    "We need more money to help the children.",
    "Many people think that the report is useful.",
)
#: Sentences of the paper's figure 1 (Shen et al. 2006), parsed by hand.
MILAN = ("Milan is beautiful", "I went to Milan")
MILAN_TREES = (
    "(S (NP (NNP Milan)) (VP (VBZ is) (ADJP (JJ beautiful))))",
    "(S (NP (PRP I)) (VP (VBD went) (PP (TO to) (NP (NNP Milan)))))",
)
#: A cluster of reports with its parses.
REPORT_TREES = (
    "(S (NP (DT A) (NN bomb)) (VP (VBD exploded) (PP (IN near) (NP (DT the) (NN embassy))) (PP (IN on) "
    "(NP (NNP Monday)))) (. .))",
    "(S (NP (DT A) (NN car) (NN bomb)) (VP (VBD exploded) (PP (IN near) (NP (DT the) (NN embassy))) (PP (IN in) "
    "(NP (DT the) (NN capital)))) (. .))",
    "(S (NP (DT A) (NN bomb)) (VP (VBD killed) (NP (CD three) (NNS people)) (PP (IN near) (NP (DT the) "
    "(NN embassy))) (PP (IN on) (NP (NNP Monday)))) (. .))",
    "(S (NP (DT A) (NN car) (NN bomb)) (VP (VBD killed) (NP (CD three) (NNS people)) (PP (IN in) (NP (DT the) "
    "(NN capital)))) (. .))",
)
#: Labelled substitutes: sentence, replaced words, substitute, whether it is right there.
SUBSTITUTES = (
    (SENTENCES[0], "examine", "consider", True),
    (SENTENCES[0], "examine", "look at", True),
    (SENTENCES[0], "examine", "study", True),
    (SENTENCES[0], "important", "significant", True),
    (SENTENCES[0], "important", "crucial", True),
    (SENTENCES[0], "proposal", "motion", False),
    (SENTENCES[0], "proposal", "plan", True),
    (SENTENCES[3], "useful", "helpful", True),
    (SENTENCES[3], "useful", "good", False),
    (SENTENCES[3], "think", "believe", True),
    (SENTENCES[3], "think", "feel", True),
    (SENTENCES[2], "help", "assist", True),
    (SENTENCES[2], "help", "aid", True),
    (SENTENCES[2], "need", "require", True),
)


def judged_segments(count: int = 24) -> list[MtSegment]:
    """Translations of two systems: one chooses other synonyms than the reference, one leaves words out."""
    draw = random.Random(7)
    segments = []
    for number, pair in enumerate(sentence_pairs(count, seed=5)):
        dropped = [word for word in pair.first if draw.random() > 0.25]
        share = len(dropped) / len(pair.first)
        segments.append(
            MtSegment(
                id=str(number),
                source=" ".join(pair.foreign),
                references=(" ".join(pair.first),),
                outputs={
                    "synonyms": MtOutput(" ".join(pair.second), 90.0 - number % 5),
                    "dropping": MtOutput(" ".join(dropped), round(80 * share) - 3.0 * (number % 4)),
                },
            )
        )
    return segments


def page(story: tuple[str, ...], links: tuple[str, ...]) -> str:
    """A news page: links above and below the story."""
    bar = "".join(f'<li><a href="/{number}">{text}</a></li>' for number, text in enumerate(links))
    text = "".join(f"<p>{line}</p>" for line in story)
    return f"<html><body><ul class='nav'>{bar}</ul><article>{text}</article><ul>{bar}</ul></body></html>"


def pages() -> list[tuple[str, str]]:
    """Pages with their stories."""
    links = ("Home", "World news", "Sport", "Weather", "Sign in", "Subscribe now")
    stories = [sentences for reports in EVENTS.values() for sentences in reports]
    return [
        (page(story * 2, links[number % 3 :]), "\n".join(story * 2)) for number, story in enumerate(stories)
    ]
