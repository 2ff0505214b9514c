from __future__ import annotations

from acquire.pages_of_ours import STORY, page
from paraphrast.acquire.lines import MAX_LINES, lines_of, parse


def texts(html: str) -> list[str]:
    return [line.text for line in lines_of(parse(html)).lines]


def test_a_line_is_what_a_browser_shows_as_one() -> None:
    assert texts("<p>One <b>bold</b>\n word</p><div>Two<br>three<p>four</p>five</div>") == [
        "One bold word",
        "Two",
        "three",
        "four",
        "five",
    ]


def test_scripts_styles_and_frames_have_no_text() -> None:
    assert texts("<p>a1<script>b</script>c</p><style>d</style><noscript>e</noscript><iframe>f</iframe>") == [
        "a1c"
    ]


def test_a_line_knows_where_it_stands() -> None:
    found = {line.text: line for line in lines_of(parse(page())).lines}
    story = found[STORY[0]]
    assert (story.tag, story.linked, story.hidden) == ("p", 0, False)
    assert "article" in story.tags
    assert "article-body" in story.names
    home = found["Home"]
    assert home.linked == len("Home")
    assert "nav" in home.tags
    assert found[STORY[1]].group == story.group != home.group


def test_what_is_hidden_is_marked() -> None:
    (line,) = lines_of(parse('<div style="display: none"><p>unseen</p></div>')).lines
    assert line.hidden


def test_nothing_to_parse_has_no_lines() -> None:
    assert texts("") == []
    assert texts("   \x00 ") == []
    assert texts("<!-- only a comment -->") == []


def test_a_page_with_too_many_lines_is_cut_with_a_note() -> None:
    found = lines_of(parse("<p>x</p>" * (MAX_LINES + 10)))
    assert len(found.lines) == MAX_LINES
    assert found.notes == [f"cut after {MAX_LINES} lines"]


def test_control_characters_and_lone_surrogates_do_no_harm() -> None:
    assert texts("<p>a\x01b\ud800c</p>") == ["a b c"]


def test_deep_nesting_ends() -> None:
    assert texts("<div>" * 200 + "text" + "</div>" * 200) == ["text"]
    assert texts("<div>" * 30_000 + "text" + "</div>" * 30_000) == []  # deeper than libxml2 allows
