"""Options of pivot tables: the join and the filters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from paraphrast._options import check, option
from paraphrast.errors import InputError

COMBINATIONS = ("mixture", "product")
SYNTAX = ("score", "require", "none")
#: Rules that reject a row, and the bit that says so in a table.
RULES = {
    "content_balance": 1,
    "content_subset": 2,
    "trivial": 4,
    "punctuation_edge": 8,
    "shared_edge": 16,
    "no_content": 32,
    "clitic_edge": 64,
    "article_end": 128,
    "substring": 256,
}


def read_weights(text: str) -> dict[str, float]:
    """Read weights such as ``de=2,fr=1``."""
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError as error:
            raise InputError(
                f"--weights: expected LANGUAGE=NUMBER, got {part!r}", remedy="for example --weights de=2,fr=1"
            ) from error
    return weights


@dataclass(frozen=True)
class PivotOptions:
    """How phrase tables are joined into paraphrases."""

    best_translations: int = option(
        50, help="Number of translations that each phrase keeps in each direction before the join.", minimum=1
    )
    min_probability: float = option(
        0.0005, help="Drop paraphrases with a lower probability.", minimum=0, below=1
    )
    top: int = option(
        20, help="Number of paraphrases per phrase, ranked by the smaller of both directions.", minimum=1
    )
    combine: str = option(
        "mixture",
        help="How to combine pivot languages: 'mixture' adds their probabilities, 'product' multiplies them.",
        choices=COMBINATIONS,
    )
    weights: Mapping[str, float] = option(
        {},
        help="Weights of the pivot languages, for example de=2,fr=1. Languages that are not named weigh 1.",
        parse=read_weights,
        text="",
    )
    normalise: bool = option(
        True, help="Remove words that both phrases share at either end, and outer punctuation.", cli=False
    )
    context: bool = option(
        True, help="Add the feature 'context': how similar the contexts of both phrases are.", cli=False
    )
    context_weight: float = option(
        0.0, help="Weight of the feature 'context' in the ranking.", minimum=0, cli=False
    )
    syntax: str = option(
        "score",
        help="With a tagger: 'score' adds the feature 'syntax'; 'require' also drops pairs without a common category.",
        choices=SYNTAX,
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)
        if not all(0 <= weight < math.inf for weight in self.weights.values()):
            raise InputError(
                f"weights: expected a number from 0 for each language, got {self.weights!r}",
                remedy="weights = { de = 2, fr = 1 }",
            )
        if self.context_weight and not self.context:
            raise InputError(f"context_weight: expected 0 without context, got {self.context_weight}")


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Which rules reject a row."""

    content_balance: bool = option(
        True, help="Reject rows where one side has content words and the other has none.", cli=False
    )
    content_subset: bool = option(
        True,
        help="Reject rows where one side has only some of the other's content words ('report' → 'reports adopted').",
        cli=False,
    )
    trivial: bool = option(
        True, help="Reject rows whose sides differ only in punctuation, case or digits.", cli=False
    )
    punctuation_edge: bool = option(
        True, help="Reject rows where a side begins or ends with punctuation.", cli=False
    )
    shared_edge: bool = option(
        True, help="Reject rows whose sides begin or end with the same word.", cli=False
    )
    no_content: bool = option(True, help="Reject rows without any content word ('in' → 'of').", cli=False)
    clitic_edge: bool = option(
        True, help="Reject rows where a side begins with a clitic, or only one side ends with one.", cli=False
    )
    article_end: bool = option(
        True, help="Reject rows where a side ends with an article ('support for the' → 'backing').", cli=False
    )
    substring: bool = option(
        False,
        help="Reject rows where one side contains the other ('in order to' → 'to').",
        flags=("--drop-substrings",),
    )

    @property
    def bits(self) -> int:
        """The bits of the rules that are on."""
        return sum(RULES[field.name] for field in fields(self) if getattr(self, field.name))
