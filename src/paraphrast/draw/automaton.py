"""An automaton as a picture: by Graphviz if it is installed, otherwise by :mod:`paraphrast.draw.lattice`."""

from __future__ import annotations

import shutil
import subprocess

from paraphrast.draw.lattice import draw_lattice
from paraphrast.types import Lattice

#: Maximum number of edges of a picture that shows all of them.
EDGES = 600
_SECONDS = 60


def draw_automaton(
    lattice: Lattice, *, title: str = "Automaton", edges: int = EDGES, program: str | None = "dot"
) -> str:
    """SVG with words on the edges, which are thicker if more sentences share them.

    program: Graphviz's ``dot``, by name or path. If it is None, missing or fails, our own picture is drawn.
    """
    shown = lattice if len(lattice) <= edges else lattice.top(edges, by="probability")
    program_path = shutil.which(program) if program else None
    if program_path is not None:
        try:
            run = subprocess.run(
                [program_path, "-Tsvg"],
                input=dot_text(shown, title=title),
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=_SECONDS,
                check=True,
            )
            return run.stdout
        except (OSError, subprocess.SubprocessError):
            pass
    return draw_lattice(shown, edges=edges, title=title)


def dot_text(lattice: Lattice, *, title: str = "Automaton") -> str:
    """The automaton in Graphviz's language. The name of an edge is shown as a tooltip."""
    finals = set(lattice.finals.tolist())
    lines = [
        "digraph automaton {",
        f'  rankdir=LR; label="{_quoted(title)}"; fontname="sans-serif";',
        '  node [shape=circle, width=0.15, label="", fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=11, arrowsize=0.6];',
    ]
    used = sorted({lattice.start, *finals, *lattice.tail.tolist(), *lattice.head.tolist()})
    for state in used:
        shape = ", shape=doublecircle" if state in finals else ""
        fill = ', style=filled, fillcolor="#444444"' if state == lattice.start else ""
        lines.append(f'  {state} [tooltip="state {state}"{shape}{fill}];')
    for edge in lattice.edges():
        many = edge.name.count(",") + 1 if edge.name else 1
        label = _quoted(" ".join(edge.words) or "ε")
        tip = _quoted(edge.name or label)
        width = min(0.8 + 0.4 * many, 4.0)
        lines.append(
            f'  {edge.tail} -> {edge.head} [label="{label}", penwidth={width:.1f}, '
            f'tooltip="{tip}", labeltooltip="{tip}"];'
        )
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
