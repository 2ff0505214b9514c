"""Whether a new sentence is well formed: its dependencies occur in the input sentences, and it has one root.

The new sentence is parsed. Every dependency (word, label, head's word) should occur in some sentence of the cluster:
then each argument has the same predicate, and each modifier the same noun, as in a source. A sentence whose halves do
not fit is parsed with arcs that no source has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.msa.joins import SUBJECTS, children
from paraphrast.text.syntax.parser import Dependencies

Arc = tuple[str, str, str]
#: Labels that parsers confuse, or that differ for reasons unrelated to the meaning, and the label that replaces them.
_SAME = {
    "nsubjpass": "nsubj",
    "csubjpass": "csubj",
    "auxpass": "aux",
    "agent": "prep",
    "acomp": "attr",
    "oprd": "attr",
    "nmod": "compound",
    "relcl": "clause",
    "acl": "clause",
    "advcl": "clause",
}
#: Modifiers that a parser may attach to another word without a noticeable change of meaning.
_MOVABLE = frozenset({"prep", "advmod", "clause", "cc", "det", "punct", "dep", "intj", "mark", "aux"})
_DETERMINERS = frozenset({"det", "poss", "nummod", "predet"})
#: Tags of finite verbs.
FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})


@dataclass(frozen=True)
class Verdict:
    """sound: whether the sentence passes. agreement: the share of its arcs that occur in the cluster. fault: the first
    reason why it does not pass."""

    sound: bool
    agreement: float
    fault: str = ""


def arcs_of(tree: Dependencies) -> list[Arc]:
    """The dependencies by word, without punctuation."""
    return [
        (word.lower(), _SAME.get(label, label), "" if head == place else tree.words[head].lower())
        for place, (word, head, label) in enumerate(zip(tree.words, tree.heads, tree.labels, strict=True))
        if label != "punct"
    ]


def known_arcs(trees: Sequence[Dependencies]) -> frozenset[Arc]:
    """The dependencies of a cluster."""
    return frozenset(arc for tree in trees for arc in arcs_of(tree))


def has_finite_root(tree: Dependencies) -> bool:
    """Whether a root is a finite verb or has a finite auxiliary, and has a subject (or is a one-word command)."""
    for place, head in enumerate(tree.heads):
        if head != place:
            continue
        below = children(tree, place)
        finite = tree.tags[place] in FINITE or any(
            tree.tags[child] in FINITE and tree.labels[child].startswith("aux") for child in below
        )
        if finite and any(tree.labels[child] in SUBJECTS for child in below):
            return True
    return False


def root_count(tree: Dependencies) -> int:
    """Words that depend on no other word, without punctuation."""
    return sum(
        head == place and tree.labels[place] != "punct" and any(map(str.isalnum, tree.words[place]))
        for place, head in enumerate(tree.heads)
    )


def _roots(tree: Dependencies) -> Counter[str]:
    return Counter(
        word.lower()
        for place, word in enumerate(tree.words)
        if tree.heads[place] == place and tree.labels[place] != "punct" and any(map(str.isalnum, word))
    )


def disagrees(tree: Dependencies) -> bool:
    """Whether a singular subject has a plural verb ("a man pick"), or a plural one a singular verb ("people is")."""
    for place, head in enumerate(tree.heads):
        if tree.labels[place] not in SUBJECTS or place > head:
            continue
        auxiliaries = [child for child in children(tree, head) if tree.labels[child] in ("aux", "auxpass")]
        verb = auxiliaries[0] if auxiliaries else head
        if tree.tags[place] == "NNS" and tree.tags[verb] == "VBZ" and not _is_several(tree, place):
            return True
        if tree.tags[verb] == "VBZ" and tree.tags[place].startswith("NN") and is_pair(tree, place, verb):
            return True
        plural = tree.tags[verb] == "VBP" or (tree.tags[verb] == "VB" and tree.labels[verb] == "ROOT")
        if tree.tags[place] == "NN" and plural and not _is_several(tree, place):
            return True
    return False


def is_pair(tree: Dependencies, place: int, verb: int) -> bool:
    """Whether "and" joins another noun to a noun, before the verb.

    In "a woman in a shirt and skirt" a parser may join the skirt to the woman: the second noun of a pair follows the
    first directly, or has an article of its own.
    """
    below = [child for child in children(tree, place) if child < verb]
    joined = {child for child in below if tree.labels[child] == "cc" and tree.words[child].lower() == "and"}
    return any(
        tree.labels[child] == "conj"
        and tree.tags[child].startswith("NN")
        and (place + 1 in joined or any(tree.labels[at] == "det" for at in children(tree, child)))
        for child in below
        if joined
    )


def _is_several(tree: Dependencies, place: int) -> bool:
    """Whether a noun may have a singular or a plural verb: "a group of people are", "a man and a woman sit"."""
    below = children(tree, place)
    return any(tree.words[child].lower() == "of" or tree.labels[child] in ("conj", "cc") for child in below)


def lacks_article(tree: Dependencies, place: int) -> bool:
    """Whether a singular noun at the beginning, a subject or root, has no article or other determiner."""
    below = children(tree, place)
    return (
        tree.tags[place] == "NN"
        and not any(tree.labels[child] in _DETERMINERS for child in below)
        and min((place, *below)) == 0
        and (tree.labels[place] in SUBJECTS or tree.labels[place] == "ROOT")
    )


def contradicts(
    tree: Dependencies, sources: Sequence[Dependencies], exclusive: Sequence[frozenset[str]]
) -> bool:
    """Whether an adjective excludes the one that a source has with the same noun ("black" and "brown puppy")."""
    for source in sources:
        given = _qualities(source)
        for noun, words in _qualities(tree).items():
            for group in exclusive:
                ours, theirs = words & group, given.get(noun, frozenset()) & group
                if ours and theirs and not ours & theirs:
                    return True
    return False


def _qualities(tree: Dependencies) -> dict[str, frozenset[str]]:
    """Noun → all its adjectives."""
    qualities: dict[str, frozenset[str]] = {}
    for word, head, label in zip(tree.words, tree.heads, tree.labels, strict=True):
        if label == "amod":
            noun = tree.words[head].lower()
            qualities[noun] = qualities.get(noun, frozenset()) | {word.lower()}
    return qualities


def _is_kindred(arc: Arc, known: frozenset[Arc], same_kind: Sequence[frozenset[str]]) -> bool:
    """Whether another noun for the same person ("man", "guy") is the subject of the verb in a sentence."""
    word, label, head = arc
    return label == "nsubj" and any(
        word in kind and any((other, label, head) in known for other in kind) for kind in same_kind
    )


def judge_tree(
    tree: Dependencies,
    known: frozenset[Arc],
    sources: Sequence[Dependencies],
    spare: int = 1,
    exclusive: Sequence[frozenset[str]] = (),
    same_kind: Sequence[frozenset[str]] = (),
    verbless: bool = False,
) -> Verdict:
    """Judge a parsed new sentence by the arcs of its cluster and the trees of its source sentences.

    spare: number of modifiers that may depend on another word than in the input sentences. exclusive: groups of words
    that exclude each other. same_kind: groups of nouns that can be the subject of each other's verbs. verbless: a
    sentence without a finite verb passes; it is completed later.
    """
    arcs = arcs_of(tree)
    strange = [arc for arc in arcs if arc not in known and not _is_kindred(arc, known, same_kind)]
    agreement = 1 - len(strange) / max(len(arcs), 1)
    if root_count(tree) > 1 and not any(_roots(tree) <= _roots(source) for source in sources):
        return Verdict(False, agreement, "more than one main clause")
    if not verbless and any(map(has_finite_root, sources)) and not has_finite_root(tree):
        return Verdict(False, agreement, "no finite verb with a subject")
    if disagrees(tree):
        return Verdict(False, agreement, "subject and verb do not agree in number")
    if contradicts(tree, sources, exclusive):
        return Verdict(False, agreement, "contradictory adjectives")
    # A clause may be attached elsewhere, but no other clause becomes one ("arrested Smith allegedly drove away").
    roles = {(word, label) for word, label, _ in known}
    firm = [arc for arc in strange if arc[1] not in _MOVABLE or (arc[1] == "clause" and arc[:2] not in roles)]
    if firm:
        word, label, head = firm[0]
        return Verdict(False, agreement, f"{label}({head or 'root'}, {word}) occurs in no input sentence")
    if len(strange) > spare:
        return Verdict(False, agreement, "modifiers depend on other words than in the input sentences")
    return Verdict(True, agreement)
