"""The commands and Python examples of the documentation, and a runner for them.

As a script, it runs examples in the Python that starts it: ``python docs_blocks.py JOBS.json RESULTS.json``. Only the
standard library and the installed package are needed, so the Python of an installed wheel can run it. All commands of
a page run in one process, because starting Python and loading compiled code would take most of the time.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, NamedTuple

_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A command line or a Python block of a page. kind: shell, python or doctest."""

    page: str
    line: int
    kind: str
    code: str


def examples(page: str, text: str) -> list[Example]:
    """The examples of a page, in order."""
    found: list[Example] = []
    for match in _BLOCK.finditer(text):
        _, language, body = match.groups()
        line = text.count("\n", 0, match.start()) + 2
        if language == "python":
            found.append(
                Example(page, line, "doctest" if body.lstrip().startswith(">>>") else "python", body)
            )
        elif language in ("", "text", "sh", "bash"):
            found += _commands(page, line, body, all_lines=language in ("sh", "bash"))
    return found


def _commands(page: str, begin: int, body: str, *, all_lines: bool) -> list[Example]:
    """The commands of a block: lines after ``$``; without any, all lines (or those that call paraphrast)."""
    rows = [(number, row.strip()) for number, row in enumerate(body.split("\n"), begin)]
    if any(row.startswith("$ ") for _, row in rows):
        rows = [
            (number, row.removeprefix("$ "))
            for index, (number, row) in enumerate(rows)
            if row.startswith("$ ") or (index and rows[index - 1][1].endswith("\\"))
        ]
    elif not all_lines:
        rows = [(number, row) for number, row in rows if row.startswith("paraphrast ")]
    found: list[Example] = []
    for number, row in rows:
        if found and found[-1].code.endswith("\\"):
            found[-1] = found[-1]._replace(code=f"{found[-1].code[:-1].rstrip()} {row}")
        elif row and not row.startswith("#"):
            found.append(Example(page, number, "shell", row))
    return [each._replace(code=re.split(r"\s#\s", each.code)[0].strip()) for each in found]


def run_shell(line: str) -> None:
    """Run a command line of pipes, ``&&`` and ``>``; ``paraphrast`` in this process, anything else as a program."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&>")
    lexer.whitespace_split = True
    command: list[str] = []
    given, target = b"", None
    tokens = [*lexer, "&&"]
    for position, token in enumerate(tokens):
        if token == ">":
            target = tokens[position + 1]
        elif token in ("|", "&&"):
            given = _run_one([part for part in command if part != target], given)
            if target is not None:
                Path(target).write_bytes(given)
            command, target = [], None
            given = given if token == "|" else b""
        else:
            command.append(token)


def _run_one(command: list[str], given: bytes) -> bytes:
    """The output of one command."""
    if command[0] != "paraphrast":
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout
    from paraphrast.cli import run

    sys.stdout.flush()
    kept, errors = os.dup(1), io.StringIO()
    with tempfile.TemporaryFile() as output, contextlib.redirect_stderr(errors):
        os.dup2(output.fileno(), 1)
        sys.stdin = io.TextIOWrapper(io.BytesIO(given or b"y\n" * 100), encoding="utf-8")
        try:
            code = run(command[1:])
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        output.seek(0)
        result = output.read()
    if code != 0:
        raise RuntimeError(f"exit code {code}: {errors.getvalue().strip()}")
    return result


def _run_example(example: Example, names: dict[str, Any]) -> None:
    if example.kind == "shell":
        run_shell(example.code)
    elif example.kind == "python":
        exec(compile(example.code, f"{example.page}:{example.line}", "exec"), names)
    else:
        test = doctest.DocTestParser().get_doctest(
            example.code, names, example.page, example.page, example.line - 1
        )
        report: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        if report:
            raise AssertionError("".join(report))


def main(jobs: str, results: str) -> None:
    """Run jobs: each has a folder, Python code that prepares names, examples, and code to run after some of them.

    Writes the path of the package, and what failed: place, code and error.
    """
    import paraphrast

    failed, seconds = [], []
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        os.chdir(job["folder"])
        names: dict[str, Any] = {"__name__": "__main__"}
        setup = Example(job["examples"][0][0], 0, "python", job["setup"])
        for entry in [setup, *job["examples"]]:
            example = Example(*entry)
            begin = time.process_time()
            try:
                _run_example(example, names)
                exec(job["after"].get(example.code, ""), names)
            except BaseException as error:
                text = (
                    str(error) if isinstance(error, RuntimeError | AssertionError) else traceback.format_exc()
                )
                failed.append([f"{example.page}:{example.line}", example.code, text])
            seconds.append([time.process_time() - begin, f"{example.page}:{example.line}", example.code])
    found = {"package": paraphrast.__file__, "failed": failed, "seconds": sorted(seconds, reverse=True)}
    Path(results).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
