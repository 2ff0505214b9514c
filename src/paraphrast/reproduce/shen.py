"""Shen, Radev, Patel and Erkan (2006): tables 1 to 6, figures 1 to 6, and the t-tests of §4.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paraphrast.reproduce import samples
from paraphrast.reproduce.ratings import INVENTED
from paraphrast.reproduce.records import Cell, Job, Made, Maker, NotMadeError

if TYPE_CHECKING:
    from paraphrast.evaluate.clusters import ClusterScores
    from paraphrast.fusion.sentences import Prepared

_QUESTIONS = {"grammaticality": "Gr.", "fidelity": "Fi."}


def _parsed(trees: tuple[str, ...]) -> Prepared:
    """A cluster with the syntax of its trees."""
    from paraphrast.fusion.sentences import prepare
    from paraphrast.text.syntax.parser import PennParser

    parser = PennParser(trees)
    return prepare([" ".join(words) for words in parser.tokens()], parser=parser, pretokenized=True)


def table_1(job: Job) -> Made:
    """Sentence clusters by key terms, and their sizes."""
    from paraphrast.acquire.keyterms import KeyTermOptions
    from paraphrast.formats.articles import read_articles
    from paraphrast.fusion.clusters import clusters_of_articles

    if job.small:
        options = KeyTermOptions(clusters=1, least=2)
        clusters, data = clusters_of_articles(samples.articles(), options), "seven articles of three events"
    else:
        articles = read_articles(str(job.file("news-clusters/ecbplus.jsonl.xz")))
        clusters = clusters_of_articles(articles, KeyTermOptions(clusters=3))
        data = "ECB+, 496 articles of 43 events, three clusters per event"
    sizes = [len(cluster.sentences) for cluster in clusters]
    rows = (
        ("clusters", len(sizes)),
        ("smallest", min(sizes)),
        ("median", round(float(np.median(sizes)), 1)),
        ("largest", max(sizes)),
    )
    return Made(("Number of Sentences", "ours"), rows, data)


def table_2(job: Job) -> Made:
    """The versions, described from their own fields."""
    from paraphrast.msa.match import VERSIONS

    rows = []
    for version in VERSIONS.values():
        left_out = [
            *([] if version.commas else ["commas"]),
            *([] if version.stop_words else ["stop words"]),
        ]
        kind = "Syntactic" if version.syntactic else "Lexical"
        what = f"everything but {' and '.join(left_out)}" if left_out else "everything possible"
        rows.append((version.name, f"{kind} alignment on {what}"))
    return Made(("Run", "ours"), tuple(rows), "the code itself")


def figure_1(job: Job) -> Made:
    """The automata of the paper's two sentences, without and with syntax."""
    from paraphrast.draw.automaton import draw_automaton
    from paraphrast.fusion.sentences import fuse_prepared
    from paraphrast.msa.match import VERSIONS

    prepared = _parsed(samples.MILAN_TREES)
    rows, pictures = [], {}
    for name in ("V1", "V4"):
        fusion = fuse_prepared(prepared, version=VERSIONS[name], method="random")
        wrong = fusion.automaton.accepts(["I", "went", "to", "Milan", "is", "beautiful"])
        rows.append((name, fusion.lattice.path_count(), "yes" if wrong else "no"))
        title = "lexical" if name == "V1" else "syntactic"
        pictures[f"figure-1-{name.lower()}"] = draw_automaton(
            fusion.lattice, title=f"{name}: {title} alignment", program=None
        )
    header = ("version", "paths", "accepts “I went to Milan is beautiful”")
    return Made(header, tuple(rows), "the paper's two sentences, parsed by hand", pictures=pictures)


def figure_2(job: Job) -> Made:
    """States, edges and paths of a cluster's automaton in every version."""
    from paraphrast.fusion.sentences import fuse_prepared
    from paraphrast.msa.match import VERSIONS

    if not job.small:
        raise NotMadeError("needs the text of the paper and a parser: python bench/msa.py --paper FILE")
    prepared = _parsed(samples.REPORT_TREES)
    fusions = [fuse_prepared(prepared, version=version, method="random") for version in VERSIONS.values()]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("states", *(fusion.automaton.states for fusion in fusions)),
        ("edges", *(fusion.automaton.edges for fusion in fusions)),
        ("paths", *(fusion.lattice.path_count() for fusion in fusions)),
        ("new sentences", *(len(fusion.sentences) for fusion in fusions)),
    )
    return Made(("", *VERSIONS), rows, "four reports written for it, parsed by hand")


def figure_3(job: Job) -> Made:
    """The constants of the matrix, and its last entry for two sentences."""
    from paraphrast.msa.align import align_cluster
    from paraphrast.msa.match import VERSIONS, AlignOptions

    options = AlignOptions()
    scores = [
        float(align_cluster(_parsed(samples.MILAN_TREES).cluster, VERSIONS[name]).scores[0, 1])
        for name in ("V1", "V4")
    ]
    rows = (
        ("match", options.match),
        ("mismatch", options.mismatch),
        ("gap", options.gap),
        ("border", 0.0 if options.free_borders else None),
        ("last entry, sentences of figure 1, V1", scores[0]),
        ("last entry, sentences of figure 1, V4", scores[1]),
    )
    return Made(("", "ours"), rows, "the code itself; the paper's two sentences")


def figure_4(job: Job) -> Made:
    """The constants of the syntactic match, and its decision about the two words of figure 1."""
    from paraphrast.msa.align import align_cluster
    from paraphrast.msa.match import VERSIONS, MatchOptions

    values = MatchOptions().to_dict()
    alignment = align_cluster(_parsed(samples.MILAN_TREES).cluster, VERSIONS["V4"])
    shared = set(alignment.path(0)) & set(alignment.path(1))
    rows: list[tuple[Cell, ...]] = [
        (name, value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value))
        for name, value in values.items()
    ]
    rows.append(("“Milan” and “Milan” of figure 1", "matched" if shared else "unmatched"))
    return Made(("", "ours"), tuple(rows), "the code itself; the paper's two sentences")


def _scores(job: Job) -> ClusterScores:
    """Invented ratings of random sentences of every version."""
    from paraphrast.evaluate.clusters import ClusterRating, score_clusters
    from paraphrast.fusion.clusters import NamedCluster
    from paraphrast.study.fusions import versions_of

    if not job.small:
        raise NotMadeError("needs ratings of V1 to V5: paraphrast fuse CLUSTERS --judge FOLDER, then rate")

    def make() -> ClusterScores:
        prepared = _parsed(samples.REPORT_TREES)
        texts = tuple(" ".join(words) for words in prepared.cluster.words)
        outputs, figures = versions_of([NamedCluster("embassy", texts)], [prepared], n=4)
        ratings = [
            ClusterRating(
                output.genre,
                output.system,
                f"{number}",
                rater,
                question,
                float(1 + (number + place + own) % 4),
            )
            for number, output in enumerate(outputs)
            for place, question in enumerate(_QUESTIONS)
            for own, rater in enumerate(("a", "b"))
        ]
        named = {str(number): figures[output.genre, output.text] for number, output in enumerate(outputs)}
        return score_clusters(ratings, named)

    return job.once("cluster scores", make)


def _data() -> str:
    return f"four reports written for it; {INVENTED}"


def means(job: Job) -> Made:
    """Table 3: both questions, all clusters."""
    systems = _scores(job).systems
    versions = systems["grammaticality"]
    rows = tuple(
        (name, round(figures.pooled, 2), round(systems["fidelity"][name].pooled, 2))
        for name, figures in versions.items()
    )
    return Made(("", "Grammaticality, ours", "Fidelity, ours"), rows, _data())


def _by_cluster(question: str) -> Maker:
    def make(job: Job) -> Made:
        systems = _scores(job).systems[question]
        clusters = sorted({name for figures in systems.values() for name in figures.by_cluster})
        rows: list[tuple[Cell, ...]] = [
            (name, *(round(figures.by_cluster.get(name, float("nan")), 2) for figures in systems.values()))
            for name in clusters
        ]
        rows.append(("Overall", *(round(figures.pooled, 2) for figures in systems.values())))
        return Made(("Cluster", *systems), tuple(rows), _data())

    return make


def table_6(job: Job) -> Made:
    """Means and deviations between judges."""
    systems = _scores(job).systems
    rows: list[tuple[Cell, ...]] = []
    for name in systems["grammaticality"]:
        cells: list[Cell] = [name]
        for question in _QUESTIONS:
            figures = systems[question][name]
            spread = figures.between_raters
            cells += [round(figures.pooled, 2), None if spread is None else round(spread, 2)]
        rows.append(tuple(cells))
    header = ("", *(f"{short} {kind}, ours" for short in _QUESTIONS.values() for kind in ("Mean", "StdDev")))
    return Made(header, tuple(rows), _data())


def tests(job: Job) -> Made:
    """§4.3: t-tests of both hypotheses."""
    found: dict[str, Any] = _scores(job).tests
    rows: list[tuple[Cell, ...]] = []
    for place, test in enumerate(found["grammaticality"]):
        other = found["fidelity"][place]
        cells = [None if one.p is None else round(one.p, 4) for one in (test, other)]
        rows.append((test.name, round(test.difference, 2), cells[0], round(other.difference, 2), cells[1]))
    header = ("one-sided t-test", "grammaticality: difference", "p", "fidelity: difference", "p")
    return Made(header, tuple(rows), _data())


def _plot(question: str, name: str) -> Maker:
    def make(job: Job) -> Made:
        from paraphrast.evaluate.clusters import plot_clusters

        scores = _scores(job)
        return Made(("",), (), _data(), pictures={name: plot_clusters(scores, question)})

    return make


MAKERS: dict[str, Maker] = {
    "table-1": table_1,
    "table-2": table_2,
    "table-3": means,
    "table-4": _by_cluster("grammaticality"),
    "table-5": _by_cluster("fidelity"),
    "table-6": table_6,
    "tests": tests,
    "figure-1": figure_1,
    "figure-2": figure_2,
    "figure-3": figure_3,
    "figure-4": figure_4,
    "figure-5": _plot("grammaticality", "figure-5"),
    "figure-6": _plot("fidelity", "figure-6"),
}
