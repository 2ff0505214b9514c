"""The arrays that the decoder maps into memory: a trie of source phrases, and the options of each.

Quirk, Brockett & Dolan (2004, §3.4) keep the replacement database "as a trie with words as edges"; here
the trie is three flat arrays, so that processes share its pages and a kernel walks it without objects.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arrays import checks_everything, load_array, save_array
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.json_text import parse_json
from paraphrast.types import MAX_PHRASE

FORMAT_VERSION = 1
NAMES_FILE = "names.json"


class OptionArrays(NamedTuple):
    """The trie and its options; node 0 is the root.

    Nodes are numbered by depth, then by (parent, word), so the children of node v are
    ``child_begin[v] … child_begin[v + 1]``, sorted by word. The options of the source phrase that ends at
    v are ``option_begin[v] … option_begin[v + 1]``, best ``log_prob`` first, then by target id.

    word:          int32[nodes], the word on the edge into the node; −1 for the root.
    parent:        int32[nodes]; −1 for the root.
    child_begin:   int64[nodes + 1].
    option_begin:  int64[nodes + 1].
    target:        int32[options], phrase id.
    word_begin:    int64[options + 1], into ``target_words``.
    target_words:  int32[words], vocabulary ids.
    log_prob:      float32[options], the largest log p(target | source) of any table.
    features:      float32[options, F], natural log-features of all tables side by side.
    tables:        uint32[options], bit t set where table t has the pair.
    veto:          uint8[options], bits of the vetoes of the pair; 0 for none.
    category_mask: uint32[options], bit c set where the target can be of category c; 0 for unknown.
    masks_kept:    uint8[options], 1 where source and target have the same entity masks equally often.
    swap:          float32[nodes] or empty, log p(swap) − log p(monotone) of the source phrase that ends at the
                   node, NaN where it is not known.
    """

    word: NDArray[np.int32]
    parent: NDArray[np.int32]
    child_begin: NDArray[np.int64]
    option_begin: NDArray[np.int64]
    target: NDArray[np.int32]
    word_begin: NDArray[np.int64]
    target_words: NDArray[np.int32]
    log_prob: NDArray[np.float32]
    features: NDArray[np.float32]
    tables: NDArray[np.uint32]
    veto: NDArray[np.uint8]
    category_mask: NDArray[np.uint32]
    masks_kept: NDArray[np.uint8]
    swap: NDArray[np.float32]


_DTYPES: dict[str, Any] = {
    "word": np.int32,
    "parent": np.int32,
    "child_begin": np.int64,
    "option_begin": np.int64,
    "target": np.int32,
    "word_begin": np.int64,
    "target_words": np.int32,
    "log_prob": np.float32,
    "features": np.float32,
    "tables": np.uint32,
    "veto": np.uint8,
    "category_mask": np.uint32,
    "masks_kept": np.uint8,
    "swap": np.float32,
}
#: Arrays up to this size are checked in full at loading; of larger ones, this many values.
FULLY_CHECKED_BYTES = 1 << 25
SAMPLES = 1024
#: log p(swap) − log p(monotone) of a phrase without counts: about one swap in twenty.
SWAP_ODDS = -3.0


@dataclass(frozen=True)
class DecoderArrays:
    """The option arrays with the names of their feature columns and of their table bits."""

    options: OptionArrays
    feature_names: tuple[str, ...]
    table_names: tuple[str, ...]
    swap_default: float = SWAP_ODDS

    def __len__(self) -> int:
        return len(self.options.target)

    @property
    def edit_names(self) -> tuple[str, ...]:
        """The features that count the edits of each table."""
        return tuple(f"{name}.edits" for name in self.table_names)

    def owner(self, feature: str) -> str:
        """The table of a feature: "pivot.de" for "pivot.de.score" if there is such a table; "" if there is none."""
        return max((name for name in self.table_names if feature.startswith(f"{name}.")), key=len, default="")

    def target_words_of(self, option: int) -> tuple[int, ...]:
        """The words an option inserts."""
        begin, end = self.options.word_begin[option], self.options.word_begin[option + 1]
        return tuple(self.options.target_words[begin:end].tolist())

    def source_words_of(self, option: int) -> tuple[int, ...]:
        """The words an option replaces."""
        node = int(np.searchsorted(self.options.option_begin, option, side="right")) - 1
        words: list[int] = []
        while node > 0:
            words.append(int(self.options.word[node]))
            node = int(self.options.parent[node])
        return tuple(reversed(words))

    def tables_of(self, table_mask: int) -> tuple[str, ...]:
        """The names of the tables in a bit mask."""
        return tuple(name for bit, name in enumerate(self.table_names) if table_mask >> bit & 1)

    def table_mask(self, names: tuple[str, ...]) -> int:
        """The bit mask of some tables."""
        unknown = sorted(set(names) - set(self.table_names))
        if unknown:
            raise InputError(
                f"unknown table {unknown[0]!r}", remedy=f"this model has: {', '.join(self.table_names)}"
            )
        return sum(1 << self.table_names.index(name) for name in sorted(set(names)))

    def save(self, folder: Path) -> None:
        """Write every array as ``.npy`` into a temporary folder, then rename it."""
        with atomic_folder(folder) as temporary:
            for name, array in zip(self.options._fields, self.options, strict=True):
                if name == "swap" and not len(self.options.swap):
                    continue
                save_array(temporary / f"{name}.npy", np.asarray(array))
            names: dict[str, Any] = {
                "format_version": FORMAT_VERSION,
                "features": list(self.feature_names),
                "tables": list(self.table_names),
            }
            if len(self.options.swap):
                names["swap_default"] = self.swap_default
            text = json.dumps(names, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
            (temporary / NAMES_FILE).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> DecoderArrays:
        """Map the arrays of :meth:`save` into memory, read-only."""
        try:
            names = parse_json((folder / NAMES_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(
                f"expected the decoder's arrays: {error}", where=folder, remedy="rebuild the model"
            ) from error
        version = names.get("format_version") if isinstance(names, dict) else None
        if version != FORMAT_VERSION:
            raise ModelError(
                f"expected decoder format {FORMAT_VERSION}, got {version}",
                where=folder / NAMES_FILE,
                remedy="rebuild the model, or use the paraphrast version that wrote it",
            )
        arrays = {
            field: load_array(folder / f"{field}.npy", dtype, dimensions=2 if field == "features" else 1)
            for field, dtype in _DTYPES.items()
            if field != "swap"
            or (folder / "swap.npy").exists()  # models without a reordering model have none
        }
        arrays.setdefault("swap", np.zeros(0, dtype=np.float32))
        try:
            default = float(names.get("swap_default", SWAP_ODDS))
            features, tables = (tuple(map(str, names[key])) for key in ("features", "tables"))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"expected the names of features and tables: {error}",
                where=folder / NAMES_FILE,
                remedy="rebuild the model",
            ) from error
        loaded = cls(OptionArrays(**arrays), features, tables, default)
        loaded._check(folder)
        return loaded

    def _check(self, folder: Path) -> None:
        """Refuse arrays whose lengths or indices do not fit together: a kernel would read outside of them."""
        arrays = self.options
        nodes, options = len(arrays.word), len(arrays.target)
        lengths = {
            "word": nodes,
            "parent": nodes,
            "child_begin": nodes + 1,
            "option_begin": nodes + 1,
            "word_begin": options + 1,
            "swap": nodes if len(arrays.swap) else 0,
        }
        for name in _DTYPES:
            array = getattr(arrays, name)
            expected = len(array) if name == "target_words" else lengths.get(name, options)
            if len(array) != expected:
                raise ModelError(
                    f"expected {expected} values, got {len(array)}",
                    where=folder / f"{name}.npy",
                    remedy="the folder is damaged: rebuild the model",
                )
        consistent = (
            nodes > 0
            and arrays.features.shape[1] == len(self.feature_names)
            and int(arrays.option_begin[-1]) == options
            and int(arrays.child_begin[-1]) == nodes
            and int(arrays.word_begin[-1]) == len(arrays.target_words)
        )
        if not consistent:
            raise ModelError(
                "the decoder's arrays do not fit together", where=folder, remedy="rebuild the model"
            )
        whole = sum(array.nbytes for array in arrays) <= FULLY_CHECKED_BYTES or checks_everything()
        wrong = _wrong_link(arrays, whole, len(self.table_names))
        if wrong:
            raise ModelError(
                "some values of this array are out of range, or not numbers",
                where=folder / f"{wrong}.npy",
                remedy="the folder is damaged: rebuild the model",
            )


def _wrong_link(arrays: OptionArrays, whole: bool, tables: int) -> str:
    """The name of an array with an invalid value, or ""; checks all values, or some in equal steps."""

    def step(size: int) -> int:
        return 1 if whole else max(size // SAMPLES, 1)

    def rises(begin: NDArray[np.int64], first: int, longest: int) -> bool:
        """Whether ``begin`` ascends from ``first``, with no run longer than ``longest``."""
        each = step(len(begin))
        left, right = begin[:-1:each], begin[1::each]
        sound = (left >= first) & (left <= right) & (right <= begin[-1]) & (right - left <= longest)
        return int(begin[0]) == first and bool(sound.all())

    nodes, options = len(arrays.word), len(arrays.target)
    places = np.arange(nodes, dtype=np.int64)[1 :: step(nodes)]
    some = slice(None, None, step(options))
    sound = {
        "child_begin": rises(arrays.child_begin, 1, nodes)
        and bool((arrays.child_begin[places] > places).all()),
        "option_begin": rises(arrays.option_begin, 0, options),
        "word_begin": rises(arrays.word_begin, 0, MAX_PHRASE),
        "parent": bool(((arrays.parent[places] >= 0) & (arrays.parent[places] < places)).all()),
        "word": bool((arrays.word[places] >= 0).all()),
        "target": bool((arrays.target[some] >= 0).all()),
        "target_words": bool((arrays.target_words[:: step(len(arrays.target_words))] >= 0).all()),
        "log_prob": not bool(np.isnan(arrays.log_prob[some]).any()),
        "features": bool(np.isfinite(arrays.features[some]).all()),
        "tables": int(arrays.tables[some].max(initial=0)) < 1 << tables,
        "swap": not bool(np.isinf(arrays.swap).any()),  # NaN: no counts
    }
    return next((name for name, is_sound in sound.items() if not is_sound), "")


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A plain read-only view, so that mapped and built arrays have one type and a kernel compiles once."""
    view = np.ascontiguousarray(array).view(np.ndarray).view()
    view.flags.writeable = False
    return view
