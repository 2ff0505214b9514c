"""Run stages in order and store each finished one, so that a training run can be resumed.

A stage writes into its folder under a temporary name, which is renamed when the stage ends. The folder's ``stage.json``
has the signature of its inputs: options, versions, the code of the stage, and the signatures of the stages that it
reads. A later run reuses a folder with the same signature and computes all others again, so an interrupted stage is
never trusted or partly read.
"""

from __future__ import annotations

import inspect
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from paraphrast._version import __version__
from paraphrast.formats.files import write_errors
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.signature import signature_of
from paraphrast.training.code_version import code_hash
from paraphrast.training.recipe import Recipe, Resources

#: Called within a stage: work done, total work, unit.
Step = Callable[[float, float, str], None]
#: The function of a stage: gets the recipe, the resources, the work folder, the folder to write into and a progress
#: callback; returns a note for the user.
Body = Callable[[Recipe, Resources, Path, Path, Step], str]
#: The file that marks a stage's folder as complete.
STAGE_FILE = "stage.json"
#: The signatures of all stages of the latest run, in the work folder.
SIGNATURES_FILE = "signatures.json"


class Progress(Protocol):
    """Receives the progress of a training run."""

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins (or is reused)."""

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""


class Silent:
    """Progress without output."""

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """Nothing."""

    def step(self, done: float, total: float, unit: str) -> None:
        """Nothing."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Stage:
    """One row of the list of stages.

    reads: names of the stages whose results it uses; stages that the configuration does not need are ignored. options:
    everything else that determines its bytes. wanted: whether the configuration needs the stage.
    """

    name: str
    title: str
    body: Body
    reads: tuple[str, ...] = ()
    options: Any = None
    wanted: bool = True

    def code(self) -> str:
        """The hash of the code of the stage."""
        body = self.body.func if isinstance(self.body, partial) else self.body
        return code_hash(Path(inspect.getfile(body)))


def stages_for(goal: str, stages: Sequence[Stage]) -> list[Stage]:
    """The wanted stages that ``goal`` needs, including itself, in order."""
    needed = {goal}
    for stage in reversed(stages):
        if stage.name in needed:
            needed.update(stage.reads)
    return [stage for stage in stages if stage.wanted and stage.name in needed]


def run_stages(
    stages: Sequence[Stage], recipe: Recipe, resources: Resources, work: Path, progress: Progress
) -> None:
    """Run or reuse every stage in order, in folders of ``work``."""
    all_signatures = signatures_of(stages, recipe)
    signatures: dict[str, str] = {}
    with write_errors(work):
        work.mkdir(parents=True, exist_ok=True)
    for number, stage in enumerate(stages, 1):
        signature = all_signatures[stage.name]
        folder = work / stage.name
        reused = _is_whole(folder, signature)
        progress.stage(number, len(stages), stage.name, stage.title, reused)
        if not reused:
            with write_errors(work):
                (work / SIGNATURES_FILE).write_text(json.dumps(signatures))
            began = time.monotonic()
            note = _run(stage, signature, recipe, resources, work, progress.step)
            progress.ended(stage.name, time.monotonic() - began, note)
        signatures[stage.name] = signature


def signatures_of(stages: Sequence[Stage], recipe: Recipe) -> dict[str, str]:
    """The signature of every stage, by name, in order."""
    base = {"version": __version__, "language": recipe.config.language, "skip_bad": recipe.skip_bad}
    signatures: dict[str, str] = {}
    for stage in stages:
        before = [signatures[name] for name in stage.reads if name in signatures]
        signatures[stage.name] = signature_of(
            [stage.name, {**base, "options": stage.options}, stage.code(), before]
        )
    return signatures


def stage_signatures(work: Path) -> dict[str, str]:
    """The signatures of the stages before the running one, by name, in order."""
    signatures: dict[str, str] = parse_json((work / SIGNATURES_FILE).read_text())
    return signatures


def _run(stage: Stage, signature: str, recipe: Recipe, resources: Resources, work: Path, step: Step) -> str:
    folder, temporary = work / stage.name, work / f".{stage.name}.tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    with write_errors(temporary):
        temporary.mkdir()
        note = stage.body(recipe, resources, work, temporary, step)
        (temporary / STAGE_FILE).write_text(json.dumps({"signature": signature, "note": note}))
        os.replace(temporary, folder)
    return note


def _is_whole(folder: Path, signature: str) -> bool:
    try:
        record = parse_json((folder / STAGE_FILE).read_text())
    except (OSError, ValueError):
        return False
    return isinstance(record, dict) and record.get("signature") == signature
