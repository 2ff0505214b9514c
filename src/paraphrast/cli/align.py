"""`paraphrast align`: word alignment of bitext."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli.options import (
    EngineName,
    Output,
    Pairs,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    TargetLanguage,
    Threads,
    Verbose,
    set_verbosity,
)

if TYPE_CHECKING:
    from paraphrast.align import AlignOptions
    from paraphrast.build.align import AlignModel
    from paraphrast.build.monolingual import MonolingualModel
    from paraphrast.formats.bitext import Bitext
    from paraphrast.types import Links

DEFAULT_METHOD = "hmm"
DEFAULT_SYMMETRISE = "grow-diag-final-and"


def align(
    pairs: Pairs,
    target: Annotated[str | None, typer.Argument(help="The second file, for one file a language.")] = None,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    monolingual: Annotated[
        bool,
        typer.Option(
            "--monolingual", help="Both sides are of the source language: use all that is known of its words."
        ),
    ] = False,
    evidence: Annotated[
        str | None,
        typer.Option(
            help="With --monolingual: what to go by, by comma; all of stem,number,spelling,synonyms,vectors."
        ),
    ] = None,
    context: Annotated[
        bool | None,
        typer.Option(
            "--context/--no-context",
            help="With --monolingual: also read each word in its sentence, by an encoder (84 MB, fetched on first"
            " use): better links between different words, some fifty pairs a second. On, where the language"
            " has an encoder and --evidence is not given; --no-context is a dozen times as fast.",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(help="hmm, ibm1, eflomal, thot, links, or the name of a plug-in.")
    ] = DEFAULT_METHOD,
    symmetrise: Annotated[
        str,
        typer.Option(help="intersect, union, grow-diag, grow-diag-final, grow-diag-final-and or refined."),
    ] = DEFAULT_SYMMETRISE,
    identity_lexicon: Annotated[
        bool,
        typer.Option(
            "--identity-lexicon", help="Also train on each word that both sides share, with itself."
        ),
    ] = False,
    posteriors: Annotated[
        str | None, typer.Option(help="Also write this file: for every link its probability, 0 to 1.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(help="Keep the trained model in this folder, to align other text.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Align with a model that --save kept; no training.")
    ] = None,
    links: Annotated[
        str | None, typer.Option(help="With --method links: Pharaoh links of any tool, to be checked.")
    ] = None,
    output: Output = "-",
    threads: Threads = 0,
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Align words and write Pharaoh links, one line a sentence pair: 0-0 1-2 …"""
    import os

    from paraphrast.align import AlignOptions
    from paraphrast.build.align import AlignModel, align_text, load_model
    from paraphrast.build.monolingual import align_monolingual, check_place
    from paraphrast.cli.pairs import in_place, read_given, read_pairs
    from paraphrast.cli.progress import Steps
    from paraphrast.engine import DUCKDB
    from paraphrast.errors import InputError
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.pharaoh import format_links, format_posteriors

    set_verbosity(verbose)
    check_together(method, model, save, links, identity_lexicon)
    check_monolingual(monolingual, evidence, context, method, symmetrise, identity_lexicon, model)
    check_posteriors(posteriors, output, method)
    check_workers(engine, model)
    if save is not None:
        check_place(save)
    options = AlignOptions(symmetrise=symmetrise, posteriors=posteriors is not None)
    cores = threads or os.cpu_count() or 1
    trained: AlignModel | MonolingualModel | None = None if model is None else load_model(model)
    if isinstance(trained, AlignModel):
        trained = trained.with_options(options)
        check_posteriors(posteriors, output, trained.method)
    if trained is not None and pretokenized and not trained.pretokenized:
        raise InputError(
            "this model was trained on running text, and numbers links by its own tokens",
            where=model,
            remedy="leave --pretokenized out, or train with it",
        )
    bitext = read_pairs(pairs, target, skip_bad)
    if model is not None and engine != DUCKDB:
        found = align_by_workers(engine, model, bitext, options, cores)
    elif trained is not None:
        found = align_by_kept(trained, bitext, cores)
    elif monolingual:
        with Steps() as steps:
            found, trained = align_monolingual(
                bitext.lines["1"],
                bitext.lines["2"],
                language=source_language,
                pretokenized=pretokenized,
                evidence=None if evidence is None else [name for name in evidence.split(",") if name],
                context=context,
                threads=cores,
                progress=steps.reached,
            )
        if save is not None:
            trained.save(save)
    else:
        with Steps() as steps:
            found, trained = align_text(
                bitext.lines["1"],
                bitext.lines["2"],
                source_language=source_language,
                target_language=target_language,
                pretokenized=pretokenized,
                method=method,
                options=options,
                identity_lexicon=identity_lexicon,
                links=None if links is None else read_given(links, bitext),
                threads=cores,
                progress=steps.reached,
            )
        if save is not None:
            save_model(trained, save, method)
    if posteriors is not None:
        write_lines(posteriors, in_place(format_posteriors(found), bitext))
    write_lines(output, in_place(format_links(found), bitext))


def align_by_kept(trained: AlignModel | MonolingualModel, bitext: Bitext, threads: int) -> Links:
    """Links by a model that was kept; one of one language tells how far it is, as it may read slowly."""
    from paraphrast.build.monolingual import MonolingualModel
    from paraphrast.cli.progress import Steps

    if not isinstance(trained, MonolingualModel):
        return trained.align(bitext.lines["1"], bitext.lines["2"], threads=threads)
    with Steps() as steps:
        return trained.align(bitext.lines["1"], bitext.lines["2"], threads=threads, progress=steps.reached)


def check_workers(engine: str, model: str | None) -> None:
    """Errors for an engine that is not there, or that there is nothing for."""
    from paraphrast.engine import DUCKDB, check_engine
    from paraphrast.errors import InputError

    check_engine(engine)
    if engine != DUCKDB and model is None:
        raise InputError(
            "training is done on this machine: --engine aligns with a model that is trained",
            remedy="train with --save MODEL, then align with --model MODEL --engine …",
        )


def align_by_workers(engine: str, model: str, bitext: Bitext, options: AlignOptions, threads: int) -> Links:
    """Links by the engine's Python workers, a shard of the lines at a time."""
    import tempfile
    from pathlib import Path

    from paraphrast.build.shards import align_lines
    from paraphrast.cli.progress import Steps
    from paraphrast.engine import open_engine

    with tempfile.TemporaryDirectory(prefix="paraphrast-") as folder, Steps() as steps:
        place = Path(folder)
        with open_engine(
            engine,
            threads=threads,
            spill=place,
            progress=lambda done, total, unit: steps.reached(unit, int(done), int(total)),
        ) as workers:
            return align_lines(workers, model, bitext.lines["1"], bitext.lines["2"], place, options=options)


def check_together(
    method: str, model: str | None, save: str | None, links: str | None, identity_lexicon: bool
) -> None:
    """Errors for options that do not go together, before any work."""
    from paraphrast.align import ALIGNERS
    from paraphrast.errors import InputError

    if method not in ALIGNERS:
        ALIGNERS.get(method)
    if (links is None) != (method != "links"):
        raise InputError("--method links and --links FILE go together: one was given without the other")
    if model is not None and (save is not None or identity_lexicon or method != DEFAULT_METHOD):
        raise InputError(
            "--model aligns with a model as it was trained: --save, --method, --links and"
            " --identity-lexicon do not go with it"
        )
    if save is not None and not getattr(ALIGNERS.get(method), "keeps_models", True):
        raise InputError(
            f"the method {method} has no model to save", remedy="leave --save out, or use --method hmm"
        )


def check_monolingual(
    monolingual: bool,
    evidence: str | None,
    context: bool | None,
    method: str,
    symmetrise: str,
    identity_lexicon: bool,
    model: str | None,
) -> None:
    """Errors for options that do not go with ``--monolingual``."""
    from paraphrast.errors import InputError

    for name, given in (("--evidence", evidence is not None), ("--context", context is not None)):
        if given and not monolingual:
            raise InputError(f"{name} goes with --monolingual")
    if monolingual and (
        method != DEFAULT_METHOD or symmetrise != DEFAULT_SYMMETRISE or identity_lexicon or model is not None
    ):
        raise InputError(
            "--monolingual has its own model of links: --method, --symmetrise, --identity-lexicon and --model"
            " do not go with it",
            remedy="a model that was kept knows by itself that it is of one language",
        )


def check_posteriors(posteriors: str | None, output: str, method: str) -> None:
    """Errors for posteriors that could not be given, or not be told from the links, before any work."""
    from paraphrast.align import ALIGNERS
    from paraphrast.errors import InputError

    if posteriors is None:
        return
    if posteriors == output:
        raise InputError(
            "the links and their posteriors go to one place", remedy="--posteriors FILE -o LINKS"
        )
    if not getattr(ALIGNERS.get(method), "gives_posteriors", True):
        raise InputError(
            f"the method {method} has no posteriors", remedy="leave --posteriors out, or use hmm"
        )


def save_model(trained: object, folder: str, method: str) -> None:
    """Keep a trained model; an error where the method has none."""
    from paraphrast.build.align import AlignModel
    from paraphrast.errors import InputError

    if not isinstance(trained, AlignModel):
        raise InputError(
            f"the method {method} has no model to save", remedy="leave --save out, or use --method hmm"
        )
    trained.save(folder)
