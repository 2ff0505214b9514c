"""Outputs of Quirk et al.'s (2004, §4) systems for raters: MSA, WN, WN+LM, CL and ours.

    python bench/quirk_outputs.py --data FOLDER --work FOLDER -o FOLDER [--precise]

Two sets of sentences stand for the paper's 59 + 141. **captions**: 59 captions that Barzilay and Lee's templates (MSA),
learnt from 3,500 sets of captions, rewrite; drawn by seed from one caption of each other picture. **mixed**: 100
sentences of four domains, as ``bench/draw_sentences.py --seed 71 --each 25 --part final`` draws them.

The baselines are the paper's: WN replaces as many words as MSA did (at least one) by random members of their most
frequent synset; WN+LM and CL (4,096 word clusters) decode with a trigram model, here of captions, parliament, everyday
language, questions and news without the drawn sentences. PR is the default model, fast, five ranks; ``--precise``
writes PR-precise instead. -o gets one file of outputs per set and system (``captions.MSA.jsonl``), for ``paraphrast
judge new`` or ``bench/rating_files.py``, and ``report.json``.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from draw_sentences import draw, lines

CAPTION_SETS, CAPTIONS, EACH, SEED = 3500, 59, 25, 71
EUROPARL_LINES = 100_000


def captions(data: Path) -> list[list[str]]:
    """Five tokenised captions per picture."""
    with lzma.open(data / "clusters" / "captions.tsv.xz", "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n").split("\t") for line in stream]


def template_outputs(sets: Sequence[Sequence[str]], report: dict[str, Any]) -> list[Any]:
    """What the templates of the first sets make of one caption of each other set."""
    from paraphrast.formats.articles import Article
    from paraphrast.formats.outputs import SystemOutput
    from paraphrast.fusion.templates import rewrite_lines, templates_of_articles
    from paraphrast.msa.templates import spelled

    rng = random.Random(SEED)
    began = time.process_time()
    events = [
        Article(str(number), cluster=str(number), sentences=tuple(row))
        for number, row in enumerate(sets[:CAPTION_SETS])
    ]
    pairs = templates_of_articles(events, pretokenized=True)
    given = list(dict.fromkeys(rng.choice(row) for row in sets[CAPTION_SETS:]))
    made = list(rewrite_lines(given, pairs, pretokenized=True))
    report["msa"] = {
        "pairs_of_templates": len(pairs),
        "rewritten": len(made),
        "of": len(given),
        "cpu_seconds": round(time.process_time() - began, 1),
    }
    drawn = rng.sample(made, min(CAPTIONS, len(made)))
    return [
        SystemOutput(spelled(one.source.split()), spelled(one.text.split()), "MSA", 1, "captions")
        for one in drawn
    ]


def baseline_model(data: Path, work: Path, excluded: set[str]) -> Any:
    """A model of two tables, WordNet's first synsets and word clusters, with a trigram language model."""
    import paraphrast
    from paraphrast.msa.templates import spelled

    if not (work / "baselines").exists():
        work.mkdir(parents=True, exist_ok=True)
        with (work / "bitext.tsv").open("w", encoding="utf-8") as bitext:
            for number, row in enumerate(lines(data / "europarl" / "en-de-fr-es.tsv.xz")):
                if number < 1000:
                    bitext.write(f"{row[0]}\t{row[1]}\n")
        with (work / "text.txt").open("w", encoding="utf-8") as text:
            for sentence in _text(data, spelled):
                if sentence not in excluded:
                    text.write(sentence + "\n")
        (work / "baselines.toml").write_text(
            'language = "en"\nevidence = "none"\nsubstitution = "no"\n'
            '[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de"]\n'
            '[[text]]\npath = "text.txt"\n'
            '[[table]]\nkind = "wordnet"\ndata = "wordnet-synonyms"\nfilters = false\n'
            '[[table]]\nkind = "wordclusters"\npath = "text.txt"\nfilters = false\n'
            "[lm]\norder = 3\n",
            encoding="utf-8",
        )
        paraphrast.train(str(work / "baselines.toml"), str(work / "baselines"), threads=1)
    return paraphrast.load(str(work / "baselines"))


def _text(data: Path, spelled: Any) -> Iterator[str]:
    for row in captions(data)[:CAPTION_SETS]:
        for caption in row:
            yield spelled(caption.split())
    for number, row in enumerate(lines(data / "europarl" / "en-de-fr-es.tsv.xz")):
        if number < EUROPARL_LINES:
            yield row[0].strip()
    pairs = data / "sentence-pairs"
    for name in ("tatoeba-en-en.tsv.xz", "quora-duplicates.tsv.xz"):
        for row in lines(pairs / name):
            yield from (field.strip() for field in row[:2])
    for row in lines(pairs / "mrpc-train.tsv.xz"):
        if row[0] in "01":
            yield from (field.strip() for field in row[3:5])


def wordnet_outputs(outputs: Sequence[Any]) -> list[Any]:
    """WN: as many words replaced as MSA did, without a language model."""
    from dataclasses import replace

    from paraphrast.build.baseline import substitute_lines
    from paraphrast.build.tables import build_table

    table = build_table("wordnet", ["wordnet-synonyms"])
    sources = [one.source for one in outputs]
    texts = substitute_lines(sources, table, match=[one.text for one in outputs], seed=SEED)
    for place, source in enumerate(sources):
        if texts[place] == source:  # MSA only moved or inserted words, or drew a word without synonyms
            [texts[place]] = substitute_lines([source], table, rate=1 / len(source.split()), seed=SEED)
    return [replace(one, text=text, system="WN") for one, text in zip(outputs, texts, strict=True)]


def rewrites(model: Any, rows: Sequence[tuple[str, str]], system: str, control: Any) -> list[Any]:
    """The rewrites of each sentence, or the sentence itself if there is none."""
    from paraphrast.formats.outputs import SystemOutput

    outputs = []
    for source, genre in rows:
        results = model.paraphrase(source, control)
        texts = [result.text for result in results] or [source]
        outputs += [SystemOutput(source, text, system, rank, genre) for rank, text in enumerate(texts, 1)]
    return outputs


def main() -> None:
    """Draw, rewrite, write."""
    from paraphrast import load
    from paraphrast.formats.outputs import read_outputs, write_outputs
    from paraphrast.model import Control

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--work", required=True, type=Path, help="for the model of the baselines")
    parser.add_argument("-o", "--output", required=True, type=Path)
    parser.add_argument(
        "--precise", action="store_true", help="write PR-precise for the sentences drawn before"
    )
    parser.add_argument("-m", "--model", default="default")
    asked = parser.parse_args()
    folder: Path = asked.output
    folder.mkdir(parents=True, exist_ok=True)

    def write(name: str, outputs: Sequence[Any]) -> None:
        write_outputs(folder / f"{name}.jsonl", outputs)
        firsts = [one for one in outputs if one.rank == 1]
        changed = sum(one.text != one.source for one in firsts)
        print(f"{name}: {changed} of {len(firsts)} rewritten", file=sys.stderr, flush=True)

    if asked.precise:
        known = read_outputs(folder / "mixed.PR.jsonl")
        rows = list(dict.fromkeys((one.source, one.genre) for one in known))
        began = time.process_time()
        write(
            "mixed.PR-precise",
            rewrites(load(asked.model), rows, "PR-precise", Control(n=1, precise=True)),
        )
        print(f"{(time.process_time() - began) / len(rows):.2f} CPU seconds per sentence", file=sys.stderr)
        return
    report: dict[str, Any] = {}
    templates = template_outputs(captions(asked.data), report)
    write("captions.MSA", templates)
    write("captions.WN", wordnet_outputs(templates))
    mixed = [(row["source"], row["domain"]) for row in draw(asked.data, SEED, EACH, "final")]
    sets = {"captions": [(one.source, one.genre) for one in templates], "mixed": mixed}
    ours = load(asked.model)
    for name, rows in sets.items():
        write(f"{name}.PR", rewrites(ours, rows, "PR", Control(n=5)))
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    model = baseline_model(asked.data, asked.work, {source for rows in sets.values() for source, _ in rows})
    for name, rows in sets.items():
        for system, table in (("WN+LM", "wordnet"), ("CL", "wordclusters")):
            control = Control(n=1, strength=1.0, tables=(table,), preset="uniform", vetoes=())
            write(f"{name}.{system}", rewrites(model, rows, system, control))


if __name__ == "__main__":
    main()
