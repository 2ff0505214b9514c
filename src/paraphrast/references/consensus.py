"""Substitutions that several outputs of a segment use are more probable.

If other systems also write *film* where the reference has *movie*, the substitution is probably right. Each other
output is a vote, and so is the probability itself: p' = (votes + p) / (others + 1). One output alone changes nothing.
Scores then depend on all outputs of a segment: systems that make the same errors support each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paraphrast.references.lattices import ReferenceLattice
from paraphrast.references.words import Phrase, split_words
from paraphrast.types.lattice import EDIT

#: Maximum number of words of a substitute that is looked up in outputs.
LONGEST = 6


def with_votes(reference: ReferenceLattice, outputs: Sequence[str]) -> ReferenceLattice:
    """The lattice with probabilities to which all outputs of the segment contribute.

    An output votes for a substitution if it has the substitute and, unless that contains the phrase itself, not the
    phrase. The output that a path is compared with has no vote for its own words.
    """
    lattice = reference.lattice
    if len(outputs) < 2:
        return reference
    grams = [_grams([word.lower() for word in split_words(text)]) for text in outputs]
    words = tuple(word.lower() for word in reference.words.words)
    probability = lattice.probability.copy()
    for edge in np.flatnonzero(lattice.kind == EDIT).tolist():
        first, end = lattice.span[edge].tolist()
        phrase = words[first:end]
        target = tuple(word.lower() for word in lattice.label(edge))
        contained = phrase in _grams(target)
        having = sum(target in own and (contained or phrase not in own) for own in grams)
        probability[edge] = (max(having - 1, 0) + probability[edge]) / len(outputs)
    weight = np.where(lattice.kind == EDIT, np.log(np.maximum(probability, 1e-9)), lattice.weight)
    return replace(reference, lattice=replace(lattice, probability=probability, weight=weight))


def _grams(words: Sequence[str]) -> set[Phrase]:
    return {
        tuple(words[at : at + size]) for size in range(1, LONGEST + 1) for at in range(len(words) - size + 1)
    }
