"""The examples of docs/text.md and of the room's docstrings are true."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import pytest

import paraphrast.text  # noqa: F401

PAGE = Path(__file__).parents[2] / "docs" / "text.md"


def test_page(tmp_path: Path) -> None:
    # doctest would take the closing fence for output.
    examples = tmp_path / "text.md"
    examples.write_text(PAGE.read_text(encoding="utf-8").replace("```", ""), encoding="utf-8")
    result = doctest.testfile(str(examples), module_relative=False, encoding="utf-8")
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("name", ["split", "tokenise", "casing"])
def test_docstrings(name: str) -> None:
    result = doctest.testmod(sys.modules[f"paraphrast.text.{name}"])
    assert result.attempted > 0
    assert result.failed == 0
