"""A causal language model: the log-probability of a sentence, piece by piece.

As in ``translator``, only texts of equal length are scored together, so a result does not depend on the other texts of
its batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paraphrast.errors import InputError
from paraphrast.read._runtime import optional
from paraphrast.read.llama import TOKENISER
from paraphrast.read.store import converted
from paraphrast.read.translator import DECIMALS, Cache, PieceScores, alike

#: Maximum number of pieces per text; longer texts are an error, because rewriting works on sentences.
LONGEST = 1023
_BEGIN = "<|endoftext|>"


class LanguageModel:
    """A causal language model. Deterministic; safe to share between threads."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open a folder with a GGUF file, or a CTranslate2 folder with tokenizer.json.

        A GGUF file is converted on first use; the conversion stays in the cache. threads: sentences scored in parallel.
        """
        folder = converted(folder, "language-model")
        runtime, tokenizers = optional("ctranslate2"), optional("tokenizers")
        try:
            self._model = runtime.Generator(
                str(folder), inter_threads=max(1, threads), intra_threads=1, compute_type="int8"
            )
            self._tokeniser = tokenizers.Tokenizer.from_file(str(folder / TOKENISER))
        except Exception as error:  # tokenizers raises bare exceptions
            raise InputError(
                f"the language model cannot be opened: {error}",
                where=folder,
                remedy=f"expected model.bin, config.json, a vocabulary and {TOKENISER}",
            ) from error
        self._scores: Cache[tuple[str, str], PieceScores] = Cache()

    def pieces(self, text: str) -> list[str]:
        """The pieces of a text."""
        pieces: list[str] = self._tokeniser.encode(text).tokens
        return pieces

    def readable(self, text: str) -> bool:
        """Whether ``text`` has 1 to ``LONGEST`` pieces."""
        return 0 < len(self.pieces(text)) <= LONGEST

    def score(self, texts: Sequence[str], *, after: str = "") -> list[PieceScores]:
        """For each text the log-probability of each piece, given the text ``after`` and the pieces before it."""
        return self.score_pairs([(after, text) for text in texts])

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[PieceScores]:
        """As ``score``, for pairs of a text before (or "") and a text."""
        answers = {pair: self._scores.get(pair) for pair in pairs}
        missing = [pair for pair, answer in answers.items() if answer is None]
        before = {after: [_BEGIN, *self.pieces(after)] if after else [_BEGIN] for after, _ in missing}
        pieces = [self.pieces(f" {text}" if after else text) for after, text in missing]
        for (after, text), cut in zip(missing, pieces, strict=True):
            if not 0 < len(cut) <= LONGEST or len(before[after]) + len(cut) > 2 * LONGEST:
                raise InputError(f"expected a text of 1 to {LONGEST} pieces, got {len(cut)}: {text[:60]!r}")
        whole = [[*before[after], *cut] for (after, _), cut in zip(missing, pieces, strict=True)]
        running = [
            (places, self._model.score_batch([whole[place] for place in places], asynchronous=True))
            for places in alike(list(map(len, whole)))
        ]
        for places, outputs in running:
            for place, output in zip(places, outputs, strict=True):
                log_probs = output.result().log_probs[-len(pieces[place]) :]
                rounded = tuple(round(value, DECIMALS) for value in log_probs)
                answer = PieceScores(tuple(pieces[place]), rounded)
                answers[missing[place]] = answer
                self._scores.put(missing[place], answer)
        return [scores for pair in pairs if (scores := answers[pair]) is not None]
