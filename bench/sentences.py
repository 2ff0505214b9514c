"""Sixty sentences drawn by seed, rewritten: news, novels and questions of a forum, as Zhao et al. (2008, §6) had.

    python bench/sentences.py --data FOLDER --model MODEL [--baselines MODEL --wordnet TABLE] [--precise]

Prints every sentence with its best three rewrites, edits in brackets, then mean edit distance in words and coverage a
genre as JSON. ``--baselines``: a model that has the tables ``wordnet`` and ``wordclusters``; ten of the sentences by
Quirk et al.'s (2004, §3.5) baselines too.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from common import rounded

EACH = 20
TOP = 3
SHORTEST, LONGEST = 8, 30


def news(data: Path) -> Iterator[str]:
    """Sentences of the news clusters, as people write them."""
    from paraphrast.formats.files import read_lines

    for line in read_lines(data / "news-clusters" / "ecbplus.jsonl.xz"):
        for sentence in json.loads(line)["sentences"]:
            joined = re.sub(r" (?=[,.;:?!%)]|'[a-z]|n't)", "", sentence)
            yield re.sub(r"(\(|``|\$) ", r"\1", joined).replace("``", '"').replace(" ''", '"')


def novels(_: Path) -> Iterator[str]:
    """Lines of novels, from the index of data."""
    from paraphrast import data as store
    from paraphrast.formats.files import read_lines

    yield from read_lines(store.get("gutenberg") / "text.txt.gz")


def forum(data: Path) -> Iterator[str]:
    """Questions that people asked."""
    from paraphrast.formats.files import read_lines

    for line in read_lines(data / "sentence-pairs" / "quora-duplicates.tsv.xz"):
        yield line.split("\t")[0]


def draw(lines: Iterator[str], seed: int) -> list[str]:
    """Some sentences, blindly: none is looked at, all are as likely."""
    fit = sorted(
        {line.strip() for line in lines if SHORTEST <= len(line.split()) <= LONGEST and line[:1].isupper()}
    )
    places = np.random.default_rng(seed).choice(len(fit), EACH, replace=False)
    return [fit[place] for place in places.tolist()]


def edit_distance(one: Sequence[str], two: Sequence[str]) -> int:
    """Words inserted, deleted or replaced."""
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(list(one), list(two)))


def bracketed(rewrite: Any) -> str:
    """A rewrite with its edits in brackets."""
    text = rewrite.text
    for edit in sorted(rewrite.edits, key=lambda one: -one.out_start):
        end = edit.out_start + len(edit.after)
        text = f"{text[: edit.out_start]}[{text[edit.out_start : end]}]{text[end:]}"
    return text


def baselines(model: Any, table: str, lines: Sequence[str], ours: Sequence[str]) -> dict[str, list[str]]:
    """The three baselines' first rewrite of each line."""
    from paraphrast.build.baseline import substitute_lines
    from paraphrast.formats.table_file import read_table_file
    from paraphrast.model import Control

    found = {"wordnet": substitute_lines(lines, read_table_file(table), match=ours)}
    for name in ("wordnet", "wordclusters"):
        control = Control(n=1, strength=1.0, tables=(name,), preset="uniform", vetoes=())
        best = [model.paraphrase(line, control) for line in lines]
        found[f"{name}+lm"] = [own[0].text if own else line for own, line in zip(best, lines, strict=True)]
    return found


def main() -> None:
    """Read the arguments, rewrite, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--baselines", help="a model with the tables wordnet and wordclusters")
    parser.add_argument(
        "--wordnet", help="the table wordnet as a file, for the baseline without a language model"
    )
    parser.add_argument("--precise", action="store_true")
    parser.add_argument("--strength", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    from paraphrast.model import Control, load

    model = load(asked.model)
    control = Control(n=TOP, strength=asked.strength, precise=asked.precise)
    report: dict[str, Any] = {}
    lines: list[str] = []
    best: list[str] = []
    for name, source in (("news", news), ("novels", novels), ("forum", forum)):
        drawn = draw(source(asked.data), asked.seed)
        distances, rewritten = [], 0
        print(f"## {name}")
        for line in drawn:
            found = model.paraphrase(line, control)
            print(f"{line}")
            for rewrite in found:
                print(f"  → {bracketed(rewrite)}")
            rewritten += bool(found)
            distances += [edit_distance(line.split(), one.text.split()) for one in found[:1]]
            lines.append(line)
            best.append(found[0].text if found else line)
        report[name] = {
            "sentences": len(drawn),
            "rewritten": rewritten,
            "mean_edit_distance": float(np.mean(distances)) if distances else 0.0,
        }
    if asked.baselines:
        chosen = list(range(0, len(lines), len(lines) // 10))[:10]
        some, ours = ([values[place] for place in chosen] for values in (lines, best))
        print("## baselines")
        made = baselines(load(asked.baselines), asked.wordnet, some, ours)
        for place, line in enumerate(some):
            print(line)
            for name, rewrites in made.items():
                print(f"  {name} → {rewrites[place]}")
    print(json.dumps(rounded(report), indent=2))


if __name__ == "__main__":
    main()
