"""The model's score of given rewrites, for comparison with human scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode import DecodeBatch, Edges
from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Interval
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.ranking import resample, spearman
from paraphrast.formats.files import read_lines
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.prepared import Prepared


@dataclass(frozen=True)
class RewriteScore:
    """The score of a given rewrite of a text.

    score: relative to the unchanged text. edits: substitutions on the best path. unexplained: number of words that no
    table explains, each at a cost of ``penalty``.
    """

    score: float
    edits: int
    unexplained: int


def score_rewrite(
    model: Paraphraser,
    source: str,
    text: str,
    control: Control | None = None,
    *,
    penalty: float = math.log(1e-4),
) -> RewriteScore:
    """The model's score of a given rewrite: the best path through the lattice that spells it.

    The language model sees the same text on every path, so the best path has the highest sum of edge scores: dynamic
    programming over (source tokens, target tokens). Where tables do not lead from one to the other, a word is dropped,
    or added, at ``penalty``, and counted as unexplained.
    """
    control = control or Control(strength=1.0, vetoes=())
    decoder = model.decoder_of(control)
    before, after = model.prepare(source, control), model.prepare(text, control)
    batch, options = model.batch_of([before]), model.decode_options(control)
    judged = model.judge_edges(batch, control, options)
    edges = judged.edges if judged else decoder.edges(batch, options)
    scores = edges.score + judged.log_odds if judged else edges.score
    arrays = decoder.arrays
    leaving: list[list[tuple[int, tuple[int, ...], float]]] = [[] for _ in before.ids]
    for row in range(len(edges)):
        words = arrays.target_words_of(int(edges.option[row]))
        leaving[int(edges.start[row])].append((int(edges.end[row]), words, float(scores[row])))
    keep = control.log_identity + decoder.weights.word
    rows, columns = len(before.ids), len(after.ids)
    score = np.full((rows + 1, columns + 1), -np.inf)
    counts = np.zeros((rows + 1, columns + 1, 2), dtype=np.int64)  # edits, unexplained
    score[0, 0] = 0.0

    def reach(i: int, j: int, value: float, edits: int, unexplained: int) -> None:
        if value > score[i, j]:
            score[i, j] = value
            counts[i, j] = edits, unexplained

    # Unknown words share one id, so they are compared by their spelling.
    same = [[_same(before, after, i, j) for j in range(columns)] for i in range(rows)]
    for i in range(rows + 1):
        for j in range(columns + 1):
            value = float(score[i, j])
            if value == -np.inf:
                continue
            edits, unexplained = counts[i, j].tolist()
            if j < columns:
                reach(i, j + 1, value + penalty + decoder.weights.word, edits, unexplained + 1)
            if i == rows:
                continue
            reach(i + 1, j, value + penalty, edits, unexplained + 1)
            if j < columns and same[i][j]:
                reach(i + 1, j + 1, value + keep, edits, unexplained)
            for end, words, part in leaving[i]:
                if tuple(after.ids[j : j + len(words)]) == words:
                    reach(end, j + len(words), value + part, edits + 1, unexplained)
    unchanged = rows * keep
    language = decoder.weights.lm * (_log_prob(model, after) - _log_prob(model, before))
    edits, unexplained = counts[rows, columns].tolist()
    return RewriteScore(float(score[rows, columns]) - unchanged + language, edits, unexplained)


def explaining_edges(
    model: Paraphraser, source: str, text: str, control: Control
) -> tuple[DecodeBatch, Edges, list[int]] | None:
    """The substitutions that turn a source into a rewrite, as rows of all edges of the source; None if there are none.

    Of several ways, the one with the fewest substitutions, then the shortest ones.
    """
    before, after = model.prepare(source, control), model.prepare(text, control)
    batch = model.batch_of([before])
    options = replace(model.decode_options(control), min_log_prob=-math.inf, use_categories=False)
    edges = model.decoder.edges(batch, options)
    arrays = model.decoder.arrays
    leaving: list[list[tuple[int, tuple[int, ...], int]]] = [[] for _ in before.ids]
    for row in range(len(edges)):
        words = arrays.target_words_of(int(edges.option[row]))
        leaving[int(edges.start[row])].append((int(edges.end[row]), words, row))
    # The cost and the way to every (source tokens, target tokens); rows of edges come first to last.
    best: dict[tuple[int, int], tuple[tuple[int, int], list[int]]] = {(0, 0): ((0, 0), [])}
    for i in range(len(before.ids)):
        for j in range(len(after.ids) + 1):
            if (i, j) not in best:
                continue
            (count, size), way = best[i, j]
            steps = (
                [(i + 1, j + 1, (count, size), way)]
                if j < len(after.ids) and _same(before, after, i, j)
                else []
            )
            for end, words, row in leaving[i]:
                if tuple(after.ids[j : j + len(words)]) == words:
                    cost = (count + 1, size + end - i + len(words))
                    steps.append((end, j + len(words), cost, [*way, row]))
            for to_i, to_j, cost, rows in steps:
                if (to_i, to_j) not in best or cost < best[to_i, to_j][0]:
                    best[to_i, to_j] = (cost, rows)
    _, way = best.get((len(before.ids), len(after.ids)), ((0, 0), []))
    return (batch, edges, way) if way else None


def _same(before: Prepared, after: Prepared, i: int, j: int) -> bool:
    if before.ids[i] != after.ids[j]:
        return False
    if before.ids[i] > 0 and before.words[i] == after.words[j]:
        return True
    before_analysis, after_analysis = before.analysis, after.analysis
    return (
        before_analysis.text[before_analysis.starts[i] : before_analysis.ends[i]].lower()
        == after_analysis.text[after_analysis.starts[j] : after_analysis.ends[j]].lower()
    )


def _log_prob(model: Paraphraser, item: Prepared) -> float:
    starts = [*item.analysis.sentence_starts, len(item.ids)]
    sentences = [item.ids[left:right] for left, right in pairwise(starts)]
    return model.decoder.log_prob(sentences) if item.ids else 0.0


@dataclass(frozen=True)
class JudgedRewrite:
    """A rewrite with its mean human score."""

    source: str
    text: str
    human: float


@dataclass(frozen=True)
class RewriteCorrelation:
    """Correlation of our score with human scores.

    rewrites, sentences: numbers of each; explained: number of rewrites that tables explain word by word. figures: name
    → correlation and interval, over those (``explained``) and over all, where unexplained words cost.
    """

    rewrites: int
    sentences: int
    explained: int
    figures: dict[str, tuple[float, Interval | None]]

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON; undefined values are null."""
        return {
            "rewrites": self.rewrites,
            "sentences": self.sentences,
            "explained": self.explained,
            **{
                name: {
                    "value": None if math.isnan(value) else value,
                    "interval": interval.to_list() if interval else None,
                }
                for name, (value, interval) in self.figures.items()
            },
        }


def read_rewrites(judgements: str | Path, originals: str | Path, *, limit: int = 0) -> list[JudgedRewrite]:
    """Rewrites with human scores, TSV with a header (``ref_id``, ``candidate``, ``human_score``), and their originals
    (``ref_id``, ``ref_sent``). Scores of one rewrite are averaged. Verbatim copies, and rewrites without a score
    (judged meaningless), are left out.

    limit: only the first ones, up to this number; 0 for all.
    """
    sources = {row["ref_id"]: row["ref_sent"] for row in _table(originals, ("ref_id", "ref_sent"))}
    scores: dict[tuple[str, str], list[float]] = {}
    for row in _table(judgements, ("ref_id", "candidate", "human_score")):
        if row["ref_id"] not in sources:
            raise InputError(f"no original has the id {row['ref_id']!r}", where=judgements)
        source = sources[row["ref_id"]]
        if not row["human_score"].strip():
            continue
        try:
            value = float(row["human_score"])
        except ValueError as error:
            raise InputError(f"expected a number as human_score: {error}", where=judgements) from error
        if row["candidate"] != source:
            scores.setdefault((source, row["candidate"]), []).append(value)
    rewrites = [
        JudgedRewrite(source, text, math.fsum(human_scores) / len(human_scores))
        for (source, text), human_scores in scores.items()
    ]
    return rewrites[:limit] if limit else rewrites


def _table(path: str | Path, columns: Sequence[str]) -> Iterator[dict[str, str]]:
    names: list[str] | None = None
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if names is None:
            names = cells
            missing = [name for name in columns if name not in names]
            if missing:
                raise InputError(f"expected a column {missing[0]!r} in the header", where=path)
        elif line.strip():
            if len(cells) != len(names):
                raise InputError(
                    f"line {number}: expected {len(names)} columns, got {len(cells)}", where=path
                )
            yield dict(zip(names, cells, strict=True))


def correlate_rewrites(
    model: Paraphraser,
    rewrites: Sequence[JudgedRewrite],
    options: BootstrapOptions | None = None,
    control: Control | None = None,
) -> RewriteCorrelation:
    """Spearman of our score with the human score: over rewrites that tables explain, over all, and within sentences
    (the mean over sentences of the correlation among their rewrites, if there are at least three)."""
    if not rewrites:
        raise InputError("expected rewrites with human scores, got none")
    options = options or BootstrapOptions()
    scored = [score_rewrite(model, item.source, item.text, control) for item in rewrites]
    human = np.array([item.human for item in rewrites])
    ours = np.array([item.score for item in scored])
    explained = np.array([item.unexplained == 0 for item in scored])
    names = {source: number for number, source in enumerate(dict.fromkeys(item.source for item in rewrites))}
    group = np.array([names[item.source] for item in rewrites])
    members = [np.flatnonzero(group == number) for number in range(len(names))]
    within = np.array(
        [
            spearman(ours[sentence_rows], human[sentence_rows]) if len(sentence_rows) > 2 else np.nan
            for sentence_rows in members
        ]
    )

    def figures(chosen: NDArray[np.int64]) -> list[float]:
        rows = np.concatenate([members[at] for at in chosen.tolist()])
        explained_rows = rows[explained[rows]]
        inside = within[chosen]
        inside = inside[~np.isnan(inside)]
        return [
            spearman(ours[explained_rows], human[explained_rows]),
            spearman(ours[rows], human[rows]),
            float(inside.mean()) if len(inside) else math.nan,
        ]

    keys = ("spearman_explained", "spearman_all", "spearman_within")
    values = figures(np.arange(len(members)))
    intervals = resample(len(members), figures, options)
    return RewriteCorrelation(
        len(rewrites),
        len(names),
        int(explained.sum()),
        {key: (value, end) for key, value, end in zip(keys, values, intervals, strict=True)},
    )
