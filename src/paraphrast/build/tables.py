"""Build a table of any kind: find its inputs, other resources, and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast._options import from_mapping, from_text, options_of
from paraphrast.build.kinds import TABLES
from paraphrast.data.by_language import TAGGED, find_parser
from paraphrast.errors import InputError
from paraphrast.formats.tagged import read_tagged
from paraphrast.tables.resources.kinds import TableJob, TableKind
from paraphrast.text.syntax.tag import Tagger, brown_sentences
from paraphrast.text.truecase import Truecaser
from paraphrast.types import LooseTable

#: Main file of each kind of data that tables are built from.
_FILES = {
    "text": "text.txt.gz", "synonyms": "pairs.tsv.gz", "dictionary": "definitions.tsv.gz",
    "bitext": "bitext.tsv.gz",
}  # fmt: skip


def build_table(
    kind: str,
    inputs: Sequence[str | Path],
    values: Mapping[str, Any] | None = None,
    *,
    language: str = "en",
    model: str | Path | None = None,
    casing: Path | None = None,
    tagger: Path | None = None,
    parser: str | None = None,
    threads: int = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> LooseTable:
    """A table of the named kind.

    inputs: files, or names of data (``moby``), which are fetched. values: options of the kind, by name; text is
    converted to the type of the option. model: a model folder whose casing and tagger to use, so that words have the
    same form; casing, tagger: the same from elsewhere. parser: name or folder of a spaCy model. progress: called
    during long work with a description, the amount done and the total.
    """
    table_kind: TableKind = TABLES.get(kind)()
    options = options_from(kind, table_kind.options, values or {})
    folder = Path(model) if model is not None else None
    if folder is not None and not (folder / "casing.tsv").is_file():
        raise InputError("expected a model folder, with casing.tsv", where=folder)
    if folder is not None:
        casing, tagger = folder / "casing.tsv", folder / "tagger"
    job = TableJob(
        [find_input(entry) for entry in inputs],
        language,
        tagger=find_tagger(tagger) if kind == "chunks" and parser is None else None,
        truecaser=None if casing is None else Truecaser.load(casing),
        parser=find_parser(parser, language) if kind == "thesaurus" else parser,
        threads=threads,
        progress=progress,
    )
    return table_kind.build(job, options)


def find_input(entry: str | Path) -> str | Path:
    """A file unchanged; for a name in the data index, its main file."""
    if str(entry) == "-" or Path(entry).exists():
        if Path(entry).is_file() and Path(entry).stat().st_size == 0:
            raise InputError("the file is empty", where=Path(entry))
        return entry
    resource = data.index().get(str(entry))
    if resource is None:
        raise InputError(
            "there is no such file, and no data of that name",
            where=Path(entry),
            remedy="paraphrast data list",
        )
    if resource.kind not in _FILES:
        raise InputError(f"expected data of one of {', '.join(_FILES)}, got {entry}: {resource.kind}")
    return data.get(str(entry)) / _FILES[resource.kind]


def find_tagger(folder: Path | None) -> Tagger:
    """The tagger of a folder, or one trained now on the tagged corpus of the default model (takes some seconds)."""
    if folder is not None:
        return Tagger.load(folder)
    return Tagger.train(brown_sentences(read_tagged(data.get(TAGGED["en"]) / "tagged.txt.gz")))


def options_from(kind: str, options: type, values: Mapping[str, Any]) -> Any:
    """Options of a kind from names and values. Text is converted to the type of the option."""
    known = {entry.name: entry for entry in options_of(options)}
    read = {
        name: from_text(known[name], value) if isinstance(value, str) and name in known else value
        for name, value in values.items()
    }
    return from_mapping(options, read, place=f"table {kind}")
