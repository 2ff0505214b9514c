"""The examples of the page run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "evaluate.md"


def test_examples_run() -> None:
    code = "\n".join(
        re.findall(r"```python\n(>>> .*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    )
    test = doctest.DocTestParser().get_doctest(code, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 10
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)
