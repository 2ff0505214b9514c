"""`paraphrast extract`: a phrase table from aligned bitext."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.build.options import TableOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    EngineName,
    Memory,
    Output,
    Pairs,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    Target,
    TargetLanguage,
    Threads,
    Verbose,
    core_count,
    report,
    set_verbosity,
)


@with_options
def extract(
    pairs: Pairs,
    links: Annotated[
        str,
        typer.Argument(help="Pharaoh links, one line per sentence pair, as `paraphrast align` writes them."),
    ],
    *,
    output: Output = "-",
    target: Target = None,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    options: TableOptions,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Extract phrase pairs and write them as a Moses phrase table."""
    from paraphrast.build.phrase_table import moses_rows, score_pairs
    from paraphrast.build.sides import encode_side
    from paraphrast.cli._support.bitext import read_given, read_pairs
    from paraphrast.engine import check_engine
    from paraphrast.formats.moses import write_phrase_table

    set_verbosity(verbose)
    check_engine(engine)
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
        threads=core_count(threads),
        memory=memory or None,
        engine=engine,
    )
    rows = write_phrase_table(output, moses_rows(scored, source_words, target_words))
    dropped = scored.counted.dropped_pairs
    report(f"{rows:,} phrase pairs from {len(scored.extraction):,} occurrences → {output}")
    if dropped:
        report(f"{dropped:,} pairs dropped by --min-count and --significance")
