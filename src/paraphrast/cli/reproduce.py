"""`paraphrast reproduce`: the tables and figures of the papers, theirs beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.options import Threads, core_count, report


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help="Paper: quirk-2004, shen-2006, owczarzak-2006, martzoukos-monz-2012, zhao-2008, or all."
        ),
    ],
    *,
    table: Annotated[
        str | None,
        typer.Option(
            help="Only this item: 3 is table 3; otherwise its name, such as figure-2. Default: all."
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            help="Folder with the corpora and gold standards of a full run. Items whose data is missing are skipped.",
            envvar="PARAPHRAST_BENCH_DATA",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="Folder for the results. Finished items in it are not made again."
        ),
    ] = "reproduced",
    small: Annotated[
        bool,
        typer.Option(
            "--small",
            help="Use small data written for it, to check that everything works. Takes about a minute.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Make finished items again.")] = False,
    threads: Threads = 1,
) -> None:
    """Make the tables and figures of a paper, and write them beside the paper's own.

    Writes PAPER.json, PAPER.md and pictures into the output folder, after each item. Run the command again to continue
    after an interrupt. Items that need human ratings read ratings/ in the data folder.
    """
    from pathlib import Path

    from paraphrast.errors import InputError
    from paraphrast.reproduce.papers import chosen_items, papers_of, read_paper
    from paraphrast.reproduce.records import Job
    from paraphrast.reproduce.runner import needed, run_paper

    folder = Path(data) if data and not small else None
    if folder is not None and not folder.is_dir():
        raise InputError("expected a folder with data", where=data or "", remedy="or use --small")
    if Path(output).exists() and not Path(output).is_dir():
        raise InputError("expected a folder for the results, got a file", where=output)
    papers = [read_paper(name) for name in papers_of(paper)]
    chosen = [(one, chosen_items(one, table)) for one in papers]
    for one, items in chosen:
        job = Job(small, folder, core_count(threads))
        report(f"{one.name}: {len(items)} items; needs {needed(items, job)}")
        run_paper(one, items, job, Path(output), again=force, tell=report)
    for one, _ in chosen:
        typer.echo(str(Path(output) / f"{one.name}.md"))
