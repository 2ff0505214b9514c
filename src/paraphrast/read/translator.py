"""A translation model behind two questions: what are the translations, and how likely is this one?

No batch is padded. A padded batch changes scores (measured: up to 0.3 of a piece's log-probability, because 8-bit
layers round what padding moved); pairs of the same lengths scored together give what they give alone, since 8-bit
products are exact and everything else is done row by row. Sentences are translated one by one, several at once on
several threads. So neither the number of threads nor what else is asked changes a result.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from paraphrast.errors import InputError
from paraphrast.read._runtime import optional
from paraphrast.read.store import converted

K = TypeVar("K")
V = TypeVar("V")
END = "</s>"
#: The models have positions for 512 pieces, the mark of the end included.
LONGEST = 511
#: Log-probabilities are rounded to so many decimals.
DECIMALS = 4
#: Translations that a search keeps at each step.
BEAM = 4
#: Sentences of one length that are translated together, where that is asked for.
BATCH = 32
#: Texts of one length that are scored together; few, so that several threads have some each.
TOGETHER = 8
#: Sentences, and pairs of sentences, whose answers are kept.
CACHED = 20_000
#: The models were trained on text with plain quotation marks, dashes and spaces (Moses' normalisation).
_PLAIN = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "–": "-",
        "—": " - ",
        "…": "...",
        "\xa0": " ",
    }
)


@dataclass(frozen=True, slots=True)
class Translation:
    """One translation: its text, its pieces, its log-probability divided by its length (the beam's measure)."""

    text: str
    pieces: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class PieceScores:
    """A text cut into pieces, and the natural log-probability of each, the mark of the end last."""

    pieces: tuple[str, ...]
    log_probs: tuple[float, ...]

    @property
    def total(self) -> float:
        """The text's log-probability."""
        return sum(self.log_probs)


class Cache(Generic[K, V]):
    """The answers last used, at most ``size``; safe to share between threads."""

    def __init__(self, size: int = CACHED) -> None:
        self._answers: OrderedDict[K, V] = OrderedDict()
        self._size = size
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._answers[key] = value
            self._answers.move_to_end(key)
            if len(self._answers) > self._size:
                self._answers.popitem(last=False)


class Translator:
    """A translation model of one direction. Deterministic; safe to share between threads."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open a folder: Marian's layout, converted on first use and kept, or CTranslate2's with ``source.spm``.

        threads: sentences worked on at the same time.
        """
        folder = converted(folder, "translation")
        runtime, pieces = optional("ctranslate2"), optional("sentencepiece")
        try:
            self._model = runtime.Translator(
                str(folder), inter_threads=max(1, threads), intra_threads=1, compute_type="int8"
            )
            self._source = pieces.SentencePieceProcessor(str(folder / "source.spm"))
            self._target = pieces.SentencePieceProcessor(str(folder / "target.spm"))
        except (RuntimeError, OSError, ValueError) as error:
            raise InputError(
                f"the translation model cannot be opened: {error}",
                where=folder,
                remedy="expected model.bin, config.json, a vocabulary, source.spm and target.spm",
            ) from error
        self._translations: Cache[tuple[str, int, int], tuple[Translation, ...]] = Cache()
        self._scores: Cache[tuple[str, str], PieceScores] = Cache()

    def readable(self, text: str) -> bool:
        """Whether ``text`` has at least one piece and no more than the model has positions for, on either side."""
        return all(0 < len(side.encode(plain(text))) <= LONGEST for side in (self._source, self._target))

    def translate(
        self, texts: Sequence[str], n: int = 1, *, beam: int = BEAM
    ) -> list[tuple[Translation, ...]]:
        """For each text up to ``n`` different translations, best first, by search with a beam of at least ``n``."""
        if n < 1:
            raise InputError(f"expected at least 1 translation, got {n}")
        answers = {text: self._translations.get((text, n, beam)) for text in texts}
        missing = [text for text, answer in answers.items() if answer is None]
        running = [self._start([self._pieces(self._source, text)], n, beam)[0] for text in missing]
        for text, output in zip(missing, running, strict=True):
            answer = self._distinct(text, output.result())
            answers[text] = answer
            self._translations.put((text, n, beam), answer)
        return [answers[text] or () for text in texts]

    def _start(self, sentences: list[list[str]], n: int, beam: int = BEAM) -> Any:
        """Begin to translate sentences of one length; a translation may be twice as long, and a little."""
        return self._model.translate_batch(
            sentences,
            beam_size=max(n, beam),
            num_hypotheses=n,
            return_scores=True,
            max_decoding_length=min(LONGEST, 2 * len(sentences[0]) + 16),
            asynchronous=True,
        )

    def translate_batches(self, texts: Sequence[str], n: int = 1) -> list[tuple[Translation, ...]]:
        """As ``translate``, three times as fast, for text that is translated once and kept.

        Sentences of one number of pieces are translated together, at most ``BATCH``, in the order given. Their scores
        differ in the last places from those of ``translate``; the same list gives the same results.
        """
        cut = [self._pieces(self._source, text) for text in texts]
        running: dict[int, Any] = {}
        for places in alike([len(pieces) for pieces in cut], BATCH):
            running |= zip(places, self._start([cut[place] for place in places], n), strict=True)
        return [self._distinct(text, running[place].result()) for place, text in enumerate(texts)]

    def _distinct(self, text: str, output: Any) -> tuple[Translation, ...]:
        by_text: dict[str, Translation] = {}
        for pieces, score in zip(output.hypotheses, output.scores, strict=True):
            translation = quoted_like(text, self._target.decode(pieces))
            if translation:
                by_text.setdefault(
                    translation, Translation(translation, tuple(pieces), round(score, DECIMALS))
                )
        return tuple(by_text.values())

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PieceScores]:
        """For each (text, translation) the log-probability of each piece of the translation given the text."""
        answers = {pair: self._scores.get(pair) for pair in pairs}
        missing = [pair for pair, answer in answers.items() if answer is None]
        targets = [self._pieces(self._target, target)[:-1] for _, target in missing]
        sources = [self._pieces(self._source, source) for source, _ in missing]
        running = [
            (places, self._model.score_batch([sources[place] for place in places],
                                             [targets[place] for place in places], asynchronous=True))
            for places in alike([(len(one), len(two)) for one, two in zip(sources, targets, strict=True)])
        ]  # fmt: skip
        for places, outputs in running:
            for place, output in zip(places, outputs, strict=True):
                log_probs = tuple(round(value, DECIMALS) for value in output.result().log_probs)
                answer = PieceScores(tuple(targets[place]), log_probs)
                answers[missing[place]] = answer
                self._scores.put(missing[place], answer)
        return [scores for pair in pairs if (scores := answers[pair]) is not None]

    def _pieces(self, side: Any, text: str) -> list[str]:
        pieces: list[str] = side.encode(plain(text), out_type=str)
        if not 0 < len(pieces) <= LONGEST:
            raise InputError(
                f"expected a sentence of 1 to {LONGEST} pieces, got {len(pieces)}: {text[:60]!r}",
                remedy="split the text into sentences, or check with readable()",
            )
        return [*pieces, END]


def alike(keys: Sequence[Hashable], most: int = TOGETHER) -> list[list[int]]:
    """The places of equal keys, in lists of at most ``most``."""
    by_key: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        by_key.setdefault(key, []).append(place)
    return [
        places[begin : begin + most] for places in by_key.values() for begin in range(0, len(places), most)
    ]


def plain(text: str) -> str:
    """``text`` with the plain quotation marks, dashes and spaces that the models know."""
    return text.translate(_PLAIN)


def quoted_like(model_text: str, text: str) -> str:
    """``text`` with the apostrophe of ``model_text``, if that has typographic ones only."""
    if "’" in model_text and "'" not in model_text:
        return text.replace("'", "’")
    return text
