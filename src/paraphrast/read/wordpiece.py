"""Words as pieces of a fixed vocabulary, as in the training of uncased BERT models (Devlin et al. 2019, §3).

A word is lower-cased and its accents are removed; punctuation and Chinese characters become single pieces, and the rest
is divided into the longest pieces in the vocabulary, from the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paraphrast.errors import FormatError
from paraphrast.formats.files import read_lines
from paraphrast.read._runtime import optional

#: Longer runs of letters are unknown as a whole, as in the training of the models.
LONGEST_WORD = 100
UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"


class WordPieces:
    """The pieces of words, as ids. Safe to share between threads."""

    def __init__(self, vocabulary: Path) -> None:
        """Read a vocabulary: one piece per line, in the order of their ids."""
        tokenizers = optional("tokenizers")
        ids = {piece: number for number, piece in enumerate(read_lines(vocabulary))}
        missing = [mark for mark in (UNKNOWN, BEGIN, END) if mark not in ids]
        if missing:
            raise FormatError(
                f"expected a vocabulary of word pieces with {', '.join(missing)}, one piece per line",
                where=vocabulary,
                remedy="use the vocab.txt of an uncased BERT-like model",
            )
        self.begin, self.end = ids[BEGIN], ids[END]
        model = tokenizers.models.WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD)
        self._tokeniser = tokenizers.Tokenizer(model)
        self._tokeniser.normalizer = tokenizers.normalizers.BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
        )
        self._tokeniser.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()

    def cut(self, words: Sequence[str], longest: int) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces between the begin and end marks, and the place of the word of each piece.

        longest: maximum number of ids. Words that do not fit as a whole are left out, and so are all words after them.
        """
        pieces = self._tokeniser.encode(list(words), is_pretokenized=True, add_special_tokens=False)
        ids: list[int] = pieces.ids
        word_of: list[int] = pieces.word_ids
        if len(ids) > longest - 2:
            first_left_out = word_of[longest - 2]
            kept = word_of.index(first_left_out)
            ids, word_of = ids[:kept], word_of[:kept]
        return [self.begin, *ids, self.end], word_of
