"""Candidate pairs of sentences: few, without losing any pair.

Two sentences of m and n words at a distance d of insertions and deletions have m + n − d = 2·LCS, so if d ≤ D they
share at least t = ⌈(m + n − D) / 2⌉ words (with repetition). Let every sentence list its words from the rarest to the
most frequent. Two sentences that share t words have one in common among the first m − t + 1 of the one and the first
n − t + 1 of the other (prefix filtering: the rarest shared word has t − 1 shared words after it in both lists). For a
sentence, t is smallest with the shortest partner that the ratio of lengths allows. A pair with t ≤ 0 need not share a
word: such sentences are short (m + n ≤ D) and list one additional, common entry. The same holds for a word-overlap
threshold, with t = ⌈Th·(m + n) / 2⌉. The query uses integers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.sentences import ArticleSentences
from paraphrast.engine import Engine
from paraphrast.errors import InputError

#: The common entry of sentences that need not share a word.
SHORT = -1
#: Number of repetitions of a word that are counted separately.
_REPEATS = 1 << 8


@dataclass(frozen=True)
class Need:
    """How many words two sentences must share.

    distance: maximum number of insertions and deletions; or overlap: minimum share, 2·shared / (m + n).
    ratio: minimum length of the shorter sentence relative to the longer.
    """

    distance: int | None = None
    overlap: Fraction | None = None
    ratio: Fraction = Fraction(2, 3)

    def __post_init__(self) -> None:
        if (self.distance is None) == (self.overlap is None):
            raise InputError("expected either a distance or an overlap")
        if not 0 <= self.ratio <= 1 or (self.overlap is not None and not 0 < self.overlap <= 1):
            raise InputError("expected ratio and overlap between 0 and 1")
        if self.distance is not None and self.distance < 0:
            raise InputError("expected a distance of 0 or more")

    def shared(self, total: int) -> int:
        """Number of words to share if both sentences together have ``total`` words."""
        if self.distance is not None:
            return max(-((self.distance - total) // 2), 0)
        return -((-self.overlap * total) // 2) if self.overlap is not None else 0

    def shortest_partner(self, length: int) -> int:
        """The minimum number of words of a partner."""
        least = -(-self.ratio.numerator * length // self.ratio.denominator)
        if self.distance is not None:
            least = max(least, length - self.distance)
        return max(int(least), 1)


QUERY = """
SELECT one, other, min(meeting) AS meeting
FROM (
  SELECT a.kind AS one, b.kind AS other, a.sentence * {count} + b.sentence AS meeting
  FROM pair_posts AS a JOIN pair_posts AS b ON a.member = b.member AND a.entry = b.entry
  WHERE a.kind < b.kind AND {articles}
    AND {numerator} * a.length <= {denominator} * b.length
    AND {numerator} * b.length <= {denominator} * a.length
    AND {lengths}
) AS found
GROUP BY one, other
ORDER BY one, other
"""


@dataclass(frozen=True)
class Candidates:
    """Kinds of sentences that may be pairs, ``one < other``, with the first sentences of those kinds."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def prefixes(sentences: ArticleSentences, need: Need) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(kind, entry) of everything that kinds of sentences list."""
    lengths = sentences.lengths()
    kinds = np.repeat(np.arange(len(lengths)), lengths)
    count = np.bincount(sentences.words, minlength=len(sentences.vocabulary))
    # Rank of words from rare to frequent, by number if equally frequent.
    rank = np.empty(len(count), dtype=np.int64)
    rank[np.lexsort((np.arange(len(count)), count))] = np.arange(len(count))
    entry = rank[sentences.words]
    order = np.lexsort((entry, kinds))
    kinds, entry = kinds[order], entry[order]
    # The second occurrence of a word in a sentence counts as another word.
    index = np.arange(len(entry))
    begins = np.concatenate([[True], (kinds[1:] != kinds[:-1]) | (entry[1:] != entry[:-1])])
    if not len(entry):
        return kinds, entry
    repeat = index - np.maximum.accumulate(np.where(begins, index, 0))
    entry = entry * _REPEATS + np.minimum(repeat, _REPEATS - 1)
    kept_of = np.array(
        [
            length - max(need.shared(length + need.shortest_partner(length)), 1) + 1
            for length in range(int(lengths.max()) + 1)
        ]
    )
    place = index - sentences.starts[:-1][kinds]
    in_prefix = place < kept_of[lengths[kinds]]
    kinds, entry = kinds[in_prefix], entry[in_prefix]
    short = np.array(
        [
            length > 0 and need.shared(length + need.shortest_partner(length)) <= 0
            for length in range(int(lengths.max()) + 1)
        ]
    )
    loose = np.flatnonzero(short[lengths])
    return np.concatenate([kinds, loose]), np.concatenate([entry, np.full(len(loose), SHORT)])


def find_candidates(
    sentences: ArticleSentences,
    groups: NDArray[np.int64],
    members: NDArray[np.int64],
    need: Need,
    engine: Engine,
    *,
    same_article: bool = False,
) -> Candidates:
    """Pairs of kinds of sentences that may satisfy ``need``, from articles of one group.

    groups, members: rows of (group, article); an article may be in several groups.
    """
    kinds, entry = prefixes(sentences, need)
    lengths = sentences.lengths()
    engine.table("pair_entries", {"kind": kinds, "entry": entry, "length": lengths[kinds]})
    count = max(len(sentences.texts), 1)
    engine.table(
        "pair_sentences",
        {"sentence": np.arange(len(sentences.texts)), "kind": sentences.kind, "article": sentences.article},
    )
    engine.table("pair_members", {"member": groups.astype(np.int64), "article": members.astype(np.int64)})
    # Within a group and article, the first sentence of a kind represents all.
    engine.run(
        "CREATE OR REPLACE TABLE pair_posts AS SELECT m.member AS member, e.entry AS entry, e.kind AS kind,"
        " e.length AS length, s.article AS article, min(s.sentence) AS sentence"
        " FROM pair_entries AS e JOIN pair_sentences AS s ON e.kind = s.kind"
        " JOIN pair_members AS m ON s.article = m.article"
        " GROUP BY m.member, e.entry, e.kind, e.length, s.article"
    )
    if need.distance is not None:
        limit = (
            f"a.length - b.length <= {need.distance} AND b.length - a.length <= {need.distance}"
            f" AND (a.entry <> {SHORT} OR a.length + b.length <= {need.distance})"
        )
    else:
        limit = f"a.entry <> {SHORT}"
    rows = engine.fetch(
        QUERY.format(
            count=count,
            articles="1 = 1" if same_article else "a.article <> b.article",
            numerator=need.ratio.numerator,
            denominator=need.ratio.denominator,
            lengths=limit,
        )
    )
    for name in ("pair_posts", "pair_entries", "pair_sentences", "pair_members"):
        engine.drop(name)
    meeting = rows["meeting"].astype(np.int64)
    return Candidates(
        rows["one"].astype(np.int64), rows["other"].astype(np.int64), meeting // count, meeting % count
    )
