"""The stages that build the tables of ``[[table]]`` with a kind, with the casing and the tagger of the model."""

from __future__ import annotations

from pathlib import Path

from paraphrast.build.tables import build_table
from paraphrast.formats.table_file import write_table_file
from paraphrast.training.config import Source
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step

TABLE_FILE = "table.parquet"


def stage_name(source: Source) -> str:
    """The name of a table's stage."""
    return f"table-{source.name}"


def table_path(source: Source, work: Path) -> Path:
    """The file of a table: as given, or the output of its stage."""
    if source.kind:
        return work / stage_name(source) / TABLE_FILE
    assert isinstance(source.path, Path)
    return source.path


def make_table(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, *, source: Source
) -> str:
    """The stage: one table from one resource."""
    language = recipe.config.language
    table = build_table(
        source.kind,
        [source.data or str(source.path or "")],
        source.options,
        language=language,
        casing=work / "text" / language / "casing.tsv",
        tagger=work / "tags" / "tagger" if recipe.config.tagger else None,
        threads=resources.thread_count,
    )
    rows = write_table_file(folder / TABLE_FILE, table)
    return f"{rows:,} rows"
