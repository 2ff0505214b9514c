"""The pivots of each pair and the sentences that they were seen in, as arrays of a model folder.

``evidence/`` is written by the last stage of training, unless the configuration has ``evidence = "none"``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import ModelError
from paraphrast.formats.arrays import ArrayWriter, check_bounds, check_range, load_array, save_array
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.strings import StringsWriter, load_strings

EVIDENCE = "evidence"
_NAMES = "names.json"
_ARRAYS: dict[str, tuple[Any, int]] = {
    "begin": (np.int32, 1),
    "target": (np.int32, 1),
    "phrase": (np.int32, 1),
    "probability": (np.int64, 1),
    "citation": (np.int32, 1),
    "cited_sentence": (np.int32, 2),
    "cited_span": (np.int32, 3),
    "corpus": (np.int16, 1),
    "line": (np.int32, 1),
}


@dataclass(frozen=True)
class Citation:
    """A sentence of the corpus and the span of the phrase in it, in code points."""

    corpus: str
    licence: str
    line: int
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Pivot:
    """A foreign phrase that both phrases of a pair translate to.

    probability: p(pivot | source) · p(target | pivot) within its language. source_seen, target_seen: where each phrase
    was seen with the pivot.
    """

    language: str
    phrase: str
    probability: float
    source_seen: Citation | None
    target_seen: Citation | None


@dataclass(frozen=True)
class Evidence:
    """The pivots of all pairs, sorted by source, target, language, probability (descending) and pivot.

    begin: int32[phrases + 1]; the pivots of source phrase i are ``begin[i] … begin[i + 1]``.
    target: int32[pivots], phrase ids. phrase: int32[pivots], into ``phrases``, the foreign phrases by language.
    probability: int64[pivots], in units of 1 / ``unit``.
    citation: int32[pivots], into the next two arrays, −1 for none.
    cited_sentence: int32[citations, 2], of source and target, −1 for none.
    cited_span: int32[citations, 2, 2], code points.
    corpus: int16[sentences], into ``corpora``. line: int32[sentences]. sentences: their texts.
    languages: (name, first of its foreign phrases). corpora: name and licence of each.
    """

    languages: tuple[tuple[str, int], ...]
    corpora: tuple[tuple[str, str], ...]
    unit: float
    begin: NDArray[np.int32]
    target: NDArray[np.int32]
    phrase: NDArray[np.int32]
    probability: NDArray[np.int64]
    citation: NDArray[np.int32]
    cited_sentence: NDArray[np.int32]
    cited_span: NDArray[np.int32]
    corpus: NDArray[np.int16]
    line: NDArray[np.int32]
    phrases: Sequence[str]
    sentences: Sequence[str]

    def pivots(self, source: int, target: int) -> list[Pivot]:
        """The pivots of a pair, by language, the most probable first."""
        first, last = int(self.begin[source]), int(self.begin[source + 1])
        low, high = (
            first + int(np.searchsorted(self.target[first:last], target, side=side))
            for side in ("left", "right")
        )
        return [self._pivot(row) for row in range(low, high)]

    def _pivot(self, row: int) -> Pivot:
        phrase, citation = int(self.phrase[row]), int(self.citation[row])
        return Pivot(
            [name for name, first in self.languages if first <= phrase][-1],
            self.phrases[phrase],
            int(self.probability[row]) / self.unit,
            self._cited(citation, 0) if citation >= 0 else None,
            self._cited(citation, 1) if citation >= 0 else None,
        )

    def _cited(self, citation: int, side: int) -> Citation | None:
        sentence = int(self.cited_sentence[citation, side])
        if sentence < 0:
            return None
        start, end = self.cited_span[citation, side].tolist()
        name, licence = self.corpora[int(self.corpus[sentence])]
        return Citation(name, licence, int(self.line[sentence]), self.sentences[sentence], start, end)

    @classmethod
    def load(cls, model: Path) -> Evidence | None:
        """Map ``evidence/`` of a model folder into memory; None if the model has none."""
        folder = model / EVIDENCE
        if not folder.is_dir():
            return None
        try:
            names = parse_json((folder / _NAMES).read_text(encoding="utf-8"))
            languages = tuple((str(name), int(first)) for name, first in names["languages"])
            corpora = tuple((str(name), str(licence)) for name, licence in names["corpora"])
            unit = float(names["unit"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"expected languages, corpora and a unit: {error}",
                where=folder / _NAMES,
                remedy="the folder is damaged: copy it again, or train the model again",
            ) from error
        arrays = {
            name: load_array(folder / f"{name}.npy", dtype, dimensions=dimensions)
            for name, (dtype, dimensions) in _ARRAYS.items()
        }
        phrases, sentences = (load_strings(folder, name) for name in ("phrases", "sentences"))
        check_bounds(folder / "begin.npy", arrays["begin"], len(arrays["target"]))
        for name, low, high in (
            ("target", 0, len(arrays["begin"]) - 1),
            ("phrase", languages[0][1] if languages else 0, len(phrases)),
            ("probability", 0, np.inf),
            ("citation", -1, len(arrays["cited_sentence"])),
            ("cited_sentence", -1, len(sentences)),
            ("cited_span", 0, np.inf),
            ("corpus", 0, len(corpora)),
        ):
            check_range(folder / f"{name}.npy", arrays[name], low, high)
        return cls(languages, corpora, unit, **arrays, phrases=phrases, sentences=sentences)


class EvidenceWriter:
    """Writes ``evidence/`` into a model folder piece by piece, so that it is never all in memory.

    ``add`` takes rows of the arrays of :class:`Evidence` by name, in their order, except ``begin``.
    """

    def __init__(self, model: Path) -> None:
        self.folder = model / EVIDENCE
        self.folder.mkdir()
        with ExitStack() as opened:
            self._arrays = {
                name: opened.enter_context(
                    ArrayWriter(self.folder / f"{name}.npy", dtype, (2,) * (dimensions - 1))
                )
                for name, (dtype, dimensions) in _ARRAYS.items()
                if name != "begin"
            }
            self.phrases = opened.enter_context(StringsWriter(self.folder, "phrases"))
            self.sentences = opened.enter_context(StringsWriter(self.folder, "sentences"))
            self._opened = opened.pop_all()

    def __enter__(self) -> EvidenceWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Write some rows more of some arrays."""
        for name, values in columns.items():
            self._arrays[name].add(values)

    def describe(
        self,
        begin: NDArray[np.int64],
        languages: Sequence[tuple[str, int]],
        corpora: Sequence[tuple[str, str]],
        unit: float,
    ) -> None:
        """Write what is known at the end."""
        save_array(self.folder / "begin.npy", begin.astype(_ARRAYS["begin"][0]))
        names = {"languages": languages, "corpora": corpora, "unit": unit}
        text = json.dumps(names, indent=1, ensure_ascii=False) + "\n"
        (self.folder / _NAMES).write_text(text, encoding="utf-8")
