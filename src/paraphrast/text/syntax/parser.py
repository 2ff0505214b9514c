"""Part of speech, chunk tag and trace of every word, from any parser.

A parser turns tokenised sentences into ``chunklink.WordSyntax``. Two are built in: ``spacy`` (any installed English
pipeline, or one named or given as a folder; its dependencies become constituents, see ``constituents``) and ``penn``
(existing bracketed trees). Entry points of the group ``paraphrast.parser`` register more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from paraphrast.errors import InputError
from paraphrast.registry import Registry
from paraphrast.text.syntax.chunklink import WordSyntax, chunk_words, read_trees
from paraphrast.text.syntax.constituents import tree_of
from paraphrast.text.syntax.spacy_model import load_spacy

PARSERS = Registry(
    "parser",
    {
        "spacy": "paraphrast.text.syntax.parser:SpacyParser",
        "penn": "paraphrast.text.syntax.parser:PennParser",
    },
)


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The dependency tree of one sentence: for every word its tag, the place of its head (its own for a root) and the
    label of the arc to it."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]


class Parser(Protocol):
    """Converts tokens to the syntax of each word."""

    name: str

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """As many words as tokens, in order, one list per sentence."""
        ...


class SpacyParser:
    """spaCy's dependencies, as constituents."""

    def __init__(self, pipeline: Any, name: str = "spacy") -> None:
        self.pipeline = pipeline
        self.name = name

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """Parse the given tokens, without spaCy's tokeniser."""
        return [syntax_of_doc(doc) for doc in self._docs(sentences)]

    def dependencies(self, sentences: Sequence[Sequence[str]]) -> list[Dependencies]:
        """The dependency trees of tokenised sentences."""
        return [dependencies_of_doc(doc) for doc in self._docs(sentences)]

    def parse_with_dependencies(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[list[list[WordSyntax]], list[Dependencies]]:
        """Both readings of the same sentences, parsed once."""
        docs = list(self._docs(sentences))
        return [syntax_of_doc(doc) for doc in docs], [dependencies_of_doc(doc) for doc in docs]

    def _docs(self, sentences: Sequence[Sequence[str]]) -> Iterator[Any]:
        from spacy.tokens import Doc

        docs = (
            Doc(self.pipeline.vocab, words=[word if word.strip() else "_" for word in words])
            for words in sentences
        )
        yield from self.pipeline.pipe(docs)


class PennParser:
    """Trees in Penn brackets, one per sentence, in the sentences' order."""

    name = "penn"

    def __init__(self, trees: str | Iterable[str]) -> None:
        text = trees if isinstance(trees, str) else "\n".join(trees)
        self._parsed = [chunk_words(tree) for tree in read_trees(text)]

    def tokens(self) -> list[list[str]]:
        """The words of the trees."""
        return [[word.word for word in words] for words in self._parsed]

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """The words of the trees, which must be those of the sentences."""
        if [list(words) for words in sentences] != self.tokens():
            raise InputError(
                f"expected trees of these {len(sentences)} sentences, got {len(self._parsed)} trees with other words",
                remedy="give one tree per sentence, in order, over the same tokens",
            )
        return self._parsed


def syntax_of_doc(doc: Any) -> list[WordSyntax]:
    """The syntax of a parsed spaCy ``Doc``. All its sentences count as one, with several roots under one S."""
    if not len(doc):
        return []
    words = [token.text for token in doc]
    tags = [token.tag_ or token.pos_ or "X" for token in doc]
    heads = [token.head.i for token in doc]
    deps = [token.dep_ for token in doc]
    tree = tree_of(words, tags, heads, deps)
    chunked = chunk_words(tree)
    return [
        WordSyntax(word, tag, chunk_word.chunk, chunk_word.trace)
        for word, tag, chunk_word in zip(words, tags, chunked, strict=True)
    ]


def dependencies_of_doc(doc: Any) -> Dependencies:
    """The dependency tree of a parsed spaCy ``Doc``."""
    return Dependencies(
        tuple(token.text for token in doc),
        tuple(token.tag_ or token.pos_ or "X" for token in doc),
        tuple(token.head.i for token in doc),
        tuple(token.dep_ for token in doc),
    )


def find_spacy(language: str = "en", model: str | Path | None = None) -> SpacyParser | None:
    """spaCy as a parser, with the pipeline from ``load_spacy``; None without one."""
    pipeline = load_spacy(model, language, exclude=("ner", "lemmatizer", "textcat"))
    if pipeline is None:
        return None
    return SpacyParser(pipeline, f"spacy:{pipeline.meta.get('name')}-{pipeline.meta.get('version')}")
