"""The case of a word when neither its position nor capitals for emphasis determine it.

The first word of a sentence is capitalised by its position, and a headline by its style. The form elsewhere
distinguishes "The" (the) from "Paris" (Paris). This is the unigram model of Lita et al. (2003), tRuEcasIng.
"""

from __future__ import annotations

import os
import tempfile
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import At, FormatError
from paraphrast.text.encode_block import Encoded, is_word
from paraphrast.text.tokenise import Analysis
from paraphrast.types import FIRST_WORD, SPECIALS, Sentences, Vocabulary

_HEADER = "# paraphrast truecaser 1"
#: How a row may begin, and its number of tabs.
_ROWS = (("p\t", 2), ("a\t", 1))
#: An all-capital form with this share of a word's ordinary occurrences is an acronym (US besides us).
ACRONYM_SHARE = 0.01


def lower_form(word: str) -> str:
    """Lower case, NFC."""
    return unicodedata.normalize("NFC", word.lower())


def is_capitals(word: str) -> bool:
    """At least two letters, and all of them capitals."""
    return word.isupper() and sum(map(str.isalpha, word)) >= 2


def _capital_inside(word: str) -> bool:
    """A capital that the position in a sentence does not explain: McDonald, NATO."""
    letters = [char for char in word if char.isalpha()]
    return any(map(str.isupper, letters[1:]))


def _shouted(capitals: int, words: int) -> bool:
    """Whether most words of a sentence are all capitals."""
    return 2 * capitals > words


@dataclass(frozen=True)
class Truecaser:
    """A trained truecaser.

    preferred: lower-case form → the form to use where case is not informative.
    acronyms: all-capital forms that ordinary sentences keep, although another form is preferred.
    """

    preferred: dict[str, str]
    acronyms: frozenset[str] = frozenset()

    def form(self, word: str, *, initial: bool, shouted: bool) -> str:
        """The truecased ``word``.

        The first word of a sentence and every all-capital word get the preferred form; all others keep their case. An
        acronym is changed only if the whole sentence is in capitals. An unknown word is unchanged.
        """
        capitals = is_capitals(word)
        if not (initial or capitals):
            return word
        if capitals and not shouted and word in self.acronyms:
            return word
        return self.preferred.get(lower_form(word), word)

    def words(self, analysis: Analysis) -> list[str]:
        """The truecased tokens of one text, as :meth:`apply` does for a corpus."""
        cased: list[str] = []
        bounds = [*analysis.sentence_starts, len(analysis.words)]
        for start, stop in pairwise(bounds):
            tokens = analysis.words[start:stop]
            alphabetic = [token not in _SPECIALS and is_word(token) for token in tokens]
            shouted = _shouted(sum(map(is_capitals, tokens)), sum(alphabetic))
            first = alphabetic.index(True) if True in alphabetic else -1
            cased += [
                self.form(token, initial=index == first, shouted=shouted) if alphabetic[index] else token
                for index, token in enumerate(tokens)
            ]
        return cased

    def apply(self, encoded: Encoded) -> tuple[Vocabulary, Sentences]:
        """Truecase a corpus and assign the final word ids."""
        vocabulary, sentences = self.apply_all([encoded])
        return vocabulary, sentences[0]

    def apply_all(self, encodeds: Sequence[Encoded]) -> tuple[Vocabulary, list[Sentences]]:
        """Truecase several corpora of a language into one vocabulary."""
        ids = {word: index for index, word in enumerate(SPECIALS)}
        tokens = [self._retoken(encoded, ids) for encoded in encodeds]
        counts = np.zeros(len(ids), dtype=np.int64)
        for part in tokens:
            counts += np.bincount(part, minlength=len(ids))
        vocabulary = Vocabulary.from_counts(
            (word, int(count)) for word, count in zip(ids, counts, strict=True) if count
        )
        final = np.array([vocabulary.ids.get(word, 0) for word in ids], dtype=np.int32)
        return vocabulary, [
            replace(encoded.sentences, tokens=final[part])
            for encoded, part in zip(encodeds, tokens, strict=True)
        ]

    def retoken(self, encoded: Encoded) -> tuple[list[str], NDArray[np.int32]]:
        """Truecased words, special ones first, and the tokens as indices of them."""
        ids = {word: index for index, word in enumerate(SPECIALS)}
        tokens = self._retoken(encoded, ids)
        return list(ids), tokens

    def _retoken(self, encoded: Encoded, ids: dict[str, int]) -> NDArray[np.int32]:
        """Tokens as indices of ``ids``, which grows by new forms."""
        tables = np.zeros((2, 2, len(encoded.surface)), dtype=np.int32)
        for index, word in enumerate(encoded.surface):
            special = index < FIRST_WORD or not is_word(word)
            for initial in (0, 1):
                for shouted in (0, 1):
                    form = word if special else self.form(word, initial=bool(initial), shouted=bool(shouted))
                    tables[initial, shouted, index] = ids.setdefault(form, len(ids))
        tokens: NDArray[np.int32] = tables[
            encoded.initial, _shouted_tokens(encoded).astype(np.uint8), encoded.sentences.tokens
        ]
        return tokens

    def save(self, path: Path | str) -> None:
        """Write a UTF-8 TSV: ``p`` lower form, or ``a`` acronym; completely or not at all."""
        target = Path(path)
        rows = [f"p\t{lower}\t{form}" for lower, form in self.preferred.items()]
        rows += [f"a\t{form}" for form in self.acronyms]
        rows.sort()
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write("\n".join([_HEADER, *rows]) + "\n")
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Path | str) -> Truecaser:
        """Read a file written by :meth:`save`."""
        try:
            rows = Path(path).read_bytes().decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"expected UTF-8 text: {error.reason} at byte {error.start}",
                where=path,
                remedy="build the model again",
            ) from error
        if rows[0] != _HEADER:
            raise FormatError(
                f"expected {_HEADER!r}, got {rows[0][:60]!r}",
                where=At(path, 1),
                remedy="build the model again",
            )
        # Rows are sorted and split all at once: one list per row would take longer than loading the rest of a model.
        start = bisect_left(rows, "p", 1)
        end = len(rows) - (rows[-1] == "")
        preferred = rows[start:end]
        tabs = [row.count("\t") for row in preferred]
        fields = "\t".join(preferred).split("\t")
        acronyms = [row[2:] for row in rows[1:start]]
        if (
            tabs.count(2) < len(tabs)
            or fields[::3].count("p") < len(tabs)
            or any(row[:2] != "a\t" or row.count("\t") != 1 for row in rows[1:start])
        ):
            raise _bad_row(path, rows)
        return cls(dict(zip(fields[1::3], fields[2::3], strict=True)), frozenset(acronyms))


def _bad_row(path: Path | str, rows: list[str]) -> FormatError:
    """The error for the first row that is malformed or not in its place."""
    for number, row in enumerate(rows[1:], start=2):
        ordered = number == 2 or rows[number - 2] <= row
        if not ordered or (row[:2], row.count("\t")) not in _ROWS:
            break
    return FormatError(
        f"expected sorted rows, 'p', lower, form or 'a', form between tabs, got {row[:60]!r}",
        where=At(path, number),
        remedy="build the model again",
    )


_SPECIALS = frozenset(SPECIALS)


def _shouted_tokens(encoded: Encoded) -> NDArray[np.bool_]:
    """True at the tokens of sentences with mostly all-capital words."""
    alphabetic = np.fromiter(map(is_word, encoded.surface), dtype=bool, count=len(encoded.surface))
    alphabetic[:FIRST_WORD] = False
    capitals = (
        np.fromiter(map(is_capitals, encoded.surface), dtype=bool, count=len(encoded.surface)) & alphabetic
    )
    tokens = encoded.sentences.tokens
    sentence = np.cumsum(encoded.begins, dtype=np.int64)
    words = np.bincount(sentence, weights=alphabetic[tokens])
    shouting = np.bincount(sentence, weights=capitals[tokens])
    flags: NDArray[np.bool_] = (2 * shouting > words)[sentence]
    return flags


#: Word → its occurrences where case is informative, and as the first word of a sentence.
WordCases = dict[str, list[int]]


def count_cases(encoded: Encoded) -> WordCases:
    """Every word of a corpus that has a letter, with its two counts, neither in sentences in capitals."""
    tokens = encoded.sentences.tokens
    size = len(encoded.surface)
    quiet = ~_shouted_tokens(encoded)
    initial = encoded.initial.astype(bool)
    inside = np.bincount(tokens[quiet & ~initial], minlength=size)
    first = np.bincount(tokens[quiet & initial], minlength=size)
    return {
        encoded.surface[index]: [int(inside[index]), int(first[index])]
        for index in range(FIRST_WORD, size)
        if is_word(encoded.surface[index])
    }


def learn(*encodeds: Encoded) -> Truecaser:
    """A truecaser of several corpora; see :func:`learn_from`."""
    return learn_from(map(count_cases, encodeds))


def learn_from(corpora: Iterable[WordCases]) -> Truecaser:
    """Count forms where case is informative: not first in the sentence, and not in a sentence in capitals.

    The preferred form is the most frequent there, ties by UTF-8 bytes. A word that occurs only first in sentences is
    considered lower case, unless most of those occurrences have a capital that the position does not explain (NATO,
    McDonald). A word that occurs only in sentences in capitals is considered lower case.
    """
    telling: dict[str, dict[str, int]] = {}
    opening: dict[str, dict[str, int]] = {}
    for cases in corpora:
        for word, (inside, first) in cases.items():
            lower = lower_form(word)
            forms = telling.setdefault(lower, {})
            if inside:
                forms[word] = forms.get(word, 0) + inside
            if first:
                form = word if _capital_inside(word) else lower
                openings = opening.setdefault(lower, {})
                openings[form] = openings.get(form, 0) + first
    preferred = {
        lower: _most_frequent(forms or opening.get(lower) or {lower: 1}) for lower, forms in telling.items()
    }
    return Truecaser(preferred, frozenset(_acronyms(telling.values())))


def _most_frequent(forms: dict[str, int]) -> str:
    return min(forms, key=lambda form: (-forms[form], form.encode()))


def _acronyms(classes: Iterable[dict[str, int]]) -> Iterable[str]:
    for forms in classes:
        total = sum(forms.values())
        for form, count in forms.items():
            if count >= ACRONYM_SHARE * total and is_capitals(form):
                yield form
