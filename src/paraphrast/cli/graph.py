"""`paraphrast table graph` and `paraphrast graph`: paraphrases by random walks on the phrase table."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli.options import (
    Format,
    Memory,
    OutputFormat,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    TargetLanguage,
    Threads,
    Verbose,
    print_json,
    set_verbosity,
)

if TYPE_CHECKING:
    from paraphrast.cli.progress import Steps
    from paraphrast.pipeline.graph_input import GraphInput
    from paraphrast.pipeline.graphing import GraphRun

app = typer.Typer(help="Ask the graph of a phrase table.", no_args_is_help=True)


class Side(enum.StrEnum):
    """Whose paraphrases."""

    source = "source"
    target = "target"


def table_graph(
    pairs: Annotated[
        str, typer.Argument(help="Bitext (two columns, or the first of two files), or a Moses phrase table.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="The table to write, one Parquet file.")],
    target: Annotated[
        str | None, typer.Option(help="The second file of the bitext, for one file a language.")
    ] = None,
    phrase_table: Annotated[
        bool,
        typer.Option("--phrase-table", help="PAIRS is a Moses phrase table with counts, as of `extract`."),
    ] = False,
    links: Annotated[
        str | None, typer.Option(help="Pharaoh links of the bitext; words are aligned first otherwise.")
    ] = None,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    side: Annotated[Side, typer.Option(help="Paraphrases of which side: source or target.")] = Side.source,
    min_count: Annotated[int, typer.Option(help="Leave out pairs seen less often.", min=1)] = 1,
    tagger: Annotated[
        str | None, typer.Option(help="A model whose tagger tags the source side; word classes otherwise.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help="walks: discounted walks on the whole graph. paper: commute times on graphs of clusters."
        ),
    ] = "walks",
    steps: Annotated[int, typer.Option(help="walks: longest walk, in double steps.", min=1)] = 2,
    discount: Annotated[
        float, typer.Option(help="walks: weight of each further double step.", min=0, max=1)
    ] = 0.5,
    largest: Annotated[int, typer.Option(help="paper: vertices of a sub-table (θ).", min=2)] = 2500,
    sigma: Annotated[float, typer.Option(help="paper: least idf of an edge (σ).", min=0, max=1)] = 0.65,
    max_phrases: Annotated[int, typer.Option(help="paper: most phrases of a graph.", min=2)] = 20,
    large: Annotated[str, typer.Option(help="paper: larger graphs: drop, or split.")] = "drop",
    top: Annotated[int, typer.Option(help="Most rows a phrase.", min=1)] = 20,
    index: Annotated[
        str | None, typer.Option(help="Also write this folder, for `paraphrast graph near`.")
    ] = None,
    plots: Annotated[
        str | None, typer.Option(help="Also draw component sizes and counts into this folder, as SVG.")
    ] = None,
    sequences: Annotated[
        str | None,
        typer.Option(help="Also write tables over tag and stem sequences: this name with -tag and -stem."),
    ] = None,
    threads: Threads = 0,
    memory: Memory = "",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Paraphrases by random walks on the phrase table's graph (after Martzoukos and Monz 2012)."""
    import os
    from pathlib import Path

    from paraphrast.cli.progress import Steps
    from paraphrast.errors import InputError
    from paraphrast.formats.table_file import write_table_file
    from paraphrast.pipeline.graph_walks import run_walks
    from paraphrast.pipeline.graphing import GraphSection, run_graph, save_index
    from paraphrast.pipeline.walk_index import save_walk_index

    set_verbosity(verbose)
    for folder in (index, plots):
        if folder is not None and Path(folder).exists():
            raise InputError(
                "expected a folder that does not exist yet", where=folder, remedy="choose another"
            )
    if not Path(output).absolute().parent.is_dir():
        raise InputError("there is no such folder", where=Path(output).parent, remedy="make it first")
    options = GraphSection(
        method=method,
        steps=steps,
        discount=discount,
        largest=largest,
        sigma=sigma,
        max_phrases=max_phrases,
        large=large,
        top=top,
    )
    if method != "paper" and (plots is not None or sequences is not None):
        raise InputError("--plots and --sequences need --method paper", remedy="add --method paper")
    cores = threads or os.cpu_count() or 1
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

        if method == "walks":
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
    typer.echo(note, err=True)
    typer.echo(f"{rows:,} rows → {output}", err=True)


def _from_table(path: str, languages: tuple[str, str], min_count: int, skip_bad: bool) -> GraphInput:
    from paraphrast.errors import At
    from paraphrast.formats.moses import read_phrase_table
    from paraphrast.pipeline.graph_input import from_moses

    bad: list[At] = []
    given = from_moses(
        read_phrase_table(path, skip_bad=skip_bad, bad=bad), languages, path, min_count=min_count
    )
    if bad:
        typer.echo(f"{len(bad)} malformed lines left out, the first at {bad[0]}", err=True)
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
    from paraphrast.cli.pairs import read_given, read_pairs
    from paraphrast.engine import Engine
    from paraphrast.errors import InputError
    from paraphrast.extract import ExtractOptions, count_pairs, extract_pairs
    from paraphrast.pipeline import load
    from paraphrast.pipeline.encoding import encode_side
    from paraphrast.pipeline.graph_input import from_extraction

    bitext = read_pairs(pairs, target, skip_bad)
    (source_words, source), (target_words, other) = (
        encode_side(bitext.lines[name], language, pretokenized=pretokenized)
        for name, language in zip(("1", "2"), languages, strict=True)
    )
    if links is not None:
        found = read_given(links, bitext)
    else:
        found = align(
            source, other, len(source_words), len(target_words), threads=threads, progress=bar.reached
        )
    extraction = extract_pairs(source, other, found, ExtractOptions(), progress=bar.reached)
    with Engine(threads=threads, memory=memory or None) as engine:
        counted = count_pairs(engine, extraction, min_count=min_count)
    tagged = None
    if tagger is not None:
        found_tagger = load(tagger).tagger
        if found_tagger is None:
            raise InputError(
                "the model has no tagger", where=tagger, remedy="train one with a [tagger] section"
            )
        tagged = found_tagger.tag_sentences(found_tagger.features(source_words.words), source), source
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
        typer.echo(f"{law.pairs:,} pairs of vertices, count ~ rank^-{law.exponent:.3f}", err=True)
    if sequences is not None:
        for kind, table in run.sequence_tables(pairs).items():
            place = Path(sequences)
            path = place.with_name(f"{place.stem}-{kind}{place.suffix or '.parquet'}")
            typer.echo(f"{write_table_file(path, table):,} rows → {path}", err=True)


@app.command()
def near(
    phrase: Annotated[str, typer.Argument(help="A phrase, its tokens by spaces.")],
    index: Annotated[
        str,
        typer.Option("--index", "-i", help="Folder of `table graph --index`, or of a run's graph stage."),
    ],
    number: Annotated[int, typer.Option("-n", help="How many paraphrases.", min=1)] = 10,
    shape: OutputFormat = Format.text,
) -> None:
    """Paraphrases of one phrase, computed from its neighbourhood alone."""
    from paraphrast.pipeline.graphing import open_index

    rows = open_index(index).near(phrase)[:number]
    if shape is Format.json:
        for text, score, count in rows:
            print_json({"phrase": phrase, "paraphrase": text, "probability": score, "count": count})
        return
    for text, score, count in rows:
        typer.echo(f"{text}\t{score:.4f}\t{count:.1f}")
    if not rows:
        typer.echo("nothing near it: the phrase shares no translation with another", err=True)
