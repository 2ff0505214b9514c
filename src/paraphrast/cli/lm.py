"""`paraphrast lm`: an n-gram language model from text."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Literal

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Force, Memory, Verbose, report, set_verbosity
from paraphrast.lm.options import LmOptions, read_pruning


class Discount(enum.StrEnum):
    """Kneser–Ney with three discounts per order, or with one."""

    modified = "modified"
    plain = "plain"


Smoothing = Literal["modified-kneser-ney", "kneser-ney"]
_SMOOTHING: dict[Discount, Smoothing] = {
    Discount.modified: "modified-kneser-ney",
    Discount.plain: "kneser-ney",
}


@with_options
def lm(
    text: Annotated[
        str,
        typer.Argument(
            help="Text with one sentence per line and tokens separated by white space. - reads standard input."
        ),
    ],
    *,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="Model to write: NAME.arpa, NAME.arpa.gz, NAME.arpa.xz, or a folder."
        ),
    ],
    options: LmOptions,
    prune: Annotated[
        str,
        typer.Option(
            help="'0 0 1' drops n-grams of three words and more that occur once. entropy:1e-8 drops n-grams whose "
            "loss raises the perplexity by less than this fraction. Both can be combined: '0 0 1 entropy:1e-8'."
        ),
    ] = "0",
    discount: Annotated[
        Discount,
        typer.Option(
            help="Kneser–Ney smoothing with three discounts per order (modified) or with one (plain)."
        ),
    ] = Discount.modified,
    vocabulary: Annotated[
        str | None,
        typer.Option(
            help="File with the words of the vocabulary. Other words become <unk>. Default: all words of the text."
        ),
    ] = None,
    memory: Memory = "",
    force: Force = False,
    verbose: Verbose = False,
) -> None:
    """Estimate a Kneser–Ney language model."""
    from dataclasses import replace

    from paraphrast.errors import InputError
    from paraphrast.formats.folders import check_folder_output
    from paraphrast.lm import estimate, pack, save, unpack
    from paraphrast.lm.space import parse_memory
    from paraphrast.lm.store import foreign
    from paraphrast.lm.words import read_text, read_vocabulary

    set_verbosity(verbose)
    if output == "-":
        raise InputError(
            "--output: expected a file or a folder, got -", remedy="use -o NAME.arpa, or -o FOLDER"
        )
    target = Path(output)
    as_arpa = ".arpa" in target.name.lower()
    if not as_arpa:
        check_folder_output(target, force, foreign=foreign)
    budget = parse_memory(memory) if memory else None
    folder = target.absolute().parent
    if not folder.is_dir():
        raise InputError(f"the folder {folder} does not exist", where=target, remedy="create it first")
    words, sentences = read_text(
        text,
        read_vocabulary(vocabulary) if vocabulary else None,
        memory=budget // 8 if budget else None,
        folder=folder,
    )
    if len(sentences.tokens) == 0:
        raise InputError("expected text, got an empty file", where=text)
    counts, entropy = read_pruning(prune)
    options = replace(options, smoothing=_SMOOTHING[discount], prune=counts, entropy=entropy)
    arrays = estimate([sentences], len(words), options, memory=budget, folder=folder)
    if as_arpa:
        from paraphrast.formats.arpa import write_arpa

        write_arpa(target, words, unpack(pack(arrays, options.quantise)) if options.quantise else arrays)
    else:
        save(pack(arrays, options.quantise or None), target, force=force, words=words.words)
    report(f"order {options.order}: {len(arrays.word):,} n-grams → {output}")
