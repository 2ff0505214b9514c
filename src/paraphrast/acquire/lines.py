"""A page → its lines of text with their positions: the input of the line tagger.

A line is what a browser shows as one: the text between two block-level tags or line breaks. lxml's HTML parser parses
the page with its limits (``huge_tree`` off), and nothing is fetched or executed. The tree is visited without
recursion, and anything too long or too deep is cut, with a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from paraphrast.errors import MissingExtra
from paraphrast.text.languages.record import words

#: Maximum number of lines of a page; longer pages are cut.
MAX_LINES = 20_000
#: Maximum number of characters of a line.
MAX_LINE = 50_000

_SKIPPED = words(
    "script style noscript template svg iframe frame frameset object embed applet select option button textarea"
    " input canvas video audio map math head"
)
_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small"
    " span strike strong sub sup time tt u var wbr g-emoji amp-img img picture source"
)
_SPACE = re.compile(r"\s+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")


@dataclass(slots=True)
class Line:
    """A line of a page.

    text: its text, with white space normalised. linked: number of its characters within links. emphasis: within bold or
    italics. tag: the block that contains it. tags: all elements around it. names: classes and ids of the elements
    around it, lower-cased. group: its parent and the path to it, the same for lines that look like siblings.
    hidden: whether it is not shown.
    """

    text: str
    linked: int
    emphasis: int
    tag: str
    tags: frozenset[str]
    names: str
    near: str
    group: int
    hidden: bool
    follows_break: bool = False


@dataclass
class PageLines:
    """The lines of a page. ``notes``: what was cut; ``cut``: whether lines were cut."""

    lines: list[Line]
    notes: list[str] = field(default_factory=list)
    cut: bool = False


def _etree() -> Any:
    """lxml's module, which comes with the extra for news."""
    try:
        return import_module("lxml.etree")
    except ImportError as error:
        raise MissingExtra("reading pages", "news") from error


def parse(html: str) -> Any:
    """The page as a tree; None if there is nothing to parse. Nothing is fetched, and no entity is expanded twice."""
    etree = _etree()
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=False,
        no_network=True,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    data = _CONTROL.sub(" ", html).encode("utf-8", "replace")
    if not data.strip():
        return None
    try:
        tree: Any = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, AssertionError):
        return None
    return tree


@dataclass(slots=True)
class _Frame:
    """Properties of an open element."""

    tag: str
    names: str
    near: str
    tags: frozenset[str]
    group: int
    links: bool
    emphasis: bool
    hidden: bool


def lines_of(tree: Any) -> PageLines:
    """The lines of a parsed page, in order."""
    return PageLines([]) if tree is None else _Walk().walk(tree)


class _Walk:
    """One depth-first visit of a page, with an explicit stack."""

    def __init__(self) -> None:
        self.found = PageLines([])
        self.pieces: list[tuple[str, bool, bool]] = []
        self.size = 0
        self.groups: dict[tuple[int, str, str], int] = {}
        self.follows_break = False
        self.block: _Frame = _Frame("html", "", "", frozenset(), 0, False, False, False)

    def walk(self, tree: Any) -> PageLines:
        etree = _etree()
        stack: list[_Frame] = []
        skipping: int = 0
        for event, element in etree.iterwalk(tree, events=("start", "end")):
            tag = element.tag
            if event == "start":
                if skipping or not isinstance(tag, str) or tag in _SKIPPED:
                    skipping += 1
                    continue
                frame = self._open(tag, element, stack[-1] if stack else self.block)
                stack.append(frame)
                if tag not in _INLINE:
                    self._end_line()
                    self.follows_break = tag == "br"
                    self.block = frame if tag != "br" else (stack[-2] if len(stack) > 1 else frame)
                self._add(element.text, frame)
            else:
                if skipping:
                    skipping -= 1
                else:
                    stack.pop()
                    if tag not in _INLINE:
                        self._end_line()
                        self.follows_break = tag == "br"
                        self.block = next(
                            (frame for frame in reversed(stack) if frame.tag not in _INLINE), self.block
                        )
                if not skipping and stack:
                    self._add(element.tail, stack[-1])
            if len(self.found.lines) >= MAX_LINES:
                self.found.notes.append(f"cut after {MAX_LINES} lines")
                self.found.cut = True
                return self.found
        self._end_line()
        return self.found

    def _open(self, tag: str, element: Any, around: _Frame) -> _Frame:
        class_and_id = f"{element.get('class') or ''} {element.get('id') or ''}".strip().lower()[:200]
        style = (element.get("style") or "").replace(" ", "").lower()
        hidden = (
            around.hidden
            or "display:none" in style
            or element.get("hidden") is not None
            or element.get("aria-hidden") == "true"
        )
        group = around.group
        if tag not in _INLINE and tag != "br":
            key = (around.group, tag, class_and_id)
            group = self.groups.setdefault(key, len(self.groups) + 1)
        return _Frame(
            tag=tag,
            names=f"{around.names} {class_and_id}"[-1500:] if class_and_id else around.names,
            near=f"{around.near} {class_and_id}"[-160:] if class_and_id else around.near,
            tags=around.tags if tag in around.tags else around.tags | {tag},
            group=group,
            links=around.links or tag == "a",
            emphasis=around.emphasis or tag in ("b", "strong", "em", "i"),
            hidden=hidden,
        )

    def _add(self, text: str | None, frame: _Frame) -> None:
        if text:
            if self.size < MAX_LINE:
                self.pieces.append((text[:MAX_LINE], frame.links, frame.emphasis))
            elif "cut a line" not in self.found.notes:
                self.found.notes.append("cut a line")
            self.size += len(text)

    def _end_line(self) -> None:
        pieces, self.pieces, self.size = self.pieces, [], 0
        text = _SPACE.sub(" ", "".join(piece for piece, _, _ in pieces)).strip()
        if not any(map(str.isalnum, text)):
            return
        linked = sum(len(_SPACE.sub("", piece)) for piece, inside, _ in pieces if inside)
        emphasis = sum(len(_SPACE.sub("", piece)) for piece, _, inside in pieces if inside)
        block = self.block
        self.found.lines.append(
            Line(
                text, linked, emphasis, block.tag, block.tags, block.names, block.near, block.group,
                block.hidden, self.follows_break,
            )
        )  # fmt: skip
