"""The index: the named corpora and lexicons, their sources and licences.

``index.toml`` beside this file is the built-in index. Files named in ``PARAPHRAST_INDEX`` (separated as in ``PATH``)
are read after it and may add or replace names.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from paraphrast.errors import DataError

KINDS = (
    "bitext",
    "text",
    "tagged",
    "verses",
    "antonyms",
    "synonyms",
    "relations",
    "dictionary",
    "inflections",
    "vectors",
    "encoder",
    "translation",
    "language-model",
    "parser",
)
VIA = ("pip", "npm", "apt", "http", "file")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_PACKAGE = re.compile(r"(@[a-z0-9._-]+/)?[A-Za-z0-9][A-Za-z0-9._+-]*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to fetch: a package of a registry, an address, or a local file.

    sha256: of the fetched file; empty if it cannot be pinned (apt: its signed hash is checked; http: recorded on first
    use, with a warning; file: not checked).
    """

    via: str
    package: str = ""
    version: str = ""
    url: str = ""
    path: str = ""
    sha256: str = ""

    @property
    def label(self) -> str:
        """A readable name: ``npm fr-corpus 0.0.1``, or the address."""
        return " ".join(
            part for part in (self.via, self.package or self.url or self.path, self.version) if part
        )


@dataclass(frozen=True, slots=True)
class Resource:
    """A named corpus or lexicon, and how its canonical files are made."""

    name: str
    kind: str
    languages: tuple[str, ...]
    licence: str
    description: str
    size_mb: float
    version: str
    convert: str
    sources: tuple[Source, ...]
    revision: int = 1
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def recipe(self) -> str:
        """Eight hexadecimal digits of everything that determines the canonical files: the key in the cache."""
        parts = {
            "name": self.name,
            "convert": self.convert,
            "revision": self.revision,
            "options": dict(self.options),
            "version": self.version,
            "sources": [asdict(source) for source in self.sources],
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:8]

    @property
    def tools(self) -> tuple[str, ...]:
        """The programs that its sources need, of pip, npm and apt-get."""
        names = {"pip": "pip", "npm": "npm", "apt": "apt-get"}
        return tuple(sorted({names[source.via] for source in self.sources if source.via in names}))


def index() -> dict[str, Resource]:
    """Every named resource, by name, sorted."""
    extra = os.environ.get("PARAPHRAST_INDEX", "")
    resources = dict(_read(Path(__file__).with_name("index.toml")))
    for path in filter(None, extra.split(os.pathsep)):
        resources.update(_read(Path(path)))
    return dict(sorted(resources.items()))


def find(name: str) -> Resource:
    """The resource called ``name``. Otherwise an error that suggests similar names."""
    known = index()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    remedy = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(known)}"
    raise DataError(f"no data is called {name!r}", remedy=f"{remedy} (paraphrast data list shows all)")


@lru_cache(maxsize=8)
def _parse(path: Path, stamp: int) -> dict[str, Resource]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"the index is not valid TOML: {error}", where=path) from error
    return {name: _resource(name, table, path) for name, table in tables.items()}


def _read(path: Path) -> dict[str, Resource]:
    try:
        return _parse(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise DataError(
            f"the index cannot be read: {error.strerror}", where=path, remedy="correct PARAPHRAST_INDEX"
        ) from error


def _resource(name: str, table: Any, path: Path) -> Resource:
    """Check one table of the file. Errors name the place of the mistake."""

    def wrong(message: str) -> DataError:
        return DataError(f"[{name}] {message}", where=path, remedy="docs/data.md shows an entry")

    if not _NAME.fullmatch(name):
        raise wrong("a name is made of a-z, 0-9, '.', '_' and '-'")
    if not isinstance(table, dict):
        raise wrong("expected a table")
    needed = {
        "kind": str,
        "languages": list,
        "licence": str,
        "description": str,
        "version": str,
        "convert": str,
    }
    for key, kind in needed.items():
        if not isinstance(table.get(key), kind):
            raise wrong(f"expected {key} = a {'list' if kind is list else 'string'}, got {table.get(key)!r}")
    if table["kind"] not in KINDS:
        raise wrong(f"kind {table['kind']!r} is none of {', '.join(KINDS)}")
    allowed = {*needed, "size_mb", "revision", "options", "source"}
    if unknown := sorted(set(table) - allowed):
        raise wrong(f"unknown key {unknown[0]!r}")
    if not _VERSION.fullmatch(table["version"]):
        raise wrong(f"version {table['version']!r} has a character that a folder's name may not have")
    for key, kinds in (
        ("size_mb", (int, float)),
        ("revision", (int,)),
        ("options", (dict,)),
        ("source", (list,)),
    ):
        if key in table and (not isinstance(table[key], kinds) or isinstance(table[key], bool)):
            raise wrong(f"{key} has the wrong kind of value: {table[key]!r}")
    sources = tuple(_source(row, path, wrong) for row in table.get("source", []))
    if not sources:
        raise wrong("expected at least one [[…source]]")
    return Resource(
        name=name,
        kind=table["kind"],
        languages=tuple(str(language) for language in table["languages"]),
        licence=table["licence"],
        description=table["description"],
        size_mb=float(table.get("size_mb", 0)),
        version=table["version"],
        convert=table["convert"],
        sources=sources,
        revision=int(table.get("revision", 1)),
        options=MappingProxyType({key: str(value) for key, value in table.get("options", {}).items()}),
    )


def _source(row: Any, path: Path, wrong: Any) -> Source:
    fields = Source.__dataclass_fields__
    if not isinstance(row, dict) or any(key not in fields or not isinstance(row[key], str) for key in row):
        raise wrong(f"a source has only the strings {', '.join(fields)}, got {row!r}")
    if row.get("via") not in VIA:
        raise wrong(f"via {row.get('via')!r} is none of {', '.join(VIA)}")
    via, sha256 = row["via"], row.get("sha256", "")
    if sha256 and not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise wrong(f"sha256 {sha256!r} is not 64 hex digits")
    if via in ("pip", "npm", "apt") and not _PACKAGE.fullmatch(row.get("package", "")):
        raise wrong(f"via {via} needs a package, got {row.get('package')!r}")
    if via in ("pip", "npm") and not (_VERSION.fullmatch(row.get("version", "")) and sha256):
        raise wrong(f"{via} packages are pinned: give version and sha256")
    if via == "http" and not re.fullmatch(r"https?://[!-~]+", row.get("url", "")):
        raise wrong(f"via http needs an http or https url, got {row.get('url')!r}")
    if via == "file":
        if not row.get("path"):
            raise wrong("via file needs a path")
        row = {**row, "path": str(path.parent.joinpath(Path(row["path"]).expanduser()).absolute())}
    return Source(**row)
