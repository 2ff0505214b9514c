"""The files of a campaign come back as they were; a torn ratings file mends itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.ratings import (
    Item,
    Rating,
    RatingsFile,
    Sealed,
    read_items,
    read_key,
    read_ratings,
    write_items,
    write_key,
)

ITEMS = [Item("a1", "phrase", "look at", "examine", "They look at it."), Item("b2", "phrase", "é", "ü")]
RATINGS = [Rating("a1", "", "anna", "phrase", 2), Rating("b2", "ours", "ben", "phrase", 0, 2)]


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    write_items(tmp_path / "items", ITEMS)
    assert read_items(tmp_path / "items") == ITEMS
    key = [Sealed("a1", "ours", 2, "news"), Sealed("a1", "theirs")]
    write_key(tmp_path / "key", key)
    assert read_key(tmp_path / "key") == key
    with RatingsFile(tmp_path / "ratings") as file:
        for rating in RATINGS:
            file.add(rating)
    assert read_ratings(tmp_path / "ratings") == RATINGS


def test_ratings_are_added_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ratings"
    for rating in RATINGS:
        with RatingsFile(path) as file:
            file.add(rating)
            # On the disk before the file is closed.
            assert read_ratings(path)[-1] == rating
    assert read_ratings(path) == RATINGS


@pytest.mark.parametrize(
    ("tail", "kept"),
    [(b'{"item": "a1", "ra', 1), (b'{"item":"b2","rater":"c","question":"phrase","value":1}', 2)],
)
def test_a_torn_end_is_mended(tmp_path: Path, tail: bytes, kept: int) -> None:
    path = tmp_path / "ratings"
    with RatingsFile(path) as file:
        file.add(RATINGS[0])
    path.write_bytes(path.read_bytes() + tail)
    with RatingsFile(path) as file:
        file.add(RATINGS[1])
    found = read_ratings(path)
    assert len(found) == kept + 1
    assert (found[0], found[-1]) == (RATINGS[0], RATINGS[1])


def test_faults_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text('{"item": "a", "rater": "x", "question": "q", "value": "2"}\n', encoding="utf-8")
    with pytest.raises(FormatError, match="whole number as 'value'") as error:
        read_ratings(path)
    assert f"{path}:1" in str(error.value)
    path.write_text("[1]\n", encoding="utf-8")
    with pytest.raises(FormatError, match="one JSON object per line"):
        read_key(path)
    write_items(path, [ITEMS[0], ITEMS[0]])
    with pytest.raises(FormatError, match="the same id"):
        read_items(path)
    with RatingsFile(tmp_path / "r") as file, pytest.raises(InputError, match="name of a rater"):
        file.add(Rating("a", "", " ", "q", 1))
    with pytest.raises(InputError, match="does not exist"):
        RatingsFile(tmp_path / "nowhere" / "r")
