"""Save and load a trained aligner: a folder of arrays with one JSON file that is written last."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.base import Lexicon
from paraphrast.align.hmm import HMM
from paraphrast.align.ibm1 import Model1
from paraphrast.align.options import AlignOptions
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import save_array
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.folder_info import FolderKind
from paraphrast.formats.folders import unknown_files

WAYS = ("forward", "backward")
_ARRAYS: dict[str, dict[str, Any]] = {
    "hmm": {"slot_start": np.int64, "slot_word": np.int32, "prob": np.float32, "jump": np.float64},
    "ibm1": {"row_start": np.int64, "columns": np.int32, "prob": np.float32},
}
_REMEDY = "train it again and save it with: paraphrast align … --save"
SAVED = FolderKind("a saved aligner", "aligner.json", "paraphrast aligner", 1, _REMEDY)


class SavedAligner(NamedTuple):
    """The parts of a saved aligner: models of both directions, sizes of the vocabularies, options."""

    forward: Model1 | HMM
    backward: Model1 | HMM
    source_size: int
    target_size: int
    options: AlignOptions


#: The files that a saved aligner can have.
_FILES = frozenset(
    (SAVED.file, *(f"{way}.{name}.npy" for way in WAYS for arrays in _ARRAYS.values() for name in arrays))
)


def save_aligner(aligner: SavedAligner, folder: str | Path) -> None:
    """Write ``folder`` completely or not at all, replacing it if it exists."""
    place = Path(folder)
    with atomic_folder(place, checked=place.is_dir() and unknown_files(place, _FILES) is None) as temporary:
        info: dict[str, Any] = {
            "source_size": aligner.source_size,
            "target_size": aligner.target_size,
            "options": asdict(aligner.options),
        }
        for way in WAYS:
            model: Model1 | HMM = getattr(aligner, way)
            kind = "hmm" if isinstance(model, HMM) else "ibm1"
            info[way] = {"kind": kind, "log_likelihoods": model.log_likelihoods}
            for name in _ARRAYS[kind]:
                owner = model.lexicon if isinstance(model, HMM) and name != "jump" else model
                save_array(temporary / f"{way}.{name}.npy", getattr(owner, name))
        SAVED.write(temporary, **info)


def load_aligner(folder: str | Path) -> SavedAligner:
    """Read a folder written by :func:`save_aligner`."""
    place = Path(folder)
    info = SAVED.read(place)
    try:
        known = {field.name for field in fields(AlignOptions)}
        options = AlignOptions(**{name: value for name, value in info["options"].items() if name in known})
        sizes = int(info["source_size"]), int(info["target_size"])
        models = [
            _load_model(place, way, info[way], options, *sides)
            for way, sides in zip(WAYS, (sizes, sizes[::-1]), strict=True)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(
            f"the aligner's {SAVED.file} is incomplete: {error}", where=place, remedy=_REMEDY
        ) from error
    return SavedAligner(models[0], models[1], *sizes, options)


def _load_model(
    folder: Path, way: str, record: dict[str, Any], options: AlignOptions, source_size: int, target_size: int
) -> Model1 | HMM:
    kind = record["kind"]
    if kind not in _ARRAYS:
        raise ModelError(
            f"expected one of {', '.join(_ARRAYS)}, got {kind!r}", where=folder / SAVED.file, remedy=_REMEDY
        )
    arrays = {name: load_array(folder / f"{way}.{name}.npy", dtype) for name, dtype in _ARRAYS[kind].items()}
    starts = arrays["slot_start" if kind == "hmm" else "row_start"]
    words = arrays["slot_word" if kind == "hmm" else "columns"]
    fits = (
        len(starts) == source_size + 2
        and starts[0] == 0
        and (np.diff(starts) >= 0).all()
        and starts[-1] == len(words) == len(arrays["prob"])
        and (len(words) == 0 or (words.min() >= -1 and words.max() < target_size))
        and np.isfinite(arrays["prob"]).all()
        and (arrays["prob"] >= 0).all()
    )
    model: Model1 | HMM
    if kind == "hmm":
        model = HMM(
            Lexicon(starts, words, arrays["prob"]),
            max_length=options.max_length,
            window=options.window,
            empty=options.empty,
            prior=options.prior,
        )
        jump = arrays["jump"]
        fits = fits and jump.shape == model.jump.shape and bool(((jump > 0) & np.isfinite(jump)).all())
        model.jump = jump
    else:
        model = Model1.from_rows(starts, words, arrays["prob"])
    if not fits:
        raise ModelError(f"the arrays of {way} do not match each other", where=folder, remedy=_REMEDY)
    model.log_likelihoods = [float(value) for value in record["log_likelihoods"]]
    return model


def load_array(path: Path, dtype: Any) -> NDArray[Any]:
    """A saved one-dimensional array of this type."""
    try:
        array: NDArray[Any] = np.array(np.lib.format.open_memmap(path, mode="r"))
    except FileNotFoundError as error:
        raise ModelError("a file of the aligner is missing", where=path, remedy=_REMEDY) from error
    except Exception as error:  # numpy raises many kinds of errors for a damaged header
        raise ModelError(f"incomplete or damaged: {error}", where=path, remedy=_REMEDY) from error
    if array.dtype != dtype or array.ndim != 1:
        raise ModelError(
            f"expected a row of {np.dtype(dtype)}, got {array.ndim} dimensions of {array.dtype}",
            where=path,
            remedy=_REMEDY,
        )
    return array
