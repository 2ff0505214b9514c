"""What the stages ``extract-XX`` wrote, as arrays: for graphs, for significance and for experiments.

Stages whose memory must not grow with the corpus query the files instead (:mod:`paraphrast.training.pivot`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract.add_shards import PAIRS, SOURCES, TARGETS
from paraphrast.types.phrase_keys import PhraseKeys


@dataclass(frozen=True)
class Extracted:
    """The counted pairs of one language.

    source_words, target_words: int32[phrases, 7], by id. glue, category: of the source phrases.
    pairs: the columns source, target, count, source_total, target_total, sentence, source_start.
    """

    source_words: NDArray[np.int32]
    target_words: NDArray[np.int32]
    glue: NDArray[np.uint8]
    category: NDArray[np.uint32]
    pairs: dict[str, NDArray[Any]]


def load_extracted(folder: Path) -> Extracted:
    """Read the folder of a stage."""
    with Engine(threads=1) as engine:
        sources = engine.read_parquet(folder / SOURCES)
        targets = engine.read_parquet(folder / TARGETS)
        pairs = engine.read_parquet(folder / PAIRS)
        keys = [PhraseKeys(**engine.parquet_metadata(folder / name)["keys"]) for name in (SOURCES, TARGETS)]
    return Extracted(
        keys[0].unpack(sources, "s"),
        keys[1].unpack(targets, "t"),
        sources["glue"].astype(np.uint8),
        sources["category"].astype(np.uint32),
        pairs,
    )
