"""The one place that knows numba.

``@kernel`` compiles a function with ``nogil`` and caches the machine code in the
user's cache folder, under a hash of the source of *every* kernel module and of the
versions involved: numba's own cache does not see a changed callee in another file
and would go on returning the old result. Where that folder cannot be written, the
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


def _kernel_sources(package: Path) -> list[Path]:
    """Kernel modules and all that they import from the package: kernels freeze the constants they see."""
    found = [*package.rglob("_kernels*.py"), *package.glob("_numeric*.py"), Path(__file__)]
    for source in found:
        for name in re.findall(
            r"^\s*(?:from|import) paraphrast\.?([\w.]*)", source.read_text("utf-8"), re.MULTILINE
        ):
            module = package.joinpath(*name.split("."))
            imported = module.with_suffix(".py") if name and not module.is_dir() else module / "__init__.py"
            if imported.exists() and imported not in found and imported.parent != package:
                found.append(imported)
    return sorted(found)


@cache
def _kernel_hash() -> str:
    """Hash of all kernel sources and of the versions that compile them."""
    import numba
    import numpy

    package = Path(__file__).parent
    sources = _kernel_sources(package)
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version}".encode())
    for source in sources:
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _cache_is_writable() -> bool:
    """Point numba at our cache folder; False when it cannot be written."""
    import numba

    folder = cache_root() / "kernels" / _kernel_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  numba makes its settings at run time
    return True


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` in nopython mode, without the GIL, cached on disk where possible."""
    import numba

    compiled: Callable[P, R] = numba.njit(
        nogil=True, cache=_cache_is_writable(), error_model="numpy", fastmath=False
    )(function)
    return compiled


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`kernel`, and LLVM is asked to inline it: for helpers called in inner loops."""
    import numba

    compiled: Callable[P, R] = numba.njit(
        nogil=True, cache=_cache_is_writable(), error_model="numpy", inline="never", forceinline=True
    )(function)
    return compiled


def make_prefetch() -> Callable[[Any, int], None]:
    """``prefetch(array, index)`` for kernels: fetch an element's cache line, and do not wait for it.

    A load that misses the cache holds up all that was issued after it once the processor's window is full;
    a prefetch does not, so many can be under way at the same time.
    """
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    insert: Any = cgutils.get_or_insert_function

    def prefetch(_typing: Any, array: Any, _index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
            function = insert(
                builder.module,
                ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
                "llvm.prefetch.p0i8",
            )
            place = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
            to_read, keep_near, is_data = (ir.Constant(number, value) for value in (0, 3, 1))
            builder.call(function, [place, to_read, keep_near, is_data])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    compiled: Any = intrinsic(prefetch)
    wrapped: Callable[[Any, int], None] = compiled
    return wrapped
