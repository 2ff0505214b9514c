"""A model's paraphrases of a reference, weighted by their probability in its context.

This needs a model with a substitution model (:mod:`paraphrast.model.substitution`). Its probability replaces that of
the tables: *bank* has different paraphrases in different references.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.spelling import spelled
from paraphrast.references.agreement import Similarity
from paraphrast.references.equivalents import Substitutions, merge_substitutions, row_substitutions
from paraphrast.references.similar import similar_phrases, similar_words
from paraphrast.references.words import Phrase, split_words
from paraphrast.text import Language

#: Number of references whose substitutions are looked up together.
BATCH = 256


def context_substitutions(
    model: Paraphraser,
    references: Sequence[str],
    *,
    closed: Collection[str] = frozenset(),
    threshold: float = 0.0,
    origin: str = "context",
    vetoes: Sequence[str] = (),
) -> list[Substitutions] | None:
    """Substitutes for the phrases of each reference, from the substitution model; None for models without one.

    vetoes: those that exclude a substitution.
    """
    if model.substitution is None:
        return None
    substitutions = []
    for first in range(0, len(references), BATCH):
        for rows in _weighed(model, references[first : first + BATCH], vetoes):
            substitutions.append(row_substitutions(rows, origin=origin, closed=closed, threshold=threshold))
    return substitutions


def phrase_direction(model: Paraphraser) -> Callable[[Phrase], NDArray[np.float64] | None] | None:
    """The sum of the vectors of a phrase's words, with length 1, by a model's vectors; None for models without any.

    The function returns None for phrases with an unknown word.
    """
    if model.substitution is None:
        return None
    vectors = model.substitution.vector
    places: dict[str, int] = {}
    for place, word in enumerate(model.vocabulary.words):
        places.setdefault(word.lower(), place)
        if word.islower():
            places[word] = place

    @lru_cache(maxsize=1 << 16)
    def direction(words: Phrase) -> NDArray[np.float64] | None:
        rows = [places[word] for word in words if word in places]
        total: NDArray[np.float64] = vectors[rows].sum(axis=0, dtype=np.float64)
        length = float(np.sqrt((total * total).sum()))
        return total / length if len(rows) == len(words) and length > 0 else None

    return direction


def word_similarity(model: Paraphraser) -> Similarity | None:
    """The cosine of the summed vectors of two phrases' words, by a model's vectors; None for models without any."""
    direction = phrase_direction(model)
    if direction is None:
        return None

    def similarity(first: Phrase, second: Phrase) -> float | None:
        one, two = direction(first), direction(second)
        return None if one is None or two is None else float((one * two).sum())

    return similarity


def similar_substitutions(
    model: Paraphraser,
    references: Sequence[str],
    outputs: Sequence[Sequence[str]],
    language: Language,
    names: Collection[str] = frozenset(),
) -> list[Substitutions] | None:
    """Words and phrases of each reference's outputs that are similar to its own by a model's vectors; None without.

    names: words that stand for no other name.
    """
    direction = phrase_direction(model)
    if direction is None:
        return None
    found = []
    for reference, segment_outputs in zip(references, outputs, strict=True):
        words = similar_words(reference, segment_outputs, language, direction, names=names)
        phrases = similar_phrases(reference, segment_outputs, language, direction, names=names)
        found.append(merge_substitutions([(words, 1.0), (phrases, 1.0)]))
    return found


def _weighed(
    model: Paraphraser, texts: Sequence[str], vetoes: Sequence[str]
) -> Iterator[list[tuple[Phrase, Phrase, float]]]:
    """The rows of each text: a phrase of it, a substitute, and its probability in this context."""
    control = Control(strength=1.0, vetoes=tuple(vetoes))  # no threshold on probabilities
    prepared = [model.prepare(text, control) for text in texts]
    batch = model.batch_of(prepared)
    judged = model.judge_edges(batch, control, model.decode_options(control))
    if judged is None:
        return
    edges = judged.edges
    probability = 1.0 / (1.0 + np.exp(-judged.log_odds))
    arrays, words = model.arrays.options, model.vocabulary.words
    known: dict[int, Phrase] = {}
    for number, item in enumerate(prepared):
        rows = []
        for edge in range(int(edges.begin[number]), int(edges.begin[number + 1])):
            option = int(edges.option[edge])
            if option not in known:
                begin, end = int(arrays.word_begin[option]), int(arrays.word_begin[option + 1])
                ids = arrays.target_words[begin:end].tolist()
                glue = int(model.glue[arrays.target[option]])
                text = spelled((words[word] for word in ids), glue, model.language)
                known[option] = () if "<" in text else tuple(split_words(text))
            start, stop = (
                item.analysis.starts[int(edges.start[edge])],
                item.analysis.ends[int(edges.end[edge]) - 1],
            )
            source = tuple(split_words(item.analysis.text[start:stop]))
            if source and known[option]:
                rows.append((source, known[option], float(probability[edge])))
        yield rows
