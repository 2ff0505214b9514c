"""KenLM's models: what we write it reads, with the same scores; and what happens where it is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from paraphrast._numeric import score_sentences
from paraphrast.errors import InputError, MissingExtra, ModelError
from paraphrast.formats.arpa import write_arpa
from paraphrast.lm import KenlmModel, LmOptions, estimate, pack, perplexity, read_text
from paraphrast.lm.kenlm import is_binary

TRAINING = "the cat sat on the mat\nthe dog sat\na cat and a dog\nthe cat saw the dog on a mat\n"
HELD_OUT = ["the dog sat on a mat", "a bird", "", "cat cat cat", "the cat saw a bird on the mat"]


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("prune", [(0,), (0, 1)])
def test_kenlm_gives_what_we_write_the_same_scores(
    tmp_path: Path, order: int, prune: tuple[int, ...]
) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "text").write_text(TRAINING, encoding="utf-8")
    (tmp_path / "held-out").write_text("".join(f"{line}\n" for line in HELD_OUT), encoding="utf-8")
    vocabulary, text = read_text(tmp_path / "text")
    arrays = estimate([text], len(vocabulary), LmOptions(order=order, prune=prune))
    write_arpa(tmp_path / "lm.arpa", vocabulary, arrays)
    theirs = KenlmModel(tmp_path / "lm.arpa")
    _, held_out = read_text(tmp_path / "held-out", vocabulary)
    assert theirs.order == order
    ours = score_sentences(pack(arrays), held_out.tokens, held_out.starts)
    np.testing.assert_allclose(theirs.score_sentences(HELD_OUT), ours, rtol=1e-5)
    full = theirs.full_scores("a bird")
    assert [unknown for *_, unknown in full] == [False, True, False]
    assert sum(score for score, *_ in full) == pytest.approx(ours[1], rel=1e-5)
    mine, other = perplexity(arrays, held_out), theirs.perplexity(HELD_OUT)
    assert (mine.sentences, mine.tokens, mine.unknown) == (other.sentences, other.tokens, other.unknown)
    assert other.with_unknown == pytest.approx(mine.with_unknown, rel=1e-5)
    assert other.without_unknown == pytest.approx(mine.without_unknown, rel=1e-5)
    with pytest.raises(InputError, match="got none"):
        theirs.perplexity([])


def test_what_kenlm_cannot_read(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "bad.arpa").write_text("nonsense\n")
    with pytest.raises(ModelError, match="KenLM cannot read it"):
        KenlmModel(tmp_path / "bad.arpa")
    with pytest.raises(InputError, match="no such file"):
        KenlmModel(tmp_path / "missing.arpa")


def test_without_kenlm_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(MissingExtra, match="optional dependency") as caught:
        KenlmModel(tmp_path / "lm.bin")
    assert "paraphrast[peers]" in str(caught.value)


def test_binaries_are_known_by_their_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "lm.bin").write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0")
    (tmp_path / "lm.arpa").write_text("\\data\\\n")
    assert is_binary(tmp_path / "lm.bin")
    assert not is_binary(tmp_path / "lm.arpa")
    assert not is_binary(tmp_path / "missing")
    assert not is_binary(tmp_path)
