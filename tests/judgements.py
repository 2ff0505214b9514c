"""Writes files of translations with human scores, for tests that read them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from paraphrast.formats.files import write_lines
from paraphrast.formats.mt import MtSegment


def write_judgements(path: str | Path, segments: Iterable[MtSegment]) -> int:
    """Write a file that ``read_judgements`` reads; returns the number of lines."""
    return write_lines(
        path,
        (
            json.dumps(
                {
                    "id": segment.id,
                    "source": segment.source,
                    "references": list(segment.references),
                    "outputs": {
                        name: {"text": output.text, "score": output.score}
                        for name, output in segment.outputs.items()
                    },
                },
                ensure_ascii=False,
            )
            for segment in segments
        ),
    )
