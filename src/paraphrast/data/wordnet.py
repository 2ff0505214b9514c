"""WordNet's database files → pairs of antonyms, of synonyms, of other relations. The format is that of wndb(5).

A line of ``data.pos`` is a synset: offset, file number, type, word count (hex), words with lexical ids,
pointer count, pointers (symbol, offset, part of speech, source and target word in hex), ``|`` and a gloss. A
line of ``index.pos`` is a word with the offsets of its synsets, most frequent sense first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paraphrast.data._archives import members
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.errors import DataError
from paraphrast.formats.files import write_lines

NAME = "pairs.tsv.gz"
#: File suffixes and their letters; adjective satellites (s) are adjectives (a).
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_FILE = re.compile(r"package/dict/((?:data|index)\.(?:noun|verb|adj|adv)|index\.sense)")
#: Pointer symbol → relation.
_RELATIONS = {
    "@": "hypernym",
    "@i": "hypernym",
    "!": "antonym",
    "+": "derived",
    "\\\\": "derived",
    "&": "similar",
    "^": "similar",
    "$": "similar",
}
#: Maximum number of words below one hypernym that count as siblings.
MOST_SIBLINGS = 40
_SENSE_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation. Words are positions in the two synsets, from 0, or -1 for a relation between synsets."""

    symbol: str
    offset: int
    pos: str
    source_word: int
    target_word: int


@dataclass(frozen=True, slots=True)
class Synset:
    """One meaning: its words as printed (spaces, capitals), and its pointers."""

    offset: int
    pos: str
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True, slots=True)
class WordNet:
    """Synsets by (part of speech, offset); senses of a lower-case word, most frequent first; tag counts."""

    synsets: dict[tuple[str, int], Synset]
    senses: dict[tuple[str, str], tuple[int, ...]]
    counts: dict[tuple[str, str, int], int]


def read(archive: Path) -> WordNet:
    """Read the database from a package."""
    files = {}
    for name, content in members(archive, lambda name: _FILE.fullmatch(name) is not None):
        files[name.rsplit("/", 1)[1]] = content.decode("utf-8")
    synsets: dict[tuple[str, int], Synset] = {}
    senses: dict[tuple[str, str], tuple[int, ...]] = {}
    for ending, pos in _PARTS.items():
        if f"data.{ending}" not in files or f"index.{ending}" not in files:
            raise DataError(f"expected WordNet's data.{ending} and index.{ending}", where=archive)
        for line in _entries(files[f"data.{ending}"]):
            synset = parse_synset(line)
            synsets[pos, synset.offset] = synset
        for line in _entries(files[f"index.{ending}"]):
            word, offsets = parse_index(line)
            senses[pos, word] = offsets
    return WordNet(synsets, senses, _parse_counts(files.get("index.sense", "")))


def _entries(content: str) -> Iterator[str]:
    """Lines after the licence, which is indented."""
    return (line for line in content.split("\n") if line and not line.startswith(" "))


def printed(word: str) -> str:
    """``take_over`` → ``take over``. The syntactic marker of an adjective, ``galore(ip)``, is dropped."""
    return re.sub(r"\((?:a|p|ip)\)$", "", word).replace("_", " ")


def parse_synset(line: str) -> Synset:
    """One line of a data file."""
    fields = line.partition(" | ")[0].split()
    count = int(fields[3], 16)
    words = tuple(printed(fields[4 + 2 * number]) for number in range(count))
    at = 4 + 2 * count
    pointers = []
    for number in range(int(fields[at])):
        symbol, offset, pos, ends = fields[at + 1 + 4 * number : at + 5 + 4 * number]
        pos = "a" if pos == "s" else pos
        pointers.append(Pointer(symbol, int(offset), pos, int(ends[:2], 16) - 1, int(ends[2:], 16) - 1))
    return Synset(int(fields[0]), "a" if fields[2] == "s" else fields[2], words, tuple(pointers))


def parse_index(line: str) -> tuple[str, tuple[int, ...]]:
    """One line of an index file: the lower-case word and its synsets, most frequent first."""
    fields = line.split()
    count = int(fields[2])
    return fields[0].replace("_", " "), tuple(int(offset) for offset in fields[len(fields) - count :])


def _parse_counts(content: str) -> dict[tuple[str, str, int], int]:
    """How often a sense occurs in tagged text: (pos, word, offset) → count, for senses that occur."""
    counts: dict[tuple[str, str, int], int] = {}
    for line in _entries(content):
        fields = line.split()
        if len(fields) == 4 and fields[3] != "0":
            word, _, key = fields[0].rpartition("%")
            counts[_SENSE_TYPES[key[0]], word.replace("_", " "), int(fields[1])] = int(fields[3])
    return counts


def antonym_pairs(wordnet: WordNet) -> list[tuple[str, str, str]]:
    """(word, antonym, part of speech), in both directions, sorted.

    Antonymy is a relation of words, not synsets (``!`` pointers). Adjectives around a head are its satellites; only the
    heads are opposites.
    """
    pairs: set[tuple[str, str, str]] = set()
    for synset in wordnet.synsets.values():
        for pointer in synset.pointers:
            if pointer.symbol == "!" and pointer.source_word >= 0 and pointer.target_word >= 0:
                target = wordnet.synsets[pointer.pos, pointer.offset]
                word, antonym = synset.words[pointer.source_word], target.words[pointer.target_word]
                pairs |= {(word, antonym, synset.pos), (antonym, word, synset.pos)}
    return sorted((word, antonym, pos) for word, antonym, pos in pairs if word != antonym)


def synonym_pairs(wordnet: WordNet) -> Iterator[tuple[str, str, str, int, int]]:
    """(word, synonym, part of speech, sense, count): synonyms share a synset.

    sense: the rank of the synset among those of the word, 1 for the most frequent; count: how often the word had that
    sense in tagged text. Sorted by word, part of speech, sense.
    """
    for (pos, word), offsets in sorted(wordnet.senses.items(), key=lambda item: (item[0][1], item[0][0])):
        for sense, offset in enumerate(offsets, 1):
            synset = wordnet.synsets[pos, offset]
            spelling = next((form for form in synset.words if form.lower() == word), word)
            for other in synset.words:
                if other.lower() != word:
                    yield spelling, other, pos, sense, wordnet.counts.get((pos, word, offset), 0)


def relation_pairs(wordnet: WordNet) -> list[tuple[str, str, str]]:
    """(relation, word, other word) of single words in lower case, sorted.

    ``hypernym``: the other word is more general, by one step (nouns and verbs). ``sibling``: both have a common
    hypernym with at most :data:`MOST_SIBLINGS` words. ``similar``: adjectives around one head, or "see also".
    ``derived``: from the same root, across parts of speech. Synonyms and antonyms as above.
    """
    pairs: set[tuple[str, str, str]] = set()
    below: dict[tuple[str, int], list[str]] = {}

    def singles(synset: Synset, place: int = -1) -> list[str]:
        chosen = synset.words if place < 0 else (synset.words[place],)
        return [word.lower() for word in chosen if " " not in word]

    for _key, synset in wordnet.synsets.items():
        synset_words = singles(synset)
        pairs |= {
            ("synonym", first_word, other_word)
            for first_word in synset_words
            for other_word in synset_words
            if first_word != other_word
        }
        for pointer in synset.pointers:
            name = _RELATIONS.get(pointer.symbol)
            if name is None or (pointer.pos, pointer.offset) not in wordnet.synsets:
                continue
            others = singles(wordnet.synsets[pointer.pos, pointer.offset], pointer.target_word)
            for first_word in singles(synset, pointer.source_word):
                pairs |= {(name, first_word, other_word) for other_word in others if first_word != other_word}
            if name == "hypernym":
                below.setdefault((pointer.pos, pointer.offset), []).extend(synset_words)
    for words in below.values():
        near = sorted(set(words))
        if len(near) <= MOST_SIBLINGS:
            pairs |= {
                ("sibling", first_word, other_word)
                for first_word in near
                for other_word in near
                if first_word != other_word
            }
    return sorted(pairs)


def relations(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``relations.tsv.gz``: relation, word, other word."""
    write_lines(folder / "relations.tsv.gz", ("\t".join(row) for row in relation_pairs(read(parts[0].path))))


def antonyms(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``pairs.tsv.gz``: word, antonym, part of speech (n, v, a, r)."""
    write_lines(folder / NAME, ("\t".join(row) for row in antonym_pairs(read(parts[0].path))))


def synonyms(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``pairs.tsv.gz``: word, synonym, part of speech, sense number, count."""
    rows = synonym_pairs(read(parts[0].path))
    write_lines(folder / NAME, ("\t".join(map(str, row)) for row in rows))
