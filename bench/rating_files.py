"""Files for raters who work outside the program: a TSV of blinded items, and their answers back as labelled outputs.

    python bench/rating_files.py items OUTPUTS.jsonl… -o NAME [--ranks 1]
    python bench/rating_files.py labels NAME.key.json NAME.rater1.tsv NAME.rater2.tsv --questions meaning,fluent
           [--all-as accept] -o LABELLED.jsonl
    python bench/rating_files.py deep LABELLED.jsonl… --sentences OUTPUTS.jsonl… --system PR -o LABELLED.jsonl
    python bench/rating_files.py samples SAMPLES.tsv -o NAME [--most 350]
    python bench/rating_files.py answers NAME.key.json NAME.rater1.tsv NAME.rater2.tsv -o FOLDER

``items`` shuffles the outputs of all systems, joins equal ones, and writes NAME.items.tsv (id, original, rewrite) and
NAME.key.json. Raters see the first alone and write id and one mark per question, separated by tabs. ``labels`` writes
what ``paraphrast judge report -o`` writes for a campaign of its own, which ``paraphrast reproduce --data`` and
``paraphrast evaluate sentences`` read, and prints the raters' agreement. ``--all-as`` adds a question that is answered
with yes if all the others are. ``deep`` joins files and keeps one system's outputs of the sentences of
OUTPUTS, of which all ranks were rated; a sentence without any counts as rejected (Zhao et al. 2008, table 3).

``samples`` does the same for the samples of ``paraphrast references --sample`` (Owczarzak et al. 2006, tables 5 and 6).
If there are more than --most, rows of the largest sample are drawn at random. ``answers`` writes one file per rater,
which ``paraphrast reproduce --data`` reads.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paraphrast.formats.outputs import SystemOutput, read_outputs, write_outputs
from paraphrast.judge import CampaignOptions, measure_agreement, new_campaign
from paraphrast.references.samples import SampleRow, read_samples, write_samples
from paraphrast.study.samples import QUESTIONS

#: Marks of a rater: item → question → value.
Marks = Mapping[str, Mapping[str, int]]


def write_items(outputs: Sequence[SystemOutput], name: str, *, ranks: int, seed: int) -> int:
    """Blind, shuffle and write. Returns the number of items."""
    campaign = new_campaign(outputs, CampaignOptions(ranks=ranks, seed=seed))
    systems: dict[str, list[list[Any]]] = {}
    for seal in campaign.key:
        systems.setdefault(seal.item, []).append([seal.system, seal.rank, seal.genre])
    with open(f"{name}.items.tsv", "w", encoding="utf-8") as file:
        for number, item in enumerate(campaign.items, 1):
            texts = (" ".join(text.split()) for text in (item.before, item.after))
            file.write("\t".join((str(number), *texts)) + "\n")
    key = [
        {"item": str(number), "source": item.before, "text": item.after, "systems": systems[item.item]}
        for number, item in enumerate(campaign.items, 1)
    ]
    Path(f"{name}.key.json").write_text(
        json.dumps(key, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    return len(key)


def read_marks(path: Path, questions: Sequence[str]) -> Marks:
    """The marks of one rater; a header and empty lines are skipped."""
    marks: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.replace(",", "\t").split("\t") if "\t" in line or "," in line else line.split()
        if not cells or not cells[0].strip().isdigit():
            continue
        values = [int(cell) for cell in cells[1:] if cell.strip()]
        if len(values) != len(questions):
            raise SystemExit(f"{path}: expected {len(questions)} marks after the id, got {line!r}")
        marks[cells[0].strip()] = dict(zip(questions, values, strict=True))
    return marks


def labelled_outputs(
    key: Sequence[Mapping[str, Any]], raters: Mapping[str, Marks], questions: Sequence[str], all_as: str
) -> list[SystemOutput]:
    """The outputs with the marks of every rater who has marked them."""
    outputs = []
    for record in key:
        labels: dict[str, dict[str, int]] = {}
        for rater, marks in raters.items():
            own = marks.get(record["item"])
            if own is None:
                continue
            for question in questions:
                labels.setdefault(question, {})[rater] = own[question]
            if all_as:
                labels.setdefault(all_as, {})[rater] = int(all(own.values()))
        outputs += [
            SystemOutput(record["source"], record["text"], system, rank, genre, labels=labels)
            for system, rank, genre in record["systems"]
        ]
    return outputs


def write_samples_items(path: Path, name: str, *, most: int, seed: int) -> int:
    """Blind and shuffle samples of paraphrases. Returns the number of different pairs."""
    draw = random.Random(seed)
    rows = read_samples(path)
    groups: dict[tuple[str, str], list[SampleRow]] = {}
    for row in rows:
        groups.setdefault((row.corpus, row.sample), []).append(row)
    largest = max(groups, key=lambda key: len(groups[key]))
    others = {(row.phrase, row.paraphrase) for row in rows if (row.corpus, row.sample) != largest}
    room = most - len(others)
    if len(groups[largest]) > room:
        chosen = sorted(draw.sample(range(len(groups[largest])), room))
        groups[largest] = [groups[largest][place] for place in chosen]
    pairs: dict[tuple[str, str], list[list[Any]]] = {}
    for (corpus, sample), own in groups.items():
        for row in own:
            pairs.setdefault((row.phrase, row.paraphrase), []).append([corpus, sample, row.probability])
        print(f"{corpus}, {sample}: {len({row.phrase for row in own})} phrases, {len(own)} paraphrases")
    order = draw.sample(list(pairs), len(pairs))
    with open(f"{name}.items.tsv", "w", encoding="utf-8") as file:
        file.writelines(f"{number}\t{one}\t{other}\n" for number, (one, other) in enumerate(order, 1))
    key = [
        {"item": str(number), "source": one, "text": other, "samples": pairs[one, other]}
        for number, (one, other) in enumerate(order, 1)
    ]
    Path(f"{name}.key.json").write_text(
        json.dumps(key, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    return len(key)


def write_answers(
    key: Sequence[Mapping[str, Any]], marks: Marks, path: Path, names: Mapping[str, str]
) -> None:
    """The samples with the answers of one rater. names: resource → name of its corpus in the tables."""
    rows = [
        SampleRow(
            names.get(corpus, corpus),
            sample,
            record["source"],
            record["text"],
            probability,
            marks.get(record["item"], {}).get("same_category"),
            marks.get(record["item"], {}).get("same_meaning"),
        )
        for record in key
        for corpus, sample, probability in record["samples"]
    ]
    write_samples(path, sorted(rows, key=lambda row: (row.corpus, row.sample, row.phrase, -row.probability)))


def main() -> None:
    """Write items, or read marks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    items = commands.add_parser("items")
    items.add_argument("outputs", nargs="+", type=Path)
    items.add_argument("-o", "--output", required=True, help="beginning of the names of both files")
    items.add_argument("--ranks", type=int, default=1)
    items.add_argument("--seed", type=int, default=12345)
    labels = commands.add_parser("labels")
    labels.add_argument("key", type=Path)
    labels.add_argument("marks", nargs="+", type=Path)
    labels.add_argument("--questions", required=True)
    labels.add_argument("--all-as", default="")
    labels.add_argument("-o", "--output", required=True, type=Path)
    deep = commands.add_parser("deep")
    deep.add_argument("labelled", nargs="+", type=Path)
    deep.add_argument("--sentences", nargs="+", type=Path, required=True)
    deep.add_argument("--system", required=True)
    deep.add_argument("-o", "--output", required=True, type=Path)
    drawn = commands.add_parser("samples")
    drawn.add_argument("samples", type=Path)
    drawn.add_argument("-o", "--output", required=True)
    drawn.add_argument("--most", type=int, default=350)
    drawn.add_argument("--seed", type=int, default=12345)
    answers = commands.add_parser("answers")
    answers.add_argument("key", type=Path)
    answers.add_argument("marks", nargs="+", type=Path)
    answers.add_argument("--name", action="append", default=[], help="bitext=2,000-sent. corpus")
    answers.add_argument("-o", "--output", required=True, type=Path)
    asked = parser.parse_args()
    if asked.command == "samples":
        count = write_samples_items(asked.samples, asked.output, most=asked.most, seed=asked.seed)
        print(f"{count} items")
        return
    if asked.command == "answers":
        asked.output.mkdir(parents=True, exist_ok=True)
        known = json.loads(asked.key.read_text(encoding="utf-8"))
        for place, path in enumerate(asked.marks, 1):
            names = dict(name.split("=", 1) for name in asked.name)
            write_answers(
                known, read_marks(path, QUESTIONS), asked.output / f"samples.rater{place}.tsv", names
            )
        return
    if asked.command == "deep":
        genres = {one.source: one.genre for path in asked.sentences for one in read_outputs(path)}
        rows = (one for path in asked.labelled for one in read_outputs(path))
        kept = [one for one in rows if one.system == asked.system and one.source in genres]
        for source in [source for source in genres if source not in {one.source for one in kept}]:
            nothing = {"accept": {"no output": 0}}
            kept.append(SystemOutput(source, source, asked.system, 1, genres[source], labels=nothing))
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        print(f"{write_outputs(asked.output, kept)} outputs of {len(genres)} sentences")
        return
    if asked.command == "items":
        outputs = [output for path in asked.outputs for output in read_outputs(path)]
        print(f"{write_items(outputs, asked.output, ranks=asked.ranks, seed=asked.seed)} items")
        return
    questions = asked.questions.split(",")
    key = json.loads(asked.key.read_text(encoding="utf-8"))
    raters = {f"rater{place}": read_marks(path, questions) for place, path in enumerate(asked.marks, 1)}
    for rater, marks in raters.items():
        missing = [record["item"] for record in key if record["item"] not in marks]
        if missing:
            print(f"{rater}: {len(missing)} items without marks, the first {missing[0]}", file=sys.stderr)
    outputs = labelled_outputs(key, raters, questions, asked.all_as)
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    write_outputs(asked.output, outputs)
    for question in [*questions, *([asked.all_as] if asked.all_as else [])]:
        votes: dict[str, dict[str, int]] = {}
        for record in key:
            for rater, marks in raters.items():
                if record["item"] in marks:
                    own = marks[record["item"]]
                    value = own[question] if question in own else int(all(own.values()))
                    votes.setdefault(record["item"], {})[rater] = value
        agreement = measure_agreement(votes)
        if agreement is None:
            continue
        kappa = "–" if agreement.kappa is None else f"{agreement.kappa:.3f}"
        print(f"{question}: raters agree on {agreement.percent:.3f}, kappa {kappa}, {len(votes)} items")


if __name__ == "__main__":
    main()
