"""The maps of docs/papers name code and tests that exist, and leave out nothing of a paper."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "papers"
SOURCE = ROOT / "src" / "paraphrast"


@dataclass(frozen=True)
class Contents:
    """What a paper consists of: its sections, and how many equations, tables and figures it numbers."""

    author: str
    sections: str
    equations: int
    tables: int
    figures: int


CONTENTS = {
    "quirk-2004": Contents("Quirk", "1 2 3 3.1 3.2 3.3 3.4 3.5 4 5 6 7", 0, 3, 3),
    "shen-2006": Contents(
        "Shen", "1 2 3 3.1 3.2 3.2.1 3.2.2 4 4.1 4.1.1 4.1.2 4.1.3 4.2 4.2.1 4.2.2 4.3 5", 0, 6, 6
    ),
    "owczarzak-2006": Contents("Owczarzak", "1 2 2.1 2.2 3 3.1 3.2 3.3 3.4 3.5 3.6 3.7 4 5 6", 0, 6, 0),
    "martzoukos-monz-2012": Contents("Martzoukos", "1 2 2.1 2.2 3 3.1 3.2 4 4.1 4.2 5", 22, 1, 9),
    "zhao-2008": Contents("Zhao", "1 2 3 4 5 6 6.1 6.2 7", 15, 3, 0),
}
#: Rooms that follow one paper, which their docstrings need not name.
PAPER_OF_ROOM = {"graph": "martzoukos-monz-2012", "msa": "shen-2006"}
_EQUATIONS = re.compile(r"\b[Ee](?:q|qn|quation)s?\.? ?\(?(\d+(?:(?: ?[–-] ?|, | and | to )\d+)*)")
_NAMES = re.compile(
    r"\b([A-Z]\w+)(?: (?:et al\.|and|&|and others)[^()]{0,40})?,? ?\(?(?:19|20)\d\d|\b([A-Z]\w+) et al"
)


@dataclass(frozen=True)
class Row:
    """A line of a map: the paper's part, what it is, names of code, names of tests."""

    part: str
    text: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


def rows_of(name: str) -> list[Row]:
    """The lines of a page's map."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", page, flags=re.MULTILINE)
    (table,) = [part for part in section if part.startswith("Map\n")]
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    rows = []
    for line in lines:
        part, text, code, tests = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        rows.append(
            Row(part, text, tuple(re.findall(r"`(.+?)`", code)), tuple(re.findall(r"`(.+?)`", tests)))
        )
    return rows


def numbers(text: str) -> list[int]:
    """``3–6`` → 3, 4, 5, 6; ``2, 4`` → 2, 4."""
    found: list[int] = []
    for piece in re.split(r", | and ", text):
        ends = [int(end) for end in re.split(r" ?[–-] ?| to ", piece)]
        found += range(ends[0], ends[-1] + 1)
    return found


def parts(rows: list[Row], word: str) -> set[int]:
    """The numbers of the equations, tables or figures that a map has."""
    pattern = re.compile(rf"\b{word}s?\.? (\d+(?:(?:–|, )\d+)*)")
    return {number for row in rows for text in pattern.findall(row.part) for number in numbers(text)}


def exists(name: str) -> bool:
    """Whether a dotted name below the package can be imported."""
    pieces = name.split(".")
    for cut in range(len(pieces) - 1, 0, -1):
        try:
            value: Any = importlib.import_module("paraphrast." + ".".join(pieces[:cut]))
        except ModuleNotFoundError:
            continue
        for piece in pieces[cut:]:
            value = getattr(value, piece, None)
        return value is not None
    return False


def cited_equations() -> Iterator[tuple[str, str, int]]:
    """(module, author, equation) of every equation that a docstring or comment cites."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        module = path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".")
        tree = ast.parse(text)
        default = _author(ast.get_docstring(tree) or "") or _room_author(module)
        strings = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 10
        ]
        for string in [*strings, *re.findall(r"#.*", text)]:
            for match in _EQUATIONS.finditer(string):
                author = _author(string[: match.start()]) or default
                for number in numbers(match[1]):
                    yield module, author, number


def _author(text: str) -> str:
    """The author that a text names last."""
    names = [one or two for one, two in _NAMES.findall(" ".join(text.split()))]
    return names[-1] if names else ""


def _room_author(module: str) -> str:
    paper = PAPER_OF_ROOM.get(module.split(".")[0])
    return CONTENTS[paper].author if paper else ""


@pytest.mark.parametrize("paper", CONTENTS)
def test_code_and_tests_of_a_map_exist(paper: str) -> None:
    rows = rows_of(paper)
    assert [name for row in rows for name in row.code if not exists(name)] == []
    assert [name for row in rows for name in row.tests if not (ROOT / "tests" / name).is_file()] == []


@pytest.mark.parametrize("paper", CONTENTS)
def test_nothing_of_a_paper_is_missing(paper: str) -> None:
    contents, rows = CONTENTS[paper], rows_of(paper)
    sections = {name for row in rows for name in re.findall(r"§(\d+(?:\.\d+)*)", row.part)}
    assert sections == set(contents.sections.split())
    assert parts(rows, "eq") == set(range(1, contents.equations + 1))
    assert parts(rows, "table") == set(range(1, contents.tables + 1))
    assert parts(rows, "figure") == set(range(1, contents.figures + 1))


@pytest.mark.parametrize("paper", CONTENTS)
def test_what_has_no_code_says_why(paper: str) -> None:
    reasons = ("Not here:", "Related work", "nothing", "Nothing", "future work")
    for row in rows_of(paper):
        assert bool(row.code) == bool(row.tests), row
        assert row.code or any(reason in row.text for reason in reasons), row


def test_equations_cited_in_the_code_are_in_the_map() -> None:
    """Each with something of the module that cites it."""
    by_author = {contents.author: rows_of(paper) for paper, contents in CONTENTS.items()}
    missing = []
    unknown = []
    for module, author, number in cited_equations():
        if not author:
            unknown.append((module, number))
        elif author in by_author:
            rows = [row for row in by_author[author] if number in parts([row], "eq")]
            if not any(name.startswith(f"{module}.") for row in rows for name in row.code):
                missing.append((module, author, number))
    assert unknown == [], "the paper of these equations is not clear: name its author"
    assert missing == []


def test_the_check_finds_what_is_wrong() -> None:
    assert not exists("decode.nothing.here")
    assert not exists("decode.weights.Weights.nothing")
    assert numbers("3–6") == [3, 4, 5, 6]
    assert numbers("16 and 17") == [16, 17]
    assert {author for _, author, _ in cited_equations()} >= {"Zhao", "Martzoukos", "Stolcke"}
