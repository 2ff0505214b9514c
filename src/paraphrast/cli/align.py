"""`paraphrast align`: word alignment of bitext."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.align.options import AlignOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    EngineName,
    Output,
    Pairs,
    Pretokenized,
    SkipBad,
    SourceLanguage,
    TargetLanguage,
    Threads,
    Verbose,
    core_count,
    set_verbosity,
    split_names,
)

if TYPE_CHECKING:
    from paraphrast.build.align import AlignModel
    from paraphrast.build.monolingual import MonolingualModel
    from paraphrast.formats.bitext import Bitext
    from paraphrast.types import Links

DEFAULT_METHOD = "hmm"
DEFAULT_SYMMETRISE = AlignOptions().symmetrise


@with_options
def align(
    pairs: Pairs,
    target: Annotated[
        str | None, typer.Argument(help="Second file of the bitext, if each language has its own file.")
    ] = None,
    *,
    source_language: SourceLanguage = "en",
    target_language: TargetLanguage = "xx",
    pretokenized: Pretokenized = False,
    monolingual: Annotated[
        bool,
        typer.Option(
            "--monolingual",
            help="Both sides are in the source language. Uses stems, spelling, synonyms and word vectors.",
        ),
    ] = False,
    evidence: Annotated[
        str | None,
        typer.Option(
            help="With --monolingual: what to use, separated by commas. Some of stem, number, spelling, synonyms, "
            "vectors. Default: all."
        ),
    ] = None,
    context: Annotated[
        bool | None,
        typer.Option(
            "--context/--no-context",
            help="With --monolingual: also read each word in its sentence with an encoder (extra 'precise'; 84 MB, "
            "downloaded on first use). Improves links between different words, but takes several times as long. On "
            "by default if the language has an encoder, the extra is installed and --evidence is not given.",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(help="Aligner: hmm, ibm1, eflomal, thot, links, or the name of a plug-in.")
    ] = DEFAULT_METHOD,
    options: AlignOptions,
    identity_lexicon: Annotated[
        bool,
        typer.Option(
            "--identity-lexicon", help="Also train on pairs of identical words that occur on both sides."
        ),
    ] = False,
    posteriors: Annotated[
        str | None, typer.Option(help="Also write the probability of every link to this file.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(help="Folder to save the trained model in, to align other text with it.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Align with a model that --save wrote, without training."),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(help="With --method links: Pharaoh links of another tool, which are checked."),
    ] = None,
    output: Output = "-",
    threads: Threads = 0,
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Align words and write Pharaoh links, one line per sentence pair: 0-0 1-2 …"""
    from dataclasses import replace

    from paraphrast.build.align import AlignModel, align_text, load_model
    from paraphrast.build.monolingual import align_monolingual, check_place
    from paraphrast.cli._support.bitext import in_place, read_given, read_pairs
    from paraphrast.cli._support.progress import Steps
    from paraphrast.engine import DUCKDB
    from paraphrast.errors import InputError
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.pharaoh import format_links, format_posteriors

    set_verbosity(verbose)
    check_together(method, model, save, links, identity_lexicon)
    check_monolingual(monolingual, evidence, context, method, options.symmetrise, identity_lexicon, model)
    check_posteriors(posteriors, output, method)
    check_workers(engine, model)
    if save is not None:
        check_place(save)
    options = replace(options, posteriors=posteriors is not None)
    cores = core_count(threads)
    trained: AlignModel | MonolingualModel | None = None if model is None else load_model(model)
    if isinstance(trained, AlignModel):
        trained = trained.with_options(options)
        check_posteriors(posteriors, output, trained.method)
    if trained is not None and pretokenized and not trained.pretokenized:
        raise InputError(
            "--pretokenized: this model was trained on running text and numbers links by its own tokens",
            where=model,
            remedy="remove --pretokenized, or train a model with it",
        )
    bitext = read_pairs(pairs, target, skip_bad)
    if model is not None and engine != DUCKDB:
        aligned = align_by_workers(engine, model, bitext, options, cores)
    elif trained is not None:
        aligned = align_by_saved(trained, bitext, cores)
    elif monolingual:
        with Steps() as steps:
            aligned, trained = align_monolingual(
                bitext.lines["1"],
                bitext.lines["2"],
                language=source_language,
                pretokenized=pretokenized,
                evidence=None if evidence is None else split_names(evidence),
                context=context,
                threads=cores,
                progress=steps.reached,
            )
        if save is not None:
            trained.save(save)
    else:
        with Steps() as steps:
            aligned, trained = align_text(
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
        write_lines(posteriors, in_place(format_posteriors(aligned), bitext))
    write_lines(output, in_place(format_links(aligned), bitext))


def align_by_saved(trained: AlignModel | MonolingualModel, bitext: Bitext, threads: int) -> Links:
    """Links by a saved model; a monolingual one shows its progress, as it may be slow."""
    from paraphrast.build.monolingual import MonolingualModel
    from paraphrast.cli._support.progress import Steps

    if not isinstance(trained, MonolingualModel):
        return trained.align(bitext.lines["1"], bitext.lines["2"], threads=threads)
    with Steps() as steps:
        return trained.align(bitext.lines["1"], bitext.lines["2"], threads=threads, progress=steps.reached)


def check_workers(engine: str, model: str | None) -> None:
    """Errors for an engine that is not available, or that has nothing to do."""
    from paraphrast.engine import DUCKDB, check_engine
    from paraphrast.errors import InputError

    check_engine(engine)
    if engine != DUCKDB and model is None:
        raise InputError(
            "--engine: expected --model, because training runs on this machine only",
            remedy="train with --save MODEL, then align with --model MODEL --engine …",
        )


def align_by_workers(engine: str, model: str, bitext: Bitext, options: AlignOptions, threads: int) -> Links:
    """Links by the engine's Python workers, a shard of the lines at a time."""
    import tempfile
    from pathlib import Path

    from paraphrast.build.shards import align_lines
    from paraphrast.cli._support.progress import Steps
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
    """Errors for options that cannot be combined, before any work."""
    from paraphrast.align import ALIGNERS
    from paraphrast.errors import InputError

    if method not in ALIGNERS:
        ALIGNERS.get(method)
    if (links is None) != (method != "links"):
        raise InputError("--method links requires --links FILE, and --links requires --method links")
    if model is not None and (save is not None or identity_lexicon or method != DEFAULT_METHOD):
        raise InputError(
            "--model cannot be combined with --save, --method, --links or --identity-lexicon",
            remedy="--model aligns with a saved model as it was trained",
        )
    if save is not None and not getattr(ALIGNERS.get(method), "keeps_models", True):
        raise InputError(
            f"the method {method} has no model to save", remedy="remove --save, or use --method hmm"
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
    """Errors for options that cannot be combined with ``--monolingual``."""
    from paraphrast.errors import InputError

    for name, given in (("--evidence", evidence is not None), ("--context", context is not None)):
        if given and not monolingual:
            raise InputError(f"{name} requires --monolingual")
    if monolingual and (
        method != DEFAULT_METHOD or symmetrise != DEFAULT_SYMMETRISE or identity_lexicon or model is not None
    ):
        raise InputError(
            "--monolingual cannot be combined with --method, --symmetrise, --identity-lexicon or --model",
            remedy="a saved monolingual model needs no --monolingual",
        )


def check_posteriors(posteriors: str | None, output: str, method: str) -> None:
    """Errors for posteriors that cannot be computed, or that would go to the file of the links, before any work."""
    from paraphrast.align import ALIGNERS
    from paraphrast.errors import InputError

    if posteriors is None:
        return
    if posteriors == output:
        raise InputError(
            "--posteriors and --output name the same file", remedy="use two files: --posteriors FILE -o LINKS"
        )
    if not getattr(ALIGNERS.get(method), "gives_posteriors", True):
        raise InputError(
            f"the method {method} has no posteriors", remedy="remove --posteriors, or use --method hmm"
        )


def save_model(trained: object, folder: str, method: str) -> None:
    """Save a trained model; an error if the method has none."""
    from paraphrast.build.align import AlignModel
    from paraphrast.errors import InputError

    if not isinstance(trained, AlignModel):
        raise InputError(
            f"the method {method} has no model to save", remedy="remove --save, or use --method hmm"
        )
    trained.save(folder)
