"""Kernels: functions over arrays that numba compiles, and that Python can run too.

``@kernel`` marks a function. When it is first called, it is compiled with ``nogil``, and the machine code is kept in
the user's cache folder, under a hash of its module, of *all* that this imports from the package, and of the versions
involved: numba's own cache does not see a changed callee in another file and would go on returning the old result.
Where that folder cannot be written, the code is compiled in memory.

numba is imported when the first kernel is compiled or loaded. Importing it and loading compiled code takes nearly a
second, compiling the decoder most of a minute. A sentence takes a twentieth of a second in plain Python. So within
:func:`small_work` kernels run as plain Python until more than that has been spent. Both ways give the same bytes.
Kernels are written so that they do: floats read from float32 arrays are widened with ``float()`` before arithmetic with
Python floats, and small integers with ``np.int64``; numba does both by itself, numpy does neither.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

from paraphrast._jit.folder import cache_is_writable, cache_root
from paraphrast._jit.kernels import MARK, Kernel, makers, state

__all__ = [
    "Kernel",
    "cache_is_writable",
    "cache_root",
    "compile_notice",
    "compiled_at_once",
    "inline_kernel",
    "inner_inline_kernel",
    "inner_kernel",
    "interpreted",
    "is_compiling_at_once",
    "kernel",
    "make_load_word",
    "small_work",
]

P = ParamSpec("P")
R = TypeVar("R")

#: Seconds of plain Python that are cheaper than loading compiled code, and than compiling it.
LOADING, COMPILING = 0.8, 4.0
_spent = [0.0]


def compile_notice() -> str:
    """What a user should know before kernels are compiled."""
    if cache_is_writable():
        return "Compiling for this machine. This happens once and takes about a minute."
    return (
        "Compiling for this machine, which takes about a minute. It will happen again in the next process, because "
        f"the cache folder {cache_root()} cannot be written: set PARAPHRAST_CACHE to a folder that can."
    )


#: Functions to call, once, before kernels are compiled for larger work. Without a logging handler, Python prints the
#: warning on standard error; a command replaces it by a message of its own.
on_compile: list[Callable[[], None]] = [lambda: logging.getLogger("paraphrast").warning(compile_notice())]


def _compiled_form(kernel: Kernel[..., Any]) -> Any:
    from paraphrast._jit.compiled import dispatcher_of

    return dispatcher_of(kernel)


makers.append(_compiled_form)


@contextmanager
def interpreted() -> Iterator[None]:
    """Run the kernels that this thread calls as plain Python."""
    import numpy as np  # not above: --help needs this module, and no arrays

    before = state.interpreting
    state.interpreting = True
    try:
        with np.errstate(over="ignore"):  # hashes wrap around, as compiled integers do
            yield
    finally:
        state.interpreting = before


@contextmanager
def compiled_at_once() -> Iterator[None]:
    """Load or compile every kernel that this thread calls, however small the work: for a process that will run long."""
    before = state.compiling
    state.compiling = True
    try:
        yield
    finally:
        state.compiling = before


def is_compiling_at_once() -> bool:
    """Whether this thread is within :func:`compiled_at_once`."""
    return state.compiling


@contextmanager
def small_work(seconds: float, *kernels: Kernel[..., Any]) -> Iterator[None]:
    """Run ``kernels`` as plain Python if that is likely cheaper than loading or compiling them.

    seconds: roughly how long that takes. The time spent so is added up over the life of the process: work that comes
    in small pieces is compiled in the end. A kernel that is compiled or loaded already is used in that form.
    """
    if state.interpreting or any(each.signatures for each in kernels):
        yield
        return
    if state.compiling or not _is_cheap(seconds, kernels):
        if on_compile and not all(each.is_cached for each in kernels):
            for tell in on_compile[:]:
                with suppress(ValueError):  # another thread was first
                    on_compile.remove(tell)
                    tell()
        yield
        return
    begin = time.thread_time()
    try:
        with interpreted():
            yield
    finally:
        _spent[0] += time.thread_time() - begin


def _is_cheap(seconds: float, kernels: tuple[Kernel[..., Any], ...]) -> bool:
    """Whether plain Python is likely cheaper than loading or compiling some kernels."""
    total = _spent[0] + seconds
    if total < LOADING or total > COMPILING:
        return total < LOADING
    return not all(each.is_cached for each in kernels)


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile ``function`` in nopython mode, without the GIL, cached on disk where possible."""
    return Kernel(function)


def inline_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """As :func:`kernel`, and LLVM is asked to inline it: for helpers called in inner loops."""
    return Kernel(function, is_inline=True)


def inner_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """For functions that only kernels call: compiles faster. Python runs it uncompiled.

    It is not cached by itself, only as a part of the kernels that call it.
    """
    setattr(function, MARK, Kernel(function, is_inner=True))
    return function


def inner_inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`inner_kernel`, and LLVM is asked to inline it."""
    setattr(function, MARK, Kernel(function, is_inner=True, is_inline=True))
    return function


def make_load_word() -> Callable[[Any, int], Any]:
    """``load_word(stream, byte)`` for kernels: eight bytes of a uint8 array from any byte on, as one uint64.

    The lowest bits come first, as on every machine that numba compiles for.
    """
    import numpy as np

    def load_word(stream: Any, byte: int) -> Any:
        return stream[byte : byte + 8].view(np.uint64)[0]

    setattr(load_word, MARK, "load_word")
    return load_word
