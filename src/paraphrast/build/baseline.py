"""Rewriting without a language model: words replaced by random rows of a table (Quirk et al. 2004, §3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.errors import InputError
from paraphrast.tables.resources.wordnet import changed_words, replace_words
from paraphrast.text import analyse, copy_case, get_language
from paraphrast.text.truecase import Truecaser
from paraphrast.types import MASKS, LooseTable

__all__ = ["substitute_lines"]


def substitute_lines(
    lines: Sequence[str],
    table: LooseTable,
    *,
    seed: int = 0,
    rate: float | None = None,
    match: Sequence[str] | None = None,
    language: str = "en",
    truecaser: Truecaser | None = None,
) -> list[str]:
    """Each line with some words replaced. Everything else stays the same, character by character.

    match: rewrites of another system, one per line; as many words are replaced as that system changed.
    """
    record = get_language(language)
    analyses = [analyse(line, record, one_sentence=True) for line in lines]
    sentences = [
        truecaser.words(analysis) if truecaser else _lowered(analysis.words) for analysis in analyses
    ]
    numbers: list[int] | None = None
    if match is not None:
        if len(match) != len(lines):
            raise InputError(f"expected {len(lines)} rewrites to match, got {len(match)}")
        others = [analyse(line, record, one_sentence=True).words for line in match]
        numbers = [
            changed_words(ours, _lowered(theirs)) for ours, theirs in zip(sentences, others, strict=True)
        ]
    rewritten: list[str] = []
    chosen = replace_words(sentences, table, seed=seed, rate=rate, match=numbers)
    for line, analysis, words, edits in zip(lines, analyses, sentences, chosen, strict=True):
        text = line
        for place, phrase in reversed(edits):
            if any(word in MASKS for word in phrase):
                continue  # the line has no text for the mask
            begin, end = analysis.starts[place], analysis.ends[place]
            after = copy_case(
                line[begin:end], " ".join(phrase), before_true=words[place], at_start=place == 0
            )
            text = text[:begin] + after + text[end:]
        rewritten.append(text)
    return rewritten


def _lowered(words: Sequence[str]) -> list[str]:
    """The first word of a sentence in lower case, because nothing shows how it is written elsewhere."""
    return [word.lower() if place == 0 and word[1:].islower() else word for place, word in enumerate(words)]
