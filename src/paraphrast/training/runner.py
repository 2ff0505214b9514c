"""Stages in order, each kept when whole: what makes a training run resumable.

A stage writes into a folder of its own under a temporary name, which is renamed when the stage ends. The
folder's ``stage.json`` holds the signature of what went in: options, versions, and the signatures of the
stages it builds on. A later run keeps a folder whose signature is the same and makes anew any other, so an
interrupted stage is never trusted and never half read.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from paraphrast.formats.files import write_errors
from paraphrast.formats.signature import signature_of

#: Called within a stage: work done, work in all, what is counted.
Step = Callable[[float, float, str], None]
#: The record that makes a stage's folder whole.
STAGE_FILE = "stage.json"


class Progress(Protocol):
    """Who watches a training run."""

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins (or is reused)."""

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""


class Silent:
    """A progress that says nothing."""

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """Nothing."""

    def step(self, done: float, total: float, unit: str) -> None:
        """Nothing."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline.

    run: gets the folder to write into and a progress callback; returns a note for a person.
    after: names of the stages it reads. recipe: everything else that decides its bytes.
    """

    name: str
    title: str
    run: Callable[[Path, Step], str]
    after: tuple[str, ...]
    recipe: dict[str, Any]


def run_stages(stages: Sequence[Stage], work: Path, progress: Progress) -> dict[str, str]:
    """Run or reuse every stage in order; the signature of each by name."""
    signatures: dict[str, str] = {}
    with write_errors(work):
        work.mkdir(parents=True, exist_ok=True)
    for number, stage in enumerate(stages, 1):
        signature = signature_of([stage.name, stage.recipe, [signatures[name] for name in stage.after]])
        signatures[stage.name] = signature
        folder = work / stage.name
        reused = _is_whole(folder, signature)
        progress.stage(number, len(stages), stage.name, stage.title, reused)
        if reused:
            continue
        began = time.monotonic()
        temporary = work / f".{stage.name}.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
        with write_errors(temporary):
            temporary.mkdir()
            note = stage.run(temporary, progress.step)
            (temporary / STAGE_FILE).write_text(json.dumps({"signature": signature, "note": note}))
            os.replace(temporary, folder)
        progress.ended(stage.name, time.monotonic() - began, note)
    return signatures


def _is_whole(folder: Path, signature: str) -> bool:
    try:
        record = json.loads((folder / STAGE_FILE).read_text())
    except (OSError, ValueError):
        return False
    return isinstance(record, dict) and record.get("signature") == signature
