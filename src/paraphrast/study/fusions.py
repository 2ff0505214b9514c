"""Judging of fused sentences: new sentences of all versions as a rating campaign, and its results.

A campaign of ``judge`` with the template ``grammar-fidelity`` (section 4.2 of Shen and others 2006). The input of an
item is the whole cluster, so that judges see the originals; its genre, in the key, is the name of the cluster. Beside
the system, the key has automatic figures of the sentence: language model, content, BLEU.
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
    for cluster, prepared_cluster in zip(clusters, prepared, strict=True):
        view = lm_view(prepared_cluster.cluster, lm)
        source = "\n".join(f"{number}. {text}" for number, text in enumerate(cluster.sentences, 1))
        for name, version in VERSIONS.items():
            if version.syntactic and prepared_cluster.cluster.syntax is None:
                continue
            sentences = fuse_prepared(
                prepared_cluster, n, version=version, method="random", seed=seed
            ).sentences
            likely = grammaticality(
                [sentence.words for sentence in sentences], prepared_cluster.cluster, view
            )
            for rank, (sentence, value) in enumerate(zip(sentences, likely, strict=True), 1):
                outputs.append(SystemOutput(source, sentence.text, name, rank, cluster.name, cluster.name))
                figures_of_sentence = {
                    "lm": round(value, 4),
                    "content": round(fidelity(sentence.words, prepared_cluster.cluster), 4),
                }
                bleu = sentence_bleu(sentence.text, cluster.sentences)
                figures[cluster.name, sentence.text] = (
                    figures_of_sentence if bleu is None else {**figures_of_sentence, "bleu": bleu}
                )
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

    Every cluster goes to ``a_cluster`` of the judges, in turn, with its sentences shuffled for each. A sentence that
    two versions wrote is judged once, and its key names both. Returns the numbers of each kind.
    """
    if not 1 <= a_cluster <= judges:
        raise InputError(f"expected 1 to {judges} judges per cluster, got {a_cluster}")
    names = [cluster.name for cluster in clusters]
    if len(set(names)) != len(names):
        raise InputError("expected clusters with distinct names")
    outputs, figures = versions_of(clusters, prepared, lm=lm, n=n, seed=seed)
    campaign = new_campaign(outputs, CampaignOptions(template=TEMPLATE, ranks=n, seed=seed))
    items_of_cluster: dict[str, list[Item]] = {name: [] for name in names}
    for item in campaign.items:
        items_of_cluster[item.context].append(item)
    random = np.random.default_rng(seed)
    items_of_judge: list[list[Item]] = [[] for _ in range(judges)]
    for place, name in enumerate(names):
        for turn in range(a_cluster):
            order = random.permutation(len(items_of_cluster[name])).tolist()
            items_of_judge[(place * a_cluster + turn) % judges] += [
                items_of_cluster[name][index] for index in order
            ]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    write_items(target / "items.jsonl", campaign.items)
    for judge, items in enumerate(items_of_judge, 1):
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
        "judges": sum(map(bool, items_of_judge)),
        "ratings": questions * sum(map(len, items_of_judge)),
    }


def sentence_bleu(text: str, references: Sequence[str]) -> float | None:
    """BLEU against the cluster, the proxy that did not work in the paper; None if sacreBLEU is not installed."""
    try:
        import sacrebleu
    except ImportError:
        return None
    return round(float(sacrebleu.sentence_bleu(text, list(references)).score), 3)


def read_judged(
    items: str | Path, ratings: Sequence[str | Path], key: str | Path
) -> tuple[list[ClusterRating], dict[str, dict[str, float]], list[str]]:
    """Ratings with the cluster and system of each, the figures of the key by item, and the clusters by ascending size.

    The last rating of each judge counts. If two systems wrote one sentence, its rating counts for both.
    """
    shown = read_items(items)
    all_ratings = [rating for path in ratings for rating in read_ratings(path)]
    check_ratings(shown, all_ratings)
    sealed = read_key(key)
    unknown = sorted({rating.item for rating in all_ratings} - {seal.item for seal in sealed})
    if unknown:
        raise InputError(
            f"the key does not know item {unknown[0]!r}", where=key, remedy="give the key of this campaign"
        )
    judged = [
        ClusterRating(seal.genre, seal.system, seal.item, rater, question.name, float(value))
        for question in template_of(shown).questions
        for votes in [settle(all_ratings, question.name)]
        for seal in sealed
        for rater, value in sorted(votes.get(seal.item, {}).items())
    ]
    if not judged:
        raise InputError("expected ratings, got none", remedy="collect ratings first: paraphrast judge rate")
    figures = {str(record["item"]): _numbers(record) for _, record in read_records(key)}
    sizes = {item.item: item.before.count("\n") for item in shown}
    size = {seal.genre: sizes.get(seal.item, 0) for seal in sealed}
    return judged, figures, sorted(size, key=lambda name: (size[name], name))


def _numbers(record: dict[str, Any]) -> dict[str, float]:
    """The automatic figures of a line of the key."""
    return {
        name: float(value)
        for name, value in record.items()
        if name != "rank" and isinstance(value, int | float) and not isinstance(value, bool)
    }
