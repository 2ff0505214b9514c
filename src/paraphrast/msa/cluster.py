"""A cluster: comparable sentences as tokens, with their syntax if they were parsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from paraphrast.errors import InputError
from paraphrast.msa.arrays import ClusterArrays
from paraphrast.msa.match import POSITION_PARTS, AlignOptions, MatchOptions, Version
from paraphrast.text.languages.record import Language
from paraphrast.text.syntax.chunklink import WordSyntax
from paraphrast.text.syntax.parser import Dependencies
from paraphrast.text.tokenise import analyse
from paraphrast.types import MASKS

#: Maximum number of sentences per cluster: every pair is compared.
MOST_SENTENCES = 5_000
_COMMAS = frozenset(",،、，")
_OF_PEOPLES = ("ian", "ese", "ish", "can", "ench")


@dataclass(frozen=True)
class Cluster:
    """Sentences about one event.

    words: tokens; the first word of a sentence has the case that it would have inside the sentence.
    kinds: for every token the mask of its entity (``<time>``), or "".
    spaces: whether white space precedes each token.
    numbers: the input position of each sentence; of equal sentences only the first is kept, and ``same`` has the
        positions of all.
    syntax: the words' tags, chunks and traces, or None if not parsed.
    trees: the sentences' dependencies, or None if the parser gives none.
    tags: parts of speech by a tagger, if the cluster was not parsed.
    """

    language: Language
    words: tuple[tuple[str, ...], ...]
    kinds: tuple[tuple[str, ...], ...]
    spaces: tuple[tuple[bool, ...], ...]
    numbers: tuple[int, ...]
    same: tuple[tuple[int, ...], ...]
    texts: tuple[str, ...]
    syntax: tuple[tuple[WordSyntax, ...], ...] | None = None
    trees: tuple[Dependencies, ...] | None = None
    tags: tuple[tuple[str, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.words)

    def with_syntax(
        self, parsed: Sequence[Sequence[WordSyntax]], trees: Sequence[Dependencies] | None = None
    ) -> Cluster:
        """The cluster with syntax. Tags show which first words are capitalised only because of their position."""
        if [len(row) for row in parsed] != [len(row) for row in self.words]:
            raise InputError("expected syntax for every word of the cluster")
        syntax = tuple(tuple(row) for row in parsed)
        words = _inner_case(self.words, self.language, syntax)
        return replace(self, words=words, syntax=syntax, trees=None if trees is None else tuple(trees))


def make_cluster(
    sentences: Sequence[str],
    language: Language,
    *,
    pretokenized: bool = False,
    most: int = MOST_SENTENCES,
) -> Cluster:
    """Tokenise sentences; empty ones are left out, equal ones merged. ``pretokenized``: split at white space."""
    if isinstance(sentences, str):
        raise InputError("expected a sequence of sentences, got one string", remedy="pass a list")
    if len(sentences) > most:
        raise InputError(
            f"expected at most {most} sentences, got {len(sentences)}",
            remedy="first divide them into clusters by key terms: every pair is compared",
        )
    rows: dict[tuple[str, ...], list[int]] = {}
    distinct: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[bool, ...], str]] = {}
    for number, text in enumerate(sentences):
        words, kinds, spaces = _tokens(text, language, pretokenized)
        if not words:
            continue
        rows.setdefault(words, []).append(number)
        distinct.setdefault(words, (kinds, spaces, text))
    if not rows:
        raise InputError(f"expected sentences with words, got {len(sentences)} without any")
    tokens = tuple(rows)
    return Cluster(
        language,
        _inner_case(tokens, language, None),
        tuple(distinct[row][0] for row in tokens),
        tuple(distinct[row][1] for row in tokens),
        tuple(places[0] for places in rows.values()),
        tuple(tuple(places) for places in rows.values()),
        tuple(distinct[row][2] for row in tokens),
    )


def raw_tokens(
    sentences: Sequence[str], language: Language, *, pretokenized: bool = False
) -> list[list[str]]:
    """The input of a parser: the original tokens of the sentences that :func:`make_cluster` keeps."""
    token_rows: dict[tuple[str, ...], None] = {}
    for text in sentences:
        words = _tokens(text, language, pretokenized)[0]
        if words:
            token_rows.setdefault(words)
    return [list(words) for words in token_rows]


def _tokens(
    text: str, language: Language, pretokenized: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[bool, ...]]:
    """The original words (also of entities), their masks, and whether white space precedes them."""
    analysis = analyse(text, language, one_sentence=True)
    if pretokenized:
        words = tuple(text.split())
        kinds = tuple(_mask(word, language) for word in words)
        return words, kinds, tuple(index > 0 for index in range(len(words)))
    surface = tuple(
        " ".join(text[start:end].split()) if word in MASKS else word
        for word, start, end in zip(analysis.words, analysis.starts, analysis.ends, strict=True)
    )
    masks = tuple(word if word in MASKS else "" for word in analysis.words)
    return surface, masks, tuple(bool(space) for space in analysis.space_before)


def _mask(word: str, language: Language) -> str:
    tokens = analyse(word, language, one_sentence=True).words
    return tokens[0] if len(tokens) == 1 and tokens[0] in MASKS else ""


def _inner_case(
    rows: Sequence[tuple[str, ...]],
    language: Language,
    syntax: Sequence[Sequence[WordSyntax]] | None,
) -> tuple[tuple[str, ...], ...]:
    """A sentence's first word in the case it has inside a sentence: as in the cluster, else by tag, else unchanged."""
    raw = [tuple(token.word for token in row) for row in syntax] if syntax is not None else list(rows)
    inside = Counter(word for row in raw for word in row[1:])
    changed = []
    for number, row in enumerate(raw):
        first = row[0]
        small = first[:1].lower() + first[1:]
        if small == first or (first.isupper() and len(first) > 1):
            changed.append(row)
            continue
        if inside[small] or inside[first]:
            lower = inside[small] >= inside[first]
        elif syntax is not None:
            lower = not _keeps_capital(first, syntax[number][0].tag)
        else:
            lower = small in language.function_words and first != "I"
        changed.append((small, *row[1:]) if lower else row)
    return tuple(changed)


def _keeps_capital(word: str, tag: str) -> bool:
    """Whether a word is a name, or an adjective of nationality."""
    return word == "I" or tag.startswith("NNP") or (tag == "JJ" and word.endswith(_OF_PEOPLES))


def is_excluded(word: str, version: Version, language: Language) -> bool:
    """Whether a token never matches under a version."""
    if word in _COMMAS:
        return not version.commas
    return not version.stop_words and is_stop_word(word, language)


def is_stop_word(word: str, language: Language) -> bool:
    """Whether a word is a function word and not a quantity: "at least three" and "at least two" share "least"."""
    small = word.lower()
    return small in language.function_words and small not in language.quantity_words


def is_content(word: str, language: Language) -> bool:
    """Whether a token is a word or number, and not a stop word."""
    return any(map(str.isalnum, word)) and not is_stop_word(word, language)


def cluster_arrays(
    cluster: Cluster,
    version: Version,
    match: MatchOptions | None = None,
    align: AlignOptions | None = None,
) -> ClusterArrays:
    """The arrays of a cluster: words, tags and constituents are numbered by first appearance."""
    rules, steps = match or MatchOptions(), align or AlignOptions()
    if version.syntactic and cluster.syntax is None:
        raise InputError(
            f"expected a parsed cluster for {version.name}",
            remedy=f"parse it, or use {version.without_syntax.name}",
        )
    ids: dict[str, int] = {}
    tags: dict[str, int] = {}
    categories: dict[str, int] = {}
    word = [
        -1 if is_excluded(token, version, cluster.language) else ids.setdefault(token, len(ids))
        for row in cluster.words
        for token in row
    ]
    starts = np.zeros(len(cluster) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in cluster.words], out=starts[1:])
    count = int(starts[-1])
    tag, chunk = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    trace_begin = np.zeros(count + 1, dtype=np.int64)
    trace: list[int] = []
    if version.syntactic and cluster.syntax is not None:
        for number, token in enumerate(token for row in cluster.syntax for token in row):
            tag[number] = tags.setdefault(token.tag, len(tags))
            chunk[number] = _code(token.chunk, categories)
            trace += [_code(element, categories) for element in token.trace[1:-1]]
            trace_begin[number + 1] = len(trace)
    rule = [rules.exact, rules.partial, rules.none, rules.trace_weight, rules.length_discount, rules.floor]
    rule += [steps.match, steps.mismatch, steps.gap]
    return ClusterArrays(
        starts,
        np.array(word, dtype=np.int32),
        tag,
        chunk,
        trace_begin,
        np.array(trace, dtype=np.int32),
        np.array(rule, dtype=np.float64),
        round(rules.position * POSITION_PARTS) if version.syntactic else -1,
        rules.inclusive,
        steps.free_borders,
    )


def _code(chunk: str, categories: dict[str, int]) -> int:
    """0 for O; 2 · category for B-XP, one more for I-XP."""
    if chunk == "O":
        return 0
    return 2 * categories.setdefault(chunk[2:], len(categories) + 1) + chunk.startswith("I")
