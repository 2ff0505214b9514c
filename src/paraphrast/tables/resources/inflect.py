"""Inflected forms with agreement (lemminflect, extra ``[english]``): lexicons list only lemmas.

:func:`expand` is the back-off by lemma: if a table has "examine" → "look at" but not "examined" → "looked at", the row
of the lemmas is used, and the substitute is inflected like its source. This happens when the table is built, so that
looking up a phrase remains a single lookup.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from paraphrast.errors import InputError, MissingExtra
from paraphrast.tables.resources.options import ExpandOptions
from paraphrast.types import LooseTable, PhraseRow, TableInfo, loose_table

#: Penn Treebank tags of the forms of a word class; the first is the tag of the lemma.
CLASS_TAGS = {
    "NOUN": ("NN", "NNS"),
    "VERB": ("VB", "VBD", "VBG", "VBN", "VBZ"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
}
_CLASS_OF = {tag: name for name, tags in CLASS_TAGS.items() for tag in tags}
#: Words that end the head of a noun phrase: the noun to inflect is before the first of these.
_AFTER_HEAD = frozenset(
    {
        *("of", "in", "on", "at", "for", "with", "without", "from", "to", "by", "about", "against"),
        *(
            "between",
            "into",
            "over",
            "under",
            "through",
            "that",
            "which",
            "who",
            "whose",
            "where",
            "when",
            "used",
        ),
        *("made", "having", "being", "as", "than", "or", "and"),
    }
)
#: Words that follow the verb of a verb phrase: "look at", "take a break".
_AFTER_VERB = frozenset(
    {
        *("of", "in", "on", "at", "for", "with", "without", "from", "to", "by", "about", "against"),
        *("into", "over", "under", "through", "up", "down", "out", "off", "away", "back", "along", "around"),
        *(
            "across",
            "forward",
            "together",
            "apart",
            "aside",
            "a",
            "an",
            "the",
            "one",
            "one's",
            "oneself",
            "it",
        ),
        *("itself", "or", "and", "be"),
    }
)


def _library() -> Any:
    try:
        import lemminflect
    except ImportError as error:
        raise MissingExtra("inflection", "english") from error
    return lemminflect


@lru_cache(maxsize=1 << 17)
def readings(word: str) -> Mapping[str, str]:
    """Tag → lemma for every reading of ``word`` in lemminflect's lexicon; empty for an unknown word.

    >>> sorted(readings("examined").items())
    [('VBD', 'examine'), ('VBN', 'examine')]
    """
    if not word.isalpha():
        return {}
    lemma_of_tag: dict[str, str] = {}
    for name, lemmas in _library().getAllLemmas(word).items():
        for lemma in lemmas[:1] if name in CLASS_TAGS else ():
            for tag in CLASS_TAGS[name]:
                if word in forms(lemma, tag):
                    lemma_of_tag.setdefault(tag, lemma)
    return lemma_of_tag


@lru_cache(maxsize=1 << 17)
def forms(lemma: str, tag: str) -> tuple[str, ...]:
    """The forms of a lemma for a tag, the most usual first; empty if the lexicon has none."""
    name = _CLASS_OF.get(tag)
    if name is None:
        raise InputError(f"expected a tag of {', '.join(_CLASS_OF)}, got {tag!r}")
    if tag == CLASS_TAGS[name][0]:
        return (lemma,)
    known = _library().getAllInflections(lemma, name)
    if tag == "VBN" and tag not in known:
        tag = "VBD"
    forms_of_tag = tuple(known.get(tag, ()))
    # "more careful" is two words in a table, so it is not a form of one word.
    return tuple(form for form in forms_of_tag if form.isalpha() or "-" in form or "'" in form)


def has_class(lemma: str, word_class: str) -> bool:
    """Whether the lexicon knows the lemma as a word of this class (NOUN, VERB, ADJ, ADV)."""
    return CLASS_TAGS[word_class][0] in readings(lemma)


def head_place(words: tuple[str, ...], word_class: str) -> int:
    """Position of the inflected word: the first of a verb phrase, the last before a preposition of a noun phrase.

    >>> head_place(("protective", "barrier", "against", "heat"), "NOUN")
    1
    """
    if word_class in ("VERB", "ADV", "ADJ"):
        return 0
    for place, word in enumerate(words):
        if word in _AFTER_HEAD and place:
            return place - 1
    return len(words) - 1


def inflect_phrase(words: tuple[str, ...], tag: str) -> tuple[str, ...] | None:
    """The phrase with its head in the form of ``tag``; None if that form is unknown.

    >>> inflect_phrase(("look", "at"), "VBD")
    ('looked', 'at')
    """
    name = _CLASS_OF[tag]
    if not _may_be(words, name):
        return None
    place = head_place(words, name)
    if not has_class(words[place], name):
        return None
    head_forms = forms(words[place], tag)
    if not head_forms:
        return None
    return (*words[:place], head_forms[0], *_agreeing(words[place + 1 :], tag))


def _may_be(words: tuple[str, ...], word_class: str) -> bool:
    """Whether a phrase can be inflected as its class: "class war" cannot be a verb, nor "more so" an adjective."""
    if len(words) == 1:
        return True
    if word_class == "VERB":
        return words[1] in _AFTER_VERB or words[0] == "be" or words[-1] in _AFTER_VERB
    return word_class == "NOUN"


def _agreeing(rest: tuple[str, ...], tag: str) -> tuple[str, ...]:
    """The words after an inflected head, with agreement: a second verb ("go or move"), a clause's verb ("who uses")."""
    if len(rest) < 2:
        return rest
    second = rest[1]
    if _CLASS_OF[tag] == "VERB" and rest[0] in ("or", "and") and has_class(second, "VERB"):
        return rest[0], (forms(second, tag) or (second,))[0], *rest[2:]
    if tag == "NNS" and rest[0] in ("who", "that", "which"):
        if second in ("is", "was", "has"):
            return rest[0], {"is": "are", "was": "were", "has": "have"}[second], *rest[2:]
        return rest[0], readings(second).get("VBZ", second), *rest[2:]
    return rest


def phrase_readings(words: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(tag, phrase with its head as lemma) for every reading of a phrase's head."""
    for name, tags in CLASS_TAGS.items():
        if not _may_be(words, name):
            continue
        place = head_place(words, name)
        known = readings(words[place])
        for tag in tags:
            if tag in known:
                yield tag, (*words[:place], known[tag], *words[place + 1 :])


@dataclass
class _Lemmas:
    """Best (score, row) of every pair of lemmas and word class."""

    best: dict[tuple[tuple[str, ...], tuple[str, ...], str], tuple[float, int]] = field(default_factory=dict)

    def add(self, source: tuple[str, ...], target: tuple[str, ...], score: float, count: int) -> None:
        theirs = dict(phrase_readings(target))
        for tag, lemma in phrase_readings(source):
            other = theirs.get(tag)
            if other is None or other == lemma:
                continue
            key = lemma, other, _CLASS_OF[tag]
            known = self.best.get(key)
            if known is None or (score, count) > known:
                self.best[key] = score, count


def expand(
    table: LooseTable, options: ExpandOptions | None = None, *, known: Collection[str] | None = None
) -> LooseTable:
    """The table with added rows for inflected pairs that it lacks.

    Every row whose phrases can have a common tag gives a pair of lemmas. Every form of that pair that the table lacks
    becomes a row, with the score of the best row of the lemmas times ``back_off``. Features of these rows are unknown,
    except ``seen``, which is log 1 for the table's rows and log ``back_off`` for the added ones.
    known: if given, such as the vocabulary of a corpus, added rows use only these words.
    """
    options = options or ExpandOptions()
    names = tuple(table.table.features)
    rows = list(rows_of(table))
    seen = {(row.source, row.target) for row in rows}
    lemmas = _Lemmas()
    for row in rows:
        if max(len(row.source), len(row.target)) <= options.longest:
            lemmas.add(row.source, row.target, row.score, row.count)
    penalty = math.log(options.back_off)
    new_rows: list[PhraseRow] = []
    for (source, target, name), (score, count) in lemmas.best.items():
        for tag in CLASS_TAGS[name]:
            ours, theirs = inflect_phrase(source, tag), inflect_phrase(target, tag)
            if ours is None or theirs is None or (ours, theirs) in seen or ours == theirs:
                continue
            if known is not None and not all(word in known for word in (*ours, *theirs)):
                continue
            new_rows.append(PhraseRow(ours, theirs, score + penalty, count, {"seen": penalty}))
    old_rows = [
        PhraseRow(row.source, row.target, row.score, row.count, {**row.features, "seen": 0.0}) for row in rows
    ]
    info = table.table.info
    notes = {
        **info.notes,
        "expanded": {"rows_before": len(rows), "rows_made": len(new_rows), "back_off": options.back_off},
    }
    features = {**info.features, "seen": {"direction": "higher", "floor": penalty}}
    grown = TableInfo(
        info.kind, info.language, f"{info.signature}|expanded:{options.back_off:g}", info.format_version,
        features, notes,
    )  # fmt: skip
    return loose_table(
        [*old_rows, *new_rows], grown, (*names, *(() if "seen" in names else ("seen",))), top=options.top,
        glue=glue_of(table),
    )  # fmt: skip


def rows_of(table: LooseTable) -> Iterator[PhraseRow]:
    """The rows of a table in the form that its resource wrote."""
    phrases = [table.phrase(index) for index in range(len(table.phrases))]
    inner = table.table
    columns = {name: values.tolist() for name, values in inner.features.items()}
    for number, (source, target, count, score) in enumerate(
        zip(
            inner.source.tolist(),
            inner.target.tolist(),
            inner.count.tolist(),
            inner.score.tolist(),
            strict=True,
        )
    ):
        features = {name: values[number] for name, values in columns.items()}
        yield PhraseRow(phrases[source], phrases[target], score, count, features)


def glue_of(table: LooseTable) -> dict[tuple[str, ...], int]:
    """Glue bits of the phrases with words written without a space between them."""
    return {table.phrase(index): int(bits) for index, bits in enumerate(table.phrases.glue.tolist()) if bits}
