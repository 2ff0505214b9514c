"""Dependencies and chunks of parses that are written by hand: no model of spaCy is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax._kernels_chunk import CHUNKS
from paraphrast.text.syntax.dependencies import Triple, dependency_triples, load_parser, parsed_chunks

spacy = pytest.importorskip("spacy")

PARSE: dict[str, Any] = {
    "words": ["They", "talked", "about", "the", "cold", "weather"],
    "heads": [1, 1, 1, 5, 5, 2],
    "deps": ["nsubj", "ROOT", "prep", "det", "amod", "pobj"],
    "pos": ["PRON", "VERB", "ADP", "DET", "ADJ", "NOUN"],
    "lemmas": ["they", "talk", "about", "the", "cold", "weather"],
}


class Parser:
    """Gives the parse above whatever the text."""

    def __init__(self) -> None:
        self.language = spacy.blank("en")

    def pipe(self, lines: Iterable[str], batch_size: int = 1) -> Iterator[Any]:
        from spacy.tokens import Doc

        for _ in lines:
            yield Doc(self.language.vocab, **PARSE)


def test_prepositions_are_part_of_the_relation() -> None:
    assert list(dependency_triples(["They talked about the cold weather"], Parser())) == [
        Triple("weather", "n", "amod", "cold", "a"),
        Triple("talk", "v", "prep_about", "weather", "n"),
    ]


def test_chunks_of_a_parse() -> None:
    text = "They talked about the cold weather"
    (found,) = parsed_chunks([text], Parser())
    assert [(text[begin:end], CHUNKS[kind]) for begin, end, kind in found] == [
        ("They", "NP"),
        ("talked", "VP"),
        ("about the cold weather", "PP"),
        ("the cold weather", "NP"),
    ]


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="spaCy cannot load"):
        load_parser(str(tmp_path))
