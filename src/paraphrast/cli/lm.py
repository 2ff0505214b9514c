"""`paraphrast lm`: an n-gram language model from text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli.options import Verbose, set_verbosity


def lm(
    text: Annotated[
        str, typer.Argument(help="Text, a sentence a line, tokens by white space; - is standard input.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="NAME.arpa, .arpa.gz or .arpa.xz, or a folder of arrays.")
    ],
    order: Annotated[int, typer.Option(help="Length of the longest n-grams.", min=1, max=7)] = 5,
    verbose: Verbose = False,
) -> None:
    """Estimate a modified Kneser–Ney language model."""
    from paraphrast.errors import InputError
    from paraphrast.formats.arpa import write_arpa
    from paraphrast.formats.files import read_lines, write_lines
    from paraphrast.lm import LmOptions, estimate, save
    from paraphrast.types import Sentences, Vocabulary

    set_verbosity(verbose)
    first_seen: dict[str, int] = {}
    rows = [
        [first_seen.setdefault(word, len(first_seen)) for word in line.split()] for line in read_lines(text)
    ]
    if not any(rows):
        raise InputError("expected text, got an empty file", where=text)
    counts = dict.fromkeys(first_seen, 0)
    names = list(first_seen)
    for row in rows:
        for word in row:
            counts[names[word]] += 1
    vocabulary = Vocabulary.from_counts(counts.items())
    ids = [vocabulary.ids[name] for name in names]
    sentences = Sentences.from_lists([ids[word] for word in row] for row in rows)
    arrays = estimate([sentences], len(vocabulary), LmOptions(order=order))
    if output == "-":
        raise InputError("a model cannot go to standard output", remedy="-o NAME.arpa, or a folder")
    if ".arpa" in Path(output).name:
        write_arpa(output, vocabulary, arrays)
    else:
        save(arrays, Path(output))
        write_lines(Path(output) / "vocab.txt", vocabulary.words)
    typer.echo(f"{order}-grams: {len(arrays.word):,} in all → {output}", err=True)
