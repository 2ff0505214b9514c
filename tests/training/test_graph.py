"""The graph as a stage of training, and phrase pairs from every road."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast.build.graph import GraphIndex, open_index, phrases_of, run_graph
from paraphrast.build.graph_input import (
    form_classes,
    from_moses,
    projected_classes,
    side_features,
    stem_numbers,
)
from paraphrast.build.graph_walks import as_translation_graph, run_walks
from paraphrast.build.options import GraphTableOptions
from paraphrast.build.walk_index import WalkIndex
from paraphrast.errors import FormatError, InputError, MissingExtra, ModelError
from paraphrast.formats.moses import MosesRow
from paraphrast.formats.table_file import read_table_file
from paraphrast.graph.options import DiscountedOptions, GraphOptions
from paraphrast.text.syntax.tag import TAG_IDS
from paraphrast.training.config import read_config
from paraphrast.training.graph_input import from_work
from paraphrast.training.recipe import make_recipe
from paraphrast.training.runner import signatures_of
from paraphrast.training.stages import stage_list
from paraphrast.types import SPECIALS, Links, Sentences


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a graph of both pivot languages, its work kept."""
    folder = tmp_path_factory.mktemp("graphing")
    config = toy.write_config(folder, extra="[graph]\ntop = 5\n")
    return paraphrast.train(config, folder / "model", threads=1, keep_work=True)


def test_the_graph_is_a_table_of_the_model(trained: Path) -> None:
    model = paraphrast.load(trained)
    assert set(model.manifest["tables"]) == {"pivot", "graph"}
    assert any(
        "graph" in edit.tables
        for best in model.paraphrase("The committee will examine the proposal.", n=5)
        for edit in best.edits
    )


def test_the_stage_writes_a_table_and_an_index(trained: Path) -> None:
    stage = trained.with_name("model.work") / "graph"
    table = read_table_file(stage / "graph.parquet")
    assert table.table.info.language == "en"
    assert set(table.table.features) == {"walk", "agreement"}
    sources, counts = np.unique(table.table.source, return_counts=True)
    assert len(sources) > 10
    assert counts.max() <= 5
    index = open_index(stage / "index")
    assert isinstance(index, WalkIndex)
    near = index.near("proposal")
    assert "plan" in [text for text, _, _ in near]
    number = index.number_of("proposal")
    rows = {
        " ".join(table.phrase(int(target))): float(np.exp(score))
        for source, target, score in zip(
            table.table.source, table.table.target, table.table.score, strict=True
        )
        if table.phrase(int(source)) == ("proposal",)
    }
    assert index.spell(number) == "proposal"
    assert rows == pytest.approx({text: score for text, score, _ in near}, rel=1e-5)
    with pytest.raises(InputError, match="no such phrase"):
        index.near("no such phrase")


def test_the_papers_method_by_name(tmp_path: Path) -> None:
    config = toy.write_config(tmp_path, extra='[graph]\nmethod = "paper"\ntop = 5\n')
    trained = paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True)
    stage = trained.with_name("model.work") / "graph"
    assert set(read_table_file(stage / "graph.parquet").table.features) == {"phrase", "tag", "stem"}
    index = open_index(stage / "index")
    assert isinstance(index, GraphIndex)
    assert "plan" in [text for text, _, _ in index.near("proposal")]


def test_filters_do_not_rebuild_the_graph(tmp_path: Path) -> None:
    """The stage always uses the default filters, so ``[filters]`` is not part of its signature."""
    signatures = []
    for name, extra in (
        ("default", "[graph]\n"),
        ("filters", "[graph]\n[filters]\nno_content = false\n"),
        ("other", "[graph]\ntop = 5\n"),
    ):
        recipe = make_recipe(read_config(toy.write_config(tmp_path / name, count=20, extra=extra)))
        signatures.append(signatures_of(stage_list(recipe), recipe))
    default, filters, other = signatures
    assert filters["graph"] == default["graph"] != other["graph"]
    assert filters["pivot"] != default["pivot"] == other["pivot"]


def test_an_index_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="index"):
        open_index(tmp_path)


def test_walks_from_either_side_of_moses_rows() -> None:
    given = from_moses(moses_rows(), ("en", "de"), "rows")
    for side, phrases, pair in (
        ("source", given.source_side, ("large", "big")),
        ("target", given.target_side, ("gross", "riesig")),
    ):
        run = run_walks(given, GraphTableOptions(), side=side)
        pairs = [
            tuple(phrases_of(phrases, [int(s), int(t)]))
            for s, t in zip(run.rows.source, run.rows.target, strict=True)
        ]
        assert pair in pairs
        assert pair[::-1] in pairs
        assert "rows" in run.note()
        assert len(run.table()) == len(run.rows)


def test_several_languages_walk_apart(trained: Path) -> None:
    """Each language has its own totals: the walks of one language alone are those of a graph of that language."""
    work = trained.with_name("model.work")
    recipe = make_recipe(read_config(trained.parent / "config.toml"))
    both, one = (from_work(recipe, work, languages) for languages in (("de", "fr"), ("de",)))
    graphs = as_translation_graph(both), as_translation_graph(one)
    assert (graphs[0].languages, graphs[1].languages) == (2, 1)
    totals = graphs[0].total.reshape(2, -1)[0]
    assert sorted(totals[totals > 0]) == sorted(graphs[1].total)


def test_a_language_that_is_no_pivot_is_told(tmp_path: Path) -> None:
    config = toy.write_config(tmp_path, 20, extra='[graph]\nlanguages = ["pl"]\n')
    with pytest.raises(InputError, match="'pl'"):
        paraphrast.train(config, tmp_path / "model")


def moses_rows() -> list[MosesRow]:
    rows = []
    for source, target, count in [
        ("big", "gross", 4),
        ("large", "gross", 3),
        ("huge", "riesig", 2),
        ("big", "riesig", 1),
    ]:
        rows.append(MosesRow(source, target, (0.5,), (), (9, 8, count)))
    return rows


def test_moses_rows_become_a_table() -> None:
    given = from_moses(moses_rows(), ("en", "de"), "rows")
    run = run_graph(given)
    pairs = {
        tuple(phrases_of(given.source_side, [int(s), int(t)]))
        for s, t in zip(run.ranked.source, run.ranked.target, strict=True)
    }
    assert ("big", "large") in pairs
    assert ("large", "big") in pairs
    assert "graphs" in run.note()


def test_moses_rows_without_counts_are_refused() -> None:
    with pytest.raises(FormatError, match="row 1"):
        from_moses([MosesRow("a", "b", (0.5,))], ("en", "de"), "rows")


def test_rare_and_long_pairs_are_left_out() -> None:
    long = MosesRow("a b c d e f g h", "x", (0.5,), (), (9, 9, 9))
    given = from_moses([*moses_rows(), long], ("en", "de"), "rows", min_count=2)
    assert len(given.count) == 3
    with pytest.raises(InputError, match="none"):
        from_moses([long], ("en", "de"), "rows")


def test_stems_bring_forms_together() -> None:
    numbers, names = stem_numbers((*SPECIALS, "examine", "examined", "went", "go", "Plan"), "en")
    examine, examined, went, go, _ = numbers[len(SPECIALS) :]
    assert examine == examined != go
    assert went == go
    assert names[numbers[0]] == "<unk>"


def test_lemmata_come_from_simplemma_2(monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*SPECIALS, "ging", "Gehen")
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingExtra, match="lemmata"):
        stem_numbers(words, "de", lemmata=True)
    fake = ModuleType("simplemma")
    fake.__version__ = "1.1.2"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "simplemma", fake)
    with pytest.raises(InputError, match="simplemma 2"):
        stem_numbers(words, "de", lemmata=True)
    fake.__version__ = "2.0.0"  # type: ignore[attr-defined]
    fake.lemmatize = lambda word, lang: {"ging": "gehen"}.get(word, word) if lang == "de" else word  # type: ignore[attr-defined]
    numbers, names = stem_numbers(words, "de", lemmata=True)
    assert numbers[-1] == numbers[-2]
    assert names[numbers[-1]] == "gehen"


def test_classes_by_form() -> None:
    words = (*SPECIALS, "der", "Kommission", "Nation", "prüfen", "lesen", "1999", ",")
    numbers, names = form_classes(words, "de")
    der, kommission, nation, pruefen, lesen, year, comma = (names[n] for n in numbers[len(SPECIALS) :])
    assert der == "der"
    assert kommission == nation == "A-on"
    assert pruefen == lesen == "a-en"
    assert (year, comma) == ("0", ".")


def test_tags_cross_the_links() -> None:
    first = len(SPECIALS)
    source = Sentences.from_lists([[first, first + 1], [first + 1]])
    target = Sentences.from_lists([[first + 5, first + 6], [first + 6]])
    links = Links.from_lists([[(0, 0), (1, 1)], [(0, 0)]])
    tags = np.array([TAG_IDS["DT"], TAG_IDS["NN"], TAG_IDS["VB"]], np.uint8)
    found = projected_classes(tags, source, target, links, first + 8)
    assert found[first + 5] == TAG_IDS["DT"]
    assert found[first + 6] in (TAG_IDS["NN"], TAG_IDS["VB"])
    assert found[first + 7] == -1


def test_features_can_be_left_out() -> None:
    side = from_moses(moses_rows(), ("en", "de"), "rows").source_side
    features, _ = side_features(side, tags=False, stems=False)
    assert not features.has_tags
    assert not features.has_stems
    features, _ = side_features(side)
    assert features.has_tags
    assert features.has_stems


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(InputError, match="max_phrases"):
        GraphOptions(max_phrases=0)
    with pytest.raises(InputError, match="walks or paper"):
        GraphTableOptions(method="commute")
    with pytest.raises(InputError, match="discount"):
        DiscountedOptions(discount=0)
