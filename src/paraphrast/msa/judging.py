"""Blank files for judges: grammaticality and fidelity from 1 to 4, versions shuffled and unmarked (section 4.2).

- ``originals.jsonl``: a cluster a line, ``{cluster, sentences}``, for judges to have in view;
- ``JUDGE.jsonl``, one a judge: a line a question, ``{item, cluster, text, rater, question, scale, value}``, value null;
- ``key.jsonl``: ``{item, cluster, text, system}`` and automatic figures; not for judges.

Filled files and the key are what ``paraphrast evaluate clusters`` reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.errors import InputError
from paraphrast.formats.files import atomic_write

QUESTIONS = ("grammaticality", "fidelity")
SCALE = {
    4: "perfect: fully grammatical, or faithful",
    3: "good: occasional errors, or quite faithful",
    2: "bad: many errors, or unfaithful pieces",
    1: "nonsense",
}


@dataclass(frozen=True)
class JudgedCluster:
    """A cluster to judge: its sentences, and for every system (version) what it made, with figures if any."""

    name: str
    originals: tuple[str, ...]
    made: Mapping[str, Sequence[str]]
    figures: Mapping[tuple[str, str], Mapping[str, float | None]] = field(default_factory=dict)


def write_judging(
    folder: str | Path,
    clusters: Sequence[JudgedCluster],
    *,
    judges: int = 6,
    a_cluster: int = 3,
    seed: int = 0,
) -> dict[str, int]:
    """Write the files; every cluster goes to ``a_cluster`` of the judges, in turn. Returns how many of what.

    A sentence that two systems made is judged once, and its key names both.
    """
    if not 1 <= a_cluster <= judges:
        raise InputError(f"expected 1 to {judges} judges a cluster, got {a_cluster}")
    names = [cluster.name for cluster in clusters]
    if len(set(names)) != len(names):
        raise InputError("expected clusters with names of their own")
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    key: list[dict[str, Any]] = []
    lines: dict[int, list[dict[str, Any]]] = {judge: [] for judge in range(judges)}
    random = np.random.default_rng(seed)
    for place, cluster in enumerate(clusters):
        made: dict[str, list[str]] = {}
        for system, texts in cluster.made.items():
            for text in texts:
                made.setdefault(text, []).append(system)
        items = [(_item(cluster.name, text), text) for text in made]
        for item, text in sorted(items):
            for system in made[text]:
                figures = cluster.figures.get((system, text), {})
                key.append({"item": item, "cluster": cluster.name, "system": system, "text": text, **figures})
        for turn in range(a_cluster):
            judge = (place * a_cluster + turn) % judges
            for index in random.permutation(len(items)).tolist():
                item, text = items[index]
                lines[judge] += [
                    {
                        "item": item,
                        "cluster": cluster.name,
                        "text": text,
                        "rater": f"judge-{judge + 1}",
                        "question": question,
                        "scale": [1, 4],
                        "value": None,
                    }
                    for question in QUESTIONS
                ]
    _write(target / "key.jsonl", key)
    _write(
        target / "originals.jsonl",
        [{"cluster": cluster.name, "sentences": list(cluster.originals)} for cluster in clusters],
    )
    for judge, rows in lines.items():
        if rows:
            _write(target / f"judge-{judge + 1}.jsonl", rows)
    return {
        "clusters": len(clusters),
        "items": len({row["item"] for row in key}),
        "judges": sum(bool(rows) for rows in lines.values()),
        "ratings": sum(map(len, lines.values())),
    }


def _item(cluster: str, text: str) -> str:
    """A name that says nothing of the system."""
    return hashlib.sha256(f"{cluster}\t{text}".encode()).hexdigest()[:12]


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    with atomic_write(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
