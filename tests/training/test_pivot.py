"""The pivot stage: trimmed rows cite the right words, other languages work, the table can stand alone."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast import InputError
from paraphrast.cli import run
from paraphrast.engine import Engine
from paraphrast.formats.table_file import load_table, read_table_file
from paraphrast.study.model_tables import read_rows
from paraphrast.text.languages.registry import LANGUAGES, get_language
from paraphrast.text.syntax.category import CATEGORIES, COMPATIBLE
from paraphrast.training.pivot_features import LOWEST_SYNTAX, syntax_feature
from paraphrast.training.pivot_table import bitext_config, write_pivot_table


def test_every_citation_marks_the_phrase_it_cites(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    cited = 0
    rows = list(read_rows(model, "pivot", vetoed=True))
    for row in rows[:: max(len(rows) // 40, 1)]:
        for pivot in model.explain(row.source, row.target).pivots:
            for phrase, seen in ((row.source, pivot.source_seen), (row.target, pivot.target_seen)):
                if seen is not None and "<" not in phrase:
                    assert seen.text[seen.start : seen.end].lower() == phrase.lower()
                    cited += 1
    assert cited > 40


def test_rows_are_as_short_as_what_they_say(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    pairs = {(row.source, row.target) for row in read_rows(model, "pivot")}
    assert ("examine", "look at") in pairs
    assert not any(source.split()[0] == target.split()[0] for source, target in pairs)
    with Engine(threads=1) as engine:
        table = load_table(engine, toy_model / "tables" / "pivot.parquet")
    assert {"reverse", "both", "in_de", "in_fr", "languages", "context", "syntax"} == set(table.features)
    assert (table.features["context"] <= 0).all()
    assert set(table.info.notes["pruned"]) == {"de", "fr"}


def test_trimmed_rows_can_be_turned_off(tmp_path: Path) -> None:
    config = toy.write_config(
        tmp_path,
        300,
        extra='[pivot]\nnormalise = false\ncontext = false\nsyntax = "none"\ncombine = "product"\n'
        "weights = { de = 2 }\n[filters]\nshared_edge = false\ncontent_subset = false\n",
    )
    model = paraphrast.load(paraphrast.train(config, tmp_path / "model", threads=1))
    pairs = {(row.source, row.target) for row in read_rows(model, "pivot")}
    assert any(source.split()[-1] == target.split()[-1] for source, target in pairs)
    with Engine(threads=1) as engine:
        features = load_table(engine, model.path / "tables" / "pivot.parquet").features
    assert not {"context", "syntax"} & set(features)


def test_contexts_may_rank_and_syntax_may_be_required(tmp_path: Path) -> None:
    config = toy.write_config(
        tmp_path, 300, extra='[pivot]\ncontext_weight = 2.0\nsyntax = "require"\ntop = 1\n'
    )
    model = paraphrast.train(config, tmp_path / "model", threads=1)
    with Engine(threads=1) as engine:
        table = load_table(engine, model / "tables" / "pivot.parquet")
    allowed = table.veto == 0
    assert np.unique(table.source[allowed], return_counts=True)[1].max() == 1
    assert not (table.features["syntax"] <= np.float32(np.log(LOWEST_SYNTAX))).any()


def test_syntax_is_the_share_of_categories_in_common() -> None:
    first, second = next(
        (a, b)
        for a in range(1, len(CATEGORIES))
        for b in range(1, len(CATEGORIES))
        if not COMPATIBLE[a] >> b & 1 and not COMPATIBLE[b] >> a & 1
    )
    masks = np.array([1 << first, 1 << second, 1 << first | 1 << second, 0], np.uint32)
    source, target = np.array([0, 0, 2, 0, 3], np.int32), np.array([0, 1, 0, 3, 0], np.int32)
    found = np.exp(syntax_feature(masks, source, target))
    assert found[:3] == pytest.approx([1.0, LOWEST_SYNTAX, 0.5])
    assert np.isnan(found[3:]).all()


def foreign_config(folder: Path, language: str) -> Path:
    """The toy bitext with a model of its third language, in which the German of the toy has synonyms."""
    folder.mkdir(exist_ok=True)
    rows = toy.rows(400)
    lines = ["\t".join((english, first, second)) for english, first, second in rows]
    (folder / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = folder / "config.toml"
    config.write_text(
        f'language = "{language}"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de", "{language}"]\n'
        "[lm]\norder = 3\n",
        encoding="utf-8",
    )
    return config


@pytest.mark.parametrize("language", ["fr", "qx"])
def test_the_foreign_side_has_paraphrases_too(
    tmp_path: Path, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    get_language.cache_clear()
    with caplog.at_level(logging.WARNING, logger="paraphrast"):
        path = paraphrast.train(foreign_config(tmp_path, language), tmp_path / "model", threads=1)
        model = paraphrast.load(path)
        assert model.paraphrase("le conseil va examiner un grand souci demain .", strength=1.0) is not None
    notices = [record for record in caplog.records if "no record for language" in record.message]
    assert len(notices) == (language not in LANGUAGES)
    pairs = {(row.source, row.target) for row in read_rows(model, "pivot")}
    assert ("examiner", "etudier") in pairs


#: Words of ours in scripts that are hard on a tokeniser; the second column is a rough English version.
SCRIPTS = {
    "zh": ["他看书。", "她看报纸。", "他们读书。", "我们读报纸,好吗?"],
    "th": ["เขาอ่านหนังสือ", "เธออ่านข่าว", "เราดูหนัง", "พวกเขาดูข่าว"],
    "ar": ["هو يقرأ الكتاب.", "هي تقرأ الخبر.", "نحن نقرأ الكتاب؟", "هم يرون الخبر،"],
}
ENGLISH = ["he reads the book .", "she reads the news .", "we read the book .", "they see the news ."]


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_other_scripts_never_crash(tmp_path: Path, language: str) -> None:
    lines = [f"{foreign}\t{english}" for foreign, english in zip(SCRIPTS[language], ENGLISH, strict=True)] * 5
    (tmp_path / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = tmp_path / "config.toml"
    config.write_text(
        f'language = "{language}"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["{language}", "en"]\n'
        "[lm]\norder = 2\n[pivot]\nmin_probability = 0.0\n",
        encoding="utf-8",
    )
    model = paraphrast.load(paraphrast.train(config, tmp_path / "model", threads=1))
    texts = (*SCRIPTS[language], "", "?!", "abc 12 " + SCRIPTS[language][0])
    found = {text: model.paraphrase(text, n=3, strength=1.0) for text in texts}
    assert all(result.source == text != result.text for text, results in found.items() for result in results)
    assert not found[""]
    assert not found["?!"]


def test_other_scripts_into_an_english_model(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    english = "The committee will examine a big proposal tomorrow."
    for text in (line for lines in SCRIPTS.values() for line in lines):
        assert model.paraphrase(text, n=3, strength=1.0) == []
        results = model.paraphrase(f"{text} {english}", n=3, strength=1.0)
        assert results
        assert all(result.text.startswith(f"{text} ") for result in results)


def test_a_table_that_stands_alone(tmp_path: Path) -> None:
    bitext = tmp_path / "bitext.tsv"
    bitext.write_text("".join("\t".join(row) + "\n" for row in toy.rows(300)), encoding="utf-8")
    first, second = tmp_path / "one.parquet", tmp_path / "two.parquet"
    command = ["table", "pivot", str(bitext), "--columns", "en,de,fr", "-o"]
    assert run([*command, str(first), "--threads", "1"]) == 0
    assert run([*command, str(second), "--threads", "2"]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert not first.with_name("one.parquet.work").exists()
    table = read_table_file(first)
    assert table.table.info.kind == "pivot"
    pairs = {
        (" ".join(table.phrase(int(s))), " ".join(table.phrase(int(t))))
        for s, t, veto in zip(table.table.source, table.table.target, table.table.veto, strict=True)
        if not veto
    }
    assert ("examine", "look at") in pairs


def test_the_command_tells_what_it_cannot_do(tmp_path: Path, toy_model: Path) -> None:
    bitext = str(toy_model.parent / "bitext.tsv")
    taken = tmp_path / "taken.parquet"
    taken.write_text("precious")
    for wrong in (
        ["table", "pivot", bitext, "--columns", "en,de,fr", "-o", str(taken)],
        ["table", "pivot", bitext, "--columns", "de,fr", "-o", str(tmp_path / "x.parquet")],
        [
            "table",
            "pivot",
            bitext,
            "--columns",
            "en,de,fr",
            "--weights",
            "de",
            "-o",
            str(tmp_path / "x.parquet"),
        ],
        ["table", "pivot", bitext, str(toy_model.parent / "config.toml"), "-o", str(tmp_path / "x.parquet")],
    ):
        assert run(wrong) != 0
    assert taken.read_text() == "precious"
    assert not (tmp_path / "x.parquet").exists()
    config = bitext_config([bitext], ["en", "de", "fr"])
    with pytest.raises(InputError, match="this folder does not exist"):
        write_pivot_table(config, tmp_path / "none" / "x.parquet")
