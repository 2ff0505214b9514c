"""Dependency trees → constituents, by head projection.

Every word with dependents, and every single noun, verb, preposition, adverb and predicate, projects a constituent over
its dependents. The label depends on the part of speech of the head:

- a **verb** projects a VP over itself, its auxiliaries and what follows, and an S over the VP and everything before it
  from the subject on; subordinating words and relative pronouns make it an SBAR; without a subject, an infinitive or
  participle remains a VP within a VP (the chunker joins "expected to take") or within an NP;
- a **noun** (pronoun, number, determiner without a noun) projects an NP over the words before it, and a second NP over
  that and what follows it: prepositional phrases, relative clauses, appositions;
- a **preposition** projects a PP, an **adjective** an ADJP, an **adverb** an ADVP, a **particle** a PRT, an
  **interjection** an INTJ; question and relative words have the same labels with WH before them;
- **coordination** makes one constituent with the label of the first part over the parts and the conjunction, flat if
both
  parts are single words.

Labels and shapes are those of the Penn Treebank, so that :mod:`~paraphrast.text.syntax.chunklink` can process both.
Crossing edges are first moved to the nearest ancestor where they do not cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from paraphrast.errors import InputError
from paraphrast.text.syntax.chunklink import Tree

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_AUXILIARIES = frozenset({"aux", "auxpass", "neg", "cop"})
_MARKS = frozenset({"mark", "complm"})
_QUANTITIES = frozenset({"advmod", "quantmod", "nummod", "npadvmod", "predet", "neg"})
_BEFORE_NOUN = frozenset(
    {"det", "amod", "compound", "nummod", "poss", "nmod", "predet", "quantmod", "case", "advmod", "nn", "neg",
     "punct", "preconj", "meta", "prep", "npadvmod", "flat", "fixed"}
)  # fmt: skip
_WITHIN_NAME = frozenset({"flat", "fixed", "compound", "case", "nummod", "quantmod"})
#: Penn tags of the universal parts of speech, for parsers without Penn tags.
UNIVERSAL = {
    "ADJ": "JJ", "ADP": "IN", "ADV": "RB", "AUX": "MD", "CCONJ": "CC", "CONJ": "CC", "DET": "DT", "INTJ": "UH",
    "NOUN": "NN", "NUM": "CD", "PART": "RP", "PRON": "PRP", "PROPN": "NNP", "PUNCT": ".", "SCONJ": "IN",
    "SYM": "SYM", "VERB": "VB", "X": "FW",
}  # fmt: skip


def tree_of(words: Sequence[str], tags: Sequence[str], heads: Sequence[int], deps: Sequence[str]) -> Tree:
    """The constituents of one sentence. heads: the position of each word's head; a root is its own head."""
    count = len(words)
    if not len(tags) == len(heads) == len(deps) == count:
        raise InputError(f"expected a tag, a head and a dependency per word, {count} each")
    if any(not 0 <= head < count for head in heads):
        raise InputError("expected heads within the sentence")
    return _Builder(words, tags, _projective(heads), deps).sentence()


def _projective(heads: Sequence[int]) -> list[int]:
    """Heads such that every subtree is a contiguous span: crossing edges are lifted (Nivre and Nilsson 2005)."""
    lifted = list(heads)
    roots = [word for word, head in enumerate(lifted) if head == word]
    if not roots:
        raise InputError("expected a root, a word that is its own head")
    tops = [_top(lifted, word) for word in range(len(lifted))]
    if any(first > second for first, second in pairwise(tops)):  # the words of two roots are mixed
        for root in roots[1:]:
            lifted[root] = roots[0]
    while (crossing := _crossing(lifted)) >= 0:
        lifted[crossing] = lifted[lifted[crossing]]
    return lifted


def _crossing(heads: list[int]) -> int:
    """The dependent of the shortest edge that spans a word outside its head's subtree; −1 if there is none."""
    best = (len(heads) + 1, -1)
    for word, head in enumerate(heads):
        if head == word or heads[head] == head:
            continue  # nothing is above a root
        for between in range(min(word, head) + 1, max(word, head)):
            if not _below(heads, between, head):
                best = min(best, (abs(word - head), word))
                break
    return best[1]


def _top(heads: list[int], word: int) -> int:
    for _ in range(len(heads)):
        if heads[word] == word:
            return word
        word = heads[word]
    raise InputError("expected dependencies without a cycle")


def _below(heads: list[int], word: int, ancestor: int) -> bool:
    while word != ancestor:
        if heads[word] == word:
            return False
        word = heads[word]
    return True


def _phrase_label(tag: str) -> str:
    """The phrase label of a single word."""
    for beginnings, label in ((("JJ", "VB"), "ADJP"), (("RB",), "ADVP"), (("CD",), "QP")):
        if tag.startswith(beginnings):
            return label
    return "NX"


def _leaves(tree: Tree) -> list[Tree]:
    return [tree] if tree.is_word else [leaf for child in tree.children for leaf in _leaves(child)]


class _Builder:
    def __init__(
        self, words: Sequence[str], tags: Sequence[str], heads: list[int], deps: Sequence[str]
    ) -> None:
        self.words = words
        self.tags = [UNIVERSAL.get(tag, tag) for tag in tags]
        self.deps = [dep.partition(":")[0].lower() for dep in deps]
        self.heads = heads
        self.children: list[list[int]] = [[] for _ in words]
        self.roots: list[int] = []
        for word, head in enumerate(heads):
            (self.roots if head == word else self.children[head]).append(word)

    def sentence(self) -> Tree:
        """All roots under one S."""
        parts = [self.phrase(root) for root in self.roots]
        if len(parts) == 1 and parts[0].label in ("S", "SINV", "SQ"):
            return parts[0]
        return Tree("S", parts)

    def leaf(self, word: int) -> Tree:
        return Tree(self.tags[word] or "X", word=self.words[word])

    def phrase(self, head: int) -> Tree:
        """The constituent of a word and all below it."""
        conjuncts = [child for child in self.children[head] if self.deps[child] == "conj" and child > head]
        if conjuncts:
            return self.coordination(head, conjuncts[0])
        return self.simple(head, self.children[head])

    def coordination(self, head: int, conjunct: int) -> Tree:
        """First part, the words between, the rest; the rest may be a coordination again."""
        links = {"cc", "punct", "preconj"}
        conjuncts: list[int] = []
        joining: list[int] = []
        after: list[int] = []
        first_link = min(
            [child for child in self.children[head] if head < child < conjunct and self.deps[child] in links],
            default=conjunct,
        )
        for child in self.children[head]:
            if child < first_link:
                conjuncts.append(child)
            elif child < conjunct:
                joining.append(child)
            elif child > conjunct:
                after.append(child)
        first = self.simple(head, conjuncts)
        second = self.phrase(conjunct)
        if first.is_word:  # "old and beautiful" before a noun
            first = Tree(_phrase_label(first.label), [first])
        subject = None
        if first.label == "S" and second.label in ("VP", "S") and not self.has_subject(conjunct):
            # "He came and saw": one subject, two verb phrases.
            place = next((i for i, part in enumerate(first.children) if part.label == "VP"), None)
            if place is not None and place == len(first.children) - 1:
                subject = first
                first = first.children[place]
                if second.label == "S" and len(second.children) == 1:
                    second = second.children[0]
        middle = [self.phrase(child) for child in joining]
        parts = [first, *middle, second]
        if first.label not in ("S", "VP") and all(len(_leaves(part)) == 1 for part in (first, second)):
            parts = [*_leaves(first), *middle, *_leaves(second)]
        combined = Tree(first.label, parts)
        rest = [self.phrase(child) for child in after]
        if subject is not None:
            inside = max((at + 1 for at, part in enumerate(rest) if not part.is_word), default=0)
            combined.children += rest[:inside]
            return Tree(subject.label, [*subject.children[:-1], combined, *rest[inside:]])
        if rest:
            combined = (
                Tree(combined.label, [combined, *rest])
                if combined.label != "S"
                else Tree("S", [*combined.children, *rest])
            )
        return combined

    def has_subject(self, word: int) -> bool:
        return any(self.deps[child] in _SUBJECTS for child in self.children[word])

    def simple(self, head: int, children: Sequence[int]) -> Tree:
        """A constituent without coordination at its top."""
        tag, dep = self.tags[head], self.deps[head]
        if self.is_clause(head, children):
            return self.clause(head, children)
        if dep == "prt" or (tag == "RP" and not children):
            return self.around("PRT", head, children)
        if (tag in ("IN", "TO") and dep not in _MARKS) or (tag in ("VBG", "VBN") and dep == "prep"):
            return self.around("WHPP" if self.asks(children) else "PP", head, children)
        if tag.startswith("JJ") and dep not in ("nsubj", "nsubjpass", "pobj", "dobj", "attr", "obj", "obl"):
            return self.adjective(head, children)
        if tag.startswith("RB") or tag == "WRB":
            label = "WHADVP" if tag == "WRB" else "ADVP"
            return self.leaf(head) if dep == "neg" and not children else self.around(label, head, children)
        if tag == "UH":
            return self.around("INTJ", head, children)
        if tag.startswith(("NN", "PRP", "CD", "WP", "EX", "JJ", "FW", "$", "SYM")) or tag in ("DT", "WDT"):
            return self.noun(head, children)
        if tag.startswith("VB") or tag == "MD":
            return self.around("VP", head, children)
        if not children:
            return self.leaf(head)
        return self.around("X" if tag in ("CC", "POS") else "FRAG", head, children)

    def is_clause(self, head: int, children: Sequence[int]) -> bool:
        """Whether this is a verb or a predicate with a copula, and not a participle before a noun."""
        tag, dep = self.tags[head], self.deps[head]
        if any(self.deps[child] in _SUBJECTS | _AUXILIARIES - {"neg"} for child in children):
            return dep not in ("amod",) or tag.startswith("VB")
        return tag.startswith("VB") and dep not in ("amod", "compound", "aux", "auxpass", "prep", "case")

    def asks(self, children: Sequence[int]) -> bool:
        return any(self.tags[child] in ("WP", "WDT", "WP$") for child in children)

    def around(self, label: str, head: int, children: Sequence[int]) -> Tree:
        """Head and dependents in order, flat."""
        parts = [self.leaf(word) if word == head else self.phrase(word) for word in sorted([*children, head])]
        return Tree(label, parts)

    def adjective(self, head: int, children: Sequence[int]) -> Tree:
        if not children and self.deps[head] in ("amod", "compound", "nmod", "quantmod", "nummod"):
            return self.leaf(head)
        return self.around("ADJP", head, children)

    def noun(self, head: int, children: Sequence[int]) -> Tree:
        """Base NP up to the head, and a second NP over what follows."""
        tag, dep = self.tags[head], self.deps[head]
        if not children and dep in (
            "det",
            "nummod",
            "compound",
            "quantmod",
            "predet",
            "nn",
            "flat",
            "preconj",
        ):
            return self.leaf(head)
        label = "WHNP" if tag in ("WP", "WDT", "WP$") else "NP"
        base: list[Tree] = []
        after: list[Tree] = []
        before: list[Tree] = []
        for word in sorted([*children, head]):
            if word == head:
                base.append(self.leaf(head))
            elif word < head:
                part = self.phrase(word)
                if self.deps[word] == "poss" and part.is_word and self.tags[word] in ("PRP$", "WP$"):
                    base.append(part)
                elif self.deps[word] in _BEFORE_NOUN or part.is_word or base:
                    base.append(self.inner(word, part))
                else:
                    before.append(part)
            elif not after and self.deps[word] in _WITHIN_NAME:
                base += self.inner_parts(word)
            else:
                after.append(self.phrase(word))
        noun_phrase = Tree(label, base)
        if not before and not after:
            return noun_phrase
        return Tree(label, [*before, noun_phrase, *after])

    def inner(self, word: int, part: Tree) -> Tree:
        """A word before a noun: a name or number has no phrase, a possessor is an NP, others are unchanged."""
        if self.deps[word] in _QUANTITIES and not part.is_word:
            return Tree("QP", _leaves(part))  # "at least three" people; the chunker dissolves it
        if self.deps[word] in ("compound", "nn") and part.label == "NP":
            return Tree("NX", part.children)
        if part.label == "VP" and len(part.children) == 1:
            return part.children[0]
        if self.deps[word] == "amod" and part.label in ("VP", "S"):
            return Tree("ADJP", part.children)
        return part

    def inner_parts(self, word: int) -> list[Tree]:
        part = self.phrase(word)
        return [part] if part.is_word else part.children

    def clause(self, head: int, children: Sequence[int]) -> Tree:
        """VP from the first auxiliary on, S from the first dependent on, SBAR with subordinating words."""
        subjects = [child for child in children if self.deps[child] in _SUBJECTS]
        left_subjects = [child for child in subjects if child < head]
        opening: list[Tree] = []  # of the SBAR
        before: list[Tree] = []  # of the S, before its VP
        verb: list[Tree] = []
        after: list[Tree] = []  # of the S, after its VP
        last_subject = max(left_subjects, default=-1)
        first_auxiliary = min([child for child in children if self.deps[child] in _AUXILIARIES], default=head)
        inverted = bool(subjects) and not left_subjects
        stops = self.trailing_stops(head, children)
        for word in sorted([*children, head]):
            if word == head:
                verb += self.predicate(head)
                continue
            dep = self.deps[word]
            if word in stops or (inverted and word > head and dep in _SUBJECTS) or (after and word > head):
                after.append(self.phrase(word))
            elif word > head:
                verb.append(self.phrase(word))
            elif not before and not verb and (dep in _MARKS or self.relates(word)):
                bare = dep in _MARKS and not self.children[word]
                opening.append(self.leaf(word) if bare else self.phrase(word))
            elif dep in _AUXILIARIES and word > last_subject:
                verb.append(self.leaf(word) if not self.children[word] else self.phrase(word))
            elif word > last_subject and (
                verb or (dep == "advmod" and (left_subjects or word > first_auxiliary))
            ):
                verb.append(self.phrase(word))
            else:
                before.append(self.phrase(word))
        phrase = Tree("VP", verb)
        alone = not before and not after and not opening and not subjects
        if alone and self.deps[head] in ("xcomp", "acl", "amod", "conj", "pcomp", "advcl", "ccomp"):
            return phrase if self.deps[head] in ("xcomp", "acl", "conj") else Tree("S", [phrase])
        clause = Tree("SINV" if inverted else "S", [*before, phrase, *after])
        leads = head < self.heads[head]  # "…, said the officer": the quotation is a clause of the sentence
        if opening or (self.deps[head] in ("ccomp", "relcl") and subjects and not leads):
            return Tree("SBAR", [*opening, clause])
        return clause

    def predicate(self, head: int) -> list[Tree]:
        """The verb; or the noun or adjective of a copula, which is a separate phrase."""
        tag = self.tags[head]
        if tag.startswith("VB") or tag == "MD":
            return [self.leaf(head)]
        return [Tree("ADJP" if tag.startswith("JJ") else "NP", [self.leaf(head)])]

    def trailing_stops(self, head: int, children: Sequence[int]) -> set[int]:
        """Punctuation that ends the clause."""
        stops: set[int] = set()
        for word in sorted(children, reverse=True):
            if word < head or self.deps[word] != "punct" or self.tags[word] == ",":
                break
            stops.add(word)
        return stops

    def relates(self, word: int) -> bool:
        """Whether a word, or its subtree, begins with a relative or question word."""
        first = word
        while True:
            below = [child for child in self.children[first] if child < first]
            if not below:
                break
            first = below[0]
        below_of = [first, word, *self.children[word]]
        return any(self.tags[word_below] in ("WP", "WDT", "WP$", "WRB") for word_below in below_of[:2]) or (
            self.tags[word] in ("IN", "TO") and self.asks(self.children[word])
        )
