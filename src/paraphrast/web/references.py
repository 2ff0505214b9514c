"""Outputs compared with a reference and with its paraphrases: scores, and which words match through which edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from paraphrast.formats.mt import MtOutput, MtSegment
from paraphrast.references.lattices import Reference
from paraphrast.references.options import ScoreOptions
from paraphrast.references.scoring import score_cells
from paraphrast.references.words import place_words, split_words
from paraphrast.study.mt import prepare
from paraphrast.study.options import Origins

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser


def compare(model: Paraphraser, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Each output of each segment with its closest paraphrased reference (Owczarzak et al. 2006)."""
    segments = [
        MtSegment(
            str(number),
            segment["source"],
            (segment["reference"],),
            {str(place): MtOutput(text, None) for place, text in enumerate(segment["outputs"])},
        )
        for number, segment in enumerate(payload["segments"])
    ]
    origins = Origins(
        bitext=payload["bitext"],
        model=str(model.path),
        inflections=payload["inflections"],
        threshold=payload["threshold"],
        source_language=payload["source_language"],
        target_language=model.language.code,
    )
    setup = prepare(segments, origins, check=False)
    options = ScoreOptions()
    metric = setup.metric(payload["metric"])
    single = score_cells(metric, "single", setup.lattices, setup.cells, options)
    scored = score_cells(metric, "lattice", setup.lattices, setup.cells, options)
    rows = []
    for number, cell in enumerate(setup.cells):
        paths = (scored.used or [])[number]
        closest = max(paths, key=lambda path: len(path.edits))
        reference = setup.segments[cell.segment].references[0]
        rows.append(
            {
                "segment": cell.segment,
                "output": cell.text,
                "reference": reference,
                "closest": _named(closest.to_dict(), model.path.name),
                "words": matched_words(cell.text, reference, closest),
                "score": float(single.scores[number]),
                "score_with_paraphrases": float(scored.scores[number]),
            }
        )
    return {
        "outputs": rows,
        "substitutions": sum(len(lattice.edits()) for lattices in setup.lattices for lattice in lattices),
        "from": list(setup.found.names),
        "metric": payload["metric"],
        "signature": setup.signature(metric, "lattice", scored, options),
    }


def _named(reference: dict[str, Any], folder: str) -> dict[str, Any]:
    """The reference with the model called so in its edits, instead of by its folder."""
    for edit in reference["edits"]:
        edit["tables"] = ["model" if table == folder else table for table in edit["tables"]]
    return reference


def matched_words(output: str, reference: str, closest: Reference) -> list[dict[str, Any]]:
    """The words of an output: in the reference (``same``), only in its paraphrase (``paraphrase``), or in neither.

    Each word counts as often as the references have it. ``edit``: the substitution of ``closest`` that has the word.
    """
    left, more = Counter(split_words(reference)), Counter(split_words(closest.text))
    edits = [(set(split_words(edit.after)), number) for number, edit in enumerate(closest.edits)]
    placed = place_words(output)
    words = []
    for word, start, end in zip(placed.words, placed.starts, placed.ends, strict=True):
        kind = "same" if left[word] > 0 else "paraphrase" if more[word] > 0 else "other"
        left[word] -= 1
        more[word] -= 1
        through = next((number for after, number in edits if word in after), None)
        words.append(
            {"start": start, "end": end, "kind": kind, "edit": through if kind == "paraphrase" else None}
        )
    return words
