"""What the graph of a phrase table costs and gives: growth, speed, judgements, lists side by side.

    python bench/graph.py --data DATA --work MODEL.work --config MODEL.toml [--languages de] [--sizes 40000,…]

MODEL.work is the kept folder of ``train --keep-work`` on the bitext. A size takes the first sentence pairs of the first
bitext, with the links of the whole run, and extracts from them in a process of its own, which is not measured. Each
measurement runs in a process of its own; seconds are of the processor.
"""

from __future__ import annotations

import argparse
import json
import lzma
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

MEGA = 1e6


def main() -> None:
    """Print one JSON object: a list of measurements, one a size and variant."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="folder with phrase-judgements/")
    parser.add_argument("--work", required=True, help="kept work folder of a training run")
    parser.add_argument("--config", required=True, help="its configuration")
    parser.add_argument("--languages", default="de", help="pivots, by comma; several share one graph")
    parser.add_argument("--sizes", default="0", help="sentences, by comma; 0 is all")
    parser.add_argument("--options", default="{}", help="options of [graph], as JSON")
    parser.add_argument("--side", default="source")
    parser.add_argument("--lists", type=int, default=0, help="common phrases whose best five are shown")
    parser.add_argument("--plots", help="folder for pictures of figs. 5, 6 and 9")
    parser.add_argument("--rows", help="TSV for the best twenty rows per phrase that pass filters and vetoes")
    parser.add_argument("--cuts", help="folder that keeps the phrase pairs of smaller sizes for another run")
    parser.add_argument("--apart", choices=("cut", "measure"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.apart == "cut":
        cut_work(given)
    elif given.apart == "measure":
        print(json.dumps(measure(given), ensure_ascii=False))
    else:
        with tempfile.TemporaryDirectory() as folder:
            given.cuts = given.cuts or folder
            for size in given.sizes.split(","):
                if int(size) and not cut_folder(given, size).exists():
                    run_apart(given, size, "cut")
            results = [json.loads(run_apart(given, size, "measure")) for size in given.sizes.split(",")]
        json.dump(results, sys.stdout, ensure_ascii=False, indent=1)


def run_apart(given: argparse.Namespace, size: str, what: str) -> str:
    """What a process of its own prints for one size."""
    command = [sys.executable, __file__, "--apart", what, "--sizes", size]
    names = ("data", "work", "config", "languages", "options", "side", "lists", "plots", "rows", "cuts")
    for name in names:
        value = getattr(given, name)
        if value is not None:
            command += [f"--{name}", str(value)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def cut_folder(given: argparse.Namespace, size: str) -> Path:
    """Where the work folder of the first ``size`` sentence pairs is."""
    return Path(given.cuts) / f"{given.languages.replace(',', '-')}-{size}"


def first_bitext(recipe: Any) -> Any:
    """The recipe with its first bitext only, and without reordering."""
    config = replace(recipe.config, bitext=recipe.config.bitext[:1], text=())
    return replace(recipe, config=config, orientation="none")


def cut_work(given: argparse.Namespace) -> None:
    """Write a work folder with the first sentence pairs of the first bitext: text, tags, links, phrase pairs."""
    import numpy as np

    from paraphrast.formats.sentences import load_sentences
    from paraphrast.training.config import read_config
    from paraphrast.training.extract import extract_phrases
    from paraphrast.training.recipe import Resources, make_recipe
    from paraphrast.training.work_folder import load_links

    recipe = first_bitext(make_recipe(read_config(given.config)))
    languages, size = given.languages.split(","), int(given.sizes)
    work, final = Path(given.work), cut_folder(given, given.sizes)
    folder = final.with_name(f"{final.name}.part")
    own = recipe.config.language

    def save(name: str, **arrays: Any) -> None:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for key, values in arrays.items():
            np.save(folder / name / f"{key}.npy", values, allow_pickle=False)

    for language in (own, *languages):
        whole = load_sentences(work / "text" / language / "b0")
        if size >= len(whole.starts):
            sys.exit(f"--sizes: expected at most {len(whole.starts) - 1:,} sentence pairs, got {size:,}")
        end = int(whole.starts[size])
        arrays = {"tokens": whole.tokens[:end], "space_before": whole.space_before[:end]}
        save(f"text/{language}/b0", starts=whole.starts[: size + 1], **arrays)
        (folder / "text" / language / "vocab.parquet").symlink_to(
            (work / "text" / language / "vocab.parquet").resolve()
        )
        if language == own:
            save("tags", b0=np.load(work / "tags" / "b0.npy", mmap_mode="r", allow_pickle=False)[:end])
    for language in languages:
        links = load_links(work / f"align-{language}")
        end = int(links.starts[size])
        ends = {"source": links.source[:end], "target": links.target[:end]}
        save(f"align-{language}", starts=links.starts[: size + 1], **ends)
        save(f"extract-{language}")
        output = folder / f"extract-{language}"
        extract_phrases(recipe, Resources(1), folder, output, lambda *_: None, language)
    folder.rename(final)


class Laps:
    """Processor seconds and peak memory after each step."""

    def __init__(self) -> None:
        self.steps: dict[str, dict[str, float]] = {}
        self._last = time.process_time()

    def __call__(self, name: str) -> None:
        now = time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGA
        self.steps[name] = {"cpu_seconds": round(now - self._last, 2), "peak_megabytes": round(peak)}
        self._last = now


def growth_figures(run: Any) -> dict[str, object]:
    """What happened at each step of a ``GraphRun``, as plain values."""
    import numpy as np

    report, graphs = run.clustered.report, run.walked.graphs
    sizes = np.diff(graphs.phrase_start)
    return {
        "entries": run.report.entries,
        "one_to_one_share": round(run.report.share, 4),
        "vertices": report.vertices,
        "components": len(report.components),
        "giant": int(report.components[0]) if len(report.components) else 0,
        "giant_rounds": [list(one.giants[:3]) for one in report.rounds],
        "residues": report.residues,
        "residue_rounds": [asdict(one) for one in report.residue_rounds],
        "sub_tables": len(run.clustered.tables),
        "decomposed": report.decomposed,
        "clusters": [len(one.member_start) - 1 for one in (run.clustered.source, run.clustered.target)],
        "graphs": len(graphs),
        "graphs_dropped": graphs.dropped,
        "phrases_in_dropped": graphs.dropped_phrases,
        "mean_phrases": round(float(sizes.mean()), 3) if len(sizes) else 0.0,
        "inflated_share": round(float(graphs.inflated.mean()), 3) if len(graphs.inflated) else 0.0,
        "count_rounds": int(run.walked.counts.rounds.max()) if len(graphs) else 0,
        "rows": len(run.ranked),
        "phrases": len(np.unique(run.ranked.source)),
    }


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """One size and variant, from phrase pairs to judgements."""
    import numpy as np

    from paraphrast._options import from_mapping
    from paraphrast.build.graph import GraphRun, as_graph
    from paraphrast.build.graph_input import side_features
    from paraphrast.build.options import GraphTableOptions
    from paraphrast.graph import Idf, cocluster, sub_tables
    from paraphrast.graph.commute import count_graphs
    from paraphrast.graph.counts import MixOptions, rank_paraphrases
    from paraphrast.graph.monolingual import build_graphs
    from paraphrast.graph.walks import Clustered, Walked
    from paraphrast.training.config import read_config
    from paraphrast.training.recipe import make_recipe

    recipe = make_recipe(read_config(given.config))
    options = from_mapping(GraphTableOptions, json.loads(given.options))
    if options.method == "walks":
        return measure_walks(given, recipe, options)
    how = options.walk
    languages, size = given.languages.split(","), int(given.sizes)
    warm_up()
    lap = Laps()
    pairs = read_pairs(given, recipe)
    lap("phrase pairs and tags")
    graph, report = as_graph(pairs)
    tables, decomposed = sub_tables(graph, how.decompose)
    lap("sub-tables")
    source, target = cocluster(graph, tables, how.cocluster)
    lap("clusters")
    own = pairs.source_side if given.side == "source" else pairs.target_side
    features, stems = side_features(own, tags=options.tags, stems=options.stems, lemmata=options.lemmata)
    lap("features")
    idf = Idf(tables, source if given.side == "source" else target)
    graphs = build_graphs(graph, tables, source, target, given.side, idf, how.graphs)
    lap("graphs")
    counts = count_graphs(graphs, features, how.counts)
    lap("commute times and counts")
    ranked = rank_paraphrases(graphs, counts, features, MixOptions(how.mix.generators, top=0))
    lap("mixture and ranking")
    run = GraphRun(
        Clustered(graph, tables, source, target, decomposed),
        Walked(graphs, counts, ranked),
        features,
        own,
        stems,
        report,
        options,
        given.side,
    )
    figures = growth_figures(run)
    first = np.r_[True, ranked.source[1:] != ranked.source[:-1]]
    place = np.arange(len(ranked)) - np.maximum.accumulate(np.where(first, np.arange(len(ranked)), 0))
    figures["rows_top_20"] = int((place < 20).sum())
    walk = ("sub-tables", "clusters", "features", "graphs", "commute times and counts", "mixture and ranking")
    seconds = sum(lap.steps[name]["cpu_seconds"] for name in walk)
    result: dict[str, Any] = {
        "sentences": size or "all",
        "languages": languages,
        "options": json.loads(given.options),
        **figures,
        "steps": lap.steps,
        "walk_cpu_seconds": round(seconds, 1),
        "phrases_per_second": round(float(figures["phrases"]) / seconds),  # type: ignore[arg-type]
    }
    if given.rows:
        write_rows(given.rows, pairs, ranked, stage_filter(own, recipe))
    if given.side == "source":
        judged = judge(Path(given.data), pairs, ranked)
        result["ppdb_sample"] = judged
        if given.lists:
            result["best_five"] = lists(pairs, ranked, given.lists)
    if given.plots:
        result["power_law"] = draw(run, Path(given.plots))
        lap("all vertex pairs and pictures")
    return result


def measure_walks(given: argparse.Namespace, recipe: Any, options: Any) -> dict[str, Any]:
    """One size of discounted walks, from phrase pairs to judgements."""
    import numpy as np

    from paraphrast.build.graph_input import side_features
    from paraphrast.build.graph_walks import as_translation_graph
    from paraphrast.graph.agreement import make_agreement
    from paraphrast.graph.discounted import translation_graph, walk_paraphrases

    languages, size = given.languages.split(","), int(given.sizes)
    one = np.zeros(1, np.int64)  # compile before anything is measured
    walk_paraphrases(translation_graph(one, one, one + 1, one + 1, one + 1, one, (1, 1, 1)))
    lap = Laps()
    pairs = read_pairs(given, recipe)
    lap("phrase pairs and tags")
    side = pairs.source_side if given.side == "source" else pairs.target_side
    graph = as_translation_graph(pairs, given.side)
    lap("graph")
    features, _ = side_features(side, tags=options.tags, stems=False)
    agreement = make_agreement(features, side.category if options.tags else None)
    keep = stage_filter(side, recipe)
    lap("features")
    rows = walk_paraphrases(graph, agreement, options.walks, keep=keep)
    lap("walks, filters and ranking")
    seconds = sum(
        lap.steps[name]["cpu_seconds"] for name in ("graph", "features", "walks, filters and ranking")
    )
    result: dict[str, Any] = {
        "sentences": size or "all",
        "languages": languages,
        "options": json.loads(given.options),
        "entries": len(pairs.count),
        "rows": len(rows),
        "phrases": len(np.unique(rows.source)),
        "steps": lap.steps,
        "walk_cpu_seconds": round(seconds, 1),
    }
    if given.rows:
        write_rows(given.rows, pairs, rows, keep)
    if given.side == "source":
        every = replace(options.walks, top=0)
        asked = {source for source, _ in judged_pairs(Path(given.data), pairs)[2]}
        sources = np.array(sorted(asked), np.int32)
        judged = walk_paraphrases(graph, agreement, every, sources=sources)
        result["ppdb_sample"] = judge(Path(given.data), pairs, judged)
        if given.lists:
            result["best_five"] = lists(pairs, rows, given.lists)
    return result


def stage_filter(side: Any, recipe: Any) -> Any:
    """The filters and vetoes of the stage."""
    from paraphrast.build.graph_walks import row_filter
    from paraphrast.tables.options import FilterOptions
    from paraphrast.training.corpora import read_pairs as read_antonyms
    from paraphrast.types import Phrases

    antonyms = read_antonyms(recipe.config.antonyms) if recipe.config.antonyms else []
    phrases = Phrases(side.words, side.glue)
    return row_filter(phrases, side.vocabulary, side.language, FilterOptions(), antonyms)


def warm_up() -> None:
    """Compile, or load from the cache, before anything is measured."""
    import numpy as np

    from paraphrast.graph import Idf, cocluster, phrase_graph, sub_tables
    from paraphrast.graph.commute import count_graphs
    from paraphrast.graph.counts import rank_paraphrases, vertex_pairs
    from paraphrast.graph.features import no_features
    from paraphrast.graph.monolingual import build_graphs

    source, target = np.divmod(np.arange(6), 2)
    graph, _ = phrase_graph(source, target, np.arange(6) + 3, np.full(6, 99), np.full(6, 99), 3, 2)
    tables, _ = sub_tables(graph)
    clusters = cocluster(graph, tables)
    graphs = build_graphs(graph, tables, *clusters, "source", Idf(tables, clusters[0]))
    counts = count_graphs(graphs, no_features(3))
    rank_paraphrases(graphs, counts, no_features(3))
    vertex_pairs(graphs, counts, no_features(3))


def read_pairs(given: argparse.Namespace, recipe: Any) -> Any:
    """Phrase pairs of the whole run, or of the first sentence pairs of its first bitext."""
    from paraphrast.training.graph_input import from_work

    languages = given.languages.split(",")
    if not int(given.sizes):
        return from_work(recipe, Path(given.work), languages)
    return from_work(first_bitext(recipe), cut_folder(given, given.sizes), languages)


def write_rows(path: str, pairs: Any, rows: Any, keep: Any) -> None:
    """The best twenty rows of each phrase that pass the filters: phrase, paraphrase, P(paraphrase | phrase)."""
    import numpy as np

    from paraphrast.build.graph import phrases_of

    places = np.flatnonzero(keep(rows.source, rows.target))
    source, target, score = rows.source[places], rows.target[places], rows.score[places]
    order = np.lexsort((target, -score, source))
    source, target, score = source[order], target[order], score[order]
    first = np.r_[True, source[1:] != source[:-1]]
    rank = np.arange(len(source)) - np.maximum.accumulate(np.where(first, np.arange(len(source)), 0))
    best = rank < 20
    texts = phrases_of(pairs.source_side, range(len(pairs.source_side.words)))
    with open(path, "w", encoding="utf-8") as writer:
        for s, t, p in zip(source[best].tolist(), target[best].tolist(), score[best].tolist(), strict=True):
            writer.write(f"{texts[s]}\t{texts[t]}\t{p:.6g}\n")


def pivot_rows(pairs: Any) -> tuple[Any, Any]:
    """p(t|s) and p(s′|t) of eq. 22 as sparse matrices, one to one entries left out as in the graph."""
    import numpy as np
    from scipy import sparse

    single = (pairs.count == pairs.source_side.total[pairs.source]) & (
        pairs.count == pairs.target_side.total[pairs.target]
    )
    s, t, n = pairs.source[~single], pairs.target[~single], pairs.count[~single].astype(np.float64)
    shape = (len(pairs.source_side.words), len(pairs.target_side.words))
    forward = sparse.csr_matrix((n / np.bincount(s, n, shape[0])[s], (s, t)), shape)
    backward = sparse.csr_matrix((n / np.bincount(t, n, shape[1])[t], (t, s)), (shape[1], shape[0]))
    return forward, backward


def judged_pairs(data: Path, pairs: Any) -> tuple[int, list[float], list[tuple[int, int]]]:
    """How many judged pairs there are; judgements and phrase numbers of those with both phrases known."""
    import numpy as np

    from paraphrast.build.graph import phrases_of

    texts = phrases_of(pairs.source_side, range(len(pairs.source_side.words)))
    number: dict[str, int] = {}
    for phrase in np.argsort(-pairs.source_side.total, kind="stable").tolist():
        number.setdefault(texts[phrase].lower(), phrase)
    gold, asked = [], []
    with lzma.open(data / "phrase-judgements" / "ppdb-sample.tsv.xz", "rt", encoding="utf-8") as lines:
        total = 0
        for line in lines:
            score, _, source, target, *_ = line.rstrip("\n").split("\t")
            total += 1
            if source.lower() in number and target.lower() in number:
                gold.append(float(score))
                asked.append((number[source.lower()], number[target.lower()]))
    return total, gold, asked


def judge(data: Path, pairs: Any, ranked: Any) -> dict[str, Any]:
    """Spearman of both methods' scores with the judgements, on the pairs each covers and on those of both; on the last
    also of the sum of both log scores."""
    import numpy as np
    from scipy.stats import spearmanr

    total, gold, asked = judged_pairs(data, pairs)
    wanted = np.isin(ranked.source, [source for source, _ in asked])
    value = {
        (int(s), int(t)): p
        for s, t, p in zip(ranked.source[wanted], ranked.target[wanted], ranked.score[wanted], strict=True)
    }
    forward, backward = pivot_rows(pairs)
    graph_scores = np.array([value.get(pair, np.nan) for pair in asked])
    columns = backward.tocsc()
    pivot_scores = np.array([float((forward[s] @ columns[:, t]).sum()) for s, t in asked])
    pivot_scores[pivot_scores == 0] = np.nan
    truth = np.array(gold)
    result: dict[str, Any] = {"pairs": total, "both_phrases_known": len(asked)}
    both = ~np.isnan(graph_scores) & ~np.isnan(pivot_scores)
    for name, scores in (("graph", graph_scores), ("pivot", pivot_scores)):
        has = ~np.isnan(scores)
        result[name] = {
            "covered": int(has.sum()),
            "spearman": round(float(spearmanr(scores[has], truth[has])[0]), 4) if has.sum() > 2 else None,
            "mean_judgement": round(float(truth[has].mean()), 3) if has.any() else None,
            "spearman_on_common": round(float(spearmanr(scores[both], truth[both])[0]), 4)
            if both.sum() > 2
            else None,
        }
    result["common"] = int(both.sum())
    summed = np.log(graph_scores[both]) + np.log(pivot_scores[both])
    result["both_on_common"] = round(float(spearmanr(summed, truth[both])[0]), 4) if both.sum() > 2 else None
    only = ~np.isnan(pivot_scores) & np.isnan(graph_scores)
    result["mean_judgement_pivot_only"] = round(float(truth[only].mean()), 3) if only.any() else None
    return result


def lists(pairs: Any, ranked: Any, number: int) -> list[dict[str, Any]]:
    """The best five of both for the most frequent phrases of one, two and three words: content words at both ends,
    lower case."""
    import numpy as np

    from paraphrast.build.graph import phrases_of
    from paraphrast.text import get_language
    from paraphrast.types import FIRST_WORD

    side = pairs.source_side
    language = get_language(side.language)
    forward, backward = pivot_rows(pairs)
    lengths = (side.words >= 0).sum(axis=1)
    content = np.array(
        [
            place >= FIRST_WORD
            and word.lower() not in language.function_words
            and word.isalpha()
            and word.islower()
            for place, word in enumerate(side.vocabulary)
        ]
    )
    known = np.isin(np.arange(len(lengths)), ranked.source)
    best = []
    for length in (1, 2, 3):
        fits = (lengths == length) & known & content[side.words[np.arange(len(lengths)), lengths - 1]]
        fits &= (side.words[:, :length] >= FIRST_WORD).all(axis=1) & content[np.maximum(side.words[:, 0], 0)]
        ids = np.flatnonzero(fits)
        best += ids[np.argsort(-side.total[ids], kind="stable")[: number // 3]].tolist()
    found = []
    for phrase in best:
        row = np.asarray((forward[phrase] @ backward).todense()).ravel()
        row[phrase] = 0
        by_pivot = np.lexsort((np.arange(len(row)), -row))[:5]
        by_graph = ranked.target[ranked.source == phrase][:5]
        found.append(
            {
                "phrase": phrases_of(side, [phrase])[0],
                "pivot": phrases_of(side, [int(n) for n in by_pivot if row[n] > 0]),
                "graph": phrases_of(side, by_graph.tolist()),
            }
        )
    return found


def draw(run: Any, folder: Path) -> dict[str, Any]:
    """Figs. 5, 6 and 9, and the exponent of the last."""
    from paraphrast.graph import draw_components, draw_sub_tables
    from paraphrast.graph.powerlaw import draw_power_law, fit_power_law

    folder.mkdir(parents=True, exist_ok=True)
    law = fit_power_law(run.pairs().count)
    pictures = {
        "components": draw_components(run.clustered.report),
        "sub-tables": draw_sub_tables(run.clustered.report),
        "counts": draw_power_law(law),
    }
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture.to_svg(), encoding="utf-8")
    return {"pairs": law.pairs, "exponent": round(law.exponent, 4), "r2": round(law.fit, 4)}


if __name__ == "__main__":
    main()
