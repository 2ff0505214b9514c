"""Options records become command-line options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from paraphrast._options import check, nested, option
from paraphrast.cli._support.bind import given, take, with_options
from paraphrast.errors import InputError


def read_list(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


@dataclass(frozen=True)
class Inner:
    """A record inside."""

    share: float = option(0.5, help="Share of it.", minimum=0, maximum=1)


@dataclass(frozen=True)
class Options:
    """A record."""

    n: int = option(3, help="How many.", minimum=1, flags=("-n",))
    method: str = option("plain", help="How.", choices=("plain", "fancy"))
    inner: Inner = nested(Inner)
    words: tuple[str, ...] = option((), help="Words.", flags=("--word",))
    sizes: tuple[int, ...] = option((1, 2), help="Sizes.", parse=read_list, text="1,2")
    lazy: bool = option(True, help="Lazy or not.")
    hidden: int = option(7, help="Only in files.", cli=False)

    def __post_init__(self) -> None:
        check(self)


def invoke(command: Any, *arguments: str) -> Any:
    app = typer.Typer(rich_markup_mode=None)
    app.command()(command)
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def call(*arguments: str) -> Options:
    seen: list[Options] = []

    @with_options
    def command(*, options: Options) -> None:
        seen.append(options)

    done = invoke(command, *arguments)
    assert done.exit_code == 0, done.output
    return seen[0]


def test_defaults_and_values() -> None:
    assert call() == Options()
    arguments = ["-n", "5", "--method", "fancy", "--share", "0.25", "--word", "a", "--word", "b", "--no-lazy"]
    assert call(*arguments, "--sizes", "4,5") == Options(5, "fancy", Inner(0.25), ("a", "b"), (4, 5), False)


def test_help_comes_from_the_record() -> None:
    @with_options
    def command(*, options: Options) -> None:
        """Do it."""

    text = " ".join(invoke(command, "--help").output.split())
    assert "How. One of: plain, fancy. [default: plain]" in text
    assert "Sizes. [default: 1,2]" in text
    assert "[default: 0.5; 0<=x<=1]" in text
    assert "Only in files" not in text


def test_a_wrong_value_names_its_option() -> None:
    with pytest.raises(InputError, match=r"--method: expected plain or fancy, got 'odd'"):
        call("--method", "odd")

    @with_options
    def command(*, options: Options) -> None: ...

    assert invoke(command, "-n", "0").exit_code == 2


def test_some_options_with_other_defaults() -> None:
    seen: list[Options] = []

    @with_options
    def command(*, options: Annotated[Options, take("n", "hidden", n=9)]) -> None:
        seen.append(options)

    assert invoke(command, "--hidden", "1").exit_code == 0
    assert seen == [Options(n=9, hidden=1)]
    assert invoke(command, "--share", "1").exit_code == 2


def test_only_what_was_given() -> None:
    seen: list[dict[str, Any]] = []

    @with_options
    def command(*, options: Annotated[dict[str, Any], given(Options)]) -> None:
        seen.append(options)

    assert invoke(command).exit_code == 0
    assert invoke(command, "-n", "3", "--sizes", "1", "--no-lazy").exit_code == 0
    assert seen == [{}, {"n": 3, "sizes": (1,), "lazy": False}]
    assert "[default: (3); x>=1]" in invoke(command, "--help").output
