"""`paraphrast table graph`: paraphrases by random walks on the phrase table."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.build.options import GraphTableOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    Memory,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    TableOutput,
    Target,
    TargetLanguage,
    Threads,
    Verbose,
    core_count,
    report,
    set_verbosity,
)

if TYPE_CHECKING:
    from paraphrast.build.graph import GraphRun
    from paraphrast.build.graph_input import GraphInput
    from paraphrast.cli._support.progress import Steps
    from paraphrast.errors import At


class Side(enum.StrEnum):
    """Which side of the bitext gets paraphrases."""

    source = "source"
    target = "target"


@with_options
def graph(
    pairs: Annotated[
        str,
        typer.Argument(
            help="Bitext (two columns, or the first of two files), or a Moses phrase table with --phrase-table."
        ),
    ],
    *,
    output: TableOutput,
    target: Target = None,
    phrase_table: Annotated[
        bool,
        typer.Option(
            "--phrase-table",
            help="PAIRS is a Moses phrase table with counts, as `paraphrast extract` writes it.",
        ),
    ] = False,
    links: Annotated[
        str | None, typer.Option(help="Pharaoh links of the bitext. Without them, words are aligned first.")
    ] = None,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    side: Annotated[Side, typer.Option(help="Side of the bitext to find paraphrases for.")] = Side.source,
    min_count: Annotated[int, typer.Option(help="Drop phrase pairs that occur less often.", min=1)] = 1,
    tagger: Annotated[
        str | None,
        typer.Option(help="Model whose part-of-speech tagger tags the source side. Default: word classes."),
    ] = None,
    options: GraphTableOptions,
    index: Annotated[
        str | None, typer.Option(help="Also write an index for `paraphrast graph near` into this folder.")
    ] = None,
    plots: Annotated[
        str | None,
        typer.Option(help="Also draw component sizes and counts into this folder, as SVG."),
    ] = None,
    sequences: Annotated[
        str | None,
        typer.Option(
            help="Also write tables of tag and stem sequences: NAME-tag and NAME-stem for this NAME."
        ),
    ] = None,
    threads: Threads = 0,
    memory: Memory = "",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Build a table from random walks on the graph of a phrase table (after Martzoukos and Monz 2012)."""
    from pathlib import Path

    from paraphrast.build.graph import run_graph, save_index
    from paraphrast.build.graph_walks import run_walks
    from paraphrast.build.walk_index import save_walk_index
    from paraphrast.cli._support.progress import Steps
    from paraphrast.errors import InputError
    from paraphrast.formats.table_file import write_table_file

    set_verbosity(verbose)
    for folder in (index, plots):
        if folder is not None and Path(folder).exists():
            raise InputError(
                "expected a folder that does not exist yet", where=folder, remedy="choose another"
            )
    if options.method != "paper" and (plots is not None or sequences is not None):
        raise InputError("--plots and --sequences require --method paper", remedy="add --method paper")
    cores = core_count(threads)
    languages = (source_language, target_language)
    with Steps() as bar:
        if phrase_table:
            given = _from_table(pairs, languages, min_count, skip_bad)
        else:
            given = _from_bitext(
                bar, pairs, target, links, languages, pretokenized, min_count, tagger, cores, memory, skip_bad
            )

        def step(done: float, total: float, unit: str) -> None:
            bar.reached(unit, int(done), int(total))

        if options.method == "walks":
            walks = run_walks(given, options, side=side.value, threads=cores, step=step)
            rows, note = write_table_file(output, walks.table()), walks.note()
            if index is not None:
                save_walk_index(Path(index), walks)
        else:
            run = run_graph(given, options, side=side.value, threads=cores, step=step)
            rows, note = write_table_file(output, run.table()), run.note()
            if index is not None:
                save_index(Path(index), given, run)
            if plots is not None or sequences is not None:
                _more(run, plots, sequences, cores)
    report(note)
    report(f"{rows:,} rows → {output}")


def _from_table(path: str, languages: tuple[str, str], min_count: int, skip_bad: bool) -> GraphInput:
    from paraphrast.build.graph_input import from_moses
    from paraphrast.cli._support.bitext import report_skipped
    from paraphrast.formats.moses import read_phrase_table

    bad: list[At] = []
    given = from_moses(
        read_phrase_table(path, skip_bad=skip_bad, bad=bad), languages, path, min_count=min_count
    )
    report_skipped(bad)
    return given


def _from_bitext(
    bar: Steps,
    pairs: str,
    target: str | None,
    links: str | None,
    languages: tuple[str, str],
    pretokenized: bool,
    min_count: int,
    tagger: str | None,
    threads: int,
    memory: str,
    skip_bad: bool,
) -> GraphInput:
    from paraphrast.align import align
    from paraphrast.build.graph_input import from_extraction
    from paraphrast.build.sides import encode_side
    from paraphrast.cli._support.bitext import read_given, read_pairs
    from paraphrast.engine import Engine
    from paraphrast.errors import InputError
    from paraphrast.extract import ExtractOptions, count_pairs, extract_pairs
    from paraphrast.model import load

    bitext = read_pairs(pairs, target, skip_bad)
    (source_words, source), (target_words, other) = (
        encode_side(bitext.lines[name], language, pretokenized=pretokenized)
        for name, language in zip(("1", "2"), languages, strict=True)
    )
    if links is not None:
        aligned = read_given(links, bitext)
    else:
        aligned = align(
            source, other, len(source_words), len(target_words), threads=threads, progress=bar.reached
        )
    extraction = extract_pairs(source, other, aligned, ExtractOptions(), progress=bar.reached)
    with Engine(threads=threads, memory=memory or None) as engine:
        counted = count_pairs(engine, extraction, min_count=min_count)
    tagged = None
    if tagger is not None:
        model_tagger = load(tagger).tagger
        if model_tagger is None:
            raise InputError(
                "the model has no tagger", where=tagger, remedy="train a model with a [tagger] section"
            )
        tagged = model_tagger.tag_sentences(model_tagger.features(source_words.words), source), source
    return from_extraction(extraction, counted, languages, (source_words.words, target_words.words), tagged)


def _more(run: GraphRun, plots: str | None, sequences: str | None, threads: int) -> None:
    """Pictures and tables that need the counts of all vertex pairs."""
    from pathlib import Path

    from paraphrast.formats.table_file import write_table_file
    from paraphrast.graph import draw_components, draw_sub_tables
    from paraphrast.graph.powerlaw import draw_power_law, fit_power_law

    pairs = run.pairs(threads)
    if plots is not None:
        folder = Path(plots)
        folder.mkdir()
        law = fit_power_law(pairs.count)
        for name, picture in (
            ("components", draw_components(run.clustered.report)),
            ("sub-tables", draw_sub_tables(run.clustered.report)),
            ("counts", draw_power_law(law)),
        ):
            (folder / f"{name}.svg").write_text(picture.to_svg(), encoding="utf-8")
        report(f"{law.pairs:,} pairs of vertices, count ~ rank^-{law.exponent:.3f}")
    if sequences is not None:
        for kind, table in run.sequence_tables(pairs).items():
            place = Path(sequences)
            path = place.with_name(f"{place.stem}-{kind}{place.suffix or '.parquet'}")
            report(f"{write_table_file(path, table):,} rows → {path}")
