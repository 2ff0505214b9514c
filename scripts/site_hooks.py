"""What MkDocs does beside its own work when it builds the site (`make site`).

- **Files from outside docs/.** The changelog and the rules for contributions become pages; licences and examples are
  copied. Links to them lead there. Links to other files of the repository become plain text.
- **Names of pages.** A link that is called like its file (`[text.md](text.md)`) gets the title of the page.
- **Papers.** The section gets all pages of docs/papers, in the order of their years, and is left out without them.
- **Tables.** Long names in the code of tables break after dots and slashes only.
- **Markdown.** Web hosts of Git repositories let a list follow a paragraph directly, and indent what belongs to an item
  by the width of its mark. Python-Markdown wants an empty line and four spaces, so pages get both while they are built.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md")
FILES = ("LICENSE", "NOTICE", "examples/*.py")
PAPERS = "papers/*.md"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) +(?=\S)")
_FENCE = re.compile(r" *(```|~~~)")
_CODE = re.compile(r"`[^`]*`")
_CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
_CELL_CODE = re.compile(r"(?<=<code>)[^<]*(?=</code>)")


def on_config(config: Any) -> Any:
    """Fill the section of the papers."""
    papers = sorted(Path(config.docs_dir).glob(PAPERS), key=_by_year)
    names = [f"papers/{path.name}" for path in papers]
    config.nav = [
        {title: names if entry == PAPERS else entry}
        for section in config.nav
        for title, entry in section.items()
        if entry != PAPERS or names
    ]
    return config


def _by_year(path: Path) -> tuple[bool, int, str]:
    """Introductions first, then by the year in the name; names without a year last."""
    year = re.search(r"\d{4}", path.stem)
    return path.stem not in ("index", "README"), int(year.group()) if year else 9999, path.stem


def on_files(files: Any, config: Any) -> Any:
    """Add pages and files from outside docs/."""
    from mkdocs.structure.files import File

    for name in repository_files():
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def repository_files() -> list[str]:
    """The files from outside docs/ that the site has."""
    found = [path for pattern in (*PAGES, *FILES) for path in sorted(ROOT.glob(pattern))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page as Python-Markdown and the site need it."""
    name = page.file.src_uri
    place = name if name in PAGES else f"docs/{name}"
    return readable(titled(links_of_the_site(markdown, place), Path(page.file.abs_src_path).parent))


def on_page_content(html: str, **_: Any) -> str:
    """The content of a page, with places where names in tables may break."""
    return breakable(html)


def breakable(html: str) -> str:
    """HTML in which the code in cells of tables may break after dots and slashes between letters."""

    def cell(match: re.Match[str]) -> str:
        return _CELL_CODE.sub(
            lambda code: re.sub(r"(?<=\w[./])(?=\w)(?!py\b)", "<wbr>", code.group()), match.group()
        )

    return _CELL.sub(cell, html)


def links_of_the_site(text: str, place: str) -> str:
    """Text with links that are right on the site. place: the page, from the root of the repository."""
    known = set(repository_files())
    here = posixpath.dirname(_site_path(place, known) or place)

    def replace(match: re.Match[str]) -> str:
        mark, label, target = match.groups()
        path, hash_mark, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:") or not path:
            return match.group()
        found = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        if found.startswith("docs/") == place.startswith("docs/") and found not in known:
            inside = place.startswith("docs/")
            return match.group() if inside else (mark and match.group()) or label
        new = _site_path(found, known)
        if new is None:
            return label
        return f"{mark}[{label}]({posixpath.relpath(new, here or '.')}{hash_mark}{anchor})"

    parts = re.split(r"(^ *```.*?^ *```[^\n]*$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if number % 2 else _LINK.sub(replace, part) for number, part in enumerate(parts))


def titled(text: str, folder: Path) -> str:
    """Text whose links say the titles of pages instead of the names of their files. folder: where the page is."""

    def replace(match: re.Match[str]) -> str:
        mark, label, target = match.groups()
        path = folder / target.partition("#")[0]
        if mark or not re.fullmatch(r"`?[\w/-]+\.md`?", label) or not path.is_file():
            return match.group()
        title = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        return f"[{title[1].partition(': ')[0] if title else label}]({target})"

    return _LINK.sub(replace, text)


def _site_path(path: str, known: set[str]) -> str | None:
    """Where a file of the repository is on the site."""
    if path in known:
        return path
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def readable(text: str) -> str:
    """Text with empty lines before lists, four spaces before parts of items, and plain bars in the code of tables."""
    lines: list[str] = []
    width, in_fence, has_paragraphs = 0, False, False
    for line in text.split("\n"):
        fence = bool(_FENCE.match(line))
        if not in_fence:
            item = _ITEM.match(line)
            if item:
                if lines and lines[-1].strip() and (not width or has_paragraphs):
                    lines.append("")
                width, has_paragraphs = item.end(), False
            elif line.strip() and not line.startswith(" "):
                # A line without indentation continues a paragraph, or ends the list after an empty line.
                width = width if lines and lines[-1].strip() and width and not fence else 0
            has_paragraphs |= bool(width) and not line.strip()
            if line.lstrip().startswith("|"):
                line = _CODE.sub(lambda code: code.group().replace(r"\|", "|"), line)
        if width and line.startswith(" " * width):
            line = _deeper(line[width:])
        lines.append(line)
        in_fence ^= fence
    return "\n".join(lines)


def _deeper(line: str) -> str:
    """A line of an item, four spaces deep; a list in it likewise."""
    spaces = len(line) - len(line.lstrip(" "))
    return "    " + ("    " + line.lstrip(" ") if 2 <= spaces < 4 and _ITEM.match(line.lstrip(" ")) else line)
