"""Evidence: worked examples, and the kernel of spelling against a plain twin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.align.evidence import CONTEXT_SLOT, SLOTS, Evidence, Measure, Resources
from paraphrast.align.evidence_kinds import EVIDENCE, choose
from paraphrast.errors import InputError
from paraphrast.text import get_language


def ask(name: str, pairs: list[tuple[str, str]], resources: Resources | None = None) -> list[float]:
    words = sorted({word for pair in pairs for word in pair})
    measure = choose([name], resources or Resources())[0].measure(words)
    assert measure is not None
    first, second = (np.array([words.index(pair[k]) for pair in pairs], dtype=np.int32) for k in (0, 1))
    there, back = measure(first, second), measure(second, first)
    assert there.tolist() == back.tolist()
    return [float(value) for value in there]


def test_forms_of_one_word() -> None:
    assert ask("stem", [("walks", "walked"), ("went", "goes"), ("walk", "talk")]) == [1.0, 1.0, 0.0]


def test_numbers_written_otherwise() -> None:
    pairs = [("1,000", "1000"), ("two", "2"), ("u.s.", "us"), ("3", "4"), (",", ".")]
    assert ask("number", pairs) == [1.0, 1.0, 1.0, 0.0, 0.0]
    german = Resources(get_language("de"))
    assert ask("number", [("zwei", "2"), ("two", "2")], german) == [1.0, 0.0]


def test_spelling_is_for_longer_content_words() -> None:
    found = ask("spelling", [("assassin", "assasin"), ("cat", "car"), ("about", "above"), ("dog", "bird")])
    assert found[0] == pytest.approx(7 / 8)
    assert found[1:] == [0.0, 0.0, 0.0]


def plain_similarity(one: str, two: str) -> float:
    prefix = 0
    while prefix < min(len(one), len(two)) and one[prefix] == two[prefix]:
        prefix += 1
    similarity = 2 * prefix / (len(one) + len(two))
    longer = max(len(one), len(two))
    if abs(len(one) - len(two)) * 5 > 2 * longer:
        return similarity
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for k in range(len(two) + 1):
            if i == 0 or k == 0:
                table[i][k] = i + k
            else:
                changed = table[i - 1][k - 1] + (one[i - 1] != two[k - 1])
                table[i][k] = min(changed, table[i - 1][k] + 1, table[i][k - 1] + 1)
    return max(similarity, 1 - table[-1][-1] / longer)


@given(st.lists(st.text("abcx", min_size=4, max_size=9), min_size=2, max_size=2, unique=True))
def test_spelling_is_its_twin(words: list[str]) -> None:
    expected = plain_similarity(*words)
    found = ask("spelling", [(words[0], words[1])])[0]
    assert found == pytest.approx(expected if expected >= 0.6 - 1e-6 else 0.0, abs=1e-6)


def test_synonyms_in_any_form_but_function_words() -> None:
    listed = Resources(synonyms=[("purchase", "buy"), ("about", "near"), ("give up", "stop")])
    assert ask("synonyms", [("buys", "purchased"), ("about", "near"), ("stop", "buy")], listed) == [
        1.0,
        0.0,
        0.0,
    ]
    assert choose(["synonyms"], Resources())[0].measure(["buy"]) is None


def test_vectors_of_one_direction_are_alike() -> None:
    rng = np.random.default_rng(5)
    table = rng.normal(size=(60, 12))
    table[1] = table[0] + 0.05 * rng.normal(size=12)
    words = [f"w{number}" for number in range(60)]
    near, far = ask("vectors", [("w0", "w1"), ("w0", "unlisted")], Resources(vectors=(words, table)))
    assert near > 0.9
    assert far == 0.0
    assert choose(["vectors"], Resources())[0].measure(["buy"]) is None


class OddSlot(Evidence):
    slot = "smell"

    def measure(self, words: Sequence[str]) -> Measure | None:
        return None


def test_names_and_slots_are_checked() -> None:
    assert {EVIDENCE.get(name).slot for name in EVIDENCE} <= {*SLOTS, CONTEXT_SLOT}
    with pytest.raises(InputError, match="unknown evidence 'smell'"):
        choose(["smell"], Resources())
    EVIDENCE.register("odd", f"{OddSlot.__module__}:OddSlot")
    try:
        import sys

        sys.modules.setdefault(OddSlot.__module__, sys.modules[__name__])
        with pytest.raises(InputError, match="slot 'smell'"):
            choose(["odd"], Resources())
    finally:
        del EVIDENCE._targets["odd"]
