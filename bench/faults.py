"""Run a command of paraphrast in a child process, and make something go wrong in it.

Children are forked from this process, which has imported everything but done nothing: a run then takes little more than
its own work. What can go wrong:

- ``kill``: SIGKILL to the command and all its workers, at a moment of its running time;
- ``kill-call``: SIGKILL at the n-th operation on a file of its outputs or its cache (opening, renaming, removing …);
- ``error-call``: that operation fails with EIO, ENOSPC, EACCES or EMFILE instead;
- ``file-size``: no file may grow beyond n bytes (``ulimit -f``);
- ``full``: the disk of the outputs or of the cache has n bytes (a small tmpfs; needs root);
- ``read-only``: that disk is read-only (needs root);
- ``fiu``: writes, synchronisations and renames fail at random in the C library (libfiu, if ``fiu-run`` and a C compiler
  are installed; see ``_REALLOC``).
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_EVENTS = {
    *("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.listdir", "os.scandir", "os.truncate"),
    *("os.chmod", "os.link", "os.symlink", "shutil.rmtree", "tempfile.mkdtemp"),
}
ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EMFILE)
ANYWHERE = ("kill", "kill-call", "error-call", "file-size")
MOUNTED = ("full", "read-only")
KINDS = (*ANYWHERE, *MOUNTED, "fiu")
_FIU = ("posix/io/rw/write", "posix/io/rw/pwrite", "posix/io/sync/fsync", "posix/io/dir/rename")
#: libfiu replaces ``realloc`` by a function with a thread-local variable. glibc calls ``realloc`` to make room for such
#: variables when a thread first uses a library that was loaded after the thread began. The second call comes within the
#: first, and both free the same memory: "double free detected". So the C library's own ``realloc`` is put before it.
_REALLOC = """
#include <stddef.h>
extern void *__libc_realloc(void *, size_t);
void *realloc(void *old, size_t size) { return __libc_realloc(old, size); }
"""


@dataclass(frozen=True)
class Fault:
    """kind: of KINDS. amount: seconds, number of the operation, or bytes. disk: ``out`` or ``cache``. code: errno."""

    kind: str
    amount: float = 0
    disk: str = "out"
    code: int = errno.EIO


@dataclass(frozen=True)
class Outcome:
    """code: exit code, negative for a signal. operations: on files of the outputs and the cache, if counted."""

    code: int
    text: str
    seconds: float
    operations: int = 0
    cpu_seconds: float = 0

    @property
    def is_clear(self) -> bool:
        """Whether the command succeeded, was killed, or ended with a message instead of a traceback."""
        if "lost sys.stderr" in self.text:  # libfiu hit the message itself
            return True
        if "Traceback (most recent call last)" in self.text:
            return False
        return self.code in (0, -signal.SIGKILL) or "paraphrast: " in self.text


def preload() -> None:
    """Import what commands need."""
    import duckdb
    import numba
    import scipy.sparse
    import trafilatura

    import paraphrast.acquire.extractors
    import paraphrast.cli.app
    import paraphrast.training
    import paraphrast.training.stages

    del duckdb, numba, scipy, trafilatura, paraphrast


def run(
    arguments: Sequence[str], place: Path, environment: dict[str, str], fault: Fault | None = None
) -> Outcome:
    """Run a command in the folder ``place``, whose ``out`` and ``cache`` it writes to."""
    began = time.monotonic()
    log = place / "log"
    if fault is not None and fault.kind == "fiu":
        code = _run_with_fiu(arguments, place, environment, fault, log)
        return Outcome(code, log.read_text(errors="replace"), time.monotonic() - began)
    child = os.fork()
    if child == 0:
        _be_child(arguments, place, environment, fault, log)
    killer = None
    if fault is not None and fault.kind == "kill":
        killer = threading.Timer(fault.amount, _kill_group, [child])
        killer.start()
    try:
        _, status, used = os.wait4(child, 0)
    except BaseException:  # the harness is stopped: the command must not go on writing
        _kill_group(child)
        raise
    seconds = time.monotonic() - began
    if killer is not None:
        killer.cancel()
        killer.join()
    _kill_group(child)  # workers that outlived the command
    counted = place / "operations"
    operations = int(counted.read_text() or 0) if counted.exists() else 0
    text = log.read_text(errors="replace") if log.exists() else ""
    cpu_seconds = used.ru_utime + used.ru_stime
    return Outcome(os.waitstatus_to_exitcode(status), text, seconds, operations, cpu_seconds)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _be_child(
    arguments: Sequence[str], place: Path, environment: dict[str, str], fault: Fault | None, log: Path
) -> None:
    code = 70
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.environ.update(environment)
        os.chdir(place)
        sys.argv = ["paraphrast", *arguments]
        from paraphrast.cli import run as run_command

        counter = _watch(place, fault)
        try:
            result = run_command(list(arguments))
            code = result if isinstance(result, int) else 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:
            traceback.print_exc()
            code = 1
        counter["limit"] = -1
        sys.stdout.flush()
        sys.stderr.flush()
        import atexit

        atexit._run_exitfuncs()
        if fault is None:
            (place / "operations").write_text(str(counter["count"]))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _watch(place: Path, fault: Fault | None) -> dict[str, int]:
    """Count operations on files, and let the fault happen. ``limit``: the operation it happens at, from 1."""
    counter = {"count": 0, "limit": -1}
    watched = (str(place / "out"), str(place / "cache"), "out", "cache")
    if fault is not None and fault.kind == "file-size":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(fault.amount), resource.RLIM_INFINITY))
    if fault is not None and fault.kind in ("kill-call", "error-call"):
        counter["limit"] = int(fault.amount)

    def hook(event: str, values: tuple[Any, ...]) -> None:
        if event not in _EVENTS or not values or not isinstance(values[0], str | bytes | os.PathLike):
            return
        if not os.fsdecode(values[0]).startswith(watched):
            return
        counter["count"] += 1
        if counter["count"] == counter["limit"]:
            assert fault is not None
            if fault.kind == "kill-call":
                os.killpg(0, signal.SIGKILL)
            raise OSError(fault.code, os.strerror(fault.code), values[0])

    sys.addaudithook(hook)
    return counter


def has_fiu() -> bool:
    """Whether libfiu's ``fiu-run`` and a C compiler are installed."""
    return shutil.which("fiu-run") is not None and shutil.which("cc") is not None


def _own_realloc(folder: Path) -> Path:
    library = folder / "realloc.so"
    if not library.exists():
        (folder / "realloc.c").write_text(_REALLOC)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "realloc.c"], check=True)
    return library


def _run_with_fiu(
    arguments: Sequence[str], place: Path, environment: dict[str, str], fault: Fault, log: Path
) -> int:
    """Failing calls of the C library. ``amount``: probability of each."""
    command = ["fiu-run", "-x"]
    for name in _FIU:
        command += ["-c", f"enable_random name={name},probability={fault.amount},failinfo={fault.code}"]
    command += ["sh", "-c", 'LD_PRELOAD="$0 $LD_PRELOAD" exec "$@"', str(_own_realloc(place.parent))]
    command += [sys.executable, "-m", "paraphrast", *arguments]
    with log.open("wb") as stream:
        done = subprocess.run(
            command,
            cwd=place,
            env={**os.environ, **environment, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        stream.write(done.stderr)
    return done.returncode


def can_mount() -> bool:
    """Whether this process may mount a tmpfs."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=False, capture_output=True)
        if done.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        return done.returncode == 0


@contextlib.contextmanager
def disk(folder: Path, fault: Fault, kernels: Path | None = None) -> Iterator[None]:
    """A full or read-only disk at ``folder`` during the block, which becomes a good one when the block ends.

    kernels: compiled kernels that the folder links to, if it is the cache. The caller unmounts the disk.
    """
    size = max(int(fault.amount), 4096) if fault.kind == "full" else 1 << 28
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    if folder.name == "cache" and kernels is not None:
        (folder / "kernels").symlink_to(kernels)
    if fault.kind == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", f"remount,rw,size={1 << 28}", folder], check=True)


def unmount(folder: Path) -> None:
    """Unmount, if something is mounted."""
    if os.path.ismount(folder):
        subprocess.run(["umount", "-l", folder], check=True)
