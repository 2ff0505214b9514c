"""Dictionaries: a headword and its definitions, as TSV or as JSON lines.

TSV: word and definition, or word, part of speech and definition; one definition per line, the most usual first. JSON
lines: ``{"word": …, "meanings": {"1": [part of speech, definition, …], …}, "synonyms": […]}``, or ``"definitions"``: a
list of texts or of ``{"pos": …, "text": …}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text
from paraphrast.formats.json_text import parse_json

#: Abbreviations of word classes in dictionaries → their names in Universal Dependencies.
_CLASSES = {
    "n": "NOUN", "noun": "NOUN", "pl": "NOUN", "v": "VERB", "verb": "VERB", "vt": "VERB", "vi": "VERB",
    "vb": "VERB", "a": "ADJ", "adj": "ADJ", "adjective": "ADJ", "adv": "ADV", "adverb": "ADV", "s": "ADJ", "r": "ADV",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a headword. word_class: NOUN, VERB, ADJ or ADV; empty if it is another or unknown."""

    word: str
    word_class: str
    text: str


def word_class(name: str) -> str:
    """``v. t.``, ``Verb``, ``imp. & p. p.`` → VERB, and so on; empty if it is none of the four."""
    letters = "".join(letter for letter in name.lower() if letter.isalpha() or letter == " ").split()
    if not letters:
        return ""
    joined = "".join(letters[:2])
    return _CLASSES.get(letters[0]) or _CLASSES.get(joined, "")


def read_dictionary(path: str | Path) -> Iterator[Definition]:
    """Definitions in the order of the file. The first character determines the format."""
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            if not line.strip():
                continue
            if line.lstrip().startswith("{"):
                yield from _from_json(line, At(path, number))
            else:
                cells = [cell.strip() for cell in line.split("\t")]
                if len(cells) not in (2, 3) or not cells[0]:
                    raise FormatError(
                        f"expected word, part of speech and definition separated by tabs, or a JSON object, got"
                        f" {len(cells)} columns",
                        where=At(path, number),
                    )
                yield Definition(cells[0], word_class(cells[1]) if len(cells) == 3 else "", cells[-1])


def _from_json(line: str, where: At) -> Iterator[Definition]:
    try:
        entry = parse_json(line)
        word = entry["word"]
        definitions = list(_definitions(entry))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise FormatError(
            f"expected an object with word, and meanings or definitions: {error!r}", where=where
        ) from error
    if not isinstance(word, str) or not all(isinstance(text, str) for pair in definitions for text in pair):
        raise FormatError("expected words and definitions as text", where=where)
    for name, text in definitions:
        yield Definition(word, word_class(name), text)


def _definitions(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    meanings = entry.get("meanings", {})
    for key in sorted(meanings, key=lambda key: (len(key), key)):
        yield meanings[key][0], meanings[key][1]
    for definition in entry.get("definitions", ()):
        if isinstance(definition, str):
            yield "", definition
        else:
            yield definition.get("pos", ""), definition["text"]
