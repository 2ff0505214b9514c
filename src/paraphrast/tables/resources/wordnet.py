"""WordNet's most frequent synset: the baselines of Quirk et al. (2004, §3.5).

``arbitrary``: one random member of the synset per word. This is Barzilay and Lee's baseline: a rewriter without a
language model that replaces as many words as another system did (:func:`replace_words`). Otherwise all members,
inflected like the word and with equal probability, so that the decoder's language model chooses: the baseline of Quirk
et al.

The most frequent synset of a word is its first sense in the class with most tagged occurrences. If the word is the only
member of that synset, it has no replacement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text
from paraphrast.formats.numbers import whole_number
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import WordnetOptions
from paraphrast.tables.resources.words import PhraseReader, has_letter
from paraphrast.types import MAX_PHRASE
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["Sense", "WordnetKind", "WordnetOptions", "changed_words", "replace_words", "wordnet_rows"]

_CLASSES = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}


@dataclass(frozen=True, slots=True)
class Sense:
    """A word, its class (n, v, a, r), the count of its first sense in tagged text, and the synset's other members."""

    word: str
    word_class: str
    count: int
    others: tuple[str, ...]


def read_senses(path: str) -> Iterator[Sense]:
    """First senses from the pairs that ``paraphrast data get wordnet-synonyms`` writes.

    Columns: word, synonym, class, number of the sense, count.
    """
    senses: dict[tuple[str, str], tuple[int, list[str]]] = {}
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            cells = line.split("\t")
            sense, count = map(whole_number, cells[3:]) if len(cells) == 5 else (None, None)
            if sense is None or count is None or cells[2] not in _CLASSES:
                raise FormatError(
                    f"expected word, synonym, class (n, v, a, r), sense and count by tab, got {line[:60]!r}",
                    where=At(path, number),
                    remedy="give pairs.tsv.gz of: paraphrast data get wordnet-synonyms",
                )
            if sense == 1:
                senses.setdefault((cells[0], cells[2]), (count, []))[1].append(cells[1])
    for (word, name), (count, others) in senses.items():
        yield Sense(word, name, count, tuple(others))


def wordnet_rows(senses: Iterable[Sense], reader: PhraseReader, options: WordnetOptions) -> list[PhraseRow]:
    """The members of each word's most frequent synset: all with equal probability, or one at random."""
    best: dict[str, Sense] = {}
    for sense in senses:
        known = best.get(sense.word)
        if known is None or sense.count > known.count:
            best[sense.word] = sense
    rows: list[PhraseRow] = []
    draw = np.random.default_rng(options.seed)
    for word in sorted(best):
        sense = best[word]
        source = reader.words(word)
        targets = [reader.words(other) for other in sense.others]
        targets = [words for words in targets if 0 < len(words) <= MAX_PHRASE and words != source]
        if not 0 < len(source) <= MAX_PHRASE or not has_letter(source) or not targets:
            continue
        if options.arbitrary:
            targets = [targets[int(draw.integers(len(targets)))]]
        score = -math.log(len(targets))
        for target in targets:
            rows.append(PhraseRow(source, target, score, sense.count))
            if options.inflect:
                rows += _inflected(source, target, _CLASSES[sense.word_class], score, sense.count)
    return rows


def _inflected(
    source: tuple[str, ...], target: tuple[str, ...], word_class: str, score: float, count: int
) -> Iterator[PhraseRow]:
    from paraphrast.tables.resources.inflect import CLASS_TAGS, inflect_phrase

    for tag in CLASS_TAGS[word_class][1:]:
        ours, theirs = inflect_phrase(source, tag), inflect_phrase(target, tag)
        if ours is not None and theirs is not None and ours != theirs:
            yield PhraseRow(ours, theirs, score, count)


def changed_words(source: Sequence[str], output: Sequence[str]) -> int:
    """Number of words of ``source`` that a system replaced: those outside a longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    return len(source) - int(LCSseq.similarity(list(source), list(output)))


def replace_words(
    sentences: Iterable[Sequence[str]],
    table: LooseTable,
    *,
    seed: int = 0,
    rate: float | None = None,
    match: Sequence[int] | None = None,
) -> Iterator[list[tuple[int, tuple[str, ...]]]]:
    """Choose words to replace: a list of (position, phrase) per sentence, sorted by position.

    rate: share of a sentence's words to replace; match: number of words to replace per sentence. That many words (or
    all, if there are fewer) are drawn from those with single-word rows in the table, then one row for each.
    """
    if (rate is None) == (match is None):
        raise InputError("expected either a rate or numbers of words to match, got both or neither")
    if rate is not None and not 0.0 <= rate <= 1.0:
        raise InputError(f"rate: expected a number from 0 to 1, got {rate:g}")
    options: dict[str, list[tuple[str, ...]]] = {}
    for source, target in zip(table.table.source.tolist(), table.table.target.tolist(), strict=True):
        phrase = table.phrase(source)
        if len(phrase) == 1:
            options.setdefault(phrase[0], []).append(table.phrase(target))
    draw = np.random.default_rng(seed)
    sentence_list = list(sentences)
    if match is not None and len(match) != len(sentence_list):
        raise InputError(f"expected {len(sentence_list)} numbers of words to match, got {len(match)}")
    for number, words in enumerate(sentence_list):
        places = [place for place, word in enumerate(words) if word in options]
        wanted = match[number] if match is not None else round((rate or 0.0) * len(words))
        chosen = draw.permutation(len(places))[: max(wanted, 0)]
        picked = []
        for index in sorted(chosen.tolist()):
            candidates = options[words[places[index]]]
            picked.append((places[index], candidates[int(draw.integers(len(candidates)))]))
        yield picked


class WordnetKind(TableKind):
    """``pairs.tsv.gz`` of ``wordnet-synonyms``."""

    name = "wordnet"
    options: ClassVar[type] = WordnetOptions

    def build(self, job: TableJob, options: WordnetOptions) -> LooseTable:
        reader = PhraseReader(job.language, job.truecaser)
        senses = list(read_senses(str(job.one_input("WordNet's pairs"))))
        rows = wordnet_rows(senses, reader, options)
        info = info_of(
            self.name, job.language, options, notes={"words": len({sense.word for sense in senses})}
        )
        return loose_table(rows, info, top=options.top, glue=reader.glue)
