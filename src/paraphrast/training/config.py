"""The training configuration: a TOML file, checked completely before any work starts.

    language = "en"

    [[bitext]]                       # any number; one file with a column per language …
    path = "europarl.tsv.xz"
    columns = ["en", "de", "fr", "es"]
    lines = [1, 318000]              # optional, 1-based, inclusive
    licence = "free to reuse"        # optional, kept in the manifest

    [[bitext]]                       # … one file per language …
    files = { en = "news.en", de = "news.de" }

    [[bitext]]                       # … or a named corpus
    data = "libreoffice-de"

    [[text]]                         # more text of the language, for the language model
    path = "news.txt.gz"

    [tagger]                         # optional: part-of-speech tags for the vetoes
    data = "brown-tagged"

    [antonyms]                       # optional
    data = "wordnet-antonyms"

    [[table]]                        # optional: paraphrase tables made by `paraphrast table KIND … -o FILE`
    path = "dictionary.parquet"
    name = "dictionary"              # optional; the table's kind otherwise

    [[table]]                        # … or built here, from a file or from named data
    kind = "lexicon"
    data = "moby"
    options = { mutual = true }      # optional: those of `paraphrast table lexicon`
    filters = false                  # optional: do not filter its pairs
    trusted = true                   # optional: for pairs written by people: nor veto them, nor drop unlikely ones

    [[news]]                         # optional: pages or articles; sentence pairs of one event, and running text
    path = "articles.jsonl"          # as `acquire` writes them; or a folder of pages, a WARC file, a list
    use = ["pairs", "text"]          # optional: for the table `comparable`, for the language model, or for both

    substitution = "auto"            # optional: probability of each substitution, by a model fitted to human
                                     # judgements: yes, no, or auto (if language and size allow it)

    [graph]                          # optional: also walk the graph of the phrase table; its options, or none

    [align] / [extract] / [pivot] / [filters] / [lm] / [weights] / [model]   # options of the rooms, by their names
    [acquire] / [pairs] / [comparable]                             # options of [[news]]

Paths are relative to the configuration file. A path of bitext or text may be a folder of shards, or a URL such as
``s3://bucket/europarl/`` (docs/training.md).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from paraphrast._options import check, from_mapping, nested, option
from paraphrast.acquire.options import AcquireOptions
from paraphrast.align.options import AlignOptions
from paraphrast.build.options import GraphTableOptions, NewsOptions
from paraphrast.decode.weights import Weights
from paraphrast.errors import FormatError, InputError
from paraphrast.extract.options import ExtractOptions
from paraphrast.formats.storage import Place, is_file, is_folder, place_of
from paraphrast.formats.table_file import table_file_info
from paraphrast.lm.options import LmOptions
from paraphrast.tables.options import FilterOptions, PivotOptions
from paraphrast.tables.resources.options import ComparableOptions
from paraphrast.training.model_options import ModelOptions

#: How to decide whether neighbouring phrases change places: by an extracted pair, by a link, or not at all.
ORIENTATIONS = ("phrase", "word", "none")


@dataclass(frozen=True)
class ExtractionOptions:
    """The section ``[extract]``: which phrase pairs a model uses."""

    extract: ExtractOptions = nested(ExtractOptions)
    min_count: int = option(
        2,
        help="Drop phrase pairs that occur less often before pivoting. Most are errors of the alignment.",
        minimum=1,
    )
    orientation: str = option(
        "phrase",
        help="How to learn which neighbouring phrases change places: from extracted pairs, from links, or not at all.",
        choices=ORIENTATIONS,
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class NewsTableOptions:
    """The section ``[comparable]``: the table of sentence pairs from ``[[news]]``."""

    table: ComparableOptions = nested(ComparableOptions)
    evidence: tuple[str, ...] | None = option(
        None,
        help="What the aligner uses: some of stem, number, spelling, synonyms, vectors. Default: all.",
    )

    def __post_init__(self) -> None:
        check(self)


#: Sections of options and their records.
SECTIONS: dict[str, type] = {
    "align": AlignOptions,
    "extract": ExtractionOptions,
    "pivot": PivotOptions,
    "graph": GraphTableOptions,
    "filters": FilterOptions,
    "lm": LmOptions,
    "weights": Weights,
    "model": ModelOptions,
    "acquire": AcquireOptions,
    "pairs": NewsOptions,
    "comparable": NewsTableOptions,
}
_NEWS_SECTIONS = ("acquire", "pairs", "comparable")
EVIDENCE = ("none", "ids", "text")
_LANGUAGE_CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_KEYS = {
    "language",
    "bitext",
    "text",
    "tagger",
    "antonyms",
    "table",
    "news",
    "evidence",
    "substitution",
    *SECTIONS,
}
SUBSTITUTION = ("auto", "yes", "no")
#: Uses of news.
USES = ("pairs", "text")
#: Sources that may be folders of shards and URLs.
SHARDED = ("bitext", "text")
#: Keys of a source, and their values.
_SOURCE_KEYS = {
    "path": "text",
    "files": "a table of languages and files",
    "data": "text",
    "columns": "a list of languages",
    "lines": "[first, last]",
    "licence": "text",
    "name": "text",
}


@dataclass(frozen=True)
class Source:
    """One corpus or lexicon: a file, several files, or a name from the data index. A file of bitext or text may be a
    folder of shards.

    use: uses of news. kind, options: of a table that is built from this source. filtered: whether filters apply to
    the table. trusted: no filter and no veto applies to its pairs, and none is dropped as unlikely.
    """

    name: str
    path: Place | None = None
    files: dict[str, Place] = field(default_factory=dict)
    data: str | None = None
    columns: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None
    licence: str = "unknown"
    use: tuple[str, ...] = ()
    kind: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    filtered: bool = True
    trusted: bool = False

    @property
    def paths(self) -> list[Place]:
        """The files and folders it reads, without named corpora."""
        return ([self.path] if self.path else []) + list(self.files.values())


@dataclass(frozen=True)
class Config:
    """A checked configuration. options: the sections as given; path: the file, for messages."""

    language: str
    bitext: tuple[Source, ...]
    text: tuple[Source, ...] = ()
    tagger: Source | None = None
    antonyms: Source | None = None
    tables: tuple[Source, ...] = ()
    evidence: str = "text"
    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    news: tuple[Source, ...] = ()
    substitution: str = "auto"
    path: Path | None = None

    @property
    def sources(self) -> list[Source]:
        """Every source, in order."""
        lexicons = [source for source in (self.tagger, self.antonyms) if source]
        return [*self.bitext, *self.text, *lexicons, *self.tables, *self.news]

    @property
    def has_graph(self) -> bool:
        """Whether the configuration has a ``[graph]`` section."""
        return "graph" in self.options

    @property
    def joined(self) -> list[str]:
        """Names of the tables that join the pivot table in the model, in order."""
        return [
            *(source.name for source in self.tables),
            *(["comparable"] if self.news_for("pairs") else []),
            *(["graph"] if self.has_graph else []),
        ]

    def section(self, name: str) -> Any:
        """The options record of a section, with defaults for missing options."""
        return from_mapping(SECTIONS[name], self.options.get(name, {}), place=f"[{name}]", where=self.path)

    def news_for(self, use: str) -> tuple[Source, ...]:
        """The news used for ``pairs``, or for ``text``."""
        return tuple(source for source in self.news if use in source.use)


def as_config(config: Config | Mapping[str, Any] | str | Path) -> Config:
    """A configuration from a file, or from a mapping with the same keys and values. Paths are relative to the file, or
    to the working folder."""
    if isinstance(config, Config):
        return config
    return parse_config(dict(config), None) if isinstance(config, Mapping) else read_config(config)


def read_config(path: str | Path) -> Config:
    """Read and check a configuration file."""
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("the configuration file does not exist", where=path) from error
    except IsADirectoryError as error:
        raise InputError("expected a TOML file, got a folder", where=path) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected TOML: {error}", where=path) from error
    return parse_config(content, path)


def parse_config(content: dict[str, Any], path: Path | None) -> Config:
    """Check the content of a configuration. ``path`` is its file, for messages and relative paths."""
    _known(content, _KEYS, path, "the configuration")
    bitext = tuple(_source(entry, path, "bitext") for entry in content.get("bitext", []))
    if not bitext:
        raise InputError(
            "expected at least one [[bitext]], got none", where=path, remedy="see docs/training.md"
        )
    language = str(content.get("language", "en"))
    check_language_codes([language], path)
    for source in bitext:
        languages = source.columns or tuple(source.files)
        check_language_codes(languages, path)
        if not source.data and (language not in languages or len(languages) < 2):
            raise InputError(
                f"[[bitext]] {source.name}: expected {language!r} and another language among its columns, "
                f"got {', '.join(languages) or 'none'}",
                where=path,
            )
        if len(set(languages)) < len(languages):
            raise InputError(
                f"[[bitext]] {source.name}: expected each language once, got {', '.join(languages)}",
                where=path,
            )
    news = tuple(_news(entry, path) for entry in content.get("news", []))
    for room in _NEWS_SECTIONS:
        if room in content and not news:
            raise InputError(
                f"[{room}]: expected a [[news]] source, got none", where=path, remedy="remove the section"
            )
    evidence = _choice(content, "evidence", "text", EVIDENCE, path)
    substitution = _choice(content, "substitution", "auto", SUBSTITUTION, path)
    config = Config(
        language,
        bitext,
        tuple(_source(entry, path, "text") for entry in content.get("text", [])),
        _source(content["tagger"], path, "tagger") if "tagger" in content else None,
        _source(content["antonyms"], path, "antonyms") if "antonyms" in content else None,
        _tables(content.get("table", []), path, {"comparable"} if news else set()),
        evidence,
        {name: _section(content[name], name, path) for name in SECTIONS if name in content},
        news,
        substitution,
        path,
    )
    for name in config.options:
        config.section(name)
    return config


def check_language_codes(codes: Iterable[str], where: Path | str | None) -> None:
    """Refuse codes that cannot be part of a file name: codes name folders of the work folder."""
    for code in codes:
        if not _LANGUAGE_CODE.fullmatch(code):
            raise InputError(
                f"expected a language code of at most 40 letters, digits, - and _, got {code!r}",
                where=where,
                remedy="use a code such as en or pt-BR",
            )


def _choice(
    content: Mapping[str, Any], key: str, default: str, choices: tuple[str, ...], path: Path | None
) -> str:
    value = content.get(key, default)
    if value not in choices:
        *most, last = choices
        raise InputError(f"{key}: expected {', '.join(most)} or {last}, got {value!r}", where=path)
    return str(value)


def _base(path: Path | None) -> Path:
    """The folder that paths of a configuration are relative to."""
    return path.parent if path is not None else Path()


def _news(entry: Any, path: Path | None) -> Source:
    """Pages or articles: one path, and their uses."""
    if not isinstance(entry, dict):
        raise FormatError(f"[[news]]: expected a table of keys, got {entry!r}", where=path)
    _known(entry, {"path", "use", "licence", "name"}, path, "[[news]]")
    use = entry.get("use", list(USES))
    if not isinstance(use, list) or not use or any(used_for not in USES for used_for in use):
        raise InputError(f"[[news]] use: expected some of {', '.join(USES)}, got {use!r}", where=path)
    if "path" not in entry:
        raise InputError("[[news]]: expected a path", where=path, remedy="articles.jsonl, or pages")
    place = _base(path) / str(entry["path"])
    if not place.exists():
        raise InputError(f"[[news]]: the file or folder does not exist: {place}", where=path)
    name = str(entry.get("name") or place.name)
    return Source(name, place, licence=str(entry.get("licence", "unknown")), use=tuple(use))


#: Names that tables of a configuration may not have: those of other files beside them.
RESERVED = ("pivot", "graph", "phrases")


def _tables(entries: Any, path: Path | None, taken: set[str]) -> tuple[Source, ...]:
    """Tables built elsewhere or here, each with a distinct name."""
    tables: list[Source] = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise FormatError(f"[[table]]: expected a table of keys, got {entry!r}", where=path)
        kind, options = str(entry.get("kind", "")), entry.get("options", {})
        flags = {"filters": True, "trusted": False}
        for key in flags:
            flags[key] = entry.get(key, flags[key])
            if not isinstance(flags[key], bool):
                raise InputError(f"[[table]] {key}: expected true or false, got {flags[key]!r}", where=path)
        plain = {key: value for key, value in entry.items() if key not in ("kind", "options", *flags)}
        source = _source(plain, path, "table")
        if options and not (kind and isinstance(options, dict)):
            raise InputError(
                "[[table]]: options: expected a table of options, together with kind", where=path
            )
        if not kind:
            if source.path is None:
                raise InputError(
                    "[[table]]: expected a path, or a kind and what to make it of",
                    where=path,
                    remedy="make one with `paraphrast table`",
                )
            assert isinstance(source.path, Path)
            name = table_file_info(source.path).kind
        name = str(entry.get("name") or kind or name)
        if not name.isidentifier() or name in {*RESERVED, *taken, *(table.name for table in tables)}:
            raise InputError(
                f"[[table]]: expected a name of letters, digits and _ that no other table has, got {name!r}",
                where=path,
                remedy='give it one: name = "…"',
            )
        tables.append(
            replace(
                source,
                name=name,
                kind=kind,
                options=dict(options),
                filtered=flags["filters"] and not flags["trusted"],
                trusted=flags["trusted"],
            )
        )
    return tuple(tables)


def _section(entry: Any, room: str, path: Path | None) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise FormatError(f"[{room}]: expected a table of options, got {entry!r}", where=path)
    return dict(entry)


def _source(entry: Any, path: Path | None, kind: str) -> Source:
    if not isinstance(entry, dict):
        raise FormatError(f"[[{kind}]]: expected a table of keys, got {entry!r}", where=path)
    _known(entry, set(_SOURCE_KEYS), path, f"[[{kind}]]")
    for key, value in entry.items():
        if not _is_source_value(key, value):
            raise InputError(
                f"[[{kind}]] {key}: expected {_SOURCE_KEYS[key]}, got {value!r}",
                where=path,
                remedy='columns = ["en", "de"]' if key == "columns" else None,
            )
    given_keys = [key for key in ("path", "files", "data") if key in entry]
    if len(given_keys) != 1:
        raise InputError(
            f"[[{kind}]]: expected one of path, files or data, got {given_keys or 'none'}", where=path
        )
    base = _base(path)
    file = place_of(entry["path"], base) if "path" in entry else None
    files = {language: place_of(name, base) for language, name in entry.get("files", {}).items()}
    for place in ([file] if file else []) + list(files.values()):
        _check_place(place, kind, path)
    lines = entry.get("lines")
    name = (
        entry.get("name")
        or entry.get("data")
        or (file.name if file else "+".join(p.name for p in files.values()))
    )
    return Source(
        str(name),
        file,
        files,
        entry.get("data"),
        tuple(entry.get("columns", ())),
        (lines[0], lines[1]) if lines else None,
        str(entry.get("licence", "unknown")),
    )


def _check_place(place: Place, kind: str, path: Path | None) -> None:
    """A file; bitext and text may also be folders of shards and URLs."""
    if kind not in SHARDED and not isinstance(place, Path):
        raise InputError(
            f"[[{kind}]]: expected a file of this machine, got {place}",
            where=path,
            remedy="only [[bitext]] and [[text]] can have URLs",
        )
    if not is_file(place) and not (kind in SHARDED and is_folder(place)):
        raise InputError(f"[[{kind}]]: the file does not exist: {place}", where=path)


def _is_source_value(key: str, value: Any) -> bool:
    if key == "columns":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if key == "files":
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    if key == "lines":
        return (
            isinstance(value, list)
            and len(value) == 2
            and all(type(number) is int for number in value)
            and 1 <= value[0] <= value[1]
        )
    return isinstance(value, str)


def _known(entry: dict[str, Any], known: set[str], path: Path | None, place: str) -> None:
    unknown = sorted(set(entry) - known)
    if unknown:
        raise InputError(
            f"{place}: unknown key {unknown[0]!r}",
            where=path,
            remedy=f"known keys: {', '.join(sorted(known))}",
        )
