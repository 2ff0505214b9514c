"""The data of the index per language, where it is stored, and how to read word vectors from it."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import data
from paraphrast.formats.files import read_lines

log = logging.getLogger(__name__)

#: Lists of synonyms, by language.
THESAURI = {"en": ("wordnet-synonyms", "moby")}
#: Lists of related words, which may have other meanings.
LISTS = {"en": ("moby",)}
#: Relations of words, by name.
RELATIONS = {"en": ("wordnet-relations",)}
#: Word vectors.
VECTORS = {"en": ("glove-50d",)}
#: Tagged text.
TAGGED = {"en": "brown-tagged"}
#: Sentence encoders.
ENCODERS = {"en": ("minilm-en",)}


def folder_of(name: str, *, fetch: bool = False) -> Path | None:
    """The folder of named data, or None if it is not cached. fetch: fetch it, with a notice, or raise an error."""
    if not data.is_cached(name):
        if not fetch:
            return None
        log.warning("fetching %s, once (for its licence: paraphrast data show %s)", name, name)
    return data.get(name)


def read_vectors(folder: Path) -> tuple[list[str], NDArray[Any]]:
    """The words of a set of vectors, most frequent first, and one row for each."""
    table = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
    return list(read_lines(folder / "words.txt.gz")), table


#: A spaCy model from the data index, used if none is named or installed.
PARSER_DATA = {"en": "en-core-web-sm"}


def find_parser(parser: str | None, language: str) -> str | None:
    """The named parser; otherwise None, for an installed one, unless one was fetched as data."""
    name = PARSER_DATA.get(language)
    if parser is not None or name is None or not data.is_cached(name):
        return parser
    official = (f"{language}_core_web_{size}" for size in ("lg", "md", "trf", "sm"))
    return None if any(find_spec(package) for package in official) else str(data.get(name))
