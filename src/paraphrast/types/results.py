"""Results for users: a rewritten text and its edits."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: What is put around an edit on a terminal.
COLOURED = ("\x1b[1;32m[", "]\x1b[0m")
PLAIN = ("[", "]")
#: Style of an edit in a notebook: readable on a light and on a dark page.
_MARK = "background:#c8f0d0;color:#000"
#: Results with a lower probability are marked as unsure.
UNSURE = 0.5


@dataclass(frozen=True, slots=True)
class Edit:
    """One substitution. Offsets count code points, ``start`` in the input, ``out_start`` in the output.

    probability: probability from 0 to 1 that the substitution is right in its sentence, by the substitution model; in a
        model without one, p(target | source) of the tables.
    tables: all tables with the pair; "roundtrip" for a difference of a round trip.
    foreign: the translation of the input that such an edit came from.
    """

    start: int
    end: int
    out_start: int
    out_end: int
    before: str
    after: str
    probability: float
    tables: tuple[str, ...]
    foreign: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "start": self.start,
            "end": self.end,
            "out_start": self.out_start,
            "out_end": self.out_end,
            "before": self.before,
            "after": self.after,
            "probability": self.probability,
            "tables": list(self.tables),
            **({} if self.foreign is None else {"foreign": self.foreign}),
        }


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A rewritten text, its score and its edits from left to right.

    score: the model's natural-log score of the text relative to that of the unchanged input; higher is better.
    probability: probability from 0 to 1 that the text is acceptable: it has the same meaning and reads well.
    features: components of the score before weighting, relative to the unchanged input; only if requested.
    """

    source: str
    text: str
    score: float
    edits: tuple[Edit, ...]
    probability: float = 1.0
    features: Mapping[str, float] | None = None

    @property
    def is_unsure(self) -> bool:
        """Whether the text is less likely than not to be acceptable."""
        return self.probability < UNSURE

    def marked(self, opening: str = "[", closing: str = "]") -> str:
        """The text with every edit between ``opening`` and ``closing``."""
        pieces: list[str] = []
        done = 0
        for edit in self.edits:
            pieces += [
                self.text[done : edit.out_start],
                opening,
                self.text[edit.out_start : edit.out_end],
                closing,
            ]
            done = edit.out_end
        return "".join(pieces) + self.text[done:]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "text": self.text,
            "score": self.score,
            "probability": self.probability,
            "edits": [edit.to_dict() for edit in self.edits],
            **({} if self.features is None else {"features": dict(self.features)}),
        }

    def __str__(self) -> str:
        return self.marked()

    def _repr_html_(self) -> str:
        return f"<p>{self.html()}</p>"

    def html(self) -> str:
        """The text as HTML: every edit is marked, and shows on hover what it replaced."""
        pieces: list[str] = []
        done = 0
        for edit in self.edits:
            hover = f"{edit.before} → {edit.after} · p = {edit.probability:.3f} · {', '.join(edit.tables)}"
            pieces.append(html.escape(self.text[done : edit.out_start]))
            pieces.append(
                f'<mark style="{_MARK}" title="{html.escape(hover, quote=True)}">'
                f"{html.escape(self.text[edit.out_start : edit.out_end])}</mark>"
            )
            done = edit.out_end
        return "".join(pieces) + html.escape(self.text[done:])


class ParaphraseList(list[Paraphrase]):
    """The paraphrases of one text: a list that a terminal and a notebook show with the edits marked.

    It equals a plain list of the same paraphrases.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return self.shown(*(COLOURED if shows_colour() else PLAIN)) if self else "[]"

    __str__ = __repr__

    def shown(self, opening: str = "[", closing: str = "]") -> str:
        """One line per paraphrase: rank, probability, and the text with its edits between the marks.

        A question mark follows a probability below :data:`UNSURE`.
        """
        return "\n".join(
            f"{rank:3d}  {result.probability:.2f}{'?' if result.is_unsure else ' '} {result.marked(opening, closing)}"
            for rank, result in enumerate(self, 1)
        )

    def _repr_html_(self) -> str:
        if not self:
            return "<p><i>no paraphrase</i></p>"
        rows = "".join(
            f"<tr><td>{rank}</td><td>{result.probability:.2f}{'?' if result.is_unsure else ''}</td>"
            f'<td style="text-align:left">{result.html()}</td></tr>'
            for rank, result in enumerate(self, 1)
        )
        return f"<p>{html.escape(self[0].source)}</p><table>{rows}</table>"


def shows_colour() -> bool:
    """Whether standard output is a terminal that may show colours (NO_COLOR switches them off)."""
    return bool(sys.stdout) and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def apply_edits(source: str, edits: tuple[Edit, ...]) -> str:
    """The text that results from applying ``edits`` to ``source``. Every :class:`Paraphrase` satisfies this."""
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += [source[done : edit.start], edit.after]
        done = edit.end
    return "".join(pieces) + source[done:]
