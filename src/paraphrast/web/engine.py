"""What a worker process does: one function per operation, plain values in, plain values out.

Nothing here opens a file that a request names: models, tables and lexicons are those the service was started with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from paraphrast._jit import compiled_at_once
from paraphrast.errors import InputError
from paraphrast.model.paraphraser import make_control

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser
    from paraphrast.web.thesaurus import AlignResources

Payload = Mapping[str, Any]
#: Edits of a lattice that are drawn at most.
MAX_EDGES = 200
#: Characters of the text that stand above its picture.
MAX_TITLE = 500
#: Rewritten before the first request, to load or compile kernels.
WARMING = ("The committee will examine the proposal tomorrow, if it is ready.", "He began to speak.") * 8


@dataclass(frozen=True)
class Setup:
    """What a worker needs to know. compiled: load or compile all kernels at the start, before the first request."""

    model: str = "default"
    precise: bool = False
    compiled: bool = True


class Engine:
    """The loaded model, and what is loaded beside it when it is first asked for."""

    def __init__(self, setup: Setup) -> None:
        from paraphrast.model import load

        self.setup = setup
        self.model: Paraphraser = load(setup.model)
        if setup.compiled:
            with compiled_at_once():
                list(self.model.paraphrase_many(WARMING, threads=1, n=2))
                self.align_resources.align([WARMING[0]], [WARMING[1]])
        if setup.precise:
            self.model.precise_road(1)

    @cached_property
    def align_resources(self) -> AlignResources:
        """The lexicons that alignment within a language uses, as far as this machine has them."""
        from paraphrast.web.thesaurus import AlignResources

        return AlignResources.load(self.model.language.code)

    def run(self, operation: str, payload: Payload) -> Any:
        """The result of an operation by its name."""
        return OPERATIONS[operation](self, payload)


def paraphrase(engine: Engine, payload: Payload) -> list[list[dict[str, Any]]]:
    """The paraphrases of each of ``texts``."""
    control = make_control(None, payload["options"])
    results = engine.model.paraphrase_many(payload["texts"], control, threads=1)
    return [[result.to_dict() for result in of_text] for of_text in results]


def alternatives(engine: Engine, payload: Payload) -> list[dict[str, Any]]:
    """What else one span of a text could become, most probable first: edits that change nothing outside the span."""
    text, start, end = payload["text"], payload["start"], payload["end"]
    if not 0 <= start < end <= len(text):
        raise InputError(f"expected a span within 0 and {len(text)}, got {start}:{end}")
    options: Any = {**payload["options"], "n": payload["n"], "max_edits": 1, "sure": 0.0, "strength": 0.5}
    kept = [(0, start), (end, len(text))]
    options["protect"] = [*options.get("protect", ()), *(span for span in kept if span[0] < span[1])]
    for name in ("must_use", "avoid", "precise"):
        options.pop(name, None)
    results = engine.model.paraphrase(text, make_control(None, options))
    edits = [result.edits[0] for result in results if result.edits]
    return [edit.to_dict() for edit in sorted(edits, key=lambda edit: -edit.probability)]


def explain(engine: Engine, payload: Payload) -> dict[str, Any]:
    """The evidence for a substitution; without a paraphrase, all that the tables know of the phrase."""
    from paraphrast.model.explain import explain, paraphrases_of

    phrase, target = payload["phrase"], payload.get("paraphrase")
    if target is None:
        known = paraphrases_of(engine.model, phrase, payload.get("n", 20))
        return {
            "phrase": phrase,
            "paraphrases": [{"paraphrase": text, "probability": value} for text, value in known],
        }
    return explain(engine.model, phrase, target).to_dict()


def lattice(engine: Engine, payload: Payload) -> dict[str, Any]:
    """All that a text could become, as a picture and as a list of edits."""
    from paraphrast.draw.lattice import draw_lattice
    from paraphrast.types.lattice import KEPT

    full = engine.model.lattice(payload["text"], make_control(None, payload["options"]))
    count = min(payload["edges"], MAX_EDGES)
    shown = full.top(count, by="probability")
    words = {edge.tail: " ".join(edge.words) for edge in shown.edges() if edge.kind == KEPT}
    edges = [
        {
            "start": edge.tail,
            "end": edge.head,
            "before": " ".join(words.get(place, "") for place in range(edge.tail, edge.head)),
            "after": " ".join(edge.words),
            "probability": None if math.isnan(edge.probability) else edge.probability,
            "tables": edge.name.split("+") if edge.name else [],
        }
        for edge in shown.edges()
        if edge.kind != KEPT
    ]
    return {
        "svg": draw_lattice(full, edges=count, title=payload["text"][:MAX_TITLE]),
        "edges": edges,
        "paths": str(full.path_count()),
        "total": int((full.kind != KEPT).sum()),
    }


def fuse(engine: Engine, payload: Payload) -> dict[str, Any]:
    """New sentences from reports of one event."""
    from paraphrast.draw.automaton import draw_automaton
    from paraphrast.fusion.sentences import fuse

    fusion = fuse(
        payload["sentences"],
        payload["n"],
        version=payload["version"],
        language=engine.model.language.code,
        lm=str(engine.model.path),
        seed=payload["seed"],
    )
    result = fusion.to_dict()
    result["automaton"]["paths"] = str(result["automaton"]["paths"])
    if payload.get("draw"):
        result["svg"] = draw_automaton(
            fusion.lattice, title=f"Automaton of {len(payload['sentences'])} reports"
        )
    return result


def align(engine: Engine, payload: Payload) -> list[dict[str, Any]]:
    """The words of pairs of texts of the model's language, and the links between them, each with its probability."""
    sources = [pair[0] for pair in payload["pairs"]]
    targets = [pair[1] for pair in payload["pairs"]]
    return engine.align_resources.align(sources, targets)


def identify(engine: Engine, payload: Payload) -> list[float]:
    """The probability that each pair of sentences are paraphrases."""
    from paraphrast.acquire import default_classifier, pair_features

    first = [pair[0] for pair in payload["pairs"]]
    second = [pair[1] for pair in payload["pairs"]]
    features = pair_features(first, second, language=engine.model.language.code)
    return [float(value) for value in default_classifier().probability(features).tolist()]


def references(engine: Engine, payload: Payload) -> dict[str, Any]:
    """Scores of outputs with the reference and with its paraphrases, and which words match through which."""
    from paraphrast.web.references import compare

    return compare(engine.model, payload)


def describe(engine: Engine, payload: Payload) -> dict[str, Any]:
    """What the model is made of, and its measured quality."""
    from paraphrast.model.quality import quality_of

    quality = quality_of(engine.model, is_embedded=engine.setup.model == "default")
    manifest = engine.model.manifest
    sources: Sequence[Mapping[str, Any]] = manifest.get("sources", ())
    licences = sorted({str(source.get("licence", "unknown")) for source in sources})
    return {
        "name": engine.setup.model
        if engine.setup.model in ("default", "registry")
        else engine.model.path.name,
        "language": engine.model.language.code,
        "pivots": list(manifest.get("pivots", ())),
        "signature": engine.model.signature,
        "version": manifest["paraphrast"],
        "format_version": manifest["format_version"],
        "tables": [
            {"name": name, "rows": table["rows"], "signature": table["signature"]}
            for name, table in manifest["tables"].items()
        ],
        "sources": [
            {"name": str(source["name"]), "licence": str(source.get("licence", "unknown"))}
            for source in sources
        ],
        "licences": licences,
        "quality": [figure.to_dict() for figure in quality],
        "words": len(engine.model.vocabulary),
        "ranks_by_probability": engine.model.substitution is not None,
        "precise": engine.setup.precise,
    }


OPERATIONS: dict[str, Callable[[Engine, Payload], Any]] = {
    "paraphrase": paraphrase,
    "alternatives": alternatives,
    "explain": explain,
    "lattice": lattice,
    "fuse": fuse,
    "align": align,
    "identify": identify,
    "references": references,
    "describe": describe,
}
