"""Rewrites a file of texts: reads records, rewrites them in batches, writes them in order, and can be resumed."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from paraphrast._progress import Tally
from paraphrast._version import __version__
from paraphrast.cli._support import rewrites
from paraphrast.cli._support.options import RewriteFormat, report
from paraphrast.cli._support.resume import Checkpoints, checkpoints
from paraphrast.errors import InputError
from paraphrast.formats.files import atomic_write
from paraphrast.formats.records import (
    CSV,
    JSONL,
    KINDS,
    LINES,
    TSV,
    Record,
    RecordReader,
    RecordWriter,
    kind_of,
)
from paraphrast.formats.signature import signature_of
from paraphrast.model import load
from paraphrast.types.results import COLOURED, PLAIN, shows_colour

if TYPE_CHECKING:
    from paraphrast.model.control import Control
    from paraphrast.model.paraphraser import Paraphraser

#: Most texts handed to the model at once. A run can be resumed after each such batch.
CHUNK = 512
#: Texts for which -v measures the loss of the beam.
SAMPLE = 100
#: Rewrites tried for each sentence of a document: one must keep the line breaks.
DOCUMENT_N = 5


class FileRewrite:
    """How a file is read, rewritten and written. Everything is checked before a model is loaded."""

    def __init__(
        self,
        path: str,
        kind: str | None,
        field: str | None,
        *,
        document: bool,
        into: str,
        header: bool,
        output: str,
        format: RewriteFormat | None,
        originals: bool,
        quiet: bool,
    ) -> None:
        if kind not in (None, *KINDS):
            raise InputError(f"--from: expected {', '.join(KINDS)}, got {kind!r}")
        if document and format in (RewriteFormat.records, RewriteFormat.json):
            raise InputError(f"--document: expected --format plain or text, got {format.value}")
        self.path, self.output, self.originals, self.quiet = path, output, originals, quiet
        self.into, self.header = into, header
        self.document = document
        self.reader = RecordReader(path, LINES if document else kind, field, header=header)
        target = kind_of(output)
        self.kind = target if target != LINES else self.reader.kind
        if format is None:
            format = RewriteFormat.plain if self.document else RewriteFormat.text
            if not self.document and self.kind != LINES:
                format = RewriteFormat.records
        self.format = format
        self.records: RecordWriter | None = None
        if format is RewriteFormat.records:
            self.records = self._record_writer()
        if self.reader.chosen and len(self.reader.names) > 1 and not quiet:
            report(f"Rewriting the field {self.reader.field!r}")

    def _record_writer(self) -> RecordWriter:
        try:
            return RecordWriter(self.reader, JSONL if self.kind == LINES else self.kind, self.into)
        except BaseException:
            self.reader.close()
            raise

    def _writer(self) -> rewrites.Writer:
        colour = self.output == "-" and shows_colour()
        if self.document:
            marks = COLOURED if colour else PLAIN if self.format is RewriteFormat.text else ("", "")
            return rewrites.document_writer(*marks)
        if self.records is not None:
            return rewrites.records_writer(self.records, originals=self.originals)
        if self.format is RewriteFormat.json:
            has_fields = self.reader.kind in (CSV, TSV, JSONL)
            return rewrites.json_writer(originals=self.originals, unchanged=True, fields=has_fields)
        if self.format is RewriteFormat.plain:
            return rewrites.plain_writer(originals=self.originals, unchanged=True)
        return rewrites.text_writer(colour=colour, source=True)

    def _key(self, model: Paraphraser, control: Control) -> str:
        """Identifies a run: with the same key and the same input, the output has the same bytes."""
        reading = [self.reader.kind, self.reader.field, self.document, self.header]
        writing = [self.format.value, self.kind, self.into, self.originals]
        return signature_of([__version__, model.signature, repr(control), reading, writing])

    def _records(self, model: Paraphraser) -> Iterator[Record]:
        """The texts to rewrite."""
        from paraphrast.text.document import document_pieces

        if not self.document:
            yield from self.reader
            return
        lines = (record.text for record in self.reader)
        for number, (before, sentence) in enumerate(document_pieces(lines, model.language), 1):
            yield Record(number, sentence, {"before": before})

    def run(self, name: str, control: Control, *, threads: int, verbose: bool) -> None:
        """Rewrite the file."""
        try:
            self._run(load(name), control, threads=threads, verbose=verbose)
        finally:
            self.reader.close()

    def _run(self, model: Paraphraser, control: Control, *, threads: int, verbose: bool) -> None:
        if self.document:
            control = replace(control, n=DOCUMENT_N)
        sample: list[str] | None = [] if verbose and control.beam and control.strength else None
        whole_files = all(
            path != "-" and (Path(path).is_file() or not Path(path).exists())
            for path in (self.path, self.output)
        )
        if whole_files:
            self._with_checkpoints(model, control, threads, sample)
        else:
            self._straight(model, control, threads, sample)
        if verbose:
            report_loss(model, sample or [], control, threads)

    def _straight(self, model: Paraphraser, control: Control, threads: int, sample: list[str] | None) -> None:
        """From or to a pipe: each text is answered as soon as it has come."""
        with atomic_write(self.output) as stream:
            if self.records is not None:
                self.records.begin(stream)
            for _ in self._rewrite(_chunks(self._records(model)), stream, model, control, threads, sample):
                pass

    def _with_checkpoints(
        self, model: Paraphraser, control: Control, threads: int, sample: list[str] | None
    ) -> None:
        """From file to file: an interrupted run can be resumed."""
        with checkpoints(self.output, self._key(model, control)) as run:
            records = self._records(model)
            if run.done and not run.skip(records):
                run.restart()
                self.reader = RecordReader(
                    self.path, self.reader.kind, None if self.document else self._field(), header=self.header
                )
                records = self._records(model)
            if run.done and not self.quiet:
                report(f"Resuming after {run.done:,} texts")
            run.open()
            if self.records is not None and not run.done:
                self.records.begin(run.text)
            chunks = iter(lambda: list(islice(records, CHUNK)), [])
            for chunk, done in self._rewrite(chunks, run.text, model, control, threads, sample, run):
                run.reach(chunk, done)

    def _field(self) -> str | None:
        return None if self.reader.kind == LINES else self.reader.field

    def _rewrite(
        self,
        chunks: Iterator[list[Record]],
        stream: TextIO,
        model: Paraphraser,
        control: Control,
        threads: int,
        sample: list[str] | None,
        run: Checkpoints | None = None,
    ) -> Iterator[tuple[list[Record], int]]:
        """Write the results of each chunk; gives the chunk and the number of records done after it."""
        write, done, rewritten = self._writer(), run.done if run else 0, 0
        to_screen = self.output == "-" and sys.stdout.isatty()
        total = _line_count(self.path) if not self.document else None
        with Tally("texts", shown=False if self.quiet or to_screen else None) as tally:
            for chunk in chunks:
                texts = [record.text for record in chunk]
                if sample is not None:
                    sample += texts[: SAMPLE - len(sample)]
                results_of = model.paraphrase_many(texts, control, threads=threads)
                for record, results in zip(chunk, results_of, strict=True):
                    write(stream, record, results)
                    if self.output == "-":
                        stream.flush()
                    done, rewritten = done + 1, rewritten + bool(results)
                    tally.reached(done, total)
                yield chunk, done
        if self.output != "-" and not self.quiet and not self.document:
            some = f", {rewritten:,} with a paraphrase" if not (run and run.done) else ""
            report(f"{done:,} texts{some} → {self.output}")


def _line_count(path: str) -> int | None:
    """The number of lines of a plain file, for the progress bar; None for pipes and compressed files."""
    if path == "-" or not Path(path).is_file() or path.lower().endswith((".gz", ".xz", ".zst")):
        return None
    with open(path, "rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b"")) or None


def report_loss(model: Paraphraser, sample: list[str], control: Control, threads: int) -> None:
    """For -v: the loss of the beam, and the signature of the model."""
    if sample and control.beam and control.strength:
        loss = model.loss(sample, control, threads=threads)
        report(
            f"beam {control.beam}: the best paraphrase scores {loss.mean:.4f} below exact search on average; "
            f"worse for {loss.share:.1%} of {loss.items} texts, {loss.missed} without any"
        )
    report(model.signature)


def _chunks(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Records in lists of what has come so far: a slow pipe is answered line by line, a file in batches.

    A thread reads ahead; whatever it meets, the end or an error, it hands over in its place.
    """
    ready: queue.Queue[Record | BaseException | None] = queue.Queue(maxsize=4 * CHUNK)

    def read() -> None:
        try:
            for record in records:
                ready.put(record)
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    threading.Thread(target=read, daemon=True).start()
    while True:
        chunk: list[Record] = []
        item = ready.get()
        while item is not None and not isinstance(item, BaseException):
            chunk.append(item)
            if len(chunk) == CHUNK or ready.empty():
                break
            item = ready.get()
        if chunk:
            yield chunk
        if isinstance(item, BaseException):
            raise item
        if item is None:
            return
