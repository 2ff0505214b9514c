"""One rule for malformed lines: stop at the first, or skip and count."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import At, FormatError
from paraphrast.formats.articles import read_articles
from paraphrast.formats.bad_lines import BadLines, skipped_note
from paraphrast.formats.bitext import read_columns
from paraphrast.formats.moses import read_phrase_table
from paraphrast.training.config import Source
from paraphrast.training.corpora import read_text

GOOD_AND_BAD = {
    "bitext": ("a\tb\nnonsense\nc\td\n", "expected 2 columns"),
    "moses": ("a ||| b ||| 0.5\nnonsense\nc ||| d ||| 0.5\n", "expected 3 to 7 fields"),
    "articles": ('{"text": "One."}\nnonsense\n{"text": "Two."}\n', "expected a JSON object"),
    "text": ("One.\nbi\x00nary\nTwo.\n", "binary data"),
}


def read(kind: str, path: Path, *, skip_bad: bool) -> tuple[int, list[At]]:
    """How many rows were read, and where bad lines are."""
    bad: list[At] = []
    if kind == "bitext":
        bitext = read_columns(path, ["en", "de"], skip_bad=skip_bad)
        return len(bitext), bitext.bad
    if kind == "moses":
        return len(list(read_phrase_table(path, skip_bad=skip_bad, bad=bad))), bad
    if kind == "articles":
        return len(list(read_articles(str(path), skip_bad=skip_bad, bad=bad))), bad
    return len(read_text(Source("text", path), skip_bad=skip_bad, bad=bad)), bad


@pytest.mark.parametrize("kind", GOOD_AND_BAD)
def test_every_reader_keeps_the_rule(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    text, problem = GOOD_AND_BAD[kind]
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=problem) as error:
        read(kind, path, skip_bad=False)
    where = error.value.where
    assert isinstance(where, At)
    assert (str(where.path), where.line) == (str(path), 2)
    assert "--skip-bad" in str(error.value)
    rows, places = read(kind, path, skip_bad=True)
    assert rows == 2
    assert [place.line for place in places] == [2]


def test_the_note() -> None:
    assert skipped_note([]) == ""
    bad = BadLines(skip=True)
    bad.add("wrong", At("file", 3))
    assert skipped_note(bad.places) == "1 malformed line skipped, the first at file:3"
    bad.add("wrong", At("file", 4))
    assert skipped_note(bad.places) == "2 malformed lines skipped, the first at file:3"
