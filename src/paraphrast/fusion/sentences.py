"""Fuses a cluster of sentences: tokenises, parses and aligns them, and ranks the new sentences."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from typing import Any

from paraphrast.errors import InputError
from paraphrast.fusion.articles import article_gains
from paraphrast.fusion.candidates import quality, read_candidates, well_formed
from paraphrast.fusion.reading import find_reader
from paraphrast.fusion.resources import WordModel, find_tagger, language_model, syntax_of
from paraphrast.msa.align import Alignment, align_cluster
from paraphrast.msa.automaton import Automaton, automaton_of
from paraphrast.msa.checks import CLOSE, NEW, SHORTENED, unknown_slips
from paraphrast.msa.cluster import Cluster, make_cluster, raw_tokens
from paraphrast.msa.conflicts import Conflict, Facts, facts_of, find_conflicts
from paraphrast.msa.generate import DRAWN, Fused, fused_of, novel_paths
from paraphrast.msa.graph import WordGraph, word_graph
from paraphrast.msa.match import MatchOptions, Version, get_version
from paraphrast.msa.rank import LmView, RankOptions, candidate_sentences, choose_distinct, lm_scores
from paraphrast.read import LanguageModel
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.parser import Parser, SpacyParser
from paraphrast.text.syntax.tag import Tagger
from paraphrast.types import SPECIALS, Lattice, Sentences

log = logging.getLogger(__name__)

#: The version that tries V4, then V5, then V2, until one gives a well-formed new sentence.
AUTO = "auto"
_AUTO_VERSIONS = ("V4", "V5", "V2")


@dataclass(frozen=True, eq=False)
class Fusion:
    """The result of fusing a cluster.

    sentences: new sentences, best first. version: the version that aligned them, which may be a fallback.
    automaton, graph, cluster, alignment: intermediate results. conflicts: where the sentences contradict each other.
    copies: the share of originals among the random paths; 0 if paths are ranked.
    notes: what differs from the request.
    """

    sentences: tuple[Fused, ...]
    version: str
    cluster: Cluster = field(repr=False)
    alignment: Alignment = field(repr=False)
    graph: WordGraph = field(repr=False)
    automaton: Automaton = field(repr=False)
    facts: Facts = field(repr=False)
    conflicts: tuple[Conflict, ...] = field(repr=False)
    copies: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def lattice(self) -> Lattice:
        """The automaton as a lattice, for drawing and writing."""
        return self.automaton.lattice

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; the input sentences are numbered from 0."""
        return {
            "version": self.version,
            "automaton": {
                "states": self.automaton.states,
                "edges": self.automaton.edges,
                "paths": self.lattice.path_count(),
                "deterministic": self.automaton.deterministic,
            },
            "sentences": [sentence.to_dict() for sentence in self.sentences],
            "conflicts": [conflict.to_dict(self.cluster) for conflict in self.conflicts],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Prepared:
    """A cluster that any version can align: tokenised, and parsed if there is a parser."""

    cluster: Cluster
    parser: Parser | None = None
    notes: tuple[str, ...] = ()


def prepare(
    sentences: Sequence[str],
    *,
    language: str = "en",
    parser: Parser | None = None,
    tagger: Tagger | None = None,
    pretokenized: bool = False,
) -> Prepared:
    """Tokenise and, with a parser, parse a cluster; without one, tag it. ``&apos;`` and the like are resolved."""
    record = get_language(language)
    if not isinstance(sentences, str):
        sentences = [unescape(sentence) if "&" in sentence else sentence for sentence in sentences]
    cluster = make_cluster(sentences, record, pretokenized=pretokenized)
    notes = []
    missing = len(sentences) - sum(len(same) for same in cluster.same)
    if missing:
        notes.append(f"{missing} empty sentences left out")
    doubled = sum(len(same) - 1 for same in cluster.same)
    if doubled:
        notes.append(f"{doubled} sentences are the same as an earlier one")
    if len(cluster) == 1:
        notes.append("one sentence only: there is nothing to align it with")
    if parser is None:
        if tagger is not None and language == "en":
            cluster = replace(cluster, tags=tuple(tuple(tagger.tag_words(row)) for row in cluster.words))
        return Prepared(cluster, None, tuple(notes))
    tokens = raw_tokens(sentences, record, pretokenized=pretokenized)
    if isinstance(parser, SpacyParser):
        return Prepared(cluster.with_syntax(*parser.parse_with_dependencies(tokens)), parser, tuple(notes))
    return Prepared(cluster.with_syntax(parser.parse(tokens)), parser, tuple(notes))


def fuse(
    sentences: Sequence[str],
    n: int = 10,
    *,
    version: str = AUTO,
    language: str = "en",
    method: str = "ranked",
    lm: str | Path | WordModel | None = None,
    parser: Parser | str | Path | None = None,
    match: MatchOptions | None = None,
    rank: RankOptions | None = None,
    drawn: int = DRAWN,
    seed: int = 0,
    pretokenized: bool = False,
) -> Fusion:
    """New sentences from comparable ones (Shen and others 2006), each span with the sentences it came from.

    version: V1 to V5, or ``auto``: V4, then V5, then V2, until one gives a well-formed new sentence. V4 and V5 need a
        parser; without one, the lexical version with the same tokens is used instead (V3 for V4), with a warning.
    method: ``ranked`` (language model, agreement, no contradiction, no repetition) or ``random`` (as in the paper).
    lm: a model (folder, packed file, ``default`` or ``registry``), a folder of ``paraphrast lm``, an ARPA file, or
        ``(vocabulary, arrays)``; by default the default model if it has this language, else a small model
        of the cluster.
    parser: a parser of ``text.syntax``, or the name or folder of a spaCy pipeline; by default any pipeline that is
        installed or was fetched.
    """
    if n < 1:
        raise InputError(f"expected a number of sentences of at least 1, got {n}")
    if method not in ("ranked", "random"):
        raise InputError(f"expected method ranked or random, got {method!r}")
    wanted = versions_of(version)
    ranked = method == "ranked"
    chosen_parser = syntax_of(parser, language) if ranked or wanted[0].syntactic else None
    tagger = find_tagger(lm, language) if ranked and chosen_parser is None else None
    model = language_model(lm, language) if ranked else None
    prepared = prepare(
        sentences, language=language, parser=chosen_parser, tagger=tagger, pretokenized=pretokenized
    )
    return fuse_prepared(
        prepared, n, version=wanted, method=method, lm=model, match=match, rank=rank, drawn=drawn, seed=seed
    )


def versions_of(name: str) -> tuple[Version, ...]:
    """The versions to try for a name, in order."""
    return tuple(get_version(version_name) for version_name in (_AUTO_VERSIONS if name == AUTO else (name,)))


def fuse_prepared(
    prepared: Prepared,
    n: int = 10,
    *,
    version: Version | Sequence[Version],
    method: str = "ranked",
    lm: WordModel | None = None,
    match: MatchOptions | None = None,
    rank: RankOptions | None = None,
    drawn: int = DRAWN,
    seed: int = 0,
) -> Fusion:
    """As :func:`fuse`, for a prepared cluster.

    version: if it means several, the result of the first that gives a new sentence without a small flaw of sure
    quality, else the best; if there is none, a shortened sentence (:mod:`paraphrast.msa.shorten`). With dependencies,
    constituents are exchanged (:mod:`paraphrast.msa.splices`) after V4 and V5, and the version without syntax is tried
    only if there is no sentence without a flaw. Without dependencies and tags, which are needed to check sentences,
    only the first is tried.
    """
    versions = (version,) if isinstance(version, Version) else tuple(version)
    if method == "random" or (prepared.cluster.trees is None and prepared.cluster.tags is None):
        versions = versions[:1]
    view = lm_view(prepared.cluster, lm) if method == "ranked" and len(prepared.cluster) > 1 else None
    reader = find_reader(prepared.cluster.language.code) if view is not None else None
    if view is not None and reader is not None:
        articles, bare = article_gains(prepared.cluster, reader)
        view = replace(view, articles=articles, bare=bare)
    steps = [(tried, False) for tried in versions]
    if view is not None and prepared.cluster.trees is not None:
        # Before the version without syntax, whose joins are the weakest.
        steps.insert(2, (versions[0], True))
    settings = rank or RankOptions()
    fusions: list[Fusion] = []
    for tried, spliced in steps:
        if not tried.syntactic and fusions and max(map(_preference, fusions))[0] >= _SOUND:
            continue
        fusion = _fuse(prepared, n, tried, view, match, rank, drawn, seed, spliced)
        tier, probability = _preference(fusion)
        if tier == _BEST and probability >= settings.sure:
            return fusion
        fusions.append(fusion)
    best = max(fusions, key=_preference)
    if not best.sentences and view is not None and prepared.cluster.trees is not None and len(versions) > 1:
        shortened = _fuse(prepared, n, versions[0], view, match, rank, drawn, seed, shortened=True)
        # A flaw would weigh more than an answer: every word of the sentence is in the input anyway.
        if shortened.sentences and not shortened.sentences[0].parts.get("flaws"):
            return shortened
    return best


#: The preference for a new sentence without a flaw, and for any sentence without one.
_BEST, _SOUND = 3, 2


def _preference(fusion: Fusion) -> tuple[int, float]:
    """How good the first sentence of a fusion is, and its quality.

    From the best: new, without a flaw and by a version with syntax; any without a flaw; any other; none.
    """
    if not fusion.sentences:
        return 0, 0.0
    first = fusion.sentences[0]
    probability = first.parts.get("quality", 1.0)
    if first.parts.get("flaws"):
        return 1, probability
    new = first.kind == NEW and (get_version(fusion.version).syntactic or fusion.cluster.trees is None)
    return _BEST if new else _SOUND, probability


def _fuse(
    prepared: Prepared,
    n: int,
    version: Version,
    lm: LmView | None,
    match: MatchOptions | None,
    rank: RankOptions | None,
    drawn: int,
    seed: int,
    spliced: bool = False,
    shortened: bool = False,
) -> Fusion:
    """Fuse with one version; lm: for ranking; None for random paths and clusters of one sentence."""
    cluster, notes = prepared.cluster, list(prepared.notes)
    if version.syntactic and cluster.syntax is None:
        other = version.without_syntax
        notes.append(f"no parser for {cluster.language.name}: using {other.name} instead of {version.name}")
        version = other
    alignment = align_cluster(cluster, version, match)
    graph = word_graph(cluster, alignment)
    automaton = automaton_of(graph)
    facts = facts_of(cluster, graph)
    conflicts = find_conflicts(cluster, graph, facts)
    copies = 0.0
    sentences: list[Fused] = []
    if lm is not None:
        reader = find_reader(cluster.language.code)
        sentences, said = _ranked(
            prepared, version, graph, facts, conflicts, lm, reader, rank, match, n, spliced, shortened
        )
        notes += said
    elif len(cluster) > 1:
        paths, copies = novel_paths(automaton, cluster.words, drawn=drawn, kept=n, seed=seed)
        sentences = [fused_of(path, graph, cluster) for path in paths]
        if not sentences:
            notes.append(f"no new sentence among {drawn} random paths")
    return Fusion(
        tuple(sentences),
        version.name,
        cluster,
        alignment,
        graph,
        automaton,
        facts,
        conflicts,
        copies,
        tuple(notes),
    )


def _ranked(
    prepared: Prepared,
    version: Version,
    graph: WordGraph,
    facts: Facts,
    conflicts: Sequence[Conflict],
    lm: LmView,
    reader: LanguageModel | None,
    rank: RankOptions | None,
    match: MatchOptions | None,
    n: int,
    spliced: bool = False,
    shortened: bool = False,
) -> tuple[list[Fused], list[str]]:
    """The best new sentences, and notes about them.

    If no new sentence is well formed, sentences close to an input, or shortened ones, are returned.
    """
    settings = rank or RankOptions()
    cluster = prepared.cluster
    pool = candidate_sentences(
        graph, cluster, lm, facts, conflicts, settings, match=match, spliced=spliced, shortened=shortened
    )
    dropped = Counter(pool.dropped)
    flawed: tuple[list[Fused], str] = [], ""
    for kind, note in _KINDS.items():
        candidates = [sentence for sentence in pool.sentences if sentence.kind == kind]
        sound, faults = well_formed(candidates, cluster, prepared.parser, graph, settings, lm, reader)
        dropped.update(faults)
        if reader is not None and sound:
            sound, faults = read_candidates(sound, cluster, reader, settings)
            dropped.update(faults)
        lexical = cluster.trees is not None and not version.syntactic
        sound = [
            replace(sentence, parts={**sentence.parts, "quality": quality(sentence, lm, lexical)})
            for sentence in sound
        ]
        chosen = choose_distinct(
            [sentence for sentence in sound if sentence.parts["quality"] >= settings.least_quality],
            settings,
            n,
        )
        dropped["of low quality"] += sum(
            sentence.parts["quality"] < settings.least_quality for sentence in sound
        )
        if chosen and not chosen[0].parts.get("flaws"):
            return chosen, [f"{note} ({_reasons(dropped)})"] if note else []
        if chosen and not flawed[0]:
            flawed = chosen, note
    chosen, note = flawed
    if chosen:
        return chosen, [f"{note} ({_reasons(dropped)})"] if note else []
    return [], [f"no new sentence: {_reasons(dropped)}"]


#: The kinds of sentences in order of preference, and the note for those that are not new.
_KINDS = {
    NEW: "",
    CLOSE: "no new sentence is well formed; listing sentences that are close to an input sentence",
    SHORTENED: "no new sentence is well formed; listing shortened input sentences",
}


def _reasons(dropped: Counter[str]) -> str:
    dropped = +dropped
    if not dropped:
        return "no two sentences can be joined at a word that they share"
    return ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())


def lm_view(cluster: Cluster, lm: WordModel | None) -> LmView:
    """The language model in the form that ranking uses; by default a trigram model of the cluster."""
    if lm is None:
        return _own_model(cluster)
    vocabulary, arrays = lm
    known = vocabulary.ids
    ids: dict[str, int] = {}
    for words, kinds in zip(cluster.words, cluster.kinds, strict=True):
        for word, kind in zip(words, kinds, strict=True):
            if kind:
                ids[word] = known.get(kind, 0)
            elif word in known:
                ids[word] = known[word]
            elif word.lower() in known:
                ids[word] = known[word.lower()]
    return _with_mean(LmView(arrays, ids, unknown_slips(cluster, vocabulary)), cluster)


def _own_model(cluster: Cluster) -> LmView:
    from paraphrast.lm import LmOptions, build

    distinct = sorted({word for row in cluster.words for word in row})
    ids = {word: len(SPECIALS) + number for number, word in enumerate(distinct)}
    text = Sentences.from_lists([ids[word] for word in row] for row in cluster.words)
    return _with_mean(LmView(build([text], len(SPECIALS) + len(ids), LmOptions(order=3)), ids), cluster)


def _with_mean(view: LmView, cluster: Cluster) -> LmView:
    scores = lm_scores(cluster.words, view)
    means = [score / (len(row) + 1) for score, row in zip(scores, cluster.words, strict=True)]
    return replace(view, mean=sum(means) / len(means))
