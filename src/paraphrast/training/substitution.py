"""The stage ``substitution``: what is known of every pair of a model's tables before any sentence is seen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import data
from paraphrast.build.encoders import missing_for_encoder
from paraphrast.decode import DecoderArrays
from paraphrast.decode.features import phrases_of
from paraphrast.decode.scoring import CAPITAL, CONTENT, MARK
from paraphrast.engine import Engine
from paraphrast.errors import DataError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.signature import signature_of
from paraphrast.formats.table_file import load_table
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.model.folder import model_vocabulary, read_manifest
from paraphrast.model.substitution import (
    STATIC,
    Acceptance,
    StaticFeatures,
    SubstitutionModel,
    default_acceptance,
)
from paraphrast.tables.quality.rated import RATED_LANGUAGE, rated_phrases
from paraphrast.tables.quality.score import FEATURES as PAIR_FEATURES
from paraphrast.tables.quality.score import QualityModel
from paraphrast.text import get_language
from paraphrast.training import pair_quality as quality
from paraphrast.training.pair_quality import (
    knowledge_names,
    make_scorer,
    pair_evidence,
    paired_words,
)
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import open_engine
from paraphrast.types import ParaphraseTable, Phrases, Vocabulary, pair_keys

log = logging.getLogger(__name__)

#: Pairs that a model's tables must have together before ``auto`` gives it a model of substitutions: below, there is
#: little to choose from, and nothing that was measured.
LEAST_PAIRS = 10_000
#: Unit vectors are stored as whole numbers; components above half are rare and cut.
_VECTOR_SCALE = 254.0


def build_substitution_model(
    model: str | Path, acceptance: Acceptance | None = None, *, fetch: bool = False, threads: int = 1
) -> SubstitutionModel:
    """Gather what is known of every option of a model folder; vectors and WordNet come from the data room."""
    folder = Path(model)
    language = str(read_manifest(folder)["language"])
    vocabulary = model_vocabulary(folder)
    with Engine(threads=1) as engine:
        phrases, categories = load_phrases(engine, folder / "phrases.parquet")
        tables = {
            path.stem: load_table(engine, path) for path in sorted((folder / "tables").glob("*.parquet"))
        }
    judged = judge_pairs(tables, phrases, categories, vocabulary, language, fetch=fetch, threads=threads)
    return judged.substitution_model(DecoderArrays.load(folder / "decoder"), phrases, acceptance)


@dataclass(frozen=True)
class JudgedTables:
    """What is known of all pairs of a model's tables before any sentence.

    keys: int64[pairs], ascending, by :func:`~paraphrast.types.pair_keys`; static: float32[pairs,
    len(STATIC)], NaN where unknown; vector, weight, flags: as in :class:`SubstitutionModel`.
    """

    keys: NDArray[np.int64]
    static: NDArray[np.float32]
    vector: NDArray[np.int8]
    weight: NDArray[np.float32]
    flags: NDArray[np.uint8]

    def rows_of(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.int64]:
        """The row of each pair, which must be there."""
        return np.searchsorted(self.keys, pair_keys(source, target))

    def rank(self, tables: Mapping[str, ParaphraseTable]) -> dict[str, NDArray[np.float32]]:
        """For each row of each table the log-odds that it is accepted in some sentence: what options are chosen by."""
        odds = default_acceptance().prior.predict(self.static).astype(np.float32)
        return {name: odds[self.rows_of(table.source, table.target)] for name, table in tables.items()}

    def substitution_model(
        self, arrays: DecoderArrays, phrases: Phrases, acceptance: Acceptance | None = None
    ) -> SubstitutionModel:
        """The model of substitutions for a decoder's options."""
        words, _ = phrases_of(arrays)
        rows = np.ascontiguousarray(phrases.words, np.int32)
        ids = {row.tobytes(): number for number, row in enumerate(rows)}
        source = np.array([ids[row.tobytes()] for row in words], dtype=np.int32)
        static = StaticFeatures.encode(
            self.static[self.rows_of(source, np.asarray(arrays.options.target, dtype=np.int32))]
        )
        acceptance = acceptance or default_acceptance()
        prior = acceptance.prior.predict(static.values()).astype(np.float32)
        return SubstitutionModel(acceptance, static, prior, self.vector, self.weight, self.flags)

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        for name in ("keys", "static", "vector", "weight", "flags"):
            save_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> JudgedTables:
        """Read what :meth:`save` wrote."""
        return cls(
            load_array(folder / "keys.npy", np.int64),
            load_array(folder / "static.npy", np.float32, dimensions=2),
            load_array(folder / "vector.npy", np.int8, dimensions=2),
            load_array(folder / "weight.npy", np.float32),
            load_array(folder / "flags.npy", np.uint8),
        )


def judge_pairs(
    tables: Mapping[str, ParaphraseTable],
    phrases: Phrases,
    categories: NDArray[np.uint32],
    vocabulary: Vocabulary,
    language: str,
    *,
    fetch: bool = False,
    threads: int = 1,
    done: Callable[[int], None] | None = None,
) -> JudgedTables:
    """Grade every pair of a model's tables, and gather what the substitution model asks of it.

    done: called now and then with the number of phrases encoded.
    """
    keys = np.unique(np.concatenate([table.keys for table in tables.values()]))
    source, target = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
    pairs = paired_words(tables, phrases, vocabulary.words)
    scorer = make_scorer(vocabulary, language, word_pairs=pairs, fetch=fetch)
    evidence = pair_evidence(tables, categories, source, target)
    features = scorer.features(phrases, source, target, evidence, threads=threads, done=done)

    columns = {name: features[:, place] for place, name in enumerate(PAIR_FEATURES)}
    columns["quality"] = scorer.model.log_quality(features)
    columns["comparable"] = comparable_score(tables, keys)
    columns["rated"] = rated_values(phrases, vocabulary, source, target, language)
    static = np.column_stack([columns[name] for name in STATIC]).astype(np.float32)
    knowledge = scorer.knowledge
    weight = np.where(knowledge.content, np.nan_to_num(knowledge.rank) / 10.0, 0.0).astype(np.float32)
    vector = np.clip(np.rint(knowledge.vector * _VECTOR_SCALE), -127, 127).astype(np.int8)
    flags = np.array([word_flags(word) for word in vocabulary.words], dtype=np.uint8)
    flags |= np.where(knowledge.content, np.uint8(CONTENT), np.uint8(0))
    return JudgedTables(keys, static, vector, weight, flags)


def comparable_score(tables: Mapping[str, ParaphraseTable], keys: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32[pairs]: the highest score in a table of sentences that say the same; NaN where none has the pair."""
    score = np.full(len(keys), np.nan, np.float32)
    for name in sorted(tables):
        table = tables[name]
        if table.info.kind in ("comparable", "roundtrip"):
            place = np.searchsorted(keys, table.keys)
            score[place] = np.fmax(score[place], table.score)
    return score


def rated_values(
    phrases: Phrases,
    vocabulary: Vocabulary,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    language: str,
) -> NDArray[np.float32]:
    """float32[pairs]: what ratings say of each pair; 0 for languages without ratings."""
    if get_language(language).code != RATED_LANGUAGE:
        return np.zeros(len(source), np.float32)
    texts = {
        phrase: " ".join(vocabulary.words[word] for word in phrases.ids_of(phrase))
        for phrase in np.unique(np.concatenate([source, target])).tolist()
    }
    return rated_phrases().of(
        [texts[phrase] for phrase in source.tolist()], [texts[phrase] for phrase in target.tolist()]
    )


def word_flags(word: str) -> int:
    """Whether a word has a capital or is a punctuation mark, as bits."""
    return (CAPITAL if word[:1].isupper() else 0) | (0 if any(map(str.isalnum, word)) else MARK)


def judgement_sources(language: str) -> dict[str, Any]:
    """What pairs of a language are judged with: the data, and the fitted numbers."""
    index = data.index()
    return {
        "data": {name: index[name].version for name in knowledge_names(get_language(language).code)},
        "quality": signature_of(QualityModel.default().to_dict()),
        "acceptance": signature_of(default_acceptance().to_dict()),
        "rated": signature_of(sorted([*pair, value] for pair, value in rated_phrases().effects.items())),
    }


def is_judged(folder: Path) -> bool:
    """Whether the stage found reason to judge the pairs."""
    return (folder / "keys.npy").is_file()


def judge_stage(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Gather what the substitution model needs of the pairs, or nothing; the note gives the reason."""
    config = recipe.config
    choice, names = config.substitution, knowledge_names(get_language(config.language).code)
    if choice == "no" or (choice == "auto" and not names):
        return "none" if choice == "no" else f"none: no judgements for {config.language}"
    made = work / ("tables" if config.joined else "pivot")
    with open_engine(resources, folder) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / config.language / "vocab.parquet")
        phrases, categories = load_phrases(engine, made / "phrases.parquet")
        tables = {name: load_table(engine, made / f"{name}.parquet") for name in ("pivot", *config.joined)}
    pairs = sum(len(table) for table in tables.values())
    if choice == "auto" and pairs < LEAST_PAIRS:
        return f"none: {pairs:,} pairs are too few"
    try:
        quality.knowledge_folders(names, fetch=True)
    except DataError as error:
        if choice == "yes":
            raise
        log.warning("skipping the substitution model: its data is not available: %s", error)
        return "none: its data is not available"
    if needed := missing_for_encoder(config.language):
        log.warning("pairs are judged without the sentence encoder, so less accurately; it needs: %s", needed)
    judged = judge_pairs(
        tables,
        phrases,
        categories,
        vocabulary,
        config.language,
        threads=resources.thread_count,
        done=lambda count: step(min(count, len(phrases)), len(phrases), "phrases"),
    )
    judged.save(folder)
    return f"{len(judged.keys):,} pairs judged"
