"""`paraphrast extract`: a phrase table from aligned bitext."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import (
    EngineName,
    Memory,
    Pairs,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    TargetLanguage,
    Threads,
    Verbose,
    set_verbosity,
    writable,
)


def extract(
    pairs: Pairs,
    links: Annotated[str, typer.Argument(help="Pharaoh links, a line a sentence pair, from `align`.")],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="The table to write, .gz, .xz or .zst; - is standard output.",
            callback=writable,
        ),
    ] = "-",
    target: Annotated[
        str | None, typer.Option(help="The second file of the bitext, for one file a language.")
    ] = None,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    max_length: Annotated[int, typer.Option(help="Most words a side.", min=1, max=7)] = 5,
    max_cepts: Annotated[int, typer.Option(help="Most cepts (groups of linked words) a pair.", min=1)] = 5,
    attach_unaligned: Annotated[
        str, typer.Option(help="Unaligned words at the edges of a pair: none or both.")
    ] = "none",
    min_count: Annotated[int, typer.Option(help="Leave out pairs seen less often.", min=1)] = 1,
    discount: Annotated[
        str, typer.Option(help="none, good-turing, kneser-ney or modified-kneser-ney.")
    ] = "none",
    significance: Annotated[
        str, typer.Option(help="Keep pairs of at least this -log p: none, a+e, a-e or a number.")
    ] = "none",
    model1: Annotated[
        bool,
        typer.Option("--model1", help="Add p(s|t) and p(t|s) by IBM Model 1 as fifth and sixth scores."),
    ] = False,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Extract phrase pairs and write them as a Moses phrase table."""
    import os

    from paraphrast.build.phrase_table import TableOptions, moses_rows, score_pairs
    from paraphrast.build.sides import encode_side
    from paraphrast.cli.pairs import read_given, read_pairs
    from paraphrast.engine import check_engine
    from paraphrast.extract import ExtractOptions
    from paraphrast.formats.moses import write_phrase_table

    set_verbosity(verbose)
    check_engine(engine)
    try:
        threshold: str | float = float(significance)
    except ValueError:
        threshold = significance
    options = TableOptions(
        ExtractOptions(max_length, max_cepts, attach_unaligned, threshold), min_count, discount, model1
    )
    bitext = read_pairs(pairs, target, skip_bad)
    aligned = read_given(links, bitext)
    (source_words, source_side), (target_words, target_side) = (
        encode_side(bitext.lines[side], language, pretokenized=pretokenized)
        for side, language in (("1", source_language), ("2", target_language))
    )
    scored = score_pairs(
        source_side,
        target_side,
        aligned,
        len(source_words),
        len(target_words),
        options,
        threads=threads or os.cpu_count() or 1,
        memory=memory or None,
        engine=engine,
    )
    rows = write_phrase_table(output, moses_rows(scored, source_words, target_words))
    left_out = scored.counted.dropped_pairs
    typer.echo(f"{rows:,} phrase pairs of {len(scored.extraction):,} occurrences → {output}", err=True)
    if left_out:
        typer.echo(f"{left_out:,} pairs left out by --min-count and --significance", err=True)
