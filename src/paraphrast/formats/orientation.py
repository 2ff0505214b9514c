"""A reordering model as ``.npy`` files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraphrast.formats.arrays import save_array
from paraphrast.types import Orientation, Phrases


def save_orientation(orientation: Orientation, folder: Path) -> None:
    """Write a reordering model as .npy files to a folder."""
    arrays = {
        "words": orientation.phrases.words,
        "mono": orientation.mono,
        "swap": orientation.swap,
        "overall": np.array([orientation.overall_mono, orientation.overall_swap]),
    }
    for name, values in arrays.items():
        save_array(folder / f"{name}.npy", values)


def load_orientation(folder: Path) -> Orientation:
    """Read a folder written by :func:`save_orientation`."""
    words, mono, swap, overall = (
        np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("words", "mono", "swap", "overall")
    )
    phrases = Phrases(words, np.zeros(len(words), dtype=np.uint8))
    return Orientation(phrases, mono, swap, float(overall[0]), float(overall[1]))
