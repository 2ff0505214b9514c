"""Options of phrase extraction."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option
from paraphrast.errors import InputError

#: What :attr:`ExtractOptions.attach_unaligned` may be.
ATTACH = ("none", "both")
SIGNIFICANCE_RULES = ("none", "a+e", "a-e")
DISCOUNTS = ("none", "good-turing", "kneser-ney", "modified-kneser-ney")


def read_significance(text: str) -> str | float:
    """The threshold that the command line names: a rule, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class ExtractOptions:
    """Which phrase pairs to extract."""

    max_length: int = option(5, help="Maximum number of words per phrase.", minimum=1, maximum=7)
    max_cepts: int = option(
        5,
        help="Maximum number of cepts (groups of linked words) per phrase pair.",
        minimum=1,
        maximum=2**31 - 1,
    )
    attach_unaligned: str = option(
        "none",
        help="Unaligned words at the edges of a phrase pair: 'none' leaves them out, 'both' also extracts the pair "
        "with each number of them (Och and Ney 2004).",
        choices=ATTACH,
    )
    significance: str | float = option(
        "none",
        help="Keep phrase pairs with at least this significance (-log p): none, a+e, a-e or a number. 'a+e' drops "
        "pairs of phrases that occur only once each, 'a-e' keeps them.",
        parse=read_significance,
        text="none",
    )

    def __post_init__(self) -> None:
        check(self)
        if isinstance(self.significance, str):
            is_known = self.significance in SIGNIFICANCE_RULES
        else:
            is_known = 0 <= self.significance < float("inf")
        if not is_known:
            raise InputError(
                f"significance: expected none, a+e, a-e or a number from 0, got {self.significance!r}",
                remedy="a+e drops pairs of phrases that occur once each, a-e keeps them",
            )
