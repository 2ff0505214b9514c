"""`paraphrast lm`: an n-gram language model from text."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli.options import Verbose, set_verbosity


class Discount(enum.StrEnum):
    """Kneser–Ney with three discounts an order, or with one."""

    modified = "modified"
    plain = "plain"


def lm(
    text: Annotated[
        str, typer.Argument(help="Text, a sentence a line, tokens by white space; - is standard input.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="NAME.arpa, .arpa.gz or .arpa.xz, or a folder of arrays.")
    ],
    order: Annotated[int, typer.Option(help="Length of the longest n-grams.", min=1, max=7)] = 5,
    prune: Annotated[
        str,
        typer.Option(
            help="'0 0 1' drops n-grams of three words and more that occur once. entropy:1e-8 drops n-grams whose "
            "loss raises the perplexity by less than this fraction. Both may be combined: '0 0 1 entropy:1e-8'."
        ),
    ] = "0",
    quantise: Annotated[
        int,
        typer.Option(
            help="Bits per probability and back-off weight, 2 to 16, such as 8; 0 keeps exact values."
        ),
    ] = 0,
    discount: Annotated[
        Discount, typer.Option(help="modified: three discounts an order; plain: one.")
    ] = Discount.modified,
    vocabulary: Annotated[
        str | None,
        typer.Option(help="Words by white space: all others become <unk>. Default: every word of the text."),
    ] = None,
    memory: Annotated[
        str, typer.Option(help="Memory for n-grams before they spill to disk beside the output, such as 2GB.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace the folder of an earlier model.")] = False,
    verbose: Verbose = False,
) -> None:
    """Estimate a Kneser–Ney language model."""
    from paraphrast.errors import InputError
    from paraphrast.formats.files import check_folder_output
    from paraphrast.lm import LmOptions, estimate, pack, save, unpack
    from paraphrast.lm.space import parse_memory
    from paraphrast.lm.store import ABOUT_FILE
    from paraphrast.lm.words import read_text, read_vocabulary

    set_verbosity(verbose)
    if output == "-":
        raise InputError("a model cannot go to standard output", remedy="-o NAME.arpa, or a folder")
    target = Path(output)
    as_arpa = ".arpa" in target.name.lower()
    if not as_arpa:
        check_folder_output(target, force, mark=ABOUT_FILE)
    counts, entropy = pruning(prune)
    options = LmOptions(
        order=order,
        smoothing="modified-kneser-ney" if discount is Discount.modified else "kneser-ney",
        prune=counts,
        entropy=entropy,
        quantise=quantise,
    )
    budget = parse_memory(memory) if memory else None
    folder = target.absolute().parent
    if not folder.is_dir():
        raise InputError(f"the folder {folder} does not exist", where=target)
    words, sentences = read_text(
        text,
        read_vocabulary(vocabulary) if vocabulary else None,
        memory=budget // 8 if budget else None,
        folder=folder,
    )
    if len(sentences.tokens) == 0:
        raise InputError("expected text, got an empty file", where=text)
    arrays = estimate([sentences], len(words), options, memory=budget, folder=folder)
    if as_arpa:
        from paraphrast.formats.arpa import write_arpa

        write_arpa(target, words, unpack(pack(arrays, quantise)) if quantise else arrays)
    else:
        save(pack(arrays, quantise or None), target, force=force, words=words.words)
    typer.echo(f"{order}-grams: {len(arrays.word):,} in all → {output}", err=True)


def pruning(text: str) -> tuple[tuple[int, ...], float]:
    """Counts and the entropy threshold of ``0 0 1``, ``0,0,1``, ``entropy:1e-8`` or ``0 0 1 entropy:1e-8``."""
    from paraphrast.errors import InputError

    counts: list[int] = []
    entropy = 0.0
    try:
        for value in text.replace(",", " ").split():
            if value.startswith("entropy:"):
                entropy = float(value.removeprefix("entropy:"))
            else:
                counts.append(int(value))
    except ValueError as error:
        raise InputError(
            f"expected whole numbers or entropy:THRESHOLD, got --prune {text!r}",
            remedy="such as --prune '0 0 1' or --prune entropy:1e-8",
        ) from error
    return tuple(counts or (0,)), entropy
