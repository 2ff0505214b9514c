"""A configuration is checked as a whole, with errors that name the file, the section and the key."""

from __future__ import annotations

from pathlib import Path

import pytest

import paraphrast
from paraphrast.build.options import NewsOptions
from paraphrast.errors import InputError
from paraphrast.training.config import SECTIONS, as_config, read_config

BITEXT = '[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de"]\n'


def write(folder: Path, text: str) -> Path:
    (folder / "bitext.tsv").write_text("one\teins\n", encoding="utf-8")
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f'{BITEXT}[pivot]\nmin_probability = "x"\n',
            "[pivot] min_probability: expected a number from 0 and below 1, got 'x'",
        ),
        (f"{BITEXT}[pivot]\ntop = 0\n", "[pivot] top: expected a whole number from 1, got 0"),
        (f"{BITEXT}[pivot]\ntops = 3\n", "[pivot]: unknown option 'tops'"),
        (f"{BITEXT}[align]\nsymmetrise = 'best'\n", "[align] symmetrise: expected intersect"),
        (f"{BITEXT}[extract]\nmin_count = 0\n", "[extract] min_count: expected a whole number from 1"),
        (f"{BITEXT}[extract]\norientation = 'up'\n", "expected phrase, word or none, got 'up'"),
        (f"{BITEXT}[lm]\nprune = [1]\n", "[lm]: prune: expected at most 5 thresholds that begin with 0"),
        (f"{BITEXT}[graph]\nmax_phrases = 1\n", "[graph] max_phrases: expected a whole number from 2"),
        (f"{BITEXT}[pairs]\nwindow = 1\n", "[pairs]: expected a [[news]] source, got none"),
        (
            '[[bitext]]\npath = "bitext.tsv"\ncolumns = "en,de"\n',
            "[[bitext]] columns: expected a list of languages",
        ),
        ('[[bitext]]\npath = 3\ncolumns = ["en", "de"]\n', "[[bitext]] path: expected text, got 3"),
        (
            f'{BITEXT}[[table]]\nkind = "lexicon"\npath = "bitext.tsv"\ntrusted = "yes"\n',
            "[[table]] trusted: expected true or false, got 'yes'",
        ),
        (f"evidence = 'all'\n{BITEXT}", "evidence: expected none, ids or text, got 'all'"),
        (f"pivot = 3\n{BITEXT}", "[pivot]: expected a table of options, got 3"),
    ],
)
def test_a_wrong_value_is_reported(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_config(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_sections_become_the_records_of_their_rooms(tmp_path: Path) -> None:
    (tmp_path / "articles.jsonl").write_text("{}\n", encoding="utf-8")
    news = '[[news]]\npath = "articles.jsonl"\n[pairs]\nprobability = 0.9\nwindow = 3\nthreshold = 0.2\n'
    config = read_config(write(tmp_path, f"{BITEXT}{news}[graph]\nsigma = 0.5\n"))
    pairs = config.section("pairs")
    assert isinstance(pairs, NewsOptions)
    assert (pairs.pairs.least, pairs.window, pairs.cluster.threshold) == (0.9, 3, 0.2)
    assert config.section("graph").walk.graphs.sigma == 0.5
    assert all(isinstance(config.section(name), SECTIONS[name]) for name in SECTIONS)


def test_a_trusted_table_is_not_filtered(tmp_path: Path) -> None:
    table = '[[table]]\nkind = "lexicon"\npath = "bitext.tsv"\n'
    plain, trusted = (
        read_config(write(tmp_path, f"{BITEXT}{table}{line}")).tables[0] for line in ("", "trusted = true\n")
    )
    assert (plain.filtered, plain.trusted) == (True, False)
    assert (trusted.filtered, trusted.trusted) == (False, True)


def test_a_mapping_is_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "")
    monkeypatch.chdir(tmp_path)
    content = {"bitext": [{"path": "bitext.tsv", "columns": ["en", "de"]}], "lm": {"order": 3}}
    config = as_config(content)
    assert config.section("lm").order == 3
    assert config.bitext[0].path == Path("bitext.tsv")
    with pytest.raises(InputError, match="unknown key 'bitexts'"):
        paraphrast.train({"bitexts": []}, tmp_path / "model")
