"""A paraphrase table of one's own bitext: English phrases that share a German translation.

    python examples/table_of_bitext.py [FOLDER]

Writes a small made-up bitext, builds a pivot table of it, and shows and exports the table. Needs `paraphrast[train]`.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from paraphrast.cli import run

#: English words with one German translation each; words with the same translation are paraphrases.
NOUNS = {
    "letter": "Brief",
    "house": "Haus",
    "home": "Haus",
    "car": "Wagen",
    "automobile": "Wagen",
    "dog": "Hund",
}
VERBS = {"buys": "kauft", "purchases": "kauft", "sees": "sieht", "looks at": "sieht", "finds": "findet"}
PEOPLE = {"teacher": "Lehrer", "doctor": "Arzt", "physician": "Arzt", "child": "Kind"}
ADJECTIVES = {"big": "großen", "large": "großen", "new": "neuen", "old": "alten"}


def bitext(lines: int, seed: int = 0) -> list[str]:
    """Lines of an English sentence and its translation, separated by a tab."""
    draw = random.Random(seed)
    found = []
    for _ in range(lines):
        person, verb, adjective, noun = (
            draw.choice(list(words.items())) for words in (PEOPLE, VERBS, ADJECTIVES, NOUNS)
        )
        english = f"the {person[0]} {verb[0]} the {adjective[0]} {noun[0]} ."
        german = f"der {person[1]} {verb[1]} den {adjective[1]} {noun[1]} ."
        found.append(f"{english}\t{german}\n")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Build the table in a folder, by default a temporary one."""
    given = sys.argv[1:] if arguments is None else arguments
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given[0] if given else temporary)
        source, table, text = folder / "bitext.tsv", folder / "pivot.parquet", folder / "pivot.tsv"
        source.write_text("".join(bitext(1000)), encoding="utf-8")
        run(["table", "pivot", str(source), "--columns", "en,de", "-o", str(table), "--threads", "1"])
        run(["table", "export", str(table), "-o", str(text)])
        header, *rows = [line.split("\t") for line in text.read_text(encoding="utf-8").splitlines()]
    print(f"{len(rows)} rows with the columns {', '.join(header)}")
    for row in rows:
        if row[0] in ("house", "looks at", "the physician", "large automobile"):
            print(f"{row[0]} → {row[1]}  {float(row[2]):.2f}, count {row[3]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
