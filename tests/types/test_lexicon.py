"""Looking words up in a lexicon, against a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.types import WordLexicon


@given(
    st.lists(st.dictionaries(st.integers(0, 5), st.sampled_from([0.25, 0.5, 1.0])), min_size=1, max_size=5)
)
def test_lookup_equals_a_dictionary(rows: list[dict[int, float]]) -> None:
    ordered = [sorted(row.items()) for row in rows]
    flat = [entry for row in ordered for entry in row]
    lexicon = WordLexicon(
        np.cumsum([0, *(len(row) for row in ordered)]).astype(np.int64),
        np.array([word for word, _ in flat], np.int32),
        np.array([value for _, value in flat], np.float32),
    )
    assert lexicon.null == len(rows) - 1
    assert len(lexicon) == len(flat)
    asked = [(row, word) for row in range(-1, len(rows) + 1) for word in range(-1, 7)]
    found = lexicon.lookup(
        np.array([row for row, _ in asked], np.int32),
        np.array([word for _, word in asked], np.int32),
        unseen=0.125,
    )
    assert found.tolist() == [
        rows[row].get(word, 0.125) if 0 <= row < len(rows) else 0.125 for row, word in asked
    ]
