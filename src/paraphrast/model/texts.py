"""Checks several texts that a user passes: lists, iterators, columns of data frames and of data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from paraphrast.errors import InputError


def check_texts(texts: Any) -> None:
    """Refuse what is not an iterable of texts. A table is refused too: iterating it would give its column names."""
    if isinstance(texts, str):
        raise InputError("expected several texts, got one", remedy="use paraphrase, or pass a list")
    columns = _columns(texts)
    if columns is not None:
        name = next((name for name in columns if str(name) in ("text", "sentence")), None)
        name = name if name is not None else next(iter(columns), "text")
        raise InputError(
            f"expected a column of texts, got a {type(texts).__name__} with the columns "
            f"{', '.join(map(str, columns)) or '(none)'}",
            remedy=f"pass the column that has the texts, for example data[{name!r}]",
        )
    if not isinstance(texts, Iterable) and not hasattr(texts, "__getitem__"):
        raise InputError(f"expected several texts, got {type(texts).__name__}")


def _columns(texts: Any) -> list[Any] | None:
    """The column names of a data frame, a data set or a mapping; None for anything else."""
    for attribute in ("column_names", "columns"):
        names = getattr(texts, attribute, None)
        if names is None or callable(names) or isinstance(names, str):
            continue
        # A DatasetDict has the names of each of its parts.
        parts = names.values() if isinstance(names, Mapping) else [names]
        return list(dict.fromkeys(name for part in parts for name in part))
    return list(texts) if isinstance(texts, Mapping) else None


def checked_texts(texts: Iterable[Any]) -> Iterator[str]:
    """The texts one by one; a value that is no text is an error that names its row, counted from 0."""
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(
                f"row {row}: expected a text, got {_shown(text)}",
                remedy="remove or fill missing values first, for example with dropna() or fillna('')"
                if _is_missing(text)
                else "convert the values to text first",
            )
        yield text


def _is_missing(value: object) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def _shown(value: object) -> str:
    if _is_missing(value):
        return f"a missing value ({value})"
    return f"{type(value).__name__} {str(value)[:40]!r}"
