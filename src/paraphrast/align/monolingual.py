"""The monolingual HMM: an HMM where both sides are one language and much is known without any text.

One step above ``hmm``. Three things differ:

- **One model.** Both directions share lexicon and jumps: the model is trained on every pair and on its mirror.
- **A prior.** The lexicon starts not from Model 1 but from evidence (``evidence``): the same word, the same stem,
similar
  spelling, listed synonyms, similar vectors, and a little for any word. The M step keeps the prior as counts, so that
  its influence fades where the text has more data::

      t(f | e) = exp(ψ(c(e, f) + α m(f | e)) − ψ(c(e) + α M(e)))        M(e) = Σ_f m(f | e)

  This is variational Bayes with a Dirichlet prior α m (Riley and Gildea 2012), with a separate prior for each word.
  The empty word generates words by their frequency.
- **Links from a link model** (``linking``) instead of a heuristic that combines two directions.

A word that training never saw still has evidence, so a saved model can align any text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels, _kernels_links
from paraphrast.align import _kernels_monolingual as _own
from paraphrast.align.base import SMALLEST, Bitext, Lexicon, Pair, Progress
from paraphrast.align.context import Context
from paraphrast.align.evidence import SLOTS, WIDTH, Evidence
from paraphrast.align.hmm import HMM, Expectation
from paraphrast.align.linking import ALL_FEATURES, CROSSED_COLUMNS, FEATURES, LinkModel, default_links
from paraphrast.errors import InputError
from paraphrast.text import Language, get_language
from paraphrast.types import Links, Sentences

#: m(e | e): the same word. CLASS: any word of its class. ANY: any other word, by frequency.
SAME, CLASS, ANY = 0.6, 0.05, 0.1
#: Links per pair, source positions, target positions, beliefs.
_Found = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]
#: Number of word pairs that evidence compares at a time.
BLOCK = 1 << 20


@dataclass(frozen=True)
class MonolingualOptions:
    """How to train.

    iterations: of EM. strength: α, the weight of the prior in words of text. empty: p0, the probability that a word
    has no partner. window, max_length, max_ratio, tolerance: as in ``AlignOptions``.
    """

    iterations: int = 6
    strength: float = 5.0
    empty: float = 0.2
    window: int = 8
    max_length: int = 500
    max_ratio: float = 50.0
    tolerance: float | None = None

    def __post_init__(self) -> None:
        bounds = {
            "iterations": self.iterations >= 0,
            "strength": self.strength > 0.0,
            "empty": 0.0 < self.empty < 1.0,
            "window": self.window >= 1,
            "max_length": self.max_length >= 1,
            "max_ratio": self.max_ratio >= 1.0,
        }
        for name, held in bounds.items():
            if not held:
                raise InputError(f"{name} is out of range: {getattr(self, name)}")


@dataclass(frozen=True)
class Knowledge:
    """Words of a text with everything known about them without links.

    lexicon: every pair of words that occur in one pair of sentences; t is the prior m.
    similar: uint8[slots, 4], evidence by ``SLOTS``, 255 for 1.
    word_class: uint8[words], content word, function word or mark.
    """

    lexicon: Lexicon
    similar: NDArray[np.uint8]
    word_class: NDArray[np.uint8]


class MonolingualHMM(HMM):
    """An HMM whose lexicon keeps its prior, trained on a bitext and its mirror together."""

    name = "monolingual HMM"

    def __init__(self, knowledge: Knowledge, options: MonolingualOptions) -> None:
        super().__init__(
            knowledge.lexicon, max_length=options.max_length, window=options.window, empty=options.empty
        )
        self.prior_counts = options.strength * knowledge.lexicon.prob.astype(np.float64)
        self.counts = np.zeros(len(self.prior_counts))

    def update(self, run: Expectation) -> None:
        """The M step. The row of the empty word does not change."""
        self.counts = run.counts
        _own.maximise(
            self.lexicon.slot_start,
            self.lexicon.slot_word,
            run.counts,
            self.prior_counts,
            SMALLEST,
            self.lexicon.prob,
        )
        self.update_jumps(run)


@dataclass(frozen=True)
class MonolingualAligner:
    """A trained model: words and their frequencies, expected counts of pairs, jumps.

    counts: float64[slots] in the layout of ``pairs``, whose rows are the words. row_prior: M(e).
    """

    words: tuple[str, ...]
    frequency: NDArray[np.int64]
    pairs: Lexicon
    counts: NDArray[np.float64]
    row_prior: NDArray[np.float64]
    jump: NDArray[np.float64]
    evidence: tuple[Evidence, ...]
    options: MonolingualOptions
    language: Language
    links: LinkModel
    log_likelihoods: tuple[float, ...] = ()

    def align(
        self,
        source: Sentences,
        target: Sentences,
        words: Sequence[str] | None = None,
        *,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> Links:
        """Links with their probabilities. ``words``: the words of the sentences' ids; None for those of training.

        The links of a pair depend only on that pair and the model. progress: called with the number of finished pairs.
        """
        source, target, text_words = _lowered(source, target, self.words if words is None else words)
        bitext = _bitext(source, target, len(text_words), self.options)
        parts = []
        for run in self._runs(bitext, text_words, threads, with_context=self.links.reads_context):
            run.decide(self.links)
            parts.append(run.links(self.links.threshold))
            if progress is not None:
                progress("linking words", run.last, len(bitext.kept))
        starts = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        if parts:
            np.cumsum(np.concatenate([part[0] for part in parts]), out=starts[1:])
        return Links(
            starts,
            np.concatenate([part[1] for part in parts] or [np.zeros(0, np.int32)]),
            np.concatenate([part[2] for part in parts] or [np.zeros(0, np.int32)]),
            np.concatenate([part[3] for part in parts] or [np.zeros(0)]).astype(np.float32),
        )

    def features(
        self,
        source: Sentences,
        target: Sentences,
        words: Sequence[str],
        passes: Sequence[NDArray[np.float64]] = (),
        *,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Features of every cell of every pair, target word by target word, after ``passes`` of a link model.

        If ``context`` is among the evidence, its features come last. Skipped pairs have no cells.
        """
        source, target, text_words = _lowered(source, target, words)
        bitext = _bitext(source, target, len(text_words), self.options)
        return np.concatenate(
            [
                run.describe(passes, self.links.anchor)
                for run in self._runs(bitext, text_words, threads, with_context=self.context is not None)
            ]
        )

    @property
    def context(self) -> Context | None:
        """The evidence that compares words in their sentences, if any."""
        return next((piece for piece in self.evidence if isinstance(piece, Context)), None)

    def _runs(
        self, bitext: Bitext, words: Sequence[str], threads: int, *, with_context: bool
    ) -> Iterator[_Run]:
        reader = self.context if with_context else None
        if with_context and reader is None:
            raise InputError(
                "these link weights need the evidence context",
                remedy="add context to the evidence, or use other weights",
            )
        knowledge = know(bitext, words, self.frequencies(words), self.evidence, self.language)
        hmm = MonolingualHMM(knowledge, self.options)
        hmm.jump = self.jump
        ids = {word: number for number, word in enumerate(self.words)}
        known = np.array([ids.get(word, -1) for word in words], dtype=np.int32)
        _own.fill_lexicon(
            knowledge.lexicon.slot_start,
            knowledge.lexicon.slot_word,
            knowledge.lexicon.prob,
            known,
            self.pairs.slot_start,
            self.pairs.slot_word,
            self.counts,
            _own.row_sums(self.pairs.slot_start, self.pairs.slot_word, self.counts),
            self.row_prior,
            self.options.strength,
            SMALLEST,
            hmm.lexicon.prob,
        )
        ahead = Expectation(hmm, bitext, counting=False)
        back = Expectation(hmm, bitext.flipped(), counting=False)
        with Pair(threads) as pair:
            for first, last in ahead.chunks():
                pair.run(partial(ahead.expect, first, last), partial(back.expect, first, last))
                context_features = np.zeros((0, 0))
                if reader is not None:
                    context_features = _read_context(reader, bitext, words, knowledge, first, last, threads)
                yield _Run(ahead, back, first, last, knowledge, context_features)

    def frequencies(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Relative frequencies in the training text; a word that it lacks counts as half a word."""
        counts = dict(zip(self.words, self.frequency.tolist(), strict=True))
        total = max(float(self.frequency.sum()), 1.0)
        return np.array([max(counts.get(word, 0), 0.5) for word in words]) / total


class _Run:
    """Some sentence pairs with their posteriors in both directions, and the encoder's features of their cells."""

    def __init__(
        self,
        ahead: Expectation,
        back: Expectation,
        first: int,
        last: int,
        knowledge: Knowledge,
        context: NDArray[np.float64],
    ) -> None:
        self.ahead, self.back, self.first, self.last, self.knowledge = ahead, back, first, last, knowledge
        self.context = context
        self.count = len(ALL_FEATURES) if context.shape[1] else len(FEATURES)
        self.belief = np.zeros_like(ahead.gamma)
        _kernels_links.agreement(
            ahead.arrays,
            first,
            last,
            ahead.cell_start,
            ahead.gamma,
            back.cell_start,
            back.gamma,
            self.belief,
        )

    def decide(self, model: LinkModel) -> None:
        """Run the passes of a link model."""
        for weights in model.weights:
            self._pass(weights, model.anchor, np.zeros((0, self.count)))

    def links(self, threshold: float) -> _Found:
        """(links per pair, source, target, belief) of all links at or above ``threshold``."""
        return _kernels_links.take_links(
            self.ahead.arrays, self.first, self.last, self.ahead.cell_start, self.belief, threshold
        )

    def describe(self, passes: Sequence[NDArray[np.float64]], anchor: float) -> NDArray[np.float64]:
        """Features after some passes."""
        for weights in passes:
            self._pass(weights, anchor, np.zeros((0, self.count)))
        arrays = self.ahead.arrays
        pairs = slice(self.first, self.last)
        cells = np.diff(arrays.source_starts)[pairs] * np.diff(arrays.target_starts)[pairs]
        out = np.zeros((int(cells[arrays.kept[pairs]].sum()), self.count))
        if len(out):
            self._pass(np.zeros(self.count), anchor, out)
        return out

    def _pass(self, weights: NDArray[np.float64], anchor: float, features: NDArray[np.float64]) -> None:
        _kernels_links.link_probabilities(
            self.ahead.arrays,
            self.first,
            self.last,
            self.ahead.cell_start,
            self.ahead.gamma,
            self.ahead.slots,
            self.back.cell_start,
            self.back.gamma,
            self.knowledge.similar,
            self.knowledge.word_class,
            self.context,
            *CROSSED_COLUMNS,
            np.ascontiguousarray(weights),
            anchor,
            self.belief,
            features,
        )


def _read_context(
    reader: Context,
    bitext: Bitext,
    words: Sequence[str],
    knowledge: Knowledge,
    first: int,
    last: int,
    threads: int,
) -> NDArray[np.float64]:
    """The encoder's features of the cells of the used pairs among ``first`` … ``last − 1``."""
    rows = [
        [side.tokens[side.starts[pair] : side.starts[pair + 1]] for side in (bitext.source, bitext.target)]
        for pair in range(first, last)
        if bitext.kept[pair]
    ]
    return reader.describe(
        [
            ([words[word] for word in source_row], [words[word] for word in target_row])
            for source_row, target_row in rows
        ],
        [
            (knowledge.word_class[source_row], knowledge.word_class[target_row])
            for source_row, target_row in rows
        ],
        threads=threads,
    )


def train_monolingual(
    source: Sentences,
    target: Sentences,
    words: Sequence[str],
    evidence: Sequence[Evidence] = (),
    options: MonolingualOptions | None = None,
    *,
    language: Language | None = None,
    links: LinkModel | None = None,
    progress: Progress | None = None,
) -> MonolingualAligner:
    """Train on sentence pairs of one language. ``words``: the words of the ids of both sides."""
    options = options or MonolingualOptions()
    language = language or get_language("en")
    source, target, text_words = _lowered(source, target, words)
    bitext = _bitext(source, target, len(text_words), options)
    frequency = np.bincount(np.concatenate([source.tokens, target.tokens]), minlength=len(text_words)).astype(
        np.int64
    )
    shares = np.maximum(frequency, 0.5) / max(float(frequency.sum()), 1.0)
    knowledge = know(bitext, text_words, shares, evidence, language)
    hmm = MonolingualHMM(knowledge, options)
    hmm.fit(_doubled(bitext), options.iterations, tolerance=options.tolerance, progress=progress)
    prior = knowledge.lexicon.prob.astype(np.float64)
    return MonolingualAligner(
        text_words,
        frequency,
        knowledge.lexicon,
        hmm.counts,
        _own.row_sums(knowledge.lexicon.slot_start, knowledge.lexicon.slot_word, prior),
        hmm.jump,
        tuple(evidence),
        options,
        language,
        links or default_links(any(isinstance(piece, Context) for piece in evidence)),
        tuple(hmm.log_likelihoods),
    )


def know(
    bitext: Bitext,
    words: Sequence[str],
    shares: NDArray[np.float64],
    evidence: Sequence[Evidence],
    language: Language,
) -> Knowledge:
    """The pairs of words that occur in one pair of sentences, in both orders, with their prior and evidence.

    shares: relative frequency of each word. Memory: about 20 bytes per pair of words.
    """
    mirrored = _doubled(bitext)
    row_start, columns = _kernels.build_rows(
        *_kernels.invert(mirrored.source.tokens, mirrored.source.starts, mirrored.kept, len(words)),
        mirrored.target.tokens,
        mirrored.target.starts,
        len(words),
    )
    empty = np.zeros(len(columns), dtype=np.float32)
    slot_start, slot_word, prob = _kernels.hash_rows(row_start, columns, empty, -1.0)
    word_class = classes(words, language)
    in_class = np.array([max(float(shares[word_class == kind].sum()), 1e-12) for kind in range(3)])
    similar = np.zeros((len(slot_word), len(SLOTS)), dtype=np.uint8)
    rows = _own.slot_rows(slot_start)
    measures = [(piece, piece.measure(words)) for piece in evidence]
    for begin in range(0, len(slot_word), BLOCK):
        block = np.flatnonzero(slot_word[begin : begin + BLOCK] >= 0) + begin
        first, second = rows[block], slot_word[block]
        held = first < len(words)
        prob[block[~held]] = shares[second[~held]]
        block, first, second = block[held], first[held], second[held]
        same = first == second
        value = np.where(same, SAME, 0.0) + ANY * shares[second]
        kinds = word_class[first] == word_class[second]
        value += np.where(kinds, CLASS * shares[second] / in_class[word_class[second]], 0.0)
        for piece, measure in measures:
            if measure is None:
                continue
            similarity = np.where(same, np.float32(0), np.clip(measure(first, second), 0.0, 1.0))
            value += np.where(similarity > 0, piece.share * np.exp((similarity - 1.0) / WIDTH), 0.0)
            slot = SLOTS.index(piece.slot)
            level = np.round(similarity * 255.0).astype(np.uint8)
            similar[block, slot] = np.maximum(similar[block, slot], level)
        prob[block] = value
    return Knowledge(Lexicon(slot_start, slot_word, prob), similar, word_class)


def classes(words: Sequence[str], language: Language) -> NDArray[np.uint8]:
    """Class of every word: content word, function word or mark."""
    return np.array(
        [
            _kernels_links.MARK
            if not any(map(str.isalnum, word))
            else _kernels_links.FUNCTION
            if word in language.function_words
            else _kernels_links.CONTENT
            for word in words
        ],
        dtype=np.uint8,
    )


def _bitext(source: Sentences, target: Sentences, size: int, options: MonolingualOptions) -> Bitext:
    return Bitext.of(source, target, size, size, max_length=options.max_length, max_ratio=options.max_ratio)


def _doubled(bitext: Bitext) -> Bitext:
    """Every pair, followed by every pair in the other direction."""
    return Bitext(
        _joined(bitext.source, bitext.target),
        _joined(bitext.target, bitext.source),
        bitext.source_size,
        bitext.target_size,
        np.concatenate([bitext.kept, bitext.kept]),
    )


def _joined(first: Sentences, second: Sentences) -> Sentences:
    return Sentences(
        np.concatenate([first.tokens, second.tokens]),
        np.concatenate([first.starts, first.starts[-1] + second.starts[1:]]),
        np.concatenate([first.space_before, second.space_before]),
    )


def _lowered(
    source: Sentences, target: Sentences, words: Sequence[str]
) -> tuple[Sentences, Sentences, tuple[str, ...]]:
    """Both sides with lower-case words, numbered by first occurrence in ``words``: case is ignored."""
    numbers: dict[str, int] = {}
    lower_ids = np.array([numbers.setdefault(word.lower(), len(numbers)) for word in words], dtype=np.int32)
    sides = [
        Sentences(lower_ids[side.tokens] if len(side.tokens) else side.tokens, side.starts, side.space_before)
        for side in (source, target)
    ]
    return sides[0], sides[1], tuple(numbers)
