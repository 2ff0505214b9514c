"""Make items one after the other, keep what is finished, and write JSON, Markdown and pictures."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from paraphrast._version import __version__
from paraphrast.errors import FormatError, MissingExtra
from paraphrast.formats.files import atomic_write
from paraphrast.formats.json_text import parse_json
from paraphrast.reproduce.markdown import paper_lines
from paraphrast.reproduce.papers import makers_of
from paraphrast.reproduce.records import Job, NotMadeError, Paper, Printed

Records = dict[str, dict[str, Any]]
Tell = Callable[[str], None]
_DELETE = "delete the file, and its tables are made anew"


def results_file(folder: Path, paper: str) -> Path:
    """Where the figures of a paper are."""
    return folder / f"{paper}.json"


def read_results(path: Path) -> Records:
    """Item → its record; nothing if there is no file."""
    if not path.exists():
        return {}
    try:
        content = parse_json(path.read_bytes())
    except ValueError as error:
        raise FormatError(f"expected JSON: {error}", where=str(path), remedy=_DELETE) from error
    items = content.get("items") if isinstance(content, dict) else None
    if not isinstance(items, dict) or not all(
        isinstance(one, dict) and "run" in one for one in items.values()
    ):
        raise FormatError("expected an object with items of earlier runs", where=str(path), remedy=_DELETE)
    return items


def write_results(path: Path, paper: str, records: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the figures of a paper. The file is replaced at once, so an interrupt never leaves a part of it."""
    with atomic_write(str(path)) as stream:
        stream.write(json.dumps({"paper": paper, "items": records}, ensure_ascii=False, indent=1) + "\n")


def is_finished(record: Mapping[str, Any] | None, run: str) -> bool:
    """Whether an item was made by the same kind of run of this version."""
    return record is not None and record["run"] == run and record.get("version") == __version__


def peak_megabytes() -> int | None:
    """The peak memory of this process so far; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3))


def needed(items: tuple[Printed, ...], job: Job) -> str:
    """What a run needs and how long it takes, as one line."""
    if job.small:
        return "no data; about a minute for all papers"
    files = dict.fromkeys(name for item in items for name in item.needs)
    minutes = sum(item.minutes for item in items)
    return f"{', '.join(files) or 'no data'}; about {max(minutes, 0.1):.1f} CPU minutes"


def run_paper(
    paper: Paper,
    items: tuple[Printed, ...],
    job: Job,
    folder: Path,
    *,
    again: bool = False,
    tell: Tell = lambda _: None,
) -> Records:
    """Make the items that are not finished, and write the results after each.

    Items that cannot be made in this run are told with the reason; what the folder has of them stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = results_file(folder, paper.name)
    records = read_results(path)
    makers = makers_of(paper.name)
    run = "small" if job.small else "full"
    for item in items:
        if not again and is_finished(records.get(item.id), run):
            tell(f"{paper.name} {item.id}: finished before")
            continue
        began = time.process_time()
        try:
            made = makers[item.id](job)
        except (NotMadeError, MissingExtra) as reason:
            tell(f"{paper.name} {item.id}: not made: {reason}")
            continue
        names = []
        for name, picture in made.pictures.items():
            names.append(f"{paper.name}-{name}.svg")
            with atomic_write(str(folder / names[-1])) as stream:
                stream.write(picture)
        seconds = time.process_time() - began
        records[item.id] = {
            "run": run,
            "version": __version__,
            "header": list(made.header),
            "rows": [list(row) for row in made.rows],
            "data": made.data,
            "notes": list(made.notes),
            "pictures": names,
            "cpu_seconds": round(seconds, 1),
            "peak_megabytes": peak_megabytes(),
            "measured_by": f"`{command(paper, item, job)}`",
        }
        order = {known.id: place for place, known in enumerate(paper.items)}
        records = dict(sorted(records.items(), key=lambda entry: order.get(entry[0], len(order))))
        write_results(path, paper.name, records)
        tell(f"{paper.name} {item.id}: {seconds:.1f} CPU seconds")
    text = "\n".join([f"# {paper.citation}", "", *paper_lines(paper, records)]) + "\n"
    with atomic_write(str(folder / f"{paper.name}.md")) as stream:
        stream.write(text)
    return records


def command(paper: Paper, item: Printed, job: Job) -> str:
    """The command that makes one item."""
    wanted = item.id.removeprefix("table-")
    data = " --small" if job.small else " --data FOLDER" if item.needs else ""
    return f"paraphrast reproduce {paper.name} --table {wanted}{data}"
