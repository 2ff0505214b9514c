"""Where one sentence may be continued by another: the dependencies across the cut must be the same in both.

Two sentences share a word. A new sentence takes the first up to that word and the second after it. The dependency arcs
that cross the cut decide whether the result is grammatical (one predicate with its subject, no argument lost or
doubled) and says what its sources say (arguments keep their predicate, numbers their noun):

- Words on the left that wait for a head on the right (a subject for its verb) must be the same in both sentences.
- A word on the left that gets dependents from the second sentence must be the same word in the first.
- If a word of the first sentence lacks a dependent at the cut (an object, a clause, a particle), the second sentence
  must supply it for the same word, and must not supply one that the word already has.
- A predicate that gets dependents must have the same subject, and the same object, in both.
- A noun keeps its numbers, and words that say which one is meant ("first", "another").
- A preposition, adverb or adjective that gets dependents must depend on the same noun, or the same predicate.
- Coordinations are not mixed: the word that a conjunct is added to must depend on the same word in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.text.syntax.parser import Dependencies

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
OBJECTS = frozenset({"dobj", "attr", "acomp", "oprd", "ccomp", "xcomp", "dative"})
#: Dependents that a word cannot lose if it has them in its sentence.
OWED = OBJECTS | SUBJECTS | {"pobj", "pcomp", "prt", "agent", "cc", "conj", "aux", "auxpass", "case", "poss"}
#: Words with these labels may have their head on the right in the first sentence alone: they modify what follows.
LOOSE = frozenset(
    {"advmod", "npadvmod", "prep", "advcl", "intj", "meta", "dep", "punct", "parataxis", "ccomp"}
)
IGNORED = frozenset({"punct"})
# fmt: off
_WHICH_ONE = frozenset({
    "another", "other", "first", "second", "third", "fourth", "fifth", "last", "latest",
    "next", "previous", "former", "same", "different", "new",
})
# fmt: on
_VERBAL = ("VB", "MD")
_NOMINAL = ("NN", "PRP", "WP", "CD", "DT")


@dataclass(frozen=True)
class Frontier:
    """The dependencies that are open after a word of a sentence.

    waiting: positions of words up to here whose head comes later. chain: the word itself, its head, the head's head and
    so on, as far as they precede it, the innermost first. right: for each position up to here, the labels of later
    dependents.
    """

    waiting: tuple[int, ...]
    chain: tuple[int, ...]
    right: dict[int, frozenset[str]]


def frontier(tree: Dependencies, cut: int) -> Frontier:
    """The dependencies that are open after the word at ``cut``."""
    heads, labels = tree.heads, tree.labels
    waiting = tuple(place for place in range(cut + 1) if heads[place] > cut and labels[place] not in IGNORED)
    chain, place, seen = [cut], cut, {cut}
    while heads[place] not in seen:
        place = heads[place]
        seen.add(place)
        if place <= cut:
            chain.append(place)
    right: dict[int, set[str]] = {}
    for dependent in range(cut + 1, len(heads)):
        if heads[dependent] <= cut and labels[dependent] not in IGNORED:
            right.setdefault(heads[dependent], set()).add(labels[dependent])
    return Frontier(
        tuple(waiting), tuple(chain), {place: frozenset(labels) for place, labels in right.items()}
    )


def joins(first: Dependencies, first_cut: int, second: Dependencies, second_cut: int) -> bool:
    """Whether ``first`` up to and with ``first_cut`` may be continued by what follows ``second_cut`` in ``second``."""
    left, right = frontier(first, first_cut), frontier(second, second_cut)
    if not _same_waiting(first, left, second, right):
        return False
    partner = _partners(first, left, second, right)
    if partner is None:
        return False
    for place, labels in left.right.items():
        owed = labels & OWED
        other = next((there for there, here in partner.items() if here == place), None)
        if owed and (other is None or not owed <= right.right[other]):
            return False
    return all(
        _fits(first, here, second, there, right.right[there], first_cut) for there, here in partner.items()
    )


def _same_waiting(first: Dependencies, left: Frontier, second: Dependencies, right: Frontier) -> bool:
    ours = [(first.labels[place], _word(first, place)) for place in left.waiting]
    theirs = [(second.labels[place], _word(second, place)) for place in right.waiting]
    if [item for item in ours if item[0] not in LOOSE] != [item for item in theirs if item[0] not in LOOSE]:
        return False
    heads = {_predicate(second, second.heads[place]) for place in right.waiting}
    for place, key in zip(left.waiting, ours, strict=True):
        if key not in theirs and _predicate(first, first.heads[place]) not in heads:
            return False  # a modifier of a predicate that the second sentence does not have
    return all(
        _same_noun(first, here, second, there)
        and not _other_names(first, here, left.chain[0], second, there, right.chain[0])
        and _clause_kind(first, here) == _clause_kind(second, there)
        for here, there in zip(_firm(first, left), _firm(second, right), strict=True)
    )


def _other_names(
    first: Dependencies, here: int, first_cut: int, second: Dependencies, there: int, second_cut: int
) -> bool:
    """Whether a common noun has names in both sentences, but not the same ("a poll for the Times", "for the Post")."""
    if first.tags[here] not in ("NN", "NNS"):
        return False
    ours, theirs = _names_below(first, here, first_cut), _names_below(second, there, second_cut)
    return bool(ours) and bool(theirs) and not ours & theirs


def _names_below(tree: Dependencies, place: int, last: int) -> set[str]:
    """The names up to ``last`` that depend on a word, directly or through others."""
    below = {place}
    for _ in range(len(tree.heads)):
        size = len(below)
        below.update(at for at in range(last + 1) if tree.heads[at] in below)
        if len(below) == size:
            break
    return {_word(tree, at) for at in below if tree.tags[at].startswith("NNP")}


def _clause_kind(tree: Dependencies, place: int) -> str:
    """What a subject's clause is; of other words, nothing: only subjects carry a clause across the cut."""
    if tree.labels[place] not in SUBJECTS:
        return ""
    head = tree.heads[place]
    if not is_verbal(tree.tags[head]):
        return ""
    label = tree.labels[head]
    if label == "ROOT":
        # "…, Smith said": the clause before the subject is what was said.
        quoted = any(tree.labels[child] == "ccomp" and child < place for child in children(tree, head))
        return "quoted" if quoted else "main"
    return "main" if label in ("ccomp", "conj", "parataxis") else "below"


def _predicate(tree: Dependencies, place: int) -> tuple[str, ...]:
    """A verb with its auxiliaries and negation."""
    below = [child for child in children(tree, place) if tree.labels[child] in ("aux", "auxpass", "neg")]
    return tuple(_word(tree, at) for at in (*below, place))


def _firm(tree: Dependencies, open_words: Frontier) -> list[int]:
    return [place for place in open_words.waiting if tree.labels[place] not in LOOSE]


def _partners(
    first: Dependencies, left: Frontier, second: Dependencies, right: Frontier
) -> dict[int, int] | None:
    """For every word of the second sentence with dependents on the right, the corresponding word of the first."""
    partner: dict[int, int] = {}
    begin = 0
    for place in right.chain:
        if place not in right.right:
            continue
        for at in range(begin, len(left.chain)):
            if _word(first, left.chain[at]) == _word(second, place):
                partner[place] = left.chain[at]
                begin = at + 1
                break
        else:
            return None
    return partner if len(partner) == len(right.right) else None


def _fits(
    first: Dependencies, here: int, second: Dependencies, there: int, given: frozenset[str], cut: int
) -> bool:
    """Whether a word may take the dependents that its partner has on the right."""
    kept = {first.labels[place] for place in children(first, here) if place <= cut}
    if given & kept & (SUBJECTS | {"prt", "poss", "pobj", "agent"}) or (
        given & OBJECTS and kept & OBJECTS & given
    ):
        return False
    if given & {"conj", "cc"} and _ancestors(first, here) != _ancestors(second, there):
        return False
    if is_verbal(first.tags[here]) != is_verbal(second.tags[there]):
        return False
    if is_verbal(first.tags[here]):
        return _same_frame(first, here, second, there)
    if not first.tags[here].startswith(_NOMINAL):
        return _same_governor(first, here, second, there)
    return _same_noun(first, here, second, there)


def _same_governor(first: Dependencies, here: int, second: Dependencies, there: int) -> bool:
    """Whether a preposition, adverb or adjective depends, through such words, on the same verb or noun."""
    while True:
        here_above, there_above = first.heads[here], second.heads[there]
        if here_above == here or there_above == there:
            return here_above == here and there_above == there
        here, there = here_above, there_above
        if _word(first, here) != _word(second, there):
            return False
        if is_verbal(first.tags[here]):
            return is_verbal(second.tags[there]) and _same_frame(first, here, second, there)
        if first.tags[here].startswith(_NOMINAL):
            return _same_noun(first, here, second, there)


def _ancestors(tree: Dependencies, place: int) -> list[str]:
    words = [tree.labels[place]]
    while tree.heads[place] != place and len(words) < len(tree.heads):
        place = tree.heads[place]
        words.append(_word(tree, place))
    return words


def _same_frame(first: Dependencies, here: int, second: Dependencies, there: int) -> bool:
    subjects = _words(first, here, SUBJECTS), _words(second, there, SUBJECTS)
    if subjects[0] != subjects[1]:
        return False
    if not subjects[0] and first.labels[here] != "ROOT" and second.labels[there] != "ROOT":
        governors = _word(first, first.heads[here]), _word(second, second.heads[there])
        if governors[0] != governors[1]:
            return False
    objects = _words(first, here, OBJECTS), _words(second, there, OBJECTS)
    return not objects[0] or not objects[1] or objects[0] == objects[1]


def _same_noun(first: Dependencies, here: int, second: Dependencies, there: int) -> bool:
    """Whether the numbers and words that say which one is meant in the first sentence are in the second too."""
    ours, theirs = _identity(first, here), _identity(second, there)
    return ours == theirs or (not ours and first.tags[here].startswith("NNP"))


def _identity(tree: Dependencies, place: int) -> tuple[str, ...]:
    return tuple(
        _word(tree, child)
        for child in children(tree, place)
        if child < place
        and (tree.labels[child] == "nummod" or tree.tags[child] == "CD" or _word(tree, child) in _WHICH_ONE)
    )


def children(tree: Dependencies, place: int) -> list[int]:
    """The positions of a word's dependents."""
    return [child for child, head in enumerate(tree.heads) if head == place and child != place]


def _words(tree: Dependencies, place: int, labels: frozenset[str]) -> tuple[str, ...]:
    return tuple(_word(tree, child) for child in children(tree, place) if tree.labels[child] in labels)


def _word(tree: Dependencies, place: int) -> str:
    return tree.words[place].lower()


def is_verbal(tag: str) -> bool:
    """Whether a tag is a verb tag."""
    return tag.startswith(_VERBAL)


def fitting_table(
    trees: Sequence[Dependencies], sentences: Sequence[int], places: Sequence[int]
) -> list[list[bool]]:
    """[first][second]: whether :func:`joins` allows the change at a word that all ``sentences`` have, at ``places``."""
    return [
        [
            sentence == other or joins(trees[sentence], place, trees[other], there)
            for other, there in zip(sentences, places, strict=True)
        ]
        for sentence, place in zip(sentences, places, strict=True)
    ]
