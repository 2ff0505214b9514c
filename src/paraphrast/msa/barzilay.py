"""Barzilay and Lee (2003): paraphrases from two comparable corpora by lattices with slots, the ``msa`` baseline.

1. Sentences of a corpus are clustered by the words and word sequences they share, numbers and names being one word
   each (complete link, cosine of n-gram counts).
2. Each cluster is aligned word by word (match 1, mismatch −0.5, gap −0.01). *Backbone* nodes are shared by more than
   half of its sentences. What stands between two of them is a synonym where some filling is frequent
   (``synonymy``), and an argument *slot* elsewhere.
3. Lattices of the two corpora mean the same where sentences of the same day fill their slots alike: the best order
   of slots is searched, names and numbers counting twice.
4. A sentence is rewritten by the lattice it fits best: its arguments go into the slots of the lattice's partners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import Cluster, is_content, make_cluster
from paraphrast.msa.graph import WordGraph, word_graph
from paraphrast.msa.match import AlignOptions, get_version
from paraphrast.text.language import Language

#: Their scores of figure 3's three cases.
SCORES = AlignOptions(match=1.0, mismatch=-0.5, gap=-0.01, free_borders=False)
SLOT = "\N{WHITE SQUARE}"


@dataclass(frozen=True)
class BarzilayOptions:
    """similarity: the least cosine within a cluster. smallest: sentences a cluster needs. backbone: the share of
    sentences that must share a node. synonymy: the share of a filling that makes it a synonym and no argument.
    overlap: the least mean overlap of slot values for two lattices to mean the same."""

    similarity: float = 0.3
    smallest: int = 4
    ngrams: int = 4
    backbone: float = 0.5
    synonymy: float = 0.3
    overlap: float = 0.3


@dataclass(frozen=True)
class Template:
    """A lattice as it is used: backbone words and fixed alternatives, with slots between.

    parts: a word, or ``SLOT`` for an argument. sentences: those it was made of; values: what each puts into the slots.
    """

    parts: tuple[str, ...]
    sentences: tuple[int, ...]
    values: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def slots(self) -> int:
        """How many arguments."""
        return self.parts.count(SLOT)

    def text(self) -> str:
        """For people: slots as numbers in brackets."""
        number = 0
        words = []
        for part in self.parts:
            number += part == SLOT
            words.append(f"[{number}]" if part == SLOT else part)
        return " ".join(words)

    def filled(self, values: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """The words with these arguments."""
        if len(values) != self.slots:
            raise InputError(f"expected {self.slots} arguments, got {len(values)}")
        given = iter(values)
        words: list[str] = []
        for part in self.parts:
            words += list(next(given)) if part == SLOT else [part]
        return tuple(words)


@dataclass(frozen=True)
class TemplatePair:
    """Two templates that say the same; ``order[i]`` is the slot of ``second`` that takes slot i of ``first``."""

    first: Template
    second: Template
    order: tuple[int, ...]
    score: float


def group_sentences(cluster: Cluster, options: BarzilayOptions | None = None) -> list[list[int]]:
    """Groups of sentences of one structure, by complete link; those that are too small are left out."""
    settings = options or BarzilayOptions()
    if len(cluster) < 2:
        return []
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    similarity = _similarity(cluster, settings.ngrams)
    distance = np.clip(1.0 - similarity, 0.0, 1.0)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), method="complete")
    labels = fcluster(tree, 1.0 - settings.similarity, criterion="distance")
    groups: dict[int, list[int]] = {}
    for sentence, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(sentence)
    return sorted(group for group in groups.values() if len(group) >= settings.smallest)


def _generic(cluster: Cluster, sentence: int) -> list[str]:
    """Words, with numbers and names as one word each: arguments must not decide the structure."""
    words = []
    for place, word in enumerate(cluster.words[sentence]):
        if cluster.kinds[sentence][place] or any(map(str.isdigit, word)):
            words.append("<number>")
        elif place and word[:1].isupper():
            words.append("<name>")
        else:
            words.append(word.lower())
    return words


def _similarity(cluster: Cluster, longest: int) -> NDArray[np.float64]:
    counts: list[Counter[tuple[str, ...]]] = []
    for sentence in range(len(cluster)):
        words = _generic(cluster, sentence)
        counts.append(
            Counter(
                tuple(words[at : at + length])
                for length in range(1, longest + 1)
                for at in range(len(words) - length + 1)
            )
        )
    size = len(counts)
    norm = [sum(value * value for value in one.values()) ** 0.5 for one in counts]
    found = np.eye(size)
    for first in range(size):
        for second in range(first + 1, size):
            small, large = sorted((counts[first], counts[second]), key=len)
            dot = sum(value * large[key] for key, value in small.items())
            found[first, second] = found[second, first] = dot / (norm[first] * norm[second])
    return found


def make_template(
    cluster: Cluster, group: Sequence[int], options: BarzilayOptions | None = None
) -> Template | None:
    """The lattice of a group as backbone and slots; None where it has no backbone."""
    settings = options or BarzilayOptions()
    chosen = _chosen(cluster, group)
    graph = word_graph(chosen, align_cluster(chosen, get_version("V1"), align=SCORES))
    backbone = _backbone(graph, len(group), settings.backbone)
    if not backbone:
        return None
    fills = [_between(path, backbone) for path in graph.paths]
    parts: list[str] = []
    slots: list[int] = []
    for place in range(len(backbone) + 1):
        found = Counter(
            tuple(graph.words[node] for node in fill[place]) for fill in fills if fill is not None
        )
        kind = _gap_kind(found, settings.synonymy)
        if kind == SLOT:
            slots.append(place)
            parts.append(SLOT)
        elif kind:
            parts += list(found.most_common(1)[0][0])
        if place < len(backbone):
            parts.append(graph.words[backbone[place]])
    values = tuple(
        tuple(tuple(graph.words[node] for node in fill[place]) for place in slots)
        for fill in fills
        if fill is not None
    )
    kept = tuple(
        cluster.numbers[sentence] for sentence, fill in zip(group, fills, strict=True) if fill is not None
    )
    return Template(tuple(parts), kept, values)


def _chosen(cluster: Cluster, group: Sequence[int]) -> Cluster:
    return Cluster(
        cluster.language,
        tuple(cluster.words[one] for one in group),
        tuple(cluster.kinds[one] for one in group),
        tuple(cluster.spaces[one] for one in group),
        tuple(cluster.numbers[one] for one in group),
        tuple(cluster.same[one] for one in group),
        tuple(cluster.texts[one] for one in group),
    )


def _backbone(graph: WordGraph, count: int, share: float) -> list[int]:
    """Nodes that more than the share of the sentences have, in the order of the graph."""
    return [node for node in graph.order if len(graph.sentences[node]) > share * count]


def _between(path: Sequence[int], backbone: Sequence[int]) -> list[tuple[int, ...]] | None:
    """What a sentence has before, between and after the backbone's nodes; None where it lacks one."""
    place = {node: at for at, node in enumerate(path)}
    if any(node not in place for node in backbone):
        return None
    bounds = [-1, *(place[node] for node in backbone), len(path)]
    return [tuple(path[first + 1 : last]) for first, last in pairwise(bounds)]


def _gap_kind(found: Counter[tuple[str, ...]], synonymy: float) -> str:
    """ "" for nothing there, ``SLOT`` for an argument, anything else for wording that varies."""
    total = found.total()
    if not total or set(found) == {()}:
        return ""
    common, count = found.most_common(1)[0]
    if count / total > synonymy:
        return "wording" if common else ""
    return SLOT


def match_templates(
    first: Sequence[Template],
    second: Sequence[Template],
    same_event: Sequence[tuple[int, int]],
    language: Language,
    options: BarzilayOptions | None = None,
) -> list[TemplatePair]:
    """Templates of two corpora that mean the same: sentences of one event fill their slots alike.

    same_event: pairs of sentences (one of each corpus) written of one event, such as on the same day.
    """
    settings = options or BarzilayOptions()
    pairs = []
    by_first: dict[int, set[int]] = {}
    for one, other in same_event:
        by_first.setdefault(one, set()).add(other)
    for left in first:
        for right in second:
            if left.slots != right.slots or not left.slots or left.slots > 5:
                continue
            together = [
                (left.values[i], right.values[j])
                for i, one in enumerate(left.sentences)
                for j, other in enumerate(right.sentences)
                if other in by_first.get(one, ())
            ]
            if not together:
                continue
            best = max(
                ((_slot_overlap(together, order, language), order) for order in _orders(left.slots)),
                key=lambda found: found[0],
            )
            if best[0] >= settings.overlap:
                pairs.append(TemplatePair(left, right, best[1], best[0]))
    return sorted(pairs, key=lambda pair: -pair.score)


def _orders(slots: int) -> list[tuple[int, ...]]:
    return list(permutations(range(slots)))


def _slot_overlap(
    together: Sequence[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]],
    order: Sequence[int],
    language: Language,
) -> float:
    """Mean overlap of the words in matched slots; names and numbers count twice, function words nothing."""
    total = 0.0
    for left, right in together:
        shared = whole = 0.0
        for place, target in enumerate(order):
            one = {word for word in left[place] if is_content(word, language)}
            other = {word for word in right[target] if is_content(word, language)}
            shared += sum(_weight(word) for word in one & other)
            whole += sum(_weight(word) for word in one | other)
        total += shared / whole if whole else 0.0
    return total / len(together)


def _weight(word: str) -> float:
    return 2.0 if word[:1].isupper() or any(map(str.isdigit, word)) else 1.0


def rewrite(text: str, pairs: Sequence[TemplatePair], language: Language) -> list[tuple[str, TemplatePair]]:
    """The sentence as the partners of its template say it, best template first; nothing where none fits."""
    words = make_cluster([text], language).words[0]
    found = []
    for pair in pairs:
        for template, partner, order in (
            (pair.first, pair.second, pair.order),
            (pair.second, pair.first, tuple(pair.order.index(slot) for slot in range(len(pair.order)))),
        ):
            values = arguments_of(words, template)
            if values is None:
                continue
            moved: list[Sequence[str]] = [()] * len(values)
            for slot, target in enumerate(order):
                moved[target] = values[slot]
            found.append((" ".join(partner.filled(moved)), pair))
    return found


def arguments_of(words: Sequence[str], template: Template) -> list[tuple[str, ...]] | None:
    """What a sentence puts into a template's slots; None where it does not have the template's words in order."""
    small = [word.lower() for word in words]
    best: dict[tuple[int, int], list[tuple[str, ...]] | None] = {}

    def fit(part: int, at: int) -> list[tuple[str, ...]] | None:
        if (part, at) in best:
            return best[part, at]
        found: list[tuple[str, ...]] | None = None
        if part == len(template.parts):
            found = [] if at == len(words) else None
        elif template.parts[part] == SLOT:
            for end in range(at + 1, len(words) + 1):
                rest = fit(part + 1, end)
                if rest is not None:
                    found = [tuple(words[at:end]), *rest]
                    break
        elif at < len(words) and small[at] == template.parts[part].lower():
            found = fit(part + 1, at + 1)
        best[part, at] = found
        return found

    return fit(0, 0)
