"""More training data from texts: each text with paraphrases of it, its label and its id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from paraphrast.errors import InputError
from paraphrast.model.paraphraser import Paraphraser, make_control
from paraphrast.model.texts import check_texts, checked_texts

if TYPE_CHECKING:
    from paraphrast.types import Paraphrase

#: Number of spare paraphrases per text: some repeat other rows, or change too little or too much.
SPARE = 2
#: A function that shows the progress of an iterator.
Watch = Callable[[Iterator[Any]], Iterator[Any]]


def augmented(
    model: Paraphraser,
    texts: Iterable[str],
    labels: Iterable[Any] | None,
    *,
    per_text: int,
    seed: int,
    ids: Iterable[Any] | None,
    originals: bool,
    min_change: float,
    max_change: float,
    threads: int,
    watch: Watch,
    options: Mapping[str, Any],
) -> dict[str, list[Any]]:
    """The columns that ``paraphrast.augment`` returns."""
    if type(per_text) is not int or per_text < 1:
        raise InputError(f"per_text: expected a whole number from 1, got {per_text!r}")
    for name, share in (("min_change", min_change), ("max_change", max_change)):
        if isinstance(share, bool) or not isinstance(share, int | float):
            raise InputError(f"{name}: expected a number from 0 to 1, got {share!r}")
    if not 0 <= min_change <= max_change:
        raise InputError(f"expected 0 <= min_change <= max_change, got {min_change} and {max_change}")
    if "n" in options:
        raise InputError("n: expected per_text instead", remedy=f"per_text={options['n']}")
    check_texts(texts)
    sources = list(checked_texts(texts))
    given_labels = None if labels is None else _column("labels", labels, len(sources))
    given_ids = list(range(len(sources))) if ids is None else _column("ids", ids, len(sources))
    asked = per_text * (1 + SPARE) * (1 if min_change <= 0 and max_change >= 1 else 4)
    control = make_control(None, {"sample": True, "seed": seed, **options, "n": asked})  # type: ignore[typeddict-item]
    columns: dict[str, list[Any]] = {"id": [], "text": []}
    columns |= {} if given_labels is None else {"label": []}
    columns |= {"source": [], "rank": []}

    def add(row: int, text: str, rank: int) -> None:
        columns["id"].append(given_ids[row])
        columns["text"].append(text)
        if given_labels is not None:
            columns["label"].append(given_labels[row])
        columns["source"].append(sources[row])
        columns["rank"].append(rank)

    seen = set(sources)
    results_of = watch(model.paraphrase_many(sources, control, threads=threads))
    for row, results in enumerate(results_of):
        if originals:
            add(row, sources[row], 0)
        rank = 0
        for result in results:
            if rank == per_text:
                break
            if result.text not in seen and min_change <= changed_share(result) <= max_change:
                seen.add(result.text)
                rank += 1
                add(row, result.text, rank)
    return columns


def changed_share(result: Paraphrase) -> float:
    """The share of the words of a text, separated by white space, that the edits of a paraphrase replace."""
    replaced = sum(len(edit.before.split()) for edit in result.edits)
    return replaced / max(1, len(result.source.split()))


def _column(name: str, values: Iterable[Any], length: int) -> list[Any]:
    column = list(values)
    if len(column) != length:
        raise InputError(f"{name}: expected one per text, that is {length:,}, got {len(column):,}")
    return column
