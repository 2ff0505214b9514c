"""Aligners by name: ours, and those of others behind stand-ins that behave as they do."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraphrast.align import ALIGNERS, AlignJob, AlignOptions, run_method
from paraphrast.align.adapters import check_links, combined
from paraphrast.align.methods import with_identities
from paraphrast.errors import InputError, MissingExtra, ModelError, ParaphrastError
from paraphrast.types import FIRST_WORD, Links, Sentences, Vocabulary

WORDS = Vocabulary.from_counts([("a", 9), ("b", 8), ("c", 7)])
OTHERS = Vocabulary.from_counts([("x", 9), ("b", 8), ("z", 7), ("a", 1)])
A, B, C = range(FIRST_WORD, FIRST_WORD + 3)


def job(**changes: Any) -> AlignJob:
    source = Sentences.from_lists([[A, B, C], [], [A], [C, A]] * 3)
    target = Sentences.from_lists([[A, B, C], [A], [A], [C, A]] * 3)
    return AlignJob(source, target, WORDS, OTHERS, **changes)


@pytest.mark.parametrize("name", ["hmm", "ibm1"])
def test_our_own_keep_a_model(name: str, tmp_path: Path) -> None:
    found = run_method(name, job())
    assert {(1, 1), (2, 2)} <= set(found.links.pair(0)) <= {(0, 0), (1, 1), (2, 2)}
    assert found.links.pair(1) == []
    assert found.model is not None
    found.model.save(tmp_path / "model")
    loaded = ALIGNERS.get(name)().load(tmp_path / "model")
    assert loaded.align(job().source, job().target).source.tolist() == found.links.source.tolist()


def test_sides_of_different_length_are_an_error() -> None:
    with pytest.raises(InputError, match="got 1 and 0"):
        AlignJob(Sentences.from_lists([[A]]), Sentences.from_lists([]), WORDS, OTHERS)


def test_unknown_methods_and_models_that_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="oracle"):
        run_method("oracle", job())
    with pytest.raises(ModelError, match="eflomal cannot save models"):
        ALIGNERS.get("eflomal")().load(tmp_path)


def test_an_identity_lexicon_adds_shared_words_and_no_links() -> None:
    more = with_identities(job())
    assert len(more.source) == len(job().source) + 2
    assert [more.source[12].tolist(), more.target[12].tolist()] == [[A], [OTHERS.ids["a"]]]
    assert [more.source[13].tolist(), more.target[13].tolist()] == [[B], [OTHERS.ids["b"]]]
    found = run_method("hmm", job(options=AlignOptions(posteriors=True)), identity_lexicon=True)
    assert len(found.links) == len(job().source)
    assert found.links.posterior is not None
    assert len(found.links.source) == len(found.links.posterior) == found.links.starts[-1]
    foreign = Vocabulary.from_counts([("x", 9), ("y", 8), ("z", 7), ("w", 1)])
    assert len(with_identities(AlignJob(job().source, job().target, WORDS, foreign)).source) == 12


def test_an_identity_lexicon_decides_where_text_does_not() -> None:
    words = Vocabulary.from_counts([("a", 9), ("b", 8)])
    text = Sentences.from_lists([[A, B]])
    mirrored = Sentences.from_lists([[B, A]])
    found = run_method("ibm1", AlignJob(text, mirrored, words, words), identity_lexicon=True)
    assert found.links.pair(0) == [(0, 1), (1, 0)]


def test_given_links_are_checked() -> None:
    source, target = Sentences.from_lists([[A, B], [A]]), Sentences.from_lists([[A], [A, B, C]])
    good = Links.from_lists([[(1, 0)], [(0, 2)]])
    check_links(good, source, target)
    found = run_method("links", AlignJob(source, target, WORDS, OTHERS, links=good))
    assert found.links is good
    assert found.model is None
    for bad, message in (
        ([[(2, 0)], []], "pair 1 has a link to source word 2, and 2 source words"),
        ([[], [(0, 3)]], "pair 2 has a link to target word 3, and 3 target words"),
        ([[]], "links of 2 sentence pairs, got 1"),
    ):
        with pytest.raises(InputError, match=message):
            run_method("links", AlignJob(source, target, WORDS, OTHERS, links=Links.from_lists(bad)))
    with pytest.raises(InputError, match="--links"):
        run_method("links", job())
    with pytest.raises(InputError, match="identity lexicon"):
        run_method("links", job(links=good), identity_lexicon=True)


def test_links_of_another_aligner_beyond_a_sentence_are_refused() -> None:
    source, target = Sentences.from_lists([[A, B], [A]]), Sentences.from_lists([[A], [A, B]])
    both, good = np.arange(2), Links.from_lists([[(1, 0)], [(0, 1)]])
    work = AlignJob(source, target, WORDS, OTHERS)
    assert combined(work, both, good, good).links.pair(1) == [(0, 1)]
    for bad in ([[(1, 1)], []], [[], [(1, 0)]]):
        with pytest.raises(ParaphrastError, match="beyond the ends"):
            combined(work, both, good, Links.from_lists(bad))


STAND_IN = """#!{python}
import sys
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
texts = [open(options[flag], encoding="utf-8").read().splitlines() for flag in ("-s", "-t")]
if "z" in texts[1][0].split():
    sys.exit("no z today")
for flag in ("-f", "-r"):
    with open(options[flag], "w", encoding="utf-8") as out:
        for source, target in zip(*texts):
            shorter = min(len(source.split()), len(target.split()))
            print(*(f"{{k}}-{{k}}" for k in range(shorter)), file=out)
"""


@pytest.fixture
def eflomal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "eflomal-align"
    program.write_text(STAND_IN.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script with a first line")
@pytest.mark.usefixtures("eflomal")
def test_eflomal_gets_pairs_with_words_on_both_sides_and_its_links_go_to_their_places() -> None:
    source = Sentences.from_lists([[A, B], [], [A, B, C], [A]])
    target = Sentences.from_lists([[A, B], [A], [B, A, A], []])
    found = run_method("eflomal", AlignJob(source, target, WORDS, OTHERS))
    assert [found.links.pair(k) for k in range(4)] == [[(0, 0), (1, 1)], [], [(0, 0), (1, 1), (2, 2)], []]
    assert found.model is None
    none = Sentences.from_lists([[]])
    assert run_method("eflomal", AlignJob(none, none, WORDS, OTHERS)).links.pair(0) == []
    z = Sentences.from_lists([[OTHERS.ids["z"]]])
    with pytest.raises(ParaphrastError, match="no z today"):
        run_method("eflomal", AlignJob(Sentences.from_lists([[A]]), z, WORDS, OTHERS))


def test_eflomal_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match="eflomal") as error:
        run_method("eflomal", job())
    assert "paraphrast[peers]" in str(error.value)


class Diagonal:
    """Behaves as a model of thot, and links along the diagonal; knows how it was trained."""

    trained: list[tuple[str, int]] = []  # noqa: RUF012  written by every model, read by the test

    def __init__(self, below: Diagonal | None = None) -> None:
        self.pairs: list[tuple[list[str], list[str]]] = [] if below is None else below.pairs
        self.steps = 0

    def add_sentence_pair(self, source: list[str], target: list[str]) -> None:
        self.pairs.append((source, target))

    def start_training(self) -> None:
        self.steps = 0

    def train(self) -> None:
        self.steps += 1

    def end_training(self) -> None:
        self.trained.append((type(self).__name__, self.steps))

    def get_best_alignments(self, source: list[list[str]], target: list[list[str]]) -> list[Any]:
        assert list(zip(source, target, strict=True)) == self.pairs
        matrices = [np.eye(len(e), len(f), dtype=bool) for e, f in self.pairs]
        return [(0.0, types.SimpleNamespace(to_numpy=lambda m=m: m)) for m in matrices]


def test_thot_trains_both_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    thot = types.ModuleType("thot")
    thot.__spec__ = types.SimpleNamespace()  # type: ignore[assignment]
    below, above = (type(name, (Diagonal,), {}) for name in ("Ibm1AlignmentModel", "HmmAlignmentModel"))
    thot.alignment = types.SimpleNamespace(  # type: ignore[attr-defined]
        Ibm1AlignmentModel=below, HmmAlignmentModel=above
    )
    monkeypatch.setitem(sys.modules, "thot", thot)
    Diagonal.trained.clear()
    seen: list[str] = []
    found = run_method(
        "thot", job(progress=lambda stage, done, total: seen.append(f"{stage} {done}/{total}"))
    )
    assert Diagonal.trained == [("Ibm1AlignmentModel", 5), ("HmmAlignmentModel", 5)] * 2
    assert seen[4] == "thot Model 1 5/5"
    assert [found.links.pair(k) for k in range(3)] == [[(0, 0), (1, 1), (2, 2)], [], [(0, 0)]]
    none = Sentences.from_lists([[]])
    assert run_method("thot", AlignJob(none, none, WORDS, OTHERS)).links.pair(0) == []


def test_thot_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "thot", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="thot"):
        run_method("thot", job())
