"""`paraphrast.fuse` from sentences to sentences; bad input; tuning; tables of clusters."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.articles import Article, write_articles
from paraphrast.fusion.clusters import (
    NamedCluster,
    clusters_of_articles,
    prepare_all,
    read_clusters,
)
from paraphrast.fusion.resources import load_lm
from paraphrast.fusion.sentences import fuse, fuse_prepared, prepare
from paraphrast.fusion.tuning import TuneGrid, try_setting, tune
from paraphrast.msa.match import VERSIONS, MatchOptions
from paraphrast.msa.proxies import fidelity
from paraphrast.msa.rank import RankOptions
from paraphrast.text.syntax.parser import PennParser
from paraphrast.types import SPECIALS, Sentences

SENTENCES = [
    "Police said the owner of the mill called help at 9:15.",
    "Police said the owner of the old mill called help before dawn.",
    "Firemen said the owner of the mill called them at once.",
]
TREES = [
    """(S (NP (NN Police)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (NN mill))))
       (VP (VBD called) (NP (NN help)) (PP (IN at) (NP (CD 9:15)))))))  (. .))""",
    """(S (NP (NN Police)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (JJ old)
       (NN mill)))) (VP (VBD called) (NP (NN help)) (PP (IN before) (NP (NN dawn)))))))  (. .))""",
    """(S (NP (NNS Firemen)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (NN mill))))
       (VP (VBD called) (NP (PRP them)) (PP (IN at) (ADVP (RB once)))))))  (. .))""",
]


@pytest.fixture(autouse=True)
def _no_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever spaCy pipeline the machine has, these tests do without."""
    monkeypatch.setattr("paraphrast.fusion.resources.find_spacy", lambda *_: None)
    monkeypatch.setattr("paraphrast.fusion.resources.default_model", lambda _: None)
    monkeypatch.setattr("paraphrast.fusion.sentences.find_reader", lambda _: None)
    monkeypatch.setattr("paraphrast.fusion.resources._warned", set())


def test_new_sentences_with_their_sources() -> None:
    fusion = fuse(SENTENCES, parser=PennParser(TREES))
    assert fusion.version == "V4"
    texts = [sentence.text for sentence in fusion.sentences]
    assert "Firemen said the owner of the old mill called them at once." in texts
    assert not set(texts) & set(SENTENCES)
    assert fusion.notes == ()
    first = fusion.to_dict()["sentences"][0]
    assert "".join(span["text"] for span in first["spans"]) == first["text"]
    assert fusion.to_dict()["automaton"]["deterministic"]
    assert texts == [one.text for one in fuse(SENTENCES, parser=PennParser(TREES)).sentences]


def test_random_is_seeded() -> None:
    one, same, other = (
        [s.text for s in fuse(SENTENCES, 3, version="V1", method="random", seed=seed).sentences]
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_without_a_parser_the_lexical_version_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        fusion = fuse(SENTENCES)
    assert fusion.version == "V3"
    assert "using V3 instead of V4" in fusion.notes[0]
    assert "no parser for language en" in caplog.text
    assert "Run: " in caplog.text
    caplog.clear()
    fuse(SENTENCES)
    assert not caplog.text  # one warning per run
    assert fuse(["Das Haus brannte ab.", "Das Haus brannte gestern."], language="de").version == "V3"
    assert fuse(SENTENCES, version="V5").version == "V2"


def test_one_sentence_and_equal_sentences_give_nothing_new() -> None:
    for sentences in (SENTENCES[:1], SENTENCES[:1] * 3, [*SENTENCES[:1], ""]):
        for method in ("ranked", "random"):
            fusion = fuse(sentences, version="V3", method=method)
            assert fusion.sentences == ()
            assert fusion.automaton.accepts(fusion.cluster.words[0])
            assert any("one sentence only" in note for note in fusion.notes)


def test_many_sentences() -> None:
    people = [f"Witness {number} saw smoke over the mill near bridge {number % 7}." for number in range(2000)]
    fusion = fuse(people, version="V3", method="random", n=3)
    assert len(fusion.cluster) == 2000
    assert all(fusion.automaton.accepts(row) for row in fusion.cluster.words[:50])


@pytest.mark.parametrize(
    ("sentences", "wishes", "message"),
    [
        ([], {}, "with words"),
        (["", " "], {}, "with words"),
        ("one string", {}, "one string"),
        (SENTENCES, {"n": 0}, "at least 1"),
        (SENTENCES, {"version": "V7"}, "unknown version"),
        (SENTENCES, {"method": "best"}, "ranked or random"),
        (SENTENCES, {"lm": "/no/such/model", "version": "V3"}, "no such language model"),
        (SENTENCES[:2], {"parser": PennParser(TREES)}, "trees of these"),
    ],
)
def test_bad_input(sentences: Any, wishes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fuse(sentences, **wishes)


def test_a_language_model_of_a_folder_ranks(tmp_path: Path) -> None:
    from paraphrast.lm import LmOptions, estimate, save

    words = (*SPECIALS, "police", "said", "the", "owner", "mill", "called", ".")
    text = Sentences.from_lists([[11, 12, 13, 14, 16, 17], [13, 14, 12, 17], [13, 15, 17]])
    save(estimate([text], len(words), LmOptions(order=2)), tmp_path / "lm", words=words)
    vocabulary, arrays = load_lm(tmp_path / "lm")
    assert len(vocabulary) == int(arrays.order_start[1])
    fusion = fuse(SENTENCES, version="V3", lm=tmp_path / "lm")
    assert fusion.sentences
    assert fusion.sentences[0].parts["lm"] < 0


def test_a_parser_that_reads_new_sentences_scores_them() -> None:
    class Reader(PennParser):
        name = "reader"

        def parse(self, sentences: Any) -> Any:
            if [list(words) for words in sentences] == self.tokens():
                return self._parsed
            known = {one.word.lower(): one for row in self._parsed for one in row}
            return [[known[word.lower()] for word in words] for words in sentences]

    plain = fuse(SENTENCES, parser=PennParser(TREES))
    fusion = fuse(SENTENCES, parser=Reader(TREES))
    assert fusion.sentences
    assert all(0 < sentence.parts["parse"] <= 1 for sentence in fusion.sentences)
    assert all("parse" not in sentence.parts for sentence in plain.sentences)


def test_what_one_sentence_bears_out_goes_first() -> None:
    sentences = [
        "Police found two men near the river on Monday.",
        "Police found a boat near the harbour on Tuesday.",
        "Firemen found a boat near the harbour after a storm.",
    ]
    found = [
        fuse(sentences, version="V3", rank=RankOptions(content=content, novel=0.0, distinct=0.0))
        for content in (0.0, 50.0)
    ]
    for fusion in found:
        for sentence in fusion.sentences:
            assert sentence.parts["content"] == fidelity(sentence.words, fusion.cluster)
    first = found[1].sentences
    assert [one.parts["content"] for one in first] == sorted(
        (one.parts["content"] for one in first), reverse=True
    )
    free = {one.text: one.score for one in found[0].sentences}
    for one in first:
        assert one.score == pytest.approx(free[one.text] - 50 * (1 - one.parts["content"]))
    assert min(one.parts["content"] for one in first) < 1


def test_reading_clusters(tmp_path: Path) -> None:
    lines = tmp_path / "mill.txt"
    lines.write_text("One.\nTwo.\n", encoding="utf-8")
    assert read_clusters(lines) == [NamedCluster("mill", ("One.", "Two."))]
    columns = tmp_path / "many.tsv"
    columns.write_text("One.\tTwo.\nThree.\tFour.\n", encoding="utf-8")
    assert [one.sentences for one in read_clusters(columns)] == [("One.", "Two."), ("Three.", "Four.")]
    objects = tmp_path / "many.jsonl"
    objects.write_text('{"cluster": "x", "sentences": ["One."]}\n\n{"sentences": []}\n', encoding="utf-8")
    assert [one.name for one in read_clusters(objects)] == ["x", "3"]
    for bad in ("{", '{"sentences": "One."}', "[]", '{"cluster": 1}'):
        objects.write_text(bad + "\n", encoding="utf-8")
        with pytest.raises(FormatError, match="sentences"):
            read_clusters(objects)


def test_articles_give_clusters_by_key_terms(tmp_path: Path) -> None:
    articles = [
        Article(f"a{number}", text, cluster="fire")
        for number, text in enumerate(
            [
                "The Holm mill burnt down on Monday. Nobody was hurt.",
                "Police said the Holm mill was insured. It rained all day.",
                "The owner of the Holm mill called help. Firemen came late.",
                "Firemen found the Holm mill in ruins. A dog barked.",
            ]
        )
    ]
    path = tmp_path / "articles.jsonl"
    write_articles(str(path), [*articles, Article("b", "No event has this one.")])
    (found,) = read_clusters(path, terms=1)
    assert found.name.startswith("fire-")
    assert len(found.sentences) == 4
    assert all("Holm" in sentence for sentence in found.sentences)
    with pytest.raises(InputError, match="with a cluster"):
        clusters_of_articles([Article("b", "No event has this one.")])


def test_an_empty_cluster_is_named() -> None:
    with pytest.raises(InputError, match="cluster b"):
        prepare_all([NamedCluster("b", ("",))])


def test_tuning_tries_and_chooses() -> None:
    prepared = prepare(SENTENCES, parser=PennParser(TREES))
    grid = TuneGrid(position=(0.0, 0.4), length_discount=(0.5,), exact=(1.0,), partial=(0.0,), keep=2)
    found = tune([prepared], [prepared], VERSIONS["V4"], grid=grid)
    assert found["tried"] == 2
    assert MatchOptions.from_dict(found["match"]).position in (0.0, 0.4)
    assert found["train"][0]["score"] >= found["train"][1]["score"]
    assert (
        found["default"]["train"]["score"]
        == try_setting([prepared], VERSIONS["V4"], MatchOptions(), None).score
    )
    with pytest.raises(InputError, match="development clusters"):
        tune([prepared], [], VERSIONS["V4"])
    with pytest.raises(InputError, match="V4 or V5"):
        tune([prepared], [prepared], VERSIONS["V1"])


def test_prepared_once_for_all_versions() -> None:
    prepared = prepare(SENTENCES, parser=PennParser(TREES))
    states = {
        name: fuse_prepared(prepared, version=version).automaton.states for name, version in VERSIONS.items()
    }
    assert states["V1"] <= states["V3"]
