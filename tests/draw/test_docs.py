"""The examples of the page run, and its pictures are what they draw."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def run_examples(page: str) -> dict[str, dict[str, Any]]:
    """Run the examples of a page, section by section; the names each section leaves."""
    left = {}
    for section in re.split(r"^## ", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        code = "\n".join(re.findall(r"```python\n(>>> .*?)```", section, flags=re.DOTALL))
        names: dict[str, Any] = {}
        test = doctest.DocTestParser().get_doctest(code, names, page, page, 0)
        report: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        left[section.splitlines()[0]] = test.globs
    return left


def test_the_page_and_its_pictures() -> None:
    sections = run_examples("draw.md")
    assert sections["The canvas"]["svg"].startswith("<svg")
    for section, name in (("Alignments", "alignment.svg"), ("Plots", "plot.svg")):
        drawn = sections[section]["picture"].to_svg()
        assert drawn == (DOCS / "images" / name).read_text(encoding="utf-8"), f"stale: {name}"
