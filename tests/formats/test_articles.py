from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.errors import At, FormatError
from paraphrast.formats.articles import Article, read_articles, write_articles


def test_articles_come_back_as_they_were_written(tmp_path: Path) -> None:
    articles = [
        Article("1", "A text.\nAnother line.", title="T", date="2004-05-31", cluster="c"),
        Article("2", duplicate_of="1", note="empty page"),
        Article("3", sentences=("One.", "Two.")),
    ]
    path = str(tmp_path / "a.jsonl.gz")
    assert write_articles(path, articles) == 3
    assert list(read_articles(path)) == articles


def test_other_names_and_other_fields_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 7, "body": "x", "extra": [1]}\n\n{"text": "y", "cluster": 3}\n')
    assert list(read_articles(str(path))) == [Article("7", "x"), Article("3", "y", cluster="3")]


@pytest.mark.parametrize(
    "line", ["[1]", "{", '{"page": "x"}', '{"text": [1]}', '{"sentences": "x"}', "[" * 100_000, "\ufeff"]
)
def test_malformed_lines_are_told_with_their_place(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "y"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        list(read_articles(str(path)))
    assert caught.value.where == At(str(path), 2)
    bad: list[At] = []
    assert len(list(read_articles(str(path), skip_bad=True, bad=bad))) == 1
    assert bad == [At(str(path), 2)]


def test_days() -> None:
    assert Article("1", date="2004-05-31T10:00").day() == Article("2", date="2004-06-01").day() - 1  # type: ignore[operator]
    assert Article("1", date="soon").day() is None


def test_lone_surrogates_do_not_stop_the_writing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_articles(str(path), [Article("1", "a\ud800b")])
    assert json.loads(path.read_text(encoding="utf-8"))["text"] == "a?b"
