"""Dependencies and chunks by spaCy (extra ``[syntax]``), with any of its models, by name or by folder.

Imported only if syntax is needed: spaCy takes more than a second to import, and parses about ten thousand words per
second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from paraphrast.errors import InputError, MissingExtra
from paraphrast.text.syntax._kernels_chunk import (
    ADJECTIVES,
    ADVERBS,
    NOUN_PHRASE,
    PREPOSITION_PHRASE,
    VERB_GROUP,
)
from paraphrast.text.syntax.spacy_model import REMEDY, load_spacy

#: spaCy's coarse tags → the word classes for which dependencies are counted.
WORD_CLASSES = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
#: Relations without information about a word's meaning.
_EMPTY = frozenset(
    {"punct", "det", "aux", "auxpass", "cc", "expl", "dep", "ROOT", "case", "mark", "prep", "neg"}
)
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Triple:
    """A dependency between two content words: lemma and class of both, and the relation from the head."""

    head: str
    head_class: str
    relation: str
    word: str
    word_class: str


def load_parser(model: str | None = None, language: str = "en") -> Any:
    """A spaCy pipeline with tagger, parser and lemmas, by name or folder; any installed one if none is named."""
    pipeline = load_spacy(model, language, exclude=("ner", "senter"))
    if pipeline is None:
        try:
            import_module("spacy")
        except ImportError as error:
            raise MissingExtra("parsing", "syntax") from error
        raise InputError("expected an installed spaCy model with a parser, got none", remedy=REMEDY)
    return pipeline


def dependency_triples(lines: Iterable[str], parser: Any) -> Iterator[Triple]:
    """Dependencies between nouns, verbs, adjectives and adverbs; prepositions are part of the relation.

    "talked about the weather" gives (talk, v, prep_about, weather, n), collapsed as in Lin's parser.
    """
    for document in parser.pipe(lines, batch_size=_BATCH):
        for token in document:
            word_class = WORD_CLASSES.get(token.pos_)
            if word_class is None or not token.is_alpha:
                continue
            head, relation = token.head, token.dep_
            if relation == "pobj" and head.dep_ == "prep":
                head, relation = head.head, f"prep_{head.lower_}"
            head_class = WORD_CLASSES.get(head.pos_)
            if head_class is None or relation in _EMPTY or head.i == token.i or not head.is_alpha:
                continue
            yield Triple(_lemma(head), head_class, relation, _lemma(token), word_class)


def _lemma(token: Any) -> str:
    text = str(token.lemma_ or token.text)
    return text if token.pos_ == "PROPN" else text.lower()


def parsed_chunks(lines: Sequence[str], parser: Any) -> Iterator[list[tuple[int, int, int]]]:
    """Chunks of every line as (first character, end, kind): spaCy's noun chunks, and groups around its verbs."""
    for document in parser.pipe(lines, batch_size=_BATCH):
        chunks: list[tuple[int, int, int]] = []
        for chunk in document.noun_chunks:
            chunks.append((chunk.start_char, chunk.end_char, NOUN_PHRASE))
            if chunk.start and document[chunk.start - 1].dep_ == "prep":
                chunks.append((document[chunk.start - 1].idx, chunk.end_char, PREPOSITION_PHRASE))
        for token in document:
            if token.pos_ == "VERB" or (token.pos_ == "AUX" and token.head.i == token.i):
                chunks.append((*_verb_group(token), VERB_GROUP))
            elif token.pos_ in ("ADJ", "ADV") and token.dep_ in ("acomp", "advmod", "attr"):
                kind = ADJECTIVES if token.pos_ == "ADJ" else ADVERBS
                chunks.append((token.idx, token.idx + len(token), kind))
        yield sorted(chunks)


def _verb_group(verb: Any) -> tuple[int, int]:
    """The verb with adjacent auxiliaries, negations and particles."""
    group = {verb.i} | {
        child.i for child in verb.children if child.dep_ in ("aux", "auxpass", "neg", "prt", "advmod")
    }
    first = last = verb.i
    while first - 1 in group:
        first -= 1
    while last + 1 in group and verb.doc[last + 1].dep_ == "prt":
        last += 1
    end = verb.doc[last]
    return verb.doc[first].idx, end.idx + len(end)
