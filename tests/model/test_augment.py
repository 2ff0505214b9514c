"""Augmented data: aligned columns, no duplicates, the same rows for the same seed; pandas and datasets take them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paraphrast
import toy
from paraphrast.errors import InputError
from paraphrast.model.augment import changed_share
from paraphrast.types import Edit, Paraphrase

TEXTS = [row[0] for row in toy.rows(30, seed=11)]
LABELS = [f"label {number % 3}" for number in range(30)]


def augment(toy_model: Path, **options: Any) -> dict[str, list[Any]]:
    return paraphrast.augment(TEXTS, LABELS, model=toy_model, strength=0.9, **options)


def test_rows_keep_their_label_and_id(toy_model: Path) -> None:
    rows = augment(toy_model, per_text=2)
    assert list(rows) == ["id", "text", "label", "source", "rank"]
    assert len({len(column) for column in rows.values()}) == 1
    paraphrases = [number for number, rank in enumerate(rows["rank"]) if rank]
    assert len(paraphrases) > 30
    for number, identity in enumerate(rows["id"]):
        assert rows["label"][number] == LABELS[identity]
        assert rows["source"][number] == TEXTS[identity]
        assert rows["rank"][number] <= 2
        assert (rows["text"][number] == TEXTS[identity]) == (rows["rank"][number] == 0)
    new = [rows["text"][number] for number in paraphrases]
    assert len(set(new)) == len(new)
    assert set(new).isdisjoint(TEXTS)
    assert [text for text, rank in zip(rows["text"], rows["rank"], strict=True) if rank == 0] == TEXTS


def test_the_seed_decides(toy_model: Path) -> None:
    rows = augment(toy_model, seed=1, threads=1)
    assert rows == augment(toy_model, seed=1, threads=3)
    assert rows != augment(toy_model, seed=2)
    assert augment(toy_model, sample=False) != rows


def test_originals_ids_and_iterators(toy_model: Path) -> None:
    ids = [f"t{number}" for number in range(30)]
    rows = paraphrast.augment(
        iter(TEXTS), model=toy_model, strength=0.9, ids=iter(ids), originals=False, per_text=1
    )
    assert "label" not in rows
    assert set(rows["rank"]) == {1}
    assert all(rows["source"][row] == TEXTS[int(name[1:])] for row, name in enumerate(rows["id"]))


def test_how_much_changes_is_bounded(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    known = {
        (result.source, result.text): changed_share(result)
        for results in model.paraphrase_many(TEXTS, strength=1.0, n=500)
        for result in results
    }
    rows = paraphrast.augment(
        TEXTS, model=model, strength=1.0, min_change=0.25, max_change=0.4, originals=False
    )
    shares = [known[pair] for pair in zip(rows["source"], rows["text"], strict=True) if pair in known]
    assert len(shares) > 30
    assert all(0.25 <= share <= 0.4 for share in shares)
    edit = Edit(0, 5, 0, 1, "a b c", "x", 1.0, ())
    assert changed_share(Paraphrase("a b c d", "x d", 0.0, (edit,))) == 0.75


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": ["a"]}, "labels: expected one per text, that is 30, got 1"),
        ({"ids": []}, "ids: expected one per text"),
        ({"per_text": 0}, "per_text: expected a whole number from 1"),
        ({"min_change": "x"}, "min_change: expected a number from 0 to 1, got 'x'"),
        ({"min_change": 0.5, "max_change": 0.2}, "min_change"),
        ({"n": 4}, "per_text=4"),
        ({"texts": ["a", None]}, "row 1"),
        ({"texts": {"text": ["a"]}}, "column of texts"),
    ],
)
def test_wrong_arguments_are_reported(toy_model: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        paraphrast.augment(options.pop("texts", TEXTS), model=toy_model, **options)


def test_pandas(toy_model: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": TEXTS, "label": LABELS}, index=range(100, 130))
    rows = paraphrast.augment(frame["text"], frame["label"], ids=frame.index, model=toy_model, strength=0.9)
    augmented = pandas.DataFrame(rows)
    assert list(augmented.columns) == ["id", "text", "label", "source", "rank"]
    assert augmented["id"].between(100, 129).all()
    frame["paraphrase"] = [
        results[0].text if results else text
        for text, results in zip(
            frame["text"], paraphrast.paraphrase(frame["text"], toy_model, n=1, strength=0.9), strict=True
        )
    ]
    assert (frame["paraphrase"] != frame["text"]).sum() > 15
    with pytest.raises(InputError, match=r"DataFrame with the columns text, label, paraphrase"):
        paraphrast.paraphrase(frame, toy_model)
    frame.loc[105, "text"] = None
    with pytest.raises(InputError, match="row 5: expected a text, got a missing value"):
        list(paraphrast.paraphrase(frame["text"], toy_model))


def test_data_sets(toy_model: Path) -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"text": TEXTS, "label": [number % 3 for number in range(30)]})
    rows = paraphrast.augment(data["text"], data["label"], model=toy_model, strength=0.9)
    augmented = datasets.Dataset.from_dict(rows)
    assert augmented.column_names == ["id", "text", "label", "source", "rank"]
    assert len(augmented) > 60
    with pytest.raises(InputError, match=r"Dataset with the columns text, label"):
        paraphrast.paraphrase(data, toy_model)
    model = paraphrast.load(toy_model)

    def rewrite(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        results_of = model.paraphrase_many(batch["text"], n=1, strength=0.9)
        pairs = zip(batch["text"], results_of, strict=True)
        return {"paraphrase": [results[0].text if results else text for text, results in pairs]}

    rewritten = data.map(rewrite, batched=True)
    assert len(rewritten["paraphrase"]) == 30


def test_progress_is_shown_on_request(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list(paraphrast.paraphrase(TEXTS, toy_model, progress=True))
    assert "\r" in capsys.readouterr().err
    list(paraphrast.paraphrase(TEXTS, toy_model))
    assert capsys.readouterr().err == ""
