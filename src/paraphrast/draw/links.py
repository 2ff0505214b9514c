"""The links of one sentence pair as two lines of words with lines between them.

Words and lines have classes, so that a page can mark the partners of a word: a word of the first text is ``word s3``,
of the second ``word t5``, a line between them ``link s3 t5``.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.draw.svg import Canvas, text_width
from paraphrast.errors import InputError

_MARGIN = 16.0
_SIZE = 15
_GAP = 14.0
_TOP, _BOTTOM = 30.0, 150.0


def draw_links(
    source: Sequence[str],
    target: Sequence[str],
    links: Sequence[tuple[int, int, float]],
    *,
    title: str = "Word alignment",
) -> Canvas:
    """Draw words and links (source position, target position, probability); wider lines are more probable."""
    for first, second, _ in links:
        if not (0 <= first < len(source) and 0 <= second < len(target)):
            raise InputError(
                f"expected links between {len(source)} and {len(target)} words, counted from 0, got {first}-{second}"
            )
    rows = [_places(words) for words in (source, target)]
    width = max(row[-1] for row in rows) + _MARGIN
    sheet = Canvas(width, _BOTTOM + 30, title=title, description=f"{' '.join(source)} / {' '.join(target)}")
    centres = [[(row[at] + row[at + 1] - _GAP) / 2 for at in range(len(row) - 1)] for row in rows]
    for first, second, probability in links:
        sheet.line(
            centres[0][first],
            _TOP + 8,
            centres[1][second],
            _BOTTOM - _SIZE,
            stroke="blue",
            width=1 + 1.5 * probability,
            kind=f"link s{first} t{second}",
            tip=f"{source[first]} – {target[second]}: {probability:.2f}",
        )
    for side, words, row, height in (("s", source, centres[0], _TOP), ("t", target, centres[1], _BOTTOM)):
        for place, word in enumerate(words):
            sheet.text(row[place], height, word, size=_SIZE, anchor="middle", kind=f"word {side}{place}")
    return sheet


def _places(words: Sequence[str]) -> list[float]:
    """Where each word begins, and where the line ends."""
    places = [_MARGIN]
    for word in words:
        places.append(places[-1] + text_width(word, _SIZE) + _GAP)
    return places
