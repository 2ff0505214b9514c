"""For every word its part of speech, chunk tag and trace, from any parser.

A parser turns tokenised sentences into :class:`~paraphrast.text.chunklink.WordSyntax`. Two are built in: ``spacy``
(any installed English pipeline, or one named or given as a folder; its dependencies become constituents, see
:mod:`paraphrast.text.constituents`) and ``penn`` (bracketed trees that somebody else made). More are registered by
entry points of the group ``paraphrast.parser``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from paraphrast.errors import InputError, MissingExtra
from paraphrast.registry import Registry
from paraphrast.text.chunklink import WordSyntax, chunk_words, read_trees
from paraphrast.text.constituents import tree_of

PARSERS = Registry(
    "parser",
    {
        "spacy": "paraphrast.text.syntax:SpacyParser",
        "penn": "paraphrast.text.syntax:PennParser",
    },
)
#: A spaCy pipeline to use, by name or folder, where none is asked for.
VARIABLE = "PARAPHRAST_SPACY"
#: spaCy's pipelines of a language, the most exact first.
_SIZES = ("lg", "md", "trf", "sm")
_CORPORA = {"en": "web", "zh": "web"}


class Parser(Protocol):
    """Tokens in, the syntax of each word out."""

    name: str

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """As many words as tokens, in order, a list a sentence."""
        ...


class SpacyParser:
    """spaCy's dependencies, as constituents."""

    def __init__(self, pipeline: Any, name: str = "spacy") -> None:
        self.pipeline = pipeline
        self.name = name

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """Parse tokens as they are: spaCy's own tokeniser is not asked."""
        from spacy.tokens import Doc

        docs = [
            Doc(self.pipeline.vocab, words=[word if word.strip() else "_" for word in words])
            for words in sentences
        ]
        return [syntax_of_doc(doc) for doc in self.pipeline.pipe(docs)]


class PennParser:
    """Trees in Penn brackets, one a sentence, in the sentences' order."""

    name = "penn"

    def __init__(self, trees: str | Iterable[str]) -> None:
        text = trees if isinstance(trees, str) else "\n".join(trees)
        self._parsed = [chunk_words(tree) for tree in read_trees(text)]

    def tokens(self) -> list[list[str]]:
        """The words of the trees."""
        return [[word.word for word in words] for words in self._parsed]

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[WordSyntax]]:
        """The trees' words; they must be the sentences'."""
        if [list(words) for words in sentences] != self.tokens():
            raise InputError(
                f"expected trees of these {len(sentences)} sentences, got {len(self._parsed)} trees with other words",
                remedy="give one tree a sentence, in order, over the same tokens",
            )
        return self._parsed


def syntax_of_doc(doc: Any) -> list[WordSyntax]:
    """The syntax of a parsed spaCy ``Doc``; its sentences are taken as one, several roots under one S."""
    if not len(doc):
        return []
    words = [token.text for token in doc]
    tags = [token.tag_ or token.pos_ or "X" for token in doc]
    heads = [token.head.i for token in doc]
    deps = [token.dep_ for token in doc]
    tree = tree_of(words, tags, heads, deps)
    found = chunk_words(tree)
    return [
        WordSyntax(word, tag, one.chunk, one.trace) for word, tag, one in zip(words, tags, found, strict=True)
    ]


def find_spacy(language: str = "en", model: str | Path | None = None) -> SpacyParser | None:
    """A spaCy pipeline with a parser: the one named (or in PARAPHRAST_SPACY), else an installed one, else None.

    model: a package's name or a folder. Only a model that was asked for and cannot be had is an error.
    """
    wanted = str(model) if model is not None else os.environ.get(VARIABLE, "")
    try:
        import spacy
    except ImportError:
        if wanted:
            raise MissingExtra("syntax from spaCy", "syntax") from None
        return None
    names = [wanted] if wanted else _installed(spacy, language)
    for name in names:
        try:
            pipeline = spacy.load(_folder(name), exclude=["ner", "lemmatizer", "textcat"])
        except (OSError, ValueError, ImportError) as error:
            if wanted:
                raise InputError(
                    f"spaCy cannot load {name!r}: {error}",
                    remedy="give an installed pipeline's name or its folder",
                ) from error
            continue
        if not wanted and pipeline.lang != language:
            continue
        if {"parser", "tagger"} <= set(pipeline.pipe_names) or "parser" in pipeline.pipe_names:
            return SpacyParser(pipeline, f"spacy:{pipeline.meta.get('name')}-{pipeline.meta.get('version')}")
        if wanted:
            raise InputError(f"expected a spaCy pipeline with a parser, {name!r} has {pipeline.pipe_names}")
    return None


def _installed(spacy: Any, language: str) -> list[str]:
    """Installed pipelines of a language: the official names by size, then any other."""
    found = [name for name in spacy.util.get_installed_models() if name.split("_")[0] == language]
    corpus = _CORPORA.get(language, "news")
    official = [f"{language}_core_{corpus}_{size}" for size in _SIZES]
    return [name for name in official if name in found] + sorted(set(found) - set(official))


def _folder(name: str) -> str:
    """A folder that holds a pipeline, also when it is the unpacked package around one."""
    path = Path(name)
    if path.is_dir() and not (path / "config.cfg").exists():
        inner = sorted(path.glob("**/config.cfg"))
        if inner:
            return str(inner[0].parent)
    return name
