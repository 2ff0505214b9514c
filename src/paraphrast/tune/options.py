"""Options of fitting a model's weights."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option

METHODS = ("ranking", "powell")


@dataclass(frozen=True)
class TuningOptions:
    """How weights are fitted.

    floor: how far a substitute may score below keeping the words. silence: see ``evaluate.pser``. penalty: of squared
    differences from the start (ranking). folds: of the cross-validation that determines how many rounds help.
    """

    method: str = option("ranking", help="How to fit the weights.", choices=METHODS)
    n: int = option(10, help="Number of best substitutes per span that count.", minimum=1, flags=("-n",))
    floor: float = -1.5
    silence: float = 1.0
    rounds: int = option(4, help="Maximum number of rounds of the search.", minimum=1)
    penalty: float = option(
        1.0, help="Penalty on differences from the initial weights.", minimum=0, cli=False
    )
    folds: int = option(5, help="Number of folds of the cross-validation.", minimum=2, cli=False)
    least: float = 0.5
    seed: int = option(12345, help="Random seed for the search and the folds.", minimum=0)

    def __post_init__(self) -> None:
        check(self)
