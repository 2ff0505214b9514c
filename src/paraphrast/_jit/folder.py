"""Where compiled kernels are kept: one folder per kernel module, named by a hash of all that it depends on."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from functools import cache
from pathlib import Path

from paraphrast._processes import process_exists

#: Temporary files in a folder of kernels, with the number of the process that wrote them.
_TEMPORARY = re.compile(r"\.probe-(\d+)|.+\.(\d+)\.tmp")


def cache_root() -> Path:
    """The user's cache folder for paraphrast (``PARAPHRAST_CACHE`` overrides it)."""
    override = os.environ.get("PARAPHRAST_CACHE")
    if override:
        return Path(override)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "paraphrast"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/paraphrast"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "paraphrast"


_IMPORT = re.compile(
    r"^\s*(?:from paraphrast(?:\.(?P<module>[\w.]+))? import (?P<names>\([^)]*\)|[^\n#]+)"
    r"|import paraphrast\.(?P<whole>[\w.]+))",
    re.MULTILINE,
)


@cache
def _imports(source: Path, package: Path) -> tuple[Path, ...]:
    """The files of the package that a file imports from."""
    found = []
    for match in _IMPORT.finditer(source.read_text("utf-8")):
        parts = (match["module"] or match["whole"] or "").split(".")
        base = package.joinpath(*parts)
        found += [base.with_suffix(".py"), base / "__init__.py"]
        found += [base / f"{name}.py" for name in re.findall(r"\w+", match["names"] or "")]
    return tuple(path for path in found if path.is_file() and path != package / "__init__.py")


def kernel_sources(source: Path, package: Path) -> list[Path]:
    """A kernel module and all that it imports from the package, near and far: kernels freeze what they see."""
    found = [source, *Path(__file__).parent.glob("*.py")]
    for path in found:
        found += [other for other in _imports(path, package) if other not in found]
    return sorted(set(found))


@cache
def _versions() -> str:
    import numba
    import numpy

    return f"{numba.__version__} {numpy.__version__} {sys.version}"


@cache
def kernel_hash(source: Path) -> str:
    """Hash of a kernel module with all it imports, and of the versions that compile it."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(_versions().encode())
    for path in kernel_sources(source, package):
        digest.update(path.relative_to(package).as_posix().encode() if path.is_relative_to(package) else b"?")
        digest.update(_content_hash(path))
    return digest.hexdigest()[:16]


@cache
def _content_hash(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def kernel_folder(source: Path) -> Path | None:
    """Where the code of a kernel module is kept; None where nothing can be kept safely.

    Compiled code is data that will be executed. So the folder must belong to the user, and nobody else may write there.
    """
    root = cache_root() / "kernels"
    folder = root / kernel_hash(source)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (_is_private(root) and _is_private(folder)):
            return None
        _remove_leftovers(folder)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files of processes that were killed while they wrote."""
    for name in os.listdir(folder):
        match = _TEMPORARY.fullmatch(name)
        if match and not process_exists(int(match[1] or match[2])):
            (folder / name).unlink(missing_ok=True)


def _is_private(folder: Path) -> bool:
    """Whether only the user can write into a folder; permissions that the user can correct are corrected."""
    if sys.platform == "win32":
        return True
    state = folder.stat()
    if state.st_uid != os.getuid():
        return False
    if stat.S_IMODE(state.st_mode) & 0o022:
        folder.chmod(0o700)
    return True


def cache_is_writable() -> bool:
    """Whether compiled kernels can be kept for the next start."""
    return kernel_folder(Path(__file__)) is not None
