"""Options of evaluations that need a model: substitutions, paraphrased references."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, nested, option
from paraphrast.errors import InputError
from paraphrast.references.options import SetOptions

MODES = ("span", "sentence")
CONFIDENCES = ("table", "context")
#: A language, or a way of splitting words, that is identified from the text.
AUTO = "auto"
#: Vetoes on rows of models and tables: all except inflections, which help to recognise a right word (§5).
KEPT_VETOES = ("number", "name", "negation", "antonym")


@dataclass(frozen=True)
class StudyOptions:
    """How substitutes are collected and judged.

    least: minimum share of judges that accept a substitute.
    """

    n: int = option(10, help="Number of best paraphrases whose substitutes count.", minimum=1, flags=("-n",))
    mode: str = option("span", help="How to decode.", choices=MODES, cli=False)
    confidence: str = option(
        "table",
        help="Sort the accuracy curve by this probability of a substitute: that of its table, or that in context.",
        choices=CONFIDENCES,
    )
    least: float = 0.5
    silence: float = option(
        1.0,
        help="Error (PSER) of a sentence that was left unchanged although a correct substitute exists.",
        minimum=0,
        maximum=1,
    )
    by: str = option(
        "accuracy_judged",
        help="The score that decides which table is added next.",
        choices=("accuracy_judged", "accuracy", "dcs"),
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Origins:
    """Where paraphrases of references come from.

    bitext_weight: weight of the paraphrases from the bitext. top: substitutes per phrase. vetoes: those that exclude a
    row of a model or a table.
    """

    bitext: bool = option(
        True,
        help="Use paraphrases found in the sources and references themselves.",
        flags=("--bitext/--no-bitext",),
    )
    model: str | None = option(
        None,
        help="Also use paraphrases of a model: 'default', a model folder, or 'none'. By default the default model is "
        "used.",
        flags=("--model", "-m"),
    )
    tables: tuple[str, ...] = option(
        (), help="Also use paraphrases of this table file. Repeatable.", name="table"
    )
    weight: float = option(
        1.0,
        help="Weight of the paraphrases of models and tables, relative to those of the bitext.",
        minimum=0,
        maximum=1,
    )
    bitext_weight: float = 1.0
    inflections: bool = option(False, help="Also accept other forms of the same word (abandon, abandoned).")
    variants: bool = option(
        True,
        help="Also accept other ways of writing the same words that an output has (don't, do not; Youth, youth).",
        flags=("--variants/--no-variants",),
    )
    similar: bool = option(
        True,
        help="Also accept words of an output with the stem of a word of the reference, and words and phrases that are "
        "similar by the vectors of the model.",
        flags=("--similar/--no-similar",),
    )
    function_words: bool = option(
        True,
        help="Also accept function words that an output has more, fewer or others of (the report, a report, report).",
        flags=("--function-words/--no-function-words",),
    )
    consensus: bool = option(
        False,
        help="Make a substitution more probable if other outputs of the segment use it as well, and less if none does. "
        "A score then depends on all outputs.",
        flags=("--consensus/--no-consensus",),
    )
    threshold: float = option(
        0.0,
        help="Minimum probability of a paraphrase. 0 keeps all, as in the paper.",
        minimum=0,
        maximum=1,
    )
    top: int = 50
    sets: SetOptions = nested(SetOptions)
    source_language: str = option(
        AUTO, help="Language of the sources, such as fr. 'auto' identifies it from the text."
    )
    target_language: str = option(
        AUTO,
        help="Language of the references and outputs, such as en. 'auto' identifies it from the references.",
    )
    tokeniser: str = option(
        AUTO,
        help="How to split the sources into words: auto, characters, spaces, MODULE:FUNCTION, or a command that reads "
        "and writes lines. 'auto' splits by character where no spaces separate words.",
    )
    context: bool = option(
        True,
        help="Weight paraphrases by their probability in context, if the model supports it.",
        flags=("--context/--no-context",),
    )
    precise: bool = option(
        False,
        help="Read the paraphrases that outputs use with translation models, and add round trips of the references. "
        "Needs the extra 'precise' and its data.",
    )
    round_trips: int = option(
        4, help="Round trips of each sentence of a reference, with --precise.", minimum=0, maximum=50
    )
    vetoes: tuple[str, ...] = KEPT_VETOES

    def __post_init__(self) -> None:
        from paraphrast.tables.checks.vetoes import VETOES

        check(self)
        unknown = sorted(set(self.vetoes) - set(VETOES))
        if unknown:
            raise InputError(f"unknown veto {unknown[0]!r}", remedy=f"known vetoes: {', '.join(VETOES)}")
        if self.top < 1:
            raise InputError(f"top: expected a whole number from 1, got {self.top}")
