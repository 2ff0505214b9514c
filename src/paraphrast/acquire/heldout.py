"""Clusters held out for annotation (Quirk et al. 2004, §3.2): pairs of medium distance, from whole clusters that
training never sees."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from paraphrast.acquire.options import HoldOutOptions, PairOptions
from paraphrast.acquire.pairs import SentencePair, find_pairs
from paraphrast.engine import Engine
from paraphrast.formats.articles import Article


def hold_out(
    articles: Sequence[Article],
    groups: Sequence[tuple[int, int]],
    engine: Engine,
    options: HoldOutOptions | None = None,
    *,
    language: str = "en",
    pair_options: PairOptions | None = None,
) -> tuple[list[tuple[int, int]], list[SentencePair]]:
    """The remaining groups, and the pairs sampled from held-out groups.

    Groups that share an article with a held-out group are held out too, so that no article is on both sides.
    """
    options = options or HoldOutOptions()
    names = sorted({group for group, _ in groups})
    chance = random.Random(options.seed)
    kept_back = set(chance.sample(names, max(1, round(options.share * len(names))) if names else 0))
    touched = {article for group, article in groups if group in kept_back}
    kept_back |= {group for group, article in groups if article in touched}
    touched = {article for group, article in groups if group in kept_back}
    remaining = [
        (group, article) for group, article in groups if group not in kept_back and article not in touched
    ]
    chosen = replace(pair_options or PairOptions(), method="distance", cutoff=options.high)
    held = [(group, article) for group, article in groups if group in kept_back]
    pairs = [
        pair
        for pair in find_pairs(articles, held, engine, chosen, language=language)
        if pair.distance >= options.low
    ]
    places = sorted(chance.sample(range(len(pairs)), min(options.pairs, len(pairs))))
    return remaining, [pairs[place] for place in places]
