"""Lines of one side of a bitext as ids: by our tokeniser, or by white space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paraphrast.text import encode, get_language, truecase
from paraphrast.types import Sentences, Vocabulary


def encode_side(
    lines: Sequence[str], language: str, *, pretokenized: bool = False
) -> tuple[Vocabulary, Sentences]:
    """Vocabulary and sentences of ``lines``; pretokenized text is lower-cased, so case never splits a word."""
    if not pretokenized:
        encoded = encode(lines, get_language(language))
        vocabulary, corpora = truecase.learn(encoded).apply_all([encoded])
        return vocabulary, corpora[0]
    rows = [line.lower().split() for line in lines]
    vocabulary = Vocabulary.from_counts(Counter(word for row in rows for word in row).items())
    return vocabulary, Sentences.from_lists([vocabulary.ids[word] for word in row] for row in rows)
