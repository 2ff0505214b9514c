"""A loaded model: rewrites texts and says which edits it made."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from paraphrast import lm
from paraphrast.decode import (
    DecodeBatch,
    DecodeOptions,
    Decoder,
    DecoderArrays,
    Edges,
    HypEdit,
    Hypothesis,
    SearchLoss,
    Weights,
    lattice_of,
    preset_tables,
)
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.mapped import checking_maps, maps_below
from paraphrast.formats.signature import signature_of
from paraphrast.model.change import OptionChanges
from paraphrast.model.control import Control, ControlOptions
from paraphrast.model.evidence import Evidence
from paraphrast.model.explain import Explanation, explain
from paraphrast.model.folder import SUBSTITUTION, model_vocabulary, read_manifest
from paraphrast.model.lookup import Lookup
from paraphrast.model.names import lowered_names
from paraphrast.model.prepared import Prepared, categories_of
from paraphrast.model.render import Constraints, is_enough, paraphrases, protected_spans, touched_tokens
from paraphrast.model.sampling import draw, pool_size
from paraphrast.model.texts import check_texts, checked_texts
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.text import analyse, get_language
from paraphrast.text.syntax.tag import Tagger
from paraphrast.text.truecase import Truecaser
from paraphrast.types import UNKNOWN, Lattice, Paraphrase, ParaphraseList

if TYPE_CHECKING:
    from paraphrast.model.precise import PreciseRoad
    from paraphrast.model.substitution import SubstitutionModel

#: Texts decoded together; fixed, so that results and memory do not depend on the number of threads.
BATCH = 256
#: Cost of a substitution that is not allowed: a rewrite with one scores below any threshold.
FORBIDDEN = 1e6
#: Options with lower log-odds without context are not tried, except in a second pass over texts without a result.
LEAST_PRIOR = -2.0
#: A shorter list is the beginning of a list of so many results: the gain of a change ranks what was searched.
LISTED = 10
#: A text without a result is searched again for a list so many times as long.
WIDER = 8
#: Number of ids of each kind that are checked when a model is loaded; of a longer array, ids at equal distances.
CHECKED = 1_000_000


@dataclass(frozen=True)
class JudgedEdges:
    """The substitutions that are allowed in some texts, with the log-odds that each is accepted.

    options: the decoder options with which ``edges`` were listed and must be searched. log_odds: float64[edges].
    """

    options: DecodeOptions
    edges: Edges
    log_odds: NDArray[np.float64]


class Paraphraser:
    """A loaded model. It pickles as its path; its arrays are memory-mapped, so processes share them."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest = read_manifest(self.path)
        try:
            self.language = get_language(str(self.manifest["language"]))
            self._signature = str(self.manifest["signature"])
            self.vocabulary = model_vocabulary(self.path)
            self.casing = Truecaser.load(self.path / "casing.tsv")
            self.tagger = Tagger.load(self.path / "tagger") if self.manifest.get("tagger") else None
            self.arrays = DecoderArrays.load(self.path / "decoder")
            self.glue: NDArray[np.uint8] = load_array(self.path / "decoder" / "glue.npy", np.uint8)
            self._check_ids()
            self.decoder = Decoder(
                self.arrays, lm.load(self.path / "lm"), Weights.load(self.path / "weights.json")
            )
            self.substitution = self._load_substitution()
            self.mapped = maps_below(self.path)
            self._precise: PreciseRoad | None = None
            self._presets: dict[str, Decoder] = {}
            self._table_names: dict[int, tuple[str, ...]] = {}
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(
                f"the model is damaged: {error}", where=self.path, remedy="copy it again, or train it again"
            ) from error

    def _check_ids(self) -> None:
        """Refuse arrays that belong to another vocabulary or to other phrases."""
        options = self.arrays.options
        for name, ids, size in (
            ("word", options.word, len(self.vocabulary)),
            ("target_words", options.target_words, len(self.vocabulary)),
            ("target", options.target, len(self.glue)),
        ):
            largest = int(ids[:: 1 + len(ids) // CHECKED].max(initial=-1))
            if largest >= size:
                raise ModelError(
                    f"the model is damaged: expected ids below {size}, got {largest}",
                    where=self.path / "decoder" / f"{name}.npy",
                    remedy="copy it again, or train it again",
                )

    def __reduce__(self) -> tuple[type[Paraphraser], tuple[str]]:
        return type(self), (str(self.path.resolve()),)

    def __repr__(self) -> str:
        return f"Paraphraser({str(self.path)!r})"

    @property
    def signature(self) -> str:
        """Identifies what this model does: its recipe, its weights, the version of paraphrast that made it."""
        weights = signature_of(self.decoder.weights.to_dict())
        return f"{self._signature}|weights:{weights}|version:{self.manifest['paraphrast']}"

    def paraphrase(
        self, text: str, control: Control | None = None, **options: Unpack[ControlOptions]
    ) -> list[Paraphrase]:
        """The best rewrites of ``text``, best first; options are fields of :class:`Control`.

        Results are ranked by their probability of being acceptable and the size of the change. There are fewer than
        ``n`` if the model knows too few substitutions. The input itself is never among them, except at strength 0,
        where it is the only result.
        """
        control = make_control(control, options)
        return ParaphraseList(self._batch([text], control, self.decode_options(control), threads=1)[0])

    def paraphrase_many(
        self,
        texts: Iterable[str],
        control: Control | None = None,
        *,
        threads: int = 0,
        **options: Unpack[ControlOptions],
    ) -> Iterator[list[Paraphrase]]:
        """As :meth:`paraphrase`, for a stream of texts, in order; ``threads`` never changes a result."""
        check_texts(texts)
        if type(threads) is not int or threads < 0:
            raise InputError(f"threads: expected a whole number from 0, got {threads!r}")
        control = make_control(control, options)
        decode_options = self.decode_options(control)

        def stream() -> Iterator[list[Paraphrase]]:
            source = checked_texts(texts)
            while batch := list(islice(source, BATCH)):
                results = self._batch(batch, control, decode_options, threads or os.cpu_count() or 1)
                yield from map(ParaphraseList, results)

        return stream()

    def lattice(
        self, text: str, control: Control | None = None, **options: Unpack[ControlOptions]
    ) -> Lattice:
        """All edits that are allowed in ``text``, without language model scores, for drawing or for another decoder."""
        control = make_control(control, options)
        prepared = self.prepare(text, control)
        if not prepared.ids:
            raise InputError("expected a text with at least one word, got none")
        return lattice_of(
            self.decoder_of(control),
            self.batch_of([prepared]),
            0,
            self.vocabulary.words,
            self.decode_options(control),
            surfaces=prepared.words,
        )

    def loss(
        self,
        texts: Sequence[str],
        control: Control | None = None,
        *,
        threads: int = 0,
        **options: Unpack[ControlOptions],
    ) -> SearchLoss:
        """By how much the beam's rewrites of some texts score lower than those of exact search."""
        control = make_control(control, options)
        batch = self.batch_of([self.prepare(text, control) for text in texts])
        decode_options = replace(self.decode_options(control), n=control.n)
        return self.decoder_of(control).loss(batch, decode_options, threads or os.cpu_count() or 1)

    def decoder_of(self, control: Control) -> Decoder:
        """The model's decoder, or a decoder with the weights of a preset. u is passed with each call."""
        if control.preset is None:
            return self.decoder
        if control.preset not in self._presets:
            weights = Weights.preset(control.preset, self.arrays.feature_names)
            self._presets[control.preset] = self.decoder.with_weights(weights)
        return self._presets[control.preset]

    def explain(self, phrase: str, paraphrase: str) -> Explanation:
        """The scores, pivots and corpus sentences behind a substitution."""
        return explain(self, phrase, paraphrase)

    @cached_property
    def lookup(self) -> Lookup:
        """The phrases and table rows of the model."""
        return Lookup.load(self.path)

    @cached_property
    def evidence(self) -> Evidence | None:
        """The pivots and cited sentences of the model, if it has them."""
        return Evidence.load(self.path)

    def features_of(self, item: Prepared, hypothesis: Hypothesis, control: Control) -> dict[str, float]:
        """The parts of a rewrite's score before weighting; ``substitution``: the sum of the log-odds of its edits."""
        features = self.decoder_of(control).components(self.batch_of([item]), 0, hypothesis)
        if self.substitution is not None and control.preset is None:
            log_probs = [edit.log_prob for edit in hypothesis.edits]
            features["substitution"] = math.fsum(
                log_prob - math.log(-math.expm1(log_prob)) for log_prob in log_probs if log_prob < 0
            )
        return features

    def decode_options(self, control: Control) -> DecodeOptions:
        """The options of the decoder for a control."""
        known = set(VETOES)
        vetoes = known if control.vetoes is None else set(control.vetoes)
        unknown = sorted(vetoes - known - {"agreement"})
        if unknown:
            raise InputError(
                f"unknown veto {unknown[0]!r}",
                remedy=f"known: {', '.join([*VETOES, 'agreement'])}",
            )
        tables = preset_tables(control.preset, self.arrays.feature_names, control.tables)
        return DecodeOptions(
            # Casing and repair can make two hypotheses equal; spare ones fill the list.
            n=control.n * 3 + 5,
            beam=control.beam,
            pops=3 * control.beam,
            window=control.reorder,
            min_log_prob=control.min_log_prob,
            veto_mask=sum(VETOES[name] for name in vetoes & known),
            use_categories=control.vetoes is None or "agreement" in control.vetoes,
            table_mask=self.arrays.table_mask(tables) if tables else 0xFFFFFFFF,
            max_edits=control.max_edits,
            avoid=tuple(sequence for phrase in control.avoid for sequence in self.sequences(phrase)),
            must_use=tuple(self._known_sequence(phrase) for phrase in control.must_use),
            log_u=control.log_identity,
            distinct=control.distinct,
        )

    def sequences(self, phrase: str) -> list[tuple[int, ...]]:
        """The word ids that a phrase may have, most likely first: as given, truecased as a sentence, in lower case.

        Empty if the model does not know all its words.
        """
        analysis = analyse(phrase, self.language, one_sentence=True)
        forms = [analysis.words, self.casing.words(analysis), [word.lower() for word in analysis.words]]
        sequences = [tuple(self._id(word) for word in form) for form in forms]
        return [ids for ids in dict.fromkeys(sequences) if ids and UNKNOWN not in ids]

    def tables_of(self, edits: Iterable[HypEdit]) -> tuple[str, ...]:
        """The names of the tables that contain at least one of the edits."""
        mask = 0
        for edit in edits:
            mask |= edit.table_mask
        if mask not in self._table_names:
            self._table_names[mask] = self.arrays.tables_of(mask)
        return self._table_names[mask]

    def _known_sequence(self, phrase: str) -> tuple[int, ...]:
        for sequence in self.sequences(phrase):
            return sequence
        raise InputError(
            f"must_use: the model does not know {phrase!r}",
            remedy="use words of the model's corpus, or train on more text",
        )

    def _id(self, word: str) -> int:
        ids = self.vocabulary.ids
        word_id = ids.get(word)
        return word_id if word_id is not None else ids.get(word.lower(), UNKNOWN)

    def prepare(self, text: str, control: Control) -> Prepared:
        """Tokenise, truecase, look up word ids, and find the spans to protect."""
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        analysis = analyse(text, self.language)
        words = self.casing.words(analysis)
        ids = [self._id(word) for word in words]
        # A capitalised word that is known only in lower case gets the id of the lower-case word: the capital comes
        # from a quotation or a title.
        known = [
            self.vocabulary.words[index] if index != UNKNOWN else word
            for index, word in zip(ids, words, strict=True)
        ]
        return Prepared(
            analysis, known, ids, protected_spans(text, control) + lowered_names(analysis, known, control)
        )

    @checking_maps
    def _batch(
        self, texts: list[str], control: Control, options: DecodeOptions, threads: int
    ) -> list[list[Paraphrase]]:
        if control.sample:
            wide = replace(control, sample=False, n=pool_size(control.n))
            listed = self._batch(texts, wide, self.decode_options(wide), threads)
            return [draw(results, control.n, control.seed) for results in listed]
        prepared = [self.prepare(text, control) for text in texts]
        if control.strength == 0:
            return [[Paraphrase(text, text, 0.0, ())] for text in texts]
        if control.precise:
            return self._read_batch(texts, prepared, control, threads)
        if control.n < LISTED and self.ranks_by_probability(control):
            wide = replace(control, n=LISTED)
            listed = self._batch(texts, wide, self.decode_options(wide), threads)
            return [results[: control.n] for results in listed]
        results = [list[Paraphrase]() for _ in texts]
        # Most texts need few more hypotheses than results. A longer list begins with the same hypotheses.
        # If all of a list are out of place or break a rule after repair, a much longer one may hold a result.
        few, many = control.n + 1, WIDER * options.n
        counts = (few, options.n, many) if few < options.n and not control.distinct else (options.n, many)
        floors = (LEAST_PRIOR, -math.inf) if self.ranks_by_probability(control) else (options.min_log_prob,)
        places = list(range(len(texts)))
        for floor in floors:
            for n in counts:
                if not places:
                    break
                items = [prepared[place] for place in places]
                passed = replace(options, n=n, min_log_prob=floor)
                decoded = self.decode_prepared(items, control, passed, threads)
                short: list[int] = []
                for place, item, hypotheses in zip(places, items, decoded, strict=True):
                    results[place] = paraphrases(self, item, hypotheses, control)
                    if len(hypotheses) >= n and not (
                        is_enough(results[place], control, self.language) if n < options.n else results[place]
                    ):
                        short.append(place)
                places = short
            places = [place for place, found in enumerate(results) if not found]
        return results

    def _read_batch(
        self, texts: list[str], prepared: list[Prepared], control: Control, threads: int
    ) -> list[list[Paraphrase]]:
        """Precise rewriting: candidates from this model and from round trips, scored and ranked by P(accepted)."""
        from paraphrast.model.precise import candidate_control

        road = self.precise_road(threads)
        wide = candidate_control(control, ranked=self.ranks_by_probability(control))
        fast = self._batch(texts, wide, self.decode_options(wide), threads)
        protected = [item.protected for item in prepared]
        constraints = Constraints(self, control)

        def keep(result: Paraphrase) -> bool:
            return result.probability >= control.sure and constraints.hold_for(result)

        return road.rewrite_all(texts, fast, control, protected, keep, threads=threads)

    def precise_road(self, threads: int = 1) -> PreciseRoad:
        """The translation and language models of ``precise``, opened once; an error names what is missing."""
        if self._precise is None:
            from paraphrast.model.precise import PreciseRoad

            self._precise = PreciseRoad.open(self.language, threads=threads)
        return self._precise

    def ranks_by_probability(self, control: Control) -> bool:
        """Whether results are ranked by probability: with a substitution model, and without a preset."""
        return self.substitution is not None and control.preset is None

    def _load_substitution(self) -> SubstitutionModel | None:
        """The substitution model, if the model has one; otherwise its code is not imported."""
        folder = self.path / SUBSTITUTION
        if not folder.is_dir():
            return None
        from paraphrast.model.substitution import SubstitutionModel

        substitution = SubstitutionModel.load(folder)
        if len(substitution.static) != len(self.arrays) or len(substitution.flags) < len(self.vocabulary):
            raise ValueError(f"{SUBSTITUTION}/static.npy belongs to other options")
        return substitution

    def decode_prepared(
        self, prepared: list[Prepared], control: Control, options: DecodeOptions, threads: int = 1
    ) -> list[list[Hypothesis]]:
        """The best rewrites of each text.

        With a substitution model, the score of a rewrite is the sum of the log-probabilities of its edits, plus a
        reward per changed word that depends on the strength. Its probabilities replace those of the tables.
        """
        batch = self.batch_of(prepared)
        judged = self.judge_edges(batch, control, options)
        if judged is None:
            return self.decoder_of(control).decode(batch, options, threads=threads)
        from paraphrast.model.substitution import log_probability, with_probabilities

        log_prob = log_probability(judged.log_odds)
        too_unlikely = log_prob < (math.log(control.sure) if control.sure else -math.inf)
        changed = self._option_changes.of(judged.edges.option)
        begin = judged.edges.begin.tolist()
        decoded = [dict[tuple[int, ...], Hypothesis]() for _ in prepared]  # each set of edits once
        search = self._swap_decoder if control.reorder > 1 else self._search_decoder
        for reward in control.rewards:
            score = np.where(too_unlikely, -FORBIDDEN, log_prob + reward * changed)
            scored = replace(judged.edges, score=score)
            searched = search.decode(batch, judged.options, threads=threads, edges=scored)
            for item, hypotheses in enumerate(searched):
                for hypothesis in hypotheses:
                    if hypothesis.score > -FORBIDDEN / 2:
                        decoded[item].setdefault(tuple([edit.edge for edit in hypothesis.edits]), hypothesis)
        return [
            with_probabilities(list(hypotheses.values()), judged.log_odds[begin[item] : begin[item + 1]])
            for item, hypotheses in enumerate(decoded)
        ]

    @cached_property
    def _option_changes(self) -> OptionChanges:
        return OptionChanges(self.arrays, self.vocabulary.words, self.language)

    @cached_property
    def _listing_decoder(self) -> Decoder:
        """The decoder that lists edges. Its options have log-odds without context instead of table probabilities."""
        assert self.substitution is not None
        options = self.arrays.options._replace(log_prob=self.substitution.prior)
        return self.decoder.with_arrays(replace(self.arrays, options=options))

    @cached_property
    def _search_decoder(self) -> Decoder:
        """The decoder that searches edges by the scores given to them alone."""
        return self.decoder.with_weights(Weights(lm=0.0))

    @cached_property
    def _swap_decoder(self) -> Decoder:
        """As the search decoder, but the language model scores the new order of words."""
        return self.decoder.with_weights(Weights(lm=self.decoder.weights.lm))

    def judge_edges(self, batch: DecodeBatch, control: Control, options: DecodeOptions) -> JudgedEdges | None:
        """How likely each substitution of some texts is accepted; None if the model has no substitution model."""
        if self.substitution is None or control.preset is not None:
            return None
        options = replace(options, log_u=0.0)
        decoder = self._listing_decoder
        edges = decoder.edges(batch, options)
        odds = self.substitution.log_odds(self.substitution.features(decoder, batch, edges))
        return JudgedEdges(options, edges, odds)

    def batch_of(self, prepared: list[Prepared]) -> DecodeBatch:
        """Prepared texts as the decoder's arrays."""
        starts = np.zeros(len(prepared) + 1, dtype=np.int64)
        np.cumsum([len(item.ids) for item in prepared], out=starts[1:])
        tokens = np.array([token for item in prepared for token in item.ids], dtype=np.int32)
        breaks = np.zeros(len(tokens), dtype=np.uint8)
        protected = np.zeros(len(tokens), dtype=np.uint8)
        for item, start in zip(prepared, starts.tolist(), strict=False):
            breaks[[start + token for token in item.analysis.sentence_starts]] = 1
            for place in touched_tokens(item.analysis, item.protected):
                protected[start + place] = 1
        return DecodeBatch(tokens, starts, breaks, protected, categories_of(self.tagger, prepared, breaks))


def make_control(control: Control | None, options: ControlOptions) -> Control:
    """A control with some fields replaced by ``options``; lists become tuples."""
    if control is not None and not isinstance(control, Control):
        raise InputError(
            f"expected a Control, got {control!r}", remedy="pass options by name: n=5, strength=0.8"
        )
    fields: dict[str, Any] = {key: _hashable(value) for key, value in options.items()}
    try:
        return replace(control or Control(), **fields)
    except TypeError as error:
        unknown = sorted(set(fields) - set(Control.__dataclass_fields__))
        if not unknown:
            raise
        raise InputError(
            f"unknown option {unknown[0]!r}", remedy=f"known: {', '.join(Control.__dataclass_fields__)}"
        ) from error


def _hashable(value: Any) -> Any:
    """Lists as tuples, also inside lists."""
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
