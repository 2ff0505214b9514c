"""Does augmentation help a classifier? Accuracy with a share of the labels, with and without paraphrases.

    python examples/augment_classifier.py                                   # 48 reviews of our own, in seconds
    python examples/augment_classifier.py FILE --shares 5,10,100 --pool 1000     # label and text by tab
    … --methods none,wordnet,fast,precise --largest precise=10 --keep FILE       # slow: 2 CPU seconds per text

The classifier is logistic regression on TF-IDF of words and word pairs. Every method gets the same labelled texts and
adds up to four variants of each: synonyms of WordNet's most frequent sense in place of a tenth of the words (at least
one), or paraphrases of our model. Needs scikit-learn; `--methods wordnet` also `paraphrast[english]` and, once, a
download of 11 MB. ``--keep`` writes the variants of each text to a file as they are made, and a second run reads them
from there.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import paraphrast

PER_TEXT = 4
#: Texts that are rewritten before their variants are kept.
BATCH = 10
NAMES = {
    "none": "none",
    "wordnet": "WordNet synonyms",
    "fast": "ours, fast",
    "precise": "ours, precise",
}
#: Student's t for 95 % with 1 to 9 degrees of freedom.
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
Variants = Callable[[Sequence[str]], list[list[str]]]


def own_reviews() -> list[tuple[str, str]]:
    """Short reviews of our own, so that the example runs without a file."""
    good = (
        "The {} was a great pleasure.",
        "I began to like the {} at once.",
        "A large part of the {} is very good.",
    )
    bad = (
        "The {} was a big disappointment.",
        "I started to hate the {} quickly.",
        "A large part of the {} is very bad.",
    )
    subjects = ("film", "book", "meal", "hotel", "journey", "concert", "game", "lecture")
    return [
        (label, form.format(subject))
        for subject in subjects
        for label, forms in (("good", good), ("bad", bad))
        for form in forms
    ]


def read_reviews(path: Path) -> list[tuple[str, str]]:
    """Lines of label and text, or of id, rating and text: good above 0, bad below."""
    content = path.read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:  # older data sets
        text = content.decode("cp1252", errors="replace")
    rows = []
    for line in text.splitlines():
        *_, label, review = line.split("\t")
        if line.count("\t") == 2 and float(label) != 0:
            rows.append(("good" if float(label) > 0 else "bad", " ".join(review.split())))
        elif line.count("\t") == 1:
            rows.append((label, review))
    return rows


def wordnet_variants(seed: int) -> Variants:
    """Variants by synonyms of the most frequent sense, chosen without looking at the sentence."""
    from paraphrast.build.tables import build_table

    table = build_table("wordnet", ["wordnet-synonyms"], {})
    synonyms: dict[str, list[str]] = {}
    for source, target in zip(table.table.source, table.table.target, strict=True):
        synonyms.setdefault(" ".join(table.phrase(source)), []).append(" ".join(table.phrase(target)))

    def variants(texts: Sequence[str]) -> list[list[str]]:
        return [_replaced(text, synonyms, random.Random(f"{seed} {text}")) for text in texts]

    return variants


def _replaced(text: str, synonyms: dict[str, list[str]], draw: random.Random) -> list[str]:
    """Up to PER_TEXT different variants of a text."""
    words = re.split(r"(\W+)", text)
    places = [place for place, word in enumerate(words) if word.lower() in synonyms]
    found: dict[str, None] = {}
    for _ in range(3 * PER_TEXT):
        copy = list(words)
        for place in draw.sample(places, min(len(places), max(1, len(words) // 20))):
            copy[place] = draw.choice(synonyms[words[place].lower()])
        found["".join(copy)] = None
    return [variant for variant in found if variant != text][:PER_TEXT]


def our_variants(model: Any, seed: int, *, precise: bool) -> Variants:
    """Variants by paraphrasing: drawn at random by their probability, or the best of precise rewriting."""

    def variants(texts: Sequence[str]) -> list[list[str]]:
        options: dict[str, Any] = {"precise": True, "sample": False} if precise else {}
        rows = paraphrast.augment(
            texts, per_text=PER_TEXT, seed=seed, model=model, originals=False, threads=1, **options
        )
        found: list[list[str]] = [[] for _ in texts]
        for row, text in zip(rows["id"], rows["text"], strict=True):
            found[row].append(text)
        return found

    return variants


def accuracy(train: Sequence[tuple[str, str]], test: Sequence[tuple[str, str]]) -> float:
    """Share of the test set that a classifier trained on the pairs of label and text gets right."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    classifier = LogisticRegression(C=10, max_iter=1000)
    classifier.fit(vectors.fit_transform(text for _, text in train), [label for label, _ in train])
    return float(classifier.score(vectors.transform(text for _, text in test), [label for label, _ in test]))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and half the width of its 95 % interval by Student's t."""
    if len(values) < 2:
        return mean(values), float("nan")
    return mean(values), T_95[len(values) - 2] * stdev(values) / len(values) ** 0.5


def compare(
    rows: Sequence[tuple[str, str]],
    shares: Sequence[int],
    methods: dict[str, Variants | None],
    *,
    pool: int,
    seeds: int,
    largest: dict[str, int] | None = None,
    keep: Path | None = None,
) -> list[dict[str, Any]]:
    """Accuracies by share of labels and method. The pool and the test set are drawn anew for every seed.

    largest: the largest share of labels with which a method runs. keep: a file of variants, read and added to.
    """
    cache = _kept(keep)
    results: list[dict[str, Any]] = []
    for share in shares:
        for name, variants in methods.items():
            if share > (largest or {}).get(name, 100):
                continue
            values, added = [], 0
            for seed in range(seeds):
                shuffled = random.Random(seed).sample(list(rows), len(rows))
                train = shuffled[: pool * share // 100]
                more: list[tuple[str, str]] = []
                if variants is not None:
                    new = [text for _, text in train if (name, text) not in cache]
                    for first in range(0, len(new), BATCH):
                        some = new[first : first + BATCH]
                        made = dict(zip(((name, text) for text in some), variants(some), strict=True))
                        _keep(keep, made)
                        cache.update(made)
                    more = [(label, variant) for label, text in train for variant in cache[name, text]]
                added += len(more)
                values.append(accuracy([*train, *more], shuffled[pool:]))
                print(f"{name}, {share} %, seed {seed}: {values[-1]:.4f}", file=sys.stderr, flush=True)
            centre, half = interval(values)
            results.append(
                {"share": share, "labels": pool * share // 100, "method": name, "accuracy": values}
                | {"mean": centre, "half": half, "added": added / seeds}
            )
            print(
                f"{share:>4} %  {pool * share // 100:>6} labels  {name:<8}  {centre:.3f} ± {half:.3f}"
                f"  {added / seeds:>7.0f} texts added",
                flush=True,
            )
    return results


def _kept(path: Path | None) -> dict[tuple[str, str], list[str]]:
    """Variants of an earlier run, by method and text."""
    if path is None or not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(row["method"], row["text"]): row["variants"] for row in rows}


def _keep(path: Path | None, made: dict[tuple[str, str], list[str]]) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            for (method, text), found in made.items():
                row = {"method": method, "text": text, "variants": found}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def figures(results: Sequence[dict[str, Any]], command: str) -> dict[str, Any]:
    """The results as docs/figures/augmentation.json has them; a gain is over the same seeds without variants."""
    alone = {row["share"]: row["accuracy"] for row in results if row["method"] == "none"}
    rows: list[list[Any]] = []
    for row in results:
        gain = None
        if row["method"] != "none":
            pairs = zip(row["accuracy"], alone[row["share"]], strict=True)
            centre, half = interval([own - other for own, other in pairs])
            gain = f"{_signed(centre)} ({_signed(centre - half)} to {_signed(centre + half)})"
        centre, half = row["mean"], row["half"]
        shown = [round(number, 3) for number in (centre, centre - half, centre + half)]
        name = NAMES[row["method"]]
        rows.append([f"{row['share']} %", row["labels"], name, shown, gain, round(row["added"])])
    return {
        "title": "Data augmentation",
        "page": "examples.md#on-real-reviews",
        "command": command,
        "machine": "any, since these are figures of quality",
        "tables": [
            {
                "caption": "Accuracy of logistic regression on TF-IDF, sentences of film reviews: mean of five seeds, "
                "gain over the same labels without variants, 95 % intervals by Student's t over seeds.",
                "columns": [
                    "share of the labels",
                    "labels",
                    "variants added by",
                    "accuracy",
                    "gain",
                    "texts added",
                ],
                "formats": ["text", "integer", "text", "share", "text", "integer"],
                "rows": rows,
            }
        ],
    }


def _signed(number: float) -> str:
    """``+.002``, with a minus sign if it is one."""
    return f"{'−' if round(number, 3) < 0 else '+'}{abs(number):.3f}".replace("0.", ".")


def main(arguments: list[str] | None = None) -> int:
    """Print a table; with --figures, write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("reviews", nargs="?", type=Path, help="label and text, separated by a tab")
    parser.add_argument("--shares", default="25,100", help="percentages of the labels")
    parser.add_argument("--methods", default="none,fast", help="of none, wordnet, fast, precise")
    parser.add_argument("--largest", default="", help="the largest share of a method: precise=10")
    parser.add_argument("--keep", type=Path, help="file of variants, read and added to")
    parser.add_argument("--pool", type=int, default=24, help="texts with labels; the others are the test set")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--figures", type=Path, help="write the results as docs/figures has them")
    options = parser.parse_args(arguments)
    rows = read_reviews(options.reviews) if options.reviews else own_reviews()
    wanted = options.methods.split(",")
    model = paraphrast.load() if {"fast", "precise"} & set(wanted) else None
    methods: dict[str, Variants | None] = {}
    for name in wanted:
        if name == "none":
            methods[name] = None
        elif name == "wordnet":
            methods[name] = wordnet_variants(seed=0)
        else:
            methods[name] = our_variants(model, 0, precise=name == "precise")
    shares = [int(share) for share in options.shares.split(",")]
    pairs = (pair.split("=") for pair in options.largest.split(",") if pair)
    largest = {name: int(share) for name, share in pairs}
    results = compare(
        rows,
        shares,
        methods,
        pool=options.pool,
        seeds=options.seeds,
        largest=largest,
        keep=options.keep,
    )
    if options.figures:
        command = (
            f"python examples/augment_classifier.py {'/'.join(options.reviews.parts[-2:]) if options.reviews else ''} "
            f"--shares {options.shares} --methods {options.methods} --pool {options.pool}"
        )
        command += f" --largest {options.largest}" if options.largest else ""
        content = json.dumps(figures(results, command), ensure_ascii=False, indent=1)
        options.figures.write_text(content + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
