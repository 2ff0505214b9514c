from __future__ import annotations

import pytest

from acquire.pages_of_ours import STORY
from paraphrast.acquire.duplicates import find_duplicates, mark_duplicates
from paraphrast.acquire.options import DuplicateOptions
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article

pytest.importorskip("datasketch")


def articles() -> list[Article]:
    text = " ".join(STORY)
    other = "An orchard in the south has grown apples for three hundred years, and its owners still pick them by hand."
    return [
        Article("first", text),
        Article("other", other * 2),
        Article("copy", text + " Agency."),
        Article("empty", ""),
        Article("second copy", "By our correspondent. " + text),
        Article("another empty", ""),
    ]


def test_copies_point_at_the_earliest() -> None:
    with Engine(threads=1) as engine:
        assert find_duplicates(articles(), engine) == [-1, -1, 0, -1, 0, -1]
        marked = mark_duplicates(articles(), engine)
    assert [article.duplicate_of for article in marked] == ["", "", "first", "", "first", ""]


def test_a_stricter_similarity_finds_fewer() -> None:
    with Engine(threads=1) as engine:
        assert find_duplicates(articles(), engine, DuplicateOptions(similarity=1.0)) == [-1] * 6
        assert find_duplicates([], engine) == []


def test_options_are_checked() -> None:
    with pytest.raises(InputError):
        DuplicateOptions(hashes=100, bands=16)
