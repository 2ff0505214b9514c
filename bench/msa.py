"""Clusters of comparable sentences: automata and new sentences of V1–V5, ranked beside random ones, time by size.

    python bench/msa.py --data FOLDER [--paper FILE] [--spacy PIPELINE] [--model FOLDER] [--sentences FILE]

FOLDER holds ``news-clusters/ecbplus.jsonl.xz`` (articles by topic, tokenised) and ``clusters/captions.tsv.xz`` (five
captions a line). ``--paper`` is the text of Shen and others (2006), from which figure 2's cluster is read. Figures
go to standard output as one JSON object, new sentences, unedited, to ``--sentences``.

Proxies: grammaticality is the mean log probability of a word under a trigram model of the *other* half of the same
corpus, less that of the cluster's own sentences; ``parse`` the share of words that the parser reads as in their
sources; fidelity the share of pairs of content words that one sentence of the cluster has.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.evaluate.clusters import t_test
from paraphrast.formats.articles import Article, read_articles
from paraphrast.fusion.candidates import reading_agreement
from paraphrast.fusion.clusters import NamedCluster
from paraphrast.fusion.resources import load_lm
from paraphrast.fusion.sentences import (
    Fusion,
    Prepared,
    WordModel,
    fuse_prepared,
    lm_view,
    prepare,
)
from paraphrast.fusion.templates import rewrite_lines, templates_of_articles
from paraphrast.lm import LmOptions, build
from paraphrast.msa.align import align_cluster
from paraphrast.msa.automaton import automaton_of
from paraphrast.msa.conflicts import mixes_conflict
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.proxies import fidelity, grammaticality
from paraphrast.msa.rank import lm_scores
from paraphrast.study.fusions import judging_files, sentence_bleu
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.parser import SpacyParser, find_spacy
from paraphrast.types import Sentences, Vocabulary

ENGLISH = get_language("en")


def say(text: str) -> None:
    """How it is going."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def figure_2(paper: Path) -> tuple[list[str], list[str]]:
    """The cluster of the paper's figure 2, and the two new sentences it prints."""
    text = paper.read_text(encoding="utf-8", errors="replace")
    rows: list[str] = []
    for line in text[text.index("1. A police official") : text.index("Figure 2:")].split("\n"):
        if re.match(r"\d+\. ", line):
            rows.append(re.sub(r"^\d+\. ", "", line))
        else:
            rows[-1] += " " + line
    rows = [re.sub(r"(\w)[?\ufffd]s\b", r"\1's", row).strip() for row in rows]
    return rows[:18], rows[18:]


def accepted(fusion: Fusion, text: str) -> tuple[bool, int]:
    """Whether the automaton has a sentence, and how many of its words from the beginning."""
    tokens = prepare([text]).cluster.words[0]
    lattice, best = fusion.automaton, 0
    for first in {tokens[0], tokens[0][:1].lower() + tokens[0][1:]}:
        words = (first, *tokens[1:])
        if lattice.accepts(words):
            return True, len(words)
        states = {lattice.lattice.start}
        for count, word in enumerate(words):
            states = {head for state in states for found, head in lattice._after(state) if found == word}
            if not states:
                best = max(best, count)
                break
    return False, best


def piper(
    paper: Path, parser: SpacyParser, lm: WordModel | None, told: dict[str, list[str]]
) -> dict[str, Any]:
    """Figure 2's cluster under every version."""
    sentences, printed = figure_2(paper)
    prepared = prepare(sentences, parser=parser)
    found: dict[str, Any] = {"sentences": len(prepared.cluster)}
    for name, version in VERSIONS.items():
        fusion = fuse_prepared(prepared, version=version, method="random", seed=1)
        found[name] = {
            "states": fusion.automaton.states,
            "edges": fusion.automaton.edges,
            "paths": fusion.lattice.path_count(),
            "novel": len(fusion.sentences),
            "conflicts": len(fusion.conflicts),
            "accepts_all": all(fusion.automaton.accepts(row) for row in prepared.cluster.words),
            "printed_sentences": [accepted(fusion, text) for text in printed],
        }
        told[f"piper {name}"] = [one.text for one in fusion.sentences]
    told["piper V4 ranked"] = [
        one.text for one in fuse_prepared(prepared, version=VERSIONS["V4"], lm=lm).sentences
    ]
    return found


def news(path: Path, count: int) -> tuple[list[NamedCluster], list[int], list[tuple[int, str]]]:
    """Clusters of sentences that share a key term, one or more a topic; their topics; all sentences with topics."""
    by_cluster: dict[str, list[tuple[str, str]]] = defaultdict(list)
    topic_of: dict[str, int] = {}
    everything: list[tuple[int, str]] = []
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            topic_of[record["cluster"]] = record["topic"]
            for text in record["sentences"]:
                everything.append((record["topic"], text))
                words = text.split()
                if 7 <= len(words) <= 45 and "http" not in text and words[-1] in {".", "''", "?", "!"}:
                    by_cluster[record["cluster"]].append((record["article"], text))
    spread = Counter(
        word for rows in by_cluster.values() for word in {w for _, text in rows for w in text.lower().split()}
    )
    clusters, topics = [], []
    for name, rows in sorted(by_cluster.items()):
        articles: dict[str, set[str]] = defaultdict(set)
        sentences: dict[str, list[str]] = defaultdict(list)
        for article, text in rows:
            for word in set(text.lower().split()):
                if word.isalpha() and len(word) > 3 and word not in ENGLISH.function_words:
                    articles[word].add(article)
                    if text not in sentences[word]:
                        sentences[word].append(text)
        terms = [term for term in sentences if 6 <= len(sentences[term]) <= 24 and len(articles[term]) >= 3]
        terms.sort(key=lambda term: (spread[term], -len(sentences[term]), term))
        if terms:
            clusters.append(NamedCluster(f"{name}-{terms[0]}", tuple(sentences[terms[0]])))
            topics.append(topic_of[name])
    step = max(len(clusters) / count, 1)
    chosen = [int(index * step) for index in range(min(count, len(clusters)))]
    return [clusters[one] for one in chosen], [topics[one] for one in chosen], everything


def model_of(lines: Sequence[str], order: int = 3) -> WordModel:
    """A language model of tokenised lines; first words as they are."""
    counts = Counter(word for line in lines for word in line.split())
    vocabulary = Vocabulary.from_counts((word, number) for word, number in counts.items() if number > 1)
    ids = vocabulary.ids
    text = Sentences.from_lists([ids.get(word, 0) for word in line.split()] for line in lines)
    return vocabulary, build([text], len(vocabulary), LmOptions(order=order))


def compare(
    prepared: Sequence[Prepared],
    judges: Sequence[WordModel],
    ranker: WordModel | None,
    parser: SpacyParser | None,
    told: dict[str, list[str]],
    label: str,
) -> dict[str, Any]:
    """Every version by random paths, V4 also ranked (ten, or three): proxies, tests of the order, conflicts, copies."""
    scores: dict[str, dict[str, list[float]]] = {}
    by_cluster: dict[str, dict[str, dict[int, float]]] = {}
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for name in [*VERSIONS, "V4 ranked", "V4 best 3"]:
        say(f"{label} {name}")
        version = VERSIONS[name.split()[0]]
        values: dict[str, list[float]] = defaultdict(list)
        means: dict[str, dict[int, float]] = defaultdict(dict)
        for number, (one, judge) in enumerate(zip(prepared, judges, strict=True)):
            method = "random" if name in VERSIONS else "ranked"
            wanted = 3 if name == "V4 best 3" else 10
            fusion = fuse_prepared(one, wanted, version=version, method=method, lm=ranker, seed=7)
            count = totals[name]
            count["clusters"] += 1
            count["clusters_with_new"] += bool(fusion.sentences)
            count["new"] += len(fusion.sentences)
            count["paths_over_1"] += fusion.lattice.path_count() > len(one.cluster)
            count["conflict_slots"] += len(fusion.conflicts)
            count["accepts_all"] += all(fusion.automaton.accepts(row) for row in one.cluster.words)
            totals[name]["copies_per_thousand"] += round(1000 * fusion.copies)
            if not fusion.sentences:
                continue
            rows = [sentence.words for sentence in fusion.sentences]
            found: dict[str, list[float]] = {
                "grammaticality": grammaticality(rows, one.cluster, lm_view(one.cluster, judge)),
                "fidelity": [fidelity(row, one.cluster) for row in rows],
                "spans": [float(len(sentence.spans)) for sentence in fusion.sentences],
                "bleu": [sentence_bleu(" ".join(row), one.cluster.texts) or 0.0 for row in rows],
            }
            view = lm_view(one.cluster, ranker)
            found["ranking_lm"] = [
                score / (len(row) + 1) for score, row in zip(lm_scores(rows, view), rows, strict=True)
            ]
            mixed = 0
            for row in rows:
                nodes = fusion.graph.nodes_of(row)
                mixed += nodes is not None and (
                    mixes_conflict(nodes, fusion.graph, fusion.facts, fusion.conflicts) is not None
                )
            count["mixes_conflict"] += mixed
            if parser is not None:
                found["parse"] = reading_agreement(fusion.sentences, fusion.graph, one.cluster, parser)
            for figure, numbers in found.items():
                values[figure] += numbers
                means[figure][number] = float(np.mean(numbers))
            told[f"{label} {name}"] += [sentence.text for sentence in fusion.sentences]
        scores[name], by_cluster[name] = values, means
    result: dict[str, Any] = {
        name: {
            "copies": totals[name].pop("copies_per_thousand") / 1000 / len(prepared),
            **totals[name],
            "fidelity_by_spans": by_spans(scores[name]),
            **{
                figure: {"mean": round(float(np.mean(numbers)), 4), "n": len(numbers)}
                for figure, numbers in scores[name].items()
            },
        }
        for name in scores
    }
    pairs = [
        ("V4", "V5"),
        ("V5", "V3"),
        ("V3", "V2"),
        ("V2", "V1"),
        ("V4", "V3"),
        ("V4", "V1"),
        ("V4 ranked", "V4"),
        ("V4 best 3", "V4"),
    ]
    result["tests"] = {
        figure: {f"{a} over {b}": tested(scores, by_cluster, figure, a, b) for a, b in pairs}
        for figure in ("grammaticality", "parse", "fidelity")
        if figure in scores["V4"]
    }
    return result


def by_spans(values: dict[str, list[float]]) -> dict[str, list[float]]:
    """Fidelity by the number of spans of a sentence (4: that many or more), with how many there are."""
    groups: dict[int, list[float]] = defaultdict(list)
    for spans, value in zip(values["spans"], values["fidelity"], strict=True):
        groups[min(int(spans), 4)].append(value)
    return {str(spans): [round(float(np.mean(own)), 4), len(own)] for spans, own in sorted(groups.items())}


def baseline(articles: Sequence[Article], lines: Sequence[str], told: list[str]) -> dict[str, Any]:
    """Barzilay and Lee's templates of articles, and how many other sentences they rewrite."""
    start = time.process_time()
    pairs = templates_of_articles(articles, pretokenized=True)
    learnt = time.process_time()
    made = list(rewrite_lines(lines, pairs, pretokenized=True))
    told += [f"{one.source} => {one.text}" for one in made]
    return {
        "sentences": sum(len(article.sentences or ()) for article in articles),
        "pairs_of_templates": len(pairs),
        "rewritten": len({one.source for one in made}),
        "of": len(set(lines)),
        "learn_seconds": round(learnt - start, 2),
        "rewrite_seconds": round(time.process_time() - learnt, 2),
    }


def tested(
    scores: dict[str, dict[str, list[float]]],
    by_cluster: dict[str, dict[str, dict[int, float]]],
    figure: str,
    better: str,
    than: str,
) -> dict[str, Any]:
    """Difference of means, Welch's one-sided p over sentences, paired one-sided p over clusters that have both."""
    one, two = scores[better][figure], scores[than][figure]
    both = sorted(set(by_cluster[better][figure]) & set(by_cluster[than][figure]))
    _, p = t_test(one, two)
    _, paired = t_test(
        [by_cluster[better][figure][c] for c in both],
        [by_cluster[than][figure][c] for c in both],
        paired=True,
    )
    return {
        "difference": round(float(np.mean(one) - np.mean(two)), 4) if one and two else None,
        "p": p,
        "paired_p": paired,
        "clusters": len(both),
    }


def times(lines: Sequence[str], parser: SpacyParser, words: int = 40) -> list[dict[str, Any]]:
    """CPU seconds of V4 by the number of sentences of 40 words; everything compiled before."""
    stream = [word for line in lines for word in line.split()]
    sentences = [" ".join(stream[at : at + words]) for at in range(0, 160 * words, words)]
    whole = prepare(sentences, parser=parser, pretokenized=True)
    found = []
    for size in (5, 10, 20, 40, 80, 160):
        cluster = prepare(sentences[:size], pretokenized=True).cluster
        assert whole.cluster.syntax is not None
        one = Prepared(cluster.with_syntax(whole.cluster.syntax[:size]))
        start = time.process_time()
        alignment = align_cluster(one.cluster, VERSIONS["V4"])
        aligned = time.process_time()
        automaton = automaton_of(word_graph(one.cluster, alignment))
        built = time.process_time()
        fuse_prepared(one, version=VERSIONS["V4"])
        ranked = time.process_time()
        if size > 5:
            found.append(
                {
                    "sentences": size,
                    "align_seconds": round(aligned - start, 4),
                    "automaton_seconds": round(built - aligned, 4),
                    "fuse_ranked_seconds": round(ranked - built, 4),
                    "states": automaton.states,
                    "edges": automaton.edges,
                }
            )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", required=True, type=Path)
    options.add_argument("--paper", type=Path)
    options.add_argument("--spacy", default=None)
    options.add_argument("--model", default=None, help="model folder whose language model ranks")
    options.add_argument("--news", type=int, default=40)
    options.add_argument("--captions", type=int, default=100)
    options.add_argument("--sentences", type=Path)
    options.add_argument("--judging", type=Path, help="folder for judges' files of 10 news clusters")
    chosen = options.parse_args(arguments)
    parser = find_spacy("en", chosen.spacy)
    if parser is None:
        print("expected a spaCy pipeline: --spacy", file=sys.stderr)
        return 2
    lm = load_lm(chosen.model) if chosen.model else None
    told: dict[str, list[str]] = defaultdict(list)
    report: dict[str, Any] = {"parser": parser.name, "ranking_model": chosen.model}

    def give() -> None:
        if chosen.sentences:
            chosen.sentences.write_text(
                "\n".join(f"## {label}\n" + "\n".join(rows) + "\n" for label, rows in told.items()),
                encoding="utf-8",
            )
        print(json.dumps(report, indent=1), flush=True)

    if chosen.paper:
        report["piper"] = piper(chosen.paper, parser, lm, told)
        say("piper done")
    clusters, topics, everything = news(chosen.data / "news-clusters" / "ecbplus.jsonl.xz", chosen.news)
    report["times"] = times([text for _, text in everything], parser)
    say("times done")
    half_of = {topic: place % 2 for place, topic in enumerate(sorted({topic for topic, _ in everything}))}
    halves = [model_of([text for topic, text in everything if half_of[topic] == half]) for half in (0, 1)]
    prepared = [prepare(one.sentences, parser=parser, pretokenized=True) for one in clusters]
    say(f"{len(clusters)} news clusters prepared")
    report["news_sizes"] = [len(one.sentences) for one in clusters]
    judges = [halves[1 - half_of[topic]] for topic in topics]
    report["news"] = compare(prepared, judges, lm, parser, told, "news")
    if chosen.judging:
        report["judging"] = judging_files(chosen.judging, clusters[:10], prepared[:10], lm=lm)
    with lzma.open(chosen.data / "clusters" / "captions.tsv.xz", "rt", encoding="utf-8") as stream:
        captions = [line.rstrip("\n").split("\t") for line in stream]
    first = [prepare(row, parser=parser, pretokenized=True) for row in captions[: chosen.captions]]
    say("captions prepared")
    other = model_of([text for row in captions[chosen.captions :] for text in row])
    report["captions"] = compare(first, [other] * len(first), lm, parser, told, "captions")
    say("templates")
    events = [Article(str(n), cluster=str(n), sentences=tuple(row)) for n, row in enumerate(captions[:3500])]
    rest = [text for row in captions[-200:] for text in row]
    report["msa_captions"] = baseline(events, rest, told["msa captions"])
    stories = read_articles(str(chosen.data / "news-clusters" / "ecbplus.jsonl.xz"))
    kept: list[list[Article]] = [[], []]
    for number, article in enumerate(stories):
        kept[number % 5 == 4].append(article)
    rest = [text for article in kept[1] for text in article.sentences or ()]
    report["msa_news"] = baseline(kept[0], rest, told["msa news"])
    give()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
