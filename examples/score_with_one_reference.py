"""MT evaluation with one reference: two systems that BLEU with one reference cannot tell apart.

    python examples/score_with_one_reference.py

System `words` says the same in other words than the reference; system `wrong` says something else. Both differ from the
reference in one word per sentence. Needs `paraphrast[mt]`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from paraphrast.cli import run

FILES = {
    "source.de": """Der Ausschuss begann die Arbeit am Montag.
Sie kauften ein großes Haus in der Stadt.
Das Kind fand einen Fehler in dem Buch.
""",
    "reference.en": """The committee began the work on Monday.
They bought a large house in the city.
The child found an error in the book.
""",
    "words.en": """The committee started the work on Monday.
They bought a big house in the city.
The child found a mistake in the book.
""",
    "wrong.en": """The committee stopped the work on Monday.
They bought a red house in the city.
The child found a flower in the book.
""",
}


def main(arguments: list[str] | None = None) -> int:
    """Score both systems, without and with paraphrases of the reference."""
    with tempfile.TemporaryDirectory() as temporary:
        for name, text in FILES.items():
            (Path(temporary) / name).write_text(text, encoding="utf-8")
        paths = [str(Path(temporary) / name) for name in FILES]
        return run(["references", *paths, "--source-language", "de", "--metric", "bleu"])


if __name__ == "__main__":
    sys.exit(main())
