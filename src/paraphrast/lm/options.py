"""Options of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from paraphrast._options import check, option
from paraphrast.errors import InputError

MAX_ORDER = 7
SMOOTHINGS = ("modified-kneser-ney", "kneser-ney")


def read_pruning(text: str) -> tuple[tuple[int, ...], float]:
    """Counts and the entropy threshold of ``0 0 1``, ``0,0,1``, ``entropy:1e-8`` or ``0 0 1 entropy:1e-8``."""
    counts: list[int] = []
    entropy = 0.0
    try:
        for value in text.replace(",", " ").split():
            if value.startswith("entropy:"):
                entropy = float(value.removeprefix("entropy:"))
            else:
                counts.append(int(value))
    except ValueError as error:
        raise InputError(
            f"--prune: expected whole numbers or entropy:THRESHOLD, got {text!r}",
            remedy="for example --prune '0 0 1' or --prune entropy:1e-8",
        ) from error
    return tuple(counts or (0,)), entropy


@dataclass(frozen=True)
class LmOptions:
    """How to estimate a language model."""

    order: int = option(5, help="Length of the longest n-grams.", minimum=1, maximum=MAX_ORDER)
    smoothing: Literal["modified-kneser-ney", "kneser-ney"] = option(
        "modified-kneser-ney",
        help="Kneser–Ney smoothing with three discounts per order (modified) or with one.",
        choices=SMOOTHINGS,
        cli=False,
    )
    prune: tuple[int, ...] = option(
        (0,),
        help="Drop n-grams that occur at most this often, one number per length. [0, 0, 1] drops n-grams of three "
        "words and more that occur once.",
        cli=False,
    )
    entropy: float = option(
        0.0,
        help="Drop n-grams whose loss raises the perplexity by less than this fraction (Stolcke 1998). 0 drops none.",
        minimum=0,
        below=1,
        cli=False,
    )
    quantise: int = option(
        0,
        help="Bits per probability and back-off weight in the packed model, 2 to 16, such as 8. 0 keeps exact values.",
    )
    discount_fallback: tuple[float, float, float] | None = option(
        (0.5, 1.0, 1.5),
        help="Discounts for counts 1, 2 and 3 or more, used when a text is too small to estimate them.",
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)
        rising = all(low <= high for low, high in pairwise(self.prune))
        if not self.prune or self.prune[0] != 0 or not rising or len(self.prune) > self.order:
            raise InputError(
                f"prune: expected at most {self.order} thresholds that begin with 0 and never fall, "
                f"got {self.prune}",
                remedy="for example (0, 0, 1), which drops n-grams of three words and more that occur once",
            )
        if self.quantise != 0 and not 2 <= self.quantise <= 16:
            raise InputError(
                f"quantise: expected 0, or 2 to 16 bits, got {self.quantise}", remedy="for example 8"
            )
        if self.discount_fallback is not None and not all(
            0 < discount <= count for count, discount in enumerate(self.discount_fallback, start=1)
        ):
            raise InputError(
                f"discount_fallback: expected numbers above 0 and at most 1, 2 and 3, got {self.discount_fallback}"
            )
