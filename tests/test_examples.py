"""Every example runs, and prints what docs/examples.md shows."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def _script() -> ModuleType:
    spec = spec_from_file_location("examples_script", ROOT / "scripts" / "examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


def _plain(text: str) -> str:
    """Text with one decimal less where numbers may differ between processors."""
    return re.sub(r"(\d\.\d{2})\d", r"\1", text)


@pytest.mark.parametrize("name", NAMES)
def test_output_is_that_of_the_page(name: str) -> None:
    script = _script()
    shown = script.shown(script.PAGE.read_text(encoding="utf-8"))
    assert _plain(script.block(name, script.output_of(name))) == _plain(shown[name]), "run `make docs`"


def test_every_example_is_on_the_page() -> None:
    script = _script()
    assert sorted(script.shown(script.PAGE.read_text(encoding="utf-8"))) == NAMES


def test_a_stale_output_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = _script()
    page = tmp_path / "examples.md"
    page.write_text("# A\n\n<!-- output one -->\nold\n<!-- end output -->\n\nText\n", encoding="utf-8")
    monkeypatch.setattr(script, "PAGE", page)
    monkeypatch.setattr(script, "output_of", lambda name: f"{name}: new\n")
    assert script.main(["--check"]) == 1
    assert "one.py: stale" in capsys.readouterr().err
    assert script.main([]) == 0
    assert script.main(["--check"]) == 0
    assert "<!-- output one -->\n```text\none: new\n```\n<!-- end output -->" in page.read_text(
        encoding="utf-8"
    )
