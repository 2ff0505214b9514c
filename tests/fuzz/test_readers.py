"""Every reader ends in a result or a ParaphrastError: on sound files, on hostile ones, and on mutations of both."""

from __future__ import annotations

import random

import pytest

from fuzz.run import mutated
from fuzz.seeds import _SEEDS, seeds
from fuzz.targets import TARGETS, run

#: These need a trained model, or are slow: `make fuzz` runs them.
SLOW = {
    *("table", "packed-model", "model-manifest", "model-files", "lm-folder", "sentence", "weights", "casing"),
    *("html", "warc", "warc-gz", "pages-jsonl", "arpa", "vocabulary", "kenlm", "trees"),
}


def test_every_target_has_inputs() -> None:
    assert _SEEDS.keys() == TARGETS.keys()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(TARGETS.keys() - SLOW))
def test_every_input_ends_in_a_result_or_our_error(name: str) -> None:
    if name == "safetensors":
        pytest.importorskip("safetensors", reason="the extra precise is not installed")
    given = seeds(name)
    ends = {run(name, content) for content in given}
    assert "result" in ends
    rng = random.Random(name)
    for _ in range(40):
        ends.add(run(name, mutated(rng.choice(given), rng, given)))
    assert len(ends) > 1
