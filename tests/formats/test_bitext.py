"""Bitext in its shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.bitext import read_columns, read_files


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_columns_by_tab_and_by_bars(tmp_path: Path) -> None:
    path = write(tmp_path / "b", "a b\tc d\te\na ||| b ||| c\n")
    bitext = read_columns(path, ["en", "de", "fr"])
    assert bitext.lines == {"en": ["a b", "a"], "de": ["c d", "b"], "fr": ["e", "c"]}
    assert bitext.numbers == [1, 2]


def test_only_wanted_columns_and_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "b", "".join(f"e{n}\td{n}\tf{n}\n" for n in range(1, 8)))
    bitext = read_columns(path, ["en", "de", "fr"], wanted=["fr", "en"], first=3, last=5)
    assert bitext.lines == {"fr": ["f3", "f4", "f5"], "en": ["e3", "e4", "e5"]}
    assert bitext.numbers == [3, 4, 5]


def test_lines_do_not_drift_at_odd_separators(tmp_path: Path) -> None:
    path = write(tmp_path / "b", "a\u2028b\x0cc\u0085\td\r\ne\tf\n")
    assert read_columns(path, ["en", "de"]).lines["de"] == ["d", "f"]


def test_bad_lines_are_told_or_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "b", b"a\tb\nonly\nx\x00\ty\n\xff\tz\nc\td\n")
    with pytest.raises(FormatError, match=r"b:2: expected 2 columns \(en, de\)"):
        read_columns(path, ["en", "de"])
    bitext = read_columns(path, ["en", "de"], skip_bad=True)
    assert bitext.lines == {"en": ["a", "c"], "de": ["b", "d"]}
    assert bitext.numbers == [1, 5]
    assert [place.line for place in bitext.bad] == [2, 3, 4]


def test_one_file_a_language(tmp_path: Path) -> None:
    english, german = write(tmp_path / "en", "a\nb\nc\n"), write(tmp_path / "de", "x\ny\nz\n")
    bitext = read_files({"en": english, "de": german}, first=2)
    assert bitext.lines == {"en": ["b", "c"], "de": ["y", "z"]}
    write(german, "x\ny\n")
    with pytest.raises(FormatError, match=r"en:3: expected the same number of lines.*: 3.*: 2"):
        read_files({"en": english, "de": german})
    write(german, b"x\n\xff\nz\n")
    assert read_files({"en": english, "de": german}, skip_bad=True).lines["en"] == ["a", "c"]


def test_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one sentence pair"):
        read_columns(write(tmp_path / "b", ""), ["en", "de"])


def test_more_columns_than_languages_are_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bitext.tsv"
    path.write_text("a\tb\nc\td\te\nf\tg\th\ti\n", encoding="utf-8")
    assert len(read_columns(path, ["en", "de"])) == 3
    assert "bitext.tsv: 2 lines have up to 4 columns; only the first 2 (en, de) are used" in caplog.text
    caplog.clear()
    path.write_text("a\tb\n", encoding="utf-8")
    read_columns(path, ["en", "de"])
    assert caplog.text == ""
