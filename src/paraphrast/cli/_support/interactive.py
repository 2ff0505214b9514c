"""`paraphrast paraphrase` on a terminal without a text: reads a line, answers it, reads the next."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from paraphrast.cli._support.advice import advice
from paraphrast.cli._support.options import report

if TYPE_CHECKING:
    from paraphrast.cli._support.rewrites import Writer
    from paraphrast.model.control import Control
    from paraphrast.model.paraphraser import Paraphraser


def answer_lines(model: Paraphraser, control: Control, write: Writer, *, quiet: bool = False) -> None:
    """Answer each line until the end of the input (Ctrl-D, or Ctrl-C at the prompt)."""
    from paraphrast.errors import InputError
    from paraphrast.formats.records import Record

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and history in input()
    if not quiet:
        report("Type a sentence and press Enter. Ctrl-D ends.")
    number = 0
    while True:
        try:
            text = input("" if quiet else "> ")
        except (EOFError, KeyboardInterrupt):
            if not quiet:
                report("")
            return
        if not text.strip():
            continue
        number += 1
        try:
            results = model.paraphrase(text, control)
        except InputError as error:  # for example a protected span that this line does not have
            report(f"paraphrast: {error}")
            continue
        write(sys.stdout, Record(number, text, {"text": text}), results)
        sys.stdout.flush()
        if not results and not quiet:
            report(advice(model, text, control))
