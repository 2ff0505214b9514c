"""A kernel: a function that is compiled when it is first called, or runs as plain Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from paraphrast._jit.folder import kernel_folder

P = ParamSpec("P")
R = TypeVar("R")

#: Attribute of a plain function that kernels call: its :class:`Kernel`.
MARK = "__paraphrast_kernel__"
_creating = threading.Lock()
#: Makes the compiled form of a kernel, in numba's terms; the package puts it here, because it imports numba.
makers: list[Callable[[Any], Any]] = []


class _State(threading.local):
    """Whether this thread runs kernels as plain Python, or compiles them however little it asks of them."""

    interpreting = False
    compiling = False


state = _State()


class Kernel(Generic[P, R]):
    """A function that is compiled when it is first called.

    py_func: the plain function. is_inner: only kernels call it, so it needs no interface to Python and no cache of its
    own. is_inline: LLVM is asked to inline it.
    """

    def __init__(self, function: Callable[P, R], *, is_inner: bool = False, is_inline: bool = False) -> None:
        self.py_func: Any = function
        self.is_inner = is_inner
        self.is_inline = is_inline
        self._dispatcher: Any = None
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        function = self.py_func if state.interpreting else self._dispatcher or self.dispatcher
        result: R = function(*args, **kwargs)
        return result

    @property
    def dispatcher(self) -> Any:
        """The compiled form, in numba's terms; made on first use."""
        if self._dispatcher is None:
            with _creating:
                if self._dispatcher is None:
                    (make,) = makers
                    self._dispatcher = make(self)
        return self._dispatcher

    @property
    def is_cached(self) -> bool:
        """Whether compiled code of this version is in the cache, for whatever types."""
        folder = kernel_folder(Path(self.py_func.__code__.co_filename).resolve())
        return folder is not None and any(folder.glob(f"{self.py_func.__name__}.*.code"))

    @property
    def signatures(self) -> list[Any]:
        """The argument types for which code has been compiled or loaded."""
        return [] if self._dispatcher is None else list(self._dispatcher.signatures)
