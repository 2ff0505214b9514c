"""Options that mean the same in every command, each defined once."""

from __future__ import annotations

import enum
import logging
import os
import sys
from typing import Annotated, Any

import typer


class Format(enum.StrEnum):
    """How results are printed."""

    text = "text"
    json = "json"


class RewriteFormat(enum.StrEnum):
    """How paraphrases are written."""

    text = "text"
    plain = "plain"
    records = "records"
    json = "json"


def writable(path: str | None) -> str | None:
    """The path; fails before any work if it cannot be written."""
    from paraphrast.formats.files import check_output

    if path:
        check_output(path)
    return path


Model = Annotated[
    str,
    typer.Option(
        "--model", "-m", help="Model to use: 'default', 'registry', a model folder, or a packed model."
    ),
]
SourceModel = Annotated[
    str | None,
    typer.Option("--model", "-m", help="Model folder whose casing and part-of-speech tagger are used."),
]
Output = Annotated[
    str,
    typer.Option("--output", "-o", help="File to write. - writes to standard output.", callback=writable),
]
TableOutput = Annotated[
    str, typer.Option("--output", "-o", help="Table to write, a Parquet file.", callback=writable)
]
Threads = Annotated[
    int,
    typer.Option(help="Number of threads. 0 uses all cores. Does not change results.", min=0, max=1024),
]
Memory = Annotated[str, typer.Option(help="Memory limit before data is written to disk, for example 4GB.")]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where to run: duckdb (this machine), or Spark as spark://HOST:PORT, local-cluster[WORKERS,CORES,MB] or "
        "local[THREADS]. Does not change results.",
    ),
]
Pairs = Annotated[
    str,
    typer.Argument(
        help="Bitext: two columns separated by a tab or |||, or the first of two files. - reads standard input."
    ),
]
Target = Annotated[
    str | None, typer.Option(help="Second file of the bitext, if each language has its own file.")
]
SourceLanguage = Annotated[str, typer.Option(help="Language of the first column or file.")]
TargetLanguage = Annotated[str, typer.Option(help="Language of the second column or file.")]
Language = Annotated[str, typer.Option(help="Language of the text.")]
Pretokenized = Annotated[
    bool,
    typer.Option("--pretokenized", help="The tokens of the input are separated by white space."),
]
Parser = Annotated[
    str | None, typer.Option(help="spaCy model, by name or folder (requires paraphrast[syntax]).")
]
OutputFormat = Annotated[Format, typer.Option("--format", help="Print text for people or JSON for programs.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Skip malformed lines and report how many there were.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing output.")]
KeepWork = Annotated[
    bool,
    typer.Option("--keep-work", help="Keep the work folder OUTPUT.work, so that a later run can reuse it."),
]
Seed = Annotated[int, typer.Option(help="Random seed for sampling.", min=0)]
Contexts = Annotated[
    str | None,
    typer.Option(help="File with the contexts of 'word.pos id' lines: word.pos, id, position, tokens."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print more messages to standard error.")]


#: Exit code if the work ended without a result: no paraphrase of a single text, an empty table or model.
NO_RESULT = 1


def core_count(threads: int) -> int:
    """Threads to use: as given, or all cores."""
    return threads or os.cpu_count() or 1


def set_verbosity(verbose: bool) -> None:
    """Send the package's messages to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("paraphrast: %(message)s"))
    logger = logging.getLogger("paraphrast")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO if verbose else logging.WARNING)


def print_json(value: Any, *, indent: int | None = None) -> None:
    """One JSON value on standard output, in UTF-8 whatever the terminal's encoding is."""
    import json

    from paraphrast.formats.files import use_utf8_output

    use_utf8_output()
    typer.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def report(message: str) -> None:
    """A message on standard error."""
    typer.echo(message, err=True)


def check_rows(rows: int, inputs: list[str]) -> None:
    """Refuse to write a table without rows."""
    from paraphrast.errors import InputError

    if not rows:
        raise InputError(
            "found no paraphrases, so no table was written",
            where=", ".join("standard input" if name == "-" else name for name in inputs),
            remedy="check that the input is not empty and has the format of docs/resources.md; or lower the thresholds "
            "among the options",
        )


def split_names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def named_file(text: str) -> tuple[str, str]:
    """``NAME=FILE`` → name and file; a file alone is named after itself, without its ending."""
    from pathlib import Path

    from paraphrast.errors import InputError

    name, equals, path = text.partition("=")
    if not name or (equals and not path):
        raise InputError(f"expected FILE or NAME=FILE, got {text!r}")
    return (name, path) if equals else (Path(text).stem, text)
