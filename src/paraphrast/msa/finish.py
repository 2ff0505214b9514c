"""Completes a parsed new sentence that its sources left incomplete.

- A caption often has no finite verb ("a dog running between poles"). An auxiliary is put before a participle, or
  before the last phrase of location ("two men in coats on the street"). Where several places are possible, a reading
  model chooses, if there is one.
- "a" becomes "an" and "an" becomes "a" where the next word asks for it.
- A full stop is added if most sentences of the cluster end with a mark.

The sources of an added word are the sentences that have it; there may be none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paraphrast.msa.cluster import Cluster
from paraphrast.msa.generate import Fused, Span
from paraphrast.msa.joins import SUBJECTS, children
from paraphrast.msa.splices import main_clause, stem, subtree
from paraphrast.msa.wellformed import FINITE, has_finite_root, is_pair, lacks_article, root_count
from paraphrast.text.languages.record import Language
from paraphrast.text.syntax.parser import Dependencies

#: Marks that end a sentence.
FINAL = frozenset({".", "!", "?", "''", '"', "”", "'"})
_INDEFINITE = frozenset({"a", "an"})
_PARTICIPLES = ("VBG", "VBN")
_ENDINGS = ("ed", "en", "wn")
#: Prepositions that say where something is, not where it goes.
_PLACES = frozenset({"in", "on", "at", "near", "behind", "beside", "outside", "inside", "under", "against"})
_SUBORDINATE = frozenset({"relcl", "advcl", "ccomp", "acl", "csubj"})


@dataclass(frozen=True)
class Edit:
    """The words from ``begin`` to ``end`` are replaced by ``word``."""

    begin: int
    end: int
    word: str


def ends_are_marked(cluster: Cluster) -> bool:
    """Whether most sentences of a cluster end with a mark."""
    return sum(row[-1] in FINAL for row in cluster.words) * 2 >= len(cluster)


def find_edits(tree: Dependencies, cluster: Cluster, auxiliary: Edit | None = None) -> list[Edit]:
    """The edits that complete a sentence, from left to right; auxiliary: one of :func:`possible_auxiliaries`."""
    edits = [] if auxiliary is None else [auxiliary]
    edits += [*missing_article(tree, cluster), *wrong_articles(tree, cluster.language)]
    edits += intransitive_forms(tree, cluster.language)
    if tree.words[-1] not in FINAL and any(map(str.isalnum, tree.words[-1])) and ends_are_marked(cluster):
        edits.append(Edit(len(tree.words), len(tree.words), "."))
    return sorted(edits, key=lambda edit: edit.begin)


def possible_auxiliaries(tree: Dependencies, cluster: Cluster) -> list[Edit]:
    """The auxiliaries that make a noun with a participle or a phrase of location a sentence.

    The first is where the parse asks for it, the others are before other participles: in "a boy in blue shorts holding
    a screen" a parser may attach the participle to the shorts. There are none if a word may be the finite verb itself.
    """
    if not cluster.language.copulas or has_finite_root(tree) or root_count(tree) != 1:
        return []
    place = _predicate_place(tree, cluster.language)
    if place is None or _may_be_finite(tree, cluster):
        return []
    root = next(at for at, head in enumerate(tree.heads) if head == at and tree.labels[at] != "punct")
    clause = main_clause(tree)
    subject = clause.subject if clause else root
    if tree.tags[subject] not in ("NN", "NNS") or _may_be_several(tree, subject, place):
        return []
    singular, plural = cluster.language.copulas
    places = [place, *(at for at in _participles(tree, subject) if at != place)]
    places = [at for at in places if tree.words[at][:1].isalnum() and tree.words[at - 1] != ","]
    return [Edit(at, at, plural if _is_plural(tree, subject, at, cluster) else singular) for at in places]


def _may_be_finite(tree: Dependencies, cluster: Cluster) -> bool:
    """Whether the parser may have missed a finite verb.

    It has if a finite verb is neither in a subordinate clause nor the root, if a noun is a predicate with a subject, or
    if a noun without an article of its own is a finite verb in another sentence ("a girl wearing pink dances").
    """
    for place, tag in enumerate(tree.tags):
        nominal = tree.labels[place] == "ROOT" and tag.startswith("NN")
        if nominal and any(tree.labels[child] in SUBJECTS for child in children(tree, place)):
            return True
        if tag in FINITE:
            verb = tree.heads[place] if tree.labels[place].startswith("aux") else place
            if tree.labels[verb] not in _SUBORDINATE:
                return True
    finite = {
        stem(other.words[place], cluster.language)
        for other in cluster.trees or ()
        for place, tag in enumerate(other.tags)
        if tag in FINITE and not other.labels[place].startswith("aux")
    }
    return any(
        tag in ("NN", "NNS") and before.startswith(("NN", "JJ")) and stem(word, cluster.language) in finite
        for word, tag, before in zip(tree.words[1:], tree.tags[1:], tree.tags, strict=False)
    )


def _may_be_several(tree: Dependencies, subject: int, end: int) -> bool:
    """Whether it is uncertain that a singular noun is one of several subjects: "a scene with lights and a crowd"."""
    below = [child for child in children(tree, subject) if child < end]
    joined = [child for child in below if tree.labels[child] == "cc"]
    return tree.tags[subject] == "NN" and subject + 1 not in joined and is_pair(tree, subject, end)


def _participles(tree: Dependencies, subject: int) -> list[int]:
    """Places of present participles after the subject, also where the parser takes one for the last part of a
    compound ("an outfit laughing"); not after a comma or conjunction, where a second predicate begins."""
    return [
        place
        for place in range(subject + 1, len(tree.words))
        if tree.words[place].lower().endswith("ing")
        and (
            (
                tree.tags[place] == "VBG"
                and tree.labels[place] in ("acl", "advcl", "pobj", "pcomp", "ROOT", "xcomp")
            )
            or (tree.tags[place] == "NN" and tree.tags[place - 1] in ("NN", "NNS"))
        )
        and tree.tags[place - 1] in ("NN", "NNS", "RB", "RP")
    ]


def _predicate_place(tree: Dependencies, language: Language) -> int | None:
    clause = main_clause(tree)
    if clause is not None:
        # "run" and "put" may be finite verbs that the parser takes for participles.
        regular = tree.tags[clause.verb] == "VBG" or tree.words[clause.verb].lower().endswith(_ENDINGS)
        if tree.tags[clause.verb] not in _PARTICIPLES or not regular:
            return None
        # "dressed as a pirate and running": one auxiliary would be passive for the first and not for the second.
        if tree.tags[clause.verb] == "VBN" and any(
            tree.labels[child] == "conj" and tree.tags[child] != "VBN"
            for child in children(tree, clause.verb)
        ):
            return None
        return _after_clothing(tree, clause.verb, language) or clause.predicate
    root = next(at for at, head in enumerate(tree.heads) if head == at and tree.labels[at] != "punct")
    below = children(tree, root)
    if any(tree.labels[child] in ("acl", "relcl", "appos") for child in below):
        return None
    phrases = [child for child in below if tree.labels[child] == "prep" and child > root]
    if any(tree.labels[child] == "pcomp" for phrase in phrases for child in children(tree, phrase)):
        return None
    if not phrases or tree.words[phrases[-1]].lower() not in _PLACES:
        return None
    span = subtree(tree, phrases[-1])
    rest = span is not None and all(not any(map(str.isalnum, word)) for word in tree.words[span[1] :])
    return span[0] if span is not None and rest and "," not in tree.words[: span[0]] else None


def _after_clothing(tree: Dependencies, verb: int, language: Language) -> int | None:
    """Where the next participle begins, if the first only says what someone wears ("a man wearing a coat welding")."""
    if tree.words[verb].lower() not in language.clothing:
        return None
    below = subtree(tree, verb)
    return next(
        (
            place
            for place in range(verb + 2, below[1] if below else verb)
            if tree.tags[place] == "VBG"
            and tree.labels[place] in ("acl", "advcl", "conj", "xcomp")
            and tree.words[place].lower() not in language.clothing
            and tree.words[place - 1] not in (",", "and", "while")
        ),
        None,
    )


def _is_plural(tree: Dependencies, subject: int, end: int, cluster: Cluster) -> bool:
    if tree.tags[subject] == "NNS" or is_pair(tree, subject, end):
        return True
    if tree.words[subject].lower() not in cluster.language.collectives:
        return False
    # "a group of men is" and "a group of men are" are both written: as the cluster has it.
    plural = cluster.language.copulas[1]
    return any(plural in row for row in cluster.words)


def missing_article(tree: Dependencies, cluster: Cluster) -> list[Edit]:
    """The article that a singular noun lacks at the beginning, if it is a person or the cluster has it with one."""
    language = cluster.language
    if not language.indefinite_varies or language.elision is None or not tree.words[0].isalpha():
        return []
    for place, tag in enumerate(tree.tags):
        if tag == "NN" and lacks_article(tree, place):
            noun = tree.words[place].lower()
            person = any(noun in kind for kind in language.same_kind)
            if person or _is_counted(noun, cluster):
                return [Edit(0, 0, language.elision("a", tree.words[0].lower()) or "a")]
    return []


def _is_counted(noun: str, cluster: Cluster) -> bool:
    """Whether a sentence has the noun directly after an indefinite article, as its head."""
    return any(
        tree.words[place].lower() == noun
        and tree.tags[place] == "NN"
        and any(tree.words[child].lower() in _INDEFINITE for child in children(tree, place))
        for tree in cluster.trees or ()
        for place in range(len(tree.words))
    )


def intransitive_forms(tree: Dependencies, language: Language) -> list[Edit]:
    """Forms of verbs with an object that stand without one: "laying on the floor"."""
    return [
        Edit(place, place + 1, language.intransitives[word.lower()])
        for place, word in enumerate(tree.words)
        if word.lower() in language.intransitives
        and tree.tags[place].startswith("VB")
        and tree.words[place + 1 : place + 2]
        and tree.tags[place + 1] in ("IN", "RB", "RP", "TO", ".", "EX")
        and not any(
            tree.labels[child] in ("dobj", "dative", "prt", "nsubjpass") for child in children(tree, place)
        )
    ]


def wrong_articles(tree: Dependencies, language: Language) -> list[Edit]:
    """Indefinite articles whose form does not fit the next word."""
    if not language.indefinite_varies or language.elision is None:
        return []
    edits = []
    for place, (word, after) in enumerate(zip(tree.words, tree.words[1:], strict=False)):
        if word.lower() in _INDEFINITE and tree.tags[place] == "DT" and after.islower() and after.isalpha():
            form = language.elision("a", after) or "a"
            if form != word.lower():
                edits.append(Edit(place, place + 1, form))
    return edits


def apply_edits(sentence: Fused, edits: Sequence[Edit], cluster: Cluster) -> Fused:
    """The sentence with the edits; the spans of added words name the sentences that have the word."""
    offsets = _offsets(sentence)
    text, words, spans = sentence.text, list(sentence.words), list(sentence.spans)
    origins = list(sentence.origins)
    for edit in reversed(edits):
        if edit.begin == len(offsets):
            begin = end = offsets[-1][1]
            added = f" {edit.word}" if any(_is_spaced(cluster)) else edit.word
        else:
            begin = offsets[edit.begin][0]
            end = offsets[edit.end - 1][1] if edit.end > edit.begin else begin
            word = edit.word[:1].upper() + edit.word[1:] if begin == 0 else edit.word
            added = word if end > begin else f"{word} "
            if not begin and not end and words[0][:1].islower():
                text = text[:1].lower() + text[1:]
        sources = tuple(
            sorted(
                number
                for row, same in zip(cluster.words, cluster.same, strict=True)
                if edit.word in row
                for number in same
            )
        )
        text = text[:begin] + added + text[end:]
        words[edit.begin : edit.end] = [edit.word]
        spans = _shifted(spans, begin, end, len(added), sources)
        origins[edit.begin : edit.end] = [(-1, -1)]
    return replace(sentence, text=text, words=tuple(words), spans=tuple(spans), origins=tuple(origins))


def _is_spaced(cluster: Cluster) -> list[bool]:
    """For each sentence that ends with a mark, whether white space precedes the mark."""
    return [spaces[-1] for row, spaces in zip(cluster.words, cluster.spaces, strict=True) if row[-1] in FINAL]


def _offsets(sentence: Fused) -> list[tuple[int, int]]:
    """Where each word stands in the text."""
    offsets, begin = [], 0
    lowered = sentence.text.lower()
    for word in sentence.words:
        at = lowered.find(word.lower(), begin)
        begin = at + len(word)
        offsets.append((at, begin))
    return offsets


def _shifted(spans: Sequence[Span], begin: int, end: int, size: int, sources: tuple[int, ...]) -> list[Span]:
    """The spans after the text from ``begin`` to ``end`` became ``size`` long and a span of its own."""
    moved = size - (end - begin)
    shifted: list[Span] = []
    for span in spans:
        if span.end <= begin:
            shifted.append(span)
        elif span.start >= end:
            shifted.append(Span(span.start + moved, span.end + moved, span.sentences))
        else:
            if span.start < begin:
                shifted.append(Span(span.start, begin, span.sentences))
            if span.end > end:
                shifted.append(Span(end + moved, span.end + moved, span.sentences))
    shifted.append(Span(begin, begin + size, sources))
    return sorted(shifted, key=lambda span: span.start)
