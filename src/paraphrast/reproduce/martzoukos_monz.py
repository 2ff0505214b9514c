"""Martzoukos and Monz (2012): table 1 and figures 1 to 9."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paraphrast.reproduce import samples
from paraphrast.reproduce.records import Cell, Job, Made, Maker
from paraphrast.reproduce.shared import embedded_model, interval_cell

if TYPE_CHECKING:
    from paraphrast.build.graph import GraphRun
    from paraphrast.graph.monolingual import Graphs
    from paraphrast.graph.records import PhraseGraph

#: As many sentences as in the paper.
SENTENCES = 125_000
#: The entries of figure 1's graph: source s1 … s4, target t1 … t4, from 0.
FIGURE_1 = ((0, 0), (1, 0), (1, 1), (1, 2), (2, 2), (2, 3), (3, 2))
#: Figure 3: the phrases that have translations in each target cluster Ta … Tf.
FIGURE_3 = ((1,), (1, 2, 3), (3, 4), (3, 4, 5), (5, 6), (6, 7, 8))
RANKS = (1, 5, 10)


def _small_graph(entries: tuple[tuple[int, int], ...], counts: Any = 1) -> PhraseGraph:
    from paraphrast.graph import phrase_graph

    source, target = (np.array(side) for side in zip(*entries, strict=True))
    total = np.full(len(source), 10**6)
    count = np.broadcast_to(np.asarray(counts), source.shape)
    graph, _ = phrase_graph(source, target, count, total, total, int(source.max()) + 1, int(target.max()) + 1)
    return graph


def _named(vertices: Any) -> str:
    """Vertices of figure 1 by the paper's names."""
    names = [f"s{vertex + 1}" if vertex < 4 else f"t{vertex - 3}" for vertex in vertices]
    return "{" + ", ".join(names) + "}"


def figure_1(job: Job) -> Made:
    """The decomposition of G0: cut vertices and residues of each round."""
    from paraphrast.graph import DecomposeOptions
    from paraphrast.graph.decompose import decompose
    from paraphrast.graph.phrase_graph import adjacency

    graph = _small_graph(FIGURE_1)
    links = adjacency(graph)
    options = DecomposeOptions(largest=3, share=0.005, merge_up_to=0)
    taken = decompose(links, np.arange(8, dtype=np.int32), links.degree, graph.source_size, options)
    cut = np.flatnonzero(taken.cut)
    inside = set(taken.parts.vertices.tolist())
    rows: list[tuple[Cell, ...]] = [
        ("cut vertices", _named(cut)),
        ("rounds", len(taken.rounds)),
        ("residues", _named([vertex for vertex in range(8) if vertex not in inside])),
    ]
    return Made(("", "ours"), tuple(rows), "the paper's graph G0")


def figure_2(job: Job) -> Made:
    """The parts with cut vertices put back, and the components of the residue graph."""
    from paraphrast.graph import DecomposeOptions
    from paraphrast.graph.decompose import decompose
    from paraphrast.graph.phrase_graph import adjacency
    from paraphrast.graph.residues import place_residues

    graph = _small_graph(FIGURE_1)
    links = adjacency(graph)
    options = DecomposeOptions(largest=3, share=0.005, merge_up_to=0)
    everything = np.arange(8, dtype=np.int32)
    taken = decompose(links, everything, links.degree, graph.source_size, options)
    parts, _, _ = place_residues(graph, links, taken.parts, everything, options)
    lists = [_named(part.tolist()) for part in np.split(parts.vertices, parts.vertex_start[1:-1])]
    count = len(taken.parts.vertex_start) - 1
    rows = (
        ("components with cut vertices put back", ", ".join(lists[:count])),
        ("components of R", ", ".join(lists[count:])),
    )
    return Made(("", "ours"), rows, "the paper's graph G0")


def figure_3(job: Job) -> Made:
    """The edges of a source cluster's graph; those of two target clusters count twice."""
    from paraphrast.graph.monolingual import build_graphs
    from paraphrast.graph.records import Clusters, SubTables

    entries = tuple((phrase - 1, place) for place, members in enumerate(FIGURE_3) for phrase in members)
    graph = _small_graph(entries)
    tables = SubTables(
        np.array([0, 14]),
        np.arange(14, dtype=np.int32),
        np.array([0, len(graph.source)]),
        np.arange(len(graph.source), dtype=np.int32),
        np.array([False]),
    )
    source = _clusters(Clusters, [list(range(8))])
    target = _clusters(Clusters, [[8 + place] for place in range(6)])
    graphs = build_graphs(graph, tables, source, target, "source")
    edges = [
        f"s{a + 1}–s{b + 1}{' twice' if n == 2 else ''}"
        for a, b, n in zip(graphs.edge_a, graphs.edge_b, graphs.edges, strict=True)
    ]
    rows = (("graphs", len(graphs)), ("edges", ", ".join(edges)))
    return Made(("", "ours"), rows, "the paper's cluster")


def _clusters(record: Any, members: list[list[int]]) -> Any:
    sizes = [len(one) for one in members]
    return record(
        np.array([0, len(members)]),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([np.array(one, dtype=np.int32) for one in members]),
    )


def figure_4(job: Job) -> Made:
    """Feature vertices of has, owns, i have, i had."""
    from paraphrast.graph.features import make_features, stem_features, tag_features, word_class_codes

    words = np.full((4, 7), -1, np.int32)
    words[0, 0], words[1, 0] = 0, 1
    words[2, :2], words[3, :2] = (2, 3), (2, 4)
    classes, stems = np.array([0, 0, 1, 2, 3], np.int32), np.array([0, 1, 2, 0, 0], np.int32)
    features = make_features(
        4,
        tag_features(np.arange(4, dtype=np.int32), word_class_codes(words, classes), 4),
        stem_features(words, stems),
    )
    rows: tuple[tuple[Cell, ...], ...] = (
        ("phrases", 4),
        ("POS tag vertices", len(set(features.tag.tolist()))),
        ("stem vertices", len(set(features.stem.tolist()))),
        ("has and owns share their POS vertex", "yes" if features.tag[0] == features.tag[1] else "no"),
        ("i have and i had share their stem vertex", "yes" if features.stem[2] == features.stem[3] else "no"),
    )
    return Made(("", "ours"), rows, "the paper's four phrases")


def _two_phrases(inflated: bool) -> Graphs:
    from paraphrast.graph.monolingual import Graphs

    zero, one = np.array([0], np.int32), np.array([1], np.int32)
    forty = np.array([40.0])
    return Graphs(
        zero,
        np.array([0, 2], np.int64),
        np.array([0, 1], np.int32),
        np.array([inflated, inflated]),
        np.array([40.0, 40.0]),
        np.array([0, 1], np.int64),
        zero,
        one,
        one,
        forty,
        forty,
    )


def _counts(inflated: bool) -> Maker:
    def make(job: Job) -> Made:
        from paraphrast.graph.commute import count_graphs
        from paraphrast.graph.features import make_features

        numbers = np.arange(2, dtype=np.int32)
        sequences = np.full((2, 7), -1, np.int32)
        features = make_features(2, (np.arange(3), numbers, np.ones(2), sequences), (sequences, numbers))
        row = count_graphs(_two_phrases(inflated), features).matrix(0)[0]
        share = row / row.sum()
        names = {1: "b", 2: "f(a)", 4: "g(a)", 3: "f(b)", 5: "g(b)"}
        rows: list[tuple[Cell, ...]] = [
            (f"n(a, {name})", round(float(row[place]), 2)) for place, name in names.items()
        ]
        rows += [(f"p({name} | a)", round(float(share[place]), 3)) for place, name in names.items()]
        return Made(("", "ours"), tuple(rows), "the paper's graph")

    return make


def _run(job: Job) -> tuple[GraphRun, str]:
    """The whole method on a bitext."""
    from paraphrast._options import from_mapping
    from paraphrast.align import align
    from paraphrast.build.graph import run_graph
    from paraphrast.build.graph_input import from_extraction
    from paraphrast.build.options import GraphTableOptions
    from paraphrast.build.sides import encode_side
    from paraphrast.engine import Engine
    from paraphrast.extract import ExtractOptions, count_pairs, extract_pairs
    from paraphrast.formats.files import read_lines

    def make() -> tuple[GraphRun, str]:
        if job.small:
            pairs = samples.sentence_pairs(400, seed=3)
            english = [" ".join(pair.first) for pair in pairs]
            german = [" ".join(pair.foreign) for pair in pairs]
            data = "400 sentence pairs written for it"
        else:
            path = job.file("europarl/en-de-fr-es.tsv.xz")
            rows = [line.split("\t")[:2] for _, line in zip(range(SENTENCES), read_lines(path), strict=False)]
            english, german = [row[0] for row in rows], [row[1] for row in rows]
            data = f"the first {len(rows):,} sentences of Europarl, English–German; all phrase pairs"
        (words, source), (other_words, target) = encode_side(english, "en"), encode_side(german, "de")
        links = align(source, target, len(words), len(other_words), threads=job.threads)
        extraction = extract_pairs(source, target, links, ExtractOptions())
        with Engine(threads=job.threads) as engine:
            counted = count_pairs(engine, extraction, min_count=1)
        tagged = None
        tagger = None if job.small else embedded_model(job).tagger
        if tagger is not None:
            tagged = tagger.tag_sentences(tagger.features(words.words), source), source
        vocabularies = (words.words, other_words.words)
        given = from_extraction(extraction, counted, ("en", "de"), vocabularies, tagged)
        # Small text has no component beyond the paper's limit: a lower one, so that every step has work.
        limits = {"largest": 10, "merge_up_to": 20} if job.small else {}
        options = from_mapping(GraphTableOptions, {"method": "paper", **limits})
        return run_graph(given, options, threads=job.threads), data

    return job.once("graph", make)


def figure_5(job: Job) -> Made:
    """Components of P by size."""
    from paraphrast.graph import draw_components

    run, data = _run(job)
    report = run.clustered.report
    sizes = report.components
    rows: tuple[tuple[Cell, ...], ...] = (
        ("entries of the phrase table", run.report.entries),
        ("of these one to one, %", round(100 * run.report.share, 1)),
        ("components of P", len(sizes)),
        ("vertices of the giant", int(sizes[0]) if len(sizes) else 0),
        ("vertices of the next largest", int(sizes[1]) if len(sizes) > 1 else 0),
        ("residues of the giants", report.residues),
        ("residues, % of the giant", round(100 * report.residues / max(int(sizes[0]), 1), 1)),
    )
    return Made(("", "ours"), rows, data, pictures={"figure-5": draw_components(report).to_svg()})


def figure_6(job: Job) -> Made:
    """Sub-phrase-tables before and after merging."""
    from paraphrast.graph import draw_sub_tables

    run, data = _run(job)
    report = run.clustered.report
    rows: list[tuple[Cell, ...]] = []
    for name, sizes in (("before merging", report.before), ("after merging", report.after)):
        rows += [(f"{name}: sub-phrase-tables", len(sizes)), (f"{name}: largest", int(sizes[0]))]
    return Made(("", "ours"), tuple(rows), data, pictures={"figure-6": draw_sub_tables(report).to_svg()})


def figure_9(job: Job) -> Made:
    """Ranked counts of vertex pairs, and their exponent."""
    from paraphrast.graph.powerlaw import draw_power_law, fit_power_law

    run, data = _run(job)
    law = fit_power_law(run.pairs(job.threads).count)
    rows: tuple[tuple[Cell, ...], ...] = (
        ("pairs of vertices", law.pairs),
        ("count ~ rank to the power", round(-law.exponent, 3)),
        ("r² on logarithmic axes", round(law.fit, 3)),
    )
    return Made(("", "ours"), rows, data, pictures={"figure-9": draw_power_law(law).to_svg()})


def table_1(job: Job) -> Made:
    """Mean expected precision of pivoting and of the graph."""
    from paraphrast.evaluate.phrases import expected_precision
    from paraphrast.formats.phrase_labels import read_ranked_labels

    if job.small:
        phrases = ["examine", "proposal"]
        lists = {
            "Baseline": {"examine": ["look at", "reject"], "proposal": ["report", "plan"]},
            "Graphs": {"examine": ["look at", "study"], "proposal": ["plan", "report"]},
        }
        marks: dict[tuple[str, str], tuple[int, ...]] = {
            ("examine", "look at"): (2, 2),
            ("examine", "reject"): (0, 0),
            ("examine", "study"): (2, 1),
            ("proposal", "plan"): (2, 2),
            ("proposal", "report"): (0, 1),
        }
        data = "two phrases with labels invented for it"
    else:
        path = job.file("graph_labels.tsv")
        labels = read_ranked_labels(path, "test")
        phrases, lists, marks = labels.phrases, labels.lists, labels.marks
        data = f"{len(phrases)} phrases, {len(marks):,} pairs labelled by two blind raters"
    rows = []
    for system, own in lists.items():
        score = expected_precision(own, phrases, marks, ranks=RANKS)
        cells = [
            interval_cell(score.values[mode][k], score.intervals[mode][k])
            for mode in ("lenient", "strict")
            for k in RANKS
        ]
        rows.append((system, *cells))
    header = ("Method", *(f"{mode} @{k}" for mode in ("Lenient", "Strict") for k in RANKS))
    return Made(header, tuple(rows), data)


MAKERS: dict[str, Maker] = {
    "table-1": table_1,
    "figure-1": figure_1,
    "figure-2": figure_2,
    "figure-3": figure_3,
    "figure-4": figure_4,
    "figure-5": figure_5,
    "figure-6": figure_6,
    "figure-7": _counts(False),
    "figure-8": _counts(True),
    "figure-9": figure_9,
}
