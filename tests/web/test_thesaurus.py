"""Alignment in a service gives the links of the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.align.evidence import Resources
from paraphrast.build.monolingual import align_monolingual
from paraphrast.text import get_language
from paraphrast.web.thesaurus import AlignResources, StemPairs

PAIRS = [
    ("begin", "start"),
    ("Started", "commence"),
    ("of course", "naturally"),
    ("cat", "dog"),
    ("go", "walk"),
]


def test_pairs_are_found_by_stem() -> None:
    pairs = StemPairs.read(Resources(get_language("en"), PAIRS))
    assert len(pairs.first) == 4  # without the phrase
    assert list(pairs.among(["start", "begin", "dog"])) == [("begin", "start")]
    assert ("started", "commence") not in list(pairs.among(["commenc"]))
    assert list(pairs.among(["start", "commenc"])) == [("start", "commence")]


def test_pairs_are_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "pairs.tsv"
    source.write_text("".join(f"{one}\t{other}\n" for one, other in PAIRS), encoding="utf-8")

    class Pairs(list[tuple[str, str]]):
        paths = (source,)

    resources = Resources(get_language("en"), Pairs(PAIRS))
    read = StemPairs.load(resources)
    monkeypatch.setattr(StemPairs, "read", None)  # not read again
    kept = StemPairs.load(resources)
    assert (kept.stems, kept.words) == (read.stems, read.words)
    assert kept.first.tolist() == read.first.tolist()
    assert list(kept.among(["start", "commenc"])) == [("start", "commence")]
    monkeypatch.undo()


def test_few_vectors_are_enough() -> None:
    import numpy as np

    words = ["the", "cat", "mat", "dog"]
    table = np.eye(4, dtype=np.float32)
    resources = AlignResources(Resources(get_language("en"), None, (words, table)), None)
    chosen = resources._vectors_of(["dog", "unknown"])
    assert chosen is not None
    assert chosen[0] == words
    resources_without = AlignResources(Resources(get_language("en")), None)
    assert resources_without._vectors_of(["dog"]) is None


def test_links_are_those_of_the_library() -> None:
    first, second = "The cat slept on the mat.", "On the mat, the cats were sleeping."
    (pair,) = AlignResources(Resources(get_language("en")), None).align([first], [second])
    names = ["stem", "number", "spelling"]
    links, _ = align_monolingual([first], [second], evidence=names)
    found = [(link["source"], link["target"]) for link in pair["links"]]
    assert found == list(zip(links.source.tolist(), links.target.tolist(), strict=True))
    assert [token["text"] for token in pair["source"]][:3] == ["The", "cat", "slept"]
    assert all(first[token["start"] : token["end"]] == token["text"] for token in pair["source"])
