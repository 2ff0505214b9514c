"""Many clusters at a time: reading and preparing them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text
from paraphrast.pipeline.fusing import Prepared, prepare
from paraphrast.text.syntax import Parser


@dataclass(frozen=True)
class NamedCluster:
    """Sentences under a name."""

    name: str
    sentences: tuple[str, ...]


def read_clusters(path: str | Path) -> list[NamedCluster]:
    """The clusters of a file, by its name's ending (compressed or not).

    ``.jsonl``: an object a line with ``sentences`` and perhaps ``cluster``. ``.tsv``: a cluster a line, a
    sentence a column. Anything else: one cluster, a sentence a line.
    """
    bare = str(path)
    for ending in (".gz", ".xz", ".zst"):
        bare = bare.removesuffix(ending)
    with open_text(path) as reader:
        if bare.endswith(".jsonl"):
            return list(_objects(path, reader))
        if bare.endswith(".tsv"):
            return [
                NamedCluster(str(number), tuple(line.split("\t"))) for number, line in enumerate(reader, 1)
            ]
        return [NamedCluster(Path(bare).stem if bare != "-" else "-", tuple(reader))]


def _objects(path: str | Path, lines: Iterable[str]) -> Iterator[NamedCluster]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            sentences = value["sentences"]
            if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
                raise TypeError("sentences are not a list of texts")
            name = str(value.get("cluster", number))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(
                f"expected an object with a list of sentences: {error!r}", where=At(path, number)
            ) from error
        yield NamedCluster(name, tuple(sentences))


def prepare_all(
    clusters: Sequence[NamedCluster],
    *,
    language: str = "en",
    parser: Parser | None = None,
    pretokenized: bool = False,
) -> list[Prepared]:
    """Tokenise and parse clusters; an empty one is refused by its name."""
    found = []
    for cluster in clusters:
        try:
            found.append(
                prepare(cluster.sentences, language=language, parser=parser, pretokenized=pretokenized)
            )
        except InputError as error:
            raise InputError(f"cluster {cluster.name}: {error.message}", remedy=error.remedy) from error
    return found
