"""Options of sentence alignment: slots of a cluster, templates."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option


@dataclass(frozen=True)
class SlotOptions:
    """Which fillings of a slot become rows of a table."""

    widest: int = option(4, help="Maximum number of words of a phrase.", minimum=1, maximum=7, cli=False)
    ratio: int = option(2, help="Maximum ratio of the lengths of two phrases.", cli=False)
    least: int = option(1, help="Minimum number of clusters with the pair.", minimum=1, cli=False)
    support: int = option(
        2, help="Number of sentences that must share the words around a slot.", minimum=1, cli=False
    )
    shape: bool = option(
        True,
        help="Phrases must begin and end in constituents of the same kind, if there is a parse.",
        cli=False,
    )
    top: int = option(20, help="Maximum number of paraphrases per phrase.", minimum=1)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class BarzilayOptions:
    """How templates are learnt (Barzilay and Lee 2003)."""

    similarity: float = option(
        0.3,
        help="Minimum cosine of the n-grams of sentences that share a template.",
        minimum=0,
        maximum=1,
    )
    smallest: int = option(4, help="Minimum number of sentences per template.", minimum=2)
    ngrams: int = option(4, help="Maximum length of the n-grams.", minimum=1, cli=False)
    # Below one half, two words of the backbone might never occur in one sentence, and would have no order.
    backbone: float = option(
        0.5,
        help="Share of the sentences that must share a word of the backbone.",
        minimum=0.5,
        maximum=1,
        cli=False,
    )
    synonymy: float = option(
        0.3,
        help="Minimum share of the sentences with a filling that is a wording, not an argument.",
        minimum=0,
        maximum=1,
        cli=False,
    )
    content: int = option(2, help="Minimum number of content words in a backbone.", cli=False)
    overlap: float = option(
        0.3, help="Minimum overlap of the slot values of two templates.", minimum=0, maximum=1
    )

    def __post_init__(self) -> None:
        check(self)
