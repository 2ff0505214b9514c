"""The JSON file that describes a saved folder, with one reader for all kinds of folders."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import ModelError
from paraphrast.formats.json_text import parse_json


@dataclass(frozen=True)
class FolderKind:
    """A kind of saved folder.

    what: its name in messages, such as "an aligner"; file: the JSON file; format, version: required values in that
    file; remedy: what to do if it is missing or damaged.
    """

    what: str
    file: str
    format: str
    version: int
    remedy: str

    def write(self, folder: Path, **more: Any) -> None:
        """Write the file into a folder: format and version, then ``more``."""
        text = json.dumps({"format": self.format, "version": self.version, **more}, indent=1)
        (folder / self.file).write_text(text + "\n", encoding="utf-8")

    def read(self, folder: Path) -> dict[str, Any]:
        """The content of the file. An error if the folder is of another kind or version."""
        path = folder / self.file
        if not path.is_file():
            raise ModelError(
                f"expected a folder with {self.file}, got none", where=folder, remedy=self.remedy
            )
        try:
            info = parse_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"cannot be read: {error}", where=path, remedy=self.remedy) from error
        if not isinstance(info, dict) or info.get("format") != self.format:
            raise ModelError(f"expected {self.what}, got something else", where=path, remedy=self.remedy)
        if info.get("version") != self.version:
            raise ModelError(
                f"expected {self.what} of format {self.version}, got {info.get('version')!r}",
                where=path,
                remedy="use the version of paraphrast that wrote it, or create it again",
            )
        return info
