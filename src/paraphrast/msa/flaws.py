"""Small flaws of a parsed new sentence, most of which come from its sources.

Each costs ``RankOptions.flaw``, and a sentence without flaws is preferred to one with any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.msa.checks import is_headline, misspelt_words
from paraphrast.msa.cluster import Cluster
from paraphrast.msa.finish import ends_are_marked
from paraphrast.msa.generate import Fused
from paraphrast.msa.joins import SUBJECTS, children
from paraphrast.msa.wellformed import FINITE, has_finite_root, lacks_article
from paraphrast.text.syntax.parser import Dependencies

_INDEFINITE = frozenset({"a", "an"})
_FEW = frozenset({"few", "many", "dozen", "hundred", "thousand", "couple"})
_ONLY = frozenset({"first", "only", "last", "second", "third", "sole"})
_SUPERLATIVES = ("JJS", "RBS")
_PRONOUNS = ("PRP", "PRP$")
_QUOTES = frozenset({'"', "``", "''", "“", "”"})
#: Pronouns whose noun is not in the sentence as a rule.
_SPEAKERS = frozenset({"i", "me", "my", "we", "us", "our", "you", "your"})


@dataclass(frozen=True)
class Habits:
    """What the sentences of a cluster have, so that it is no flaw of a new sentence, and what is a flaw in them.

    counted: nouns that have an indefinite article. alone: nouns that stand without a word before them. verbs: how often
    a sentence has a verb at most. modifiers: nouns before other nouns. headlines: the numbers of sentences that are
    headlines among others. misspelt: words that seem misspelt. bare: the sentence and first place of noun phrases
    that lack a determiner.
    """

    trees: tuple[Dependencies, ...]
    counted: frozenset[str]
    alone: frozenset[str]
    verbs: Counter[str]
    modifiers: frozenset[str]
    headlines: frozenset[int]
    misspelt: frozenset[str]
    bare: frozenset[tuple[int, int]] = frozenset()


def habits_of(
    cluster: Cluster,
    misspelt: frozenset[str] = frozenset(),
    bare: frozenset[tuple[int, int]] = frozenset(),
) -> Habits:
    """The habits of a parsed cluster.

    misspelt: words that a vocabulary does not have, but has with one letter more or less; words that other sentences
    spell otherwise are added. bare: noun phrases that lack a determiner, by a reading model.
    """
    trees = cluster.trees or ()
    verbs: Counter[str] = Counter()
    for tree in trees:
        verbs |= _verbs(tree)
    return Habits(
        trees,
        frozenset(
            tree.words[tree.heads[place]].lower()
            for tree in trees
            for place, word in enumerate(tree.words)
            if word.lower() in _INDEFINITE and tree.tags[tree.heads[place]] == "NN"
        ),
        frozenset(
            tree.words[place].lower()
            for tree in trees
            for place in range(len(tree.words))
            if _stands_alone(tree, place)
        ),
        verbs,
        frozenset(
            word.lower()
            for tree in trees
            for word, tag, label in zip(tree.words, tree.tags, tree.labels, strict=True)
            if label == "compound" and tag == "NN"
        ),
        frozenset(
            number
            for row, same in zip(cluster.words, cluster.same, strict=True)
            if is_headline(row)
            for number in same
        )
        if ends_are_marked(cluster)
        else frozenset(),
        misspelt | misspelt_words([word for row in cluster.words for word in row], cluster),
        bare,
    )


def find_flaws(sentence: Fused, tree: Dependencies, habits: Habits) -> list[str]:
    """The flaws of a sentence by name, one entry each."""
    flaws = [] if has_finite_root(tree) else ["no finite verb"]
    flaws += ["article" for place in range(len(tree.words)) if has_wrong_article(tree, place)]
    flaws += [
        "article" for place in range(len(tree.words)) if lacks_inner_article(tree, place, habits.counted)
    ]
    flaws += ["spelling"] * len({word.lower() for word in sentence.words} & habits.misspelt)
    found = {
        "definite article": mixes_definite(tree, habits.trees),
        "comma": leaves_comma_open(tree),
        "conjunction": joins_nothing(tree),
        "noun without article": has_bare_noun(tree, habits.alone),
        "verb twice": any(count > max(habits.verbs[verb], 1) for verb, count in _verbs(tree).items()),
        "plural modifier": has_plural_modifier(tree, habits.modifiers),
        "headline": takes_headline(sentence, habits.headlines),
        "scope": loses_scope(sentence, habits.trees),
        "pronoun": loses_antecedent(sentence, habits.trees),
        "quotation": loses_quotation(sentence, habits.trees),
        "determiner": keeps_bare_phrase(sentence, habits.bare),
        "head": loses_head(sentence, tree, habits.trees),
        "small clause": loses_small_clause(sentence, habits.trees),
    }
    return flaws + [name for name, is_found in found.items() if is_found]


def has_wrong_article(tree: Dependencies, place: int) -> bool:
    """Whether a singular noun at the beginning has no article, or a plural noun has "a"."""
    if tree.tags[place] != "NNS":
        return lacks_article(tree, place)
    below = children(tree, place)
    words = {tree.words[child].lower() for child in below}
    counted = any(tree.tags[child] == "CD" for child in below) or not words.isdisjoint(_FEW)
    return not counted and not words.isdisjoint(_INDEFINITE)


def lacks_inner_article(tree: Dependencies, place: int, counted: frozenset[str]) -> bool:
    """Whether a noun that others count stands without an article as an object, or after "in", "with" or "of"."""
    if tree.tags[place] != "NN" or tree.words[place].lower() not in counted:
        return False
    below = children(tree, place)
    bare = all(tree.labels[child] in ("amod", "compound") for child in below if child < place)
    governor = tree.words[tree.heads[place]].lower()
    object_ = tree.labels[place] == "dobj" or (
        tree.labels[place] == "pobj" and governor in ("in", "with", "of")
    )
    return bare and object_


def mixes_definite(tree: Dependencies, sources: Sequence[Dependencies]) -> bool:
    """Whether "a boy in the blue shirt" is made of "the boy in the blue shirt" and "a boy"."""
    for place, label in enumerate(tree.labels):
        if label not in SUBJECTS | {"ROOT"} or not _has_determiner(tree, place, _INDEFINITE):
            continue
        if _definite_modifiers(tree, place) and not any(
            source.words[at].lower() == tree.words[place].lower()
            and _has_determiner(source, at, _INDEFINITE)
            and _definite_modifiers(source, at) & _definite_modifiers(tree, place)
            for source in sources
            for at in range(len(source.words))
        ):
            return True
    return False


def _has_determiner(tree: Dependencies, place: int, words: frozenset[str]) -> bool:
    return any(
        tree.labels[child] == "det" and tree.words[child].lower() in words for child in children(tree, place)
    )


def _definite_modifiers(tree: Dependencies, place: int) -> set[str]:
    """Nouns with "the" that a preposition attaches to a noun."""
    return {
        tree.words[below].lower()
        for child in children(tree, place)
        if tree.labels[child] == "prep" and tree.words[child].lower() in ("in", "with")
        for below in children(tree, child)
        if tree.labels[below] == "pobj" and _has_determiner(tree, below, frozenset({"the"}))
    }


def leaves_comma_open(tree: Dependencies) -> bool:
    """Whether exactly one comma stands between a subject and its verb, as after a lost half of a pair of commas."""
    for place, head in enumerate(tree.heads):
        if tree.labels[place] not in SUBJECTS or place >= head:
            continue
        verbs = [head, *(child for child in children(tree, head) if tree.labels[child].startswith("aux"))]
        if not any(tree.tags[verb] in FINITE for verb in verbs):
            continue
        first = min(verbs)
        between = range(place + 1, first)
        commas = [at for at in between if tree.words[at] == ","]
        # An enumeration of subjects has commas of its own.
        listed = any(tree.labels[at] == "conj" and at > commas[0] for at in children(tree, place) if commas)
        if len(commas) == 1 and not listed:
            return True
    return False


def has_bare_noun(tree: Dependencies, alone: frozenset[str]) -> bool:
    """Whether a singular noun stands alone that every sentence has with other words before it ("the death of teenager"
    from "of teenager John Smith")."""
    return any(
        _stands_alone(tree, place) and tree.words[place].lower() not in alone
        for place in range(len(tree.words))
    )


def _stands_alone(tree: Dependencies, place: int) -> bool:
    return (
        tree.tags[place] == "NN"
        and tree.labels[place] in ("pobj", "dobj", "attr", "nsubj", "nsubjpass")
        and not any(child < place for child in children(tree, place))
    )


def _verbs(tree: Dependencies) -> Counter[str]:
    """Verbs without their endings, so that two forms of one count together ("a boy sitting there sits")."""
    return Counter(
        _plain(word)
        for word, tag, label in zip(tree.words, tree.tags, tree.labels, strict=True)
        if tag.startswith("VB") and not label.startswith("aux")
    )


def _plain(verb: str) -> str:
    small = verb.lower()
    for ending in ("ing", "es", "ed", "s"):
        if small.endswith(ending) and len(small) - len(ending) > 1:
            small = small[: -len(ending)]
            break
    small = small.removesuffix("e")
    return small[:-1] if len(small) > 2 and small[-1] == small[-2] else small


def has_plural_modifier(tree: Dependencies, modifiers: frozenset[str]) -> bool:
    """Whether a plural stands before a noun where another sentence has the singular ("footballs players")."""
    return any(
        tag == "NNS" and label == "compound" and word.lower().removesuffix("s") in modifiers
        for word, tag, label in zip(tree.words, tree.tags, tree.labels, strict=True)
    )


def takes_headline(sentence: Fused, headlines: frozenset[int]) -> bool:
    """Whether several words come from headlines alone, in a cluster of sentences."""
    return any(
        span.sentences
        and headlines.issuperset(span.sentences)
        and " " in sentence.text[span.start : span.end].strip()
        for span in sentence.spans
    )


def loses_scope(sentence: Fused, trees: Sequence[Dependencies]) -> bool:
    """Whether "the first" or "the largest" loses a phrase that limits it, or a sentence its last participle."""
    kept: dict[int, set[int]] = {}
    for row, place in sentence.origins:
        kept.setdefault(row, set()).add(place)
    for row, place in sentence.origins:
        if row < 0:
            continue
        source = trees[row]
        if source.tags[place] not in _SUPERLATIVES and source.words[place].lower() not in _ONLY:
            continue
        noun = source.heads[place]
        governors = {noun, source.heads[noun]}
        lost = [
            child
            for governor in governors
            for child in children(source, governor)
            if child > place
            and child not in kept[row]
            and source.labels[child] in ("prep", "relcl", "acl", "advcl", "mark")
        ]
        if lost:
            return True
    return _loses_participle(sentence, trees, kept)


def _loses_participle(sentence: Fused, trees: Sequence[Dependencies], kept: dict[int, set[int]]) -> bool:
    for row, places in kept.items():
        if row < 0:
            continue
        source = trees[row]
        last = max(
            (at for at in places if any(map(str.isalnum, source.words[at]))), default=len(source.words)
        )
        tail = [at for at in range(last + 1, len(source.words)) if any(map(str.isalnum, source.words[at]))]
        if len(tail) == 1 and source.tags[tail[0]].startswith("VB") and tail[0] == last + 1:
            return True
    return False


def joins_nothing(tree: Dependencies) -> bool:
    """Whether a finite verb follows "and" without one before it: "a man in a cap and is walking"."""
    finite = [place for place, tag in enumerate(tree.tags) if tag in FINITE]
    return bool(finite) and finite[0] > 0 and tree.tags[finite[0] - 1] == "CC"


def keeps_bare_phrase(sentence: Fused, bare: frozenset[tuple[int, int]]) -> bool:
    """Whether a noun phrase that lacks a determiner stands there with the word before it ("touches chest")."""
    return any(
        place in bare and (before == (place[0], place[1] - 1) or place[1] == 0)
        for before, place in zip(((-1, -1), *sentence.origins), sentence.origins, strict=False)
    )


def loses_head(sentence: Fused, tree: Dependencies, trees: Sequence[Dependencies]) -> bool:
    """Whether the first part of a compound stands alone ("an elegant food" from "an elegant food serving")."""
    return any(
        row >= 0
        and trees[row].labels[place] == "compound"
        and trees[row].tags[place] == "NN"
        and tree.labels[at] in ("nsubj", "nsubjpass", "dobj", "pobj", "attr")
        for at, (row, place) in enumerate(sentence.origins)
    )


def loses_small_clause(sentence: Fused, trees: Sequence[Dependencies]) -> bool:
    """Whether "with her arms raised" loses its participle."""
    kept = set(sentence.origins)
    for row, place in sentence.origins:
        if row < 0:
            continue
        source = trees[row]
        below = children(source, place)
        if (
            source.labels[place] == "pobj"
            and source.words[source.heads[place]].lower() == "with"
            and any(source.labels[child] == "poss" for child in below)
            and any(child == place + 1 and source.labels[child] == "acl" for child in below)
            and (row, place + 1) not in kept
        ):
            return True
    return False


def loses_antecedent(sentence: Fused, trees: Sequence[Dependencies]) -> bool:
    """Whether a pronoun follows a change of source, and no subject before it in its source is in the new sentence."""
    said: set[str] = set()
    rows: Counter[int] = Counter()
    for row, place in sentence.origins:
        if row < 0:
            continue
        source = trees[row]
        word = source.words[place].lower()
        if (source.tags[place] in _PRONOUNS and word not in _SPEAKERS and word != "it") or (
            word == "it" and source.labels[place] != "expl"
        ):
            others = {
                source.words[at].lower()
                for at in range(place)
                if source.labels[at] in SUBJECTS
                and source.tags[at] not in _PRONOUNS
                and source.tags[at] not in ("WDT", "WP", "EX")
            }
            if others and len(rows) > (row in rows) and not others & said:
                return True
        said.add(word)
        rows[row] += 1
    return False


def loses_quotation(sentence: Fused, trees: Sequence[Dependencies]) -> bool:
    """Whether "we" or "my" comes from a sentence with quotation marks, and the new sentence has none."""
    if not _QUOTES.isdisjoint(sentence.words):
        return False
    return any(
        row >= 0 and trees[row].words[place].lower() in _SPEAKERS and not _QUOTES.isdisjoint(trees[row].words)
        for row, place in sentence.origins
    )
