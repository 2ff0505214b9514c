"""The pages say what the code says, and their links lead somewhere. test_docs_wheel.py runs their examples."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
#: Packages are named by the tool that fetches them; where a mirror stands is each machine's own affair.
REGISTRY_HOSTS = re.compile(
    r"\b(?:pypi|npm\w*|python\w+|debian|ubuntu|anaconda)\.(?:org|com|net|io)\b", re.IGNORECASE
)


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_script", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _prose(text: str) -> str:
    """A page without its code blocks."""
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def _anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as web hosts of Git repositories make them."""
    titles = re.findall(r"^#+ (.+)$", _prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(path: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", _prose(path.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file) if file else path
        if not found.exists() or (
            anchor and found.suffix == ".md" and anchor not in _anchors(found.read_text(encoding="utf-8"))
        ):
            broken.append(target)
    return broken


@pytest.mark.parametrize("name", sorted(_script().PAGES))
def test_generated_pages_are_current(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == _script().PAGES[name](), "stale: run `make docs`"


def test_a_stale_page_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = _script()
    monkeypatch.setattr(script, "DOCS", tmp_path)
    assert script.main(["--check"]) == 1
    assert "docs/cli.md" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert script.main([]) == 0
    assert script.main(["--check"]) == 0
    (tmp_path / "api.md").write_text("old", encoding="utf-8")
    assert script.main(["--check"]) == 1


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs" / "figures").glob("*.json")), ids=lambda path: path.stem
)
def test_figures_are_those_of_the_page_that_they_name(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    page = (ROOT / "docs" / content["page"].partition("#")[0]).read_text(encoding="utf-8")
    assert content["command"]
    assert content["machine"]
    rows = {re.sub(r"\s*\|\s*", "|", line) for line in page.splitlines() if line.startswith("|")}
    figures = _script().figures()
    written = "\n".join(figures.table(table) for table in content["tables"])
    lines = [line for line in written.splitlines() if not line.startswith("| ---")]
    assert [line for line in lines if re.sub(r"\s*\|\s*", "|", line) not in rows] == []


def test_figures_have_intervals_and_separators() -> None:
    figures = _script().figures()
    assert figures.written([0.794, 0.76, 0.83], "share") == ".794 (.76 to .83)"
    assert figures.written(96352, "integer") == "96,352"
    assert (figures.written(1.25, "decimal"), figures.written(None, "share")) == ("1.2", "")


def test_every_public_name_and_command_is_on_a_page() -> None:
    import paraphrast

    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in paraphrast.__all__ if f"`{name}`" not in api and f".{name}`" not in api] == []
    cli = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for command in ("paraphrase", "train", "table export", "data get", "model pack"):
        assert f"`paraphrast {command}`" in cli


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path) == []


@pytest.mark.parametrize("text", ["[a](none.md)", "[a](README.md#none)", "![a](images/none.svg)"])
def test_a_broken_link_is_found(text: str, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(
        f"# Title\n{text} [b](#title) [c](README.md) [d](https://example.org/x)\n", encoding="utf-8"
    )
    assert len(broken_links(page)) == 1


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {
        "README.md"
    }
    assert {page for page in pages if f"]({page})" not in index} == set()


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_no_page_names_a_registry_host(path: Path) -> None:
    assert REGISTRY_HOSTS.findall(path.read_text(encoding="utf-8")) == []


def test_a_registry_host_is_found() -> None:
    assert REGISTRY_HOSTS.findall("see https://files." + "pypi" + ".org/x and registry.py")
    assert not REGISTRY_HOSTS.findall("npm, pip and apt-get fetch packages; registry.py; python -m pip")
