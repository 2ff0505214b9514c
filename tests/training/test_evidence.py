"""How much evidence a model keeps: pivots per pair and language, cited sentences, and the corpora they are from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import paraphrast
import toy
from paraphrast.model.evidence import Citation, Evidence, Pivot
from paraphrast.training.model_options import ModelOptions


def train(folder: Path, options: str) -> Path:
    """The toy text as two corpora, with other German words in the second, and some options of ``[model]``."""
    config = toy.write_config(folder, 300, extra=f"[model]\n{options}\n")
    lines = "\n".join("\t".join(row) for row in toy.rows(300, 2)) + "\n"
    lines = lines.replace("vorschlag", "antrag").replace("gesetz", "erlass").replace("pruefen", "sichten")
    (folder / "more.tsv").write_text(lines, encoding="utf-8")
    more = '[[bitext]]\npath = "more.tsv"\ncolumns = ["en", "de", "fr"]\nname = "more"\n'
    config.write_text(config.read_text().replace("[tagger]", f"{more}[tagger]"))
    return paraphrast.train(config, folder / "model", threads=1)


def pairs_of(model: Path) -> Iterator[tuple[int, int, list[Pivot]]]:
    """Source, target and pivots of every pair that has some."""
    evidence = Evidence.load(model)
    assert evidence is not None
    for source in range(len(evidence.begin) - 1):
        own = evidence.target[evidence.begin[source] : evidence.begin[source + 1]]
        for target in sorted(set(own.tolist())):
            yield source, target, evidence.pivots(source, target)


def citations(pivots: list[Pivot]) -> list[Citation]:
    """The sentences cited for a pair; sentences of the most probable pivot come first."""
    ranked = sorted(pivots, key=lambda pivot: -pivot.probability)
    return [one for pivot in ranked for one in (pivot.source_seen, pivot.target_seen) if one is not None]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("full"), "")


def test_by_default_each_language_cites_its_best_pivot(full: Path) -> None:
    counts, cited, corpora = set(), set(), set()
    for _, _, pivots in pairs_of(full):
        for language in ("de", "fr"):
            counts.add(sum(pivot.language == language for pivot in pivots))
        cited.add(len(citations(pivots)))
        corpora |= {one.corpus for one in citations(pivots)}
    assert max(counts) == 2 < ModelOptions().pivots
    assert max(cited) == 4  # of two languages, the sentences of source and target
    assert "more" in corpora
    assert len(corpora) == 2


def test_fewer_pivots_and_sentences_are_the_first_ones(full: Path, tmp_path: Path) -> None:
    small = train(tmp_path, "pivots = 1\ncitations = 1")
    before, after = list(pairs_of(full)), list(pairs_of(small))
    assert [pair[:2] for pair in after] == [pair[:2] for pair in before]
    for (_, _, many), (_, _, few) in zip(before, after, strict=True):
        best: dict[str, Pivot] = {}
        for pivot in many:
            best.setdefault(pivot.language, pivot)
        assert {(one.language, one.phrase, one.probability) for one in few} == {
            (one.language, one.phrase, one.probability) for one in best.values()
        }
        assert citations(few) == citations(list(best.values()))[:1]
        assert len(citations(few)) == 1
    evidence = Evidence.load(small)
    assert evidence is not None
    assert (evidence.cited_sentence >= 0).sum() == len(after)


def test_only_named_corpora_are_cited(full: Path, tmp_path: Path) -> None:
    chosen = train(tmp_path, 'cite = ["more"]')
    kept = 0
    for (_, _, before), (_, _, after) in zip(pairs_of(full), pairs_of(chosen), strict=True):
        assert [(one.language, one.phrase) for one in after] == [(one.language, one.phrase) for one in before]
        assert citations(after) == [one for one in citations(before) if one.corpus == "more"]
        kept += len(citations(after))
    assert kept


def test_without_citations_the_pivots_stay(full: Path, tmp_path: Path) -> None:
    model = train(tmp_path, "citations = 0")
    evidence = Evidence.load(model)
    assert evidence is not None
    assert len(evidence.sentences) == 0
    assert len(evidence.cited_sentence) == 0
    assert [pair[:2] for pair in pairs_of(model)] == [pair[:2] for pair in pairs_of(full)]
    assert all(not citations(pivots) for _, _, pivots in pairs_of(model))
