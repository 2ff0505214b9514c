"""From pages to pairs: what the extractors, clusters, pairs and the classifier are worth.

    python bench/acquire.py --data FOLDER [PART …] [--write]

PARTs are pages, clusters, growth, pairs, classifier, bootstrap, hostile, large; all of them by default.

FOLDER (or PARAPHRAST_BENCH_DATA) holds ``html-pages/``, ``news-clusters/ecbplus.jsonl.xz`` and
``sentence-pairs/mrpc-train.tsv.xz``. Pages are measured by taggers that saw no page of the same site, pairs by
classifiers that did not see them. ``--write`` fits the packaged weights to everything and writes them into the source
tree. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from paraphrast.acquire import classifier as pair_classifier
from paraphrast.acquire.clusters import ClusterState, b_cubed, comparable_documents, find_clusters
from paraphrast.acquire.duplicates import mark_duplicates
from paraphrast.acquire.extractors import parse_page, trafilatura_text
from paraphrast.acquire.features import BINS, line_features
from paraphrast.acquire.labels import label_lines, shingle_counts, shingle_score
from paraphrast.acquire.options import ClusterOptions, ExtractOptions, PairOptions
from paraphrast.acquire.pages import MAX_BYTES, Page, read_pages
from paraphrast.acquire.pairs import candidate_features, cluster_groups, find_pairs
from paraphrast.acquire.report import make_report
from paraphrast.acquire.tagger import (
    STARTS,
    LineTagger,
    TaggerOptions,
    fit_bayes,
    fit_logistic,
    fit_perceptron,
    train_tagger,
)
from paraphrast.acquire.workers import _Pool
from paraphrast.engine import Engine
from paraphrast.formats.articles import Article, article_of

FOLDS = 10
PARTS = ["pages", "clusters", "growth", "pairs", "classifier", "bootstrap", "hostile", "large"]
SOURCE = Path(__file__).parents[1] / "src" / "paraphrast" / "acquire"


def rounded(value: Any, digits: int = 4) -> Any:
    """Numbers of a report, shortened."""
    if isinstance(value, dict):
        return {key: rounded(inner, digits) for key, inner in value.items()}
    return round(float(value), digits) if isinstance(value, (float, np.floating)) else value


class Pages:
    """The labelled pages: lines, features with and without the other extractor, labels."""

    def __init__(self, folder: Path) -> None:
        truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
        self.story = [entry["articleBody"] for entry in truth.values()]
        self.site = [".".join(urlsplit(entry["url"]).netloc.split(".")[-2:]) for entry in truth.values()]
        self.html = [
            gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
            for name in truth
        ]
        self.lines = [parse_page(html).lines.lines for html in self.html]
        self.other = [trafilatura_text(html) for html in self.html]
        self.labels = [label_lines(lines, story) for lines, story in zip(self.lines, self.story, strict=True)]
        self.bins = {
            "hmm": [line_features(lines) for lines in self.lines],
            "both": [
                line_features(lines, other) for lines, other in zip(self.lines, self.other, strict=True)
            ],
        }
        sites = sorted(set(self.site))
        self.fold = [sites.index(site) % FOLDS for site in self.site]

    def score(self, texts: Sequence[str]) -> dict[str, float]:
        return shingle_score(
            [shingle_counts(story, text) for story, text in zip(self.story, texts, strict=True)]
        )

    def text(self, page: int, tags: Any) -> str:
        return "\n".join(line.text for line, kept in zip(self.lines[page], tags, strict=True) if kept)


def line_score(truth: Sequence[Any], found: Sequence[Any]) -> dict[str, float]:
    """Precision, recall and F of lines."""
    right = sum(int((a & b).sum()) for a, b in zip(truth, found, strict=True))
    wanted, got = sum(int(a.sum()) for a in truth), sum(int(b.sum()) for b in found)
    return {
        "precision": right / max(got, 1),
        "recall": right / max(wanted, 1),
        "f1": 2 * right / max(wanted + got, 1),
    }


def measure_pages(pages: Pages) -> dict[str, Any]:
    """Taggers cross-validated by site, and the library."""
    report: dict[str, Any] = {"pages": len(pages.story), "sites": len(set(pages.site))}
    oracle = [pages.text(i, labels) for i, labels in enumerate(pages.labels)]
    report["labels themselves"] = pages.score(oracle)
    began = time.process_time()
    for html in pages.html:
        trafilatura_text(html)
    report["trafilatura"] = {
        "words": pages.score(pages.other),
        "cpu_ms_per_page": 1000 * (time.process_time() - began) / len(pages.html),
    }
    for name, options, bins in (
        ("hmm, bins", TaggerOptions("bins", scale=0.1), "hmm"),
        ("hmm", TaggerOptions(), "hmm"),
        ("both", TaggerOptions(), "both"),
    ):
        tags: list[Any] = [None] * len(pages.story)
        for fold in range(FOLDS):
            known = [i for i, own in enumerate(pages.fold) if own != fold]
            tagger = train_tagger(
                [pages.bins[bins][i] for i in known],
                [pages.labels[i] for i in known],
                options,
                uses_other=bins == "both",
            )
            for i, own in enumerate(pages.fold):
                if own == fold:
                    tags[i] = tagger.tag(pages.bins[bins][i])
        texts = [pages.text(i, own) for i, own in enumerate(tags)]
        report[name] = {"words": pages.score(texts), "lines": line_score(pages.labels, tags)}
    report["70/30 split, lines"] = split_comparison(pages)
    return report


def split_comparison(pages: Pages, seeds: int = 3) -> dict[str, float]:
    """F of lines of four classifiers, trained on 70 % of the sites (means over splits)."""
    found: dict[str, list[float]] = {}
    sites = sorted(set(pages.site))
    for seed in range(seeds):
        shuffled = random.Random(seed).sample(sites, len(sites))
        known = set(shuffled[: int(0.7 * len(sites))])
        train = [i for i, site in enumerate(pages.site) if site in known]
        test = [i for i, site in enumerate(pages.site) if site not in known]
        bins = np.concatenate([pages.bins["hmm"][i] for i in train])
        truth = np.concatenate([pages.labels[i] for i in train]).astype(float)
        wanted = [pages.labels[i] for i in test]
        rivals = {
            "naive Bayes": fit_bayes(bins, truth),
            "perceptron": fit_perceptron(bins, truth, rounds=5),
            "logistic regression": fit_logistic(bins, truth),
        }
        none = np.zeros((4, 4))
        for name, weights in rivals.items():
            for feature in ("other extractor", "other around"):
                begin = STARTS[list(BINS).index(feature)]
                weights[begin : begin + BINS[feature]] = 0.0
            alone = LineTagger(weights, none, none[0])
            got = [(alone.odds(pages.bins["hmm"][i]) > 0).astype(np.int8) for i in test]
            found.setdefault(name, []).append(line_score(wanted, got)["f1"])
        for name, options in (
            ("hidden Markov model, bins", TaggerOptions("bins", scale=0.1)),
            ("hidden Markov model", TaggerOptions()),
        ):
            tagger = train_tagger(
                [pages.bins["hmm"][i] for i in train], [pages.labels[i] for i in train], options
            )
            got = [tagger.tag(pages.bins["hmm"][i]) for i in test]
            found.setdefault(name, []).append(line_score(wanted, got)["f1"])
    return {name: sum(values) / len(values) for name, values in found.items()}


def write_taggers(pages: Pages) -> None:
    """The packaged taggers, fitted to all pages."""
    record: dict[str, Any] = {
        "note": "Line taggers fitted by bench/acquire.py --write to the news pages of the article extraction"
        f" benchmark (MIT licence), {len(pages.story)} of them, their lines labelled by the benchmark's story text.",
        "bins": BINS,
    }
    for name in ("hmm", "both"):
        record[name] = train_tagger(pages.bins[name], pages.labels, uses_other=name == "both").to_dict()
    text = json.dumps(record, ensure_ascii=False, indent=None)
    (SOURCE / "tagger_weights.json").write_text(text.replace('], "', '],\n "') + "\n", encoding="utf-8")


def read_news(path: Path) -> list[Article]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        return [article_of(json.loads(line), name=str(number)) for number, line in enumerate(stream)]


def measure_clusters(articles: Sequence[Article]) -> dict[str, Any]:
    truth = [article.cluster for article in articles]
    with Engine(threads=1) as engine:
        report: dict[str, Any] = {"at once": b_cubed(truth, find_clusters(articles, engine))}
        for threshold in (0.13, 0.14, 0.15, 0.16, 0.17):
            found = find_clusters(articles, engine, ClusterOptions(threshold=threshold))
            report[f"threshold {threshold}"] = b_cubed(truth, found)["f1"]
        order = random.Random(1).sample(range(len(articles)), len(articles))
        state, got = ClusterState(), dict[int, int]()
        for begin in range(0, len(order), 100):
            batch = order[begin : begin + 100]
            got |= dict(zip(batch, state.add([articles[i] for i in batch], engine), strict=True))
        report["in five batches"] = b_cubed(truth, [got[i] for i in range(len(articles))])
    return report


def grown(articles: Sequence[Article], size: int, seed: int = 7) -> list[Article]:
    """So many articles: each day the same events with other names and other longer words, words lost at random."""
    chance, result, copy = random.Random(seed), list[Article](), 0
    while len(result) < size:
        for article in articles:
            if len(result) == size:
                break
            tag = f"{copy:x}" if copy else ""
            words = []
            for word in article.body().split(" "):
                if copy and chance.random() < 0.1:
                    continue
                own = tag and (word[:1].isupper() or len(word) > 5) and chance.random() < 0.9
                words.append(word + tag if own else word)
            day = np.datetime64("2004-01-01") + copy
            result.append(
                Article(
                    f"{copy}-{article.page}",
                    " ".join(words),
                    date=str(day),
                    cluster=f"{copy}-{article.cluster}",
                )
            )
        copy += 1
    return result


def measure_growth(articles: Sequence[Article], sizes: Sequence[int]) -> dict[str, Any]:
    """CPU seconds for more and more articles: copies marked, clusters, pairs."""
    report: dict[str, Any] = {}
    for size in sizes:
        many = grown(articles, size)
        with Engine(threads=1) as engine:
            began = time.process_time()
            marked = mark_duplicates(many, engine)
            copied = time.process_time()
            clusters = find_clusters(marked, engine)
            clustered = time.process_time()
            pairs = find_pairs(marked, cluster_groups(clusters), engine)
            ended = time.process_time()
        report[str(size)] = {
            "copies_cpu_s": round(copied - began, 1),
            "clusters_cpu_s": round(clustered - copied, 1),
            "pairs_cpu_s": round(ended - clustered, 1),
            "pairs": len(pairs),
            "resident_mb": resident(),
            "b_cubed": b_cubed([article.cluster for article in many], clusters)["f1"],
        }
        print(size, report[str(size)], file=sys.stderr)
    return report


def measure_pairs(articles: Sequence[Article], samples: Path | None) -> dict[str, Any]:
    report: dict[str, Any] = {}
    with Engine(threads=1) as engine:
        marked = mark_duplicates(articles, engine)
        given = cluster_groups([article.cluster for article in marked])
        found = cluster_groups(find_clusters(marked, engine))
        documents = comparable_documents(marked, engine)
        zhao = [(number, article) for number, pair in enumerate(documents) for article in pair[:2]]
        trials: dict[str, tuple[list[tuple[int, int]], PairOptions]] = {
            f"distance {cutoff}, given clusters": (given, PairOptions(cutoff=cutoff))
            for cutoff in (6, 9, 12, 15)
        }
        trials |= {
            "distance 12, found clusters": (found, PairOptions()),
            "distance 12, given clusters, same article": (given, PairOptions(same_article=True)),
            "distance 12, given clusters, 8 words or more": (given, PairOptions(min_words=8)),
            "overlap .5, comparable documents": (zhao, PairOptions(method="overlap")),
            "overlap .5, given clusters": (given, PairOptions(method="overlap")),
            "first two, given clusters": (given, PairOptions(method="first-two")),
            "classifier .7, given clusters": (given, PairOptions(method="classifier")),
            "classifier .7, bootstrapped": (given, PairOptions(method="classifier", bootstrap=3)),
            "classifier .9, given clusters": (given, PairOptions(method="classifier", least=0.9)),
        }
        for name, (groups, options) in trials.items():
            began = time.process_time()
            pairs = find_pairs(marked, groups, engine, options)
            figures = make_report(marked, groups, pairs).to_dict()
            figures["cpu_seconds"] = round(time.process_time() - began, 1)
            report[name] = {key: value for key, value in figures.items() if key != "distances"}
            print(name, json.dumps(report[name]), file=sys.stderr)
            if samples is not None:
                with samples.open("a", encoding="utf-8") as stream:
                    stream.write(f"\n=== {name}\n")
                    for pair in random.Random(5).sample(pairs, min(20, len(pairs))):
                        stream.write(f"{pair.distance}\t{pair.score:.2f}\n  {pair.first}\n  {pair.second}\n")
    return report


def read_labelled(path: Path) -> tuple[list[str], list[str], Any]:
    with lzma.open(path, "rt", encoding="utf-8-sig") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream][1:]
    rows = [row for row in rows if len(row) == 5]
    return [row[3] for row in rows], [row[4] for row in rows], np.array([float(row[0]) for row in rows])


def measure_classifier(path: Path, write: bool) -> dict[str, Any]:
    first, second, truth = read_labelled(path)
    features = pair_classifier.pair_features(first, second)
    # Sentences of different events are no paraphrases: the next row's sentence stands for all of those.
    strangers = pair_classifier.pair_features(first, [*second[1:], second[0]])
    weight = np.concatenate([np.ones(len(truth)), np.full(len(strangers), 0.2)])

    def train(known: Any) -> pair_classifier.PairClassifier:
        return pair_classifier.train_classifier(
            np.concatenate([features[known], strangers[known]]),
            np.concatenate([truth[known], np.zeros(int(known.sum()))]),
            ridge=1.0,
            importance=np.concatenate([weight[: len(truth)][known], weight[len(truth) :][known]]),
            note="Fitted by bench/acquire.py --write to 4,076 labelled pairs of news sentences (MRPC, training part)"
            " and as many pairs of strangers.",
        )

    chance = np.zeros(len(truth))
    for fold in range(10):
        held = np.arange(len(truth)) % 10 == fold
        chance[held] = train(~held).probability(features[held])
    report: dict[str, Any] = {"pairs": len(truth), "accuracy": float(((chance >= 0.5) == truth).mean())}
    for least in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        chosen = chance >= least
        report[f"threshold {least}"] = {
            "precision": float(truth[chosen].mean()),
            "recall": float(truth[chosen].sum() / truth.sum()),
        }
    if write:
        train(np.ones(len(truth), dtype=bool)).save(SOURCE / "pair_weights.json")
    return report


def measure_bootstrap(path: Path, articles: Sequence[Article]) -> dict[str, Any]:
    """The classifier, and bootstrapped with and without its labelled pairs, by cross-validation on labelled pairs."""
    first, second, truth = read_labelled(path)
    features = pair_classifier.pair_features(first, second)
    strangers = pair_classifier.pair_features(first, [*second[1:], second[0]])
    with Engine(threads=1) as engine:
        marked = mark_duplicates(articles, engine)
        groups = cluster_groups([article.cluster for article in marked])
        unlabelled = candidate_features(marked, groups, engine)
    chance = {name: np.zeros(len(truth)) for name in ("off", "with labelled pairs", "without")}
    sure: list[Any] = []
    for fold in range(10):
        held = np.arange(len(truth)) % 10 == fold
        known = np.concatenate([features[~held], strangers[~held]])
        right = np.concatenate([truth[~held], np.zeros(int((~held).sum()))])
        weight = np.concatenate([np.ones(int((~held).sum())), np.full(int((~held).sum()), 0.2)])
        base = pair_classifier.train_classifier(known, right, ridge=1.0, importance=weight)
        first_guess = base.probability(unlabelled)
        sure.append([int((first_guess >= 0.95).sum()), int((first_guess <= 0.05).sum())])
        models = {
            "off": base,
            "with labelled pairs": pair_classifier.bootstrap(base, unlabelled, features[~held], truth[~held]),
            "without": pair_classifier.bootstrap(base, unlabelled),
        }
        for name, model in models.items():
            chance[name][held] = model.probability(features[held])
    report: dict[str, Any] = {
        "candidates": len(unlabelled),
        "sure, and sure not": np.mean(sure, axis=0).tolist(),
    }
    for name, values in chance.items():
        report[name] = {"accuracy": float(((values >= 0.5) == truth).mean())}
        for least in (0.5, 0.7, 0.8, 0.9, 0.95):
            chosen = values >= least
            report[name][f"threshold {least}"] = {
                "precision": float(truth[chosen].mean()),
                "recall": float(truth[chosen].sum() / truth.sum()),
            }
    return report


def mutated(html: bytes, chance: random.Random) -> bytes:
    """A page with something wrong."""
    data = bytearray(html[: chance.randrange(2_000, 200_000)])
    kind = chance.randrange(8)
    if kind == 0:
        for _ in range(200):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 1:
        del data[chance.randrange(len(data)) :]
    elif kind == 2:
        data[0:0] = b"<div>" * chance.randrange(1, 50_000)
    elif kind == 3:
        place = chance.randrange(len(data))
        data[place:place] = b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>&b;" * 50
    elif kind == 4:
        data = bytearray(bytes(data).replace(b">", b"", 1000))
    elif kind == 5:
        data = bytearray(bytes(data).decode("utf-8", "replace").encode("utf-16"))
    elif kind == 6:
        data = bytearray(bytes(data).replace(b"<p", b"<table><tr><td", 500).replace(b'"', b"", 300))
    else:
        place = chance.randrange(len(data))
        data[place:place] = bytes(chance.randrange(256) for _ in range(5000))
    return bytes(data)


def resident(process: int | None = None, field: str = "VmRSS") -> float:
    """Megabytes of memory that a process holds (``VmHWM``: has held at most); Linux only."""
    status = Path(f"/proc/{process or os.getpid()}/status").read_text()
    return round(int(status.split(f"{field}:")[1].split()[0]) / 1024, 1)


def measure_hostile(pages: Sequence[str], count: int) -> dict[str, Any]:
    """Mutated pages and bombs through one worker: all come back, each with a story or a note, and nothing is leaked."""
    chance = random.Random(3)
    made = [Page(f"m{i}", mutated(pages[i % len(pages)].encode(), chance)) for i in range(count)]
    bombs = [
        Page("deep", b"<div>" * 2_000_000 + b"text"),
        Page("wide", b"<p>word " * 1_000_000),
        Page("bold", b"<b><i><a>" * 500_000),
        Page("table", b"<table><tr><td>" * 200_000),
        Page("quotes", b"<a href='" * 500_000),
        Page("entities", b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 1000 + b'">]><p>' + b"&a;" * 1_000_000),
        Page("scripts", b"<script>x</script>" * 400_000),
        Page("frames", b"<frameset>" + b"<frame src='http://nowhere.invalid/'>" * 200_000),
    ]
    began = time.monotonic()
    notes: dict[str, int] = {}
    stories, done = 0, 0
    memory: list[tuple[int, float, float]] = []
    bomb_notes: dict[str, str] = {}
    options = ExtractOptions(seconds=15)
    with _Pool(options, "paraphrast.acquire.extractors:make_both") as pool:
        for article in pool.run([*made, *bombs]):
            stories += bool(article.text)
            key = article.note or "no note"
            notes[key] = notes.get(key, 0) + 1
            done += 1
            if done in (1, 50) or done % 100 == 0:
                pid = pool.workers[0].process.pid
                memory.append((done, resident(), resident(pid)))
                print(memory[-1], round(time.monotonic() - began, 1), file=sys.stderr)
            if done > count:
                bomb_notes[article.page] = article.note or f"{len(article.text)} letters"
    return {
        "pages": len(made) + len(bombs),
        "with a story": stories,
        "notes": notes,
        "bombs": bomb_notes,
        "wall_s": round(time.monotonic() - began, 1),
        "pages, MB of the run, MB of the worker": memory,
    }


def measure_large(story: str, megabytes: int = 50) -> dict[str, Any]:
    """A page of 50 MB from a file: as it is read by default, and with no cut; time, memory and note."""
    report: dict[str, Any] = {}
    head, _, tail = story.partition("</body>")
    filler = "<div class='x'><a href='/a'>link</a><p>Some words that nobody has asked for, again.</p></div>\n"
    text = head + filler * ((megabytes << 20) // len(filler)) + "</body>" + tail
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "large.html").write_text(text, encoding="utf-8")
        for name, limit in (("cut after 8 MB, the default", MAX_BYTES), ("uncut, 64 MB allowed", 64 << 20)):
            options = ExtractOptions()
            with _Pool(options, "paraphrast.acquire.extractors:make_both") as pool:
                small = next(pool.run([Page("small", story.encode())]))
                pid = pool.workers[0].process.pid
                before, began = resident(pid), time.monotonic()
                used = sum(os.times()[2:4])
                (article,) = pool.run(read_pages(Path(folder) / "large.html", max_bytes=limit))
                same = pool.workers[0].process.pid == pid
                report[name] = {
                    "note": article.note,
                    "letters of the story": len(article.text),
                    "of the page alone": len(small.text),
                    "wall_s": round(time.monotonic() - began, 1),
                    "worker_mb_before": before,
                    "worker_mb_most": resident(pid, "VmHWM")
                    if same
                    else f"ended, at most {options.megabytes}",
                    "run_mb": resident(),
                }
            report[name]["cpu_s"] = round(sum(os.times()[2:4]) - used, 1)
            print(name, report[name], file=sys.stderr)
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench/acquire.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "parts", nargs="*", help="pages clusters growth pairs classifier bootstrap hostile large; all of them"
    )
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--write", action="store_true", help="fit the packaged weights to everything")
    parser.add_argument("--sizes", default="500,5000,50000")
    parser.add_argument("--hostile", type=int, default=1000)
    parser.add_argument("--samples", type=Path, help="write 20 random pairs of each method here")
    asked = parser.parse_args(arguments)
    if not asked.data:
        parser.error("--data FOLDER, or PARAPHRAST_BENCH_DATA")
    data = Path(asked.data)
    parts = asked.parts or PARTS
    report: dict[str, Any] = {}
    pages = Pages(data / "html-pages") if {"pages", "hostile", "large"} & set(parts) else None
    news = (
        read_news(data / "news-clusters" / "ecbplus.jsonl.xz")
        if {"clusters", "growth", "pairs", "bootstrap"} & set(parts)
        else []
    )
    if "pages" in parts and pages is not None:
        if asked.write:
            write_taggers(pages)
        report["pages"] = measure_pages(pages)
    if "classifier" in parts:
        report["classifier"] = measure_classifier(data / "sentence-pairs" / "mrpc-train.tsv.xz", asked.write)
    if "bootstrap" in parts:
        report["bootstrap"] = measure_bootstrap(data / "sentence-pairs" / "mrpc-train.tsv.xz", news)
    if "clusters" in parts:
        report["clusters"] = measure_clusters(news)
    if "growth" in parts:
        report["growth"] = measure_growth(news, [int(size) for size in asked.sizes.split(",")])
    if "pairs" in parts:
        report["pairs"] = measure_pairs(news, asked.samples)
    if "hostile" in parts and pages is not None:
        report["hostile"] = measure_hostile(pages.html, asked.hostile)
    if "large" in parts and pages is not None:
        report["large"] = measure_large(pages.html[0])
    print(json.dumps(rounded(report), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
