"""Lookup of an index's phrases by their text, and the description of an index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError, ModelError
from paraphrast.formats.json_text import parse_json

INDEX_RECORD = "graph-index.json"


@dataclass(frozen=True)
class PhraseIndex:
    """words: int32[n, 7], ids of ``vocabulary``, −1 after the end of a phrase."""

    words: NDArray[np.int32]
    vocabulary: tuple[str, ...]

    def find(self, phrase: str) -> int | None:
        """The number of a phrase among those of its side: with the given spelling, or else lower-cased."""
        rows = None
        tokens = phrase.split()
        if not 0 < len(tokens) <= self.words.shape[1]:
            return None
        for column in range(self.words.shape[1]):
            if column < len(tokens):
                ids = [self._ids.get(form) for form in (tokens[column], tokens[column].lower())]
                word_ids = [number for number in dict.fromkeys(ids) if number is not None]
            else:
                word_ids = [-1]
            values = self.words[:, column] if rows is None else self.words[rows, column]
            fits = np.flatnonzero(np.isin(values, word_ids))
            rows = fits if rows is None else rows[fits]
            if not len(rows):
                return None
        return int(rows[0]) if rows is not None else None

    def number_of(self, phrase: str) -> int:
        """The number of a phrase, with an error if it is missing."""
        number = self.find(phrase)
        if number is None:
            raise InputError(
                f"expected a phrase of the index, got {phrase!r}",
                remedy='phrases are tokenised, with words separated by single spaces: "do n\'t"',
            )
        return number

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}

    def spell(self, phrase: int) -> str:
        """The words of a phrase."""
        return " ".join(self.vocabulary[word] for word in self.words[phrase].tolist() if word >= 0)


def read_index_record(folder: Path) -> dict[str, Any]:
    """The description of an index."""
    try:
        record = parse_json((folder / INDEX_RECORD).read_text(encoding="utf-8"))
        options = dict(record["options"])
        record["options"] = {**options, "languages": tuple(options["languages"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise bad_index(folder, error) from error
    return dict(record)


def bad_index(folder: Path, error: Exception) -> ModelError:
    """The error for a folder that is not an index of phrase pairs."""
    return ModelError(
        f"expected an index of phrase pairs: {error}",
        where=folder,
        remedy="make one: paraphrast table graph … --index FOLDER",
    )
