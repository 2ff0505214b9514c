"""Clusters before judges: new sentences of all versions as a campaign of ratings, and what came of it.

A campaign of ``judge`` with the template ``grammar-fidelity`` (section 4.2 of Shen and others 2006): the input of an
item is the whole cluster, so that judges have the originals in view; its genre, in the key, is the cluster's name.
Beside the system the key holds automatic figures of the sentence: language model, content, BLEU.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.clusters import ClusterRating
from paraphrast.formats.jsonl import read_records, write_records
from paraphrast.formats.outputs import SystemOutput
from paraphrast.formats.ratings import Item, read_items, read_key, read_ratings, write_items
from paraphrast.fusion.clusters import NamedCluster
from paraphrast.fusion.resources import WordModel
from paraphrast.fusion.sentences import Prepared, fuse_prepared, lm_view
from paraphrast.judge.campaign import new_campaign
from paraphrast.judge.options import CampaignOptions
from paraphrast.judge.report import check_ratings, settle, template_of
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.proxies import fidelity, grammaticality

TEMPLATE = "grammar-fidelity"
#: (cluster, sentence) → figure → value.
Figures = dict[tuple[str, str], dict[str, float]]


def versions_of(
    clusters: Sequence[NamedCluster],
    prepared: Sequence[Prepared],
    *,
    lm: WordModel | None = None,
    n: int = 10,
    seed: int = 0,
) -> tuple[list[SystemOutput], Figures]:
    """``n`` random new sentences of every version and cluster, with their figures."""
    outputs: list[SystemOutput] = []
    figures: Figures = {}
    for cluster, one in zip(clusters, prepared, strict=True):
        view = lm_view(one.cluster, lm)
        source = "\n".join(f"{number}. {text}" for number, text in enumerate(cluster.sentences, 1))
        for name, version in VERSIONS.items():
            if version.syntactic and one.cluster.syntax is None:
                continue
            made = fuse_prepared(one, n, version=version, method="random", seed=seed).sentences
            likely = grammaticality([sentence.words for sentence in made], one.cluster, view)
            for rank, (sentence, value) in enumerate(zip(made, likely, strict=True), 1):
                outputs.append(SystemOutput(source, sentence.text, name, rank, cluster.name, cluster.name))
                told = {"lm": round(value, 4), "content": round(fidelity(sentence.words, one.cluster), 4)}
                bleu = sentence_bleu(sentence.text, cluster.sentences)
                figures[cluster.name, sentence.text] = told if bleu is None else {**told, "bleu": bleu}
    return outputs, figures


def judging_files(
    folder: str | Path,
    clusters: Sequence[NamedCluster],
    prepared: Sequence[Prepared],
    *,
    lm: WordModel | None = None,
    n: int = 10,
    judges: int = 6,
    a_cluster: int = 3,
    seed: int = 0,
) -> dict[str, int]:
    """Write a campaign: ``items.jsonl`` (all), ``judge-N.jsonl`` (those of one judge), ``key.jsonl``.

    Every cluster goes to ``a_cluster`` of the judges, in turn, whole, its sentences shuffled for each. A sentence that
    two versions made is judged once, and its key names both. Returns how many of what.
    """
    if not 1 <= a_cluster <= judges:
        raise InputError(f"expected 1 to {judges} judges a cluster, got {a_cluster}")
    names = [cluster.name for cluster in clusters]
    if len(set(names)) != len(names):
        raise InputError("expected clusters with names of their own")
    outputs, figures = versions_of(clusters, prepared, lm=lm, n=n, seed=seed)
    campaign = new_campaign(outputs, CampaignOptions(template=TEMPLATE, ranks=n, seed=seed))
    own: dict[str, list[Item]] = {name: [] for name in names}
    for item in campaign.items:
        own[item.context].append(item)
    random = np.random.default_rng(seed)
    asked: list[list[Item]] = [[] for _ in range(judges)]
    for place, name in enumerate(names):
        for turn in range(a_cluster):
            order = random.permutation(len(own[name])).tolist()
            asked[(place * a_cluster + turn) % judges] += [own[name][index] for index in order]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    write_items(target / "items.jsonl", campaign.items)
    for judge, items in enumerate(asked, 1):
        if items:
            write_items(target / f"judge-{judge}.jsonl", items)
    texts = {item.item: item.after for item in campaign.items}
    write_records(
        target / "key.jsonl",
        (
            {
                "item": seal.item,
                "system": seal.system,
                "rank": seal.rank,
                "genre": seal.genre,
                **figures[seal.genre, texts[seal.item]],
            }
            for seal in campaign.key
        ),
    )
    questions = len(template_of(campaign.items).questions)
    return {
        "clusters": len(clusters),
        "items": len(campaign.items),
        "judges": sum(map(bool, asked)),
        "ratings": questions * sum(map(len, asked)),
    }


def sentence_bleu(text: str, references: Sequence[str]) -> float | None:
    """BLEU against the cluster, the proxy that the paper found wanting; None where sacreBLEU is not installed."""
    try:
        import sacrebleu
    except ImportError:
        return None
    return round(float(sacrebleu.sentence_bleu(text, list(references)).score), 3)


def read_judged(
    items: str | Path, ratings: Sequence[str | Path], key: str | Path
) -> tuple[list[ClusterRating], dict[str, dict[str, float]], list[str]]:
    """What judges said, with cluster and system of each; the key's figures by item; the clusters by rising size.

    Of each judge the last word counts. Where two systems made one sentence, its rating counts for both.
    """
    shown = read_items(items)
    given = [rating for path in ratings for rating in read_ratings(path)]
    check_ratings(shown, given)
    sealed = read_key(key)
    unknown = sorted({rating.item for rating in given} - {seal.item for seal in sealed})
    if unknown:
        raise InputError(
            f"the key does not know item {unknown[0]!r}", where=key, remedy="give the key of this campaign"
        )
    found = [
        ClusterRating(seal.genre, seal.system, seal.item, rater, question.name, float(value))
        for question in template_of(shown).questions
        for votes in [settle(given, question.name)]
        for seal in sealed
        for rater, value in sorted(votes.get(seal.item, {}).items())
    ]
    if not found:
        raise InputError("expected ratings, got none", remedy="let people rate first: paraphrast judge rate")
    figures = {str(record["item"]): _numbers(record) for _, record in read_records(key)}
    sizes = {item.item: item.before.count("\n") for item in shown}
    size = {seal.genre: sizes.get(seal.item, 0) for seal in sealed}
    return found, figures, sorted(size, key=lambda name: (size[name], name))


def _numbers(record: dict[str, Any]) -> dict[str, float]:
    """The automatic figures of a line of the key."""
    return {
        name: float(value)
        for name, value in record.items()
        if name != "rank" and isinstance(value, int | float) and not isinstance(value, bool)
    }
