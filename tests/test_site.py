"""The site builds without a warning, its links lead somewhere, and it loads nothing from other hosts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]


class Page(HTMLParser):
    """links: targets of links. loaded: what a browser loads by itself. ids: anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids |= {values[key] or "" for key in ("id", "name") if key in values}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"] or "")
        if tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.loaded.append(values["src"] or "")
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.loaded.append(values["href"] or "")


def _hook() -> ModuleType:
    spec = spec_from_file_location("site_hook", ROOT / "scripts" / "site_hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-d", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.strip()) == (0, ""), done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    return {path: page for path, page in found.items() if path.name != "404.html"}


def test_links_inside_the_site_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            fragment = unquote(parts.fragment)
            known = pages[target].ids if target in pages else {fragment}
            if not target.is_file() or (fragment and fragment not in known):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_other_hosts(site: Path, pages: dict[Path, Page]) -> None:
    assert {link for page in pages.values() for link in page.loaded if "//" in link} == set()
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert styles
    assert [text for text in styles if re.search(r"(?:url\(|@import )['\"]?(?:https?:)?//", text)] == []


def test_every_page_of_the_documentation_is_on_the_site(site: Path) -> None:
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    # The README of a folder is its index; that of docs itself is for readers of the source.
    html = (path.with_stem("index") if path.stem == "README" else path for path in sources)
    names = {path.with_suffix(".html").as_posix() for path in html}
    assert {name for name in names if not (site / name).is_file()} == set()


def test_papers_are_in_the_order_of_their_years() -> None:
    names = [
        "beyond.md",
        "zhao-2008.md",
        "index.md",
        "shen-2006.md",
        "quirk-2004.md",
        "martzoukos-monz-2012.md",
    ]
    ordered = sorted(map(Path, names), key=_hook()._by_year)
    assert [path.stem for path in ordered] == [
        "index",
        "quirk-2004",
        "shen-2006",
        "zhao-2008",
        "martzoukos-monz-2012",
        "beyond",
    ]


def test_links_out_of_the_documentation_become_links_of_the_site_or_text() -> None:
    change = _hook().links_of_the_site
    assert change("[log](../CHANGELOG.md#x)", "docs/README.md") == "[log](CHANGELOG.md#x)"
    assert change("[log](../../CHANGELOG.md)", "docs/tasks/a.md") == "[log](../CHANGELOG.md)"
    assert change("[toy](../tests/toy.py)", "docs/study.md") == "toy"
    assert change("[design](docs/design.md#ids)", "CONTRIBUTING.md") == "[design](design.md#ids)"
    assert change("[toy](tests/toy.py) [a](#b)", "CONTRIBUTING.md") == "toy [a](#b)"
    assert change("[a](b.md) ![c](images/d.svg)", "docs/e.md") == "[a](b.md) ![c](images/d.svg)"
    assert change("```\n[toy](../tests/toy.py)\n```", "docs/study.md") == "```\n[toy](../tests/toy.py)\n```"


def test_lists_are_written_for_python_markdown() -> None:
    change = _hook().readable
    assert change("Text:\n- a\n  more\n- b\n\nText") == "Text:\n\n- a\n    more\n- b\n\nText"
    assert change("1. a\n\n   | x |\n\nText\n  b") == "1. a\n\n    | x |\n\nText\n  b"
    assert change("1. a\n\n   b\n2. c\n3. d") == "1. a\n\n    b\n\n2. c\n3. d"
    assert change("```\nText\n- a\n```") == "```\nText\n- a\n```"
    assert change(r"| `a \| b` | c \| d |") == r"| `a | b` | c \| d |"


def test_names_in_tables_break_after_dots_and_slashes() -> None:
    change = _hook().breakable
    html = "<p><code>a.b</code></p><td><code>lm.estimate</code>, 1.5 <code>lm/test.py …</code></td>"
    assert change(html) == (
        "<p><code>a.b</code></p><td><code>lm.<wbr>estimate</code>, 1.5 <code>lm/<wbr>test.py …</code></td>"
    )
