"""A PostgreSQL server for tests: its own cluster in a temporary folder, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest


def programs() -> Path | None:
    """The folder of initdb and pg_ctl; Debian keeps them out of the path."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class PostgresServer:
    """A cluster that can be stopped and started."""

    def __init__(self) -> None:
        folder = programs()
        if folder is None:
            if os.environ.get("CI") == "true":
                pytest.fail("PostgreSQL is not installed: apt-get install -y postgresql")
            pytest.skip("PostgreSQL is not installed")
        self.programs = folder
        self.folder = Path(tempfile.mkdtemp(prefix="paraphrast-pg-"))
        self.port = free_port()
        self.user = self._user()
        if self.user:
            shutil.chown(self.folder, self.user)
        self._run(
            "initdb", "-D", self.data, "-U", "tests", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"
        )

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=60"
        self._run("pg_ctl", "-D", self.data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-w", "-m", "fast", "stop")

    def create(self, name: str) -> str:
        """A new database; returns its URL."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "tests", name)
        return self.url(name)

    def remove(self) -> None:
        stop = self._command("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        subprocess.run(stop, capture_output=True, cwd="/", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _user() -> str | None:
        """initdb refuses to run as root."""
        if os.geteuid() != 0:
            return None
        names = {entry.pw_name for entry in pwd.getpwall()}
        return "postgres" if "postgres" in names else "nobody"

    def _command(self, program: str, *arguments: str) -> list[str]:
        command = [str(self.programs / program), *arguments]
        return ["runuser", "-u", self.user, "--", *command] if self.user else command

    def _run(self, program: str, *arguments: str) -> None:
        # The output goes to a file: a server that inherits a pipe would keep it open.
        with tempfile.TemporaryFile() as output:
            run = subprocess.run(
                self._command(program, *arguments),
                stdout=output,
                stderr=output,
                cwd="/",
                timeout=120,
                check=False,
            )
            output.seek(0)
            assert run.returncode == 0, output.read().decode(errors="replace")
