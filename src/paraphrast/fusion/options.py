"""Options of tables from clusters of sentences."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import option
from paraphrast.msa.options import SlotOptions

#: The version that aligns the sentences of a cluster (Shen et al. 2006).
VERSIONS = ("V1", "V2", "V3", "V4", "V5")


@dataclass(frozen=True)
class ClustersOptions(SlotOptions):
    """Options of the table made from clusters."""

    version: str = option(
        "V4",
        help="How to align sentences, as in `paraphrast fuse`. V4 and V5 require a parser; without one, V3 and V2 are "
        "used instead.",
        choices=VERSIONS,
        flags=("--alignment",),
    )
    pretokenized: bool = option(False, help="The tokens of the input are separated by white space.")
    terms: int = option(
        0,
        help="Read the inputs as articles, and make at most this many clusters per event, by key terms.",
        minimum=0,
    )
