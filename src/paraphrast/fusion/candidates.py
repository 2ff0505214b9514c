"""Checks and scores the candidates of a cluster: by their parse, by a causal language model, and by small flaws."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from paraphrast.errors import InputError
from paraphrast.fusion.reading import fluency
from paraphrast.msa.checks import COPY, SHORTENED, novelty
from paraphrast.msa.cluster import Cluster
from paraphrast.msa.finish import FINAL, Edit, apply_edits, ends_are_marked, find_edits, possible_auxiliaries
from paraphrast.msa.flaws import find_flaws, habits_of
from paraphrast.msa.generate import Fused
from paraphrast.msa.graph import WordGraph
from paraphrast.msa.proxies import fidelity, parse_agreement
from paraphrast.msa.rank import LmView, RankOptions
from paraphrast.msa.tag_joins import has_finite_verb
from paraphrast.msa.wellformed import disagrees, has_finite_root, judge_tree, known_arcs
from paraphrast.read import LanguageModel
from paraphrast.text.syntax.parser import Dependencies, Parser, SpacyParser

log = logging.getLogger(__name__)

#: Maximum loss in log-probability by an auxiliary before a participle, and before a phrase of location.
_LOSS_OF_PARTICIPLE, _LOSS_OF_PHRASE = 8.0, 4.0


def well_formed(
    candidates: Sequence[Fused],
    cluster: Cluster,
    parser: Parser | None,
    graph: WordGraph,
    settings: RankOptions,
    lm: LmView | None = None,
    reader: LanguageModel | None = None,
) -> tuple[list[Fused], Counter[str]]:
    """The well-formed candidates, as far as can be checked, completed, with scores lowered where the parse differs.

    lm: says which words seem misspelt or lack a determiner. reader: chooses where an auxiliary is put, if several
    places are possible.
    """
    closed = ends_are_marked(cluster)
    scored = []
    for sentence in candidates:
        parts = {**sentence.parts, "content": fidelity(sentence.words, cluster)}
        score = sentence.score - settings.content * (1 - parts["content"])
        if closed and sentence.words[-1] not in FINAL:
            score -= settings.headline
        scored.append(replace(sentence, score=score, parts=parts))
    if cluster.tags is not None:
        return _with_verbs(scored, cluster)
    if not scored or parser is None:
        return scored, Counter()
    if cluster.trees is None or not isinstance(parser, SpacyParser):
        return _agreeing(scored, graph, cluster, parser, settings), Counter()
    known = known_arcs(cluster.trees)
    place = {number: row for row, same in enumerate(cluster.same) for number in same}
    sound: list[tuple[Fused, Dependencies]] = []
    faults: Counter[str] = Counter()
    for sentence, tree in zip(scored, _parsed(scored, parser), strict=True):
        sources = {place[span.sentences[0]] for span in sentence.spans}
        trees = [cluster.trees[row] for row in sorted(sources)]
        verdict = judge_tree(
            tree,
            known,
            trees,
            exclusive=cluster.language.exclusive,
            same_kind=cluster.language.same_kind,
            verbless=bool(possible_auxiliaries(tree, cluster)),
        )
        if not verdict.sound:
            log.debug("%s: %s", verdict.fault, sentence.text)
            faults["not well formed"] += 1
            continue
        parts = {**sentence.parts, "parse": verdict.agreement}
        score = sentence.score - settings.parse * (1 - verdict.agreement)
        sound.append((replace(sentence, score=score, parts=parts), tree))
    habits = habits_of(cluster, lm.misspelt, lm.bare) if lm is not None else habits_of(cluster)
    flawed = []
    finite = any(map(has_finite_root, cluster.trees))
    for sentence, tree in _completed(sound, cluster, parser, reader):
        if novelty(sentence.words, cluster) == COPY:
            faults["a copy"] += 1
            continue
        if finite and not has_finite_root(tree):
            faults["not well formed"] += 1
            continue
        flaws = find_flaws(sentence, tree, habits)
        log.debug("%s: %s", flaws, sentence.text)
        parts = {**sentence.parts, "flaws": float(len(flaws))}
        flawed.append(replace(sentence, score=sentence.score - settings.flaw * len(flaws), parts=parts))
    return flawed, faults


def _parsed(sentences: Sequence[Fused], parser: SpacyParser) -> list[Dependencies]:
    rows = [
        (word[:1].upper() + word[1:], *rest) for word, *rest in (sentence.words for sentence in sentences)
    ]
    return parser.dependencies(rows) if rows else []


def _completed(
    pairs: Sequence[tuple[Fused, Dependencies]],
    cluster: Cluster,
    parser: SpacyParser,
    reader: LanguageModel | None,
) -> list[tuple[Fused, Dependencies]]:
    """The sentences with the edits of :mod:`paraphrast.msa.finish`, parsed again where a word was added.

    An auxiliary after which the parser finds no main clause is left out again.
    """
    edits: list[list[Edit]] = [
        find_edits(tree, cluster, _auxiliary(sentence, tree, cluster, reader)) for sentence, tree in pairs
    ]
    edited = [place for place, found in enumerate(edits) if found]
    made = [apply_edits(pairs[place][0], edits[place], cluster) for place in edited]
    completed = list(pairs)
    again = []
    for place, sentence, tree in zip(edited, made, _parsed(made, parser), strict=True):
        if has_finite_root(pairs[place][1]) or (has_finite_root(tree) and not disagrees(tree)):
            completed[place] = sentence, tree
        else:
            again.append(place)
    kept = [[edit for edit in edits[place] if edit.word not in cluster.language.copulas] for place in again]
    made = [apply_edits(pairs[place][0], found, cluster) for place, found in zip(again, kept, strict=True)]
    for place, sentence, tree in zip(again, made, _parsed(made, parser), strict=True):
        completed[place] = sentence, tree
    return completed


def _auxiliary(
    sentence: Fused, tree: Dependencies, cluster: Cluster, reader: LanguageModel | None
) -> Edit | None:
    """The auxiliary that a sentence lacks, where the reading model finds it most likely; none if that is much less
    likely than the sentence without one. Without a model, where the parse asks for it."""
    possible = possible_auxiliaries(tree, cluster)
    if not possible or reader is None:
        return possible[0] if possible else None
    texts = [
        apply_edits(sentence, find_edits(tree, cluster, edit), cluster).text for edit in (None, *possible)
    ]
    without, *totals = [sum(scores.log_probs) for scores in reader.score(texts)]
    best = possible[totals.index(max(totals))]
    participle = tree.tags[best.begin].startswith("VB") or tree.tags[best.begin].startswith("RB")
    return best if max(totals) >= without - (_LOSS_OF_PARTICIPLE if participle else _LOSS_OF_PHRASE) else None


def _agreeing(
    candidates: Sequence[Fused], graph: WordGraph, cluster: Cluster, parser: Parser, settings: RankOptions
) -> list[Fused]:
    """The candidates, scored by how far a parser without dependencies parses them like their sources."""
    # Given trees are those of the input sentences: new sentences cannot be parsed.
    if parser.name == "penn" or cluster.syntax is None or settings.parse <= 0:
        return list(candidates)
    return [
        replace(
            sentence,
            score=sentence.score - settings.parse * (1 - share),
            parts={**sentence.parts, "parse": share},
        )
        for sentence, share in zip(
            candidates, reading_agreement(candidates, graph, cluster, parser), strict=True
        )
    ]


def _with_verbs(candidates: Sequence[Fused], cluster: Cluster) -> tuple[list[Fused], Counter[str]]:
    """The candidates with a finite verb, and those whose sources have none."""
    place = {number: row for row, same in enumerate(cluster.same) for number in same}
    tag = {
        word: word_tag
        for row, tags in zip(cluster.words, cluster.tags or (), strict=True)
        for word, word_tag in zip(row, tags, strict=True)
    }
    sound, faults = [], Counter[str]()
    for sentence in candidates:
        rows = {place[span.sentences[0]] for span in sentence.spans}
        verbal = any(has_finite_verb((cluster.tags or ())[row]) for row in rows)
        if verbal and not has_finite_verb([tag[word] for word in sentence.words]):
            faults["not well formed"] += 1
        else:
            sound.append(sentence)
    return sound, faults


def read_candidates(
    candidates: Sequence[Fused], cluster: Cluster, reader: LanguageModel, settings: RankOptions
) -> tuple[list[Fused], Counter[str]]:
    """The candidates that are about as likely as their sources for a language model."""
    sound, faults = [], Counter[str]()
    for sentence, (mean, worst) in zip(candidates, fluency(candidates, cluster, reader), strict=True):
        parts = {**sentence.parts, "fluency": mean, "loss": worst}
        gain = settings.reader * mean + settings.joint * worst
        trust = (
            gain - settings.content * (1 - parts["content"]) - settings.parse * (1 - parts.get("parse", 1.0))
        )
        rough = "spliced" in parts and gain < settings.least_spliced
        if rough or trust < (settings.least_shortened if sentence.kind == SHORTENED else settings.least):
            faults["not fluent"] += 1
            continue
        sound.append(replace(sentence, score=sentence.score + gain, parts=parts))
    return sound, faults


#: Weights of :func:`quality`, fitted by logistic regression to 194 sentences that two blind raters marked.
_QUALITY = {"": 0.0, "lm": 0.65, "content": 2.0, "lexical": -0.55, "shortened": -0.4, "flaws": -3.2}


def quality(sentence: Fused, lm: LmView, lexical: bool) -> float:
    """The estimated probability that a rater finds nothing wrong with a sentence.

    lexical: whether the version that aligned its sources ignores syntax.
    """
    parts = sentence.parts
    logit = (
        _QUALITY[""]
        + _QUALITY["lm"] * (parts.get("lm", lm.mean) - lm.mean)
        + _QUALITY["content"] * parts.get("content", 1.0)
        + _QUALITY["lexical"] * lexical
        + _QUALITY["shortened"] * (sentence.kind == SHORTENED)
        + _QUALITY["flaws"] * parts.get("flaws", 0.0)
    )
    return 1 / (1 + math.exp(-logit))


def reading_agreement(
    made: Sequence[Fused], graph: WordGraph, cluster: Cluster, parser: Parser
) -> list[float]:
    """How far a parser parses new sentences like their sources (:func:`paraphrast.msa.proxies.parse_agreement`)."""
    if cluster.syntax is None:
        raise InputError("expected a parsed cluster")
    place = [{node: at for at, node in enumerate(path)} for path in graph.paths]
    rows = [(word[:1].upper() + word[1:], *rest) for word, *rest in (sentence.words for sentence in made)]
    shares = []
    for sentence, parsed in zip(made, parser.parse(rows), strict=True):
        nodes = graph.nodes_of(sentence.words) or ()
        sources = [
            [cluster.syntax[number][place[number][node]] for number in graph.sentences[node]]
            for node in nodes
        ]
        shares.append(parse_agreement(parsed, sources))
    return shares
