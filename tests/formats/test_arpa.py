"""ARPA files: what other tools write, what they must be able to read, and what is wrong with a bad one."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast._numeric import advance, start_state
from paraphrast.errors import FormatError, InputError
from paraphrast.formats._kernels_arpa import NUMBER_BYTES, _put_number
from paraphrast.formats.arpa import LN10, read_arpa, write_arpa
from paraphrast.lm import LmOptions, estimate, pack
from paraphrast.lm._kernels_trie import find_node
from paraphrast.types import SENTENCE_START, SPECIALS, UNKNOWN, NgramArrays, Sentences, Vocabulary

SMALL = r"""
\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1.5	<unk>
-99	<s>	-0.3
-1	</s>
-0.5	cats	-0.25
-0.75	purr	-0.125

\2-grams:
-0.4	<s> cats	-0.2
-0.1	cats purr	0
-0.2	purr </s>

\3-grams:
-0.05	<s> cats purr

\end\
"""


def log10_of(arrays: NgramArrays, vocabulary: Vocabulary, text: str) -> float:
    ngrams = pack(arrays)
    state, total = start_state(ngrams), 0.0
    for word in text.split():
        state, log_prob = advance(ngrams, state, vocabulary.ids.get(word, UNKNOWN))
        total += log_prob
    return total / LN10


def written(tmp_path: Path, text: str, name: str = "lm.arpa") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_counts([("the", 4), ("cat", 2), ("sat", 2), ("über", 1), ("never", 0)])


@pytest.fixture(scope="module")
def arrays(vocabulary: Vocabulary) -> NgramArrays:
    rows = ["the cat sat", "the über cat sat the", "the"]
    text = Sentences.from_lists([vocabulary.ids[word] for word in row.split()] for row in rows)
    return estimate([text], len(vocabulary), LmOptions(order=3))


def test_reads_and_scores_by_hand(tmp_path: Path) -> None:
    vocabulary, arrays = read_arpa(written(tmp_path, SMALL))
    assert vocabulary.words == (*SPECIALS, "cats", "purr")
    assert arrays.order == 3
    assert arrays.log_prob[SENTENCE_START] == 0
    assert log10_of(arrays, vocabulary, "cats purr </s>") == pytest.approx(-0.4 - 0.05 - 0.2)
    assert log10_of(arrays, vocabulary, "purr") == pytest.approx(-0.3 - 0.75)
    assert log10_of(arrays, vocabulary, "cats cats") == pytest.approx(-0.4 - 0.2 - 0.25 - 0.5)
    assert log10_of(arrays, vocabulary, "dogs") == pytest.approx(-0.3 - 1.5)
    assert arrays.log_prob[vocabulary.ids["<number>"]] == arrays.log_prob[UNKNOWN]


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz", "lm.arpa.xz"])
def test_round_trip_is_exact(tmp_path: Path, name: str, vocabulary: Vocabulary, arrays: NgramArrays) -> None:
    write_arpa(tmp_path / name, vocabulary, arrays)
    same, again = read_arpa(tmp_path / name, vocabulary)
    assert same is vocabulary
    for before, after in zip(arrays, again, strict=True):
        assert np.asarray(before).dtype == np.asarray(after).dtype
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("order", [1, 2])
def test_round_trip_of_short_orders(tmp_path: Path, order: int, vocabulary: Vocabulary) -> None:
    text = Sentences.from_lists([[11, 12, 13], [11]])
    arrays = estimate([text], len(vocabulary), LmOptions(order=order))
    write_arpa(tmp_path / "lm.arpa", vocabulary, arrays)
    _, again = read_arpa(tmp_path / "lm.arpa", vocabulary)
    for before, after in zip(arrays, again, strict=True):
        np.testing.assert_array_equal(before, after)


def test_written_to_the_letter(tmp_path: Path) -> None:
    vocabulary, arrays = read_arpa(written(tmp_path, SMALL))
    write_arpa(tmp_path / "again.arpa", vocabulary, arrays)
    lines = (tmp_path / "again.arpa").read_text(encoding="utf-8").split("\n")
    assert lines[:6] == ["\\data\\", "ngram 1=5", "ngram 2=3", "ngram 3=1", "", "\\1-grams:"]
    section = {line.split("\t")[1]: line.split("\t") for line in lines if "\t" in line}
    assert section["<s>"][0] == "-99"
    assert float(section["<s>"][2]) == pytest.approx(-0.3)
    assert section["<unk>"][1:] == ["<unk>", "0"]
    assert float(section["<unk>"][0]) == pytest.approx(-1.5)
    assert len(section["cats purr"]) == 3
    assert len(section["<s> cats purr"]) == 2
    assert "<number>" not in section
    assert lines[-3:] == ["", "\\end\\", ""]


def test_in_the_ids_of_another_vocabulary(tmp_path: Path) -> None:
    other = Vocabulary.from_counts([("purr", 5), ("dogs", 3)])
    same, arrays = read_arpa(written(tmp_path, SMALL), other)
    assert same is other
    assert np.diff(arrays.order_start).tolist() == [len(other), 1, 0]  # every n-gram with cats is gone
    assert log10_of(arrays, other, "purr </s>") == pytest.approx(-0.3 - 0.75 - 0.2)
    assert arrays.log_prob[other.ids["dogs"]] == arrays.log_prob[UNKNOWN]


def test_a_missing_suffix_links_to_the_next_shorter(tmp_path: Path) -> None:
    """SRILM's pruning may keep 'a b c' and drop 'b c'."""
    text = SMALL.replace("ngram 2=3", "ngram 2=2").replace("-0.1\tcats purr\t0\n", "")
    vocabulary, arrays = read_arpa(written(tmp_path, text))
    assert arrays.suffix[-1] == vocabulary.ids["purr"]
    assert log10_of(arrays, vocabulary, "cats purr </s>") == pytest.approx(-0.4 - 0.05 - 0.2)


def test_blanks_preamble_and_upper_case_unknown(tmp_path: Path) -> None:
    text = "made by hand\n" + SMALL.replace("<unk>", "<UNK>").replace("\tcats purr\t", "  cats purr  ")
    vocabulary, arrays = read_arpa(written(tmp_path, text.replace("\n", "\r\n")))
    assert arrays.log_prob[UNKNOWN] == pytest.approx(-1.5 * LN10)
    assert log10_of(arrays, vocabulary, "cats purr") == pytest.approx(-0.45)


def test_words_may_hold_unicode_spaces(tmp_path: Path) -> None:
    vocabulary, _ = read_arpa(written(tmp_path, SMALL.replace("cats", "12\u00a0000")))
    assert "12\u00a0000" in vocabulary.ids


def test_without_unknown_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = SMALL.replace("-1.5\t<unk>\n", "").replace("ngram 1=5", "ngram 1=4")
    with caplog.at_level(logging.WARNING, logger="paraphrast"):
        _, arrays = read_arpa(written(tmp_path, text))
    assert "no unigram <unk>" in caplog.text
    assert arrays.log_prob[UNKNOWN] == pytest.approx(-99 * LN10)


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ("\\data\\", "data", None, "expected a line"),
        ("ngram 2=3", "ngram 4=3", 4, "expected 'ngram 2="),
        ("ngram 2=3", "nonsense", 4, "expected 'ngram 2="),
        ("ngram 1=5", "ngram 1=6", 14, "expected 6 unigrams, got 5"),
        ("ngram 1=5", "ngram 1=4", 12, "-grams:, got"),
        ("-1.5\t<unk>", "-1.5", 8, "1 words and optionally"),
        ("-1.5\t<unk>", "much\t<unk>", 8, "expected a number"),
        ("-1.5\t<unk>", "0.5\t<unk>", 8, "at most 0"),
        ("-1.5\t<unk>", "nan\t<unk>", 8, "at most 0"),
        ("-0.25\n", "inf\n", 11, "at most 99"),
        ("-1.5\t<unk>", "-1.5\tpurr", 12, "'purr' is in the file twice"),
        ("purr </s>", "dogs </s>", 17, "'dogs' is not among the unigrams"),
        ("purr </s>", "cats purr", 17, "twice"),
        ("<s> cats purr", "purr cats purr", 20, "the prefix of every"),
        ("\\3-grams:", "\\4-grams:", 19, "-grams:, got"),
        ("\\end\\", "", 22, "but the file ends"),
    ],
)
def test_a_malformed_file_is_told_with_its_line(
    tmp_path: Path, before: str, after: str, line: int | None, message: str
) -> None:
    assert before in SMALL
    path = written(tmp_path, SMALL.replace(before, after, 1))
    with pytest.raises(FormatError, match=message) as caught:
        read_arpa(path)
    assert str(caught.value).startswith(f"{path}:" if line is None else f"{path}:{line}: ")


def test_a_file_cut_short(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="before the file ends"):
        read_arpa(written(tmp_path, SMALL[: SMALL.index("-0.2\tpurr")]))


def test_the_wrong_vocabulary_is_refused(tmp_path: Path, arrays: NgramArrays) -> None:
    with pytest.raises(InputError, match="expected the vocabulary of the model"):
        write_arpa(tmp_path / "lm.arpa", Vocabulary.from_counts([]), arrays)


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.floats(-99, 0), st.floats(-1e-4, 10), st.sampled_from([-9.9999999999, -99.0, 10.0, -1e-12]))
)
def test_numbers_have_nine_digits(value: float) -> None:
    """Against Python's own ``%.9g``; half a unit of the ninth digit may be rounded either way."""
    buffer = np.zeros(40, dtype=np.uint8)
    end = _put_number(buffer, 0, value)
    text = buffer[:end].tobytes().decode()
    assert end <= NUMBER_BYTES
    assert float(text) == pytest.approx(value, rel=6e-9)
    assert len(text.split("e")[0].replace(".", "").lstrip("-0")) <= 9
    if abs(value) >= 1e-4 and text != f"{value:.9g}":
        assert float(text) == pytest.approx(float(f"{value:.9g}"), rel=1.1e-8)


@pytest.mark.parametrize(
    "number",
    ["-0.1", "-.5", "-5.", "-1.25e-3", "-2E+0", "-3e1", "0", "-0", "-12345678901234567890e-19", "-1e-30",
     "-0.123456789012345678", "-1.0000000000000000000000000001", "-98.999999"],
)  # fmt: skip
def test_numbers_are_read_as_python_reads_them(tmp_path: Path, number: str) -> None:
    vocabulary, arrays = read_arpa(
        written(tmp_path, SMALL.replace("-0.1\tcats purr\t0", f"{number}\tcats purr\t{number}"))
    )
    cats, purr = vocabulary.ids["cats"], vocabulary.ids["purr"]
    node = find_node(arrays, cats, purr)
    assert arrays.log_prob[node] == np.float32(float(number) * LN10)
    assert arrays.backoff[node] == np.float32(float(number) * LN10)


@pytest.mark.parametrize("number", ["0.1", "-", "e5", "-1e", "--1", "-1.2.3", "-1,5", "nan"])
def test_numbers_that_are_none(tmp_path: Path, number: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_arpa(written(tmp_path, SMALL.replace("-0.1\tcats purr", f"{number}\tcats purr")))
    assert ":16: " in str(caught.value)


def test_a_word_with_a_form_feed(tmp_path: Path) -> None:
    vocabulary, arrays = read_arpa(written(tmp_path, SMALL.replace("cats", "ca\fts")))
    assert log10_of(arrays, vocabulary, "purr") == pytest.approx(-0.3 - 0.75)
    assert find_node(arrays, vocabulary.ids["ca\fts"], vocabulary.ids["purr"]) >= 0


@pytest.mark.parametrize("weight", ["1e308", "1e30", "100", "5000000000", "inf", "nan"])
@pytest.mark.parametrize("place", [1, 2])
def test_a_back_off_weight_that_cannot_be_is_told(tmp_path: Path, weight: str, place: int) -> None:
    weights = {1: "0", 2: "0", place: weight}
    path = tmp_path / "lm.arpa"
    path.write_text(
        "\\data\\\nngram 1=4\nngram 2=1\nngram 3=1\n\n\\1-grams:\n"
        f"-1\t<unk>\t0\n-99\t<s>\t0\n-1\t</s>\t0\n-1\ta\t{weights[1]}\n\n"
        f"\\2-grams:\n-1\ta a\t{weights[2]}\n\n\\3-grams:\n-1\ta a a\n\n\\end\\\n"
    )
    with pytest.raises(FormatError, match="weight of at most 99"):
        read_arpa(path)
