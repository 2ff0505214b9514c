"""The only module that imports numba: its dispatchers for our kernels, and a cache that verifies what it reads."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.extending import intrinsic, typeof_impl

from paraphrast._jit.folder import kernel_folder
from paraphrast._jit.kernels import MARK, Kernel

#: Without the types that numba declares for them: they lack some of the arguments used here.
_njit: Any = njit
_dumps: Any = dumps
_CHECKSUM = hashlib.sha256().digest_size


class _CheckedFiles:
    """One file per function and signature: the pickled key and code, then a checksum.

    A file that is empty, cut off or changed counts as absent: it is deleted, and the kernel is compiled again.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.code"

    def load(self, key: Any) -> Any:
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        body, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
        if hashlib.sha256(body).digest() == checksum:
            with contextlib.suppress(Exception):
                stored_key, data = pickle.loads(body)
                if stored_key == key:
                    return data
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def save(self, key: Any, data: Any) -> None:
        """Write a file under a temporary name and rename it. Without it, the next start compiles again."""
        path = self._path(key)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        body: bytes = _dumps((key, data))
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
                stream.write(body + hashlib.sha256(body).digest())
            os.replace(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()


class _Locator:
    """Tells numba where a kernel comes from and is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Nothing to do: the folder has been made already."""


class _CacheRules(CompileResultCacheImpl):
    """numba's rules for what can be kept, and how it is taken apart and put together again."""

    def __init__(self, folder: Path) -> None:
        self._locator = _Locator(folder)
        self._lineno = 0
        self._filename_base = ""


class _Cache(FunctionCache):
    """numba's cache of one function, with our files."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _CacheRules(folder)
        self._cache_path = str(folder)
        files: Any = _CheckedFiles(folder, f"{function.__name__}.{function.__code__.co_firstlineno}")
        self._cache_file = files
        self._enabled = True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code of a signature; None if there is none, or none that can be used."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:
            return None


def dispatcher_of(kernel: Kernel[..., Any]) -> Any:
    """numba's dispatcher for a kernel, which compiles it for the types it is called with."""
    dispatcher = _njit(
        nogil=True,
        error_model="numpy",
        fastmath=False,
        no_cfunc_wrapper=True,  # only for callers in C, of which there are none: saves compile time
        no_cpython_wrapper=kernel.is_inner,
        forceinline=kernel.is_inline,
    )(kernel.py_func)
    if not kernel.is_inner:
        folder = kernel_folder(Path(kernel.py_func.__code__.co_filename).resolve())
        if folder is not None:
            dispatcher._cache = _Cache(kernel.py_func, folder)  # noqa: SLF001  numba takes no cache of ours
    return dispatcher


@typeof_impl.register(Kernel)
def _type_of_kernel(kernel: Kernel[..., Any], _context: Any) -> Any:
    """A kernel that another kernel calls has the type of its dispatcher."""
    return types.Dispatcher(kernel.dispatcher)


@typeof_impl.register(FunctionType)
def _type_of_function(function: Any, _context: Any) -> Any:
    """A function that only kernels call has the type of its dispatcher; other functions have none."""
    kernel = getattr(function, MARK, None)
    if isinstance(kernel, Kernel):
        return types.Dispatcher(kernel.dispatcher)
    if kernel is not None:  # made by make_load_word
        return cpu_target.typing_context.resolve_value_type(_load_word)
    return None


@intrinsic
def _load_word(_typing: Any, stream: Any, _byte: Any) -> Any:
    """numba's form of ``load_word``: eight bytes as one load that need not be aligned."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(stream, types.int64), generate
