"""Names resolve when used, and unknown ones are told."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.registry import Registry


def test_a_name_is_resolved_when_used() -> None:
    registry = Registry("thing", {"path": "pathlib:Path", "broken": "no_such_module:Thing"})
    from pathlib import Path

    assert registry.get("path") is Path
    assert "broken" in registry
    assert list(registry) == ["broken", "path"]
    with pytest.raises(ModuleNotFoundError):
        registry.get("broken")
    registry.register("counter", "collections:Counter")
    assert registry.get("counter")("aab")["a"] == 2


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown thing 'nonsense'\n  known: path"):
        Registry("thing", {"path": "pathlib:Path"}).get("nonsense")
