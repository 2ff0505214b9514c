"""The output of a long run: written under a temporary name, with a checkpoint, so that the same command can go on.

While a run writes ``OUT``, ``OUT.unfinished`` has the output so far. ``OUT.unfinished.json`` says how far it is: a hash
of the options, the number of records done, a hash of these records, and the size of the output. A run with the same
options that finds both reads the same records again, without rewriting them, cuts ``OUT.unfinished`` to that size, and
goes on. The bytes are those of a run that was not interrupted.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from paraphrast.errors import InputError
from paraphrast.formats.files import atomic_write_bytes, write_errors
from paraphrast.formats.lock import locked, stamp
from paraphrast.formats.records import Record

#: What an interrupted run says; set while there is something to resume.
interrupted_message: str | None = None

_PACKED = (".gz", ".xz", ".zst")


class Checkpoints:
    """How far a run is. ``done``: records that an earlier run has done."""

    def __init__(self, target: Path, key: str) -> None:
        self._part = target.with_name(f"{target.name}.unfinished")
        self._note = target.with_name(f"{target.name}.unfinished.json")
        self._key = key
        self._digest = hashlib.sha256()
        self._stream: BinaryIO | None = None
        self.text: TextIO = io.StringIO()
        self.done, self._size, self._expected = self._read()
        self.saved = self.done

    def _read(self) -> tuple[int, int, str]:
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            done, size, records = int(note["done"]), int(note["size"]), str(note["records"])
            if note["key"] == self._key and self._part.stat().st_size >= size:
                return done, size, records
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0, 0, ""

    def skip(self, records: Iterator[Record]) -> bool:
        """Read the records that are done already; False if they are not the same ones."""
        for _ in range(self.done):
            record = next(records, None)
            if record is None:
                return False
            self._add(record)
        return not self.done or self._digest.hexdigest() == self._expected

    def restart(self) -> None:
        """Forget the earlier run."""
        self.done = self.saved = self._size = 0
        self._digest = hashlib.sha256()

    def open(self) -> None:
        """Open the unfinished output where the earlier run ended."""
        self._stream = self._part.open("r+b" if self.done else "w+b")
        self._stream.truncate(self._size)
        self._stream.seek(self._size)
        self.text = io.TextIOWrapper(self._stream, encoding="utf-8", newline="\n")

    def reach(self, records: Iterable[Record], done: int) -> None:
        """Note that these records are done, the last of them number ``done``."""
        assert self._stream is not None
        for record in records:
            self._add(record)
        self.text.flush()
        os.fsync(self._stream.fileno())
        note = {
            "key": self._key,
            "done": done,
            "records": self._digest.hexdigest(),
            "size": self._stream.tell(),
        }
        temporary = self._note.with_name(f".{self._note.name}.{stamp()}.tmp")
        temporary.write_text(json.dumps(note) + "\n", encoding="utf-8")
        os.replace(temporary, self._note)
        self.saved = done

    def _add(self, record: Record) -> None:
        fields = json.dumps([record.text, dict(record.fields)], ensure_ascii=False, sort_keys=True)
        self._digest.update(fields.encode("utf-8", "surrogatepass") + b"\n")

    def finish(self, target: Path) -> None:
        """Give the whole output its name, compressed if its suffix says so."""
        assert self._stream is not None
        self.text.flush()
        os.fsync(self._stream.fileno())
        self.close()
        if target.suffix.lower() in _PACKED:
            with atomic_write_bytes(target) as packed, self._part.open("rb") as whole:
                shutil.copyfileobj(whole, packed)
            self._part.unlink()
        else:
            os.replace(self._part, target)
        self._note.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the unfinished output."""
        with contextlib.suppress(OSError, ValueError, UnicodeEncodeError):
            self.text.close()

    def remove(self) -> None:
        """Remove the unfinished output."""
        self._part.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)


@contextlib.contextmanager
def checkpoints(path: str | Path, key: str) -> Iterator[Checkpoints]:
    """Write ``path`` with checkpoints. After an error or an interrupt, the run can be resumed."""
    global interrupted_message
    target = Path(os.path.realpath(path))
    lock = target.with_name(f".{target.name}.lock")
    with write_errors(target), locked(lock, wait=False) as held:
        if not held:
            raise InputError(
                "another run is writing this file", where=target, remedy="wait for it, or choose another name"
            )
        run = Checkpoints(target, key)
        try:
            yield run
            run.finish(target)
        except BaseException as error:
            run.close()
            if run.saved:
                said = f"{run.saved:,} texts are done; run the same command again to resume"
                interrupted_message = said
                if isinstance(error, InputError):
                    error.remedy = f"{error.remedy}\n  {said}" if error.remedy else said
            else:
                run.remove()
            raise
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()
