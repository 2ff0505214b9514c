"""Sentences made from held-out clusters, for blind ratings: V1 to V5 by random paths, or the default output.

    python bench/fused_sentences.py versions --data FOLDER --paper SHEN.txt -o items
    python bench/fused_sentences.py default --data FOLDER -o NAME

FOLDER holds ``news-clusters/ecbplus.jsonl.xz`` and ``clusters/captions.tsv.xz``. Of the topics of the news, in order,
every second one is held out (the others serve for development); of the captions, the second half of the file.

``versions`` writes ``items.tsv`` (number, sentences of the cluster, new sentence; shuffled, equal ones joined) and
``items.key.json`` (the versions of each). Per version and kind: one random new sentence (section 4.2 of Shen and others
2006) of each of 25 clusters for which every version has one. Of the cluster of figure 2: the new sentences of every
version (at most ten), the two that the paper prints, and the default output.
``default`` writes the first sentence of each cluster as JSONL, ``source`` and ``rewrite``; its output on two commits is
blinded together.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from msa import figure_2
from paraphrast.acquire.keyterms import KeyTermOptions
from paraphrast.formats.articles import read_articles
from paraphrast.fusion.clusters import NamedCluster, clusters_of_articles
from paraphrast.fusion.resources import language_model, syntax_of
from paraphrast.fusion.sentences import fuse, fuse_prepared, prepare, versions_of
from paraphrast.msa.match import VERSIONS

PER_VERSION = 25
BETWEEN = " ◆ "
#: One item: sentences of the cluster, new sentence, system.
Item = tuple[str, str, str]


def news(data: Path, held: bool) -> list[NamedCluster]:
    """Three clusters of each event of every second topic."""
    articles = [one for one in read_articles(str(data / "news-clusters/ecbplus.jsonl.xz")) if one.cluster]
    topic = {one.cluster: int(one.cluster.split("_")[0]) for one in articles if one.cluster}
    chosen = set(sorted(set(topic.values()))[int(held) :: 2])
    return clusters_of_articles(
        [one for one in articles if one.cluster and topic[one.cluster] in chosen], KeyTermOptions(clusters=3)
    )


def captions(data: Path, held: bool, count: int = 100, seed: int = 22) -> list[NamedCluster]:
    """Sets of five captions from one half of the file."""
    with lzma.open(data / "clusters/captions.tsv.xz", "rt", encoding="utf-8") as stream:
        rows = stream.read().splitlines()
    half = len(rows) // 2
    lines = random.Random(seed).sample(list(range(half, 2 * half) if held else range(half)), count)
    return [NamedCluster(f"c{line + 1}", tuple(rows[line].split("\t"))) for line in lines]


def of_versions(data: Path, paper: Path) -> list[Item]:
    """The items of every version."""
    parser = syntax_of(None, "en")
    rng = random.Random(2206)
    items: list[Item] = []
    for kind, clusters in (("news", news(data, True)), ("captions", captions(data, True))):
        rng.shuffle(clusters)
        used = 0
        for number, cluster in enumerate(clusters, 1):
            prepared = prepare(cluster.sentences, parser=parser)
            texts = {
                name: [
                    sentence.text
                    for sentence in fuse_prepared(
                        prepared, 10, version=version, method="random", seed=7
                    ).sentences
                ]
                for name, version in VERSIONS.items()
            }
            if not all(texts.values()):
                continue
            source = BETWEEN.join(dict.fromkeys(cluster.sentences))
            items += [(source, rng.choice(made), f"{kind} {name}") for name, made in texts.items()]
            used += 1
            if used == PER_VERSION:
                print(f"{kind}: {used} of the first {number} clusters", file=sys.stderr)
                break
    sentences, printed = figure_2(paper)
    source = BETWEEN.join(sentences)
    prepared = prepare(sentences, parser=parser)
    for name, version in VERSIONS.items():
        fusion = fuse_prepared(prepared, 10, version=version, method="random", seed=1)
        items += [(source, sentence.text, f"piper {name}") for sentence in fusion.sentences]
    items += [(source, text, "piper printed") for text in printed]
    items += [(source, sentence.text, "piper default") for sentence in fuse(sentences, 5).sentences]
    return items


def blind(items: Sequence[Item], output: str, seed: int = 5) -> None:
    """Write the items shuffled, and apart from them which systems they come from."""
    systems: dict[tuple[str, str], set[str]] = {}
    for source, text, system in items:
        systems.setdefault((" ".join(source.split()), " ".join(text.split())), set()).add(system)
    order = list(systems)
    random.Random(seed).shuffle(order)
    rows = [f"{number}\t{source}\t{text}\n" for number, (source, text) in enumerate(order)]
    Path(f"{output}.tsv").write_text("".join(rows), encoding="utf-8")
    key = [
        {"source": source, "rewrite": text, "systems": sorted(systems[source, text])}
        for source, text in order
    ]
    Path(f"{output}.key.json").write_text(json.dumps(key, ensure_ascii=False), encoding="utf-8")


def default(data: Path, output: str, held: bool) -> None:
    """Write the first sentence of each cluster, flushed one by one, and print how many have one."""
    parser, lm = syntax_of(None, "en"), language_model(None, "en")
    for kind, clusters in (("captions", captions(data, held)), ("news", news(data, held))):
        kinds: dict[str, int] = {}
        with open(f"{output}.{kind}.jsonl", "w", encoding="utf-8") as stream:
            for cluster in clusters:
                prepared = prepare(cluster.sentences, parser=parser)
                fusion = fuse_prepared(prepared, 1, version=versions_of("auto"), lm=lm)
                best = fusion.sentences[0] if fusion.sentences else None
                kinds[best.kind if best else "none"] = kinds.get(best.kind if best else "none", 0) + 1
                record = {
                    "cluster": cluster.name,
                    "source": BETWEEN.join(dict.fromkeys(cluster.sentences)),
                    "rewrite": best.text if best else None,
                    "kind": best.kind if best else None,
                    "spans": best.marked() if best else None,
                    "parts": best.parts if best else None,
                    "version": fusion.version,
                    "notes": list(fusion.notes),
                }
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")
                stream.flush()
        print(f"{kind}: {len(clusters)} clusters, {kinds}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write sentences to be rated."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("what", choices=("versions", "default"))
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--paper", type=Path, help="text of the paper; needed for versions")
    options.add_argument("--development", action="store_true", help="default: use the other clusters")
    options.add_argument("-o", "--output", required=True)
    given = options.parse_args(arguments)
    if given.what == "versions":
        if given.paper is None:
            options.error("versions needs --paper")
        blind(of_versions(given.data, given.paper), given.output)
    else:
        default(given.data, given.output, held=not given.development)
    return 0


if __name__ == "__main__":
    sys.exit(main())
