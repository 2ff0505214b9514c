from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acquire.pages_of_ours import events
from paraphrast.acquire import HoldOutOptions
from paraphrast.build.news import key_term_clusters, running_text, sentence_pairs, write_key_terms
from paraphrast.build.options import NewsOptions
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article
from paraphrast.fusion.clusters import read_clusters

pytest.importorskip("datasketch")


def test_articles_become_pairs_with_given_and_with_found_clusters() -> None:
    given = sentence_pairs(events())
    bare = [replace(article, cluster="") for article in events()]
    found = sentence_pairs(bare)
    assert given.pairs == found.pairs != []
    assert {article.cluster for article in found.articles} == {"0", "1"}
    assert given.report.clusters == found.report.clusters == 2


def test_documents_are_compared_two_by_two() -> None:
    found = sentence_pairs(events(), NewsOptions(clusters="documents", similarity=0.2))
    assert found.pairs
    assert {pair.articles[0] // 3 == pair.articles[1] // 3 for pair in found.pairs} == {True}


def test_a_state_names_the_clusters_of_the_next_run(tmp_path: Path) -> None:
    bare = [replace(article, cluster="") for article in events()]
    options = NewsOptions(state=str(tmp_path / "state"))
    sentence_pairs([bare[i] for i in (0, 1, 3)], options)
    later = sentence_pairs([bare[i] for i in (4, 2)], options)
    assert [article.cluster for article in later.articles] == ["1", "0"]


def test_held_out_clusters_give_no_pairs() -> None:
    found = sentence_pairs(events(), NewsOptions(hold_out=HoldOutOptions(share=0.5, low=1)))
    assert found.held_out
    assert not {i for pair in found.pairs for i in pair.articles} & {
        i for pair in found.held_out for i in pair.articles
    }


def test_clusters_that_nobody_gave_are_told() -> None:
    with pytest.raises(InputError, match="cluster"):
        sentence_pairs([replace(events()[0], cluster="")], NewsOptions(clusters="given"))
    with pytest.raises(InputError, match="clusters: expected auto"):
        NewsOptions(clusters="guessed")


def test_articles_of_another_language_are_left_out() -> None:
    told = [replace(article, language="de" if article.page == "bridge-0" else "en") for article in events()]
    found = sentence_pairs(told)
    assert found.pairs
    assert all(0 not in pair.articles for pair in found.pairs)


def test_sentences_that_share_a_key_term_are_what_fuse_reads(tmp_path: Path) -> None:
    told = [
        Article(
            f"{number}",
            f"The {ship} left Port Ellis.\nNobody saw the {ship} again.\nRain fell.",
            cluster=event,
        )
        for event, ship in (("a", "Marianne Lee"), ("b", "Oriol Star"))
        for number in range(2)
    ]
    found = sentence_pairs(told, NewsOptions(copies=False))
    write_key_terms(tmp_path / "terms.jsonl", key_term_clusters(found))
    read = read_clusters(tmp_path / "terms.jsonl")
    assert read == list(key_term_clusters(found))
    named = {cluster.name: cluster.sentences for cluster in read}
    assert [name for name in named if "oriol" in name.lower()] == ["b: oriol star"]
    assert named["b: oriol star"].count("Nobody saw the Oriol Star again.") == 2


def test_running_text_leaves_copies_out() -> None:
    articles = [events()[0], replace(events()[1], duplicate_of="bridge-0")]
    assert list(running_text(articles)) == events()[0].text.split("\n")
