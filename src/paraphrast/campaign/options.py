"""Options of a campaign in a database."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option


@dataclass(frozen=True)
class OpenOptions:
    """How a campaign is opened to raters."""

    name: str = option("ratings", help="Name of the campaign. Each campaign of a database has its own.")
    raters: tuple[str, ...] = option(
        (),
        help="Name of a rater, who gets a link. Repeat it for each rater; the owner's page adds more.",
        name="rater",
    )
    per_item: int = option(
        0, help="Number of raters per item. 0: every rater rates every item.", minimum=0, maximum=1000
    )
    gold_every: int = option(
        10, help="Show one gold item in this many places, if there are gold items.", minimum=2, maximum=1000
    )
    instructions: str = option(
        "", help="Text file with instructions for raters. Default: those of the template."
    )
    address: str = option(
        "http://127.0.0.1:8000", help="Address of the service, for the links that are printed."
    )

    def __post_init__(self) -> None:
        check(self)
