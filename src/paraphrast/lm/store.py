"""A language model as a folder of ``.npy`` files that processes map into memory and share.

``lm.json`` holds the format version; beside it stands one file for each array of
:class:`~paraphrast.types.NgramArrays`; ``table.npy`` may be missing, and look-ups are then slower. A model that
stands alone has its words in ``vocab.txt``.

A damaged file must not crash a kernel that follows its links. Loading checks what can be seen without reading
everything, and the links themselves in full where they are small, by samples where reading them all would take
longer than loading may; ``check=True`` reads them all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast._numeric import SLOT
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.files import atomic_folder, check_folder_output
from paraphrast.lm._kernels_index import wrong_node, wrong_slot
from paraphrast.lm.index import key_bits, with_index
from paraphrast.types import SENTENCE_END, NgramArrays

FORMAT_VERSION = 1
ABOUT_FILE = "lm.json"
VOCABULARY_FILE = "vocab.txt"
#: A model up to this size is checked in full when it is loaded; of a larger one so many nodes an order.
FULLY_CHECKED_BYTES = 1 << 26
SAMPLES = 256
_DTYPES: dict[str, np.dtype[Any]] = {
    "word": np.dtype(np.int32),
    "child_begin": np.dtype(np.int64),
    "suffix": np.dtype(np.int32),
    "log_prob": np.dtype(np.float32),
    "backoff": np.dtype(np.float32),
    "order_start": np.dtype(np.int64),
    "table": np.dtype(np.uint32),
}


def save(
    arrays: NgramArrays,
    folder: str | Path,
    *,
    force: bool = False,
    index: bool = True,
    words: Sequence[str] | None = None,
) -> None:
    """Write a model to ``folder``, which appears when it is whole; an earlier model there is replaced by ``force``.

    index: with the table that makes look-ups faster, and the folder nearly twice as large.
    words: what the ids mean, for a model that stands alone; kept in ``vocab.txt``.
    """
    target = Path(folder)
    check_folder_output(target, force, mark=ABOUT_FILE)
    if index and not len(arrays.table):
        arrays = with_index(arrays)
    with atomic_folder(target) as temporary:
        for name, array in arrays._asdict().items():
            if name != "table" or (index and len(array)):
                np.save(
                    temporary / f"{name}.npy", array.astype(_DTYPES[name], copy=False), allow_pickle=False
                )
        if words is not None:
            (temporary / VOCABULARY_FILE).write_bytes("".join(f"{word}\n" for word in words).encode())
        about = {"format_version": FORMAT_VERSION, "kind": "ngram", "order": arrays.order}
        (temporary / ABOUT_FILE).write_text(json.dumps(about, sort_keys=True) + "\n", encoding="utf-8")


def load(folder: str | Path, *, check: bool = False) -> NgramArrays:
    """Map a model into memory, read-only: pages are read when first touched, and shared between processes.

    check: read all of it and check every link, however large it is.
    """
    source = Path(folder)
    _check_version(source)
    arrays = NgramArrays(
        *(
            load_array(source / f"{name}.npy", _DTYPES[name])
            for name in NgramArrays._fields
            if name != "table" or (source / "table.npy").exists()
        )
    )
    problem = _structure_problem(arrays)
    if problem is None:
        whole = check or sum(array.nbytes for array in arrays) <= FULLY_CHECKED_BYTES
        problem = _link_problem(arrays, whole)
    if problem:
        raise ModelError(
            f"the arrays of this language model do not belong together: {problem}",
            where=source,
            remedy="build it again",
        )
    return arrays


def load_words(folder: str | Path) -> tuple[str, ...]:
    """The words of a model that stands alone, by id."""
    path = Path(folder) / VOCABULARY_FILE
    try:
        words = path.read_bytes().decode("utf-8").split("\n")
    except FileNotFoundError as error:
        raise ModelError(
            f"expected a model with its words, a file {VOCABULARY_FILE}",
            where=folder,
            remedy="write it with: paraphrast lm TEXT -o FOLDER",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot be read: {error}", where=path, remedy="build it again") from error
    return tuple(words[:-1])


def _structure_problem(arrays: NgramArrays) -> str | None:
    """What is wrong with the lengths of the arrays, if anything."""
    nodes = len(arrays.word)
    starts = arrays.order_start
    if (
        len(starts) < 2
        or int(starts[0]) != 0
        or int(starts[-1]) != nodes
        or bool((np.diff(starts) < 0).any())
    ):
        return "the orders do not begin one after another"
    if int(starts[1]) <= SENTENCE_END:
        return "there are no words"
    if len(arrays.child_begin) != nodes + 1 or int(arrays.child_begin[-1]) != nodes:
        return "the children do not end with the last node"
    if not len(arrays.suffix) == len(arrays.log_prob) == len(arrays.backoff) == nodes:
        return "some are longer than others"
    if len(arrays.table) and (
        len(arrays.table) % SLOT or len(arrays.table) < 2 * SLOT or int(arrays.table[0]) != key_bits(arrays)
    ):
        return "the index is of another model"
    return None


def _link_problem(arrays: NgramArrays, whole: bool) -> str | None:
    """What is wrong with the nodes, if anything: of all, or of a few hundred in equal steps."""
    for order in range(1, arrays.order + 1):
        first, last = int(arrays.order_start[order - 1]), int(arrays.order_start[order])
        step = 1 if whole else max((last - first) // SAMPLES, 1)
        node = wrong_node(arrays, order, first, last, step)
        if node >= 0:
            return f"the {order}-gram {node - first} points outside"
    slots = len(arrays.table) // SLOT
    slot = wrong_slot(arrays, 1 if whole else max(slots // SAMPLES, 1))
    return f"slot {slot} of the index points outside" if slot >= 0 else None


def _check_version(source: Path) -> None:
    try:
        about = json.loads((source / ABOUT_FILE).read_text(encoding="utf-8"))
        version = int(about["format_version"])
    except FileNotFoundError as error:
        raise ModelError("expected a language model, a folder with lm.json", where=source) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"lm.json cannot be read: {error}", where=source, remedy="build it again") from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"expected format version {FORMAT_VERSION} or older, got {version}",
            where=source,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
