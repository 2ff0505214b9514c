"""The examples of the page run, and it names every template."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from paraphrast.judge import TEMPLATES

PAGE = Path(__file__).parents[2] / "docs" / "judge.md"


def test_examples_run() -> None:
    code = "\n".join(
        re.findall(r"```python\n(>>> .*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    )
    test = doctest.DocTestParser().get_doctest(code, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 5
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_every_template_is_named() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in TEMPLATES if f"| `{name}` |" not in page] == []
