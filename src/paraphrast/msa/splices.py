"""New sentences from whole constituents: parts of two sentences about the same subject are exchanged.

Two sentences can say the same of one subject and still share no word at which one may be continued by the other
(:mod:`paraphrast.msa.joins`). If both have a main subject with the same heads and counts, then

- the subject of one, with its modifiers, may stand before the predicate of the other;
- the complements of one may follow the verb of the other, if it is a form of the same verb;
- a noun phrase may replace one with the same head that depends on the same word, or lend it its adjectives (not where
  the subject is a name).

Names are the same subject if they end with the same word and no other first name stands before it in the cluster.

Every result is a path through nodes of the word graph, so it is checked and ranked like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from paraphrast.errors import ParaphrastError
from paraphrast.msa.graph import WordGraph
from paraphrast.msa.joins import SUBJECTS, children, is_verbal
from paraphrast.text.languages.record import Language
from paraphrast.text.stem import stem_word
from paraphrast.text.syntax.parser import Dependencies

#: A part of a sentence: (sentence, first place, place after the last).
Piece = tuple[int, int, int]
_NOUNS = ("NN", "NNS")
_NAMES = ("NNP", "NNPS")
_PREMODIFIERS = frozenset({"amod", "compound", "advmod", "npadvmod", "punct"})


@dataclass(frozen=True)
class Clause:
    """The main clause of a sentence.

    heads: the main noun of the subject, the nouns coordinated with it and those after "of", with their tags and counts.
    subject: the place of the main noun. predicate: the place where the predicate begins, after the whole subject.
    verb: the place of the main verb.
    """

    heads: tuple[tuple[str, ...], ...]
    subject: int
    predicate: int
    verb: int


def spliced_paths(
    graph: WordGraph, trees: Sequence[Dependencies], language: Language
) -> list[tuple[int, ...]]:
    """The distinct paths of all exchanges between two sentences of a cluster."""
    clauses = [main_clause(tree) for tree in trees]
    keys = [_key(clause.heads, language) if clause else () for clause in clauses]
    same_stem = partial(stem, language=language)
    paths: dict[tuple[int, ...], None] = {}
    for first, (tree, clause) in enumerate(zip(trees, clauses, strict=True)):
        for second, (other_tree, other) in enumerate(zip(trees, clauses, strict=True)):
            if first == second or clause is None or other is None or keys[first] != keys[second]:
                continue
            if _has_other_names(tree, clause, other_tree, other):
                continue
            if tree.tags[clause.subject] in _NAMES and not _is_same_name(
                tree, clause.subject, other_tree, other.subject, trees, language
            ):
                continue
            size = len(tree.words)
            splices = _exchanges(clause, other, tree, other_tree, same_stem)
            for begin, end, donor_begin, donor_end in splices:
                pieces = (first, 0, begin), (second, donor_begin, donor_end), (first, end, size)
                paths.setdefault(
                    tuple(node for at, low, high in pieces for node in graph.paths[at][low:high])
                )
    return list(paths)


def _has_other_names(tree: Dependencies, clause: Clause, other_tree: Dependencies, other: Clause) -> bool:
    """Whether both subjects have names, and none in common: a poll for one newspaper and a poll for another."""
    names, other_names = (
        {
            word.lower()
            for word, tag in zip(one.words[: part.predicate], one.tags, strict=False)
            if tag.startswith("NNP")
        }
        for one, part in ((tree, clause), (other_tree, other))
    )
    return bool(names) and bool(other_names) and not names & other_names


def _is_same_name(
    tree: Dependencies,
    place: int,
    other: Dependencies,
    there: int,
    trees: Sequence[Dependencies],
    language: Language,
) -> bool:
    """Whether two names with the same last word are of the same person or thing: "Mr Smith" and "Ann Smith of London",
    if no other Smith is in the cluster."""
    given, other_given = _given_names(tree, place, language), _given_names(other, there, language)
    if given and other_given:
        return given == other_given
    known = {
        _given_names(one, at, language)
        for one in trees
        for at, word in enumerate(one.words)
        if one.tags[at] in _NAMES and word.lower() == tree.words[place].lower()
    }
    return len(known - {frozenset()}) < 2


def _given_names(tree: Dependencies, place: int, language: Language) -> frozenset[str]:
    """The names before a name that belong to it, without titles."""
    return frozenset(
        tree.words[child].lower()
        for child in children(tree, place)
        if child < place
        and tree.labels[child] == "compound"
        and tree.tags[child] in _NAMES
        and tree.words[child].lower().rstrip(".") not in language.titles
    )


def _exchanges(
    clause: Clause,
    other: Clause,
    tree: Dependencies,
    donor: Dependencies,
    stem: partial[str],
) -> Iterator[tuple[int, int, int, int]]:
    """(begin, end) of a part of a sentence, and (begin, end) of the part of the donor that replaces it."""
    size = len(tree.words)
    yield 0, clause.predicate, 0, other.predicate
    same_verb = stem(tree.words[clause.verb]) == stem(donor.words[other.verb])
    if same_verb and _is_passive(tree, clause.verb) == _is_passive(donor, other.verb):
        yield clause.verb + 1, size, other.verb + 1, len(donor.words)
    if tree.tags[clause.subject] in _NAMES:
        return
    for place, noun in enumerate(tree.words):
        for there, donor_noun in enumerate(donor.words):
            if (
                place != clause.subject
                and noun.lower() == donor_noun.lower()
                and tree.tags[place] == donor.tags[there]
                and tree.tags[place] in _NOUNS
                and _governors(tree, place, stem) == _governors(donor, there, stem)
            ):
                yield from _phrases(tree, place, donor, there)


def _phrases(
    tree: Dependencies, place: int, donor: Dependencies, there: int
) -> Iterator[tuple[int, int, int, int]]:
    """The exchanges of two noun phrases with the same head: whole, and the words before the head alone."""
    ours, theirs = subtree(tree, place), subtree(donor, there)
    if ours is None or theirs is None or _is_coordinated(tree, place) or _is_coordinated(donor, there):
        return
    yield *ours, *theirs
    if all(donor.labels[child] in _PREMODIFIERS | {"det", "poss"} for child in children(donor, there)):
        yield ours[0], place, theirs[0], there


def main_clause(tree: Dependencies) -> Clause | None:
    """The main clause, if it begins the sentence: a verb with a subject before it, or a noun with a participle after
    it ("a man playing a guitar")."""
    roots = [
        place for place, head in enumerate(tree.heads) if head == place and tree.labels[place] != "punct"
    ]
    if len(roots) != 1:
        return None
    root = roots[0]
    if tree.tags[root].startswith("NN"):
        # A parser may attach the participle to the last of several nouns.
        nouns = [root, *(child for child in children(tree, root) if tree.labels[child] == "conj")]
        verbs = [
            child
            for noun in nouns
            for child in children(tree, noun)
            if tree.labels[child] == "acl" and is_verbal(tree.tags[child])
        ]
        if not verbs:
            return None
        subject, verb = root, verbs[-1]
        span = subtree(tree, verb)
        if span is None:
            return None
        predicate = span[0]
    else:
        subjects = [child for child in children(tree, root) if tree.labels[child] in SUBJECTS]
        if len(subjects) != 1 or not is_verbal(tree.tags[root]):
            return None
        subject, verb = subjects[0], root
        span = subtree(tree, subject)
        if span is None or span[0] != 0:
            return None
        predicate = span[1]
        if tree.tags[subject] not in _NOUNS + _NAMES:
            return None
    if not subject < predicate <= verb or tree.words[predicate - 1] == ",":
        return None
    return Clause(_heads(tree, subject, predicate), subject, predicate, verb)


def _heads(tree: Dependencies, subject: int, end: int) -> tuple[tuple[str, ...], ...]:
    heads: list[tuple[str, ...]] = []
    waiting = [subject]
    while waiting:
        place = waiting.pop(0)
        below = [child for child in children(tree, place) if child < end]
        counts = [tree.words[child].lower() for child in below if tree.tags[child] == "CD"]
        heads.append((tree.words[place].lower(), tree.tags[place], *counts))
        waiting += [child for child in below if tree.labels[child] == "conj"]
        for child in below:
            if tree.words[child].lower() == "of" and tree.tags[place] not in _NAMES:
                waiting += [grandchild for grandchild in children(tree, child) if grandchild < end]
    return tuple(heads)


def _key(heads: tuple[tuple[str, ...], ...], language: Language) -> tuple[tuple[str, ...], ...]:
    """Equal for subjects that can be the same: "a group of men" and "guys"."""
    if len(heads) > 1 and heads[0][0] in language.collectives:
        heads = heads[1:]
    key = []
    for word, *rest in heads:
        kind = next((min(kind) for kind in language.same_kind if word in kind), word)
        key.append((kind, *rest))
    return tuple(key)


def _governors(tree: Dependencies, place: int, stem: partial[str]) -> tuple[str, ...]:
    """The words above a noun, up to the first verb or noun, and the label of the arc to the noun."""
    path = [tree.labels[place]]
    if path[0] not in ("dobj", "pobj", "attr"):
        return (f"{place} has no role",)
    while tree.heads[place] != place:
        place = tree.heads[place]
        path.append(stem(tree.words[place]))
        if is_verbal(tree.tags[place]) or tree.tags[place].startswith("NN"):
            break
    return tuple(path)


def _is_coordinated(tree: Dependencies, place: int) -> bool:
    return any(tree.labels[child] in ("conj", "cc") for child in children(tree, place))


def _is_passive(tree: Dependencies, verb: int) -> bool:
    return tree.tags[verb] == "VBN" and not any(
        tree.words[child].lower() in ("has", "have", "had") for child in children(tree, verb)
    )


def subtree(tree: Dependencies, place: int) -> tuple[int, int] | None:
    """The first place and the place after the last of a word with all below it; None if they are not contiguous."""
    members = {place}
    waiting = [place]
    while waiting:
        below = [child for child in children(tree, waiting.pop()) if child not in members]
        members.update(below)
        waiting += below
    begin, end = min(members), max(members) + 1
    # A final mark may depend on the word; it belongs to the sentence.
    while end - 1 > place and tree.labels[end - 1] == "punct":
        members.discard(end - 1)
        end -= 1
    return (begin, end) if len(members) == end - begin else None


def stem(word: str, language: Language) -> str:
    """The stem of a word, or the first form of an irregular one."""
    small = word.lower()
    if small in language.irregular:
        return language.irregular[small]
    try:
        return stem_word(small, language.stemmer) if language.stemmer else small
    except ParaphrastError:  # without the stemmer only equal forms are the same verb
        return small
