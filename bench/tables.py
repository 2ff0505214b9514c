"""Tables from each resource: rows, CPU seconds, and how many of their substitutes SWORDS' judges accept.

    python bench/tables.py --data DATA [--only dictionary,queries] [--lines 20000] [--parser MODEL] [--out FOLDER]

Substitutes are looked up without context: what the table lists for the target word as it stands (``inflected``), for
its lemma (``lemma``), and as it stands in the table with the back-off by lemma (``expanded``). A substitute is right
when at least half of its judges accept it; ones that nobody judged are left out, and how many were judged is told.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from common import machine, rounded
from paraphrast.build.tables import build_table
from paraphrast.formats.table_file import read_table_file, write_table_file
from paraphrast.tables.resources.identity import self_table
from paraphrast.tables.resources.inflect import CLASS_TAGS, expand, forms, phrase_readings, rows_of
from paraphrast.tables.resources.options import ExpandOptions
from paraphrast.types import LooseTable, loose_table

SWORDS = Path("substitution-gold") / "swords-v1.1_dev.json.gz"
PAIRS = Path("sentence-pairs")


def gold(path: Path) -> Iterator[tuple[str, str, str, dict[str, bool]]]:
    """Target word, lemma and word class, and the lemmas of its judged substitutes: right or not."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        data = json.load(stream)
    judged: dict[str, dict[str, bool]] = {}
    for key, entry in data["substitutes"].items():
        labels = data["substitute_labels"][key]
        accepted = 2 * labels.count("TRUE") >= len(labels)
        judged.setdefault(entry["target_id"], {})[entry["substitute"].lower()] = accepted
    for key, entry in data["targets"].items():
        yield entry["target"], entry["extra"]["coinco_lemma"], entry["pos"], judged.get(key, {})


def lemma_of(words: tuple[str, ...], word_class: str) -> str:
    """A substitute as SWORDS lists it: its head as lemma."""
    for tag, lemma in phrase_readings(tuple(word.lower() for word in words)):
        if tag in CLASS_TAGS.get(word_class, ()):
            return " ".join(lemma)
    return " ".join(words).lower()


def scores(
    table: LooseTable, targets: list[tuple[str, str, str, dict[str, bool]]], *, lemma: bool
) -> dict[str, Any]:
    """Right and judged, of all substitutes and of the first of each target."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for source, target in zip(table.table.source.tolist(), table.table.target.tolist(), strict=True):
        words = table.phrase(source)
        if len(words) == 1 and table.phrase(target) != words:
            rows.setdefault(words[0].lower(), []).append(table.phrase(target))
    covered = first_judged = first_right = judged = right = 0
    for word, base, word_class, labels in targets:
        found = rows.get((base if lemma else word).lower(), [])
        own = {word.lower(), base.lower()}
        known = dict.fromkeys(lemma_of(words, word_class) for words in found)
        options = [text for text in known if text not in own]
        covered += bool(options)
        for rank, text in enumerate(options):
            if text in labels:
                judged += 1
                right += labels[text]
                first_judged += rank == 0
                first_right += labels[text] and rank == 0
    return {
        "targets": len(targets),
        "covered": covered,
        "judged": judged,
        "right_among_judged": right / judged if judged else None,
        "rank_1_judged": first_judged,
        "rank_1_right": first_right / first_judged if first_judged else None,
    }


def all_forms(lemma: str) -> list[str]:
    """The inflected forms of a word, as whatever class."""
    return [form for tags in CLASS_TAGS.values() for tag in tags for form in forms(lemma, tag)]


def of_words(table: LooseTable, words: set[str]) -> LooseTable:
    """The rows of some words: expanding those is enough to look them up."""
    rows = [row for row in rows_of(table) if len(row.source) == 1 and row.source[0].lower() in words]
    return loose_table(rows, table.table.info, tuple(table.table.features))


def columns(path: Path, into: Path, choose: Callable[[list[str]], list[str] | None]) -> Path:
    """Some columns of a file, as a file of two."""
    with lzma.open(path, "rt", encoding="utf-8") as lines, into.open("w", encoding="utf-8") as stream:
        for line in lines:
            chosen = choose(line.rstrip("\n").split("\t"))
            if chosen is not None:
                stream.write("\t".join(chosen) + "\n")
    return into


def resources(data: Path, work: Path, lines: int) -> dict[str, tuple[str, list[str | Path], dict[str, Any]]]:
    """Name → kind, inputs, options."""
    english = work / "english.txt"
    corpus = data / "europarl" / "en-de-fr-es.tsv.xz"
    with lzma.open(corpus, "rt", encoding="utf-8") as rows, english.open("w", encoding="utf-8") as stream:
        for _, row in zip(range(lines), rows, strict=False):
            stream.write(row.split("\t")[0] + "\n")
    news = columns(
        data / PAIRS / "mrpc-train.tsv.xz",
        work / "news.tsv",
        lambda cells: cells[3:5] if cells[0] == "1" and len(cells) == 5 else None,
    )
    return {
        "dictionary": ("dictionary", [data / "dictionary" / "simple-english.jsonl.xz"], {}),
        "queries": ("queries", [data / PAIRS / "quora-duplicates.tsv.xz"], {"duplicates": True}),
        "chunks": ("chunks", [data / PAIRS / "tatoeba-en-en.tsv.xz"], {}),
        "comparable": ("comparable", [news], {}),
        "thesaurus": ("thesaurus", [english], {}),
        "wordnet": ("wordnet", ["wordnet-synonyms"], {}),
        "wordnet-synonyms": ("lexicon", ["wordnet-synonyms"], {"inflect": False}),
        "moby": ("lexicon", ["moby"], {"inflect": False}),
        "wordclusters": ("wordclusters", [english], {"clusters": 4096}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", help="names of tables, by commas")
    parser.add_argument("--lines", type=int, default=20_000, help="lines of running text")
    parser.add_argument("--parser", help="name or folder of a spaCy model")
    parser.add_argument("--model", help="a model folder whose casing and tagger to use")
    parser.add_argument("--out", type=Path, help="keep the tables there")
    parser.add_argument("--given", type=Path, nargs="*", default=[], help="table files to score as well")
    given = parser.parse_args()
    targets = list(gold(given.data / SWORDS))
    report: dict[str, Any] = {"machine": machine(), "lines": given.lines, "tables": {}}
    words: set[str] = set()

    wanted = {form.lower() for word, base, _, _ in targets for form in (word, base, *all_forms(base))}

    def add(name: str, table: LooseTable, seconds: float) -> None:
        grown = expand(of_words(table, wanted), ExpandOptions())
        report["tables"][name] = {
            "rows": len(table),
            "cpu_seconds": seconds,
            "signature": table.table.info.signature,
            "inflected": scores(table, targets, lemma=False),
            "lemma": scores(table, targets, lemma=True),
            "expanded": scores(grown, targets, lemma=False),
        }
        words.update(table.words)
        print(name, json.dumps(rounded(report["tables"][name])), file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, inputs, options) in resources(given.data, Path(folder), given.lines).items():
            if given.only and name not in given.only.split(","):
                continue
            began = time.process_time()
            uses_parser = kind == "thesaurus"
            table = build_table(
                kind, inputs, options, model=given.model, parser=given.parser if uses_parser else None
            )
            add(name, table, time.process_time() - began)
            if given.out is not None:
                given.out.mkdir(parents=True, exist_ok=True)
                write_table_file(given.out / f"{name}.parquet", table)
    for path in given.given:
        add(path.stem, read_table_file(path), 0.0)
    report["tables"]["self"] = {"rows": len(self_table(words))}
    print(json.dumps(rounded(report), indent=1))


if __name__ == "__main__":
    main()
