"""The papers by name: their printed contents, and the module that makes each item."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module, resources
from typing import Any

from paraphrast.errors import InputError
from paraphrast.reproduce.records import Maker, Paper, Printed

#: Paper → the dict of its makers, by item.
MAKERS = {
    "quirk-2004": "paraphrast.reproduce.quirk:MAKERS",
    "shen-2006": "paraphrast.reproduce.shen:MAKERS",
    "owczarzak-2006": "paraphrast.reproduce.owczarzak:MAKERS",
    "martzoukos-monz-2012": "paraphrast.reproduce.martzoukos_monz:MAKERS",
    "zhao-2008": "paraphrast.reproduce.zhao:MAKERS",
}


def papers_of(name: str) -> tuple[str, ...]:
    """The papers that a name means: itself, or all."""
    if name == "all":
        return tuple(MAKERS)
    if name not in MAKERS:
        raise InputError(f"unknown paper {name!r}", remedy=f"known: all, {', '.join(MAKERS)}")
    return (name,)


def read_paper(name: str) -> Paper:
    """What a paper prints."""
    text = resources.files("paraphrast.reproduce").joinpath("contents", f"{name}.toml").read_text("utf-8")
    content = tomllib.loads(text)
    items = []
    for record in content["item"]:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in record.items()
            if key != "rows"
        }
        rows = tuple(tuple(row) for row in record.get("rows", ()))
        items.append(Printed(**fields, rows=rows))
    return Paper(name, content["citation"], tuple(items))


def makers_of(name: str) -> Mapping[str, Maker]:
    """Item → the function that makes it."""
    module, _, attribute = MAKERS[name].partition(":")
    makers: Mapping[str, Maker] = getattr(import_module(module), attribute)
    return makers


def chosen_items(paper: Paper, wanted: str | None) -> tuple[Printed, ...]:
    """All items, or one: ``3`` or ``table-3`` is table 3, ``figure-2`` figure 2."""
    if wanted is None:
        return paper.items
    name = f"table-{wanted}" if wanted.isdigit() else wanted
    found = tuple(item for item in paper.items if item.id == name)
    if not found:
        known = ", ".join(item.id for item in paper.items)
        raise InputError(f"{paper.name} has no item {wanted!r}", remedy=f"known: {known}")
    return found
