"""Alignment in a service gives the links of the library."""

from __future__ import annotations

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


def test_links_are_those_of_the_library() -> None:
    first, second = "The cat slept on the mat.", "On the mat, the cats were sleeping."
    (pair,) = AlignResources(Resources(get_language("en")), None).align([first], [second])
    names = ["stem", "number", "spelling"]
    links, _ = align_monolingual([first], [second], evidence=names)
    found = [(link["source"], link["target"]) for link in pair["links"]]
    assert found == list(zip(links.source.tolist(), links.target.tolist(), strict=True))
    assert [token["text"] for token in pair["source"]][:3] == ["The", "cat", "slept"]
    assert all(first[token["start"] : token["end"]] == token["text"] for token in pair["source"])
