"""Words that are part of a name although the vocabulary has them in lower case: "Films" in "Newmarket Films"."""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.model.control import Control
from paraphrast.text import Analysis

#: Share of words with a capital from which on a text counts as a title or heading, where capitals mean nothing.
TITLE = 0.5


def lowered_names(analysis: Analysis, known: Sequence[str], control: Control) -> list[tuple[int, int]]:
    """Character spans of words with a capital inside a sentence whose known form has none; none without the name veto.

    known: each token as the vocabulary has it. A capital after a mark (a quotation, a colon) may begin a sentence, and
    one in a title says nothing: such words are left out.
    """
    if control.vetoes is not None and "name" not in control.vetoes:
        return []
    words = [word for word in analysis.words if word[:1].isalpha()]
    if sum(word[0].isupper() for word in words) > TITLE * len(words):
        return []
    firsts = set(analysis.sentence_starts)
    return [
        (analysis.starts[place], analysis.ends[place])
        for place, word in enumerate(analysis.words)
        if word[:1].isupper()
        and known[place][:1].islower()
        and place not in firsts
        and analysis.words[place - 1][-1:].isalnum()
    ]
