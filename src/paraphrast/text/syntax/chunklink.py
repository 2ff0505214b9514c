"""Bracketed trees → chunk tags and traces, by Chunklink's rules (Buchholz 2000, the converter behind CoNLL-2000).

A tree is pruned (a verb group becomes one flat VP, an adjective phrase before a noun becomes part of its NP), heads are
found by lists of tags, and a chunk is the part of a constituent up to its head. The *trace* of a word (Shen and others
2006, section 3.2.1; Chunklink's "IOB chain") is the path of its constituents from the root, each with B if the word is
its first and I otherwise.

>>> tree = read_tree("(S (NP (PRP I)) (VP (VBD visited) (NP (NNP Milan) (NNP Theater))))")
>>> [(word.word, word.chunk, "/".join(word.trace)) for word in chunk_words(tree)][-1]
('Theater', 'I-NP', 'I-S/I-VP/I-NP')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from paraphrast.errors import FormatError

#: Tags (by their beginning) that can be the head of a constituent; the last such word of a constituent is its head.
_HEAD_TAGS = {
    "ADJP": r"JJ|RB|VB|IN|UH|FW|RP|\$|#|DT|NN",
    "ADVP": r"RB|IN|TO|DT|PDT|JJ|RP|FW|LS|UH|CC|NN|CD|VB",
    "CONJP": r"CC|IN|RB",
    "INTJ": r"UH|RB|NN|VB|FW|JJ",
    "LST": r"LS|JJ|:",
    "NAC": r"NN",
    "NOLABEL": r"[A-Z]",
    "NP": r"NN|CD|PRP|JJ|DT|EX|IN|RB|VB|FW|SYM|UH|WP|WDT",
    "NX": r"NN|CD|PRP|JJ|DT|EX|FW|SYM|UH|WP|WDT",
    "PP": r"IN|TO|RB|VBG|VBN|JJ|RP|CC|FW",
    "PRT": r"RP|IN|RB|JJ",
    "QP": r"CD|DT|NN|JJ",
    "SBAR": r"IN|WDT",
    "UCP": r"JJ|NN|VB|CD",
    "VP": r"VB|MD|TO|JJ|NN|POS|FW|SYM",
    "WHADJP": r"JJ",
    "WHADVP": r"WRB|IN|RB|WDT",
    "WHNP": r"WDT|WP|CD|DT|IN|NN|JJ|RB",
    "WHPP": r"IN|TO",
}
#: Daughters that can be the head of a constituent without such a word. Only their presence matters here: an adjective
#: phrase after one of them is not changed.
_HEAD_DAUGHTERS = {
    "ADJP": r"ADJP",
    "NP": r"NP|NX|.*-NOM",
    "WHNP": r"WHNP|NP",
}
_DISSOLVED = frozenset({"NAC", "QP", "NX", "X"})
_DISSOLVED_BEFORE_HEAD = frozenset({("NP", "ADJP"), ("NP", "UCP"), ("WHNP", "WHADJP"), ("ADJP", "ADVP")})
#: Labels that parsers put around the whole tree; Chunklink knows the empty one.
_WRAPPERS = frozenset({"", "NOLABEL", "TOP", "ROOT", "S1"})
_TRACE = re.compile(r"\*")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
_CATEGORY = re.compile(r"[A-Z]+")
_ITEMS = re.compile(r"[()]|[^\s()]+")


@dataclass(slots=True)
class Tree:
    """A constituent (``label``, ``children``) or a word (``label`` is its tag; ``word`` is empty for a trace)."""

    label: str
    children: list[Tree] = field(default_factory=list)
    word: str | None = None

    @property
    def is_word(self) -> bool:
        """Whether this is a leaf, a word or a trace."""
        return self.word is not None

    @property
    def is_trace(self) -> bool:
        """Whether this is an empty leaf."""
        return self.word == ""

    @property
    def category(self) -> str:
        """The label without functions: NP for NP-SBJ."""
        match = _CATEGORY.match(self.label)
        return match[0] if match else "NOLABEL"


@dataclass(frozen=True, slots=True)
class WordSyntax:
    """A word, its part of speech, its chunk tag and its trace."""

    word: str
    tag: str
    chunk: str
    trace: tuple[str, ...]


def read_tree(text: str) -> Tree:
    """One tree in Penn brackets. Empty elements are traces; -LRB- and similar become brackets again."""
    trees = list(read_trees(text))
    if len(trees) != 1:
        raise FormatError(f"expected one bracketed tree, got {len(trees)}: {text[:60]!r}")
    return trees[0]


def read_trees(text: str) -> Iterator[Tree]:
    """All trees of a text, in order."""
    stack: list[Tree] = []
    items = _ITEMS.findall(text)
    at = 0
    while at < len(items):
        item = items[at]
        at += 1
        if item == "(":
            label = items[at] if at < len(items) and items[at] not in "()" else ""
            at += bool(label)
            if label and at + 1 < len(items) and items[at] not in "()" and items[at + 1] == ")":
                leaf = _leaf(label, items[at])
                at += 2
                if not stack:
                    raise FormatError(f"expected a tree around the word {items[at - 2]!r}")
                if leaf is not None:
                    stack[-1].children.append(leaf)
                continue
            stack.append(Tree(re.sub(r"[-=]\d+", "", label) or "NOLABEL"))
        elif item == ")":
            if not stack:
                raise FormatError(f"expected as many ( as ), got a ) too many in {text[:60]!r}")
            done = stack.pop()
            if stack:
                stack[-1].children.append(done)
            else:
                yield done
        else:
            raise FormatError(f"expected (TAG word) or (LABEL …), got {item!r} alone")
    if stack:
        raise FormatError(f"expected as many ( as ), got {len(stack)} open at the end of {text[-60:]!r}")


def _leaf(tag: str, word: str) -> Tree | None:
    """A word; a trace; None for an empty complementiser, which Chunklink ignores."""
    if tag == "-NONE-":
        return Tree(tag, word="") if _TRACE.match(word) else None
    return Tree(_BRACKETS.get(tag, tag), word=_BRACKETS.get(word, word))


def chunk_words(tree: Tree) -> list[WordSyntax]:
    """The words of a tree with chunk tags and traces. The tree is pruned in place."""
    root = tree
    while root.label in _WRAPPERS and len(root.children) == 1 and not root.children[0].is_word:
        root = root.children[0]
    heads: set[int] = set()
    _prune(root, heads)
    _cut_traces(root)
    leaves: list[_Leaf] = []
    _walk(root, [], heads, leaves, [0])
    if leaves:
        _tag_chunks(leaves)
    return [WordSyntax(leaf.node.word or "", leaf.node.label, leaf.chunk, leaf.trace) for leaf in leaves]


def _prune(node: Tree, heads: set[int]) -> None:
    """Flatten like Chunklink, and collect the words that are heads of their constituents (by identity)."""
    category = node.category
    head_tags = re.compile(_HEAD_TAGS[category]) if category in _HEAD_TAGS else None
    head_daughters = re.compile(_HEAD_DAUGHTERS[category]) if category in _HEAD_DAUGHTERS else None
    head_words: list[int] = []
    head_phrases = 0
    adverbs: list[int] = []
    at = 0
    while at < len(node.children):
        child = node.children[at]
        only_verbs_before = bool(head_words or adverbs) and at == len(head_words) + len(adverbs)
        if child.is_word:
            if child.is_trace:
                if len(node.children) == 1:
                    head_words.append(at)
            else:
                if head_tags is not None and head_tags.match(child.label):
                    head_words.append(at)
                if child.label.startswith("RB"):
                    adverbs.append(at)
            at += 1
            continue
        kind = child.category
        parts: list[Tree] | None = None
        before_head = (category, kind) in _DISSOLVED_BEFORE_HEAD and not head_phrases
        if kind in _DISSOLVED or before_head or (category == kind == "VP" and only_verbs_before):
            parts = child.children
        elif category == "VP" and only_verbs_before and _is_clause_with_subject(child):
            parts = _opened_clause(child)
        if parts is not None:
            node.children[at : at + 1] = parts
            continue
        if category == "VP" and kind == "ADVP":
            adverbs.append(at)
        elif (
            head_daughters is not None
            and head_daughters.match(child.label)
            and not _is_possessor(node, at, category)
        ):
            head_phrases += 1
        at += 1
    if head_words:
        heads.add(id(node.children[head_words[-1]]))
        if category == "VP":
            _open_adverbs(node, adverbs, head_words[-1])
    for child in node.children:
        if not child.is_word:
            _prune(child, heads)


def _is_clause_with_subject(child: Tree) -> bool:
    """Whether this is an S without function that begins with a subject, which Chunklink may open inside a VP."""
    return (
        child.label == "S"
        and len(child.children) >= 2
        and not child.children[0].is_word
        and "-SBJ" in child.children[0].label
    )


def _opened_clause(clause: Tree) -> list[Tree] | None:
    """The replacement of a clause in a VP: "make [them] [fearful]", "expected [to take]"; None for no change."""
    subject, second = clause.children[0], clause.children[1]
    if second.label.endswith("-PRD"):
        subject.label = subject.label.replace("-SBJ", "", 1)
        return clause.children
    if len(subject.children) == 1 and subject.children[0].is_trace and second.label == "VP":
        return clause.children[1:]
    return None


def _is_possessor(node: Tree, at: int, category: str) -> bool:
    """Whether this is an NP that ends in 's before another NP, so that it has no head."""
    if category != "NP" or at + 1 >= len(node.children):
        return False
    following = node.children[at + 1]
    child = node.children[at]
    return (
        not following.is_word
        and following.label.startswith("NP")
        and bool(child.children)
        and child.children[-1].is_word
        and child.children[-1].label == "POS"
    )


def _open_adverbs(node: Tree, adverbs: list[int], last_verb: int) -> None:
    """Adverb phrases before the last verb of a VP become part of its chunk."""
    added = 0
    for adverb in adverbs:
        if adverb >= last_verb:
            break
        child = node.children[adverb + added]
        if not child.is_word:
            node.children[adverb + added : adverb + added + 1] = child.children
            added += len(child.children) - 1


def _cut_traces(node: Tree) -> None:
    for child in node.children:
        if not child.is_word:
            _cut_traces(child)
    node.children = [
        child for child in node.children if not child.is_trace and (child.is_word or child.children)
    ]


@dataclass(slots=True)
class _Leaf:
    node: Tree
    is_head: bool
    category: str
    number: int  # of the constituent that contains it
    trace: tuple[str, ...]
    chunk: str = ""


def _walk(
    node: Tree, above: list[tuple[str, int]], heads: set[int], leaves: list[_Leaf], count: list[int]
) -> None:
    """Collect the words with the numbers of their constituents. ``above``: labels, and places of first words."""
    count[0] += 1
    number = count[0]
    path = [*above, (node.category, len(leaves))]
    for child in node.children:
        if child.is_word:
            place = len(leaves)
            trace = tuple(f"{'B' if first == place else 'I'}-{label}" for label, first in path)
            leaves.append(_Leaf(child, id(child) in heads, node.category, number, trace))
        else:
            _walk(child, path, heads, leaves, count)


def _tag_chunks(leaves: list[_Leaf]) -> None:
    """From the last word to the first: a head begins a chunk, and earlier words of its constituent belong to it."""
    old_number = -1
    head = ("", -1)
    following: _Leaf | None = None
    for leaf in reversed(leaves):
        category = leaf.category.removeprefix("WH") if leaf.category != "WH" else leaf.category
        number = leaf.number
        if leaf.is_head:
            head = (category, number)
            leaf.chunk = f"I-{category}"
        elif (category, number) == head:
            leaf.chunk = f"I-{category}"
        elif leaf.node.label == "POS":  # 's begins the next NP, or is one
            leaf.chunk = "I-NP"
            number = old_number if following is not None and following.chunk[1:] == "-NP" else -2
        else:
            leaf.chunk = "O"
        if old_number != number and following is not None:
            following.chunk = _begun(following.chunk)
        old_number = number
        following = leaf
    leaves[0].chunk = _begun(leaves[0].chunk)


def _begun(chunk: str) -> str:
    return "B" + chunk[1:] if chunk.startswith("I-") else chunk
