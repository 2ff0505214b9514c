"""Models in KenLM's formats, including its binaries, queried through the optional package ``kenlm``.

For uses that have the words: perplexity, and rescoring of candidate lists. The decoder needs
:class:`~paraphrast.types.NgramArrays`, which an ARPA file can be read into.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError, MissingExtra, ModelError
from paraphrast.lm.perplexity import Perplexity

LN10 = math.log(10)
_MAGIC = b"mmap lm http://kheafield.com/code"


def is_binary(path: str | Path) -> bool:
    """Whether a file is a KenLM binary, by its first bytes."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


class KenlmModel:
    """A KenLM binary or any ARPA file. Sentences are words separated by white space; logarithms are natural."""

    def __init__(self, path: str | Path) -> None:
        try:
            import kenlm
        except ImportError as error:
            raise MissingExtra("a model of KenLM's", "peers") from error
        if not Path(path).is_file():
            raise InputError("there is no such file", where=path)
        settings = kenlm.Config()
        settings.show_progress = False
        settings.arpa_complain = kenlm.ARPALoadComplain.NONE
        try:
            self._model: Any = kenlm.Model(str(path), settings)
        except (OSError, RuntimeError, UnicodeDecodeError) as error:  # its messages quote the file
            raise ModelError(
                f"KenLM cannot read it: {error}",
                where=path,
                remedy="build it again, with KenLM's build_binary or paraphrast lm",
            ) from error

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return int(self._model.order)

    def score_sentences(self, sentences: Iterable[str]) -> NDArray[np.float64]:
        """Log probability of every sentence, including its end."""
        score = self._model.score
        scores = [score(text, bos=True, eos=True) * LN10 for text in sentences]
        return np.array(scores, dtype=np.float64)

    def full_scores(self, sentence: str) -> list[tuple[float, int, bool]]:
        """For every word and the sentence end: log probability, length of the n-gram used, whether it is unknown."""
        return [
            (log10 * LN10, int(length), bool(unknown))
            for log10, length, unknown in self._model.full_scores(sentence, bos=True, eos=True)
        ]

    def perplexity(self, sentences: Iterable[str]) -> Perplexity:
        """Perplexity, as in :func:`paraphrast.lm.perplexity`."""
        count = tokens = unknown = 0
        log_prob = known = 0.0
        for text in sentences:
            count += 1
            for score, _, is_unknown in self.full_scores(text):
                tokens += 1
                log_prob += score
                unknown += is_unknown
                known += 0.0 if is_unknown else score
        if count == 0:
            raise InputError("expected sentences to compute a perplexity of, got none")
        return Perplexity(count, tokens, unknown, log_prob, known)
