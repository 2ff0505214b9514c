"""Options of phrase extraction."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option
from paraphrast.errors import InputError

#: Values of :attr:`ExtractOptions.attach_unaligned`.
ATTACH = ("none", "both")
SIGNIFICANCE_RULES = ("none", "a+e", "a-e")
DISCOUNTS = ("none", "good-turing", "kneser-ney", "modified-kneser-ney")


def read_significance(text: str) -> str | float:
    """Read a threshold from the command line: a rule, or a number."""
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
        if self.significance not in SIGNIFICANCE_RULES and not _is_threshold(self.significance):
            raise InputError(
                f"significance: expected none, a+e, a-e or a number from 0, got {self.significance!r}",
                remedy="a+e drops pairs of phrases that occur once each, a-e keeps them",
            )
        check(self)


def _is_threshold(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
