"""How `paraphrast paraphrase` writes its results: for people, as plain lines, records, JSON or a document."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from paraphrast.types.results import COLOURED, PLAIN, ParaphraseList

if TYPE_CHECKING:
    from paraphrast.formats.records import Record, RecordWriter
    from paraphrast.types import Paraphrase

#: Writes the results of one record.
Writer = Callable[[TextIO, "Record", "Sequence[Paraphrase]"], None]


def text_writer(*, colour: bool, source: bool) -> Writer:
    """Rank, score and the text with its edits in brackets; ``source``: after the input; a blank line ends them."""

    def write(stream: TextIO, record: Record, results: Sequence[Paraphrase]) -> None:
        if source:
            print(record.text, file=stream)
        if source and not results and record.text.strip():
            print("     (no paraphrase)", file=stream)
        write_text(stream, results, colour, several=source)

    return write


def write_text(stream: TextIO, results: Sequence[Paraphrase], colour: bool, *, several: bool) -> None:
    """Rank, score and the text with its edits in brackets; a blank line after each of several texts."""
    for rank, result in enumerate(results, 1):
        line = ParaphraseList([result]).shown(*(COLOURED if colour else PLAIN))
        print(f"{rank:3d}{line[3:]}", file=stream)
        if result.features is not None:
            values = (f"{name} {value:.2f}" for name, value in result.features.items() if value)
            print(f"             {', '.join(values)}", file=stream)
    if several:
        print(file=stream)


def plain_writer(*, originals: bool, unchanged: bool) -> Writer:
    """One rewrite per line and nothing else; ``unchanged``: a text without a rewrite is written as it is."""

    def write(stream: TextIO, record: Record, results: Sequence[Paraphrase]) -> None:
        texts = [result.text for result in results]
        if originals or (unchanged and not texts):
            texts.insert(0, record.text)
        for text in texts:
            print(" ".join(text.splitlines()), file=stream)

    return write


def json_writer(*, originals: bool, unchanged: bool, fields: bool) -> Writer:
    """One object per result; rank 0 is the text itself, which is also written if it has no other result.

    fields: add the fields of the record that the text comes from.
    """

    def write(stream: TextIO, record: Record, results: Sequence[Paraphrase]) -> None:
        def put(rank: int, values: dict[str, Any]) -> None:
            row = {"line": record.number, "rank": rank, **values}
            if fields:
                row["fields"] = dict(record.fields)
            print(json.dumps(row, ensure_ascii=False), file=stream)

        if originals or (unchanged and not results):
            put(0, {"source": record.text, "text": record.text, "score": 0.0, "edits": []})
        for rank, result in enumerate(results, 1):
            put(rank, result.to_dict())

    return write


def records_writer(writer: RecordWriter, *, originals: bool) -> Writer:
    """One row per result, with all fields of the input; rank 0 is the text itself."""

    def write(stream: TextIO, record: Record, results: Sequence[Paraphrase]) -> None:
        if originals or not results:
            writer.write(stream, record, record.text, 0)
        for rank, result in enumerate(results, 1):
            writer.write(stream, record, result.text, rank)

    return write


def document_writer(opening: str, closing: str) -> Writer:
    """Each sentence rewritten in its place. A rewrite that would remove a line break is not used."""

    def write(stream: TextIO, record: Record, results: Sequence[Paraphrase]) -> None:
        stream.write(record.fields["before"])
        best = next((result for result in results if _keeps_lines(result)), None)
        stream.write(record.text if best is None else best.marked(opening, closing))

    return write


def _keeps_lines(result: Paraphrase) -> bool:
    return not any("\n" in edit.before for edit in result.edits)
