"""What a model folder keeps of what was learnt."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option


@dataclass(frozen=True)
class ModelOptions:
    """The section ``[model]``: how much of what was learnt the model folder keeps."""

    least_odds: float | None = option(
        None,
        help="Drop pairs whose log-odds of being accepted, without a sentence, are lower. Needs a substitution model.",
    )
    vetoed: bool = option(True, help="Keep vetoed pairs, so that vetoes can be turned off.")
    tables: bool = option(True, help="Also write the tables as Parquet files, for other tools.")
    features: bool = option(
        True, help="Keep features that have no weight, so that other weights and presets can use them."
    )
    pivots: int = option(3, help="Maximum number of pivot phrases kept per pair and language.", minimum=1)
    citations: int = option(6, help="Maximum number of corpus sentences that are cited per pair.", minimum=0)
    cite: tuple[str, ...] = option((), help="Names of the corpora that may be cited. Default: all.")

    def __post_init__(self) -> None:
        check(self)

    @property
    def shrinks(self) -> bool:
        """Whether any pair may be dropped."""
        return self.least_odds is not None or not self.vetoed
