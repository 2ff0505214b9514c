"""Mends small flaws that a new sentence has from its sources, with words that another sentence of the cluster has.

An article is added before a singular noun that has none ("man holding frying pan"), if another sentence has the noun
with an indefinite article, after the same preposition if there is one ("on fire" stays). If a reading model has
compared the sentence with and without the article, its opinion counts: no article that makes the sentence less likely,
and any that makes it much more likely. A comma between subject and verb is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from paraphrast.msa.graph import START, WordGraph
from paraphrast.msa.joins import SUBJECTS, children
from paraphrast.text.languages.record import Language
from paraphrast.text.syntax.parser import Dependencies

_INDEFINITE = frozenset({"a", "an"})
_DETERMINERS = frozenset({"det", "poss", "nummod", "predet"})
_ROLES = SUBJECTS | {"dobj", "pobj", "attr", "ROOT", "conj"}
_BEFORE_NOUN = frozenset({"amod", "compound"})
#: By how much an article must raise the log-probability of its sentence: if no other sentence counts the noun, and if
#: one does.
SURE_GAIN, LEAST_GAIN = 2.5, -0.5


@dataclass(frozen=True)
class Repairs:
    """articles: (node before, first node of the noun phrase) → node of the article. commas: runs of three nodes of
    which the second, a comma, is left out."""

    articles: dict[tuple[int, int], int] = field(default_factory=dict)
    commas: frozenset[tuple[int, int, int]] = frozenset()

    def apply(self, nodes: Sequence[int]) -> tuple[int, ...]:
        """A path with the repairs that apply to it."""
        repaired: list[int] = []
        before = START
        for place, node in enumerate(nodes):
            after = nodes[place + 1] if place + 1 < len(nodes) else -1
            if (before, node, after) in self.commas:
                before = node
                continue
            article = self.articles.get((before, node))
            if article is not None:
                repaired.append(article)
            repaired.append(node)
            before = node
        return tuple(repaired)


def find_repairs(
    graph: WordGraph,
    trees: Sequence[Dependencies] | None,
    language: Language,
    gains: Mapping[tuple[int, int], float] | None = None,
) -> Repairs:
    """The repairs of a parsed cluster; none without dependencies or for a language without an indefinite article.

    gains: for each sentence and first place of a bare noun phrase, by how much an article raises the log-probability of
    the sentence, if a reading model has compared them.
    """
    if trees is None or not language.indefinite_varies or language.elision is None:
        return Repairs()
    article_nodes: dict[str, int] = {}
    countable: set[tuple[str, str]] = set()
    for tree, path in zip(trees, graph.paths, strict=True):
        for place, word in enumerate(tree.words):
            small = word.lower()
            if small in _INDEFINITE and tree.labels[place] == "det":
                article_nodes.setdefault(small, path[place])
                head = tree.heads[place]
                # "a little water", "a three man team": the article need not say that the noun is counted.
                if tree.tags[head] == "NN" and all(
                    tree.tags[at] in ("JJ", "NN") for at in range(place + 1, head)
                ):
                    countable |= {(tree.words[head].lower(), ""), _with_preposition(tree, head)}
    articles: dict[tuple[int, int], int] = {}
    commas: set[tuple[int, int, int]] = set()
    for row, (tree, path) in enumerate(zip(trees, graph.paths, strict=True)):
        for begin, noun in bare_phrases(tree):
            counted = _with_preposition(tree, noun) in countable and tree.labels[noun] != "conj"
            gain = None if gains is None else gains.get((row, begin))
            if counted if gain is None else gain >= (LEAST_GAIN if counted else SURE_GAIN):
                form = language.elision("a", tree.words[begin].lower()) or "a"
                if form in article_nodes:
                    articles[path[begin - 1] if begin else START, path[begin]] = article_nodes[form]
        for place in range(len(tree.words)):
            if _divides_subject(tree, place):
                commas.add((path[place - 1], path[place], path[place + 1]))
    return Repairs(articles, frozenset(commas))


def bare_phrases(tree: Dependencies) -> Iterator[tuple[int, int]]:
    """The first place and the noun of each phrase of a singular noun without an article or other determiner."""
    for place in range(len(tree.words)):
        begin = _bare_phrase(tree, place)
        if begin is not None:
            yield begin, place


def _with_preposition(tree: Dependencies, place: int) -> tuple[str, str]:
    """A noun and the preposition that it depends on, or ""."""
    before = tree.words[tree.heads[place]].lower() if tree.labels[place] == "pobj" else ""
    return tree.words[place].lower(), before


def _bare_phrase(tree: Dependencies, place: int) -> int | None:
    """The first place of a noun phrase that lacks an article; None if it is complete or something else."""
    if tree.tags[place] != "NN" or tree.labels[place] not in _ROLES or not tree.words[place].isalpha():
        return None
    begin = place
    for child in reversed(children(tree, place)):
        if tree.labels[child] in _DETERMINERS:
            return None
        if child == begin - 1 and tree.labels[child] in _BEFORE_NOUN:
            begin = child
        elif child < place:
            return None
    return begin


def _divides_subject(tree: Dependencies, place: int) -> bool:
    """Whether the only comma so far separates the subject from its verb or auxiliary, without a clause before it."""
    if tree.words[place] != "," or "," in tree.words[:place] or not 0 < place < len(tree.words) - 1:
        return False
    verb = place + 1
    if tree.labels[verb] in ("aux", "auxpass"):
        verb = tree.heads[verb]
    return any(tree.labels[child] in SUBJECTS and child < place for child in children(tree, verb)) and all(
        tree.tags[at] not in ("VBD", "VBP", "VBZ", "MD", "VBG") for at in range(place)
    )
