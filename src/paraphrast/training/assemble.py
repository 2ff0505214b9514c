"""The last stage: everything a model needs, copied and packed into one folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from paraphrast.decode import Weights, pack
from paraphrast.formats.orientation import load_orientation
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.signature import signature_of
from paraphrast.formats.vocabulary import load_vocabulary, save_words
from paraphrast.model.folder import SUBSTITUTION, write_manifest
from paraphrast.tables.store import load_table
from paraphrast.text.syntax.category import replaceable_masks
from paraphrast.training import evidence
from paraphrast.training.corpora import pivot_languages, provenance
from paraphrast.training.news import news_options, news_stage_names
from paraphrast.training.pivot import VETOED_TOP
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import STAGE_FILE, Step
from paraphrast.training.substitution import JudgedTables, is_judged, judgement_sources
from paraphrast.training.work_folder import open_engine

#: Weights of a model that nobody has tuned. An edit's part is about its log-odds of being right, so that a sure edit
#: is worth more than none; a word's weight makes up for what the language model charges an average word.
UNTUNED = Weights(
    lm=0.4,
    edit=0.0,
    word=1.2,
    features={"pivot.score": 0.25, "pivot.both": 0.25, "pivot.languages": 0.3},
)


#: What a table that was made elsewhere weighs untuned.
UNTUNED_SCORE = 0.25


def untuned(tables: Sequence[str]) -> Weights:
    """Weights of a model with these tables that nobody has tuned."""
    others = {f"{name}.score": UNTUNED_SCORE for name in tables if name != "pivot"}
    return replace(UNTUNED, features={**UNTUNED.features, **others})


def assemble(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Pack the decoder's arrays, copy tables, language model, casing and tagger, cite, and sign."""
    config = recipe.config
    text = work / "text" / config.language
    shutil.copyfile(text / "vocab.parquet", folder / "vocab.parquet")
    shutil.copyfile(text / "casing.tsv", folder / "casing.tsv")
    made = work / ("tables" if config.joined else "pivot")
    shutil.copyfile(made / "phrases.parquet", folder / "phrases.parquet")
    names = ["pivot", *config.joined]
    (folder / "tables").mkdir()
    for name in names:
        shutil.copyfile(made / f"{name}.parquet", folder / "tables" / f"{name}.parquet")
    shutil.copytree(work / "lm" / "lm", folder / "lm")
    if config.tagger is not None:
        shutil.copytree(work / "tags" / "tagger", folder / "tagger")
    with open_engine(resources, folder) as engine:
        phrases, categories = load_phrases(engine, folder / "phrases.parquet")
        tables = {name: load_table(engine, folder / "tables" / f"{name}.parquet") for name in names}
        judged = JudgedTables.load(work / "substitution") if is_judged(work / "substitution") else None
        arrays = pack(
            tables,
            phrases,
            vetoes={name: table.veto for name, table in tables.items()},
            rank=judged.rank(tables) if judged else None,
            target_category_mask=replaceable_masks(categories),
            options_per_phrase=recipe.pivot.top + VETOED_TOP,
            orientation=load_orientation(work / "reorder") if recipe.orientation != "none" else None,
        )
        arrays.save(folder / "decoder")
        np.save(folder / "decoder" / "glue.npy", phrases.glue, allow_pickle=False)
        save_words(load_vocabulary(engine, folder / "vocab.parquet"), folder / "decoder")
        if judged:
            judged.substitution_model(arrays, phrases).save(folder / SUBSTITUTION)
        step(1, 2, "steps")
        if config.evidence != "none":
            evidence.write(recipe, work, folder, engine, tables["pivot"])
    shutil.rmtree(folder / ".spill", ignore_errors=True)
    weights = recipe.weights if "weights" in config.options else untuned(names)
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
        **({"news": news_options(config)} if config.news else {}),
    }
    write_manifest(
        folder,
        {
            "language": config.language,
            "pivots": pivot_languages(config),
            "tables": {
                name: {"rows": len(table), "signature": table.info.signature}
                for name, table in tables.items()
            },
            "tagger": config.tagger is not None,
            "substitution": judgement_sources(config.language) if judged else None,
            "evidence": config.evidence,
            "options": options,
            "sources": sources,
            "stages": _stage_signatures(recipe, work),
            "signature": f"paraphrast|lang:{config.language}|pivots:{'+'.join(pivot_languages(config))}"
            f"|recipe:{signature_of([options, sources])}",
        },
    )
    phrase_count = len(np.unique(np.concatenate([table.source for table in tables.values()])))
    return f"{len(arrays):,} substitutions of {phrase_count:,} phrases"


def _stage_signatures(recipe: Recipe, work: Path) -> dict[str, str]:
    """The signatures of the stages this model rests on."""
    languages = pivot_languages(recipe.config)
    names = [
        *news_stage_names(recipe.config),
        "text",
        "tags",
        *(f"{step}-{lang}" for step in ("align", "extract") for lang in languages),
        *(["reorder"] if recipe.orientation != "none" else []),
        "pivot",
        *(["graph"] if recipe.config.has_graph else []),
        *(["tables"] if recipe.config.joined else []),
        "substitution",
        "lm",
    ]
    return {name: json.loads((work / name / STAGE_FILE).read_text())["signature"] for name in names}
