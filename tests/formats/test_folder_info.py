"""What a saved folder says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.errors import ModelError
from paraphrast.formats.folder_info import FolderKind

KIND = FolderKind("a saved kite", "kite.json", "paraphrast kite", 2, "make it again")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    KIND.write(tmp_path, tail=[1, 2])
    assert KIND.read(tmp_path) == {"format": "paraphrast kite", "version": 2, "tail": [1, 2]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "expected a folder with kite.json, got none"),
        ("{", "cannot be read"),
        ("[]", "expected a saved kite, got something else"),
        (json.dumps({"format": "paraphrast boat", "version": 2}), "expected a saved kite"),
        (json.dumps({"format": "paraphrast kite", "version": 3}), "expected a saved kite of format 2, got 3"),
    ],
)
def test_other_folders_are_refused(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "kite.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=message) as told:
        KIND.read(tmp_path)
    assert str(tmp_path) in str(told.value)
