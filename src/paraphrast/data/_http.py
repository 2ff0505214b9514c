"""Download a file: resumed after an interruption, complete or not at all."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from paraphrast._version import __version__
from paraphrast.errors import DataError
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.numbers import whole_number

#: Called with (description, bytes done, total bytes or None).
Progress = Callable[[str, int, int | None], None]
_CHUNK = 1 << 16
_TIMEOUT = 60.0
_TRIES = 5


class _Cut(Exception):
    """The connection ended before the file did."""


def download(url: str, path: Path, *, progress: Progress | None = None, pause: float = 1.0) -> None:
    """Fetch ``url`` into ``path``.

    Data is collected in ``path.part``, with the server's validators beside it. An interrupted transfer is resumed with
    ``Range`` and ``If-Range``, in this run or the next, and starts over if the file changed in the meantime. ``pause``
    is the first wait between attempts, doubled after each attempt without progress.
    """
    part = path.with_name(f"{path.name}.part")
    failures = 0
    while True:
        before = part.stat().st_size if part.exists() else 0
        try:
            _attempt(url, part, progress)
        except (_Cut, http.client.HTTPException, TimeoutError, ConnectionError, ssl.SSLError) as error:
            grown = part.exists() and part.stat().st_size > before
            failures = 0 if grown else failures + 1
            if failures >= _TRIES:
                raise DataError(
                    f"the connection was lost {failures} times without progress: {error}",
                    where=url,
                    remedy="run the command again: it resumes where it stopped",
                ) from error
            time.sleep(0 if grown else pause * 2 ** (failures - 1))
        else:
            part.replace(path)
            _notes(part).unlink(missing_ok=True)
            return


def _notes(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _read_notes(part: Path) -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        notes = parse_json(_notes(part).read_text(encoding="utf-8"))
        if isinstance(notes, dict):
            return {str(key): str(value) for key, value in notes.items()}
    return {}


def _attempt(url: str, part: Path, progress: Progress | None) -> None:
    notes = _read_notes(part)
    have = part.stat().st_size if part.exists() else 0
    validator = notes.get("validator", "")
    headers = {"User-Agent": f"paraphrast/{__version__}", "Accept-Encoding": "identity"}
    if have and validator and notes.get("url") == url:
        headers |= {"Range": f"bytes={have}-", "If-Range": validator}
    else:
        have = 0
    try:
        response = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:
            part.unlink(missing_ok=True)
            raise _Cut("the server refused to resume; starting over") from error
        if error.code in (429, 500, 502, 503, 504):
            raise _Cut(f"the server answered {error.code} {error.reason}") from error
        raise DataError(
            f"the server answered {error.code} {error.reason}",
            where=url,
            remedy="the file may have moved: find its new address and put it into your own index (PARAPHRAST_INDEX)",
        ) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, ConnectionError | TimeoutError) and not isinstance(
            error.reason, ConnectionRefusedError
        ):
            raise _Cut(str(error.reason)) from error
        raise no_network(url, str(error.reason)) from error
    with response:
        resumed = response.status == 206 and _range_start(response.headers.get("Content-Range", "")) == have
        if have and not resumed:
            have = 0
        length = whole_number(response.headers.get("Content-Length", ""))
        total = have + length if length is not None else None
        etag = response.headers.get("ETag", "")
        strong = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified", "")
        with part.open("ab" if resumed else "wb") as stream:
            # After the old content is gone: killed between the two, the next run must not take it for this file.
            _notes(part).write_text(json.dumps({"url": url, "validator": strong}), encoding="utf-8")
            done = have
            while chunk := response.read(_CHUNK):
                stream.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(url, done, total)
    if total is not None and done != total:
        raise _Cut(f"expected {total} bytes, got {done}")


def _range_start(content_range: str) -> int | None:
    """The number of the first byte in ``bytes 100-199/200``."""
    return whole_number(content_range.removeprefix("bytes ").partition("-")[0])


def no_network(where: str, reason: str) -> DataError:
    """The error for a machine without a network connection."""
    return DataError(
        f"the server cannot be reached: {reason}",
        where=where,
        remedy="check the network and the proxy settings (https_proxy), then run the command again",
    )
