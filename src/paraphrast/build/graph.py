"""Counted phrase pairs → phrase graph → walks → a paraphrase table, without a model around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._options import from_mapping, values_of
from paraphrast.build.graph_input import GraphInput, PhraseSide, side_features
from paraphrast.build.options import GraphTableOptions
from paraphrast.build.phrase_index import INDEX_RECORD, PhraseIndex, bad_index, read_index_record
from paraphrast.build.walk_index import WalkIndex
from paraphrast.errors import InputError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.formats.signature import signature_of
from paraphrast.graph import GraphReport, phrase_graph
from paraphrast.graph.counts import Ranked, VertexPairs, vertex_pairs
from paraphrast.graph.features import Features
from paraphrast.graph.near import NearOptions, near
from paraphrast.graph.phrase_graph import Adjacency
from paraphrast.graph.phrase_graph import adjacency as links_of
from paraphrast.graph.records import PhraseGraph
from paraphrast.graph.table import ranked_loose, sequence_table, table_info
from paraphrast.graph.walks import Clustered, Walked, cluster_phrases, walk
from paraphrast.types import LooseTable

#: Type and number of dimensions of the arrays of an index.
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
class GraphRun:
    """The results of the walks of one side."""

    clustered: Clustered
    walked: Walked
    features: Features
    side: PhraseSide
    stem_names: tuple[str, ...]
    report: GraphReport
    options: GraphTableOptions
    side_name: str

    @property
    def ranked(self) -> Ranked:
        """The paraphrases."""
        return self.walked.ranked

    def note(self) -> str:
        """A line for the progress output."""
        graphs = self.walked.graphs
        dropped = f", {graphs.dropped:,} larger ones dropped" if graphs.dropped else ""
        return (
            f"{self.report.entries:,} phrase pairs ({self.report.share:.0%} one to one), "
            f"{len(self.clustered.tables):,} sub-tables, {len(graphs):,} graphs{dropped}, "
            f"{len(self.ranked):,} rows of {len(np.unique(self.ranked.source)):,} phrases"
        )

    def table(self) -> LooseTable:
        """The paraphrase table, with its own phrases and words."""
        signature = signature_of([values_of(self.options), self.side.language, len(self.ranked)])
        info = table_info(self.side.language, signature, options=values_of(self.options), side=self.side_name)
        return ranked_loose(
            self.ranked, self.side.words, self.side.vocabulary, info, self.side.glue, self.side.category
        )

    def pairs(self, threads: int = 1) -> VertexPairs:
        """Counts of vertex pairs of all kinds."""
        return vertex_pairs(
            self.walked.graphs,
            self.walked.counts,
            self.features,
            self.options.walk.mix,
            threads=threads,
        )

    def sequence_tables(self, pairs: VertexPairs, top: int = 20) -> dict[str, LooseTable]:
        """Tables over tag sequences and over stem sequences, if there are any."""
        signature = signature_of([values_of(self.options), self.side.language, len(pairs)])
        info = table_info(self.side.language, signature, options=values_of(self.options), side=self.side_name)
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
    options: GraphTableOptions | None = None,
    *,
    side: str = "source",
    threads: int = 1,
    step: Callable[[float, float, str], None] | None = None,
) -> GraphRun:
    """Phrase pairs to paraphrases of one side."""
    options = options or GraphTableOptions()
    graph, report = as_graph(given)
    how = options.walk
    clustered = cluster_phrases(graph, how, threads=threads, step=step)
    phrase_side = given.source_side if side == "source" else given.target_side
    features, stem_names = side_features(
        phrase_side, tags=options.tags, stems=options.stems, lemmata=options.lemmata
    )
    walked = walk(clustered, side, features, how, threads=threads, step=step)
    return GraphRun(clustered, walked, features, phrase_side, stem_names, report, options, side)


def save_index(folder: Path, given: GraphInput, run: GraphRun) -> None:
    """Write what a query for one phrase of the run's side needs, as arrays that can be mapped into memory."""
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
        save_array(folder / f"{name}.npy", values)
    write_lines(folder / "words.txt", run.side.vocabulary)
    record = {
        "format_version": 1,
        "language": run.side.language,
        "side": run.side_name,
        "source_size": graph.source_size,
        "target_size": graph.target_size,
        "options": values_of(run.options),
    }
    (folder / INDEX_RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class GraphIndex(PhraseIndex):
    """An index of a phrase table for queries about one phrase by the paper's method."""

    graph: PhraseGraph
    links: Adjacency
    features: Features
    options: GraphTableOptions
    side: str
    language: str

    @classmethod
    def load(cls, folder: str | Path) -> GraphIndex:
        """Open a folder written by :func:`save_index`. Arrays are mapped, not read."""
        folder = Path(folder)
        record = read_index_record(folder)
        try:
            section = from_mapping(GraphTableOptions, dict(record["options"]))
            sizes = int(record["source_size"]), int(record["target_size"])
            side, language = str(record["side"]), str(record["language"])
        except (ValueError, KeyError, TypeError, InputError) as error:
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
        """Paraphrases of a phrase, best first: text, P (Martzoukos & Monz 2012, eq. 21) and count.

        Uses only the phrase's neighbourhood.
        """
        number = self.number_of(phrase)
        vertex = number if self.side == "source" else number + self.graph.source_size
        ranked = near(self.graph, self.links, vertex, self.features, self.options.walk, reach)
        return [
            (self.spell(target), score, count)
            for target, score, count in zip(
                ranked.target.tolist(), ranked.score.tolist(), ranked.count.tolist(), strict=True
            )
        ]


def open_index(folder: str | Path) -> GraphIndex | WalkIndex:
    """Open an index of either method."""
    record = read_index_record(Path(folder))
    is_walk = record.get("format_version", 1) >= 2
    return WalkIndex.load(folder) if is_walk else GraphIndex.load(folder)


def phrases_of(side: PhraseSide, rows: Sequence[int]) -> list[str]:
    """Phrases spelled with single spaces."""
    return [" ".join(side.vocabulary[word] for word in side.words[row].tolist() if word >= 0) for row in rows]
