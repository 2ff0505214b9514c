"""Dictionary definitions as paraphrases: Zhao et al. (2008), §4, table 5, equation 9.

    Score(p1, p2) = γ^(i − 1),  i the rank of p2 among the definitions of p1

A definition is reduced to a part that can replace the headword: without notes in parentheses, without the article of a
noun, without "to" or the gerund of a verb. Text after a semicolon is another definition. "See X", "same as X" and
similar references are replaced by the definitions of X. Definitions that are too long for a phrase, or that contain the
headword, are left out. Headword and definition are then inflected together ("hurricanes": "severe storms").
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from paraphrast.formats.dictionary import Definition, read_dictionary
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import DictionaryOptions
from paraphrast.tables.resources.words import PhraseReader, has_letter, same_masks
from paraphrast.types import MAX_PHRASE
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["DictionaryKind", "DictionaryOptions", "clean_definition", "dictionary_rows", "resolve"]

_NOTE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_ARTICLE = re.compile(r"^(?:an?|the|any|one|some|each|every)\s+", re.IGNORECASE)
_ACT = re.compile(
    r"^(?:the\s+)?(?:act|action|process|state|condition|quality)\s+of\s+(?=\w+ing\b)", re.IGNORECASE
)
_BEING = re.compile(r"^(?:being|having been)\s+", re.IGNORECASE)
_TO = re.compile(r"^to\s+", re.IGNORECASE)
_REFERENCE = re.compile(
    r"^(?:see(?:\s+also)?|same\s+as|(?:an?\s+)?(?:alternative|variant|obsolete)(?:\s+(?:spelling|form))?\s+(?:of|for)"
    r"|(?:an?\s+)?(?:another\s+)?(?:name|word|term)\s+for|=|cf\.)\s+(?:an?\s+|the\s+)?(.+)$",
    re.IGNORECASE,
)
_SENSE = re.compile(r"\s*(?:,\s*(?:n|v|a|adv|adj)\.?(?:\s*[ti]\.?)?)?\s*,?\s*\d*\.?$")


def base_form(word: str, inflect: bool) -> str:
    """ "going" → "go", if lemminflect is installed and knows the word as a verb form."""
    if not inflect or not word.endswith("ing"):
        return word
    from paraphrast.tables.resources.inflect import readings

    return readings(word).get("VBG", word)


def clean_definition(text: str, word_class: str, *, inflect: bool = True) -> Iterator[str]:
    """The parts of a definition that can replace its headword, one text for each part between semicolons.

    >>> list(clean_definition("a severe storm (with wind); a tempest.", "NOUN"))
    ['severe storm', 'tempest']
    """
    bare = _NOTE.sub(" ", text)
    for part in re.split(r"[;:]|(?<=\w)\.\s", bare):
        cut = " ".join(part.split()).strip(" .,–—-")
        if word_class == "VERB":
            cut = _TO.sub("", cut)
            first, space, rest = cut.partition(" ")
            cut = base_form(first.lower(), inflect) + space + rest if first.lower().endswith("ing") else cut
        elif word_class == "ADJ":
            cut = _BEING.sub("", cut)
        else:
            cut = _ARTICLE.sub("", _ACT.sub("", cut))
        if cut:
            yield cut[0].lower() + cut[1:] if cut[1:2].islower() or cut[1:2] == " " else cut


def resolve(definitions: Iterable[Definition]) -> dict[tuple[str, str], list[str]]:
    """(headword, word class) → its definitions in order. Cross-references are followed, circular ones ignored.

    The word that a headword is "the same as" is its first definition; the definitions of that word follow.
    """
    entries: dict[tuple[str, str], list[str]] = {}
    for definition in definitions:
        entries.setdefault((definition.word, definition.word_class), []).append(definition.text)
    by_word: dict[str, list[tuple[str, str]]] = {}
    for key in entries:
        by_word.setdefault(key[0].lower(), []).append(key)

    def follow(key: tuple[str, str], path: tuple[str, ...]) -> Iterator[str]:
        for text in entries[key]:
            match = _REFERENCE.match(" ".join(text.split()).rstrip(" ."))
            if match is None:
                yield text
                continue
            name = _SENSE.sub("", match.group(1)).strip(" .,;:\"'").lower()
            if name in path:
                continue
            if not re.match(r"(?i)see|cf", text) and name:
                yield name
            for other in by_word.get(name, ()):
                if other[1] == key[1] or not key[1] or not other[1]:
                    yield from follow(other, (*path, name))

    return {key: list(dict.fromkeys(follow(key, (key[0].lower(),)))) for key in entries}


def dictionary_rows(
    entries: dict[tuple[str, str], list[str]], reader: PhraseReader, options: DictionaryOptions
) -> Iterator[PhraseRow]:
    """One row for each definition that can replace its headword, scored by rank (equation 9).

    Ranks count all definitions of a headword over all its word classes, including those left out.
    """
    rank: dict[str, int] = {}
    for (word, name), texts in entries.items():
        source = reader.words(word)
        for text in texts:
            rank[word] = rank.get(word, 0) + 1
            for part in clean_definition(text, name, inflect=options.inflect):
                target = reader.words(part)
                if not 0 < len(source) <= MAX_PHRASE or not 0 < len(target) <= min(
                    options.longest, MAX_PHRASE
                ):
                    continue
                if _circular(source, target, options.inflect) or not (
                    has_letter(source) and has_letter(target)
                ):
                    continue
                if not same_masks(source, target) or any(mark in target for mark in ',;:()"'):
                    continue
                score = (rank[word] - 1) * math.log(options.gamma)
                yield PhraseRow(source, target, score)
                if options.inflect and name:
                    yield from _inflected(source, target, name, score)


def _circular(source: tuple[str, ...], target: tuple[str, ...], inflect: bool) -> bool:
    """Whether a definition contains its headword in any form."""
    ours, theirs = " ".join(source).lower(), f" {' '.join(target).lower()} "
    if f" {ours} " in theirs:
        return True
    if not inflect or len(source) > 1:
        return False
    from paraphrast.tables.resources.inflect import readings

    lemmas = {ours, *readings(ours).values()}
    return any(lemmas & {word.lower(), *readings(word.lower()).values()} for word in target)


def _inflected(
    source: tuple[str, ...], target: tuple[str, ...], word_class: str, score: float
) -> Iterator[PhraseRow]:
    """The pair in the other forms of its word class, both inflected in the same way."""
    from paraphrast.tables.resources.inflect import CLASS_TAGS, inflect_phrase

    for tag in CLASS_TAGS.get(word_class, ())[1:]:
        ours, theirs = inflect_phrase(source, tag), inflect_phrase(target, tag)
        if ours is not None and theirs is not None and ours != theirs:
            yield PhraseRow(ours, theirs, score)


class DictionaryKind(TableKind):
    """Files of headwords and definitions, TSV or JSON lines. Definitions of earlier files rank first."""

    name = "dictionary"
    options: ClassVar[type] = DictionaryOptions

    def build(self, job: TableJob, options: DictionaryOptions) -> LooseTable:
        entries = resolve(entry for path in job.inputs for entry in read_dictionary(path))
        reader = PhraseReader(job.language, job.truecaser)
        notes = {
            "headwords": len({word for word, _ in entries}),
            "definitions": sum(map(len, entries.values())),
        }
        info = info_of(self.name, job.language, options, notes=notes)
        return loose_table(dictionary_rows(entries, reader, options), info, top=options.top, glue=reader.glue)
