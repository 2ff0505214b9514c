"""Gold alignments of one language as a JSON list, one object per sentence pair.

``source`` and ``target`` are tokens separated by white space; ``sureAlign`` and ``possibleAlign`` are links as
``i-j i-j``, from 0. Some files repeat the possible links under ``sureAlign``, others do not. In both, a link is sure
if it is in ``sureAlign`` and not in ``possibleAlign``. Of other keys (``id``, ``name``, ``score``) only the name is
kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import atomic_write, open_text
from paraphrast.formats.pharaoh import GoldLinks, parse_links
from paraphrast.types import Links


@dataclass(frozen=True)
class AlignedText:
    """Gold links with their tokens; ``names``: the name of each pair, "" if it has none."""

    source: list[list[str]]
    target: list[list[str]]
    gold: GoldLinks
    names: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.source)


def read_alignment_json(path: str | Path) -> AlignedText:
    """Read a JSON gold standard. Positions beyond a sentence are errors that name the pair."""
    with open_text(path) as reader:
        text = "\n".join(reader)
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"expected JSON: {error.msg}", where=At(path, error.lineno)) from error
    except ValueError as error:
        raise FormatError("expected JSON, got a number too long to read", where=path) from error
    except RecursionError as error:
        raise FormatError(
            "expected a JSON list of objects, got one that is nested too deeply", where=path
        ) from error
    if not isinstance(rows, list):
        raise FormatError("expected a JSON list of sentence pairs", where=path)
    read = [_pair(row, f"{path}: pair {number}") for number, row in enumerate(rows, 1)]
    return AlignedText(
        [row.source for row in read],
        [row.target for row in read],
        GoldLinks(
            Links.from_lists(row.sure for row in read),
            Links.from_lists(row.possible for row in read),
        ),
        [row.name for row in read],
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    source: list[str]
    target: list[str]
    sure: set[tuple[int, int]]
    possible: set[tuple[int, int]]
    name: str


def _pair(row: object, where: str) -> _Pair:
    if not isinstance(row, dict):
        raise FormatError(f"expected an object, got {type(row).__name__}", where=where)
    source, target = _string(row, "source", where).split(), _string(row, "target", where).split()
    sure = _links(row, "sureAlign", where, len(source), len(target))
    possible = (
        _links(row, "possibleAlign", where, len(source), len(target)) if "possibleAlign" in row else set()
    )
    return _Pair(source, target, sure - possible, sure | possible, str(row.get("name", row.get("id", ""))))


def _string(row: dict[str, object], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise FormatError(f"expected a text under {key!r}, got {value!r}", where=where)
    return value


def _links(
    row: dict[str, object], key: str, where: str, source_len: int, target_len: int
) -> set[tuple[int, int]]:
    text = _string(row, key, where)
    try:
        links = set(parse_links([text]).pair(0))
    except FormatError as error:
        raise FormatError(f"{key}: {error.message}", where=where) from error
    for source, target in sorted(links):
        if source >= source_len or target >= target_len:
            raise FormatError(
                f"{key}: expected links between {source_len} and {target_len} words, counted from 0, got "
                f"{source}-{target}",
                where=where,
            )
    return links


def write_alignment_json(
    path: str | Path,
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    gold: GoldLinks,
    names: Sequence[str] | None = None,
) -> None:
    """Write a JSON gold standard: ``sureAlign`` has only sure links, ``possibleAlign`` all others."""
    if not len(source) == len(target) == len(gold.sure):
        raise InputError(
            f"expected as many sentences as lines of links, got {len(source)}, {len(target)} and {len(gold.sure)}"
        )
    rows = []
    for index in range(len(source)):
        sure = gold.sure.pair(index)
        rest = sorted(set(gold.possible.pair(index)) - set(sure))
        name = names[index] if names else str(index + 1)
        rows.append(
            {
                "name": name,
                "source": " ".join(source[index]),
                "target": " ".join(target[index]),
                "sureAlign": " ".join(f"{i}-{j}" for i, j in sure),
                "possibleAlign": " ".join(f"{i}-{j}" for i, j in rest),
            }
        )
    with atomic_write(path) as stream:
        json.dump(rows, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
