from __future__ import annotations

import pytest

from paraphrast.acquire.sentences import is_sentence, read_sentences, split_article
from paraphrast.formats.articles import Article
from paraphrast.text import get_language


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("The ship left on May 3, 2013.", True),
        ("Nobody was hurt.", True),
        ("May 3rd , 2013 2 : 00pm EDT", False),
        ("May 3, 2013 2:00 pm EDT", False),
        ("Posted on Thu Jun 13, 2013 08:45 AM PDT", False),
        ("http : / / www . news . example / 2013 / bridge", False),
        ("www.news.example", False),
        ("May I go?", True),
        ("2013", False),
    ],
)
def test_addresses_and_dates_are_no_sentences(line: str, kept: bool) -> None:
    assert is_sentence(line, get_language("en")) == kept


def test_sentences_are_numbered_without_what_is_none() -> None:
    article = Article("1", "May 3, 2013\nThe ship left. Nobody was hurt.\nIt came back.")
    assert split_article(article, "en") == ["The ship left.", "Nobody was hurt.", "It came back."]
    found = read_sentences(
        [article, Article("2", "THE SHIP LEFT.\n" + "x " * 300), Article("3", "a b", duplicate_of="1")]
    )
    assert found.texts == ["The ship left.", "Nobody was hurt.", "It came back.", "THE SHIP LEFT."]
    assert found.place.tolist() == [0, 1, 2, 0]
    assert found.article.tolist() == [0, 0, 0, 1]
    assert found.kind.tolist() == [0, 1, 2, 0]
    assert [found.vocabulary[word] for word in found.row(0)] == ["the", "ship", "left", "."]


def test_numbers_keep_their_text() -> None:
    found = read_sentences([Article("1", "He paid 5 pounds. He paid 6 pounds.")])
    assert "5" in found.vocabulary
    assert "6" in found.vocabulary
    assert len(found.starts) == 3
