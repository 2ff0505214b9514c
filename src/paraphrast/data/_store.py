"""The cache of named data: fetch, verify, convert, store; shared between runs and processes.

``<cache>/data/downloads/`` has the original packages and files (they may be deleted at any time);
``<cache>/data/<name>-<version>-<recipe>/`` has the canonical files and ``provenance.json``, which is written last. The
process that holds the lock of a resource builds its folder under a temporary name, and renames it when it is complete.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import json
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from paraphrast._jit import cache_root
from paraphrast.data._archives import deb_version
from paraphrast.data._convert import CONVERTERS
from paraphrast.data._fetched import Fetched
from paraphrast.data._http import Progress, download
from paraphrast.data._index import Resource, Source, find
from paraphrast.data._packages import fetch_package, has_tool
from paraphrast.errors import DataError, ParaphrastError
from paraphrast.formats.files import atomic_write, open_bytes
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.lock import locked, stamp
from paraphrast.formats.signature import file_hash

PROVENANCE = "provenance.json"


class UnpinnedWarning(UserWarning):
    """A file without a hash in the index was accepted without a check, and its hash recorded."""


def available(name: str) -> bool:
    """Whether ``name`` is in the cache, or can be fetched with the tools of this machine."""
    resource = find(name)
    if _cached_folder(resource) is not None:
        return True
    files = (Path(source.path).exists() for source in resource.sources if source.via == "file")
    return all(has_tool(tool) for tool in resource.tools) and all(files)


def is_cached(name: str) -> bool:
    """Whether the canonical files of ``name`` are on this disk."""
    return _cached_folder(find(name)) is not None


def get(
    name: str, *, progress: Progress | None = None, accept: Callable[[Resource], bool] | None = None
) -> Path:
    """The folder with the canonical files of ``name``, fetched and converted on first use.

    progress: called with (description, bytes done, total bytes or None).
    accept: called once, with the resource (its licence, its size), before anything is fetched; False stops.
    """
    resource = find(name)
    if (folder := _cached_folder(resource)) is not None:
        return folder
    if accept is not None and not accept(resource):
        raise DataError(f"{name} was not fetched: its licence ({resource.licence}) was not accepted")
    with _disk_errors(), locked(_root() / ".locks" / f"{name}.lock"):
        if (folder := _cached_folder(resource)) is not None:
            return folder
        return _build(resource, progress)


def require(name: str) -> Path:
    """The folder of ``name`` if it is on this disk; otherwise an error with the command that fetches it."""
    resource = find(name)
    if (folder := _cached_folder(resource)) is not None:
        return folder
    raise DataError(
        f"{name} is not on this machine ({resource.size_mb:.0f} MB to download; licence: {resource.licence})",
        remedy=f"paraphrast data get {name}",
    )


def provenance(name: str) -> dict[str, Any]:
    """Name, version, licence, and hashes of sources and files of cached data, for a model's manifest."""
    folder = _cached_folder(find(name))
    if folder is None:
        raise DataError(f"{name} is not cached", remedy=f"paraphrast data get {name}")
    content: dict[str, Any] = parse_json((folder / PROVENANCE).read_text(encoding="utf-8"))
    return content


def show(name: str) -> dict[str, Any]:
    """Everything that the index and the cache have about ``name``."""
    resource = find(name)
    folder = _cached_folder(resource)
    return {
        "name": name,
        "kind": resource.kind,
        "languages": list(resource.languages),
        "licence": resource.licence,
        "description": resource.description,
        "size_mb": resource.size_mb,
        "version": resource.version,
        "sources": [source.label for source in resource.sources],
        "tools": list(resource.tools),
        "available": available(name),
        "path": str(folder) if folder else None,
        "files": provenance(name)["files"] if folder else {},
    }


def _root() -> Path:
    return cache_root() / "data"


def _cached_folder(resource: Resource) -> Path | None:
    """The newest complete folder of this recipe (apt's version is only known after fetching)."""
    complete = [
        folder
        for folder in _root().glob(f"{resource.name}-*-{resource.recipe}")
        if (folder / PROVENANCE).is_file() and _is_current(resource, folder)
    ]
    return max(complete, key=lambda folder: (folder.stat().st_mtime, folder.name), default=None)


def _is_current(resource: Resource, folder: Path) -> bool:
    """Whether local files are unchanged: a recipe has their path, not their content."""
    local = [source for source in resource.sources if source.via == "file" and Path(source.path).is_file()]
    if not local:
        return True
    recorded = {
        row["sha256"] for row in parse_json((folder / PROVENANCE).read_text(encoding="utf-8"))["sources"]
    }
    return all(file_hash(Path(source.path)) in recorded for source in local)


@contextlib.contextmanager
def _disk_errors() -> Iterator[None]:
    """Report a full disk or a read-only cache as such, wherever it occurs."""
    try:
        yield
    except (OSError, ParaphrastError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if isinstance(cause, OSError):
            if cause.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DataError(
                    "the disk is full; incomplete files were removed",
                    where=_root(),
                    remedy="free some space, or set PARAPHRAST_CACHE to a folder on another disk",
                ) from error
            if cause.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
                raise DataError(
                    f"the cache cannot be written: {cause.strerror}",
                    where=_root(),
                    remedy="set PARAPHRAST_CACHE to a folder with write permission",
                ) from error
        raise


def _build(resource: Resource, progress: Progress | None) -> Path:
    """Fetch, convert and rename. The caller holds the lock, so an unfinished folder here is from a dead process."""
    for dead in _root().glob(f".making-{resource.name}~*"):
        shutil.rmtree(dead, ignore_errors=True)
    convert = CONVERTERS.get(resource.convert)
    parts = [fetch(source, progress) for source in resource.sources]
    making = _root() / f".making-{resource.name}~{stamp()}"
    making.mkdir(parents=True)
    try:
        if progress is not None:
            progress(f"converting {resource.name}", 0, None)
        try:
            convert(resource, parts, making)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise DataError(
                f"{resource.name} is not laid out as expected: {error!r}",
                remedy="the package may have changed: report the version, or use another corpus",
            ) from error
        version = resource.version
        if version == "offered":
            version = re.sub(r"[^A-Za-z0-9.+]", "_", parts[0].version)
        _write_provenance(resource, version, parts, making)
        folder = _root() / f"{resource.name}-{version}-{resource.recipe}"
        # The existing folder is incomplete or outdated. We hold the lock, so it can be built again.
        shutil.rmtree(folder, ignore_errors=True)
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


def _write_provenance(resource: Resource, version: str, parts: list[Fetched], folder: Path) -> None:
    files = {}
    for path in sorted(entry for entry in folder.iterdir() if entry.is_file()):
        files[path.name] = {"bytes": path.stat().st_size, "sha256": file_hash(path)}
        if path.name.endswith((".tsv.gz", ".txt.gz")):
            files[path.name]["lines"] = _count_lines(path)
    content = {
        "name": resource.name,
        "kind": resource.kind,
        "languages": list(resource.languages),
        "licence": resource.licence,
        "version": version,
        "recipe": resource.recipe,
        "sources": [
            {
                "via": part.source.via,
                "package": part.source.package or part.source.url or Path(part.source.path).name,
                "version": part.version,
                "sha256": part.sha256,
            }
            for part in parts
        ],
        "files": files,
    }
    with atomic_write(folder / PROVENANCE) as stream:
        json.dump(content, stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def _count_lines(path: Path) -> int:
    with open_bytes(path) as stream:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b""))


def fetch(source: Source, progress: Progress | None = None) -> Fetched:
    """One source, verified: from ``downloads/`` if an intact copy is there, else from its origin."""
    if source.via == "file":
        return _local(source)
    downloads = _root() / "downloads"
    with locked(_root() / ".locks" / f"{_slug(source)}.lock"):
        downloads.mkdir(parents=True, exist_ok=True)
        if (cached := _kept(source, downloads)) is not None:
            return cached
        if source.via == "http":
            return _fetch_http(source, downloads / _slug(source), progress)
        return _fetch_registry(source, downloads, progress)


def _slug(source: Source) -> str:
    """A readable, unique file name for a source."""
    if source.via == "http":
        tail = re.sub(r"[^A-Za-z0-9._-]", "_", source.url.rstrip("/").rsplit("/", 1)[-1])[-60:]
        return f"{hashlib.sha256(source.url.encode()).hexdigest()[:8]}-{tail}"
    plain = re.sub(r"[^A-Za-z0-9._+-]", "_", source.package)
    return f"{source.via}-{plain}-{source.version or 'offered'}"


def _local(source: Source) -> Fetched:
    path = Path(source.path)
    if not path.is_file():
        raise DataError("the file does not exist", where=path, remedy="correct the path in your index")
    actual_hash = file_hash(path)
    if source.sha256 and actual_hash != source.sha256:
        raise _wrong_hash(
            source.label, source.sha256, actual_hash, "the file changed: correct sha256 in your index"
        )
    return Fetched(source, "", actual_hash, path)


def _kept(source: Source, downloads: Path) -> Fetched | None:
    """A download of an earlier run, if its hash is unchanged."""
    note = downloads / f"{_slug(source)}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        record = parse_json(note.read_text(encoding="utf-8"))
        path = downloads / record["file"]
        expected = source.sha256 or record["sha256"]
        if path.is_file() and file_hash(path) == expected:
            return Fetched(source, record["version"], expected, path)
    return None


def _keep(source: Source, downloads: Path, path: Path, version: str, sha256: str) -> Fetched:
    record = {"file": path.name, "version": version, "sha256": sha256}
    with atomic_write(downloads / f"{_slug(source)}.json") as stream:
        json.dump(record, stream)
    return Fetched(source, version, sha256, path)


def _fetch_registry(source: Source, downloads: Path, progress: Progress | None) -> Fetched:
    if progress is not None:
        progress(source.label, 0, None)
    for dead in downloads.glob(
        f".{glob.escape(_slug(source))}~*"
    ):  # of a killed process: the caller holds the lock
        shutil.rmtree(dead, ignore_errors=True)
    temporary = downloads / f".{_slug(source)}~{stamp()}"
    temporary.mkdir()
    try:
        file = fetch_package(source, temporary, _root() / "apt")
        actual_hash = file_hash(file)
        if source.sha256 and actual_hash != source.sha256:
            raise _wrong_hash(
                source.label, source.sha256, actual_hash, "do not use it; report it if it persists"
            )
        version = deb_version(file) if source.via == "apt" else source.version
        suffix = {"pip": ".whl", "npm": ".tgz", "apt": ".deb"}[source.via]
        path = downloads / f"{_slug(source)}{suffix}"
        file.replace(path)
        if progress is not None:
            progress(source.label, path.stat().st_size, path.stat().st_size)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return _keep(source, downloads, path, version, actual_hash)


def _fetch_http(source: Source, path: Path, progress: Progress | None) -> Fetched:
    note = path.with_name(f"{path.name}.json")
    first_use = ""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        first_use = str(parse_json(note.read_text(encoding="utf-8"))["sha256"])
    resumes = path.with_name(f"{path.name}.part").exists()
    download(source.url, path, progress=progress)
    actual_hash = file_hash(path)
    expected = source.sha256 or first_use
    if (
        expected and actual_hash != expected and resumes
    ):  # the part of an earlier run may be damaged: once more
        path.unlink()
        download(source.url, path, progress=progress)
        actual_hash = file_hash(path)
    if expected and actual_hash != expected:
        path.unlink()
        remedy = "fetch it again; if it persists the file has changed, or is not the one it says it is"
        if not source.sha256:
            remedy = f"the file changed since its first use; if that is right, delete {note}"
        raise _wrong_hash(source.label, expected, actual_hash, remedy)
    if not expected:
        warnings.warn(
            f"{source.url}: the index has no hash for it; accepted without a check and recorded as {actual_hash}",
            UnpinnedWarning,
            stacklevel=2,
        )
    return _keep(source, path.parent, path, "", actual_hash)


def _wrong_hash(label: str, expected: str, got: str, remedy: str) -> DataError:
    return DataError(f"wrong hash: expected {expected}, got {got}", where=label, remedy=remedy)
