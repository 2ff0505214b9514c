"""The pivot table, rule by rule: how many substitutes are right, how it grows, what agrees with people.

    python bench/pivot.py --data FOLDER --work MODEL.work --config CONFIG.toml [--growth 40000,80000] [--part rules,...]

MODEL.work is the kept work folder of ``paraphrast train CONFIG.toml -o MODEL --keep-work`` (English). FOLDER (or
PARAPHRAST_BENCH_DATA) holds ``substitution-gold/swords-v1.1_dev.json.gz`` and
``phrase-judgements/ppdb-sample.tsv.xz``. A substitute of SWORDS is right when at least half of its judges accept it;
its lemmata are matched with lemminflect. ``--growth`` cuts the aligned text of the work folder to its first lines,
extracts anew and measures the pivot stage alone, each size in a process of its own. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOP = 20
PARTS = ("pruning", "combine", "rules", "ranking", "judgements")


class Swords:
    """Words in context with judged substitutes; a word counts once a context."""

    def __init__(self, path: Path) -> None:
        content = json.loads(gzip.decompress(path.read_bytes()))
        labels = content["substitute_labels"]
        self.judged: dict[str, dict[str, bool]] = defaultdict(dict)
        for name, record in content["substitutes"].items():
            votes = labels[name]
            right = sum(vote.startswith("TRUE") for vote in votes) * 2 >= len(votes)
            known = self.judged[record["target_id"]]
            known[record["substitute"].lower()] = right or known.get(record["substitute"].lower(), False)
        self.targets = {name: record["target"].lower() for name, record in content["targets"].items()}
        self._lemmata: dict[str, tuple[str, ...]] = {}

    def lemmata(self, text: str) -> tuple[str, ...]:
        """The forms under which a substitute may have been judged."""
        if text not in self._lemmata:
            from lemminflect import getAllLemmas

            words = text.split()
            forms = {text}
            for place in {0, len(words) - 1}:
                for lemmas in getAllLemmas(words[place]).values():
                    forms |= {" ".join([*words[:place], lemma, *words[place + 1 :]]) for lemma in lemmas}
            self._lemmata[text] = (text, *sorted(forms - {text}))
        return self._lemmata[text]

    def score(self, ranked: dict[str, list[str]]) -> dict[str, float]:
        """ranked: word → its substitutes, best first. Of those judged: how many are right, and of each word's first."""
        judged = right = covered = first_judged = first_right = top_judged = top_right = 0
        for name, word in self.targets.items():
            rows = ranked.get(word, [])[:TOP]
            covered += bool(rows)
            verdicts = []
            own = set(self.lemmata(word))
            seen: set[str] = set()
            for place, text in enumerate(rows):
                if own & set(self.lemmata(text)):
                    continue  # an inflection of the word itself is no substitute
                form = next((f for f in self.lemmata(text) if f in self.judged[name]), None)
                if form is None or form in seen:
                    continue
                seen.add(form)
                verdicts.append(self.judged[name][form])
                if place == 0:
                    top_judged += 1
                    top_right += verdicts[-1]
            judged += len(verdicts)
            right += sum(verdicts)
            if verdicts:
                first_judged += 1
                first_right += verdicts[0]
        return {
            "words_covered": covered,
            "judged": judged,
            "right": round(right / max(judged, 1), 4),
            "rank_1_judged": top_judged,
            "rank_1_right": round(top_right / max(top_judged, 1), 4),
            "first_judged": first_judged,
            "first_judged_right": round(first_right / max(first_judged, 1), 4),
        }


class Bench:
    """A work folder opened once: phrase pairs, text, classes of words."""

    def __init__(self, data: Path, work: Path, config: Path) -> None:
        from paraphrast.engine import Engine
        from paraphrast.formats.vocabulary import load_vocabulary
        from paraphrast.tables.checks.filters import filter_classes
        from paraphrast.tables.checks.vetoes import word_classes
        from paraphrast.text import get_language
        from paraphrast.training.config import read_config
        from paraphrast.training.corpora import pivot_languages, read_pairs
        from paraphrast.training.recipe import make_recipe
        from paraphrast.training.work_folder import load_corpus
        from pivot_rows import merged_pairs

        self.data, self.work = data, work
        self.recipe = make_recipe(read_config(config))
        own = self.recipe.config.language
        self.languages = pivot_languages(self.recipe.config)
        with Engine(threads=1) as engine:
            self.vocabulary = load_vocabulary(engine, work / "text" / own / "vocab.parquet")
        self.phrases, self.categories, self.pairs, _ = merged_pairs(work, self.languages)
        self.corpus = load_corpus(self.recipe, work)
        language = get_language(own)
        self.classes = filter_classes(self.vocabulary, language)
        antonyms = read_pairs(self.recipe.config.antonyms) if self.recipe.config.antonyms else []
        self.word_classes = word_classes(self.vocabulary, language, antonyms)
        self.swords = Swords(data / "substitution-gold" / "swords-v1.1_dev.json.gz")

    def pivot(self, pairs: Any = None, **options: Any) -> Any:
        """The joined table."""
        from paraphrast.engine import Engine
        from paraphrast.tables.pivot.join import pivot

        with Engine(threads=1) as engine:
            return pivot(engine, pairs or self.pairs, replace(self.recipe.pivot, **options))

    def rows(self, table: Any, *, normalise: bool = True) -> Any:
        """Normalised rows, or those of the join as they are."""
        from pivot_rows import normalised_rows

        options = replace(self.recipe.pivot, normalise=normalise)
        return normalised_rows(table, self.phrases, self.categories, self.classes, self.corpus, options)

    def filter_bits(self, rows: Any) -> NDArray[np.uint16]:
        """The rules that each row breaks."""
        from paraphrast.tables.checks.filters import rule_bits

        return rule_bits(rows.phrases, rows.table.source, rows.table.target, self.classes)

    def veto_bits(self, rows: Any) -> NDArray[np.uint8]:
        """The vetoes that forbid each row."""
        from paraphrast.tables.checks.vetoes import veto_bits

        return veto_bits(rows.phrases, rows.table.source, rows.table.target, self.word_classes)

    def clean(self, rows: Any) -> NDArray[np.bool_]:
        """Rows that pass the filters on by default, and every veto."""
        from paraphrast.tables.options import FilterOptions

        return ((self.filter_bits(rows) & FilterOptions().bits) == 0) & (self.veto_bits(rows) == 0)

    def score(
        self, rows: Any, keep: NDArray[np.bool_] | None = None, rank: NDArray[np.float64] | None = None
    ) -> dict[str, float]:
        """SWORDS figures of rows ranked by ``both``, or as given."""
        table, phrases = rows.table, rows.phrases
        rank = table.features["both"].astype(np.float64) if rank is None else rank
        wanted = set(self.swords.targets.values())
        words = [word.lower() for word in self.vocabulary.words]
        asked = np.array([word in wanted for word in words])
        of_interest = asked[phrases.words[:, 0]] & (phrases.words[:, 1] < 0)
        chosen = of_interest[table.source]
        if keep is not None:
            chosen &= keep
        index = np.flatnonzero(chosen)
        order = index[np.lexsort((table.target[index], -rank[index], table.source[index]))]
        ranked: dict[str, list[str]] = defaultdict(list)
        for row in order.tolist():
            source = words[int(phrases.words[table.source[row], 0])]
            ranked[source].append(" ".join(words[w] for w in phrases.ids_of(int(table.target[row]))))
        return {"rows": len(table) if keep is None else int(keep.sum()), **self.swords.score(ranked)}


def pruning(bench: Bench) -> dict[str, Any]:
    """Translations kept before the join, significance, 1–1 entries: rows, mass, precision."""
    result: dict[str, Any] = {}
    for best in (5, 20, 50, 1000):
        began = time.process_time()
        table = bench.pivot(best_translations=best)
        used = time.process_time() - began
        rows = bench.rows(table)
        result[f"best_{best}"] = {
            "joined": len(table),
            "cpu_seconds": round(used, 2),
            "pruned": table.info.notes["pruned"],
            **bench.score(rows, bench.clean(rows)),
        }
    for threshold in ("a+e", 10.0):
        pairs, dropped = significant(bench, threshold)
        table = bench.pivot(pairs)
        rows = bench.rows(table)
        result[f"significance_{threshold}"] = {
            "joined": len(table),
            "pairs_dropped": dropped,
            **bench.score(rows, bench.clean(rows)),
        }
    return result


def significant(bench: Bench, threshold: str | float) -> tuple[list[Any], dict[str, float]]:
    """The phrase pairs that chance does not explain, and the share of each language's that it does."""
    from paraphrast.extract import _kernels_significance as k
    from paraphrast.extract.significance import SentenceCounts, _postings, significance
    from paraphrast.extract.spans import significance_threshold
    from paraphrast.training.extracted import load_extracted
    from paraphrast.training.work_folder import bitext_names, load_side

    own = bench.recipe.config.language
    result, dropped = [], {}
    for pairs in bench.pairs:
        names = bitext_names(bench.recipe, pairs.language)
        source, target = (load_side(bench.work, side, names) for side in (own, pairs.language))
        words = load_extracted(bench.work / f"extract-{pairs.language}").target_words
        source_begin, source_sentences = _postings(source, bench.phrases.words, pairs.source)
        target_begin, target_sentences = _postings(target, words, pairs.target)
        joint = k.shared_sentences(
            pairs.source, pairs.target, source_begin, source_sentences, target_begin, target_sentences
        )
        counts = SentenceCounts(
            joint, np.diff(source_begin)[pairs.source], np.diff(target_begin)[pairs.target], len(source)
        )
        least = significance_threshold(threshold, len(source))
        assert least is not None
        keep = significance(counts) >= least
        columns = ("source", "target", "count", "source_total", "target_total")
        result.append(replace(pairs, **{name: getattr(pairs, name)[keep] for name in columns}))
        dropped[pairs.language] = round(1 - float(keep.mean()), 4)
    return result, dropped


def combine(bench: Bench) -> dict[str, Any]:
    """Mixture, product of experts, weights, single languages."""
    trials: dict[str, dict[str, Any]] = {
        "mixture": {},
        "product": {"combine": "product"},
        "mixture_de_2": {"weights": {"de": 2.0}},
        "mixture_de_half": {"weights": {"de": 0.5}},
    }
    trials |= {
        f"only_{name}": {"weights": {other: float(other == name) for other in bench.languages}}
        for name in bench.languages
    }
    result = {}
    for name, options in trials.items():
        rows = bench.rows(bench.pivot(**options))
        result[name] = bench.score(rows, bench.clean(rows))
    return result


def rules(bench: Bench) -> dict[str, Any]:
    """Each rule after the one before it."""
    from paraphrast.tables.checks.vetoes import VETOES
    from paraphrast.tables.options import RULES, FilterOptions

    table = bench.pivot()
    rows = bench.rows(table, normalise=False)
    result = {"joined": bench.score(rows)}
    rejected = (bench.filter_bits(rows) & FilterOptions().bits) == 0
    result["filters_instead_of_trimming"] = bench.score(rows, rejected)
    rows = bench.rows(table)
    result["trim_and_merge"] = bench.score(rows)
    broken, forbidden = bench.filter_bits(rows), bench.veto_bits(rows)
    keep = np.ones(len(broken), np.bool_)
    for name, bit in RULES.items():
        if getattr(FilterOptions(), name):
            keep = keep & ((broken & bit) == 0)
            result[name] = bench.score(rows, keep)
    for name, bit in VETOES.items():
        keep = keep & ((forbidden & bit) == 0)
        result[f"veto_{name}"] = bench.score(rows, keep)
    result["substring, on request"] = bench.score(rows, keep & ((broken & RULES["substring"]) == 0))
    return result


def ranking(bench: Bench) -> dict[str, Any]:
    """Ranks by single columns, and by both with contexts or syntax beside it."""
    from paraphrast.tables.pivot.contexts import context_feature, context_vectors, cosines
    from paraphrast.training.pivot_features import LOWEST_SYNTAX, syntax_feature
    from pivot_rows import renumbered

    rows = bench.rows(bench.pivot())
    rows = renumbered(rows.take(np.flatnonzero(bench.clean(rows))))
    table = rows.table
    began = time.process_time()
    vectors = context_vectors(bench.corpus.sentences, rows.phrases, len(bench.vocabulary))
    context_cpu = time.process_time() - began
    cosine = cosines(vectors, table.source, table.target)
    context = np.nan_to_num(context_feature(cosine)).astype(np.float64)
    both, score = (table.features["both"].astype(np.float64), table.score.astype(np.float64))
    syntax = np.nan_to_num(syntax_feature(rows.categories, table.source, table.target)).astype(np.float64)
    languages = table.features["languages"].astype(np.float64)
    trials = {
        "score": score,
        "both": both,
        "context": context,
        "both+0.5*context": both + 0.5 * context,
        "both+1*context": both + context,
        "both+2*context": both + 2 * context,
        "both+4*context": both + 4 * context,
        "both+syntax": both + syntax,
        "both+languages": both + languages,
        "both+2*context+syntax+languages": both + 2 * context + syntax + languages,
    }
    result: dict[str, Any] = {name: bench.score(rows, rank=rank) for name, rank in trials.items()}
    agree = syntax > np.log(LOWEST_SYNTAX) + 1e-6
    result["both, syntax required"] = bench.score(rows, agree)
    result["context_cpu_seconds"] = round(context_cpu, 2)
    result["context_phrases"] = len(rows.phrases)
    return result


def judgements(bench: Bench) -> dict[str, Any]:
    """Spearman of the columns with the mean of five people's scores of phrase pairs, where the table has them."""
    from scipy.stats import spearmanr

    from paraphrast.tables.pivot.contexts import context_feature, context_vectors, cosines
    from paraphrast.training.pivot_features import syntax_feature
    from pivot_rows import renumbered

    rows = renumbered(bench.rows(bench.pivot(min_probability=0.0)))
    table = rows.table
    vectors = context_vectors(bench.corpus.sentences, rows.phrases, len(bench.vocabulary))
    words = [word.lower() for word in bench.vocabulary.words]
    spelled: dict[str, list[int]] = defaultdict(list)
    for phrase in range(len(rows.phrases)):
        spelled[" ".join(words[w] for w in rows.phrases.ids_of(phrase))].append(phrase)
    key = table.keys
    order = np.argsort(key)
    ordered = key[order]
    gold, found = [], []
    total = 0
    with lzma.open(bench.data / "phrase-judgements" / "ppdb-sample.tsv.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            mean, _, first, second, *_ = line.rstrip("\n").split("\t")
            total += 1
            candidates = []
            for source in spelled.get(first, []):
                for target in spelled.get(second, []):
                    wanted = (source << 32) | target
                    place = int(np.searchsorted(ordered, wanted))
                    if place < len(ordered) and ordered[place] == wanted:
                        candidates.append(int(order[place]))
            if candidates:
                best = max(candidates, key=lambda row: float(table.features["both"][row]))
                gold.append(float(mean))
                found.append(best)
    index = np.array(found, dtype=np.int64)
    cosine = cosines(vectors, table.source[index], table.target[index])
    context = np.nan_to_num(context_feature(cosine)).astype(np.float64)
    both = table.features["both"][index].astype(np.float64)
    syntax = np.nan_to_num(syntax_feature(rows.categories, table.source[index], table.target[index])).astype(
        np.float64
    )
    trials = {
        "score": table.score[index].astype(np.float64),
        "reverse": table.features["reverse"][index].astype(np.float64),
        "both": both,
        "context": np.nan_to_num(cosine).astype(np.float64),
        "both+1*context": both + context,
        "both+2*context": both + 2 * context,
        "both+4*context": both + 4 * context,
        "both+2*context+syntax": both + 2 * context + syntax,
        "languages": table.features["languages"][index].astype(np.float64),
    }
    result: dict[str, Any] = {"pairs": total, "covered": len(index)}
    for name, values in trials.items():
        result[name] = round(float(spearmanr(values, gold).statistic), 4)
    return result


def growth(work: Path, config: Path, sizes: list[int]) -> list[dict[str, Any]]:
    """The pivot stage alone on the first lines of an aligned text, each size in a process of its own."""
    result = []
    for lines in sizes:
        run = subprocess.run(
            [sys.executable, __file__, "--work", str(work), "--config", str(config), "--once", str(lines)],
            capture_output=True,
            text=True,
            check=True,
        )
        result.append(json.loads(run.stdout))
    return result


def once(work: Path, config: Path, lines: int) -> dict[str, Any]:
    """Cut, extract in a process that ends, then the pivot stage in this one."""
    from paraphrast.training import pivot as pivoting
    from paraphrast.training.config import read_config
    from paraphrast.training.recipe import Resources, make_recipe

    with tempfile.TemporaryDirectory(prefix="pivot-bench-") as folder:
        cut = Path(folder)
        command = [
            sys.executable,
            __file__,
            "--work",
            str(work),
            "--config",
            str(config),
            "--cut",
            str(lines),
        ]
        if lines:
            subprocess.run([*command, folder], check=True, stdout=subprocess.DEVNULL)
        recipe = make_recipe(read_config(config))
        target = cut / "pivot"
        target.mkdir()
        before = resource.getrusage(resource.RUSAGE_SELF)
        note = pivoting.pivot_table(recipe, Resources(1), cut if lines else work, target, lambda *_: None)
        after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "lines": lines,
        "note": note,
        "cpu_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
        "peak_megabytes": round(after.ru_maxrss * 1024 / 1e6, 1),
    }


def cut_work(work: Path, config: Path, lines: int, folder: Path) -> None:
    """The first lines of a work folder's only bitext, extracted anew with the links it has."""
    from paraphrast.training.config import read_config
    from paraphrast.training.corpora import pivot_languages
    from paraphrast.training.extract import extract_phrases
    from paraphrast.training.recipe import Resources, make_recipe

    recipe = make_recipe(read_config(config))
    own = recipe.config.language
    languages = pivot_languages(recipe.config)
    tokens = {}
    for language in [own, *languages]:
        source, target = work / "text" / language, folder / "text" / language
        (target / "b0").mkdir(parents=True)
        shutil.copyfile(source / "vocab.parquet", target / "vocab.parquet")
        starts = np.load(source / "b0" / "starts.npy", mmap_mode="r")[: lines + 1]
        tokens[language] = int(starts[-1])
        np.save(target / "b0" / "starts.npy", starts)
        for name in ("tokens", "space_before", "char_start", "char_end"):
            if (source / "b0" / f"{name}.npy").exists():
                np.save(target / "b0" / f"{name}.npy", np.load(source / "b0" / f"{name}.npy")[: starts[-1]])
    (folder / "tags").mkdir()
    if recipe.config.tagger is not None:
        np.save(folder / "tags" / "b0.npy", np.load(work / "tags" / "b0.npy")[: tokens[own]])
    step: Callable[..., None] = lambda *_: None  # noqa: E731
    for language in languages:
        aligned = folder / f"align-{language}"
        aligned.mkdir()
        starts = np.load(work / f"align-{language}" / "starts.npy", mmap_mode="r")[: lines + 1]
        np.save(aligned / "starts.npy", starts)
        for name in ("source", "target"):
            np.save(
                aligned / f"{name}.npy", np.load(work / f"align-{language}" / f"{name}.npy")[: starts[-1]]
            )
        extracted = folder / f"extract-{language}"
        extracted.mkdir()
        extract_phrases(recipe, Resources(1), folder, extracted, step, language)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA", ""))
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--part", default=",".join(PARTS), help=f"of {', '.join(PARTS)}, by comma")
    parser.add_argument("--growth", default="", help="lines, by comma; 0 takes the folder as it is")
    parser.add_argument("--once", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--cut", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cut:
        cut_work(arguments.work, arguments.config, int(arguments.cut[0]), Path(arguments.cut[1]))
        return
    if arguments.once is not None:
        print(json.dumps(once(arguments.work, arguments.config, arguments.once)))
        return
    report: dict[str, Any] = {}
    if arguments.part:
        bench = Bench(Path(arguments.data), arguments.work, arguments.config)
        for part in arguments.part.split(","):
            report[part] = globals()[part](bench)
    if arguments.growth:
        sizes = [int(size) for size in arguments.growth.split(",")]
        report["growth"] = growth(arguments.work, arguments.config, sizes)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
