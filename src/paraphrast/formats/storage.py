"""Files by path or by URL: ``s3://``, ``s3a://``, ``gs://``, ``hdfs://`` through pyarrow, other schemes through fsspec.

A local file is a :class:`~pathlib.Path`, a file elsewhere a :class:`Url`. Credentials, regions and endpoints come from
the environment, as those libraries read them; for S3 also ``AWS_ENDPOINT_URL`` (a store of one's own).
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from paraphrast._extras import is_installed
from paraphrast.errors import InputError, MissingExtra

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Schemes that pyarrow reads itself.
_ARROW = {"s3", "gs", "gcs", "hdfs", "viewfs"}
#: The names that Hadoop has for S3.
_S3 = {"s3": "s3", "s3a": "s3", "s3n": "s3"}
_CHUNK = 1 << 20


@dataclass(frozen=True, order=True)
class Url:
    """A file or folder that is not on a local disk."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.text.rstrip("/").rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The end of the name from its last dot on, as of a path."""
        return Path(self.name).suffix

    def __truediv__(self, name: str) -> Url:
        return Url(f"{self.text.rstrip('/')}/{name}")


#: A file or folder here or elsewhere.
Place = Path | Url


def place_of(text: str | Path | Url, base: Path | None = None) -> Place:
    """The place that a text names: a URL, or a path (relative to ``base``). ``file://`` is a path."""
    if isinstance(text, Url):
        return text
    if not isinstance(text, Path) and _URL.match(text):
        if text.lower().startswith("file://"):
            return Path(unquote(urlsplit(text).path))
        if "?" in text or "#" in text:
            raise InputError(
                "expected a URL without ? and #",
                where=text.partition("?")[0],
                remedy="endpoints and credentials belong into the environment (docs/training.md)",
            )
        return Url(text)
    return (base or Path()) / text


def open_raw(place: Place) -> BinaryIO:
    """Open a file for reading its bytes as they are."""
    if isinstance(place, Url):
        with _reported(place):
            system, path = _filesystem(place)
            return cast(BinaryIO, io.BufferedReader(system.open_input_file(path), _CHUNK))
    try:
        return place.open("rb")
    except FileNotFoundError as error:
        raise InputError("no such file", where=place) from error
    except IsADirectoryError as error:
        raise InputError("expected a file, got a folder", where=place) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=place) from error
    except ValueError as error:
        raise InputError(f"not a valid file name: {error}", where=repr(str(place))) from error


def is_file(place: Place) -> bool:
    """Whether there is a file at a place."""
    return _exists(place.is_file) if isinstance(place, Path) else _kind(place) == "File"


def is_folder(place: Place) -> bool:
    """Whether there is a folder at a place."""
    return _exists(place.is_dir) if isinstance(place, Path) else _kind(place) == "Directory"


def _exists(check: Callable[[], bool]) -> bool:
    """What a check of a path says; a name that no file can have, such as one that is too long, does not exist."""
    try:
        return check()
    except (OSError, ValueError):
        return False


def files_in(folder: Place) -> list[tuple[str, int]]:
    """Names and sizes of the files directly in a folder, sorted by name."""
    if isinstance(folder, Path):
        return sorted((path.name, path.stat().st_size) for path in folder.iterdir() if path.is_file())
    from pyarrow import fs  # type: ignore[import-untyped]

    with _reported(folder):
        system, path = _filesystem(folder)
        listed = system.get_file_info(fs.FileSelector(path.rstrip("/")))
        # Some tools mark a folder by an empty object whose name ends with a slash.
        return sorted((info.base_name, info.size) for info in listed if info.is_file and info.base_name)


def put_file(local: Path, place: Url) -> None:
    """Copy a complete local file to a URL. An object store shows the file when all of it has arrived."""
    with _reported(place):
        system, path = _filesystem(place)
        if place.text.startswith(
            ("hdfs:", "viewfs:")
        ):  # a file system: it has folders, and shows what is half written
            system.create_dir(path.rpartition("/")[0], recursive=True)
            _copy(local, system, f"{path}.part")
            system.move(f"{path}.part", path)
        else:
            _copy(local, system, path)


def hash_of(place: Place) -> str:
    """SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open_raw(place) as stream, _reported(place):
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _copy(local: Path, system: Any, path: str) -> None:
    with local.open("rb") as stream, system.open_output_stream(path, compression=None) as target:
        while chunk := stream.read(_CHUNK):
            target.write(chunk)


def _kind(url: Url) -> str:
    with _reported(url):
        system, path = _filesystem(url)
        return str(system.get_file_info(path.rstrip("/")).type.name)


def _filesystem(url: Url) -> tuple[Any, str]:
    """pyarrow's file system of a URL, and the path in it."""
    if not is_installed("pyarrow"):
        raise MissingExtra(str(url), "spark", ["pyarrow"])
    scheme, _, rest = url.text.partition("://")
    scheme = _S3.get(scheme.lower(), scheme.lower())
    host = rest.partition("/")[0]
    return _opened(scheme, host), rest if scheme not in ("hdfs", "viewfs") else rest[len(host) :]


@lru_cache(maxsize=16)
def _opened(scheme: str, host: str) -> Any:
    from pyarrow import fs

    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if scheme == "s3" and endpoint:
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
        return fs.S3FileSystem(endpoint_override=endpoint, region=region)
    if scheme in _ARROW:
        return fs.FileSystem.from_uri(f"{scheme}://{host}")[0]
    if not is_installed("fsspec"):
        raise InputError(f"{scheme}:// needs fsspec, which is not installed", remedy="pip install fsspec")
    import fsspec  # type: ignore[import-untyped]

    return fs.PyFileSystem(fs.FSSpecHandler(fsspec.filesystem(scheme)))


@contextmanager
def _reported(place: Place) -> Iterator[None]:
    """Report what a store or its library raises, with the URL."""
    if isinstance(place, Path):
        yield
        return
    try:
        yield
    except FileNotFoundError as error:
        raise InputError("no such file", where=str(place)) from error
    except (OSError, ValueError, ImportError, NotImplementedError) as error:
        raise InputError(
            f"cannot be reached: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}",
            where=str(place),
            remedy="check the URL, and the credentials and endpoint in the environment (docs/training.md)",
        ) from error
