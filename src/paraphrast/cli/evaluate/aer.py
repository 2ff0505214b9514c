"""`paraphrast evaluate aer`: word links against gold, or two annotations against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Format, OutputFormat, print_json
from paraphrast.cli._support.text_tables import aligned
from paraphrast.evaluate.options import BootstrapOptions

if TYPE_CHECKING:
    from paraphrast.evaluate import AlignmentScore, Difference, Interval, WordPairs
    from paraphrast.formats.gold import Gold
    from paraphrast.types import Links

    Tokens = tuple[list[list[str]], list[list[str]]]


@with_options
def aer(
    links: Annotated[
        str | None,
        typer.Argument(help="Links to score, one line per sentence pair: 0-0 1-2 … - reads standard input."),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Argument(help="Gold links: JSON with its text, or lines of i-j (sure) and ipj (possible)."),
    ] = None,
    *,
    text: Annotated[
        list[str] | None,
        typer.Option(
            help="Tokenised bitext, for gold without text. Repeat it if each side has its own file."
        ),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(
            help="Number of the first word of a sentence in GOLD. Default: 0 if GOLD contains a 0, else 1.",
            min=0,
            max=1,
        ),
    ] = None,
    links_first: Annotated[
        int, typer.Option(help="Number of the first word of a sentence in LINKS.", min=0, max=1)
    ] = 0,
    baseline: Annotated[
        str | None,
        typer.Option(help="Links of another aligner. Prints the difference, tested by paired bootstrap."),
    ] = None,
    merge: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="Merge two annotations into --output: links are sure if both say sure, otherwise possible.",
        ),
    ] = None,
    agreement: Annotated[
        bool,
        typer.Option("--agreement", help="LINKS and GOLD are two annotations. Prints how far they agree."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="File that --merge writes: .json with the text, or lines."),
    ] = None,
    differences: Annotated[
        str | None,
        typer.Option(
            help="Write the differences of two annotations to this TSV file. Default with --merge: "
            "OUTPUT.differences.tsv."
        ),
    ] = None,
    draw: Annotated[
        str | None, typer.Option(help="Draw the links of one sentence pair to this file, as SVG.")
    ] = None,
    sentence: Annotated[int, typer.Option(help="Number of the sentence pair to draw, from 1.", min=1)] = 1,
    options: BootstrapOptions,
    format: OutputFormat = Format.text,
) -> None:
    """Score word links: precision, recall, alignment error rate and F1, separately for identical words.

    Defined as by Och and Ney (2003); F1 counts sure and possible links alike. Words are identical if they are equal in
    lower case. With --merge or --agreement, compares two annotations of one text.
    """
    from paraphrast.errors import InputError

    if merge is not None or agreement:
        pair = merge or (links, gold)
        if pair[0] is None or pair[1] is None:
            raise InputError("--agreement: expected two annotations, got fewer")
        if merge is not None and (links is not None or output is None):
            raise InputError(
                "--merge: expected two annotations and --output", remedy="evaluate aer --merge A B -o MERGED"
            )
        if differences is not None and differences == output:
            raise InputError("--output and --differences name the same file")
        if draw is not None or baseline is not None:
            raise InputError("--draw and --baseline cannot be combined with --merge or --agreement")
        _annotations(
            (pair[0], pair[1]), text or [], first, output if merge else None, differences, options, format
        )
        return
    if links is None or gold is None:
        raise InputError("expected links and their gold", remedy="paraphrast evaluate aer LINKS GOLD")
    if output is not None or differences is not None:
        raise InputError(
            "--output and --differences require --merge or --agreement",
            remedy="evaluate aer --merge A B -o MERGED",
        )
    _score(links, gold, text or [], (first, links_first), baseline, (draw, sentence), options, format)


def _score(
    links: str,
    gold_path: str,
    text: Sequence[str],
    first: tuple[int | None, int],
    baseline: str | None,
    picture: tuple[str | None, int],
    options: BootstrapOptions,
    format: Format,
) -> None:
    """Score links against gold, print the scores, draw a sentence pair if a file is named for it."""
    from paraphrast.errors import InputError
    from paraphrast.evaluate import compare_alignments, score_alignment
    from paraphrast.formats.gold import read_any_gold

    gold, words = _with_words(read_any_gold(gold_path, first=first[0]), gold_path, _read_text(text), text)
    scored = _read_links(links, first[1], gold, gold_path, words)
    other = _read_links(baseline, first[1], gold, gold_path, words) if baseline is not None else None
    if picture[0] is not None and words is None:
        raise InputError("--draw: this gold has no words", remedy="name the tokenised bitext with --text")
    bases = [("base", gold.first), ("links_base", first[1])]
    result = score_alignment(scored, gold.links, words, options, fields=bases)
    compared = compare_alignments(other, scored, gold.links, words, options) if other is not None else None
    if picture[0] is not None:
        _picture(picture[0], picture[1], scored, gold)
    # If the picture goes to standard output, the report goes to standard error.
    aside = picture[0] == "-"
    if format is Format.json and not aside:
        record = result.to_dict()
        if compared is not None:
            record["difference"] = {
                part: {
                    name: {
                        "value": difference.value,
                        "interval": difference.interval.to_list() if difference.interval else None,
                        "p_value": difference.p_value,
                    }
                    for name, difference in figures.items()
                }
                for part, figures in compared.items()
            }
        print_json(record)
        return
    lines = _table(result, options)
    if compared is not None:
        lines += _differences_table(compared, baseline or "")
    for line in [*lines, f"signature  {result.signature}"]:
        typer.echo(line, err=aside)


def _read_links(path: str, first: int, gold: Gold, gold_path: str, words: WordPairs | None) -> Links:
    """The links of a file, checked to be of the gold's sentences."""
    from paraphrast.errors import At, InputError
    from paraphrast.evaluate.links import check_positions
    from paraphrast.formats.pharaoh import read_links

    scored = read_links(path, first=first)
    name = "standard input" if path == "-" else path
    if len(scored) != len(gold):
        raise InputError(
            f"expected {len(gold)} lines, one per sentence pair as in {gold_path}, got {len(scored)}",
            where=At(name, min(len(scored), len(gold)) + 1),
            remedy="a sentence pair without links needs an empty line; nothing was scored",
        )
    if words is not None:
        check_positions(scored, words, name)
    return scored


def _read_text(text: Sequence[str]) -> Tokens | None:
    """The tokens of both sides of a bitext, in two columns or two files; None without any."""
    from paraphrast.errors import InputError
    from paraphrast.formats.bitext import read_columns, read_files

    if len(text) > 2:
        raise InputError(
            f"--text: expected one bitext, or one file for each of two sides, got {len(text)} files"
        )
    if not text:
        return None
    if len(text) == 2:
        bitext = read_files({"1": text[0], "2": text[1]})
    else:
        bitext = read_columns(text[0], ["1", "2"])
    source, target = ([line.split() for line in bitext.lines[side]] for side in ("1", "2"))
    return source, target


def _with_words(
    gold: Gold, path: str, tokens: Tokens | None, text: Sequence[str]
) -> tuple[Gold, WordPairs | None]:
    """Gold with its tokens, from the file itself or from the bitext, and the words as numbers."""
    from paraphrast.errors import InputError
    from paraphrast.evaluate.links import WordPairs, check_positions
    from paraphrast.formats.gold import Gold

    if tokens is not None:
        if len(tokens[0]) != len(gold):
            raise InputError(
                f"expected {len(gold)} sentence pairs, as in {path}, got {len(tokens[0])}", where=text[0]
            )
        if gold.source is not None and (gold.source, gold.target) != tokens:
            raise InputError(
                "--text: the text differs from the one in the gold", where=text[0], remedy="remove --text"
            )
        gold = Gold(gold.links, *tokens, gold.first)
    if gold.source is None or gold.target is None:
        return gold, None
    words = WordPairs.from_tokens(gold.source, gold.target)
    check_positions(gold.links.possible, words, path)
    return gold, words


def _annotations(
    paths: tuple[str, str],
    text: Sequence[str],
    first: int | None,
    output: str | None,
    differences: str | None,
    options: BootstrapOptions,
    format: Format,
) -> None:
    """Print how two annotations agree; merge them and list their differences if files are named for it."""
    from paraphrast.errors import At, InputError
    from paraphrast.evaluate import agreement, disagreements, merge
    from paraphrast.evaluate.annotation import review_lines
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.gold import has_zero, is_json, read_any_gold, write_any_gold

    if first is None and not any(is_json(path) for path in paths):
        # Two annotations of one text count in the same way: a 0 in either decides for both.
        first = 0 if any(has_zero(path) for path in paths) else 1
    tokens = _read_text(text)
    one, two = (_with_words(read_any_gold(path, first=first), path, tokens, text)[0] for path in paths)
    if len(one) != len(two):
        raise InputError(
            f"expected {len(one)} sentence pairs, as in {paths[0]}, got {len(two)}",
            where=At(paths[1], min(len(one), len(two)) + 1),
            remedy="a sentence pair without links needs an empty line; nothing was compared",
        )
    if one.source and two.source and (one.source, one.target) != (two.source, two.target):
        raise InputError(f"expected the same sentences as in {paths[0]}", where=paths[1])
    known = one if one.source else two
    base = one.first
    result = agreement(one.links, two.links, options, fields=[("base", base)])
    if output is not None:
        write_any_gold(output, merge(one.links, two.links), known.source, known.target, first=base)
        if differences is None and output != "-":
            differences = f"{output}.differences.tsv"
    if differences is not None:
        rows = disagreements(one.links, two.links)
        write_lines(differences, review_lines(rows, known.source, known.target, first=base))
    # If the merged file goes to standard output, the report goes to standard error.
    aside = "-" in (output, differences)
    if format is Format.json and not aside:
        print_json(result.to_dict())
        return
    counts = result.counts
    lines = [
        f"agreement      {_figure(result.agreement, result.interval)}",
        f"AER            {100 * result.first_aer:.2f} of the first, {100 * result.second_aer:.2f} of the second",
        f"links          {counts['first_sure']:,} sure of {counts['first_all']:,} in the first, "
        f"{counts['second_sure']:,} of {counts['second_all']:,} in the second",
        f"differences    {counts['differences']:,}" + (f" → {differences}" if differences else ""),
        f"signature      {result.signature}",
    ]
    for line in lines:
        typer.echo(line, err=aside)


def _picture(path: str, sentence: int, scored: Links, gold: Gold) -> None:
    """Draw sentence pair number ``sentence`` (from 1)."""
    from paraphrast.draw.alignment import draw_alignment
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write

    if sentence > len(scored):
        raise InputError(f"--sentence: expected a number from 1 to {len(scored)}, got {sentence}")
    index = sentence - 1
    sheet = draw_alignment(
        (gold.source or [])[index],
        (gold.target or [])[index],
        sure=gold.links.sure.pair(index),
        possible=gold.links.possible.pair(index),
        found=scored.pair(index),
        title=f"Sentence pair {sentence}",
    )
    with atomic_write(path) as stream:
        stream.write(sheet.to_svg())


_COLUMNS = (("precision", "precision"), ("recall", "recall"), ("aer", "AER"), ("f1", "F1 (all links)"))
_ROWS = {"total": "all words", "identical": "identical", "non_identical": "non-identical"}


def _figure(value: float, interval: Interval | None) -> str:
    """A share as percent, with its interval."""
    ends = f" [{100 * interval.low:.2f}, {100 * interval.high:.2f}]" if interval else ""
    return f"{100 * value:.2f}{ends}"


def _table(result: AlignmentScore, options: BootstrapOptions) -> list[str]:
    rows = [["", *(label for _, label in _COLUMNS), "found", "sure", "+possible"]]
    for name, part in result.parts().items():
        figures = [_figure(getattr(part, key), part.intervals.get(key)) for key, _ in _COLUMNS]
        counts = part.counts
        only_possible = counts["possible"] - counts["sure"]
        rows.append(
            [_ROWS[name], *figures, f"{counts['found']:,}", f"{counts['sure']:,}", f"{only_possible:,}"]
        )
    intervals = (
        f"; {100 * options.level:g} % confidence intervals from {options.samples:,} bootstrap samples"
        if options.samples
        else ""
    )
    return [*aligned(rows), f"percent; {result.sentences:,} sentence pairs{intervals}"]


def _differences_table(compared: dict[str, dict[str, Difference]], baseline: str) -> list[str]:
    rows = [["", *(label for _, label in _COLUMNS)]]
    for name, figures in compared.items():
        cells = []
        for key, _ in _COLUMNS:
            difference = figures[key]
            p_value = f" p={difference.p_value:.3f}" if difference.p_value is not None else ""
            cells.append(f"{100 * difference.value:+.2f}{p_value}")
        rows.append([_ROWS[name], *cells])
    return ["", f"difference from {baseline}, paired bootstrap", *aligned(rows)]
