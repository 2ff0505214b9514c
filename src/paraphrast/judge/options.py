"""Options of a rating campaign."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option


@dataclass(frozen=True)
class CampaignOptions:
    """Which outputs are rated, and what raters are asked."""

    template: str = option(
        "paraphrase", help="Questions to ask. `paraphrast judge templates` lists the templates."
    )
    inputs: int = option(0, help="Number of inputs to sample. 0 takes all.", minimum=0)
    ranks: int = option(1, help="Number of best outputs per input and system.", minimum=1)
    per_genre: bool = option(False, help="Sample the same number of inputs from every genre.")
    verbatim: bool = option(False, help="Also rate outputs that are identical to their input.")
    seed: int = option(12345, help="Random seed for the sample, the order and the item ids.", minimum=0)

    def __post_init__(self) -> None:
        from paraphrast.judge.templates import get_template

        check(self)
        get_template(self.template)
