"""Options, each defined once: a field of a dataclass, with its help text and its limits.

This one definition gives the command-line option (``paraphrast.cli``), the TOML key of a configuration, the check of
the value and the row in the docs::

    @dataclass(frozen=True)
    class LmOptions:
        order: int = option(5, help="Length of the longest n-grams.", minimum=1, maximum=7)

        def __post_init__(self) -> None:
            check(self)

A record may contain other records (:func:`nested`); their options are then options of the outer record too.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from paraphrast.errors import InputError

T = TypeVar("T")
_KEY = "paraphrast"
#: Options by record, cached: without those of nested records, and with them.
_OWN: dict[type[Any], tuple[OptionField, ...]] = {}
_ALL: dict[type[Any], tuple[OptionField, ...]] = {}


@dataclass(frozen=True, slots=True)
class Option:
    """Properties of one option besides its type and its default.

    help: one or two plain sentences. minimum, maximum: inclusive limits; above, below: exclusive limits. choices: the
    only
        allowed values.
    name: the name on the command line and in TOML, if it differs from the field. flags: the spelling on the command
    line. cli, toml: whether the command line and the configuration have the option.
    parse: text of the command line → value, if the type is not enough; text: the default as such a text.
    """

    help: str
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    name: str = ""
    flags: tuple[str, ...] = ()
    cli: bool = True
    toml: bool = True
    parse: Callable[[str], Any] | None = None
    text: str | None = None
    metavar: str | None = None


class OptionField(NamedTuple):
    """One option of a record: its external name, the path of fields that leads to it, type, default and the rest."""

    name: str
    path: tuple[str, ...]
    hint: Any
    default: Any
    option: Option


def option(
    default: T,
    *,
    help: str,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    below: float | None = None,
    choices: Sequence[str] = (),
    name: str = "",
    flags: Sequence[str] = (),
    cli: bool = True,
    toml: bool = True,
    parse: Callable[[str], Any] | None = None,
    text: str | None = None,
    metavar: str | None = None,
) -> T:
    """A dataclass field that is an option; see :class:`Option`. A dict as default is copied for each record."""
    described = Option(
        help,
        minimum,
        maximum,
        above,
        below,
        tuple(choices),
        name,
        tuple(flags),
        cli,
        toml,
        parse,
        text,
        metavar,
    )
    metadata = {_KEY: described}
    if isinstance(default, dict):
        copied: Any = field(default_factory=lambda: dict(default), metadata=metadata)
        return typing.cast(T, copied)
    return field(default=default, metadata=metadata)


def nested(record: Callable[[], T]) -> T:
    """A dataclass field with another record, whose options are options of the outer record too."""
    return field(default_factory=record, metadata={_KEY: record})


def _own_options(kind: type[Any]) -> tuple[OptionField, ...]:
    """The options of a record, without those of nested records."""
    if kind not in _OWN:
        _OWN[kind] = _read_options(kind)
    return _OWN[kind]


def _read_options(kind: type[Any]) -> tuple[OptionField, ...]:
    hints = typing.get_type_hints(kind)
    entries = []
    for entry in fields(kind):
        described = entry.metadata.get(_KEY)
        if isinstance(described, Option):
            default = entry.default_factory() if callable(entry.default_factory) else entry.default
            name = described.name or entry.name
            entries.append(OptionField(name, (entry.name,), hints[entry.name], default, described))
    return tuple(entries)


def options_of(kind: type[Any]) -> tuple[OptionField, ...]:
    """All options of a record in order, with those of nested records at the place of their record."""
    if kind not in _ALL:
        _ALL[kind] = _collect_options(kind)
    return _ALL[kind]


def _collect_options(kind: type[Any]) -> tuple[OptionField, ...]:
    by_field = {entry.path[0]: entry for entry in _own_options(kind)}
    entries: list[OptionField] = []
    for entry in fields(kind):
        if entry.name in by_field:
            entries.append(by_field[entry.name])
        elif isinstance(entry.metadata.get(_KEY), type):
            inner = options_of(entry.metadata[_KEY])
            entries += [item._replace(path=(entry.name, *item.path)) for item in inner]
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names):
        raise TypeError(f"{kind.__name__}: two options have one name: {sorted(names)}")
    return tuple(entries)


def check(record: Any) -> None:
    """Raise an InputError if an option of a record has the wrong type or is outside its limits."""
    for entry in _own_options(type(record)):
        check_value(entry, getattr(record, entry.path[0]))


def check_value(entry: OptionField, value: Any, *, where: str | Path | None = None, place: str = "") -> None:
    """Raise an InputError for an invalid value of an option."""
    if not _has_type(entry.hint, value) or not _in_limits(entry.option, value):
        prefix = f"{place} " if place else ""
        raise InputError(f"{prefix}{entry.name}: expected {expected(entry)}, got {value!r}", where=where)


def expected(entry: OptionField) -> str:
    """A description of the allowed values: ``a whole number from 1 to 7``."""
    option = entry.option
    if option.choices:
        *most, last = option.choices
        return f"{', '.join(most)} or {last}" if most else last
    kind = _words_for(entry.hint)
    low = f"from {option.minimum:g}" if option.minimum is not None else ""
    high = f"to {option.maximum:g}" if option.maximum is not None else ""
    if option.above is not None:
        low = f"above {option.above:g}"
    if option.below is not None:
        high = f"below {option.below:g}"
    if option.above is not None and option.maximum is not None:
        high = f"and up to {option.maximum:g}"
    if low and option.below is not None:
        high = f"and {high}"
    return " ".join(part for part in (kind, low, high) if part)


def _words_for(hint: Any) -> str:
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    if hint in plain:
        return plain[hint]
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_words_for(kind) for kind in inner if kind is not type(None))
    if origin is Literal:
        return " or ".join(map(str, inner))
    if origin is tuple:
        names = {str: "texts", int: "whole numbers", float: "numbers"}
        return f"a list of {names.get(inner[0], 'values')}"
    if origin is not None and issubclass(origin, Mapping):
        return "a table of names and numbers"
    return "a value of its type"


def is_finite_number(value: object) -> bool:
    """Whether a value is a number that a float can hold, and not a truth value."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False


def _has_type(hint: Any, value: Any) -> bool:
    if hint is float:
        return is_finite_number(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint in (bool, str, type(None)):
        return isinstance(value, hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_has_type(kind, value) for kind in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(_has_type(inner[0], item) for item in value)
        return len(value) == len(inner) and all(map(_has_type, inner, value))
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_has_type(inner[1], item) for item in value.values())
    return True


def _in_limits(option: Option, value: Any) -> bool:
    if value is None:
        return True
    if option.choices:
        return all(item in option.choices for item in (value if isinstance(value, tuple) else (value,)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    return (
        (option.minimum is None or value >= option.minimum)
        and (option.maximum is None or value <= option.maximum)
        and (option.above is None or value > option.above)
        and (option.below is None or value < option.below)
    )


def from_mapping(
    kind: type[T], values: Any, *, place: str = "", where: str | Path | None = None, all_options: bool = False
) -> T:
    """A record from names and values, such as a section of a TOML file.

    place: a name for the values in messages: ``[pivot]``. where: the file. all_options: also accept options that the
    configuration does not have.
    """
    if not isinstance(values, Mapping):
        raise InputError(f"{place}: expected a table of options, got {values!r}", where=where)
    known = {entry.name: entry for entry in options_of(kind) if all_options or entry.option.toml}
    unknown = sorted(set(values) - set(known), key=str)
    if unknown:
        names = ", ".join(sorted(known)) or "none"
        prefix = f"{place}: " if place else ""
        raise InputError(
            f"{prefix}unknown option {unknown[0]!r}", where=where, remedy=f"known options: {names}"
        )
    by_path = {}
    for name, value in values.items():
        converted = tuple(value) if isinstance(value, list) else value
        check_value(known[name], converted, where=where, place=place)
        by_path[known[name].path] = converted
    try:
        return _build(kind, by_path)
    except InputError as error:
        if error.where is not None or not place:
            raise
        raise InputError(f"{place}: {error.message}", where=where, remedy=error.remedy) from error


def _build(kind: type[T], given: Mapping[tuple[str, ...], Any]) -> T:
    values: dict[str, Any] = {path[0]: value for path, value in given.items() if len(path) == 1}
    inner: dict[str, dict[tuple[str, ...], Any]] = {}
    for path, value in given.items():
        if len(path) > 1:
            inner.setdefault(path[0], {})[path[1:]] = value
    for entry in fields(kind):  # type: ignore[arg-type]
        if entry.name in inner:
            values[entry.name] = _build(entry.metadata[_KEY], inner[entry.name])
    return kind(**values)


def from_text(entry: OptionField, text: str) -> Any:
    """Convert text such as ``0.5`` or ``true`` to the value of an option. An InputError if it is not valid."""
    if entry.option.parse is not None:
        return entry.option.parse(text)
    for kind in _plain_types(entry.hint):
        try:
            return _READERS[kind](text)
        except (ValueError, KeyError):
            continue
    raise InputError(f"{entry.name}: expected {expected(entry)}, got {text!r}")


_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_READERS: dict[type, Callable[[str], Any]] = {
    bool: lambda text: _BOOLEANS[text.lower()],
    int: int,
    float: float,
    str: str,
}


def _plain_types(hint: Any) -> list[type]:
    inner = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    return [kind for kind in _READERS if kind in inner] or [str]


def values_of(record: Any) -> dict[str, Any]:
    """Option name → value, including those of nested records, in order."""
    return {entry.name: _get(record, entry.path) for entry in options_of(type(record))}


def _get(record: Any, path: Sequence[str]) -> Any:
    for name in path:
        record = getattr(record, name)
    return record


def rows_of(kind: type[Any]) -> Iterator[tuple[str, str, str]]:
    """Rows for the docs: TOML key, default, help."""
    for entry in options_of(kind):
        if entry.option.toml:
            yield entry.name, toml_text(entry.default), full_help(entry)


def toml_text(value: Any) -> str:
    """A value in TOML syntax; ``unset`` for None, which TOML lacks."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {toml_text(item)}" for name, item in value.items()) + "}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def full_help(entry: OptionField) -> str:
    """The help text with the allowed values."""
    choices = entry.option.choices
    return f"{entry.option.help} One of: {', '.join(choices)}." if choices else entry.option.help
