"""Small pages and articles that tests share."""

from __future__ import annotations

import os
from pathlib import Path

from paraphrast.acquire.extractors import Extractor, ParsedPage
from paraphrast.formats.articles import Article

STORY = [
    "The harbour bridge was closed on Monday morning after a cargo ship struck one of its pillars, officials said.",
    "Nobody was hurt, but thousands of commuters had to find another way to work, and buses were overcrowded.",
    "Engineers will inspect the damaged pillar this week, and the mayor hopes to open two lanes by Friday evening.",
    "The ship, which carried timber from the north, was able to leave the harbour with the help of two tugs.",
]


def page(story: list[str] = STORY, title: str = "Ship strikes harbour bridge") -> str:
    """A page as a small newspaper might have it."""
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "News", "Sport", "Weather"))
    body = "".join(f"<p>{paragraph}</p>" for paragraph in story)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title} | The Bay Post</title>'
        '<meta property="article:published_time" content="2004-05-31T08:00:00Z">'
        '<meta property="og:site_name" content="The Bay Post"><script>var x = "not text";</script></head>'
        f'<body><nav class="menu"><ul>{links}</ul></nav><article class="article-body"><h1>{title}</h1>'
        f'{body}</article><aside class="related"><h3>Related</h3><ul><li><a href="/a">Ten walks by the sea</a></li>'
        '<li><a href="/b">Where to eat tonight</a></li></ul></aside>'
        '<footer class="footer"><p>Copyright 2004 The Bay Post. All rights reserved.</p></footer></body></html>'
    )


def make_trap(_model: str | None = None) -> Extractor:
    """An extractor that a page can make hang, die (always, or once: ``ONCE marker``) or fill the memory."""

    def extract(parsed: ParsedPage) -> str:
        if "HANG" in parsed.html:
            while True:
                pass
        if "DIE" in parsed.html:
            os._exit(3)
        if "ONCE" in parsed.html:
            marker = Path(parsed.html.partition("ONCE ")[2].partition("<")[0])
            if not marker.exists():
                marker.touch()
                os._exit(3)
        if "FILL" in parsed.html:
            return "x" * len(bytearray(3_000_000_000))
        if "FAIL" in parsed.html:
            raise ValueError("odd page")
        return "A story that is long enough to be one, told in words."

    return extract


def events() -> list[Article]:
    """Two events with three articles each, told in somewhat different words."""
    bridge = [
        [
            "A cargo ship struck the Harbour Bridge in Port Ellis on Monday morning.",
            "Mayor Anna Lind said that nobody was hurt in the accident.",
            "Engineers will inspect the damaged pillar this week.",
        ],
        [
            "A cargo ship hit the Harbour Bridge in Port Ellis on Monday.",
            "Nobody was hurt in the accident, Mayor Anna Lind said.",
            "The damaged pillar will be inspected by engineers this week.",
        ],
        [
            "The Harbour Bridge in Port Ellis was struck by a cargo ship on Monday morning.",
            "No one was hurt in the accident, said Mayor Anna Lind.",
            "Commuters had to find another way to work.",
        ],
    ]
    museum = [
        [
            "Thieves stole three paintings from the Castell Museum in Verra on Tuesday night.",
            "Director Paul Oren called the theft a loss for the whole country.",
            "The police asked visitors for photographs taken that day.",
        ],
        [
            "Three paintings were stolen from the Castell Museum in Verra on Tuesday night.",
            "The theft is a loss for the whole country, director Paul Oren said.",
            "Police asked visitors for photographs that were taken that day.",
        ],
        [
            "On Tuesday night thieves took three paintings from the Castell Museum in Verra.",
            "Director Paul Oren called it a loss for the whole country.",
            "An alarm had been switched off for repairs.",
        ],
    ]
    return [
        Article(f"{name}-{number}", "\n".join(lines), date=day, cluster=name)
        for name, day, told in (("bridge", "2004-05-31", bridge), ("museum", "2004-06-01", museum))
        for number, lines in enumerate(told)
    ]
