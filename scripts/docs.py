"""Write docs/cli.md, api.md, options.md, and tables of figures from JSON; with --check, exit 1 when a page is stale.

Commands, functions and options are described in the code, and only there. These pages repeat the descriptions, and a
test keeps them equal. Measured figures are in docs/figures, one JSON file per bench (scripts/figures.py writes them to
pages and pictures), and those of the papers in docs/papers/figures: --figures FOLDER takes over the results of a full
`paraphrast reproduce … -o FOLDER`, whose finished items replace those there.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDTH = 100
#: Public names that are not at the door.
BESIDE = ("paraphrast.model", ("explain", "paraphrases_of"))
#: What users call, of classes that have more; of other classes, everything without a leading underscore.
MEMBERS = {
    "Paraphraser": ("paraphrase", "paraphrase_many", "explain", "lattice", "signature"),
    "Control": (),
    "ControlOptions": (),
    "Lattice": ("path_count", "top"),
    "Origins": (),
    "AlignOptions": (),
}
NOTICE = "<!-- Written by scripts/docs.py (`make docs`). Change the text in the code, not on this page. -->"

EXAMPLES = """## Examples

The tests run these lines and compare their output. The output is that of the small model that the tests train
(`tests/toy.py`); a model trained on real text gives other results.

```python
>>> import paraphrast
>>> model = paraphrast.load("default")
>>> sentence = "The committee will examine the proposal tomorrow."
>>> best = model.paraphrase(sentence, n=3)
>>> best[0].text
'The committee will look at the plan tomorrow.'
>>> best[0].marked()
'The committee will [look at] the [plan] tomorrow.'
```

An edit has its position in both texts. Offsets count code points.

```python
>>> edit = best[0].edits[0]
>>> edit.before, edit.after, edit.tables
('examine', 'look at', ('pivot',))
>>> sentence[edit.start : edit.end], best[0].text[edit.out_start : edit.out_end]
('examine', 'look at')
>>> sorted(edit.to_dict())
['after', 'before', 'end', 'out_end', 'out_start', 'probability', 'start', 'tables']
```

Options are fields of `Control`, given by name or as a record.

```python
>>> all("proposal" in result.text for result in model.paraphrase(sentence, protect=["proposal"]))
True
>>> all("plan" in result.text for result in model.paraphrase(sentence, must_use=["plan"]))
True
>>> model.paraphrase(sentence, strength=0)[0].text == sentence
True
>>> careful = paraphrast.Control(n=1, max_edits=1)
>>> for results in model.paraphrase_many([sentence, "Nothing is known of this."], careful):
...     print([result.marked() for result in results])
['The committee will [look at] the proposal tomorrow.']
[]
```

The evidence behind a substitution:

```python
>>> from paraphrast.model import paraphrases_of
>>> [text for text, probability in paraphrases_of(model, "proposal")]
['plan']
>>> [(pivot.language, pivot.phrase) for pivot in model.explain("proposal", "plan").pivots]
[('de', 'vorschlag'), ('fr', 'projet')]
```

`paraphrase` loads the model itself. It takes a text, or any number of texts, which it reads as it goes.

```python
>>> paraphrast.paraphrase(sentence, model, n=1)[0].text
'The committee will look at the plan tomorrow.'
>>> for results in paraphrast.paraphrase(iter([sentence]), model, n=1, max_edits=1):
...     print(results[0].marked())
The committee will [look at] the proposal tomorrow.
```

`augment` makes training data: texts with paraphrases of them, as columns of equal length.

```python
>>> data = paraphrast.augment([sentence], ["work"], per_text=2, seed=0, model=model)
>>> data["id"], data["label"], data["rank"]
([0, 0, 0], ['work', 'work', 'work'], [0, 1, 2])
```

All errors of the package are `ParaphrastError`. The message says what was expected and what to do.

```python
>>> try:
...     paraphrast.load("nowhere")
... except paraphrast.ParaphrastError as error:
...     print(error)
nowhere: no model at this path
  build one: paraphrast train CONFIG.toml -o MODEL
```
"""


def cli_page() -> str:
    """The help text of every command."""
    import typer

    from paraphrast.cli.app import make_app

    parts = [
        NOTICE,
        "# Command line",
        "Every command reads files or standard input and writes files or standard output (`-`).\n"
        "Exit codes: 0 success, 1 no result, 2 an error that you can correct, 130 interrupted\n"
        "([usage.md](usage.md#exit-codes)).\n"
        "`python -m paraphrast` is the same as `paraphrast`.",
    ]
    for name, text in _help(typer.main.get_command(make_app()), "paraphrast", None):
        parts.append(f"{'#' * (1 + len(name.split()))} `{name}`\n\n```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def _help(command: Any, name: str, parent: Any) -> Iterator[tuple[str, str]]:
    """The full name and the help text of a command and of all beneath it."""
    context = command.context_class(
        command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH
    )
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield context.command_path, text
    for child in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _help(command.get_command(context, child), child, context)


def api_page() -> str:
    """Signature and docstring of every public name, then the examples."""
    import paraphrast

    functions: list[str] = []
    classes: list[str] = []
    errors: list[str] = []
    for name in paraphrast.__all__:
        value = getattr(paraphrast, name)
        if inspect.isfunction(value):
            functions.append(_function(name, value, "###"))
        elif isinstance(value, type):
            is_error = issubclass(value, Exception)
            (errors if is_error else classes).append(_class(name, value))
    module = import_module(BESIDE[0])
    beside = []
    for name in BESIDE[1]:
        value = getattr(module, name)
        beside.append(_class(name, value) if isinstance(value, type) else _function(name, value, "###"))
    parts = [
        NOTICE,
        "# Python",
        "`import paraphrast` is cheap: a name is imported when it is first used. `paraphrast.__version__` is the\n"
        "version. What is not on this page may change without notice.",
        EXAMPLES.rstrip(),
        "## Functions",
        *functions,
        "## Classes",
        *classes,
        "## Errors",
        *errors,
        f"## In `{BESIDE[0]}`",
        *beside,
    ]
    return "\n\n".join(parts) + "\n"


def _function(name: str, value: Any, heading: str) -> str:
    return f"{heading} `{name}`\n\n```python\n{_signature(name, value)}\n```\n\n{_doc(value)}"


def _class(name: str, value: type) -> str:
    bases = [base.__name__ for base in value.__bases__ if base is not object]
    kind = f" ({', '.join(bases)})" if bases else ""
    parts = [f"### `{name}`{kind}"]
    if "__init__" in vars(value):
        parts.append(f"```python\n{_signature(name, value)}\n```")
    parts.append(_doc(value))
    parts += _fields(value)
    wanted = MEMBERS.get(name)
    for member, found in vars(value).items():
        if member.startswith("_") or (wanted is not None and member not in wanted):
            continue
        plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        if isinstance(plain, property):
            returned = _plain(plain.fget.__annotations__.get("return", "")) if plain.fget else ""
            parts.append(f"#### `{name}.{member}`\n\n```python\n{member}: {returned}\n```\n\n{_doc(plain)}")
        elif inspect.isfunction(plain):
            parts.append(_function(f"{name}.{member}", plain, "####"))
    return "\n\n".join(parts)


def _fields(value: type) -> list[str]:
    """The options of a record as a list."""
    from paraphrast._options import full_help, options_of

    if not is_dataclass(value) or not options_of(value):
        return []
    own = [entry for entry in options_of(value) if len(entry.path) == 1]
    return ["\n".join(f"- `{entry.path[0]}`: {full_help(entry)}" for entry in own)]


def options_page() -> str:
    """The sections of a configuration, with every key, its default and what it means."""
    from paraphrast._options import rows_of
    from paraphrast.training.config import SECTIONS

    parts = [
        NOTICE,
        "# Options of a configuration",
        "The sections of the TOML file that `paraphrast train` reads, with all keys.\n"
        "[training.md](training.md) describes the sources. A key that is not given has its default.",
    ]
    for name, record in SECTIONS.items():
        rows = [f"| `{key}` | `{default}` | {text} |" for key, default, text in rows_of(record)]
        table = "\n".join(["| key | default | meaning |", "|---|---|---|", *rows])
        parts.append(f"## `[{name}]`\n\n{table}")
    return "\n\n".join(parts) + "\n"


def _signature(name: str, value: Any) -> str:
    """``name(parameter: type = default, …) -> type``, one parameter a line where one line is too long."""
    signature = inspect.signature(value)
    pieces: list[str] = []
    star_needed = True
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            star_needed = False
        if parameter.kind is parameter.KEYWORD_ONLY and star_needed:
            pieces.append("*")
            star_needed = False
        pieces.append(_parameter(parameter))
    returned = signature.return_annotation
    arrow = "" if isinstance(value, type) or returned is signature.empty else f" -> {_plain(returned)}"
    line = f"{name}({', '.join(pieces)}){arrow}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"    {piece},\n" for piece in pieces)
    return f"{name}(\n{inner}){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    prefixes: dict[Any, str] = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    stars = prefixes.get(parameter.kind, "")
    text = f"{stars}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {_plain(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        text += f" = {parameter.default!r}"
    return text


def _plain(annotation: Any) -> str:
    """An annotation as it was written."""
    if annotation is None:
        return "None"
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _doc(value: Any) -> str:
    """A docstring as Markdown: its roles as code, its ``name: meaning`` lines as a list."""
    text = inspect.getdoc(value) or ""
    for role in ("class", "meth", "func", "data"):
        text = text.replace(f":{role}:`", "`")
    lines: list[str] = []
    for line in text.replace("``", "`").splitlines():
        head, colon, rest = line.partition(": ")
        names = [part.strip() for part in head.split(",")]
        is_field = bool(colon and rest) and all(part.isidentifier() for part in names)
        if is_field and line[0] != " " and head[0].islower():
            line = f"- {', '.join(f'`{part}`' for part in names)}: {rest}"
        elif line.startswith("    "):
            line = "  " + line.strip()
        lines.append(line)
    return "\n".join(lines)


def paper_page(name: str) -> str:
    """A page of docs/papers with the figures of its JSON."""
    from paraphrast.reproduce.markdown import filled_page, paper_lines
    from paraphrast.reproduce.papers import read_paper
    from paraphrast.reproduce.runner import read_results, results_file

    lines = paper_lines(read_paper(name), read_results(results_file(FIGURES, name)), "figures/")
    return filled_page((PAPERS / f"{name}.md").read_text(encoding="utf-8"), lines, f"docs/papers/{name}.md")


def beyond_page() -> str:
    """docs/papers/beyond.md with its figures."""
    import json

    from paraphrast.reproduce.markdown import filled_page, table_lines

    content = json.loads((FIGURES / "beyond.json").read_text(encoding="utf-8"))
    lines: list[str] = []
    for name, record in content["items"].items():
        rows = [[*row[:-1], f"[{row[-1]}](../{row[-1]})"] for row in record["rows"]]
        lines += [f"## {name}", "", *table_lines(record["header"], rows, 3), ""]
    page = (PAPERS / "beyond.md").read_text(encoding="utf-8")
    return filled_page(page, lines[:-1], "docs/papers/beyond.md")


def cluster_plot(question: str, by_cluster: str, column: int) -> str:
    """Figures 5 and 6 of Shen et al.: means by kind of cluster, from the JSON of tables 3 to 5."""
    from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
    from paraphrast.reproduce.runner import read_results, results_file

    records = read_results(results_file(FIGURES, "shen-2006"))
    table, training = records[by_cluster], records["table-3"]["rows"]
    names = ["figure 2", *(str(row[0]) for row in table["rows"][:-1])]
    series = []
    for place, version in enumerate(table["header"][1:]):
        cells = [row[place + 1] for row in table["rows"][:-1]]
        means = [training[place][column], *(cell[0] if isinstance(cell, list) else cell for cell in cells)]
        series.append(Series(range(len(names)), means, version, kind="line"))
    axes = Axis("clusters", names=names), Axis("mean rating", low=1.0, high=4.0)
    return draw_plot(Plot(series, *axes, title=f"{question} by kind of cluster"), 720).to_svg()


def translation_picture() -> str:
    """Word links between the sentence of the page *How it works* and a translation, by hand."""
    from paraphrast.draw.links import draw_links

    english = ["She", "began", "to", "work", "in", "a", "large", "city", "."]
    german = ["Sie", "begann", ",", "in", "einer", "großen", "Stadt", "zu", "arbeiten", "."]
    links = [(0, 0), (1, 1), (2, 7), (3, 8), (4, 3), (5, 4), (6, 5), (7, 6), (8, 9)]
    return draw_links(
        english, german, [(*link, 0.5) for link in links], title="Words that translate each other"
    ).to_svg()


def take_figures(folder: Path) -> None:
    """Copy the items of full runs, and their pictures, to docs/papers/figures."""
    import shutil

    from paraphrast.reproduce.papers import MAKERS, read_paper
    from paraphrast.reproduce.runner import read_results, results_file, write_results

    for name in MAKERS:
        made = read_results(results_file(folder, name))
        known = read_results(results_file(FIGURES, name))
        full = {item: record for item, record in made.items() if record["run"] == "full"}
        order = [item.id for item in read_paper(name).items]
        records = sorted((known | full).items(), key=lambda entry: order.index(entry[0]))
        write_results(results_file(FIGURES, name), name, dict(records))
        for record in full.values():
            for picture in record["pictures"]:
                shutil.copy(folder / picture, FIGURES / picture)


PAPERS = DOCS / "papers"
FIGURES = PAPERS / "figures"


def figures() -> ModuleType:
    """scripts/figures.py, as a module."""
    spec = spec_from_file_location("docs_figures", Path(__file__).with_name("figures.py"))
    if spec is None or spec.loader is None:
        raise FileNotFoundError("scripts/figures.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: Page → function that makes it.
PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli_page,
    "api.md": api_page,
    "options.md": options_page,
    "papers/quirk-2004.md": partial(paper_page, "quirk-2004"),
    "papers/shen-2006.md": partial(paper_page, "shen-2006"),
    "papers/owczarzak-2006.md": partial(paper_page, "owczarzak-2006"),
    "papers/martzoukos-monz-2012.md": partial(paper_page, "martzoukos-monz-2012"),
    "papers/zhao-2008.md": partial(paper_page, "zhao-2008"),
    "papers/beyond.md": beyond_page,
    "papers/figures/shen-2006-figure-5.svg": partial(cluster_plot, "Grammaticality", "table-4", 1),
    "papers/figures/shen-2006-figure-6.svg": partial(cluster_plot, "Fidelity", "table-5", 2),
    "images/translation.svg": translation_picture,
    **figures().PAGES,
}


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    parser.add_argument(
        "--figures", type=Path, help="folder of a full `paraphrast reproduce` to take over first"
    )
    given = parser.parse_args(arguments)
    check = given.check
    if given.figures is not None:
        take_figures(given.figures)
    stale = []
    for name, page in PAGES.items():
        path = DOCS / name
        text = page()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    for name in stale:
        print(f"docs/{name}: {'stale; run make docs' if check else 'written'}", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
