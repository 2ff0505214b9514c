"""A Spark session: found or started, quiet, with the Python path of its workers, and ended again."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from paraphrast._jit import cache_root
from paraphrast.errors import InputError, MissingExtra, ParaphrastError

log = logging.getLogger(__name__)

_LOCAL = re.compile(r"local(\[(\d+|\*)\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_CLUSTER = re.compile(r"spark://([^/\s,:]+:\d+)(,[^/\s,:]+:\d+)*")
#: Seconds to wait for a connection to a master.
PATIENCE = 5.0
#: File for the output of the JVM, in the engine's folder.
LOG_FILE = "spark.log"
#: Settings that the results depend on.
_MEANING = {
    "spark.sql.ansi.enabled": "true",  # overflow is an error, as in DuckDB
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    # A task that died leaves no partial output: files are renamed when all tasks have ended.
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "1",
}


class MissingJava(MissingExtra):
    """Spark without Java."""

    def __init__(self) -> None:
        ParaphrastError.__init__(
            self,
            "the Spark engine needs Java 17 or newer, which was not found",
            remedy="install it (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME",
        )


def is_spark(name: str) -> bool:
    """Whether an engine's name is a Spark master."""
    return name.startswith(("spark:", "local"))


def check_master(master: str) -> None:
    """Fail early: a malformed name, a missing package or Java, or a master that does not answer."""
    if not any(shape.fullmatch(master) for shape in (_LOCAL, _LOCAL_CLUSTER, _CLUSTER)):
        raise InputError(
            f"expected an engine, got {master!r}",
            remedy="duckdb, spark://HOST:PORT, local-cluster[WORKERS,CORES,MEGABYTES] or local[THREADS]",
        )
    try:
        import pyspark  # noqa: F401
        import sqlglot  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"the engine {master}", "spark") from error
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home) / "bin") if home else None) is None:
        raise MissingJava
    if master.startswith("spark://"):
        _check_answer(master)


def _check_answer(master: str) -> None:
    """One of the masters must accept a connection. Spark itself would try for a minute without a message."""
    problem: OSError | None = None
    for place in master.removeprefix("spark://").split(","):
        host, port = place.rsplit(":", 1)
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
            return
        except OSError as error:
            problem = error
    raise InputError(
        f"no Spark master answers at {master}: {problem}",
        remedy="start one (docs/engine.md), or use --engine duckdb",
    )


class _Shared:
    """The application of :func:`application`: its folder, and the session that started it."""

    folder: Path | None = None
    starter: Session | None = None


@contextmanager
def application(folder: Path) -> Iterator[None]:
    """Let all engines that are opened inside share one Spark application, which ends with the block.

    It starts with the first query that needs it. ``folder`` is for its files; it is deleted at the end.
    """
    if _Shared.folder is not None:
        yield
        return
    _Shared.folder = folder
    try:
        yield
    finally:
        starter, _Shared.folder, _Shared.starter = _Shared.starter, None, None
        if starter is not None:
            starter.close()
        if folder.exists():
            shutil.rmtree(folder, ignore_errors=True)


class Session:
    """A new Spark session, or one in the Spark application that the program already runs."""

    def __init__(self, master: str, folder: Path, memory: int | None, threads: int) -> None:
        check_master(master)
        if _Shared.folder is not None:
            folder = _Shared.folder.resolve()
            folder.mkdir(parents=True, exist_ok=True)
        self.log_file = folder / LOG_FILE
        self._gateway: Any = None
        with _quiet():
            from pyspark import SparkContext

            running = SparkContext._active_spark_context  # noqa: SLF001 (there is no other way to ask)
            if running is not None:
                from pyspark.sql import SparkSession

                self.spark = SparkSession(running).newSession()
                for key, value in _MEANING.items():
                    if key.startswith("spark.sql."):
                        self.spark.conf.set(key, value)
            else:
                self.spark = self._start(master, folder, memory, threads)
                if _Shared.folder is not None:
                    _Shared.starter = self
        self.context = self.spark.sparkContext

    def _start(self, master: str, folder: Path, memory: int | None, threads: int) -> Any:
        from pyspark import SparkConf, SparkContext, java_gateway
        from pyspark.sql import SparkSession

        conf = SparkConf(loadDefaults=False)
        for key, value in _settings(master, folder, memory, threads).items():
            conf.set(key, value)
        try:
            with self.log_file.open("ab") as stream, _environment(), _own_interrupt():
                launch: Any = java_gateway.launch_gateway
                self._gateway = launch(conf, {"stdout": stream, "stderr": stream})
                return SparkSession(SparkContext(conf=conf, gateway=self._gateway))
        except KeyboardInterrupt:
            self._end()
            raise
        except Exception as error:
            self._end()
            raise ParaphrastError(
                f"Spark did not start on {master}: {error}\n{self.tail()}",
                remedy="check that Java is 17 or newer and that the cluster has the same version of Spark",
            ) from error

    def cancel(self) -> None:
        """Stop every job of this application."""
        with _quiet(), suppress(Exception):
            self.context.cancelAllJobs()

    def tasks(self) -> tuple[int, int, int] | None:
        """Tasks of the active stages: done, running, total; None if Spark does not report them."""
        done = running = total = 0
        try:
            tracker = self.context.statusTracker()
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info is not None:
                    done += info.numCompletedTasks
                    running += info.numActiveTasks
                    total += info.numTasks
        except Exception:
            return None
        return done, running, total

    def tail(self, lines: int = 8) -> str:
        """The end of the JVM's output."""
        try:
            return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def close(self) -> None:
        """Stop everything started here, including the JVM. An existing or shared application continues."""
        if self._gateway is None or _Shared.starter is self:
            return
        with _quiet(), suppress(Exception):
            self.spark.stop()
        self._end()

    def _end(self) -> None:
        from pyspark import SparkContext

        gateway, self._gateway = self._gateway, None
        if gateway is not None:
            with _quiet(), suppress(Exception):
                gateway.shutdown()
            process = getattr(gateway, "proc", None)
            if process is not None:
                with suppress(OSError):
                    process.stdin.close()
                try:
                    process.wait(timeout=20)
                except Exception:
                    process.kill()
                    process.wait()
            # The next session starts a new JVM.
            SparkContext._gateway = None  # noqa: SLF001
            SparkContext._jvm = None  # noqa: SLF001


def _settings(master: str, folder: Path, memory: int | None, threads: int) -> dict[str, str]:
    """The settings of an application started here. ``spark-defaults.conf`` may add to them."""
    megabytes = max((memory or 2_000_000_000) >> 20, 512)
    local = master.startswith("local")
    settings = {
        "spark.master": _with_threads(master, threads),
        "spark.app.name": "paraphrast",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "WARN",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
        "spark.local.dir": str(folder),
        "spark.driver.memory": f"{megabytes if local else 1024}m",
        "spark.sql.parquet.compression.codec": "zstd",
        # A lost worker is detected within seconds, and the others repeat its work.
        "spark.shuffle.io.retryWait": "1s",
        "spark.stage.maxConsecutiveAttempts": "10",
        **_MEANING,
    }
    cluster = _LOCAL_CLUSTER.fullmatch(master)
    if cluster:
        settings["spark.executor.memory"] = f"{cluster[3]}m"
    elif memory and not local:
        settings["spark.executor.memory"] = f"{megabytes}m"
    if local or re.match(r"spark://(localhost|127\.)", master):
        # On one machine, nothing is visible from outside.
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings | {f"spark.executorEnv.{key}": value for key, value in worker_environment().items()}


def _with_threads(master: str, threads: int) -> str:
    return f"local[{threads}]" if master == "local" else master


def worker_environment() -> dict[str, str]:
    """The environment in which Python workers load this package, including compiled kernels; one thread each."""
    above = str(Path(__file__).resolve().parents[2])
    other_paths = [
        path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != above
    ]
    return {
        "PYTHONPATH": os.pathsep.join([above, *other_paths]),
        "PARAPHRAST_CACHE": str(cache_root()),
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


@contextmanager
def _environment() -> Iterator[None]:
    """Set the interpreter of the workers while Spark starts, which reads it only from the environment."""
    settings: Mapping[str, str] = {
        "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
        "PYTHONPATH": worker_environment()["PYTHONPATH"],
    }
    before = {key: os.environ.get(key) for key in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value


@contextmanager
def _own_interrupt() -> Iterator[None]:
    """Keep the Ctrl-C handler, which Spark would replace. The engine cancels its jobs itself."""
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence warnings in Spark's Python code about unclosed sockets and future changes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
