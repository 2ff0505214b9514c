"""The files of a campaign, as ``judge report`` and ``evaluate phrases``, ``sentences`` and ``clusters`` read them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from paraphrast.campaign.state import State
from paraphrast.formats.files import atomic_write
from paraphrast.judge.own_templates import to_toml
from paraphrast.judge.report import labelled

TEMPLATE_FILE = "template.toml"


def items_file(state: State) -> str:
    """What raters saw. A template of one's own is the file ``template.toml`` of the same folder."""
    own = state.template.name.endswith(".toml")
    return _lines(
        {
            "item": item.item,
            "template": TEMPLATE_FILE if own else item.template,
            "before": item.before,
            "after": item.after,
            "context": item.context,
        }
        for item in state.items
    )


def key_file(state: State) -> str:
    """The system of each item, with the further fields of the key."""
    return _lines(
        {"item": seal.item, "system": seal.system, "rank": seal.rank, "genre": seal.genre, **more}
        for seal, more in zip(state.key, state.more, strict=True)
    )


def ratings_file(state: State) -> str:
    """All ratings, and the settlements as the last pass."""
    return _lines(rating.to_dict() for rating in state.all_ratings)


def labelled_file(state: State) -> str:
    """Outputs with systems and labels."""
    outputs = labelled(state.items, state.key, state.all_ratings, template=state.template)
    return _lines(output.to_dict() for output in outputs)


def table_file(state: State) -> str:
    """One rating per line, with its text and systems, for spreadsheets."""
    systems: dict[str, list[str]] = {}
    for seal in state.key:
        systems.setdefault(seal.item, []).append(seal.system)
    shown = {item.item: item for item in state.items}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["item", "systems", "rater", "question", "value", "pass", "before", "after", "context"])
    for rating in state.all_ratings:
        item = shown[rating.item]
        writer.writerow(
            [
                rating.item,
                " ".join(sorted(set(systems[rating.item]))),
                rating.rater,
                rating.question,
                rating.value,
                rating.round,
                item.before,
                item.after,
                item.context,
            ]
        )
    return stream.getvalue()


def raters_file(state: State) -> str:
    """Progress and gold items of each rater."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["rater", "rated", "reviewed", "gold_right", "gold"])
    for rater in state.raters:
        writer.writerow([rater.name, rater.done, rater.reviewed, rater.gold_right, rater.gold])
    return stream.getvalue()


#: Name → its text.
FILES: dict[str, Callable[[State], str]] = {
    "items.jsonl": items_file,
    "key.jsonl": key_file,
    "ratings.jsonl": ratings_file,
    "labelled.jsonl": labelled_file,
    "ratings.csv": table_file,
    "raters.csv": raters_file,
    TEMPLATE_FILE: lambda state: to_toml(state.template),
}


def write_folder(state: State, folder: str | Path) -> list[Path]:
    """Write all files into a folder, each complete or not at all."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, make in FILES.items():
        with atomic_write(target / name) as stream:
            stream.write(make(state))
        paths.append(target / name)
    return paths


def archive(state: State) -> bytes:
    """All files as a ZIP archive: the same campaign gives the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, make in FILES.items():
            target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), make(state))
    return stream.getvalue()


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
