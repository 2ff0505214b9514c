"""Packages whose names are resolved at first use, so that rewriting a sentence does not import training code."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


class _LazyPackage(ModuleType):
    """A package that imports a module when one of its names is used."""

    _modules: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._modules:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{self.__name__}.{self._modules[name]}"), name)

    def __setattr__(self, name: str, value: object) -> None:
        # Python binds every submodule to its name. If an object in it has the same name, the object takes precedence.
        if not (isinstance(value, ModuleType) and name in self._modules):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._modules})


def resolve_lazily(package: str, modules: Mapping[str, str]) -> None:
    """Let ``package`` import its names from these modules (name → module) when they are first used."""
    module = sys.modules[package]
    module.__dict__["_modules"] = dict(modules)
    module.__class__ = _LazyPackage
