"""Command-line options from options records.

A command names records in its signature; each becomes the options of its fields::

    @with_options
    def lm(text: Text, *, options: LmOptions, verbose: Verbose = False) -> None: ...

gives ``--order`` and ``--prune`` with the help, the limits and the defaults of ``LmOptions``. A command that wants only
some options of a record, or other defaults, says ``Annotated[Control, take("strength", strength=1.0)]``. A command that
must know which options were given takes them as a dict: ``Annotated[dict[str, Any], given(PivotOptions)]``.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import typer

from paraphrast._options import OptionField, check_value, from_mapping, full_help, options_of, toml_text

F = TypeVar("F", bound=Callable[..., Any])


class Take(NamedTuple):
    """Only the options of these names (all if empty), some with other defaults."""

    names: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = types.MappingProxyType({})


class Given(NamedTuple):
    """The options of a record that were given on the command line, as a dict."""

    kind: type[Any]
    names: tuple[str, ...] = ()


def take(*names: str, **defaults: Any) -> Take:
    """Offer only these options of a record, with these defaults in place of the record's."""
    return Take(names, defaults)


def given(kind: type[Any], *names: str) -> Given:
    """Offer options of a record without defaults: the command gets what was given."""
    return Given(kind, names)


class _Bound(NamedTuple):
    """A parameter that stands for options. record: None for :class:`Given`."""

    name: str
    record: type[Any] | None
    entries: tuple[OptionField, ...]
    defaults: Mapping[str, Any]


def with_options(function: F) -> F:
    """A command whose parameters that are records are replaced by the options of their fields."""
    signature = inspect.signature(function, eval_str=True)
    parameters: list[inspect.Parameter] = []
    bound: list[_Bound] = []
    for parameter in signature.parameters.values():
        group = _bound(parameter)
        if group is None:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        else:
            bound.append(group)
            parameters += [_parameter(entry, group) for entry in group.entries]

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        for group in bound:
            values[group.name] = _record(
                group, {entry.name: values.pop(entry.name) for entry in group.entries}
            )
        return function(**values)

    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return typing.cast(F, command)


def _bound(parameter: inspect.Parameter) -> _Bound | None:
    annotation: Any = parameter.annotation
    marks: tuple[Any, ...] = ()
    if typing.get_origin(annotation) is Annotated:
        annotation, *rest = typing.get_args(annotation)
        marks = tuple(rest)
    mark = next((mark for mark in marks if isinstance(mark, Take | Given)), None)
    if isinstance(mark, Given):
        return _Bound(parameter.name, None, _chosen(mark.kind, mark.names), {})
    if not (isinstance(annotation, type) and dataclasses.is_dataclass(annotation)):
        return None
    chosen = mark or Take()
    return _Bound(parameter.name, annotation, _chosen(annotation, chosen.names), chosen.defaults)


def _chosen(kind: type[Any], names: Sequence[str]) -> tuple[OptionField, ...]:
    entries = {entry.name: entry for entry in options_of(kind)}
    if names:
        return tuple(entries[name] for name in names)
    return tuple(entry for entry in entries.values() if entry.option.cli)


def _parameter(entry: OptionField, group: _Bound) -> inspect.Parameter:
    option = entry.option
    default = group.defaults.get(entry.name, entry.default)
    flags = _flags(entry, default)
    is_number = _inner(entry.hint) in (int, float)
    settings: dict[str, Any] = {"help": full_help(entry), "metavar": option.metavar}
    if is_number:
        settings |= {"min": option.minimum, "max": option.maximum}
    annotation: Any = entry.hint
    if option.parse is not None:
        annotation, default = str, option.text
    elif typing.get_origin(_inner(entry.hint)) is tuple:
        annotation, default = list[str] | None, None
    if group.record is None:
        settings["show_default"] = option.text or toml_text(entry.default).strip('"') or False
        annotation, default = _inner(annotation) | None, None
    elif default is None or default == "":
        settings["show_default"] = False
    return inspect.Parameter(
        entry.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, typer.Option(*flags, **settings)],
    )


def _flags(entry: OptionField, default: Any) -> Sequence[str]:
    if entry.option.flags:
        return entry.option.flags
    name = entry.name.replace("_", "-")
    return (f"--{name}/--no-{name}",) if entry.hint is bool and default is True else (f"--{name}",)


def _inner(hint: Any) -> Any:
    """The type itself, without None."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else str
    return hint


def _record(group: _Bound, values: dict[str, Any]) -> Any:
    read: dict[str, Any] = {}
    for entry in group.entries:
        value = _value(entry, values[entry.name])
        if value is None and (group.record is None or entry.default is not None):
            continue
        flag = next((flag for flag in _flags(entry, value) if flag.startswith("--")), _flags(entry, value)[0])
        check_value(entry._replace(name=flag.split("/")[0]), value)
        read[entry.name] = value
    return read if group.record is None else from_mapping(group.record, read, all_options=True)


def _value(entry: OptionField, value: Any) -> Any:
    if entry.option.parse is not None:
        if value is None or (value == "" and entry.option.text == ""):
            return None if value is None else entry.default
        return entry.option.parse(value)
    if typing.get_origin(_inner(entry.hint)) is tuple:
        return tuple(value) if value else None
    return value
