"""`paraphrast evaluate`: figures with intervals and signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli.evaluate_clusters import clusters
from paraphrast.cli.evaluate_lm import lm
from paraphrast.cli.evaluate_mt import mt
from paraphrast.cli.evaluate_phrases import phrases
from paraphrast.cli.evaluate_sentences import sentences
from paraphrast.cli.evaluate_substitutions import substitutions
from paraphrast.cli.options import Format, OutputFormat, print_json
from paraphrast.cli.tables import aligned

if TYPE_CHECKING:
    from paraphrast.evaluate import AlignmentScore, BootstrapOptions, Difference, Interval, WordPairs
    from paraphrast.formats.gold import Gold
    from paraphrast.types import Links

    Tokens = tuple[list[list[str]], list[list[str]]]

app = typer.Typer(help="Score what was made against gold: figures with intervals.", no_args_is_help=True)


@app.callback()
def evaluate() -> None:
    """Score what was made against gold: figures with intervals."""


app.command("lm")(lm)
app.command("phrases")(phrases)
app.command("substitutions")(substitutions)
app.command("sentences")(sentences)
app.command("clusters")(clusters)
app.command("mt")(mt)


@app.command("aer")
def aer(
    links: Annotated[
        str | None,
        typer.Argument(help="Links found, a line a sentence pair: 0-0 1-2 …; - is standard input."),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Argument(help="Gold: JSON with its text, or lines of i-j (sure) and ipj (possible)."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="The tokenised bitext, for gold without text; twice for one file a side."),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(
            help="Number of a sentence's first word in GOLD. By default 0 if a 0 stands in it, else 1.",
            min=0,
            max=1,
        ),
    ] = None,
    links_first: Annotated[
        int, typer.Option(help="Number of a sentence's first word in LINKS.", min=0, max=1)
    ] = 0,
    baseline: Annotated[
        str | None, typer.Option(help="Links of another aligner: the difference, by paired bootstrap.")
    ] = None,
    merge: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B", help="Merge two annotations: sure where both say sure, otherwise possible."
        ),
    ] = None,
    agreement: Annotated[
        bool, typer.Option("--agreement", help="LINKS and GOLD are two annotations: how far they agree.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Where --merge writes: .json with the text, or lines."),
    ] = None,
    differences: Annotated[
        str | None,
        typer.Option(
            help="Where two annotations differ, as TSV. Of --merge by default OUTPUT.differences.tsv."
        ),
    ] = None,
    draw: Annotated[
        str | None, typer.Option(help="Draw one alignment as SVG: sure, possible and found.")
    ] = None,
    sentence: Annotated[int, typer.Option(help="The sentence pair to draw, from 1.", min=1)] = 1,
    samples: Annotated[int, typer.Option(help="Resamples of the bootstrap; 0 for none.", min=0)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 12345,
    form: OutputFormat = Format.text,
) -> None:
    """Precision, recall, alignment error rate and F1 of word links, identical words and others apart.

    Och and Ney's (2003) definitions; F1 counts sure and possible links alike. Words are identical if equal when
    lower-cased. With --merge or --agreement: two annotations of one text.
    """
    from paraphrast.errors import InputError
    from paraphrast.evaluate import BootstrapOptions

    options = BootstrapOptions(samples=samples, seed=seed)
    if merge is not None or agreement:
        pair = merge or (links, gold)
        if pair[0] is None or pair[1] is None:
            raise InputError("two annotations are compared, and fewer were given")
        if merge is not None and (links is not None or output is None):
            raise InputError(
                "expected two annotations and a file to write", remedy="evaluate aer --merge A B -o MERGED"
            )
        if differences is not None and differences == output:
            raise InputError("-o and --differences name the same file, and one would replace the other")
        if draw is not None or baseline is not None:
            raise InputError("--draw and --baseline are for links and their gold")
        _annotations(
            (pair[0], pair[1]), text or [], first, output if merge else None, differences, options, form
        )
        return
    if links is None or gold is None:
        raise InputError("expected links and their gold", remedy="paraphrast evaluate aer LINKS GOLD")
    if output is not None or differences is not None:
        raise InputError(
            "-o and --differences are for two annotations", remedy="evaluate aer --merge A B -o MERGED"
        )
    _score(links, gold, text or [], (first, links_first), baseline, (draw, sentence), options, form)


def _score(
    links: str,
    gold_path: str,
    text: Sequence[str],
    first: tuple[int | None, int],
    baseline: str | None,
    picture: tuple[str | None, int],
    options: BootstrapOptions,
    form: Format,
) -> None:
    """Score links against gold, print it, draw a sentence if asked."""
    from paraphrast.errors import InputError
    from paraphrast.evaluate import compare_alignments, score_alignment
    from paraphrast.formats.gold import read_any_gold

    gold, words = _with_words(read_any_gold(gold_path, first=first[0]), gold_path, _read_text(text), text)
    found = _read_links(links, first[1], gold, gold_path, words)
    other = _read_links(baseline, first[1], gold, gold_path, words) if baseline is not None else None
    if picture[0] is not None and words is None:
        raise InputError("a picture needs the words, and this gold has none", remedy="give them by --text")
    bases = [("base", gold.first), ("links_base", first[1])]
    result = score_alignment(found, gold.links, words, options, fields=bases)
    compared = compare_alignments(other, found, gold.links, words, options) if other is not None else None
    if picture[0] is not None:
        _picture(picture[0], picture[1], found, gold)
    # A picture may go to standard output; then the report steps aside.
    aside = picture[0] == "-"
    if form is Format.json and not aside:
        record = result.to_dict()
        if compared is not None:
            record["difference"] = {
                part: {
                    name: {
                        "value": one.value,
                        "interval": one.interval.to_list() if one.interval else None,
                        "p_value": one.p_value,
                    }
                    for name, one in figures.items()
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

    found = read_links(path, first=first)
    name = "standard input" if path == "-" else path
    if len(found) != len(gold):
        raise InputError(
            f"expected a line a sentence pair, {len(gold)} as in {gold_path}, got {len(found)}",
            where=At(name, min(len(found), len(gold)) + 1),
            remedy="a line without links is an empty line; nothing was scored",
        )
    if words is not None:
        check_positions(found, words, name)
    return found


def _read_text(text: Sequence[str]) -> Tokens | None:
    """The tokens of both sides of a bitext, in two columns or two files; None without any."""
    from paraphrast.errors import InputError
    from paraphrast.formats.bitext import read_columns, read_files

    if len(text) > 2:
        raise InputError(f"expected one bitext or a file for each of two sides, got {len(text)} files")
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
                f"expected a sentence pair a line of {path}, {len(gold)}, got {len(tokens[0])}", where=text[0]
            )
        if gold.source is not None and (gold.source, gold.target) != tokens:
            raise InputError(
                "the text differs from the one in the gold", where=text[0], remedy="leave --text away"
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
    form: Format,
) -> None:
    """Agreement of two annotations; their merger and what to review, where files are named for them."""
    from paraphrast.errors import At, InputError
    from paraphrast.evaluate import agreement, disagreements, merge
    from paraphrast.evaluate.annotation import review_lines
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.gold import has_zero, is_json, read_any_gold, write_any_gold

    if first is None and not any(is_json(path) for path in paths):
        # Two annotations of one text count alike: a 0 in either tells of both.
        first = 0 if any(has_zero(path) for path in paths) else 1
    tokens = _read_text(text)
    one, two = (_with_words(read_any_gold(path, first=first), path, tokens, text)[0] for path in paths)
    if len(one) != len(two):
        raise InputError(
            f"expected as many sentence pairs as {paths[0]} has, {len(one)}, got {len(two)}",
            where=At(paths[1], min(len(one), len(two)) + 1),
            remedy="a line without links is an empty line; nothing was compared",
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
    # The merger itself may go to standard output; then the report steps aside.
    aside = "-" in (output, differences)
    if form is Format.json and not aside:
        print_json(result.to_dict())
        return
    counts = result.counts
    lines = [
        f"agreement      {_figure(result.agreement, result.interval)}",
        f"AER            {100 * result.first_aer:.2f} first as found, {100 * result.second_aer:.2f} second as found",
        f"links          {counts['first_sure']:,} sure of {counts['first_all']:,} in the first, "
        f"{counts['second_sure']:,} of {counts['second_all']:,} in the second",
        f"differences    {counts['differences']:,}" + (f" → {differences}" if differences else ""),
        f"signature      {result.signature}",
    ]
    for line in lines:
        typer.echo(line, err=aside)


def _picture(path: str, sentence: int, found: Links, gold: Gold) -> None:
    """Draw sentence pair number ``sentence`` (from 1)."""
    from paraphrast.draw.alignment import draw_alignment
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write

    if sentence > len(found):
        raise InputError(f"there are {len(found)} sentence pairs, and no number {sentence}")
    index = sentence - 1
    sheet = draw_alignment(
        (gold.source or [])[index],
        (gold.target or [])[index],
        sure=gold.links.sure.pair(index),
        possible=gold.links.possible.pair(index),
        found=found.pair(index),
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
    told = (
        f"; intervals of {100 * options.level:g} % by {options.samples:,} bootstrap samples"
        if options.samples
        else ""
    )
    return [*aligned(rows), f"percent; {result.sentences:,} sentence pairs{told}"]


def _differences_table(compared: dict[str, dict[str, Difference]], baseline: str) -> list[str]:
    rows = [["", *(label for _, label in _COLUMNS)]]
    for name, figures in compared.items():
        cells = []
        for key, _ in _COLUMNS:
            one = figures[key]
            p_value = f" p={one.p_value:.3f}" if one.p_value is not None else ""
            cells.append(f"{100 * one.value:+.2f}{p_value}")
        rows.append([_ROWS[name], *cells])
    return ["", f"less the figures of {baseline}, paired bootstrap", *aligned(rows)]
