"""Options that mean the same everywhere, defined once."""

from __future__ import annotations

import enum
import logging
import sys
from typing import Annotated, Any

import typer


class Format(enum.StrEnum):
    """How results are printed."""

    text = "text"
    json = "json"


def writable(path: str) -> str:
    """The path, if it can be written: what takes minutes should not fail at its last step."""
    from paraphrast.formats.files import check_output

    check_output(path)
    return path


Model = Annotated[str, typer.Option("--model", "-m", help="'default', a model folder, or a packed model.")]
Output = Annotated[
    str, typer.Option("--output", "-o", help="File to write; - is standard output.", callback=writable)
]
Threads = Annotated[
    int, typer.Option(help="Threads to use; 0 is all cores. Never changes a result.", min=0, max=1024)
]
Memory = Annotated[str, typer.Option(help="Memory the engine may use before it spills to disk, such as 4GB.")]
Pairs = Annotated[str, typer.Argument(help="Bitext: two columns by tab or |||, or the first of two files.")]
SourceLanguage = Annotated[str, typer.Option(help="Language of the first side, for its tokeniser.")]
TargetLanguage = Annotated[str, typer.Option(help="Language of the second side.")]
Pretokenized = Annotated[
    bool, typer.Option("--pretokenized", help="Tokens by white space; links are numbered by them.")
]
OutputFormat = Annotated[Format, typer.Option("--format", help="text for people, json for programs.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave malformed lines out, and count them.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more on standard error.")]


def set_verbosity(verbose: bool) -> None:
    """Send the package's notices to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("paraphrast: %(message)s"))
    logger = logging.getLogger("paraphrast")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO if verbose else logging.WARNING)


def print_json(value: Any, *, indent: int | None = None) -> None:
    """One JSON value on standard output."""
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=indent))
