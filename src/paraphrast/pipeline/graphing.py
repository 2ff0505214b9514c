"""The graph stage: counted phrase pairs → phrase graph → walks → a table named ``graph`` beside the pivot table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.formats.table_file import write_table_file
from paraphrast.graph import CoclusterOptions, DecomposeOptions, GraphReport, phrase_graph
from paraphrast.graph.counts import MixOptions, Ranked, VertexPairs, vertex_pairs
from paraphrast.graph.discounted import DiscountedOptions
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import GraphOptions
from paraphrast.graph.near import NearOptions, near
from paraphrast.graph.phrase_graph import Adjacency
from paraphrast.graph.phrase_graph import adjacency as links_of
from paraphrast.graph.records import PhraseGraph
from paraphrast.graph.table import FEATURES, WALK_FEATURES, ranked_loose, sequence_table, table_info
from paraphrast.graph.walks import Clustered, Walked, WalkOptions, cluster_phrases, walk
from paraphrast.pipeline.config import options_record
from paraphrast.pipeline.corpora import pivot_languages, read_pairs
from paraphrast.pipeline.graph_input import GraphInput, PhraseSide, from_work, side_features
from paraphrast.pipeline.graph_walks import run_walks
from paraphrast.pipeline.phrase_index import INDEX_RECORD, PhraseIndex, bad_index, read_index_record
from paraphrast.pipeline.recipe import Recipe, Resources
from paraphrast.pipeline.stages import Step, signature_of
from paraphrast.pipeline.walk_index import WalkIndex, save_walk_index
from paraphrast.types import LooseTable

#: Discounted walks on the whole graph; the method of Martzoukos & Monz (2012).
METHODS = ("walks", "paper")
#: Arrays of an index: type and dimensions.
_ARRAYS: dict[str, tuple[Any, int]] = {
    "source": (np.int32, 1),
    "target": (np.int32, 1),
    "count": (np.int64, 1),
    "start": (np.int64, 1),
    "neighbour": (np.int32, 1),
    "entry": (np.int32, 1),
    "words": (np.int32, 2),
    "feature_tag_start": (np.int64, 1),
    "feature_tag": (np.int32, 1),
    "feature_tag_share": (np.float64, 1),
    "feature_stem": (np.int32, 1),
    "feature_tag_sequences": (np.int32, 2),
    "feature_stem_sequences": (np.int32, 2),
}


@dataclass(frozen=True)
class GraphSection:
    """The section ``[graph]`` of a configuration, and the options of ``paraphrast table graph``.

    method: ``"walks"``, discounted walks on the graph of each language (``graph.discounted``), or ``"paper"``, commute
        times on graphs of clusters (Martzoukos & Monz 2012), where all languages share one graph.
    languages: pivots whose phrase pairs are used; all of the model's by default.
    steps, discount, exponent, floor, min_similarity: of ``"walks"``, see ``graph.discounted.DiscountedOptions``.
    top: rows kept for each phrase.
    tags: use tags: as weights of ``"walks"``, as feature vertices of ``"paper"``.
    The others are those of ``"paper"``, by their names in the graph room. stems: feature vertices of stems; lemmata:
        in place of stems, which needs simplemma.
    """

    method: str = "walks"
    languages: tuple[str, ...] = ()
    steps: int = 2
    discount: float = 0.5
    exponent: float = 0.5
    floor: float = 0.1
    min_similarity: float = 1e-5
    largest: int = 2500
    share: float = 0.005
    merge_up_to: int = 5000
    alpha: float = 1e6
    soft_clusters: int = 3
    soft_share: float = 0.8
    sigma: float = 0.65
    max_phrases: int = 20
    large: str = "drop"
    inflate_from: int = 3
    generators: str = "split"
    top: int = 20
    tags: bool = True
    stems: bool = True
    lemmata: bool = False

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError(f"method: expected {' or '.join(METHODS)}, got {self.method!r}")
        self.walk_options()
        self.discounted_options()

    def discounted_options(self) -> DiscountedOptions:
        """The options of ``method = "walks"``."""
        return DiscountedOptions(
            self.steps,
            self.discount,
            self.exponent,
            self.floor,
            min_similarity=self.min_similarity,
            top=self.top,
        )

    def walk_options(self) -> WalkOptions:
        """The same, step by step; a wrong value is told here."""
        return WalkOptions(
            DecomposeOptions(self.largest, self.share, self.merge_up_to),
            CoclusterOptions(alpha=self.alpha, soft_clusters=self.soft_clusters, soft_share=self.soft_share),
            GraphOptions(self.sigma, self.max_phrases, self.large, self.inflate_from),
            mix=MixOptions(self.generators, top=self.top),
        )


@dataclass(frozen=True)
class GraphRun:
    """All that the walks of one side gave."""

    clustered: Clustered
    walked: Walked
    features: Features
    side: PhraseSide
    stem_names: tuple[str, ...]
    report: GraphReport
    options: GraphSection
    side_name: str

    @property
    def ranked(self) -> Ranked:
        """The paraphrases."""
        return self.walked.ranked

    def note(self) -> str:
        """A line for a person."""
        graphs = self.walked.graphs
        dropped = f", {graphs.dropped:,} larger ones dropped" if graphs.dropped else ""
        return (
            f"{self.report.entries:,} phrase pairs ({self.report.share:.0%} one to one), "
            f"{len(self.clustered.tables):,} sub-tables, {len(graphs):,} graphs{dropped}, "
            f"{len(self.ranked):,} rows of {len(np.unique(self.ranked.source)):,} phrases"
        )

    def table(self) -> LooseTable:
        """The paraphrase table, with phrases and words of its own."""
        signature = signature_of([asdict(self.options), self.side.language, len(self.ranked)])
        info = table_info(self.side.language, signature, options=asdict(self.options), side=self.side_name)
        return ranked_loose(
            self.ranked, self.side.words, self.side.vocabulary, info, self.side.glue, self.side.category
        )

    def pairs(self, threads: int = 1) -> VertexPairs:
        """Counts of vertex pairs of all kinds."""
        return vertex_pairs(
            self.walked.graphs,
            self.walked.counts,
            self.features,
            self.options.walk_options().mix,
            threads=threads,
        )

    def sequence_tables(self, pairs: VertexPairs, top: int = 20) -> dict[str, LooseTable]:
        """Tables over tag sequences and over stem sequences, as far as there are any."""
        signature = signature_of([asdict(self.options), self.side.language, len(pairs)])
        info = table_info(self.side.language, signature, options=asdict(self.options), side=self.side_name)
        tables = {}
        if self.features.has_tags and self.side.tag_names:
            tables["tag"] = sequence_table(
                pairs, self.features.tag_sequences, self.side.tag_names, "tag", info, top
            )
        if self.features.has_stems:
            tables["stem"] = sequence_table(
                pairs, self.features.stem_sequences, self.stem_names, "stem", info, top
            )
        return tables


def as_graph(given: GraphInput) -> tuple[PhraseGraph, GraphReport]:
    """The phrase graph P, without entries that are one to one."""
    source, target = given.source_side, given.target_side
    return phrase_graph(
        given.source,
        given.target,
        given.count,
        source.total[given.source],
        target.total[given.target],
        len(source.words),
        len(target.words),
    )


def run_graph(
    given: GraphInput,
    options: GraphSection | None = None,
    *,
    side: str = "source",
    threads: int = 1,
    step: Callable[[float, float, str], None] | None = None,
) -> GraphRun:
    """Phrase pairs to paraphrases of one side."""
    options = options or GraphSection()
    graph, report = as_graph(given)
    how = options.walk_options()
    clustered = cluster_phrases(graph, how, threads=threads, step=step)
    own = given.source_side if side == "source" else given.target_side
    features, stem_names = side_features(own, tags=options.tags, stems=options.stems, lemmata=options.lemmata)
    walked = walk(clustered, side, features, how, threads=threads, step=step)
    return GraphRun(clustered, walked, features, own, stem_names, report, options, side)


def graph_section(recipe: Recipe) -> GraphSection:
    """The ``[graph]`` section, checked against the languages of the configuration."""
    section: GraphSection = options_record(GraphSection, recipe.config.options.get("graph", {}), "graph")
    known = pivot_languages(recipe.config)
    for language in section.languages:
        if language not in known:
            raise InputError(
                f"[graph]: languages: expected some of {', '.join(known)}, got {language!r}",
                remedy="name languages that a [[bitext]] has",
            )
    return section


def feature_names(section: GraphSection) -> list[str]:
    """The log-features that the table of the stage has."""
    if section.method == "walks":
        return list(WALK_FEATURES)
    wanted = {"phrase": True, "tag": section.tags, "stem": section.stems}
    return [name for name in FEATURES if wanted[name]]


def graph_table(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """The stage: ``graph.parquet``, a table that stands alone, in the words of the model's vocabulary; and the index of
    phrase pairs that ``paraphrast graph near`` asks."""
    section = graph_section(recipe)
    languages = section.languages or tuple(pivot_languages(recipe.config))
    given = from_work(recipe, work, languages, step)
    threads = resources.thread_count
    if section.method == "walks":
        antonyms = read_pairs(recipe.config.antonyms) if recipe.config.antonyms else []
        walks = run_walks(
            given, section, filters=recipe.filters, antonyms=antonyms, threads=threads, step=step
        )
        write_table_file(folder / "graph.parquet", walks.table())
        save_walk_index(folder / "index", walks)
        return walks.note()
    run = run_graph(given, section, threads=threads, step=step)
    write_table_file(folder / "graph.parquet", run.table())
    save_index(folder / "index", given, run)
    return run.note()


def save_index(folder: Path, given: GraphInput, run: GraphRun) -> None:
    """What a query for one phrase of the run's side needs, as arrays that are mapped into memory."""
    folder.mkdir()
    graph, links = run.clustered.graph, links_of(run.clustered.graph)
    arrays = {
        "source": graph.source,
        "target": graph.target,
        "count": graph.count,
        "start": links.start,
        "neighbour": links.neighbour,
        "entry": links.entry,
        "words": run.side.words,
        **{f"feature_{name}": getattr(run.features, name) for name in Features.__dataclass_fields__},
    }
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    write_lines(folder / "words.txt", run.side.vocabulary)
    record = {
        "format_version": 1,
        "language": run.side.language,
        "side": run.side_name,
        "source_size": graph.source_size,
        "target_size": graph.target_size,
        "options": asdict(run.options),
    }
    (folder / INDEX_RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class GraphIndex(PhraseIndex):
    """A phrase table to be asked for one phrase at a time by the paper's method."""

    graph: PhraseGraph
    links: Adjacency
    features: Features
    options: GraphSection
    side: str
    language: str

    @classmethod
    def load(cls, folder: str | Path) -> GraphIndex:
        """Open what :func:`save_index` wrote; arrays are mapped, not read."""
        folder = Path(folder)
        record = read_index_record(folder)
        try:
            section = GraphSection(**record["options"])
            sizes = int(record["source_size"]), int(record["target_size"])
            side, language = str(record["side"]), str(record["language"])
        except (ValueError, KeyError, TypeError) as error:
            raise bad_index(folder, error) from error

        def read(name: str) -> NDArray[Any]:
            kind, dimensions = _ARRAYS[name]
            return load_array(folder / f"{name}.npy", kind, dimensions=dimensions)

        return cls(
            read("words"),
            tuple(read_lines(folder / "words.txt")),
            PhraseGraph(read("source"), read("target"), read("count"), *sizes),
            Adjacency(read("start"), read("neighbour"), read("entry")),
            Features(*(read(f"feature_{name}") for name in Features.__dataclass_fields__)),
            section,
            side,
            language,
        )

    def near(self, phrase: str, reach: NearOptions | None = None) -> list[tuple[str, float, float]]:
        """Paraphrases of a phrase, best first: text, P of eq. 21 and count; only its neighbourhood is looked at."""
        number = self.number_of(phrase)
        vertex = number if self.side == "source" else number + self.graph.source_size
        ranked = near(self.graph, self.links, vertex, self.features, self.options.walk_options(), reach)
        return [
            (self.spell(target), score, count)
            for target, score, count in zip(
                ranked.target.tolist(), ranked.score.tolist(), ranked.count.tolist(), strict=True
            )
        ]


def open_index(folder: str | Path) -> GraphIndex | WalkIndex:
    """The index of either method."""
    record = read_index_record(Path(folder))
    is_walk = record.get("format_version", 1) >= 2
    return WalkIndex.load(folder) if is_walk else GraphIndex.load(folder)


def growth_figures(run: GraphRun) -> dict[str, object]:
    """What happened at each step, as plain values."""
    report, graphs = run.clustered.report, run.walked.graphs
    sizes = np.diff(graphs.phrase_start)
    return {
        "entries": run.report.entries,
        "one_to_one_share": round(run.report.share, 4),
        "vertices": report.vertices,
        "components": len(report.components),
        "giant": int(report.components[0]) if len(report.components) else 0,
        "giant_rounds": [list(one.giants[:3]) for one in report.rounds],
        "residues": report.residues,
        "residue_rounds": [asdict(one) for one in report.residue_rounds],
        "sub_tables": len(run.clustered.tables),
        "decomposed": report.decomposed,
        "clusters": [len(one.member_start) - 1 for one in (run.clustered.source, run.clustered.target)],
        "graphs": len(graphs),
        "graphs_dropped": graphs.dropped,
        "phrases_in_dropped": graphs.dropped_phrases,
        "mean_phrases": round(float(sizes.mean()), 3) if len(sizes) else 0.0,
        "inflated_share": round(float(graphs.inflated.mean()), 3) if len(graphs.inflated) else 0.0,
        "count_rounds": int(run.walked.counts.rounds.max()) if len(graphs) else 0,
        "rows": len(run.ranked),
        "phrases": len(np.unique(run.ranked.source)),
    }


def phrases_of(side: PhraseSide, rows: Sequence[int]) -> list[str]:
    """Phrases spelled with single spaces."""
    return [" ".join(side.vocabulary[word] for word in side.words[row].tolist() if word >= 0) for row in rows]
