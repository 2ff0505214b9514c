"""Save and load a trained monolingual aligner: arrays, words, and one JSON file that is written last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.base import Lexicon
from paraphrast.align.evidence import Resources
from paraphrast.align.evidence_kinds import choose
from paraphrast.align.linking import LinkModel
from paraphrast.align.monolingual import MonolingualAligner, MonolingualOptions
from paraphrast.align.store import load_array
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import save_array
from paraphrast.formats.files import atomic_folder, read_lines, write_lines
from paraphrast.formats.folder_info import FolderKind

WORDS_FILE = "words.txt"
LINKS_FILE = "links.json"
_REMEDY = "train it again and save it with: paraphrast align --monolingual … --save"
SAVED = FolderKind(
    "a saved monolingual aligner", "monolingual.json", "paraphrast monolingual aligner", 1, _REMEDY
)
_ARRAYS: dict[str, Any] = {
    "frequency": np.int64,
    "slot_start": np.int64,
    "slot_word": np.int32,
    "counts": np.float64,
    "row_prior": np.float64,
    "jump": np.float64,
}


def save_monolingual(aligner: MonolingualAligner, folder: str | Path) -> None:
    """Write ``folder`` completely or not at all, replacing it if it exists."""
    arrays: dict[str, NDArray[Any]] = {
        "frequency": aligner.frequency,
        "slot_start": aligner.pairs.slot_start,
        "slot_word": aligner.pairs.slot_word,
        "counts": aligner.counts,
        "row_prior": aligner.row_prior,
        "jump": aligner.jump,
    }
    resources = aligner.evidence[0].resources.names if aligner.evidence else ()
    info = {
        "language": aligner.language.code,
        "evidence": [piece.name for piece in aligner.evidence],
        "resources": list(resources),
        "options": asdict(aligner.options),
        "log_likelihoods": list(aligner.log_likelihoods),
    }
    with atomic_folder(Path(folder)) as temporary:
        for name, array in arrays.items():
            save_array(temporary / f"{name}.npy", array)
        write_lines(temporary / WORDS_FILE, aligner.words)
        aligner.links.save(temporary / LINKS_FILE)
        SAVED.write(temporary, **info)


def load_monolingual(
    folder: str | Path, find: Callable[[str, Sequence[str]], Resources]
) -> MonolingualAligner:
    """Read a folder written by :func:`save_monolingual`.

    find: a function from a language code and evidence names to the resources.
    """
    place = Path(folder)
    info = SAVED.read(place)
    arrays = {name: load_array(place / f"{name}.npy", dtype) for name, dtype in _ARRAYS.items()}
    try:
        words = tuple(read_lines(place / WORDS_FILE))
        known = {field.name for field in fields(MonolingualOptions)}
        options = MonolingualOptions(
            **{name: value for name, value in info["options"].items() if name in known}
        )
        names = [str(name) for name in info["evidence"]]
        resources = find(str(info["language"]), names)
        trained_with = [str(name) for name in info["resources"]]
        trace = tuple(float(value) for value in info["log_likelihoods"])
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{SAVED.file} is incomplete: {error}", where=place, remedy=_REMEDY) from error
    lacking = [name for name in trained_with if name not in resources.names]
    if lacking or len(trained_with) != len(resources.names):
        raise ModelError(
            f"it was trained with {', '.join(trained_with) or 'no lexicons'}; here are"
            f" {', '.join(resources.names) or 'none'}, so the links would differ",
            where=place,
            remedy=f"paraphrast data get {' '.join(lacking)}" if lacking else _REMEDY,
        )
    evidence = tuple(choose(names, resources))
    starts, slots = arrays["slot_start"], arrays["slot_word"]
    if not (
        len(starts) == len(words) + 2
        and starts[0] == 0
        and (np.diff(starts) >= 0).all()
        and starts[-1] == len(slots) == len(arrays["counts"])
        and (len(slots) == 0 or (slots.min() >= -1 and slots.max() < len(words)))
        and len(arrays["frequency"]) == len(words)
        and len(arrays["row_prior"]) == len(words) + 1
        and len(arrays["jump"]) == 2 * options.max_length + 3
        and np.isfinite(arrays["counts"]).all()
        and (arrays["jump"] > 0).all()
    ):
        raise ModelError("its arrays do not match each other", where=place, remedy=_REMEDY)
    return MonolingualAligner(
        words,
        arrays["frequency"],
        Lexicon(starts, slots, np.zeros(len(slots), dtype=np.float32)),
        arrays["counts"],
        arrays["row_prior"],
        arrays["jump"],
        evidence,
        options,
        resources.language,
        LinkModel.load(place / LINKS_FILE),
        trace,
    )
