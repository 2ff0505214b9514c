"""Parsers: spaCy documents built by hand, trees from text, what is found and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax.parser import PARSERS, PennParser, SpacyParser, find_spacy, syntax_of_doc


def milan() -> Any:
    spacy = pytest.importorskip("spacy")
    tokens = pytest.importorskip("spacy.tokens")
    vocab = spacy.blank("en").vocab
    return tokens.Doc(
        vocab,
        words=["I", "went", "to", "Milan"],
        tags=["PRP", "VBD", "IN", "NNP"],
        heads=[1, 1, 1, 2],
        deps=["nsubj", "ROOT", "prep", "pobj"],
    )


def test_a_document_of_spacy() -> None:
    found = syntax_of_doc(milan())
    assert [(one.word, one.tag, one.chunk) for one in found] == [
        ("I", "PRP", "B-NP"),
        ("went", "VBD", "B-VP"),
        ("to", "IN", "B-PP"),
        ("Milan", "NNP", "B-NP"),
    ]
    assert found[3].trace == ("I-S", "I-VP", "I-PP", "B-NP")


def test_a_pipeline_gets_our_tokens() -> None:
    spacy = pytest.importorskip("spacy")

    class Pipeline:
        vocab = spacy.blank("en").vocab

        def pipe(self, docs: list[Any]) -> list[Any]:
            assert [[token.text for token in doc] for doc in docs] == [["5:50 p.m.", "now"]]
            return [milan()]

    parsed = SpacyParser(Pipeline()).parse([["5:50 p.m.", "now"]])
    assert len(parsed[0]) == 4


def test_trees_must_be_of_the_sentences() -> None:
    parser = PennParser(["(S (NP (NNP Milan)) (VP (VBZ is) (ADJP (JJ beautiful))))"])
    assert parser.tokens() == [["Milan", "is", "beautiful"]]
    assert parser.parse([["Milan", "is", "beautiful"]])[0][2].chunk == "B-ADJP"
    with pytest.raises(InputError, match="trees of these"):
        parser.parse([["Rome", "is", "beautiful"]])


def test_a_model_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match="cannot load"):
        find_spacy("en", tmp_path / "none")


def test_a_language_without_a_pipeline_has_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAPHRAST_SPACY", raising=False)
    assert find_spacy("xx-none") is None


def test_parsers_are_registered() -> None:
    assert PARSERS.get("penn") is PennParser
