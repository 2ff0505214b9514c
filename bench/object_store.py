"""Training through the network: workers that share nothing with the driver, or with each other, but an object store.

    python bench/object_store.py --data FOLDER --lines 2000 [--workers 2] [--kill 20] [--server moto_server]

An S3 store on loopback (``pip install 'moto[server]'``, best in an environment of its own: ``--server`` names the
program) gets the bitext in shards. The driver and the workers are separate processes, each with a private folder, and
reach the store through pyarrow. Python in a worker cannot open files of the others: an audit hook makes that an error.
The driver writes a task to the store; a worker fetches the files that the task names, works, sends back the files that
it wrote, and last a record of them, which makes them count. Queries run in the driver's DuckDB. ``--kill N`` kills one
worker when N tasks are done; its open tasks go to the others.
The model is compared with one trained on the same shards here: every file, by its bytes. JSON on standard output.
"""

from __future__ import annotations

import argparse
import atexit
import dataclasses
import io
import itertools
import json
import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from common import COLUMNS, CORPUS, MEGA, machine, rounded
from paraphrast.engine import Engine
from spark import same_files

BUCKET = "paraphrast"
POLL = 0.2
#: Files of the driver's folder that are no concern of workers.
PRIVATE = ("lock", "duckdb_temp")


class Store:
    """Part of the store, mirrored in a private folder. Counts requests and bytes."""

    def __init__(self, prefix: str, folder: Path) -> None:
        from pyarrow import fs  # type: ignore[import-untyped]

        endpoint = os.environ["AWS_ENDPOINT_URL"]
        self.fs = fs.S3FileSystem(endpoint_override=endpoint, allow_bucket_creation=True)
        self.selector = fs.FileSelector
        self.prefix, self.folder = f"{BUCKET}/{prefix}", folder
        self.known: dict[str, tuple[int, int]] = {}
        self.seen: dict[str, Any] = {}
        self.traffic: Counter[str] = Counter()

    def put(self, key: str, content: bytes) -> None:
        """Write one object."""
        with self.fs.open_output_stream(f"{self.prefix}/{key}", compression=None) as stream:
            stream.write(content)
        self.traffic.update(put=1, bytes_put=len(content))

    def get(self, key: str) -> bytes:
        """Read one object."""
        with self.fs.open_input_file(f"{self.prefix}/{key}") as stream:
            content = bytes(stream.read())
        self.traffic.update(got=1, bytes_got=len(content))
        return content

    def listed(self, key: str, *, recursive: bool = False) -> list[Any]:
        """The objects and folders under a key."""
        self.traffic.update(listed=1)
        return list(
            self.fs.get_file_info(
                self.selector(f"{self.prefix}/{key}", allow_not_found=True, recursive=recursive)
            )
        )

    def send(self) -> list[str]:
        """Send new and changed files of the folder, delete removed ones; returns the keys that were sent."""
        state = local_files(self.folder)
        changed = [key for key, stamp in state.items() if self.known.get(key) != stamp]
        for key in changed:
            self.put(key, (self.folder / key).read_bytes())
        for key in self.known.keys() - state.keys():
            self.fs.delete_file(f"{self.prefix}/{key}")
        self.known = state
        return changed

    def fetch(self, keys: Sequence[str]) -> None:
        """Fetch single objects."""
        for key in keys:
            path = self.folder / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.get(key))
            self.known[key] = stamp_of(path)

    def fetch_named(self, place: str) -> None:
        """Fetch what lies at a path that a task names, or beside it with another suffix, unless it is here already."""
        parent, _, name = place.rpartition("/")
        for info in self.listed(parent):
            if info.base_name != name and not info.base_name.startswith(f"{name}."):
                continue
            key = info.path.removeprefix(f"{self.prefix}/")
            files = (
                [info] if info.is_file else [one for one in self.listed(key, recursive=True) if one.is_file]
            )
            for one in files:
                key, version = one.path.removeprefix(f"{self.prefix}/"), (one.size, one.mtime_ns)
                if self.seen.get(key) != version:
                    self.fetch([key])
                    self.seen[key] = version


def stamp_of(path: Path) -> tuple[int, int]:
    """What changes when a file changes."""
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def local_files(folder: Path) -> dict[str, tuple[int, int]]:
    """The files below a folder, by their relative names."""
    return {
        path.relative_to(folder).as_posix(): stamp_of(path)
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(PRIVATE)
    }


def moved(value: Any, old: str, new: str, named: list[str] | None = None) -> Any:
    """A task or result with the paths below ``old`` put below ``new``; ``named`` collects them, relative."""
    if isinstance(value, str | Path):
        text = str(value)
        if text != old and not text.startswith(f"{old}/"):
            return value
        if named is not None:
            named.append(text[len(old) + 1 :])
        return type(value)(new + text[len(old) :])
    if isinstance(value, list | tuple):
        return type(value)([moved(item, old, new, named) for item in value])
    if isinstance(value, dict):
        return {key: moved(item, old, new, named) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        changed = {name: moved(item, old, new, named) for name, item in fields.items()}
        different = {name: item for name, item in changed.items() if item != fields[name]}
        return dataclasses.replace(value, **different) if different else value
    return value


class Workers:
    """The worker processes, and which of them has which task."""

    def __init__(self, folder: Path, number: int, kill_after: int | None) -> None:
        self.folder, self.kill_after = folder, kill_after
        self.processes = [self._start(name) for name in range(number)]
        self.done: Counter[int] = Counter()
        self.killed: list[dict[str, int]] = []
        self.numbers = itertools.count()

    def _start(self, name: int) -> subprocess.Popen[bytes]:
        private = self.folder / f"worker-{name}"
        private.mkdir()
        log = (self.folder / f"worker-{name}.log").open("wb")
        command = [sys.executable, str(Path(__file__).resolve()), "--worker", str(name)]
        return subprocess.Popen(command, cwd=private, stdout=log, stderr=log)

    @property
    def alive(self) -> list[int]:
        """The workers that run."""
        alive = [name for name, process in enumerate(self.processes) if process.poll() is None]
        if not alive:
            raise SystemExit(f"no worker is left: see {self.folder}/worker-*.log")
        return alive

    def kill_one(self, open_tasks: Counter[int]) -> None:
        """Kill a worker that has open tasks, once, if enough is done."""
        busy = [name for name in self.alive if open_tasks[name]]
        if self.kill_after is not None and sum(self.done.values()) >= self.kill_after and busy:
            self.kill_after = None
            name = busy[0]
            self.processes[name].kill()
            self.processes[name].wait()
            self.killed.append(
                {"worker": name, "tasks_done": sum(self.done.values()), "open_tasks": open_tasks[name]}
            )

    def close(self) -> None:
        """End all workers."""
        for process in self.processes:
            process.kill()
            process.wait()


class StoreEngine(Engine):
    """DuckDB here; :meth:`map` by workers, through the store."""

    distributed = True
    store: Store
    workers: Workers

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        """``function`` of every item, results in order."""
        store, workers = self.store, self.workers
        store.send()
        number = next(workers.numbers)
        task_of: dict[int, tuple[int, bytes]] = {}

        def give(item: int, content: bytes, worker: int) -> None:
            store.put(f"tasks/{worker}/{number:06d}-{item:06d}", content)
            task_of[item] = worker, content

        alive = workers.alive
        for item, value in enumerate(items):
            give(item, pickle.dumps((function, value, str(store.folder))), alive[item % len(alive)])
        results: dict[int, Any] = {}
        while len(results) < len(items):
            time.sleep(POLL)
            for info in store.listed(f"done/{number:06d}"):
                item = int(info.base_name)
                if item not in results:
                    result, written, error = pickle.loads(store.get(f"done/{number:06d}/{info.base_name}"))
                    if error:
                        raise SystemExit(error)
                    store.fetch(written)
                    results[item] = result
                    workers.done[task_of[item][0]] += 1
            workers.kill_one(Counter(worker for item, (worker, _) in task_of.items() if item not in results))
            alive = workers.alive
            for item, (worker, content) in list(task_of.items()):
                if item not in results and worker not in alive:
                    give(item, content, alive[item % len(alive)])
        return [results[item] for item in range(len(items))]


def work(name: int) -> None:
    """A worker: runs the tasks that are in the store for it, in the current folder, until it is killed."""
    folder = Path.cwd()
    _keep_to(folder)
    store = Store("work", folder)
    finished: set[str] = set()
    while True:
        tasks = sorted(info.base_name for info in store.listed(f"tasks/{name}"))
        for task in [task for task in tasks if task not in finished]:
            function, item, driver = pickle.loads(store.get(f"tasks/{name}/{task}"))
            named: list[str] = []
            item = moved(item, driver, str(folder), named)
            for place in dict.fromkeys(named):
                store.fetch_named(place)
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                if place.endswith((".shards", "lines")) or "/em-" in place:  # folders for results
                    (folder / place).mkdir(parents=True, exist_ok=True)
            store.known = local_files(folder)
            try:
                result, error = moved(function(item), str(folder), driver), None
            except Exception:
                result, error = None, f"worker {name}, {function.__name__}:\n{traceback.format_exc()}"
            written = store.send()
            number, place = task.split("-")
            store.put(f"done/{number}/{place}", pickle.dumps((result, written, error)))
            finished.add(task)
        time.sleep(POLL)


def _keep_to(folder: Path) -> None:
    """Make it an error if Python opens or lists files of the driver or of another worker."""
    shared, own = f"{folder.parent}/", f"{folder}/"

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | os.PathLike):
            path = f"{os.path.abspath(arguments[0])}/"
            if path.startswith(shared) and not path.startswith(own):
                raise RuntimeError(f"a worker reached for {path}, which it does not share")

    sys.addaudithook(check)


def serve(program: str, log: io.BufferedWriter) -> subprocess.Popen[bytes]:
    """Start the store, and make it known to this process and its children."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    # Any name and secret will do for this store.
    os.environ |= {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_REGION": "us-east-1"}
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    limit = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return server
        except OSError:
            if server.poll() is not None or time.monotonic() > limit:
                raise SystemExit(f"{program} did not start") from None
            time.sleep(0.2)


def measure(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Train through the store, and here, and compare."""
    import paraphrast
    from paraphrast import engine as engines
    from paraphrast.formats.files import open_text, write_lines
    from paraphrast.formats.shards import split_text
    from paraphrast.formats.storage import Url

    with open_text(asked.data / CORPUS) as reader:
        rows = itertools.islice((line.split("\t") for line in reader), asked.lines)
        write_lines(folder / "bitext.tsv", ("\t".join(row[: asked.languages]) for row in rows))
    with (folder / "server.log").open("wb") as log:
        server = serve(asked.server, log)
    atexit.register(server.kill)
    (folder / "driver").mkdir()
    store = Store("work", folder / "driver")
    store.fs.create_dir(BUCKET)
    place = Url(f"{asked.scheme}://{BUCKET}/bitext")
    shards = split_text(folder / "bitext.tsv", place, max(asked.lines // 4, 1))
    bitext = {"path": str(place), "columns": list(COLUMNS[: asked.languages]), "name": "bitext"}
    config = {"bitext": [bitext], "substitution": "no"}
    workers = Workers(folder, asked.workers, asked.kill)
    StoreEngine.store, StoreEngine.workers = store, workers
    opened = engines.open_engine
    began = time.monotonic()
    try:
        # Everywhere else an engine is opened by its name; this one is known to the bench alone.
        engines.open_engine = lambda name, *, progress=None, **options: StoreEngine(**options)  # type: ignore[assignment]
        through = paraphrast.train(config, folder / "driver" / "model", threads=1)
        seconds = time.monotonic() - began
        engines.open_engine = opened
        here = paraphrast.train(config, folder / "here" / "model", threads=1)
    finally:
        engines.open_engine = opened
        workers.close()
        server.terminate()
        server.wait()
    return {
        "machine": machine(),
        "lines": asked.lines,
        "source": f"{place}: {len(shards)} shards",
        "seconds": seconds,
        "identical": same_files(here, through),
        "files": sum(path.is_file() for path in through.rglob("*")),
        "tasks_by_worker": dict(workers.done),
        "killed": workers.killed,
        "driver_traffic": {
            **store.traffic,
            "megabytes": (store.traffic["bytes_put"] + store.traffic["bytes_got"]) / MEGA,
        },
    }


def main() -> int:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--languages", type=int, default=2, choices=(2, 3, 4), help="columns of the corpus")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", type=int, help="kill one worker when so many tasks are done")
    parser.add_argument("--scheme", default="s3", choices=("s3", "s3a"))
    parser.add_argument("--server", default=shutil.which("moto_server"), help="moto's server")
    parser.add_argument("--keep", type=Path, help="folder to work in, which is kept")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker is not None:
        work(asked.worker)
    if not asked.data or not (Path(asked.data) / CORPUS).is_file():
        parser.error(f"--data: expected a folder with {CORPUS}")
    if not asked.server:
        parser.error(
            "--server: expected moto's server; pip install 'moto[server]' in an environment of its own"
        )
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        result = measure(asked, folder)
    print(json.dumps(rounded(result), indent=1))
    return 0 if result["identical"] else 1


if __name__ == "__main__":
    sys.exit(main())
