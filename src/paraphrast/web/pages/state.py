"""The state of the Rewrite page: what the reader chose. It is the query of the address: a link shows the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import FormData, QueryParams

from paraphrast._options import check_value, from_text, options_of
from paraphrast.model.control import Control

#: Longest address that browsers and servers on the way take.
LONGEST_ADDRESS = 6000
#: Number of paraphrases that the page shows at first.
SHOWN = 5
_FIELDS = {entry.name: entry for entry in options_of(Control)}
_NUMBERS = ("n", "strength", "sure", "max_edits", "reorder")
_LISTS = ("tables", "protect", "avoid", "must_use")


class Chosen(NamedTuple):
    """The edit whose evidence is shown."""

    start: int
    end: int
    before: str
    after: str

    def text(self) -> str:
        """The value of its button."""
        return json.dumps(list(self), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class State:
    """text: what is rewritten. options: those fields of :class:`Control` that are not at the page's default."""

    text: str = ""
    n: int = SHOWN
    strength: float = 0.5
    sure: float = 0.0
    max_edits: int = 0
    reorder: int = 0
    precise: bool = False
    tables: tuple[str, ...] = ()
    protect: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    must_use: tuple[str, ...] = ()
    why: Chosen | None = None

    @classmethod
    def read(cls, values: FormData | QueryParams) -> State:
        """The state of a form or an address, with the checks of :class:`Control`."""
        numbers: dict[str, Any] = {}
        for name in _NUMBERS:
            given = values.get(name)
            if isinstance(given, str) and given.strip():
                value = from_text(_FIELDS[name], given.strip())
                check_value(_FIELDS[name], value)
                numbers[name] = value
        lists: dict[str, Any] = {name: _unique(values.getlist(name)) for name in _LISTS}
        text = str(values.get("text") or "").replace("\r\n", "\n")
        precise = str(values.get("precise") or "") in ("1", "on", "true")
        return cls(text, **numbers, **lists, precise=precise, why=_chosen(values.get("why"), text))

    def options(self) -> dict[str, Any]:
        """The options of the rewrite."""
        options: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        options |= {name: list(getattr(self, name)) for name in _LISTS}
        return {**options, "precise": self.precise}

    def acted(self, values: Mapping[str, Any]) -> State:
        """The state after the button that was pressed."""
        state = self
        if "toggle" in values:
            word = str(values["toggle"])
            rest = tuple(other for other in state.protect if other != word)
            state = replace(state, protect=rest if word in state.protect else (*rest, word))
        if "reject" in values:
            phrase = str(values["reject"])
            state = replace(
                state,
                avoid=_unique([*state.avoid, phrase]),
                must_use=tuple(other for other in state.must_use if other != phrase),
                why=None,
            )
        if "pick" in values:
            phrase = str(values["pick"])
            state = replace(
                state,
                must_use=_unique([*state.must_use, phrase]),
                avoid=tuple(other for other in state.avoid if other != phrase),
                why=None,
            )
        if "drop" in values:
            name, _, phrase = str(values["drop"]).partition(":")
            if name in _LISTS:
                kept = tuple(other for other in getattr(state, name) if other != phrase)
                state = replace(state, **{name: kept})  # type: ignore[arg-type]
        if "close" in values:
            state = replace(state, why=None)
        return state

    def address(self) -> str:
        """The address that shows this state."""
        plain = State()
        pairs: list[tuple[str, str]] = [("text", self.text)] if self.text else []
        for name in _NUMBERS:
            if getattr(self, name) != getattr(plain, name):
                pairs.append((name, f"{getattr(self, name):g}"))
        if self.precise:
            pairs.append(("precise", "1"))
        pairs += [(name, value) for name in _LISTS for value in getattr(self, name)]
        if self.why is not None:
            pairs.append(("why", self.why.text()))
        return "/rewrite" + (f"?{urlencode(pairs)}" if pairs else "")


def _unique(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(value) for value in values if str(value).strip()))


def _chosen(value: Any, text: str) -> Chosen | None:
    """The chosen edit, if the text still has the words that it replaces."""
    try:
        start, end, before, after = json.loads(str(value))
    except (ValueError, TypeError):
        return None
    is_edit = isinstance(start, int) and isinstance(end, int) and isinstance(after, str)
    return Chosen(start, end, before, after) if is_edit and text[start:end] == before and before else None
