"""Fluency by a reading model: a stub that likes some words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paraphrast.fusion import reading
from paraphrast.fusion.reading import find_reader, fluency
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.generate import Fused, Span
from paraphrast.read import PieceScores
from paraphrast.text.languages.registry import get_language


class Stub:
    def score(self, texts: Sequence[str]) -> list[PieceScores]:
        return [
            PieceScores(
                tuple(text.split()),
                tuple(-9.0 if before == "fell" else -1.0 for before in ("", *text.split()[:-1])),
            )
            for text in texts
        ]


def test_a_joint_that_reads_badly_is_a_loss() -> None:
    cluster = make_cluster(["a b c d", "x fell"], get_language("en"), pretokenized=True)
    good = Fused("a b d", ("a", "b", "d"), (Span(0, 5, (0,)),))
    bad = Fused("x fell c d", ("x", "fell", "c", "d"), (Span(0, 6, (1,)), Span(7, 10, (0,))))
    found = fluency([good, bad], cluster, Stub())  # type: ignore[arg-type]
    assert found[0] == pytest.approx((0.0, 0.0))
    assert found[1] == pytest.approx((-2.0, -8.0))


def test_no_reader_without_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading.data, "is_cached", lambda _: False)
    find_reader.cache_clear()
    assert find_reader("en") is None
    assert find_reader("de") is None
    find_reader.cache_clear()
