"""Text of a resource to words as training text has them, so that what a table holds can be looked up."""

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
    """Phrases of a lexicon → words, remembered; and how their words are glued when written.

    A lexicon prints citation forms: no place in a sentence explains a capital. With a truecaser each word takes the
    form it has in running text, where that text has the word; without one it stays as printed.
    """

    language: str = "en"
    truecaser: Truecaser | None = None
    glue: dict[tuple[str, ...], int] = field(default_factory=dict)
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def words(self, text: str) -> tuple[str, ...]:
        """The words of ``text``; none where it has no letter."""
        found = self._known.get(text)
        if found is None:
            analysis = analyse(text, self._record, one_sentence=True)
            found = tuple(self._cased(word) for word in analysis.words)
            bits = glue_bits(analysis.space_before)
            if bits:
                self.glue.setdefault(found, bits)
            self._known[text] = found
        return found

    @property
    def _record(self) -> Language:
        return get_language(self.language)

    def _cased(self, word: str) -> str:
        if self.truecaser is None or word in _MASKS:
            return word
        return self.truecaser.preferred.get(lower_form(word), word)


def same_masks(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two phrases hold the same entities: a paraphrase may neither lose a number nor make one up."""
    return sorted(_MASKS.intersection(first)) == sorted(_MASKS.intersection(second)) and all(
        first.count(mask) == second.count(mask) for mask in _MASKS.intersection(first)
    )


def has_letter(words: Sequence[str]) -> bool:
    """Whether a phrase has a word, and not marks and numbers alone."""
    return any(word not in _MASKS and any(map(str.isalpha, word)) for word in words)


def encode_lines(
    lines: Sequence[str], language: str, truecaser: Truecaser | None, *, threads: int = 1
) -> tuple[Vocabulary, Sentences]:
    """Running text to ids, by the road of training: tokenised, masked, truecased."""
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
    """Both sides of pairs of one language over one vocabulary."""
    sides = [encode(side, get_language(language), threads=threads) for side in (first, second)]
    vocabulary, sentences = (truecaser or learn(*sides)).apply_all(sides)
    return vocabulary, sentences[0], sentences[1]


def glue_bits(space_before: Sequence[int]) -> int:
    """Bit k where no space stands between word k and word k + 1."""
    bits = 0
    for place, space in enumerate(space_before[1:7]):
        bits |= (0 if space else 1) << place
    return bits
