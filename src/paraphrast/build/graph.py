"""Counted phrase pairs → phrase graph → walks → a paraphrase table, without a model around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._options import from_mapping, values_of
from paraphrast.build.graph_input import GraphInput, PhraseSide, side_features
from paraphrast.build.options import GraphTableOptions
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arrays import load_array
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

_INDEX = "graph-index.json"


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
class GraphRun:
    """All that the walks of one side gave."""

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
        """Tables over tag sequences and over stem sequences, as far as there are any."""
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
    own = given.source_side if side == "source" else given.target_side
    features, stem_names = side_features(own, tags=options.tags, stems=options.stems, lemmata=options.lemmata)
    walked = walk(clustered, side, features, how, threads=threads, step=step)
    return GraphRun(clustered, walked, features, own, stem_names, report, options, side)


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
        "options": values_of(run.options),
    }
    (folder / _INDEX).write_text(json.dumps(record) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class GraphIndex:
    """A phrase table to be asked for one phrase at a time."""

    graph: PhraseGraph
    links: Adjacency
    words: NDArray[np.int32]
    vocabulary: tuple[str, ...]
    features: Features
    options: GraphTableOptions
    side: str
    language: str

    @classmethod
    def load(cls, folder: str | Path) -> GraphIndex:
        """Open what :func:`save_index` wrote; arrays are mapped, not read."""
        folder = Path(folder)
        try:
            record = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
            options = dict(record["options"])
            options["languages"] = tuple(options["languages"])
            section = from_mapping(GraphTableOptions, options)
            sizes = int(record["source_size"]), int(record["target_size"])
            side, language = str(record["side"]), str(record["language"])
        except (OSError, ValueError, KeyError, TypeError, InputError) as error:
            raise ModelError(
                f"expected an index of phrase pairs, found none: {error}",
                where=folder,
                remedy="make one: paraphrast table graph … --index FOLDER",
            ) from error

        def read(name: str) -> NDArray[Any]:
            kind, dimensions = _ARRAYS[name]
            return load_array(folder / f"{name}.npy", kind, dimensions=dimensions)

        return cls(
            PhraseGraph(read("source"), read("target"), read("count"), *sizes),
            Adjacency(read("start"), read("neighbour"), read("entry")),
            read("words"),
            tuple(read_lines(folder / "words.txt")),
            Features(*(read(f"feature_{name}") for name in Features.__dataclass_fields__)),
            section,
            side,
            language,
        )

    def find(self, phrase: str) -> int | None:
        """The number of a phrase among those of its side; words as given, or else lower-cased."""
        rows = None
        tokens = phrase.split()
        if not 0 < len(tokens) <= self.words.shape[1]:
            return None
        for column in range(self.words.shape[1]):
            if column < len(tokens):
                ids = [self._ids.get(form) for form in (tokens[column], tokens[column].lower())]
                wanted = [number for number in dict.fromkeys(ids) if number is not None]
            else:
                wanted = [-1]
            values = self.words[:, column] if rows is None else self.words[rows, column]
            fits = np.flatnonzero(np.isin(values, wanted))
            rows = fits if rows is None else rows[fits]
            if not len(rows):
                return None
        return int(rows[0]) if rows is not None else None

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}

    def spell(self, phrase: int) -> str:
        """The words of a phrase."""
        return " ".join(self.vocabulary[word] for word in self.words[phrase].tolist() if word >= 0)

    def near(self, phrase: str, reach: NearOptions | None = None) -> list[tuple[str, float, float]]:
        """Paraphrases of a phrase, best first: text, P of eq. 21 and count; only its neighbourhood is looked at."""
        found = self.find(phrase)
        if found is None:
            raise InputError(
                f"expected a phrase of the index, got {phrase!r}",
                remedy='phrases are tokenised: words by single spaces, "do n\'t"',
            )
        vertex = found if self.side == "source" else found + self.graph.source_size
        ranked = near(self.graph, self.links, vertex, self.features, self.options.walk, reach)
        return [
            (self.spell(target), score, count)
            for target, score, count in zip(
                ranked.target.tolist(), ranked.score.tolist(), ranked.count.tolist(), strict=True
            )
        ]


def phrases_of(side: PhraseSide, rows: Sequence[int]) -> list[str]:
    """Phrases spelled with single spaces."""
    return [" ".join(side.vocabulary[word] for word in side.words[row].tolist() if word >= 0) for row in rows]
