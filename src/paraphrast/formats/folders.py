"""Output folders: which existing ones may be replaced, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

from paraphrast.errors import InputError
from paraphrast.formats.files import write_errors


def check_folder_output(target: Path, force: bool, *, foreign: Callable[[Path], str | None]) -> None:
    """Raise an error if the output folder already exists, before any work is done.

    With ``force``, a folder of the same kind may be replaced: one that is empty, or for which ``foreign`` finds no
    reason against it. Other data is never deleted because of a typing error.
    """
    with write_errors(target):
        if not os.path.lexists(target):
            return
        if not force:
            raise InputError(
                "the output already exists",
                where=target,
                remedy="choose another name, or use --force to replace it",
            )
        if not target.is_dir():
            raise InputError("expected a folder to write, got a file", where=target)
        reason = foreign(target) if any(target.iterdir()) else None
        if reason:
            raise InputError(
                f"this folder is not replaced: {reason}",
                where=target,
                remedy="choose another name, or move its contents",
            )


def unknown_files(folder: Path, known: Collection[str]) -> str | None:
    """A reason not to replace a folder, if it has files (paths with ``/``) that are not ``known``."""
    unknown = sorted(name for name in files_of(folder) if name not in known)
    return f"it contains {unknown[0]}, which is not part of it" if unknown else None


def files_of(folder: Path) -> list[str]:
    """The paths of all files of a folder, with ``/``, in order. Links are not followed, and are files here."""
    names = []
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        names += [(Path(place) / name).relative_to(folder).as_posix() for name in [*files, *links]]
    return sorted(names)
