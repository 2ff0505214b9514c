"""Word alignment of one language: fit the link weights, and measure them on pairs they were not fitted to.

    python bench/monolingual.py --data FOLDER [--ablate] [--write WEIGHTS.json]

FOLDER (or PARAPHRAST_BENCH_DATA) holds ``alignment-gold/{edinburgh.train,msr-rte2.dev,mt-reference.dev}.json``.
The HMM is trained once on the sentences of all three, without their links. The link weights are fitted twice, on
the even and on the odd pairs, and each half is linked by the weights of the other: so no pair is measured by
weights that saw its links. ``--write`` then fits to all pairs, as the packaged weights are: those of evidence without
context (``--evidence number,spelling,stem,synonyms,vectors``) and those of all of it are files of their own.
``--ablate`` leaves out each kind of evidence in turn. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fitting import fit_links
from paraphrast.align.context import CONTEXT_FEATURES, Context
from paraphrast.align.evidence import Evidence, Resources
from paraphrast.align.evidence_kinds import EVIDENCE, choose
from paraphrast.align.linking import FEATURES, LinkModel
from paraphrast.align.monolingual import MonolingualAligner, MonolingualOptions, train_monolingual
from paraphrast.build.monolingual import find_resources
from paraphrast.evaluate import BootstrapOptions, WordPairs, score_alignment
from paraphrast.formats.alignment_json import AlignedText, read_alignment_json
from paraphrast.types import Links, Sentences, Vocabulary

SETS = ("edinburgh.train", "msr-rte2.dev", "mt-reference.dev")
PASSES = 2
#: A possible link counts this much as a link when weights are fitted.
POSSIBLE = 0.3
#: Sum of log-odds from which a cell is near a link, and how many of the others one of them stands for.
NEAR = -14.0
FAR_SHARE = 7
#: Chance that both words choose each other, by an encoder, from which a cell is near a link too.
NEAR_CHOICE = 0.02


class KeptContext(Context):
    """What an encoder says is computed once: nothing that is fitted here changes it."""

    kept: ClassVar[dict[Any, NDArray[np.float64]]] = {}
    cpu_seconds = 0.0

    def describe(self, pairs: Any, classes: Any, *, threads: int = 1) -> NDArray[np.float64]:
        key = tuple((tuple(one), tuple(two)) for one, two in pairs)
        if key not in self.kept:
            began = time.process_time()
            self.kept[key] = super().describe(pairs, classes, threads=threads)
            KeptContext.cpu_seconds += time.process_time() - began
        return self.kept[key]


class Gold:
    """The three sets as one text, with what each cell is: 1 a sure link, 2 a possible one, 0 none."""

    def __init__(self, folder: Path) -> None:
        self.sets: list[AlignedText] = [read_alignment_json(folder / f"{name}.json") for name in SETS]
        self.source = [row for text in self.sets for row in text.source]
        self.target = [row for text in self.sets for row in text.target]
        self.which = np.repeat(np.arange(len(SETS)), [len(text.source) for text in self.sets])
        counts: dict[str, int] = {}
        for row in [*self.source, *self.target]:
            for word in row:
                counts[word.lower()] = counts.get(word.lower(), 0) + 1
        vocabulary = Vocabulary.from_counts(counts.items())
        self.words = vocabulary.words
        ids = vocabulary.ids
        self.source_sentences = Sentences.from_lists(
            [ids[word.lower()] for word in row] for row in self.source
        )
        self.target_sentences = Sentences.from_lists(
            [ids[word.lower()] for word in row] for row in self.target
        )
        cells = []
        for text in self.sets:
            for pair in range(len(text.source)):
                cell = np.zeros((len(text.target[pair]), len(text.source[pair])), dtype=np.int8)
                for i, j in text.gold.possible.pair(pair):
                    cell[j, i] = 2
                for i, j in text.gold.sure.pair(pair):
                    cell[j, i] = 1
                cells.append(cell.ravel())
        self.pair_of_cell = np.repeat(np.arange(len(cells)), [len(cell) for cell in cells])
        self.cells = np.concatenate(cells)

    def importance(self) -> NDArray[np.float64]:
        """Each set counts as much as the others; a possible link less than a sure one."""
        own = self.which[self.pair_of_cell]
        sure = np.array([max(((self.cells == 1) & (own == k)).sum(), 1) for k in range(len(SETS))])
        weight = sure.mean() / sure
        return np.asarray(np.where(self.cells == 2, POSSIBLE, 1.0) * weight[own])


def fit_passes(
    aligner: MonolingualAligner, gold: Gold, chosen: NDArray[np.bool_]
) -> list[NDArray[np.float64]]:
    """Weights of each pass, from the cells that are chosen."""
    passes: list[NDArray[np.float64]] = []
    importance = gold.importance()
    for _ in range(PASSES):
        features = aligner.features(gold.source_sentences, gold.target_sentences, gold.words, passes)
        # Most cells are far from any link: a seventh of those stand for all of them.
        near = (features[:, 1] > NEAR) | (gold.cells > 0)
        if aligner.context is not None:
            near |= features[:, len(FEATURES) + CONTEXT_FEATURES.index("choice")] > NEAR_CHOICE
        kept = chosen & (near | (np.arange(len(near)) % FAR_SHARE == 0))
        weight = np.where(near, importance, FAR_SHARE * importance)
        passes.append(fit_links(features[kept], (gold.cells[kept] > 0).astype(np.float64), weight[kept]))
    return passes


def cross_validated(aligner: MonolingualAligner, gold: Gold, threshold: float) -> Links:
    """Links of all pairs, each by weights fitted to the other half."""
    odd = gold.pair_of_cell % 2 == 1
    halves = []
    for fitted_to in (odd, ~odd):
        model = LinkModel(np.array(fit_passes(aligner, gold, fitted_to)), threshold)
        halves.append(
            _with_links(aligner, model).align(gold.source_sentences, gold.target_sentences, gold.words)
        )
    return Links.from_lists(halves[pair % 2].pair(pair) for pair in range(len(gold.source)))


def _with_links(aligner: MonolingualAligner, model: LinkModel) -> MonolingualAligner:
    from dataclasses import replace

    return replace(aligner, links=model)


def measured(gold: Gold, links: Links, samples: int = 200) -> dict[str, Any]:
    """The figures of each set."""
    report: dict[str, Any] = {}
    begin = 0
    for name, text in zip(SETS, gold.sets, strict=True):
        end = begin + len(text.source)
        own = Links.from_lists(links.pair(pair) for pair in range(begin, end))
        score: dict[str, Any] = score_alignment(
            own, text.gold, WordPairs.from_tokens(text.source, text.target), BootstrapOptions(samples=samples)
        ).to_dict()
        report[name] = {key: score[key] for key in ("f1", "aer", "precision", "recall")} | {
            part: {key: score[part][key] for key in ("f1", "precision", "recall")}
            for part in ("identical", "non_identical")
        }
        if samples:
            report[name]["intervals"] = score["intervals"]
        begin = end
    return report


def _choose(names: Sequence[str], resources: Resources) -> list[Evidence]:
    pieces = choose(names, resources)
    return [KeptContext(resources) if isinstance(piece, Context) else piece for piece in pieces]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench/monolingual.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--ablate", action="store_true", help="leave out each kind of evidence in turn")
    parser.add_argument("--trials", help="of those, only the ones of these names, by comma")
    parser.add_argument("--write", help="fit to all pairs and write the weights here")
    parser.add_argument("--threshold", type=float, default=0.48)
    parser.add_argument("--strength", type=float, default=MonolingualOptions().strength)
    parser.add_argument("--iterations", type=int, default=MonolingualOptions().iterations)
    parser.add_argument("--evidence", default=",".join(EVIDENCE))
    asked = parser.parse_args(arguments)
    if not asked.data:
        parser.error("--data FOLDER, or PARAPHRAST_BENCH_DATA")
    gold = Gold(Path(asked.data) / "alignment-gold")
    options = MonolingualOptions(strength=asked.strength, iterations=asked.iterations)
    names = [name for name in asked.evidence.split(",") if name]
    resources = find_resources("en", context="context" in names)
    trials: dict[str, list[str]] = {"all evidence": names}
    if asked.ablate:
        trials |= {f"without {name}": [other for other in names if other != name] for name in names}
        trials["without lexicons"] = [name for name in names if name not in ("synonyms", "vectors")]
        trials["none but context"] = [name for name in names if name == "context"]
        trials["none"] = []
    if asked.trials:
        trials = {name: trials[name] for name in asked.trials.split(",")}
    plain = LinkModel(np.zeros((PASSES, len(FEATURES))), asked.threshold)
    report: dict[str, Any] = {"resources": list(resources.names), "trials": {}}
    for trial, chosen in trials.items():
        began = time.process_time()
        aligner = train_monolingual(
            gold.source_sentences,
            gold.target_sentences,
            gold.words,
            _choose(chosen, resources),
            options,
            links=plain,
        )
        trained = time.process_time() - began
        links = cross_validated(aligner, gold, asked.threshold)
        report["trials"][trial] = measured(gold, links, 200 if trial == "all evidence" else 0) | {
            "train_cpu_seconds": round(trained, 1)
        }
        brief = {name: report["trials"][trial][name] for name in SETS}
        print(trial, {k: (round(v["f1"], 3), round(v["aer"], 3)) for k, v in brief.items()}, file=sys.stderr)
        if trial == "all evidence" and asked.write:
            everything = np.ones(len(gold.cells), dtype=bool)
            LinkModel(np.array(fit_passes(aligner, gold, everything)), asked.threshold).save(asked.write)
    report["context_cpu_seconds"] = round(KeptContext.cpu_seconds, 1)
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
