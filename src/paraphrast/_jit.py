"""The one place that knows numba.

``@kernel`` compiles a function with ``nogil`` and caches the machine code in the
user's cache folder, under a hash of its module, of *all* that this imports from the
package, and of the versions involved: numba's own cache does not see a changed callee
in another file and would go on returning the old result. Where that folder cannot be written, the
code is compiled in memory.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


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


def _kernel_sources(source: Path, package: Path) -> list[Path]:
    """A kernel module and all that it imports from the package, near and far: kernels freeze what they see."""
    found = [source, Path(__file__)]
    for path in found:
        found += [other for other in _imports(path, package) if other not in found]
    return sorted(set(found))


@cache
def _versions() -> str:
    import numba
    import numpy

    return f"{numba.__version__} {numpy.__version__} {sys.version}"


@cache
def _kernel_hash(source: Path) -> str:
    """Hash of a kernel module with all it imports, and of the versions that compile it."""
    package = Path(__file__).parent
    digest = hashlib.sha256(_versions().encode())
    for path in _kernel_sources(source, package):
        digest.update(path.relative_to(package).as_posix().encode() if path.is_relative_to(package) else b"?")
        digest.update(_content_hash(path))
    return digest.hexdigest()[:16]


@cache
def _content_hash(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _cache_folder(source: Path) -> Path | None:
    """Where the code of a kernel module is kept; None when nothing can be written there."""
    folder = cache_root() / "kernels" / _kernel_hash(source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


def cache_is_writable() -> bool:
    """Whether compiled kernels can be kept for the next start."""
    return _cache_folder(Path(__file__)) is not None


def _use_cache(function: Callable[..., Any]) -> bool:
    """Point numba at the folder for this function's module; False when it cannot be written.

    numba reads the setting when a function is decorated, so each module may have a folder of its own, and a changed
    kernel leaves the compiled code of the others in place.
    """
    import numba

    folder = _cache_folder(Path(function.__code__.co_filename).resolve())
    if folder is not None:
        setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  numba makes its settings at run time
    return folder is not None


def _njit() -> Any:
    """numba's decorator; its type stubs lack some of the flags used here."""
    import numba

    return numba.njit


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` in nopython mode, without the GIL, cached on disk where possible."""
    compiled: Callable[P, R] = _njit()(
        nogil=True,
        cache=_use_cache(function),
        error_model="numpy",
        fastmath=False,
        no_cfunc_wrapper=True,  # only for callers in C, of which there are none: saves compile time
    )(function)
    return compiled


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`kernel`, and LLVM is asked to inline it: for helpers called in inner loops."""
    compiled: Callable[P, R] = _njit()(
        nogil=True,
        cache=_use_cache(function),
        error_model="numpy",
        inline="never",
        forceinline=True,
        no_cfunc_wrapper=True,
    )(function)
    return compiled


def inner_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`kernel`, for functions that only kernels call: compiles faster, cannot be called from Python.

    It is not cached by itself, only as a part of the kernels that call it.
    """
    compiled: Callable[P, R] = _njit()(
        nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True
    )(function)
    return compiled


def inner_inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`inner_kernel`, and LLVM is asked to inline it."""
    compiled: Callable[P, R] = _njit()(
        nogil=True,
        error_model="numpy",
        inline="never",
        forceinline=True,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
    )(function)
    return compiled


def make_load_word() -> Callable[[Any, int], Any]:
    """``load_word(stream, byte)`` for kernels: eight bytes of a uint8 array from any byte on, as one uint64.

    The lowest bits come first, as on every machine that numba compiles for.
    """
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def load_word(_typing: Any, stream: Any, _byte: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
            return builder.load(place, align=1)

        return types.uint64(stream, types.int64), generate

    compiled: Any = intrinsic(load_word)
    wrapped: Callable[[Any, int], Any] = compiled
    return wrapped
