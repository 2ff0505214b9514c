"""What ratings say of phrases and pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.tables.quality.rated import ANY, RATED_FILE, RatedPhrases, rated_phrases


def test_effects_of_both_phrases_and_the_pair_add_up() -> None:
    rated = RatedPhrases(
        {("must", ANY): -0.5, (ANY, "should"): -0.25, ("must", "should"): -1.0, (ANY, "big"): 2.0}
    )
    values = rated.of(["must", "Must", "may", "large"], ["should", "have to", "should", "Big"])
    assert values.tolist() == [-1.75, -0.5, -0.25, 2.0]


def test_files_come_back(tmp_path: Path) -> None:
    rated = RatedPhrases({("must", ANY): -0.5, ("do n't", "do not"): 1.25})
    rated.save(tmp_path / "rated.tsv")
    lines = (tmp_path / "rated.tsv").read_text(encoding="utf-8").splitlines()
    assert lines == ["do n't\tdo not\t1.25", "must\t*\t-0.50"]
    assert RatedPhrases.from_lines(lines) == rated
    with pytest.raises(FormatError, match="line 2: expected source, substitute and a number"):
        RatedPhrases.from_lines([lines[0], "must\tshould"], tmp_path / "rated.tsv")


def test_the_shipped_effects_are_small_and_sensible() -> None:
    rated = rated_phrases()
    assert RATED_FILE.stat().st_size < 1_000_000
    assert max(map(abs, rated.effects.values())) < 6
    bad, good = rated.of(["must", "begin"], ["should", "start"])
    assert bad < 0 < good
