"""A translation model: the translations of a text, and the log-probability of a given translation.

No batch is padded. Padding changes scores (measured: a piece's log-probability by up to 0.3, because 8-bit layers round
differently). Pairs of equal lengths that are scored together get the same scores as alone: products of 8-bit numbers
are exact, and everything else is computed row by row. The same holds for sentences of equal lengths that are translated
together. So a result depends neither on the number of threads nor on the other texts.
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
#: The models have 512 positions, one of them for the end mark.
LONGEST = 511
#: Number of decimals to which log-probabilities are rounded.
DECIMALS = 4
#: Translations that the beam search keeps per step.
BEAM = 4
#: Maximum number of sentences of equal length that ``translate_batches`` translates together.
BATCH = 32
#: Maximum number of texts of equal length that are scored together; small, so that all threads have work.
TOGETHER = 8
#: Number of sentences, and of pairs of sentences, whose results are cached.
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
    """One translation: text, pieces, and log-probability divided by the number of pieces, by which the beam ranks."""

    text: str
    pieces: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class PieceScores:
    """The pieces of a text and the natural log-probability of each; the last one is the end mark."""

    pieces: tuple[str, ...]
    log_probs: tuple[float, ...]

    @property
    def total(self) -> float:
        """The text's log-probability."""
        return sum(self.log_probs)


class Cache(Generic[K, V]):
    """The ``size`` most recently used results; safe to share between threads."""

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
        """Open a folder in Marian's layout, or a CTranslate2 folder with ``source.spm``.

        A Marian model is converted on first use; the conversion stays in the cache. threads: sentences translated in
        parallel.
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
        self._together: Cache[tuple[tuple[str, ...], int], list[tuple[Translation, ...]]] = Cache()
        self._scores: Cache[tuple[str, str], PieceScores] = Cache()

    def readable(self, text: str) -> bool:
        """Whether ``text`` is not empty and fits into the model's positions, as source and as target."""
        return all(0 < len(side.encode(plain(text))) <= LONGEST for side in (self._source, self._target))

    def translate(
        self, texts: Sequence[str], n: int = 1, *, beam: int = BEAM
    ) -> list[tuple[Translation, ...]]:
        """For each text up to ``n`` different translations, best first, by beam search; the beam is at least ``n``."""
        if n < 1:
            raise InputError(f"expected at least 1 translation, got {n}")
        answers = {text: self._translations.get((text, n, beam)) for text in texts}
        missing = [text for text, answer in answers.items() if answer is None]
        cut = [self._pieces(self._source, text) for text in missing]
        running: dict[int, Any] = {}
        for places in alike([len(pieces) for pieces in cut]):
            running |= zip(places, self._start([cut[place] for place in places], n, beam), strict=True)
        for place, text in enumerate(missing):
            answer = self._distinct(text, running[place].result())
            answers[text] = answer
            self._translations.put((text, n, beam), answer)
        return [answers[text] or () for text in texts]

    def translate_together(self, texts: Sequence[str], n: int = 1) -> list[tuple[Translation, ...]]:
        """As ``translate``, in one padded batch, which takes two thirds of the time.

        For texts that always come together, such as the translations of one sentence: the last decimals of a score may
        depend on the other texts.
        """
        return self.translate_groups([texts], n)[0]

    def translate_groups(
        self, groups: Sequence[Sequence[str]], n: int = 1
    ) -> list[list[tuple[Translation, ...]]]:
        """``translate_together`` of each group. Groups whose longest texts are equally long share a batch.

        A text is padded to the length of the longest text of its own group, so other groups do not change its result.
        """
        keys = [(tuple(texts), n) for texts in groups]
        answers = {key: self._together.get(key) for key in keys}
        missing = [key for key, answer in answers.items() if answer is None]
        cut = [[self._pieces(self._source, text) for text in texts] for texts, _ in missing]
        running: dict[int, list[Any]] = {place: [] for place in range(len(missing))}
        for places in alike([max(map(len, texts), default=0) for texts in cut]):
            batch = [pieces for place in places for pieces in cut[place]]
            outputs = iter(self._start(batch, n) if batch else ())
            for place in places:
                running[place] = [next(outputs) for _ in cut[place]]
        for place, key in enumerate(missing):
            answer = [
                self._distinct(text, one.result()) for text, one in zip(key[0], running[place], strict=True)
            ]
            answers[key] = answer
            self._together.put(key, answer)
        return [answers[key] or [] for key in keys]

    def _start(self, sentences: list[list[str]], n: int, beam: int = BEAM) -> Any:
        """Start translating sentences as one batch; a translation may be a little over twice as long."""
        return self._model.translate_batch(
            sentences,
            beam_size=max(n, beam),
            num_hypotheses=n,
            return_scores=True,
            max_decoding_length=min(LONGEST, 2 * max(map(len, sentences)) + 16),
            asynchronous=True,
        )

    def translate_batches(self, texts: Sequence[str], n: int = 1) -> list[tuple[Translation, ...]]:
        """As ``translate``, but three times as fast: for texts that are translated once and stored.

        Up to ``BATCH`` sentences with equal numbers of pieces are translated together, in the given order. Scores
        differ from those of ``translate`` in the last decimals; the same list always gives the same results.
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
        """For each pair (text, translation) the log-probability of each piece of the translation, given the text."""
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
    """The positions of equal keys, in lists of at most ``most``."""
    by_key: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        by_key.setdefault(key, []).append(place)
    return [
        places[begin : begin + most] for places in by_key.values() for begin in range(0, len(places), most)
    ]


def plain(text: str) -> str:
    """``text`` with plain quotation marks, dashes and spaces, as in the models' training text."""
    return text.translate(_PLAIN)


def quoted_like(model_text: str, text: str) -> str:
    """``text`` with typographic apostrophes, if all those of ``model_text`` are typographic."""
    if "’" in model_text and "'" not in model_text:
        return text.replace("'", "’")
    return text
