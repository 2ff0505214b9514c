from __future__ import annotations

import pytest

from acquire.pages_of_ours import page
from paraphrast.acquire.lines import parse
from paraphrast.acquire.metadata import Metadata, guess_language, iso_day, read_metadata


def test_a_page_says_what_it_is() -> None:
    found = read_metadata(parse(page()), "https://www.baypost.example/2004/05/31/bridge")
    assert found == Metadata(
        "Ship strikes harbour bridge", "2004-05-31", "The Bay Post", "en",
        "https://www.baypost.example/2004/05/31/bridge",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("html", "day"),
    [
        (
            '<script type="application/ld+json">{"a": [{"datePublished": "2010-02-03T01:00"}]}</script>',
            "2010-02-03",
        ),
        (
            '<script type="application/ld+json">{broken</script><time datetime="2011-12-13">x</time>',
            "2011-12-13",
        ),
        ("<time>May 3rd, 2013</time>", "2013-05-03"),
        ("<p>nothing</p>", ""),
        ('<meta name="date" content="31/31/2004">', ""),
    ],
)
def test_dates(html: str, day: str) -> None:
    assert read_metadata(parse(html)).date == day


def test_the_address_dates_a_page_and_names_its_source() -> None:
    found = read_metadata(None, "http://www.news.example/2013/may/03/story.html")
    assert (found.date, found.source) == ("2013-05-03", "news.example")
    assert read_metadata(parse("<p>x"), "http://[broken").source == ""


def test_days_are_read_from_text() -> None:
    assert iso_day("Posted 3 June 2005 at noon") == "2005-06-03"
    assert iso_day("20050603") == "2005-06-03"
    assert iso_day("2005-02-30") == ""
    assert iso_day("no date") == ""


def test_languages_are_told_by_their_function_words() -> None:
    assert guess_language("This is what they said when he was at the house with them.") == "en"
    assert (
        guess_language("Das ist nicht das, was sie gesagt haben, als er mit ihnen in dem Haus war.") == "de"
    )
    assert guess_language("zyx wvu tsr qpo nml kji") == ""
