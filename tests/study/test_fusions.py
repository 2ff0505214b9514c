"""A campaign of clusters: shuffled, unmarked, every cluster to enough judges; and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.formats.jsonl import write_records
from paraphrast.formats.ratings import Rating, read_items, read_key
from paraphrast.fusion.clusters import NamedCluster, prepare_all
from paraphrast.study.fusions import judging_files, read_judged

SENTENCES = (
    "Police said the owner of the mill called help at 9:15.",
    "Police said the owner of the old mill called help before dawn.",
    "Firemen said the owner of the mill called them at once.",
)
CLUSTERS = [
    NamedCluster("large", (*SENTENCES, "Firemen said the mill burnt down.")),
    *(NamedCluster(f"c{number}", SENTENCES) for number in range(3)),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    told = judging_files(tmp_path, CLUSTERS, prepare_all(CLUSTERS), n=3, seed=1)
    items = len(read_items(tmp_path / "items.jsonl"))
    assert told == {"clusters": 4, "items": items, "judges": 6, "ratings": 3 * items * 2}
    return tmp_path


def test_the_files(folder: Path) -> None:
    items = {item.item: item for item in read_items(folder / "items.jsonl")}
    key = read_key(folder / "key.jsonl")
    assert {seal.item for seal in key} == set(items)
    assert {seal.system for seal in key} == {"V1", "V2", "V3"}  # nobody parsed
    assert {"lm", "content"} <= set(json.loads((folder / "key.jsonl").read_text().splitlines()[0]))
    raters: dict[str, int] = {}
    orders = set()
    for judge in range(1, 7):
        own = read_items(folder / f"judge-{judge}.jsonl")
        for cluster in {item.context for item in own}:
            raters[cluster] = raters.get(cluster, 0) + 1
            orders.add(tuple(item.item for item in own if item.context == cluster))
        assert all("V1" not in json.dumps(item.before + item.after) for item in own)
        assert all("2. Police said the owner of the old mill" in item.before for item in own)
    assert raters == dict.fromkeys(["large", "c0", "c1", "c2"], 3)
    assert len(orders) > 4  # judges see them in orders of their own


def test_ratings_come_back_by_cluster_and_version(folder: Path) -> None:
    key = read_key(folder / "key.jsonl")
    path = folder / "ratings.jsonl"
    item = key[0].item
    given = [
        Rating(item, "", "anna", "fidelity", 2),
        Rating(item, "", "anna", "fidelity", 3),
        Rating(key[-1].item, "", "ben", "grammaticality", 1),
    ]
    write_records(path, (rating.to_dict() for rating in given))
    found, figures, order = read_judged(folder / "items.jsonl", [path], folder / "key.jsonl")
    mine = [one for one in found if one.item == item]
    assert [one.system for one in mine] == [seal.system for seal in key if seal.item == item]
    assert {(one.value, one.cluster) for one in mine} == {(3.0, key[0].genre)}  # her last word
    assert set(figures[item]) >= {"lm", "content"}
    assert "rank" not in figures[item]
    assert order == ["c0", "c1", "c2", "large"]


@pytest.mark.parametrize(
    ("rating", "message"),
    [
        (None, "got none"),
        (Rating("nothing", "", "anna", "fidelity", 2), "not in this campaign"),
        (Rating("", "", "anna", "fidelity", 5), "one of 1, 2, 3, 4"),
    ],
)
def test_bad_ratings(folder: Path, rating: Rating | None, message: str) -> None:
    path = folder / "ratings.jsonl"
    first = read_items(folder / "items.jsonl")[0].item
    rows = [] if rating is None else [{**rating.to_dict(), "item": rating.item or first}]
    write_records(path, rows)
    with pytest.raises(InputError, match=message):
        read_judged(folder / "items.jsonl", [path], folder / "key.jsonl")


def test_a_key_of_another_campaign(folder: Path) -> None:
    item = read_items(folder / "items.jsonl")[0].item
    write_records(folder / "ratings.jsonl", [Rating(item, "", "anna", "fidelity", 2).to_dict()])
    write_records(folder / "other.jsonl", [{"item": "x", "system": "V1"}])
    with pytest.raises(InputError, match="does not know"):
        read_judged(folder / "items.jsonl", [folder / "ratings.jsonl"], folder / "other.jsonl")


def test_bad_wishes(tmp_path: Path) -> None:
    prepared = prepare_all(CLUSTERS[:1])
    with pytest.raises(InputError, match="judges"):
        judging_files(tmp_path, CLUSTERS[:1], prepared, judges=2, a_cluster=3)
    with pytest.raises(InputError, match="names"):
        judging_files(tmp_path, CLUSTERS[:1] * 2, prepared * 2)
