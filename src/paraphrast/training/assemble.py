"""The last stage: the complete model folder."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode import DecoderArrays, Weights, pack
from paraphrast.formats.arrays import save_array
from paraphrast.formats.orientation import StoredOrientation
from paraphrast.formats.phrases import load_phrases, save_phrases
from paraphrast.formats.signature import signature_of
from paraphrast.formats.table_file import load_table, save_table
from paraphrast.formats.vocabulary import load_vocabulary, save_words
from paraphrast.model.folder import SUBSTITUTION, write_manifest
from paraphrast.model.lookup import Lookup
from paraphrast.tables.rows import VETOED_TOP
from paraphrast.text.syntax.category import replaceable_masks
from paraphrast.training import evidence
from paraphrast.training.corpora import pivot_languages, provenance
from paraphrast.training.join import trusted_keys
from paraphrast.training.news import news_options
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step, stage_signatures
from paraphrast.training.shrink import shrink
from paraphrast.training.substitution import JudgedTables, is_judged, judgement_sources
from paraphrast.training.work_folder import open_engine
from paraphrast.types import ParaphraseTable

#: Weights of an untuned model. The score of an edit is about its log-odds of being right, so that a likely edit is
#: better than none; the weight per word offsets the language model's cost of an average word.
UNTUNED = Weights(
    lm=0.4,
    edit=0.0,
    word=1.2,
    features={"pivot.score": 0.25, "pivot.both": 0.25, "pivot.languages": 0.3},
)


#: Untuned weight of a table that is not a pivot table.
UNTUNED_SCORE = 0.25
#: Added to the rank of pairs of trusted tables; log-odds are far smaller.
CHOSEN_FIRST = np.float32(50)


def untuned(tables: Sequence[str]) -> Weights:
    """Weights of an untuned model with these tables."""
    others = {f"{name}.score": UNTUNED_SCORE for name in tables if name != "pivot"}
    return replace(UNTUNED, features={**UNTUNED.features, **others})


def only_features(arrays: DecoderArrays, names: Collection[str]) -> DecoderArrays:
    """The same options with some of their features."""
    places = [place for place, name in enumerate(arrays.feature_names) if name in names]
    features = np.ascontiguousarray(arrays.options.features[:, places])
    return replace(
        arrays,
        options=arrays.options._replace(features=features),
        feature_names=tuple(arrays.feature_names[place] for place in places),
    )


def _rank(
    tables: Mapping[str, ParaphraseTable], judged: JudgedTables, trusted: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """For each row of each table, what options of a phrase are chosen by: those of trusted tables come first."""
    keys = trusted_keys(tables, trusted)
    return {
        name: odds + np.where(np.isin(tables[name].keys, keys), CHOSEN_FIRST, np.float32(0))
        for name, odds in judged.rank(tables).items()
    }


def assemble(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Write the decoder's arrays, the tables, language model, casing and tagger, the evidence and the manifest.

    ``tables/*.parquet``, ``phrases.parquet`` and ``vocab.parquet`` are for `paraphrast table`, for tuning and for other
    tools; rewriting and explaining read the arrays (``decoder/``, ``lookup/``, ``evidence/``).
    """
    config = recipe.config
    text = work / "text" / config.language
    shutil.copyfile(text / "casing.tsv", folder / "casing.tsv")
    tables_folder = work / ("tables" if config.joined else "pivot")
    names = ["pivot", *config.joined]
    trusted = [source.name for source in config.tables if source.trusted]
    shutil.copytree(work / "lm" / "lm", folder / "lm")
    if config.tagger is not None:
        shutil.copytree(work / "tags" / "tagger", folder / "tagger")
    with open_engine(resources, folder) as engine:
        phrases, categories = load_phrases(engine, tables_folder / "phrases.parquet")
        tables = {name: load_table(engine, tables_folder / f"{name}.parquet") for name in names}
        judged = JudgedTables.load(work / "substitution") if is_judged(work / "substitution") else None
        pivot_rows = None
        if recipe.model.shrinks and judged is not None:
            shrunk = shrink(tables, phrases, categories, judged, recipe.model, trusted)
            tables, phrases, categories, judged = (
                shrunk.tables,
                shrunk.phrases,
                shrunk.categories,
                shrunk.judged,
            )
            pivot_rows = shrunk.rows["pivot"]
        if recipe.model.tables:
            (folder / "tables").mkdir()
            shutil.copyfile(text / "vocab.parquet", folder / "vocab.parquet")
            if pivot_rows is None:
                shutil.copyfile(tables_folder / "phrases.parquet", folder / "phrases.parquet")
                for name in names:
                    shutil.copyfile(tables_folder / f"{name}.parquet", folder / "tables" / f"{name}.parquet")
            else:
                save_phrases(engine, phrases, categories, folder / "phrases.parquet")
                for name, table in tables.items():
                    save_table(engine, table, folder / "tables" / f"{name}.parquet")
        arrays = pack(
            tables,
            phrases,
            vetoes={name: table.veto for name, table in tables.items()},
            rank=_rank(tables, judged, trusted) if judged else None,
            target_category_mask=replaceable_masks(categories),
            options_per_phrase=recipe.pivot.top + VETOED_TOP,
            orientation=StoredOrientation.open(work / "reorder") if recipe.orientation != "none" else None,
        )
        weights = recipe.weights if "weights" in config.options else untuned(names)
        if not recipe.model.features:
            arrays = only_features(arrays, weights.features)
        arrays.save(folder / "decoder")
        save_array(folder / "decoder" / "glue.npy", phrases.glue)
        save_words(load_vocabulary(engine, text / "vocab.parquet"), folder / "decoder")
        if judged:
            judged.substitution_model(arrays, phrases).save(folder / SUBSTITUTION)
        Lookup.of(phrases, tables).save(folder)
        substitutions, has_judgements = len(arrays), judged is not None
        phrase_count = len(np.unique(np.concatenate([table.source for table in tables.values()])))
        rows = {name: (len(table), table.info.signature) for name, table in tables.items()}
        pivot = tables["pivot"]
        del arrays, judged, tables, categories  # evidence needs memory of its own
        step(1, 2, "steps")
        if config.evidence != "none":
            evidence.gather(recipe, work, engine, pivot, phrases, folder, pivot_rows)
    shutil.rmtree(folder / ".spill", ignore_errors=True)
    weights.save(folder / "weights.json")
    sources = [provenance(source) for source in config.sources]
    options = {
        "align": asdict(recipe.align),
        "extract": {
            **asdict(recipe.extract),
            "min_count": recipe.min_count,
            "orientation": recipe.orientation,
        },
        "pivot": asdict(recipe.pivot),
        "filters": asdict(recipe.filters),
        "lm": asdict(recipe.lm),
        "model": asdict(recipe.model),
        **({"news": news_options(config)} if config.news else {}),
    }
    write_manifest(
        folder,
        {
            "language": config.language,
            "pivots": pivot_languages(config),
            "tables": {
                name: {"rows": number, "signature": signature} for name, (number, signature) in rows.items()
            },
            "tagger": config.tagger is not None,
            "substitution": judgement_sources(config.language) if has_judgements else None,
            "evidence": config.evidence,
            "options": options,
            "sources": sources,
            "stages": stage_signatures(work),
            "signature": f"paraphrast|lang:{config.language}|pivots:{'+'.join(pivot_languages(config))}"
            f"|recipe:{signature_of([options, sources])}",
        },
    )
    return f"{substitutions:,} substitutions of {phrase_count:,} phrases"
