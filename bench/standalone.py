"""A real Spark cluster on this machine: a master and workers as separate processes, on loopback.

    python bench/standalone.py FOLDER [WORKERS]

prints the address of the cluster and runs until Enter is pressed; FOLDER gets its logs. The tests and benchmarks use
:class:`Standalone`. PyPI's Spark has no start scripts, so ``spark-class`` starts the daemons; they are ended by their
process ids.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from paraphrast.engine.session import check_master
from paraphrast.errors import InputError, ParaphrastError

_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
#: Seconds a daemon may take to stand.
PATIENCE = 600.0


class Standalone:
    """A master at :attr:`url` and ``workers`` workers, for as long as the ``with`` block lasts.

    folder: logs, and the workers' own scratch space. cores, megabytes: what each worker offers to jobs.
    environment: added to that of the daemons and, through them, of the jobs' executors.
    """

    def __init__(
        self,
        folder: Path,
        *,
        workers: int = 2,
        cores: int = 1,
        megabytes: int = 1024,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        check_master("local")
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._wanted = workers
        self._offers = cores, megabytes
        self._environment = dict(environment or {})
        self._master: subprocess.Popen[bytes] | None = None
        self.url = f"spark://127.0.0.1:{_free_port()}"

    def __enter__(self) -> Standalone:
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            port = self.url.rsplit(":", 1)[1]
            self._master = self._daemon(
                "master", _MASTER, "--host", "127.0.0.1", "--port", port, "--webui-port", "0"
            )
            self._await("master", self._master, "I have been elected leader")
            for _ in range(self._wanted):
                self.add_worker(wait=False)
            for number, worker in enumerate(self.workers):
                self._await(f"worker-{number}", worker, "Successfully registered with master")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add_worker(self, *, wait: bool = True) -> int:
        """One worker more; its number."""
        number = len(self.workers)
        cores, megabytes = self._offers
        name = f"worker-{number}"
        offers = ("--cores", str(cores), "--memory", f"{megabytes}m", "--work-dir", str(self.folder / name))
        worker = self._daemon(name, _WORKER, "--host", "127.0.0.1", "--webui-port", "0", *offers, self.url)
        self.workers.append(worker)
        if wait:
            self._await(name, worker, "Successfully registered with master")
        return number

    def executors(self, number: int) -> list[int]:
        """Process ids of a worker's children: the executors of jobs, and their Python workers."""
        return _descendants(self.workers[number].pid)

    def kill_worker(self, number: int) -> list[int]:
        """Kill a worker and all its processes, as a failing machine would; returns the process ids."""
        worker = self.workers[number]
        ended = [worker.pid, *self.executors(number)]
        for process in ended:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        worker.wait()
        return ended

    def close(self) -> None:
        """End every daemon that was started here, by its process id."""
        daemons = [*self.workers, *([self._master] if self._master else [])]
        for daemon in daemons:
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def _daemon(self, name: str, daemon: str, *options: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / f"{name}.local"),
            **self._environment,
        }
        with (self.folder / f"{name}.log").open("ab") as stream:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), daemon, *options],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,  # Ctrl-C is for the job, not for the cluster
            )

    def _await(self, name: str, daemon: subprocess.Popen[bytes], mark: str) -> None:
        """Until the daemon's log says that it stands."""
        path = self.folder / f"{name}.log"
        limit = time.monotonic() + PATIENCE
        while mark not in path.read_text(errors="replace"):
            if daemon.poll() is not None or time.monotonic() > limit:
                last_lines = "\n".join(path.read_text(errors="replace").splitlines()[-5:])
                raise ParaphrastError(f"Spark's {name} did not start: {last_lines}", where=path)
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _descendants(process: int) -> list[int]:
    """Children of a process, their children, and so on; Linux tells."""
    if not Path("/proc/self/task").is_dir():
        raise InputError("the processes of a worker can be found on Linux only")
    processes: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                processes += [int(child), *_descendants(int(child))]
    return processes


def main(folder: str, workers: str = "2") -> None:
    """Start a cluster and wait for Enter."""
    with Standalone(Path(folder), workers=int(workers), megabytes=2000) as cluster:
        print(cluster.url, flush=True)
        input("Press Enter to end the cluster. ")


if __name__ == "__main__":
    main(*sys.argv[1:])
