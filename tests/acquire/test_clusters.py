from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from acquire.pages_of_ours import events
from paraphrast.acquire import _kernels
from paraphrast.acquire.clusters import (
    ClusterState,
    agglomerate,
    b_cubed,
    comparable_documents,
    find_clusters,
)
from paraphrast.acquire.neighbours import Neighbours, days_array, find_neighbours
from paraphrast.acquire.options import ClusterOptions, NeighbourOptions, TermOptions
from paraphrast.acquire.terms import UNIT, Rows, TermTable, count_terms, weigh
from paraphrast.engine import Engine
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.articles import Article


def test_names_and_times_are_terms_of_their_own() -> None:
    article = Article("a", "On May 3, 2013 Anna Lind spoke. Then Lind left the house. The end came Friday.")
    (counts,) = count_terms([article], "en")
    assert counts["@anna lind"] == 1
    assert counts["@lind"] == 2
    assert counts["#4-3"] == 1
    assert counts["#2013"] == 1
    assert "#friday" in counts
    assert counts["hous"] == 1
    assert "the" not in counts
    assert not any(term.startswith("@then") for term in counts)


def test_rows_have_unit_length_and_shares() -> None:
    counts = count_terms(events(), "en")
    table = TermTable()
    table.add(counts)
    rows = weigh(counts, table, TermOptions())
    assert (
        np.diff(rows.terms)[np.diff(np.repeat(np.arange(len(rows)), np.diff(rows.starts))) == 0] > 0
    ).all()
    norms = np.add.reduceat((rows.weights / UNIT) ** 2, rows.starts[:-1])
    assert np.allclose(norms, 1.0, atol=0.01)


def random_rows(count: int, terms: int, seed: int) -> Rows:
    chance = np.random.Generator(np.random.PCG64(seed))
    chosen = [np.sort(chance.choice(terms, chance.integers(1, 9), replace=False)) for _ in range(count)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in chosen])])
    flat = np.concatenate(chosen).astype(np.int32)
    return Rows(starts.astype(np.int64), flat, chance.integers(1, 9000, len(flat)).astype(np.int64))


def slow_product(rows: Rows, one: int, other: int) -> int:
    def entries(row: int) -> dict[int, int]:
        part = slice(rows.starts[row], rows.starts[row + 1])
        return dict(zip(rows.terms[part].tolist(), rows.weights[part].tolist(), strict=True))

    first, second = entries(one), entries(other)
    return sum(weight * second.get(term, 0) for term, weight in first.items())


def test_products_are_those_of_the_slow_way() -> None:
    rows = random_rows(30, 25, 1)
    first, second = np.triu_indices(30, 1)
    found = _kernels.pair_products(rows.starts, rows.terms, rows.weights, first, second)
    assert found.tolist() == [
        slow_product(rows, a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]


@pytest.mark.parametrize("fresh_from", [0, 40])
def test_neighbours_are_those_of_all_pairs(fresh_from: int) -> None:
    rows = random_rows(60, 40, 2)
    days = np.random.Generator(np.random.PCG64(3)).integers(0, 12, 60).astype(np.int64)
    days[::7] = -1
    options = NeighbourOptions(window=3, least=0.001, crowd=1000, shared=1, most=1000)
    with Engine(threads=1) as engine:
        found = find_neighbours(rows, days, engine, options, fresh_from=fresh_from)
    expected = [
        (one, other, slow_product(rows, one, other))
        for one in range(60)
        for other in range(one + 1, 60)
        if other >= fresh_from
        and slow_product(rows, one, other) >= 0.001 * UNIT * UNIT
        and (days[one] == -1) == (days[other] == -1)
        and abs(days[one] - days[other]) < 3
    ]
    assert (
        list(zip(found.first.tolist(), found.second.tolist(), found.product.tolist(), strict=True))
        == expected
    )


def test_only_the_nearest_are_kept() -> None:
    rows = random_rows(30, 10, 5)
    options = NeighbourOptions(least=0.0001, crowd=1000, shared=1, most=2)
    with Engine(threads=1) as engine:
        found = find_neighbours(rows, days_array([None] * 30), engine, options)
        everything = find_neighbours(
            rows,
            days_array([None] * 30),
            engine,
            NeighbourOptions(least=0.0001, crowd=1000, shared=1, most=99),
        )
    pairs = list(zip(everything.product.tolist(), everything.first, everything.second, strict=True))
    for vertex in range(30):
        own = sorted((pair for pair in pairs if vertex in pair[1:]), key=lambda pair: -pair[0])
        kept = {(a, b) for a, b in zip(found.first, found.second, strict=True) if vertex in (a, b)}
        assert own
        assert own[0][1:] in kept
    assert len(found.first) <= 60


def slow_average_link(sizes: list[int], products: dict[tuple[int, int], int], threshold: float) -> list[int]:
    clusters = [{vertex} for vertex in range(len(sizes))]

    def mean(one: set[int], other: set[int]) -> float:
        total = sum(products.get((min(a, b), max(a, b)), 0) for a in one for b in other)
        return total / (sum(sizes[a] for a in one) * sum(sizes[b] for b in other)) / UNIT / UNIT

    while True:
        best = max(
            ((mean(a, b), a, b) for i, a in enumerate(clusters) for b in clusters[i + 1 :]),
            key=lambda entry: entry[0],
            default=(0.0, set(), set()),
        )
        if best[0] < threshold:
            break
        clusters = [own for own in clusters if own is not best[1] and own is not best[2]] + [
            best[1] | best[2]
        ]
    return [next(min(own) for own in clusters if vertex in own) for vertex in range(len(sizes))]


def test_agglomeration_is_average_link() -> None:
    chance = random.Random(6)
    for _ in range(15):
        sizes = [chance.randrange(1, 4) for _ in range(12)]
        products = {
            (a, b): chance.randrange(UNIT * UNIT)
            for a in range(12)
            for b in range(a + 1, 12)
            if chance.random() < 0.4
        }
        keys = sorted(products)
        near = Neighbours(
            np.array([key[0] for key in keys]),
            np.array([key[1] for key in keys]),
            np.array([products[key] for key in keys]),
        )
        assert agglomerate(sizes, near, 0.1).tolist() == slow_average_link(sizes, products, 0.1)


def test_clusters_that_exist_are_never_joined() -> None:
    chance = random.Random(7)
    for _ in range(30):
        keys = [(a, b) for a in range(14) for b in range(a + 1, 14) if chance.random() < 0.6]
        near = Neighbours(
            np.array([key[0] for key in keys]),
            np.array([key[1] for key in keys]),
            np.array([chance.randrange(UNIT * UNIT // 2, UNIT * UNIT) for _ in keys]),
        )
        root = agglomerate([1] * 14, near, 0.05, np.arange(14) < 5)
        assert len(set(root[:5].tolist())) == 5


def test_two_events_are_two_clusters() -> None:
    articles = events()
    with Engine(threads=1) as engine:
        found = find_clusters(articles, engine)
    assert found == [0, 0, 0, 1, 1, 1]


def test_days_keep_events_apart() -> None:
    from dataclasses import replace

    articles = [replace(article, date=f"2004-0{1 + i}-01") for i, article in enumerate(events())]
    with Engine(threads=1) as engine:
        assert len(set(find_clusters(articles, engine))) == 6


def test_later_articles_join_clusters_of_yesterday(tmp_path: Path) -> None:
    articles = events()
    with Engine(threads=1) as engine:
        state = ClusterState()
        assert state.add([articles[i] for i in (0, 1, 3, 4)], engine) == [0, 0, 1, 1]
        state.save(tmp_path / "state")
        later = ClusterState.load(tmp_path / "state")
        assert later.add([articles[5], articles[2]], engine) == [1, 0]
        assert later.add(
            [Article("x", "Apples are picked by hand in Orchard Vale.", date="2004-06-01")], engine
        ) == [2]


def test_a_copy_goes_with_its_original() -> None:
    articles = [*events(), Article("copy", "whatever", duplicate_of="museum-1", date="2004-06-01")]
    with Engine(threads=1) as engine:
        assert find_clusters(articles, engine)[-1] == 1


def test_damaged_states_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="state of clusters"):
        ClusterState.load(tmp_path)


def test_comparable_documents_are_near_in_time_and_words() -> None:
    articles = events()
    with Engine(threads=1) as engine:
        found = comparable_documents(articles, engine, threshold=0.2)
        assert found
        assert all(articles[a].cluster == articles[b].cluster and cosine > 0.2 for a, b, cosine in found)
        assert comparable_documents(articles, engine, threshold=0.99) == []


def test_b_cubed() -> None:
    score = b_cubed(["a", "a", "b", "b"], [1, 1, 1, 2])
    assert score["precision"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1) / 4)
    assert score["recall"] == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)
    assert score["purity"] == pytest.approx(0.75)
    with pytest.raises(InputError):
        b_cubed([], [])


def test_options_are_checked() -> None:
    with pytest.raises(InputError):
        NeighbourOptions(window=0)
    assert ClusterOptions().threshold > 0
