"""A campaign: outputs of several systems, sampled, shuffled and blinded, so that raters do not know the systems.

Quirk et al. (2004, §4): raters "were presented with an input sentence and an output paraphrase from each system in
random order to prevent bias toward any particular judgment". Here inputs are sampled, not outputs, so that all systems
are judged on the same inputs. An output that several systems share is judged once and counts for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.formats.outputs import SystemOutput
from paraphrast.formats.ratings import Item, Sealed
from paraphrast.judge.options import CampaignOptions

#: Letters of an item's id, without letters that are easily confused.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class Campaign:
    """items: what raters see, in order. key: the system of each item."""

    items: tuple[Item, ...]
    key: tuple[Sealed, ...]


def new_campaign(outputs: Sequence[SystemOutput], options: CampaignOptions | None = None) -> Campaign:
    """Sample inputs, take the best outputs of each system, merge equal ones, shuffle, and assign random ids."""
    options = options or CampaignOptions()
    if not outputs:
        raise InputError("expected outputs to judge, got none")
    if not all(output.system for output in outputs):
        raise InputError("expected every output to name its system", remedy="give files as NAME=FILE")
    generator = np.random.Generator(np.random.PCG64(options.seed))
    chosen = _sample(outputs, options, generator)
    merged: dict[tuple[str, str, str], list[SystemOutput]] = {}
    for output in outputs:
        place = (output.context, output.source)
        if place in chosen and output.rank <= options.ranks:
            if output.text == output.source and not options.verbatim:
                continue
            merged.setdefault((*place, output.text), []).append(output)
    if not merged:
        raise InputError("none of the outputs differs from its input: there is nothing to judge")
    order = generator.permutation(len(merged)).tolist()
    ids = _ids(len(merged), generator)
    groups = list(merged.items())
    items, key = [], []
    for name, place in zip(ids, order, strict=True):
        (context, source, text), makers = groups[place]
        items.append(Item(name, options.template, source, text, context))
        key += [Sealed(name, maker.system, maker.rank, maker.genre) for maker in makers]
    # The key is sorted by id, so its order reveals no more than that of the items.
    return Campaign(tuple(items), tuple(sorted(key, key=lambda seal: (seal.item, seal.system, seal.rank))))


def _sample(
    outputs: Sequence[SystemOutput], options: CampaignOptions, generator: np.random.Generator
) -> set[tuple[str, str]]:
    """The inputs to judge, as (context, source)."""
    genres: dict[str, dict[tuple[str, str], None]] = {}
    for output in outputs:
        genre = output.genre if options.per_genre else ""
        genres.setdefault(genre, {})[output.context, output.source] = None
    chosen: set[tuple[str, str]] = set()
    for number, genre in enumerate(sorted(genres)):
        places = list(genres[genre])
        # With 100 inputs and three genres, the first genre gets 34.
        genre_inputs = options.inputs // len(genres) + (number < options.inputs % len(genres))
        if options.inputs and genre_inputs < len(places):
            places = [places[at] for at in generator.permutation(len(places))[:genre_inputs].tolist()]
        chosen.update(places)
    return chosen


def _ids(count: int, generator: np.random.Generator) -> list[str]:
    """Distinct random ids."""
    width = 5
    while len(_LETTERS) ** width < 1000 * count:
        width += 1
    ids: dict[str, None] = {}
    while len(ids) < count:
        drawn = generator.integers(0, len(_LETTERS), width).tolist()
        ids["".join(_LETTERS[letter] for letter in drawn)] = None
    return list(ids)
