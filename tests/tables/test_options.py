"""The numbers that option records repeat, so that help stays light, are those of the code that uses them."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.extract.options import ExtractOptions
from paraphrast.tables.checks import _kernels_vetoes as kernels
from paraphrast.tables.options import RULES
from paraphrast.tables.resources.options import QueryOptions, RoundtripOptions
from paraphrast.types import MAX_PHRASE


def test_rules_have_the_bits_of_the_kernels() -> None:
    shared = {name: bit for name, bit in RULES.items() if hasattr(kernels, name.upper())}
    assert len(shared) >= 6
    assert shared == {name: getattr(kernels, name.upper()) for name in shared}
    assert sorted(RULES.values()) == [1 << place for place in range(len(RULES))]


@pytest.mark.parametrize(
    ("record", "name"),
    [(ExtractOptions, "max_length"), (QueryOptions, "longest"), (RoundtripOptions, "max_length")],
)
def test_the_longest_phrase_is_that_of_the_types(record: type, name: str) -> None:
    assert getattr(record(**{name: MAX_PHRASE}), name) == MAX_PHRASE
    with pytest.raises(InputError, match=name):
        record(**{name: MAX_PHRASE + 1})
