"""The application: every command and its module, which is imported when the command is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from typing import Annotated, Any

import typer

from paraphrast._extras import require
from paraphrast._version import __version__

#: Command or group of commands → its function or application.
COMMANDS = {
    "demo": "paraphrast.cli.demo:demo",
    "paraphrase": "paraphrast.cli.paraphrase:paraphrase",
    "explain": "paraphrast.cli.explain:explain",
    "train": "paraphrast.cli.train:train",
    "acquire": "paraphrast.cli.acquire:acquire",
    "pairs": "paraphrast.cli.pairs:pairs",
    "identify": "paraphrast.cli.pairs:identify",
    "align": "paraphrast.cli.align:align",
    "extract": "paraphrast.cli.extract:extract",
    "lm": "paraphrast.cli.lm:lm",
    "fuse": "paraphrast.cli.fuse:fuse",
    "references": "paraphrast.cli.references:references",
    "table": "paraphrast.cli.table:app",
    "graph": "paraphrast.cli.graph:app",
    "evaluate": "paraphrast.cli.evaluate:app",
    "judge": "paraphrast.cli.judge:app",
    "templates": "paraphrast.cli.templates:app",
    "tune": "paraphrast.cli.tune:app",
    "reproduce": "paraphrast.cli.reproduce:reproduce",
    "data": "paraphrast.cli.data:app",
    "model": "paraphrast.cli.model:app",
    "doctor": "paraphrast.cli.doctor:doctor",
    "serve": "paraphrast.cli.serve:serve",
}
#: Options of ``paraphrast`` itself.
ROOT_OPTIONS = ("--version", "--help", "--install-completion", "--show-completion")
_COMMAND_LIKE = re.compile(r"[a-z][a-z_-]*")


def version_text() -> str:
    """The version, and the versions of what results depend on, on one line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from paraphrast.model.folder import FORMAT_VERSION

    parts = [f"python {platform.python_version()}"]
    for package in ("numpy", "numba"):
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} not installed")
    return f"paraphrast {__version__} ({', '.join([*parts, f'model format {FORMAT_VERSION}'])})"


#: Commands that rewriting does not need → the extra that brings their packages. Checked when they run, not for --help.
#: An extra other than ``train`` includes it; whether the rest of it is needed depends on options of the command.
EXTRA_OF = {
    **dict.fromkeys(
        ("train", "pairs", "identify", "extract", "table", "graph", "evaluate", "templates", "tune"), "train"
    ),
    **dict.fromkeys(("acquire",), "news"),
    **dict.fromkeys(("references", "evaluate mt", "reproduce"), "mt"),
    **dict.fromkeys(
        ("table dictionary", "table lexicon", "table thesaurus", "table wordnet", "table expand"), "english"
    ),
    "table roundtrip": "precise",
}


def _version(value: bool) -> None:
    if value:
        typer.echo(version_text())
        raise typer.Exit


def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Print the versions of paraphrast, Python, numpy, numba and the model format.",
        ),
    ] = False,
) -> None:
    """Learn paraphrases from text, rewrite sentences with them, and see the evidence.

    `paraphrast "A sentence."` is short for `paraphrast paraphrase "A sentence."`.
    """


def make_app(names: Iterable[str] = tuple(COMMANDS)) -> typer.Typer:
    """The application with some of its commands, or with all."""
    app = typer.Typer(
        name="paraphrast",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(root)
    for name in names:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        if name in EXTRA_OF:
            command = _checked(command, name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _checked(command: Any, name: str) -> Any:
    """A command, or a group of commands, that first checks that its extra is installed."""
    if isinstance(command, typer.Typer):
        for info in command.registered_commands:
            if info.callback is not None:
                info.callback = _checked(info.callback, f"{name} {info.name or info.callback.__name__}")
        for group in command.registered_groups:
            if group.typer_instance is not None:
                _checked(group.typer_instance, f"{name} {group.name}")
        return command
    function: Callable[..., Any] = command

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        require(f"paraphrast {name}", "train", named=EXTRA_OF.get(name, EXTRA_OF[name.split()[0]]))
        return function(*args, **kwargs)

    return checked


def with_command(arguments: list[str]) -> list[str]:
    """The command line with its command: a sentence or a file alone means ``paraphrase``.

    A single word that could be a command is not taken for a sentence: it is probably a command that was mistyped.
    """
    from pathlib import Path

    from paraphrast.errors import InputError

    first = arguments[0] if arguments else ""
    if not arguments or first in COMMANDS or first in ROOT_OPTIONS:
        return arguments
    if not _COMMAND_LIKE.fullmatch(first) or (len(first) < 200 and Path(first).is_file()):
        return ["paraphrase", *arguments]
    import difflib

    near = difflib.get_close_matches(first, COMMANDS, n=3, cutoff=0.6)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    words = " ".join(arguments)
    raise InputError(
        f"unknown command {first!r}{meant}",
        remedy="paraphrast --help lists the commands; to rewrite text, put it in quotes: "
        f'paraphrast paraphrase "{words}"',
    )


def app_for(arguments: list[str]) -> typer.Typer:
    """The application for a command line: only the command that is called, if it is clear which."""
    return make_app(arguments[:1]) if arguments and arguments[0] in COMMANDS else make_app()
