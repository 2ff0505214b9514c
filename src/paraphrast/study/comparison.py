"""Systems that rewrite the same sentences now, for a rating campaign: models, each with options of its own.

A system is written ``NAME=MODEL,OPTION=VALUE,…``: ``bold=default,strength=0.8``. Options are those of
:class:`~paraphrast.model.control.Control`; the texts of a list are joined by ``+``: ``tables=pivot+wordnet``.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from paraphrast._options import OptionField, expected, from_mapping, options_of
from paraphrast.errors import InputError
from paraphrast.formats.outputs import SystemOutput
from paraphrast.judge.options import CampaignOptions
from paraphrast.model.control import Control

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser

#: Sentences that are rewritten at a time.
CHUNK = 64
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class System:
    """A model with options. given: the options that differ from the defaults, as they were written."""

    name: str
    model: str
    control: Control
    given: str = ""


@dataclass(frozen=True)
class Compared:
    """outputs: of all systems, for the same sentences. recipes: system → signature of its model and its options."""

    outputs: tuple[SystemOutput, ...]
    recipes: dict[str, str]
    sentences: int

    def answered(self, system: str) -> int:
        """Sentences for which a system has an output."""
        return len({output.source for output in self.outputs if output.system == system})


def read_system(text: str) -> System:
    """``NAME=MODEL,OPTION=VALUE,…`` as a system."""
    name, equals, rest = text.partition("=")
    model, *settings = rest.split(",")
    if not (name.strip() and equals and model.strip()):
        raise InputError(
            f"--system: expected NAME=MODEL or NAME=MODEL,OPTION=VALUE, got {text!r}",
            remedy="for example --system bold=default,strength=0.8",
        )
    entries = {entry.name: entry for entry in options_of(Control) if entry.name != "n"}  # --ranks sets it
    values: dict[str, Any] = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        option = option.strip().replace("-", "_")
        if option not in entries or not equals:
            raise InputError(
                f"--system {name.strip()}: expected OPTION=VALUE, got {setting!r}",
                remedy=f"the options are {', '.join(entries)}",
            )
        values[option] = _value(entries[option], value.strip(), name.strip())
    control = from_mapping(Control, values, place=f"--system {name.strip()}", all_options=True)
    return System(name.strip(), model.strip(), control, ",".join(settings))


def _value(entry: OptionField, text: str, system: str) -> Any:
    """The value of an option from its text, by its type."""
    kinds = [kind for kind in (typing.get_args(entry.hint) or (entry.hint,)) if kind is not type(None)]
    if any(typing.get_origin(kind) is tuple for kind in (entry.hint, *kinds)):
        return tuple(part for part in text.split("+") if part)
    (kind,) = kinds
    try:
        return _TRUTH[text] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise InputError(
            f"--system {system}: {entry.name}: expected {expected(entry)}, got {text!r}"
        ) from None


def compare(systems: Sequence[System], sentences: Sequence[str], options: CampaignOptions) -> Compared:
    """Let every system rewrite the same sentences.

    With ``options.inputs``, sentences are taken in random order until so many have an output that differs from them.
    """
    if len({system.name for system in systems}) < len(systems):
        raise InputError(
            "--system: expected a different name for every system", remedy="name each system NAME=MODEL"
        )
    texts = list(dict.fromkeys(text.strip() for text in sentences if text.strip()))
    if not texts:
        raise InputError("--sentences: expected at least one sentence, got none")
    if options.inputs:
        order = np.random.Generator(np.random.PCG64(options.seed)).permutation(len(texts))
        texts = [texts[place] for place in order.tolist()]
    models = _models(systems)
    outputs: list[SystemOutput] = []
    changed: set[str] = set()
    done = 0
    while done < len(texts) and not (options.inputs and len(changed) >= options.inputs):
        chunk = texts[done : done + CHUNK]
        for system in systems:
            control = replace(system.control, n=options.ranks)
            for text, results in zip(
                chunk, models[system.model].paraphrase_many(chunk, control), strict=True
            ):
                for rank, result in enumerate(results, 1):
                    outputs.append(SystemOutput(text, result.text, system.name, rank))
                    if result.text != text:
                        changed.add(text)
        done += len(chunk)
    kept = set([text for text in texts if text in changed][: options.inputs or None])
    recipes = {
        system.name: "|".join(filter(None, (models[system.model].signature, system.given)))
        for system in systems
    }
    return Compared(tuple(output for output in outputs if output.source in kept), recipes, len(kept))


def _models(systems: Sequence[System]) -> dict[str, Paraphraser]:
    """Each model, loaded once."""
    from paraphrast.model import load

    return {model: load(model) for model in dict.fromkeys(system.model for system in systems)}
