"""The tables of pivoting, of the paper's graph and of walks beside each other: judgements of PPDB, and lists.

    python bench/graph.py … --options '{"method": "paper"}' --rows PAPER.tsv
    python bench/graph_tables.py --data DATA --work MODEL.work --config MODEL.toml --paper PAPER.tsv [--phrases 30]

MODEL.work is the kept folder of a training run whose tables are joined; pivot and walks are those of the run. All three
tables have the best twenty rows per phrase and pass the same filters and vetoes. Prints Spearman's ρ with judgements
of ``ppdb-sample`` on the pairs that each table has, on those that two have, and on those that all have; then the best
five of phrases drawn by seed from those with at least five rows in each table.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
import random
from pathlib import Path
from typing import Any

Table = dict[str, dict[str, float]]
DRAWS = 500


def read_rows(path: Path) -> Table:
    """Rows that ``bench/graph.py --rows`` wrote: phrase → paraphrase → score, best first."""
    table: Table = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            phrase, paraphrase, score = line.rstrip("\n").split("\t")
            table.setdefault(phrase, {})[paraphrase] = float(score)
    return table


def joined_tables(work: Path, recipe: Any) -> dict[str, Table]:
    """The tables of pivoting and of walks in a work folder, without rows that the default filters drop."""
    from paraphrast.build.graph_walks import row_filter
    from paraphrast.engine import Engine
    from paraphrast.formats.phrases import load_phrases
    from paraphrast.formats.table_file import load_table
    from paraphrast.formats.vocabulary import load_vocabulary
    from paraphrast.tables.options import FilterOptions
    from paraphrast.training.corpora import read_pairs

    code = recipe.config.language
    with Engine(threads=1) as engine:
        words = load_vocabulary(engine, work / "text" / code / "vocab.parquet").words
        phrases, _ = load_phrases(engine, work / "tables" / "phrases.parquet")
        loaded = {
            name: load_table(engine, work / "tables" / f"{name}.parquet") for name in ("pivot", "graph")
        }
    antonyms = read_pairs(recipe.config.antonyms) if recipe.config.antonyms else []
    keep = row_filter(phrases, words, code, FilterOptions(), antonyms)
    texts = [" ".join(words[word] for word in row if word >= 0) for row in phrases.words.tolist()]
    tables = {}
    for name, rows in loaded.items():
        good = keep(rows.source, rows.target)
        table: Table = {}
        columns = rows.source[good].tolist(), rows.target[good].tolist(), rows.score[good].tolist()
        for source, target, score in zip(*columns, strict=True):
            table.setdefault(texts[source], {})[texts[target]] = score
        tables["walks" if name == "graph" else name] = table
    return tables


def judged_scores(path: Path, tables: dict[str, Table]) -> tuple[Any, dict[str, Any]]:
    """Mean judgement of every pair, and its score in each table (NaN if it has none); case does not count."""
    import numpy as np

    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t")[:4] for line in lines]
    pairs = [(source.lower(), target.lower()) for _, _, source, target in rows]
    wanted, scores = set(pairs), {}
    for name, table in tables.items():
        best: dict[tuple[str, str], float] = {}
        for phrase, row in table.items():
            for paraphrase, score in row.items():
                pair = phrase.lower(), paraphrase.lower()
                if pair in wanted:
                    best[pair] = max(score, best.get(pair, -np.inf))
        scores[name] = np.array([best.get(pair, np.nan) for pair in pairs])
    return np.array([float(row[0]) for row in rows]), scores


def correlation(score: Any, truth: Any) -> str:
    """Spearman's ρ with a bootstrap interval of 95 %."""
    import numpy as np
    from scipy.stats import spearmanr

    generator = np.random.default_rng(23)
    draws = []
    for _ in range(DRAWS):
        chosen = generator.integers(0, len(truth), len(truth))
        draws.append(spearmanr(score[chosen], truth[chosen])[0])
    low, high = np.quantile(draws, (0.025, 0.975))
    return f"{spearmanr(score, truth)[0]:.3f} ({low:.3f} to {high:.3f})"


def print_judgements(truth: Any, scores: dict[str, Any]) -> None:
    """A line for each set of tables: the pairs that all of them have."""
    import numpy as np

    print(f"| pairs in ({len(truth):,} judged) | number | mean judgement | {' | '.join(scores)} |")
    print(f"|---|---|---|{'---|' * len(scores)}")
    for size in (1, 2, 3):
        for names in itertools.combinations(scores, size):
            covered = np.all([~np.isnan(scores[name]) for name in names], axis=0)
            cells = [
                correlation(scores[name][covered], truth[covered]) if name in names else "" for name in scores
            ]
            mean = truth[covered].mean()
            print(f"| {', '.join(names)} | {covered.sum()} | {mean:.2f} | {' | '.join(cells)} |")


def print_lists(tables: dict[str, Table], phrases: int, seed: int) -> None:
    """The best five of each table, unedited."""
    full = sorted(
        set.intersection(*({p for p, row in table.items() if len(row) >= 5} for table in tables.values()))
    )
    print(f"\n{len(full):,} phrases have five rows or more in each table\n")
    print(f"| phrase | {' | '.join(tables)} |\n|---|{'---|' * len(tables)}")
    for phrase in sorted(random.Random(seed).sample(full, min(phrases, len(full)))):
        cells = []
        for table in tables.values():
            ranked = sorted(table[phrase].items(), key=lambda item: (-item[1], item[0]))
            cells.append(", ".join(text for text, _ in ranked[:5]))
        print(f"| {phrase} | {' | '.join(cells)} |")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, type=Path, help="folder with phrase-judgements/")
    parser.add_argument("--work", required=True, type=Path, help="kept work folder of a training run")
    parser.add_argument("--config", required=True, help="its configuration")
    parser.add_argument("--paper", required=True, type=Path, help="rows of the paper's method")
    parser.add_argument("--phrases", type=int, default=30, help="how many lists are shown")
    parser.add_argument("--seed", type=int, default=23)
    given = parser.parse_args()
    from paraphrast.training.config import read_config
    from paraphrast.training.recipe import make_recipe

    joined = joined_tables(given.work, make_recipe(read_config(given.config)))
    tables = {"pivot": joined["pivot"], "paper": read_rows(given.paper), "walks": joined["walks"]}
    for name, table in tables.items():
        print(f"{name}: {sum(map(len, table.values())):,} rows of {len(table):,} phrases")
    print()
    print_judgements(*judged_scores(given.data / "phrase-judgements" / "ppdb-sample.tsv.xz", tables))
    print_lists(tables, given.phrases, given.seed)


if __name__ == "__main__":
    main()
