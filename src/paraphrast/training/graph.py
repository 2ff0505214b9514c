"""The graph stage: counted phrase pairs → phrase graph → walks → a table named ``graph`` beside the pivot table."""

from __future__ import annotations

from pathlib import Path

from paraphrast.build.graph import run_graph, save_index
from paraphrast.build.graph_walks import run_walks
from paraphrast.build.options import GraphTableOptions
from paraphrast.build.walk_index import save_walk_index
from paraphrast.errors import InputError
from paraphrast.formats.table_file import write_table_file
from paraphrast.graph.table import FEATURES, WALK_FEATURES
from paraphrast.tables.options import FilterOptions
from paraphrast.training.corpora import pivot_languages, read_pairs
from paraphrast.training.graph_input import from_work
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step


def graph_section(recipe: Recipe) -> GraphTableOptions:
    """The ``[graph]`` section, checked against the languages of the configuration."""
    section: GraphTableOptions = recipe.config.section("graph")
    known = pivot_languages(recipe.config)
    for language in section.languages:
        if language not in known:
            raise InputError(
                f"[graph]: languages: expected some of {', '.join(known)}, got {language!r}",
                remedy="name languages that a [[bitext]] has",
            )
    return section


def feature_names(section: GraphTableOptions) -> list[str]:
    """The log-features of the stage's table."""
    if section.method == "walks":
        return list(WALK_FEATURES)
    is_used = {"phrase": True, "tag": section.tags, "stem": section.stems}
    return [name for name in FEATURES if is_used[name]]


def graph_table(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """The stage: ``graph.parquet``, a standalone table with the words of the model's vocabulary, and the index of
    phrase pairs for ``paraphrast graph near``."""
    section = graph_section(recipe)
    languages = section.languages or tuple(pivot_languages(recipe.config))
    graph_input = from_work(recipe, work, languages, step)
    threads = resources.thread_count
    if section.method == "walks":
        antonyms = read_pairs(recipe.config.antonyms) if recipe.config.antonyms else []
        # All filters, whatever [filters] says: the settings of the walks were chosen and measured with them.
        walks = run_walks(
            graph_input, section, filters=FilterOptions(), antonyms=antonyms, threads=threads, step=step
        )
        write_table_file(folder / "graph.parquet", walks.table())
        save_walk_index(folder / "index", walks)
        return walks.note()
    run = run_graph(graph_input, section, threads=threads, step=step)
    write_table_file(folder / "graph.parquet", run.table())
    save_index(folder / "index", graph_input, run)
    return run.note()
