"""Sources of a configuration → lines: the only place where training reads files and named corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.bitext import Bitext, column_blocks, file_blocks, read_columns, read_files
from paraphrast.formats.files import open_text
from paraphrast.formats.shards import open_source, source_hash
from paraphrast.formats.signature import file_hash, signature_of
from paraphrast.formats.storage import Place
from paraphrast.training.config import Config, Source, check_language_codes


def languages_of(source: Source) -> tuple[str, ...]:
    """The languages of a bitext, in the order of its columns."""
    if source.data:
        languages = tuple(data.index()[source.data].languages)
        check_language_codes(languages, source.data)
        return languages
    return source.columns or tuple(source.files)


def pivot_languages(config: Config) -> list[str]:
    """Every other language of the bitext, in order of first mention."""
    languages: dict[str, None] = {}
    for source in config.bitext:
        languages.update(dict.fromkeys(lang for lang in languages_of(source) if lang != config.language))
    return list(languages)


def file_of(source: Source, name: str) -> Place:
    """The file, folder or URL of a source that has one; ``name`` is the file of a named corpus."""
    if source.path:
        return source.path
    if source.data:
        return data.get(source.data) / name
    raise InputError(f"{source.name}: expected one file")


def local_file(source: Source, name: str) -> Path:
    """Like :func:`file_of`, for sources that the configuration allows on this machine only."""
    path = file_of(source, name)
    assert isinstance(path, Path)
    return path


def read_bitext(source: Source, wanted: Sequence[str], *, skip_bad: bool = False) -> Bitext:
    """The sentences of a bitext in the given languages."""
    first, last = source.lines or (1, None)
    if source.files:
        paths = {language: source.files[language] for language in wanted}
        return read_files(paths, first=first, last=last, skip_bad=skip_bad)
    path = file_of(source, "bitext.tsv.gz")
    return read_columns(path, languages_of(source), wanted=wanted, first=first, last=last, skip_bad=skip_bad)


def bitext_blocks(source: Source, bad: list[At], *, size: int, skip_bad: bool = False) -> Iterator[Bitext]:
    """Like :func:`read_bitext` for all languages, at most ``size`` lines at a time."""
    first, last = source.lines or (1, None)
    limits: dict[str, Any] = {"first": first, "last": last, "skip_bad": skip_bad, "bad": bad, "size": size}
    if source.files:
        blocks = file_blocks(source.files, **limits)
    else:
        languages = languages_of(source)
        blocks = column_blocks(file_of(source, "bitext.tsv.gz"), languages, wanted=languages, **limits)
    empty = True
    for block in blocks:
        empty = False
        yield block
    if empty:
        read_bitext(source, languages_of(source), skip_bad=skip_bad)  # reports that there is nothing


def read_text(source: Source, *, skip_bad: bool = False, bad: list[At] | None = None) -> list[str]:
    """The lines of a text without empty ones. skip_bad: skip malformed lines and add their places to ``bad``."""
    return list(text_lines(source, skip_bad=skip_bad, bad=bad))


def text_lines(source: Source, *, skip_bad: bool = False, bad: list[At] | None = None) -> Iterator[str]:
    """Like :func:`read_text`, one line at a time."""
    path = file_of(source, "text.txt.gz")
    first, last = source.lines or (1, None)
    empty = True
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    with open_source(path, mark_bad=skip_bad) as reader:
        for number, line in enumerate(reader, 1):
            if last is not None and number > last:
                break
            if number < first:
                continue
            if "\x00" in line:
                bad_lines.add("expected text, got binary data (a NUL byte)", At(reader.name, reader.line))
            elif line.strip():
                empty = False
                yield line.strip()
    if empty:
        raise InputError("expected text, got an empty file", where=str(path))


def tagged_file(source: Source) -> Path:
    """The file of a tagged corpus."""
    return local_file(source, "tagged.txt.gz")


def read_pairs(source: Source) -> list[tuple[str, str]]:
    """Word pairs (antonyms), two columns separated by a tab."""
    path = local_file(source, "pairs.tsv.gz")
    pairs = []
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            cells = line.split("\t")
            if len(cells) < 2:
                raise FormatError(
                    f"expected two columns separated by a tab, got {len(cells)}", where=At(path, number)
                )
            pairs.append((cells[0], cells[1]))
    return pairs


def provenance(source: Source) -> dict[str, Any]:
    """Name, hashes and licence of a source, for signatures and the manifest."""
    if source.kind:
        return {"kind": source.kind, "options": source.options, **provenance(replace(source, kind=""))}
    if source.data:
        return {"lines": source.lines, **data.provenance(source.data)}
    if source.use:
        assert isinstance(source.path, Path)
        return {
            "name": source.name,
            "licence": source.licence,
            "use": list(source.use),
            "sha256": [_files_hash(source.path)],
        }
    return {
        "name": source.name,
        "licence": source.licence,
        "lines": source.lines,
        "columns": list(source.columns or source.files),
        "sha256": [source_hash(path) for path in source.paths],
    }


def _files_hash(path: Path) -> str:
    """One hash of the contents and names of all files with pages or articles."""
    from paraphrast.acquire.pages import page_files

    return signature_of([[name, file_hash(file)] for name, file in page_files(path)])
