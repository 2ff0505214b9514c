"""Convert text of a resource to words as in training text, so that the rows of its table can be looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paraphrast.text.encode import encode
from paraphrast.text.languages.record import Language
from paraphrast.text.languages.registry import get_language
from paraphrast.text.tokenise import analyse
from paraphrast.text.truecase import Truecaser, learn, lower_form
from paraphrast.types import MASKS, Sentences, Vocabulary

_MASKS = frozenset(MASKS)


@dataclass
class PhraseReader:
    """Phrases of a lexicon → words (cached), and how the words are glued together when written.

    A lexicon prints citation forms, so a capital does not come from the position in a sentence. With a truecaser, each
    word gets the form it has in running text, if it occurs there. Otherwise it stays as printed.
    """

    language: str = "en"
    truecaser: Truecaser | None = None
    glue: dict[tuple[str, ...], int] = field(default_factory=dict)
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def words(self, text: str) -> tuple[str, ...]:
        """The words of ``text``; empty if it has no letter."""
        known_words = self._known.get(text)
        if known_words is None:
            analysis = analyse(text, self._record, one_sentence=True)
            known_words = tuple(self._cased(word) for word in analysis.words)
            bits = glue_bits(analysis.space_before)
            if bits:
                self.glue.setdefault(known_words, bits)
            self._known[text] = known_words
        return known_words

    @property
    def _record(self) -> Language:
        return get_language(self.language)

    def _cased(self, word: str) -> str:
        if self.truecaser is None or word in _MASKS:
            return word
        return self.truecaser.preferred.get(lower_form(word), word)


def same_masks(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two phrases have the same entities: a paraphrase may neither lose nor add a number."""
    return sorted(_MASKS.intersection(first)) == sorted(_MASKS.intersection(second)) and all(
        first.count(mask) == second.count(mask) for mask in _MASKS.intersection(first)
    )


def has_letter(words: Sequence[str]) -> bool:
    """Whether a phrase has a letter, and not only marks and numbers."""
    return any(word not in _MASKS and any(map(str.isalpha, word)) for word in words)


def encode_lines(
    lines: Sequence[str], language: str, truecaser: Truecaser | None, *, threads: int = 1
) -> tuple[Vocabulary, Sentences]:
    """Running text to ids, as in training: tokenised, masked, truecased."""
    encoded = encode(lines, get_language(language), threads=threads)
    return (truecaser or learn(encoded)).apply(encoded)


def encode_two(
    first: Sequence[str],
    second: Sequence[str],
    language: str,
    truecaser: Truecaser | None,
    *,
    threads: int = 1,
) -> tuple[Vocabulary, Sentences, Sentences]:
    """Both sides of pairs of one language, with one vocabulary."""
    sides = [encode(side, get_language(language), threads=threads) for side in (first, second)]
    vocabulary, sentences = (truecaser or learn(*sides)).apply_all(sides)
    return vocabulary, sentences[0], sentences[1]


def glue_bits(space_before: Sequence[int]) -> int:
    """Bit k is set if no space is written between word k and word k + 1."""
    bits = 0
    for place, space in enumerate(space_before[1:7]):
        bits |= (0 if space else 1) << place
    return bits
