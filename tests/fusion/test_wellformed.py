"""New sentences with a parser that gives dependencies: a toy one, for sentences of a subject, a verb and places."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paraphrast.fusion.sentences import Fusion, fuse
from paraphrast.msa.rank import RankOptions
from paraphrast.text.syntax.chunklink import WordSyntax
from paraphrast.text.syntax.parser import Dependencies, SpacyParser

VERBS = frozenset({"sleeps", "waits", "sits", "is"})
PREPOSITIONS = frozenset({"in", "on", "by", "with"})
LOOSE = RankOptions(novel=0.0, distinct=0.0, longest=2.0, shortest=0.3)


class ToyParser(SpacyParser):
    """Reads "DET (ADJ) NOUN (PREP DET NOUN)* VERB (PREP DET NOUN)* ."; without a verb, the first noun is the root."""

    def __init__(self) -> None:
        super().__init__(None, "toy")

    def _docs(self, sentences: Sequence[Sequence[str]]) -> object:  # type: ignore[override]
        raise AssertionError("the toy parser has no pipeline")

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        return self.parse_with_dependencies(sentences)[0]

    def dependencies(self, sentences: Sequence[Sequence[str]]) -> list[Dependencies]:
        return [self._tree(tuple(words)) for words in sentences]

    def parse_with_dependencies(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[list[list[WordSyntax]], list[Dependencies]]:
        trees = self.dependencies(sentences)
        syntax = [
            [
                WordSyntax(word, tag, "B-NP", ("I-S", "B-NP"))
                for word, tag in zip(tree.words, tree.tags, strict=True)
            ]
            for tree in trees
        ]
        return syntax, trees

    def _tree(self, words: tuple[str, ...]) -> Dependencies:
        small = [word.lower() for word in words]
        tags = [
            "VBZ"
            if word in VERBS
            else "IN"
            if word in PREPOSITIONS
            else "."
            if word == "."
            else "DT"
            if word in ("a", "the")
            else "JJ"
            if word == "old"
            else "NN"
            for word in small
        ]
        nouns = [place for place, tag in enumerate(tags) if tag == "NN"]
        root = next((place for place, tag in enumerate(tags) if tag == "VBZ"), nouns[0])
        heads, labels = [root] * len(words), ["dep"] * len(words)
        for place, tag in enumerate(tags):
            after = next((noun for noun in nouns if noun > place), root)
            before = next((noun for noun in reversed(nouns) if noun < place), root)
            if place == root:
                labels[place] = "ROOT"
            elif tag == ".":
                labels[place] = "punct"
            elif tag in ("DT", "JJ"):
                heads[place], labels[place] = after, "det" if tag == "DT" else "amod"
            elif tag == "IN":
                heads[place], labels[place] = (root if place > root else before), "prep"
            elif tag == "NN":
                openers = [
                    at for at in range(place) if tags[at] == "IN" and not any(at < n < place for n in nouns)
                ]
                heads[place], labels[place] = (openers[-1], "pobj") if openers else (root, "nsubj")
        return Dependencies(words, tuple(tags), tuple(heads), tuple(labels))


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.fusion.resources.default_model", lambda _: None)
    monkeypatch.setattr("paraphrast.fusion.sentences.find_reader", lambda _: None)


def fused(sentences: list[str], version: str = "auto") -> Fusion:
    return fuse(sentences, 20, version=version, parser=ToyParser(), rank=LOOSE, pretokenized=True)


def test_only_well_formed_sentences_are_given() -> None:
    fusion = fused(
        [
            "A man sleeps by the river .",
            "The old man waits in the rain .",
            "A dog by the river sits on the grass .",
        ]
    )
    texts = [sentence.text for sentence in fusion.sentences]
    assert "The old man sleeps by the river ." in texts
    assert "A man waits in the rain ." in texts
    # "river" ends the first sentence and belongs to the subject of the third.
    assert not any(text.count("sits") and text.count("sleeps") for text in texts)
    assert not any("dog by the river ." in text for text in texts)
    assert {sentence.kind for sentence in fusion.sentences} == {"new"}
    assert all(sentence.parts["parse"] == 1 for sentence in fusion.sentences)
    for sentence in fusion.sentences:
        assert fusion.automaton.accepts(sentence.words)


def test_shortened_sentences_are_given_only_where_nothing_is_new() -> None:
    fusion = fused(["A man with a hat sleeps by the river .", "A man sleeps ."])
    assert {sentence.kind for sentence in fusion.sentences} == {"shortened"}
    assert "A man sleeps by the river ." in [sentence.text for sentence in fusion.sentences]
    assert "listing shortened input sentences" in fusion.notes[-1]


def test_without_any_the_note_says_why() -> None:
    fusion = fused(["A man sleeps by the river .", "A dog waits by the sea ."])
    assert fusion.sentences == ()
    assert fusion.notes == ("no new sentence: no two sentences can be joined at a word that they share",)


def test_other_alignments_are_tried_where_one_gives_nothing_new() -> None:
    sentences = ["A man sleeps by a mill .", "A man sleeps by a river ."]
    assert fused(["A man sleeps by the mill .", "The man waits by a river ."], "V4").version == "V4"
    found = fused(sentences)
    assert found.version in ("V4", "V5", "V2")
    assert found.sentences == fused(sentences, found.version).sentences


def test_the_result_is_the_same_again() -> None:
    sentences = [
        "A man sleeps by the river .",
        "The old man waits in the rain .",
        "The man sits on the grass .",
    ]
    assert [one.to_dict() for one in fused(sentences).sentences] == [
        one.to_dict() for one in fused(sentences).sentences
    ]
