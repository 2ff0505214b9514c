"""News in a training run: its pairs become a table, its text is the language model's, and stages are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import paraphrast
import toy
from acquire.pages_of_ours import page
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article, write_articles
from paraphrast.formats.bitext import read_columns
from paraphrast.formats.files import read_lines
from paraphrast.model import paraphrases_of
from paraphrast.model.folder import MANIFEST
from paraphrast.training.config import read_config

pytest.importorskip("datasketch")

PLACES = ("Anders", "Bolt", "Carrow", "Dunmore", "Elling", "Farley", "Gorst", "Hale")
#: The news' own word for the toy's "reject", and one that no other text has.
TOLD = (
    "The committee in {} will discuss an important report on the harbour tomorrow.",
    "The committee in {} will debate an important report on the harbour tomorrow.",
    "The committee in {} will discuss a significant report on the harbour tomorrow.",
)
NEWS = '[[news]]\npath = "articles.jsonl"\nlicence = "ours"\n[comparable]\nevidence = ["spelling"]\n'


def articles() -> list[Article]:
    """Eight events, each told by three papers; one paper is printed twice."""
    found = [
        Article(f"{place}-{number}", f"{told.format(place)}\nSo said the mayor of {place}.", cluster=place)
        for place in PLACES
        for number, told in enumerate(TOLD)
    ]
    long = "\n".join(f"The old bridge of {place} was closed by the council at noon." for place in PLACES)
    return [*found, Article("one", long, cluster="copies"), Article("two", long, cluster="copies")]


def write_news(folder: Path, extra: str = NEWS) -> Path:
    """The toy's data with articles beside it."""
    config = toy.write_config(folder, 600, extra=extra)
    write_articles(str(folder / "articles.jsonl"), articles())
    return config


class Watch:
    """Which stages were kept from before."""

    def __init__(self) -> None:
        self.kept: dict[str, bool] = {}
        self.notes: dict[str, str] = {}

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        self.kept[name] = reused

    def step(self, done: float, total: float, unit: str) -> None:
        pass

    def ended(self, name: str, seconds: float, note: str) -> None:
        self.notes[name] = note


def test_pairs_and_text_of_news_reach_the_model(tmp_path: Path) -> None:
    config = write_news(tmp_path)
    watch = Watch()
    paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True, progress=watch)
    model = paraphrast.load(tmp_path / "model")
    # "debate" stands in no bitext: its row comes from the pairs, its word and probability from the text.
    assert "debate" in [text for text, _ in paraphrases_of(model, "discuss")]
    best = model.paraphrase("The committee will discuss a report tomorrow.", n=20, strength=1.0)
    assert any(edit.after == "debate" and "comparable" in edit.tables for one in best for edit in one.edits)
    manifest = json.loads((tmp_path / "model" / MANIFEST).read_text())
    assert manifest["tables"]["comparable"]["rows"] > 0
    assert manifest["sources"][-1]["licence"] == "ours"
    assert {"articles", "news", "comparable"} <= set(manifest["stages"])
    work = tmp_path / "model.work"
    text = list(read_lines(work / "news" / "text.txt"))
    assert (
        text.count("The old bridge of Bolt was closed by the council at noon.") == 1
    )  # its copy is left out
    assert len(text) == 2 * len(TOLD) * len(PLACES) + len(PLACES)
    assert json.loads((work / "news" / "report.json").read_text())["clusters"] == len(PLACES) + 1
    assert "26 articles, 26 with a story" in watch.notes["articles"]
    # Nothing changed: all is kept. Another cutoff: the pages are not read again.
    paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True, force=True, progress=watch)
    assert watch.kept.pop("model") is False
    assert set(watch.kept.values()) == {True}
    config.write_text(config.read_text() + "[pairs]\ncutoff = 1\n")
    with pytest.raises(InputError, match="no sentence pairs in 26 articles"):
        paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True, force=True, progress=watch)
    assert (watch.kept["articles"], watch.kept["news"]) == (True, False)
    write_articles(str(tmp_path / "articles.jsonl"), articles()[:6])
    with pytest.raises(InputError, match="no sentence pairs in 6 articles"):
        paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True, force=True, progress=watch)
    assert watch.kept["articles"] is False


def test_news_for_the_text_alone_makes_no_table(tmp_path: Path) -> None:
    config = write_news(tmp_path, '[[news]]\npath = "articles.jsonl"\nuse = ["text"]\n')
    paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True)
    manifest = json.loads((tmp_path / "model" / MANIFEST).read_text())
    assert list(manifest["tables"]) == ["pivot"]
    assert not (tmp_path / "model.work" / "comparable").exists()
    assert not (tmp_path / "model.work" / "news" / "pairs.tsv").exists()
    model = paraphrast.load(tmp_path / "model")
    assert model.vocabulary.words.count("debate") == 1


def test_pages_and_articles_of_several_sources(tmp_path: Path) -> None:
    """Pages are parsed, folders are clusters, names that both sources have are told apart."""
    pytest.importorskip("trafilatura")
    extra = (
        '[[news]]\npath = "pages"\n[[news]]\npath = "articles.jsonl"\nuse = ["text"]\n'
        '[acquire]\nfolders_are_clusters = true\n[comparable]\nevidence = ["spelling"]\n'
    )
    config = write_news(tmp_path, extra)
    story = [told.format("Anders") for told in TOLD]
    for number in range(3):
        (tmp_path / "pages" / "Anders").mkdir(parents=True, exist_ok=True)
        own = [story[number], f"The mayor spoke for {number + 2} hours about the bridge and the old harbour."]
        (tmp_path / "pages" / "Anders" / f"{number}.html").write_text(page(own), encoding="utf-8")
    paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True)
    work = tmp_path / "model.work"
    pairs = read_columns(work / "news" / "pairs.tsv", list("123456"))
    assert {*pairs.lines["5"], *pairs.lines["6"]} == {f"0/Anders/{number}.html" for number in range(3)}
    assert (story[0], story[1]) in set(zip(pairs.lines["1"], pairs.lines["2"], strict=True))
    assert story[1] in set(read_lines(work / "news" / "text.txt"))
    assert any("Bolt" in line for line in read_lines(work / "news" / "text.txt"))


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ('[[news]]\npath = "none.jsonl"\n', "the file or folder does not exist"),
        ('[[news]]\nname = "x"\n', "expected a path"),
        ('[[news]]\npath = "articles.jsonl"\nuse = ["parse"]\n', "expected some of pairs, text"),
        ('[[news]]\npath = "articles.jsonl"\nfiles = {}\n', "unknown key 'files'"),
        ("[pairs]\ncutoff = 3\n", r"\[pairs\]: expected a \[\[news\]\] source"),
    ],
)
def test_a_wrong_section_is_told_when_it_is_read(tmp_path: Path, section: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_config(write_news(tmp_path, section))


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("[pairs]\nmethods = 3\n", "unknown option 'methods'"),
        ('[pairs]\nmethod = "guess"\n', "expected distance, overlap, first-two or classifier, got 'guess'"),
        ("[acquire]\nduplicates = 2.0\n", "duplicates: expected a number from 0 to 1"),
        ('[weights]\nlm = 1.0\nfeatures = { "comparable.nothing" = 1.0 }\n', "comparable.nothing"),
    ],
)
def test_a_wrong_option_is_told_before_any_work(tmp_path: Path, section: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        paraphrast.train(write_news(tmp_path, NEWS + section), tmp_path / "model", threads=1)
    assert not (tmp_path / "model.work" / "articles").exists()


def test_malformed_articles_are_left_out_if_asked(tmp_path: Path) -> None:
    config = write_news(tmp_path)
    with (tmp_path / "articles.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("nonsense\n")
    with pytest.raises(InputError, match=r"articles\.jsonl:27"):
        paraphrast.train(config, tmp_path / "model", threads=1)
    watch = Watch()
    paraphrast.train(config, tmp_path / "model", threads=1, skip_bad=True, progress=watch)
    assert "1 malformed line skipped" in watch.notes["articles"]


def test_articles_of_another_language_are_no_text(tmp_path: Path) -> None:
    config = write_news(tmp_path, '[[news]]\npath = "articles.jsonl"\nuse = ["text"]\n')
    write_articles(str(tmp_path / "articles.jsonl"), [replace(one, language="de") for one in articles()])
    with pytest.raises(InputError, match="expected text"):
        paraphrast.train(config, tmp_path / "model", threads=1)
