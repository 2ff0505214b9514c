"""Results for users: a rewritten text and its edits."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Edit:
    """One substitution. Offsets count code points, ``start`` in the input, ``out_start`` in the output.

    probability: probability from 0 to 1 that the substitution is right in its sentence, by the substitution model; in a
        model without one, p(target | source) of the tables.
    tables: all tables with the pair.
    """

    start: int
    end: int
    out_start: int
    out_end: int
    before: str
    after: str
    probability: float
    tables: tuple[str, ...]

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

    def _repr_html_(self) -> str:
        pieces: list[str] = []
        done = 0
        for edit in self.edits:
            hover = f"{edit.before} → {edit.after} · p = {edit.probability:.3f} · {', '.join(edit.tables)}"
            pieces.append(html.escape(self.text[done : edit.out_start]))
            pieces.append(
                f'<mark title="{html.escape(hover, quote=True)}">'
                f"{html.escape(self.text[edit.out_start : edit.out_end])}</mark>"
            )
            done = edit.out_end
        return "<p>" + "".join(pieces) + html.escape(self.text[done:]) + "</p>"


def apply_edits(source: str, edits: tuple[Edit, ...]) -> str:
    """The text that results from applying ``edits`` to ``source``. Every :class:`Paraphrase` satisfies this."""
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += [source[done : edit.start], edit.after]
        done = edit.end
    return "".join(pieces) + source[done:]
