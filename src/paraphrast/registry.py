"""Registries: names to classes, resolved at first use.

A registry is a dict of ``name → "module:attribute"`` plus the entry points of the group ``paraphrast.<kind>``, so a
plug-in is registered in the same way as a built-in.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from paraphrast.errors import InputError


class Registry:
    """A lazy mapping from a name to the object at ``"module:attribute"``."""

    def __init__(self, kind: str, built_in: dict[str, str]) -> None:
        self.kind = kind
        self._targets = dict(built_in)
        self._plugins_read = False

    def _read_plugins(self) -> None:
        if not self._plugins_read:
            for point in entry_points(group=f"paraphrast.{self.kind}"):
                self._targets.setdefault(point.name, point.value)
            self._plugins_read = True

    def register(self, name: str, target: str) -> None:
        """Add or replace a name; ``target`` is ``"module:attribute"``."""
        self._targets[name] = target

    def __iter__(self) -> Iterator[str]:
        self._read_plugins()
        return iter(sorted(self._targets))

    def __contains__(self, name: object) -> bool:
        self._read_plugins()
        return name in self._targets

    def get(self, name: str) -> Any:
        """The object registered under ``name``."""
        self._read_plugins()
        if name not in self._targets:
            raise InputError(
                f"unknown {self.kind} {name!r}", remedy=f"known: {', '.join(sorted(self._targets))}"
            )
        module, _, attribute = self._targets[name].partition(":")
        return getattr(import_module(module), attribute)
