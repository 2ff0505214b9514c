"""Links between two lines of words."""

from __future__ import annotations

import pytest

from paraphrast.draw.links import draw_links
from paraphrast.errors import InputError


def test_words_and_links_are_drawn_with_their_places() -> None:
    svg = draw_links(["a", "<b>"], ["c"], [(0, 0, 1.0), (1, 0, 0.5)]).to_svg()
    assert svg.count('class="link ') == 2
    assert 'class="link s1 t0' in svg
    assert svg.count('class="word ') == 3
    assert "&lt;b&gt;" in svg


def test_a_link_outside_the_words_is_refused() -> None:
    with pytest.raises(InputError, match="got 0-1"):
        draw_links(["a"], ["b"], [(0, 1, 1.0)])
