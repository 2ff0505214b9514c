from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import FormatError
from paraphrast.text import Truecaser, analyse, encode, get_language, learn

ENGLISH = get_language("en")
CORPUS = [
    "The EU met in Paris. The men came.",
    "We saw the EU and Paris; the men left.",
    "Paris is big. NATO and McCoy met us.",
    "They gave us a report. Unseen words come first.",
    "The US told us that the US left.",
    "THE MEN OF PARIS LEFT THE REPORT.",
    "McDuff spoke. WTO spoke.",
]


def caser() -> Truecaser:
    return learn(encode(CORPUS, ENGLISH))


def test_preferred_forms() -> None:
    preferred = caser().preferred
    found = {
        lower: preferred[lower] for lower in ("the", "eu", "paris", "men", "us", "unseen", "mcduff", "wto")
    }
    assert found == {
        "the": "the", "eu": "EU", "paris": "Paris", "men": "men", "us": "us", "unseen": "unseen",
        "mcduff": "McDuff", "wto": "WTO",
    }  # fmt: skip


def test_ties_go_by_bytes() -> None:
    assert learn(encode(["x Ab x ab", "x ab x Ab"], ENGLISH)).preferred["ab"] == "Ab"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The men", "the men"),
        ("“Paris met", "“ Paris met"),
        ("the REPORT came", "the report came"),
        ("we left the US alone", "we left the US alone"),
        ("US men left", "US men left"),
        ("THE MEN TOLD US", "the men told us"),
        ("the Report", "the Report"),
        ("Zanzibar met", "Zanzibar met"),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert " ".join(caser().words(analyse(text, ENGLISH))) == expected


pieces = st.sampled_from(
    (
        "The",
        "the",
        "THE",
        "EU",
        "US",
        "us",
        "paris",
        "PARIS",
        "Paris",
        ".",
        "?",
        "5",
        "“",
        "(",
        "Report",
        "McCoy",
        "NEW",
        "Ǆ",
        "ß",
        "ΟΣ",
    )
)
lines_strategy = st.lists(st.lists(pieces).map(" ".join), max_size=5)


@given(learnt=lines_strategy, lines=lines_strategy)
def test_run_time_and_corpus_agree(learnt: list[str], lines: list[str]) -> None:
    truecaser = learn(encode(learnt, ENGLISH))
    vocabulary, sentences = truecaser.apply(encode(lines, ENGLISH))
    for line, sentence in zip(lines, sentences, strict=True):
        expected = truecaser.words(analyse(line, ENGLISH))
        assert [vocabulary.words[token] for token in sentence] == expected
    assert vocabulary.counts.sum() == len(sentences.tokens)


def test_several_corpora_share_a_vocabulary() -> None:
    first, second = encode(["The men left", "men"], ENGLISH), encode(["The women left 5 men"], ENGLISH)
    vocabulary, (left, right) = learn(first, second).apply_all([first, second])
    assert [vocabulary.words[token] for token in left.tokens] == ["the", "men", "left", "men"]
    assert [vocabulary.words[token] for token in right.tokens] == ["the", "women", "left", "<number>", "men"]
    assert vocabulary.words[11] == "men"
    assert vocabulary.counts[11] == 3


def test_save_and_load(tmp_path: Path) -> None:
    truecaser = caser()
    truecaser.save(tmp_path / "case.tsv")
    assert Truecaser.load(tmp_path / "case.tsv") == truecaser
    assert [path.name for path in tmp_path.iterdir()] == ["case.tsv"]


@pytest.mark.parametrize("content", [b"", b"other\n", b"# paraphrast truecaser 1\np\tonly\n", b"\xff\n"])
def test_a_wrong_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "case.tsv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="expected"):
        Truecaser.load(path)
