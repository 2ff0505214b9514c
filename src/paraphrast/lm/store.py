"""A language model as a folder of ``.npy`` files that processes map into memory and share.

``lm.json`` has the format version. ``data.npy`` and ``layout.npy`` are the two arrays of
:class:`~paraphrast.types.PackedNgrams`. A standalone model has its words in ``vocab.txt``.

A damaged file must not crash a kernel that follows its links. Loading checks everything that can be checked without
reading all data. Links are checked completely in small models and by samples in large ones, where reading all of them
would take too long. ``check=True`` checks all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import RAW_BITS
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import checks_everything, load_array, save_joined
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.folders import check_folder_output, unknown_files
from paraphrast.formats.json_text import parse_json
from paraphrast.lm.layout import PADDING, aligned, stream_bytes
from paraphrast.lm.space import release_array
from paraphrast.types import SENTENCE_END, NgramArrays, PackedNgrams
from paraphrast.types.ngrams import (
    BACKOFF_BITS,
    CHILD_BITS,
    LAYOUT_LENGTH,
    LOG_PROB_BITS,
    ORDER,
    ORDER_START,
    RECORDS,
    SECTIONS_END,
    SUFFIX_BITS,
    WORD_BITS,
)

FORMAT_VERSION = 2
ABOUT_FILE = "lm.json"
VOCABULARY_FILE = "vocab.txt"
#: A model up to this size is checked completely when it is loaded; in a larger one, this many nodes and contexts.
FULLY_CHECKED_BYTES = 1 << 20
SAMPLES = 256
#: Number of entries that are checked at a time.
BLOCK = 1 << 16
#: Number of entries that are written at a time.
SAVED_AT_ONCE = 1 << 23
_DTYPES: dict[str, np.dtype[Any]] = {"data": np.dtype(np.uint8), "layout": np.dtype(np.int64)}
_LONGEST_ORDER = 7


def save(
    ngrams: NgramArrays | PackedNgrams,
    folder: str | Path,
    *,
    force: bool = False,
    words: Sequence[str] | None = None,
) -> None:
    """Write a model to ``folder``, which appears when it is complete. ``force`` replaces an earlier model there.

    A model that is not packed yet is packed with exact values.
    words: the words of the ids, for a standalone model; stored in ``vocab.txt``.
    """
    target = Path(folder)
    check_folder_output(target, force, foreign=foreign)
    if isinstance(ngrams, NgramArrays):
        from paraphrast.lm.packing import pack

        ngrams = pack(ngrams)
    with atomic_folder(target, checked=True) as temporary:
        for name, array in ngrams._asdict().items():
            values = array.astype(_DTYPES[name], copy=False)
            save_joined(temporary / f"{name}.npy", partial(_pieces, values))
        if words is not None:
            (temporary / VOCABULARY_FILE).write_bytes("".join(f"{word}\n" for word in words).encode())
        about = {"format_version": FORMAT_VERSION, "kind": "ngram", "order": ngrams.order}
        (temporary / ABOUT_FILE).write_text(json.dumps(about, sort_keys=True) + "\n", encoding="utf-8")


def _pieces(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """An array in pieces. If it is a mapped file, only one of them is in memory at a time."""
    for first in range(0, max(len(array), 1), SAVED_AT_ONCE):
        yield array[first : first + SAVED_AT_ONCE]
        release_array(array)


def foreign(folder: Path) -> str | None:
    """Why a folder may not be replaced by a language model; None if it is one, of any version, and nothing else."""
    try:
        about = parse_json((folder / ABOUT_FILE).read_bytes())
    except (OSError, ValueError):
        about = None
    if not isinstance(about, dict) or about.get("kind") != "ngram" or "format_version" not in about:
        return f"it has no {ABOUT_FILE} of a language model"
    return unknown_files(folder, {ABOUT_FILE, VOCABULARY_FILE, *(f"{name}.npy" for name in _DTYPES)})


def load(folder: str | Path, *, check: bool = False) -> PackedNgrams:
    """Map a model into memory, read-only. Pages are read when first used, and shared between processes.

    check: read all data and check every link, even in a large model.
    """
    source = Path(folder)
    _check_version(source)
    ngrams = PackedNgrams(
        *(load_array(source / f"{name}.npy", _DTYPES[name]) for name in PackedNgrams._fields)
    )
    problem = _structure_problem(ngrams)
    if problem is None:
        problem = _link_problem(ngrams, check or checks_everything() or ngrams.nbytes <= FULLY_CHECKED_BYTES)
    if problem:
        raise ModelError(
            f"the arrays of this language model do not belong together: {problem}",
            where=source,
            remedy="build it again",
        )
    return ngrams


def load_words(folder: str | Path) -> tuple[str, ...]:
    """The words of a standalone model, by id."""
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


def _structure_problem(ngrams: PackedNgrams) -> str | None:
    """A description of what is wrong with the layout, or None."""
    layout = ngrams.layout
    if len(layout) != LAYOUT_LENGTH or not 1 <= int(layout[ORDER]) <= _LONGEST_ORDER:
        return "the layout is not that of a language model"
    starts, contexts = ngrams.order_start, ngrams.context_start
    if int(starts[0]) != 0 or bool((np.diff(starts) < 0).any()):
        return "the orders do not begin one after another"
    if int(starts[1]) <= SENTENCE_END:
        return "there are no words"
    if int(contexts[0]) != 0 or bool((np.diff(contexts) < 0).any()):
        return "the contexts do not begin one after another"
    if bool((np.diff(contexts) > np.diff(starts)[:-1]).any()):
        return "there are more contexts than n-grams"
    widths = layout[WORD_BITS : BACKOFF_BITS + 1]
    if int(widths.min()) < 0 or int(widths.max()) > RAW_BITS:
        return "the widths of the fields are not from 0 to 32 bits"
    expected = np.cumsum([0, *(aligned(length) for length in _section_lengths(ngrams))])
    if not np.array_equal(layout[RECORDS : SECTIONS_END + 1], expected):
        return "the sections do not begin where they should"
    if len(ngrams.data) != int(layout[SECTIONS_END]) + PADDING:
        return f"expected {int(layout[SECTIONS_END]) + PADDING} bytes of data, got {len(ngrams.data)}"
    return None


def _section_lengths(ngrams: PackedNgrams) -> list[int]:
    """Bytes of each section, in their order."""
    layout = [int(value) for value in ngrams.layout]
    size, above = layout[ORDER_START + 1], ngrams.order - 1
    parents = int(ngrams.order_start[-2]) if above else 0
    count = int(ngrams.context_start[-1])
    books = [
        0 if layout[column] == RAW_BITS else 4 * (above << layout[column])
        for column in (LOG_PROB_BITS, BACKOFF_BITS)
    ]
    record = layout[WORD_BITS] + layout[LOG_PROB_BITS]
    context = layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]
    return [
        stream_bytes((ngrams.nodes - size) * record),
        stream_bytes((count + 1) * context),
        8 * ((parents + 31) // 32),
        4 * size,
        *books,
        (size + 7) // 8,
    ]


def _link_problem(ngrams: PackedNgrams, whole: bool) -> str | None:
    """What is wrong with the values and links, or None; checks all, or a few hundred in equal steps.

    Uses numpy, because kernels for this would have to be compiled before the first result of a new installation.
    """
    for values, lowest, highest in (
        (ngrams.unigram, -1e4, 1e-6), (ngrams.log_prob_codes, -1e4, 1e-6), (ngrams.backoff_codes, -1e4, 1e4)
    ):  # fmt: skip
        if not bool(((values <= highest) & (values > lowest)).all()):
            return "a probability or a back-off weight is out of range"
    return _record_problem(ngrams, whole) or _context_problem(ngrams, whole)


def _record_problem(ngrams: PackedNgrams, whole: bool) -> str | None:
    size = int(ngrams.order_start[1])
    width, code_width = int(ngrams.layout[WORD_BITS]), int(ngrams.layout[LOG_PROB_BITS])
    for places in _chosen(ngrams.nodes - size, whole):
        at = places * (width + code_width)
        if bool((_read(ngrams.records, at, width) >= size).any()):
            return "the word of an n-gram is out of range"
        if code_width == RAW_BITS:
            values = _read(ngrams.records, at + width, code_width).astype(np.uint32).view(np.float32)
            if not bool(((values <= 1e-6) & (values > -1e4)).all()):
                return "the probability of an n-gram is out of range"
    return None


def _context_problem(ngrams: PackedNgrams, whole: bool) -> str | None:
    """Children are in the order above and end after they begin; a suffix is a shorter context."""
    widths = [int(width) for width in ngrams.layout[:RECORDS]]
    total = widths[CHILD_BITS] + widths[SUFFIX_BITS] + widths[BACKOFF_BITS]
    for contexts in _chosen(int(ngrams.context_start[-1]), whole):
        at = contexts * total
        order = np.searchsorted(ngrams.context_start, contexts, side="right")
        begin = _read(ngrams.contexts, at, widths[CHILD_BITS])
        end = _read(ngrams.contexts, at + total, widths[CHILD_BITS])
        suffix = _read(ngrams.contexts, at + widths[CHILD_BITS], widths[SUFFIX_BITS])
        lies_above = (begin >= ngrams.order_start[order]) & (end <= ngrams.order_start[order + 1])
        if not bool((lies_above & (begin <= end) & (suffix <= ngrams.context_start[order - 1])).all()):
            return "a context has a link out of range"
        if widths[BACKOFF_BITS] == RAW_BITS:
            weights = (
                _read(ngrams.contexts, at + total - RAW_BITS, RAW_BITS).astype(np.uint32).view(np.float32)
            )
            if not bool((np.abs(weights) < 1e4).all()):
                return "the back-off weight of a context is out of range"
    for entries in _chosen(len(ngrams.is_context), whole):
        bits = ngrams.is_context[entries]
        ones = np.unpackbits((bits & np.uint64(0xFFFFFFFF)).view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1)
        if bool(((bits >> np.uint64(32)).astype(np.int64) + ones > int(ngrams.context_start[-1])).any()):
            return "is_context counts too many contexts"
    return None


def _chosen(length: int, whole: bool) -> Iterator[NDArray[np.int64]]:
    """Numbers below ``length``: all of them, in pieces, or some in equal steps."""
    step = 1 if whole else max(length // SAMPLES, 1)
    for first in range(0, length, step * BLOCK):
        yield np.arange(first, min(first + step * BLOCK, length), step)


def _read(stream: NDArray[np.uint8], at: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """The numbers of ``width`` bits at the given bit positions of a stream: the slow twin of ``_numeric.read_bits``."""
    loaded = stream[(at >> 3)[:, None] + np.arange(8)].view("<u8")[:, 0]
    mask = np.uint64((1 << width) - 1)
    numbers: NDArray[np.int64] = ((loaded >> (at & 7).astype(np.uint64)) & mask).astype(np.int64)
    return numbers


def _check_version(source: Path) -> None:
    try:
        about = parse_json((source / ABOUT_FILE).read_text(encoding="utf-8"))
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
    if version < FORMAT_VERSION:
        raise ModelError(
            f"expected format version {FORMAT_VERSION}, got {version}, which older releases wrote",
            where=source,
            remedy="build it again: paraphrast lm TEXT -o FOLDER, or paraphrast train for a whole model",
        )
