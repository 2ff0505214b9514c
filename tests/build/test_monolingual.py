"""Alignment of one language from lines to links, and the command that does it."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from paraphrast.build.align import AlignModel, align_words, load_model
from paraphrast.build.monolingual import (
    MonolingualModel,
    align_monolingual,
    both_sides,
    find_resources,
    wanted_resources,
)
from paraphrast.cli import run
from paraphrast.errors import DataError, InputError, MissingExtra, ModelError

SOURCE = ["On 4 March 2008 the dogs barked.", "She bought 12 apples, not 14."]
TARGET = ["The dog was barking on 4 March 2008.", "Not 14 but 12 apples were bought by her."]


@pytest.fixture(autouse=True)
def _no_lexicons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.data.is_cached", lambda name: False)
    monkeypatch.setattr("paraphrast.data.available", lambda name: False)


def test_numbers_and_dates_keep_their_text() -> None:
    words, first, second = both_sides(SOURCE, TARGET, "en", pretokenized=False)
    assert {"12", "14", "apples"} <= set(words)
    assert not any(word.startswith("<") for word in words)
    assert len(first) == len(second) == 2
    links = align_words(SOURCE, TARGET, one_language=True)
    spelled = [words[token] for token in first.tokens[first.starts[1] :]]
    other = [words[token] for token in second.tokens[second.starts[1] :]]
    pairs = {(spelled[i], other[j]) for i, j in links[1]}
    assert {("12", "12"), ("14", "14"), ("apples", "apples"), ("bought", "bought")} <= pairs
    assert ("12", "14") not in pairs


def test_lists_of_tokens_and_white_space_are_one() -> None:
    tokens = [line.split() for line in SOURCE], [line.split() for line in TARGET]
    by_lists, _ = align_monolingual(*tokens)
    by_lines, _ = align_monolingual(SOURCE, TARGET, pretokenized=True)
    assert by_lists.source.tolist() == by_lines.source.tolist()


def test_what_would_help_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    align_monolingual(SOURCE, TARGET)
    assert caplog.text.count("paraphrast data get " + " ".join(wanted_resources("en"))) == 1
    caplog.clear()
    align_monolingual(SOURCE, TARGET, language="de")
    assert "data get" not in caplog.text


def test_lexicons_are_fetched_where_they_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(gzip.compress(b"buy\tpurchase\tv\nbig\tlarge\n"))

    def get(name: str) -> Path:
        if name == "glove-50d":
            raise DataError("no network")
        return tmp_path

    monkeypatch.setattr("paraphrast.data.available", lambda name: name != "moby")
    monkeypatch.setattr("paraphrast.data.get", get)
    assert find_resources("en").names == ()
    found = find_resources("en", fetch=True)
    assert found.names == ("wordnet-synonyms",)
    assert found.synonyms is not None
    assert list(found.synonyms) == list(found.synonyms) == [("buy", "purchase"), ("big", "large")]
    assert "glove-50d is not available: no network" in caplog.text


def test_the_command_trains_keeps_and_uses_a_model(tmp_path: Path) -> None:
    bitext = tmp_path / "pairs.tsv"
    bitext.write_text("".join(f"{a}\t{b}\n" for a, b in zip(SOURCE, TARGET, strict=True)), encoding="utf-8")
    first, second, kept = tmp_path / "1.links", tmp_path / "2.links", tmp_path / "kept"
    assert (
        run(["align", str(bitext), "--monolingual", "-o", str(first), "--save", str(kept), "--posteriors",
             str(tmp_path / "p")]) == 0
    )  # fmt: skip
    assert run(["align", str(bitext), "--model", str(kept), "-o", str(second)]) == 0
    assert first.read_text(encoding="utf-8") == second.read_text(encoding="utf-8") != ""
    links = first.read_text(encoding="utf-8").splitlines()
    chances = (tmp_path / "p").read_text(encoding="utf-8").splitlines()
    assert [len(line.split()) for line in links] == [len(line.split()) for line in chances]
    assert isinstance(load_model(kept), MonolingualModel)
    with pytest.raises(ModelError, match="one language"):
        AlignModel.load(kept)


class Reader:
    """Gives words of one first letter one vector."""

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int = 1
    ) -> list[np.ndarray]:
        table = np.eye(128, dtype=np.float32)
        return [table[[ord(word[0]) % 128 for word in text]].reshape(-1, 128) for text in texts]


def test_an_encoder_is_read_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("paraphrast.build.monolingual.open_encoder", lambda folder: Reader())
    monkeypatch.setattr("paraphrast._extras.is_installed", lambda package: True)

    def reads(**options: object) -> bool:
        _, model = align_monolingual(SOURCE, TARGET, **options)  # type: ignore[arg-type]
        return model.aligner.links.reads_context

    def get(name: str) -> Path:
        raise DataError("no network")

    monkeypatch.setattr("paraphrast.data.get", get)
    assert not reads()
    assert "minilm-en: this machine cannot fetch it" in caplog.text
    monkeypatch.setattr("paraphrast.data.available", lambda name: name == "minilm-en")
    assert not reads()
    assert "minilm-en: no network" in caplog.text
    monkeypatch.setattr("paraphrast.data.get", lambda name: tmp_path)
    assert reads()
    monkeypatch.setattr("paraphrast.data.is_cached", lambda name: name == "minilm-en")
    assert reads()
    assert not reads(context=False)
    assert not reads(evidence=["stem"])
    assert not reads(language="de")


def test_without_the_extra_an_encoder_is_only_an_offer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("paraphrast._extras.is_installed", lambda package: package != "ctranslate2")
    monkeypatch.setattr("paraphrast.data.available", lambda name: name == "minilm-en")
    remedy = "pip install 'paraphrast[precise]' && paraphrast data get minilm-en"
    _, model = align_monolingual(SOURCE, TARGET)
    assert not model.aligner.links.reads_context
    assert f"this needs {remedy}" in caplog.text
    # Nothing is fetched: conftest has no network, and data.get would fail with another error.
    with pytest.raises(MissingExtra, match=r"the sentence encoder needs .*: ctranslate2") as caught:
        align_monolingual(SOURCE, TARGET, context=True)
    assert str(caught.value).endswith(remedy)


def test_progress_counts_pairs_that_have_their_links() -> None:
    seen: list[tuple[str, int, int]] = []
    align_monolingual(SOURCE, TARGET, context=False, progress=lambda *step: seen.append(step))
    assert seen[-1] == ("linking words", 2, 2)


def test_an_encoder_is_read_where_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []

    def get(name: str) -> Path:
        fetched.append(name)
        return tmp_path

    monkeypatch.setattr("paraphrast.data.get", get)
    monkeypatch.setattr("paraphrast.build.monolingual.open_encoder", lambda folder: Reader())
    monkeypatch.setattr("paraphrast._extras.is_installed", lambda package: True)
    assert find_resources("en").encoder is None
    align_words(SOURCE, TARGET, one_language=True)
    assert fetched == []
    bitext = tmp_path / "pairs.tsv"
    bitext.write_text("".join(f"{a}\t{b}\n" for a, b in zip(SOURCE, TARGET, strict=True)), encoding="utf-8")
    first, second, kept = tmp_path / "1.links", tmp_path / "2.links", tmp_path / "kept"
    command = ["align", str(bitext), "--monolingual", "--context", "-o", str(first), "--save", str(kept)]
    assert run(command) == 0
    assert set(fetched) == {"minilm-en"}
    assert run(["align", str(bitext), "--model", str(kept), "-o", str(second)]) == 0
    assert first.read_text(encoding="utf-8") == second.read_text(encoding="utf-8") != ""
    loaded = load_model(kept)
    assert isinstance(loaded, MonolingualModel)
    assert loaded.aligner.links.reads_context
    links = align_words(SOURCE, TARGET, one_language=True, context=True)
    by_name, _ = align_monolingual(SOURCE, TARGET, evidence=["stem", "number", "spelling", "context"])
    assert [[f"{i}-{j}" for i, j in pair] for pair in links] == [
        line.split() for line in first.read_text(encoding="utf-8").splitlines()
    ]
    assert [by_name.pair(index) for index in range(2)] == links
    with pytest.raises(InputError, match="needs a sentence encoder"):
        align_monolingual(SOURCE, TARGET, language="de", context=True)
    with pytest.raises(InputError, match="context requires one_language"):
        align_words(SOURCE, TARGET, context=True)


def test_options_that_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bitext = tmp_path / "pairs.tsv"
    bitext.write_text("a b\ta b\n", encoding="utf-8")
    assert run(["align", str(bitext), "--evidence", "stem"]) == 2
    assert "--evidence requires --monolingual" in capsys.readouterr().err
    assert run(["align", str(bitext), "--context"]) == 2
    assert "--context requires --monolingual" in capsys.readouterr().err
    assert run(["align", str(bitext), "--no-context"]) == 2
    assert "--context requires --monolingual" in capsys.readouterr().err
    assert run(["align", str(bitext), "--monolingual", "--method", "ibm1"]) == 2
    assert "cannot be combined with" in capsys.readouterr().err
    assert run(["align", str(bitext), "--monolingual", "--evidence", "smell"]) == 2
    assert "unknown evidence 'smell'" in capsys.readouterr().err
