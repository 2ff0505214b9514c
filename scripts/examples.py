"""Write the outputs of examples/ into docs/examples.md; with --check, exit 1 when one differs (`make docs`).

`<!-- output NAME -->` … `<!-- end output -->` holds what examples/NAME.py prints with its defaults.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "examples.md"
_BLOCK = re.compile(r"(<!-- output (\w+) -->\n).*?(<!-- end output -->)", re.DOTALL)


def shown(text: str) -> dict[str, str]:
    """The outputs on the page, by example."""
    return {match[2]: match[0] for match in _BLOCK.finditer(text)}


def block(name: str, output: str) -> str:
    """The part of the page with an output."""
    return f"<!-- output {name} -->\n```text\n{output.rstrip()}\n```\n<!-- end output -->"


def output_of(name: str) -> str:
    """What an example prints with its defaults."""
    spec = spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"examples/{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    run: Callable[..., int] = module.main
    output = io.StringIO()
    # As after a base install: no parser and no language model that was fetched on this machine.
    with (
        mock.patch("paraphrast.data.is_cached", return_value=False),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        code = run([])
    if code:
        raise RuntimeError(f"examples/{name}.py: exit code {code}")
    return output.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or say which outputs differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when an output differs")
    check = parser.parse_args(arguments).check
    text = PAGE.read_text(encoding="utf-8")
    stale = []
    for name, old in shown(text).items():
        new = block(name, output_of(name))
        if new != old:
            stale.append(name)
            text = text.replace(old, new)
    if not check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    for name in stale:
        print(f"examples/{name}.py: {'stale; run make docs' if check else 'output written'}", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
