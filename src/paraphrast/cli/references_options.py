"""Options that `paraphrast references` and `paraphrast evaluate mt` share, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from paraphrast.references.scoring import ScoreOptions
    from paraphrast.study.mt import Setup
    from paraphrast.study.references import Origins

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="Paraphrases of a model too: 'default', a folder, or 'none'. By default the default model if it is built.",
    ),
]
TableOption = Annotated[
    list[str] | None, typer.Option(help="Paraphrases of a table file too; repeat for more.")
]
BitextOption = Annotated[
    bool, typer.Option("--bitext/--no-bitext", help="Paraphrases of the sources and references themselves.")
]
InflectionOption = Annotated[
    bool, typer.Option("--inflections", help="Forms of the same word match: abandon, abandoned.")
]
ThresholdOption = Annotated[
    float, typer.Option(help="Least probability of a paraphrase; 0 is off, as in the paper.", min=0, max=1)
]
ClosedOption = Annotated[
    str,
    typer.Option(help="Closed classes without paraphrases: none, prepositions (the paper's) or function."),
]
CreditOption = Annotated[
    float | None,
    typer.Option(
        help="Partial credit: the power of a path's probability it earns by; 0 is full credit.", min=0
    ),
]
MetricOption = Annotated[
    str,
    typer.Option("--metric", help="By comma: bleu, bleu-add-one, bleu-unsmoothed, nist, chrf, ter, cder."),
]
KindsOption = Annotated[str, typer.Option("--references", help="By comma: single, one, best, lattice.")]
ReportOption = Annotated[
    str | None, typer.Option(help="Write a page of outputs and their closest references.")
]
SourceLanguageOption = Annotated[str, typer.Option(help="Language of the sources.")]
TargetLanguageOption = Annotated[
    str, typer.Option(help="Language of references and outputs; auto: what the references read like.")
]
TokeniserOption = Annotated[
    str,
    typer.Option(
        help="Of the sources: auto (by character where no spaces separate words), characters, spaces, "
        "module:function, or a command that reads and writes lines."
    ),
]
WeightOption = Annotated[
    float, typer.Option(help="Of paraphrases of models and tables against the bitext's.", min=0, max=1)
]
ContextOption = Annotated[
    bool,
    typer.Option(
        "--context/--no-context",
        help="A model that can tell how likely a substitution is right in its sentence is asked.",
    ),
]
CheckOption = Annotated[
    bool,
    typer.Option("--check/--no-check", help="Refuse text in another language and outputs in another order."),
]


def chosen_model(model: str | None) -> str | None:
    """The model to take paraphrases from; nothing is built for it."""
    from paraphrast.study.references import built_default

    if model == "none":
        return None
    return model if model is not None else built_default()


def chosen_origins(
    model: str | None,
    tables: Sequence[str] | None,
    weight: float,
    context: bool,
    languages: tuple[str, str],
    tokeniser: str,
    threshold: float,
    closed: str,
    bitext: bool,
    inflections: bool,
) -> Origins:
    """Where paraphrases come from, as the command line says; languages: of source and target."""
    from paraphrast.references.equivalents import SetOptions
    from paraphrast.study.references import Origins

    return Origins(
        bitext=bitext,
        model=chosen_model(model),
        tables=tuple(tables or ()),
        weight=weight,
        context=context,
        inflections=inflections,
        threshold=threshold,
        sets=SetOptions(threshold=threshold, closed=closed),
        source_language=languages[0],
        target_language=languages[1],
        tokeniser=tokeniser,
    )


def counted_sets(setup: Setup) -> str:
    """How many equivalence sets there are, as the paper says it."""
    from paraphrast.references.equivalents import count_sets

    counts = count_sets(setup.found.sets)
    return f"{counts['sets']:,} equivalence sets of {counts['items']:,} words or phrases, {counts['mean']:.1f} each"


def split_names(text: str) -> list[str]:
    """Names by comma."""
    return [name.strip() for name in text.split(",") if name.strip()]


def score_options(credit: float | None, count: int) -> ScoreOptions:
    """How to score, from the command line."""
    from paraphrast.references.scoring import CREDIT, ScoreOptions

    return ScoreOptions(count=count, credit=CREDIT if credit is None else credit)


def write_report(setup: Setup, path: str, metric: str, options: ScoreOptions, title: str) -> None:
    """Write the page."""
    from paraphrast.formats.files import atomic_write
    from paraphrast.study.mt import report_page

    with atomic_write(path) as stream:
        stream.write(report_page(setup, metric, options, title=title))
