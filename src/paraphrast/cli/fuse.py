"""`paraphrast fuse`: many reports of one event → one automaton → new sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import (
    Format,
    Language,
    Output,
    OutputFormat,
    Pretokenized,
    Seed,
    Verbose,
    print_json,
    report,
    set_verbosity,
)

if TYPE_CHECKING:
    from paraphrast.fusion.clusters import NamedCluster
    from paraphrast.fusion.sentences import Fusion
    from paraphrast.msa.match import MatchOptions
    from paraphrast.text.syntax.parser import Parser
    from paraphrast.types import Lattice


def fuse(
    cluster: Annotated[
        str,
        typer.Argument(
            help="Sentences about one event, one per line (- reads standard input), or several clusters: .jsonl with "
            "{cluster, sentences}, or .tsv."
        ),
    ],
    terms: Annotated[
        int,
        typer.Option(
            help="Read CLUSTER as articles, and make at most this many clusters per event, by key terms.",
            min=0,
        ),
    ] = 0,
    n: Annotated[int, typer.Option("-n", help="Maximum number of new sentences.", min=1)] = 10,
    alignment: Annotated[
        str,
        typer.Option(
            help="How to align sentences: V1 lexical, V2 without commas, V3 also without stop words, V4 as V3 with "
            "syntax, V5 as V2 with syntax. auto tries V4, V5 and V2 until one gives a new sentence."
        ),
    ] = "auto",
    random: Annotated[
        bool, typer.Option("--random", help="Sample random paths, as in the paper, instead of ranking paths.")
    ] = False,
    drawn: Annotated[
        int, typer.Option(help="Number of paths to sample before removing copies of the input.", min=1)
    ] = 100,
    lm: Annotated[
        str | None,
        typer.Option(
            help="Language model for the ranking: a model (folder, packed file, default or registry), a folder of "
            "`paraphrast lm`, or an ARPA file. Default: the default model for English, else a small model of each "
            "cluster. Not used by --random."
        ),
    ] = None,
    language: Language = "en",
    pretokenized: Pretokenized = False,
    spacy: Annotated[
        str | None,
        typer.Option(
            help="spaCy pipeline, by name or folder. Default: any that is installed or was fetched."
        ),
    ] = None,
    trees: Annotated[
        str | None, typer.Option(help="File with parses in Penn brackets, one tree per sentence, in order.")
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(help="JSON file with the constants of the syntactic match, as --tune writes it."),
    ] = None,
    automaton: Annotated[
        str | None,
        typer.Option(help="Write the automaton to this file: .json, .fst.txt (OpenFst) or .plf (Moses)."),
    ] = None,
    draw: Annotated[str | None, typer.Option(help="Draw the automaton to this file, as SVG.")] = None,
    read: Annotated[
        bool, typer.Option("--read", help="CLUSTER is an automaton. Sample random paths from it.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option(
            help="Write a rating campaign for `paraphrast judge rate` into this folder, and no sentences."
        ),
    ] = None,
    tune: Annotated[
        bool,
        typer.Option(
            "--tune",
            help="Fit the constants of the syntactic match on many clusters, and print them as JSON.",
        ),
    ] = False,
    seed: Seed = 0,
    output: Output = "-",
    format: OutputFormat = Format.text,
    verbose: Verbose = False,
) -> None:
    """Generate new sentences from sentences about one event. Each span names the sentences it came from."""
    from paraphrast.errors import InputError
    from paraphrast.fusion.clusters import prepare_all, read_clusters
    from paraphrast.fusion.resources import find_tagger, language_model, remedy
    from paraphrast.fusion.sentences import fuse_prepared, versions_of
    from paraphrast.fusion.tuning import tune as search
    from paraphrast.study.fusions import judging_files

    set_verbosity(verbose)
    versions = versions_of(alignment)
    if read:
        _read(cluster, n, drawn, seed, output, format, automaton, draw)
        return
    for path, endings in ((automaton, (".json", ".fst.txt", ".plf")), (draw, (".svg",))):
        if path is not None and not path.endswith(endings):
            raise InputError(f"expected a file name that ends with {' or '.join(endings)}, got {path!r}")
    numbers = _match(match)
    ranks = not random or tune or judge is not None
    model = language_model(lm, language) if ranks else None
    clusters = read_clusters(cluster, terms=terms, language=language)
    parser = _parser(trees, spacy, language)
    tagger = find_tagger(lm, language) if ranks and parser is None else None
    prepared = prepare_all(
        clusters, language=language, parser=parser, tagger=tagger, pretokenized=pretokenized
    )
    if tune:
        cut = max(2 * len(prepared) // 3, 1)
        _print(output, [search(prepared[:cut], prepared[cut:], versions[0], model, seed=seed)])
        return
    if judge is not None:
        if parser is None:
            report(f"V4 and V5 are missing: they need a parser. {remedy(language)}")
        counts = judging_files(judge, clusters, prepared, lm=model, n=n, seed=seed)
        report(", ".join(f"{count:,} {what}" for what, count in counts.items()) + f" → {judge}")
        return
    if (automaton is not None or draw is not None) and len(clusters) != 1:
        raise InputError(f"--automaton and --draw: expected one cluster, got {len(clusters)}")
    fusions = [
        fuse_prepared(
            sentences,
            n,
            version=versions,
            method="random" if random else "ranked",
            lm=model,
            match=numbers,
            drawn=drawn,
            seed=seed,
        )
        for sentences in prepared
    ]
    if fusions:
        _write(fusions[0].lattice, automaton, draw, title=f"{clusters[0].name}, {fusions[0].version}")
    _show(list(zip(clusters, fusions, strict=True)), output, format, sources=terms > 0)


def _match(path: str | None) -> MatchOptions | None:
    """The constants of a JSON file: an object of them, or one with them under ``match``."""
    from paraphrast.errors import FormatError
    from paraphrast.formats.files import open_text
    from paraphrast.formats.json_text import parse_json
    from paraphrast.msa.match import MatchOptions

    if path is None:
        return None
    with open_text(path) as reader:
        text = "\n".join(reader)
    try:
        values = parse_json(text)
        values = values.get("match", values)
    except (ValueError, AttributeError) as error:
        raise FormatError(f"expected a JSON object: {error}", where=path) from error
    return MatchOptions.from_dict(values)


def _parser(trees: str | None, spacy: str | None, language: str) -> Parser | None:
    from paraphrast.formats.files import open_text
    from paraphrast.fusion.resources import syntax_of
    from paraphrast.text.syntax.parser import PennParser

    if trees is not None:
        with open_text(trees) as reader:
            return PennParser(list(reader))
    return syntax_of(spacy, language)


def _write(lattice: Lattice, automaton: str | None, draw: str | None, *, title: str) -> None:
    from paraphrast.draw.automaton import draw_automaton
    from paraphrast.formats.files import atomic_write
    from paraphrast.formats.lattices import write_lattice

    if automaton is not None:
        write_lattice(automaton, lattice)
    if draw is not None:
        with atomic_write(draw) as stream:
            stream.write(draw_automaton(lattice, title=title))


def _read(
    path: str,
    n: int,
    drawn: int,
    seed: int,
    output: str,
    form: Format,
    automaton: str | None,
    draw: str | None,
) -> None:
    """Random paths of an automaton from a file."""
    from paraphrast.formats.files import atomic_write
    from paraphrast.formats.lattices import read_lattice
    from paraphrast.msa.automaton import Automaton
    from paraphrast.msa.generate import novel_paths

    source = Automaton.from_lattice(read_lattice(path))
    _write(source.lattice, automaton, draw, title=path)
    paths, _ = novel_paths(source, (), drawn=drawn, kept=n, seed=seed)
    texts = [" ".join(words) for words in paths]
    if form is Format.json:
        _print(output, [{"text": text} for text in texts])
        return
    with atomic_write(output) as stream:
        for text in texts:
            print(text, file=stream)


def _print(output: str, values: list[dict[str, object]]) -> None:
    import json

    from paraphrast.formats.files import atomic_write

    if output == "-":
        for value in values:
            print_json(value)
        return
    with atomic_write(output) as stream:
        for value in values:
            stream.write(json.dumps(value, ensure_ascii=False) + "\n")


def _show(rows: list[tuple[NamedCluster, Fusion]], output: str, form: Format, *, sources: bool) -> None:
    """Print new sentences; sources: also the sentences of each cluster, which the file does not hold as such."""
    from paraphrast.formats.files import atomic_write

    if form is Format.json:
        _print(
            output,
            [
                {"cluster": cluster.name, "source": list(cluster.sentences), **fusion.to_dict()}
                for cluster, fusion in rows
            ],
        )
        return
    with atomic_write(output) as stream:
        for cluster, fusion in rows:
            if len(rows) > 1:
                print(f"# {cluster.name}", file=stream)
            if sources:
                for number, text in enumerate(cluster.sentences, 1):
                    print(f"[{number}] {text}", file=stream)
            for rank, sentence in enumerate(fusion.sentences, 1):
                kind = "" if sentence.kind == "new" else f"  ({sentence.kind})"
                print(f"{rank:3d}  {sentence.score:6.2f}  {sentence.text}{kind}", file=stream)
                print(f"             {sentence.marked()}", file=stream)
            if len(rows) > 1:
                print(file=stream)
    for cluster, fusion in rows:
        _report(f"{cluster.name}: " if len(rows) > 1 else "", fusion)


def _report(name: str, fusion: Fusion) -> None:
    """Statistics, conflicts and notes of a cluster, each with its name."""
    states, edges = fusion.automaton.states, fusion.automaton.edges
    report(
        f"{name}{fusion.version}: {len(fusion.cluster)} sentences, {states} states, {edges} edges, "
        f"{fusion.lattice.path_count():,} paths"
    )
    for conflict in fusion.conflicts:
        record = conflict.to_dict(fusion.cluster)
        values = "; ".join(
            f"{value['value']} ({','.join(str(number + 1) for number in value['sentences'])})"
            for value in record["values"]
        )
        report(f"{name}conflict at {record['left']} … {record['right']}: {values}")
    for note in fusion.notes:
        report(f"{name}{note}")
