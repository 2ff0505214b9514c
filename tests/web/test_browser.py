"""The pages in Chromium: rewrite, protect, reject, why, lattice, fuse, align, references; and axe-core on each."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from paraphrast.web.schemas import REPORTS, SENTENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None and "CI" not in os.environ, reason="needs Chromium")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium with a new, empty profile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty tab; whatever the page reports as an error fails the test."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    assert errors == []


def violations(page: Page) -> list[str]:
    """What axe-core finds on a page."""
    from axe_playwright_python.sync_playwright import Axe

    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes']]}" for one in found]


def rewritten(page: Page, address: str) -> None:
    """Open the page and type a sentence."""
    page.goto(f"{address}/rewrite")
    page.fill("#text", SENTENCE)
    page.wait_for_selector(".results .edit")


def test_rewrite_protect_reject_and_why(page: Page, address: str) -> None:
    rewritten(page, address)
    assert "text=The+committee" in page.url
    assert violations(page) == []
    edit = page.locator(".results .edit", has_text="look at")
    edit.first.click()
    page.wait_for_selector("#why-title")
    assert "examine" in page.inner_text("#why-title")
    assert page.locator("#why-title").evaluate("title => title === document.activeElement")
    assert "licence" in page.inner_text(".panel")
    assert violations(page) == []
    page.click("button[name=reject]")
    page.wait_for_selector(".chips")
    assert page.locator(".results .edit", has_text="look at").count() == 0
    page.click(".words button >> text=important")
    page.wait_for_selector(".words button[aria-pressed=true]")
    assert page.locator(".results .edit", has_text="significant").count() == 0
    shown = page.locator(".results").inner_text()
    page.goto(page.url)  # a link shows the same
    assert page.locator(".results").inner_text() == shown


def test_another_substitute_is_picked_by_keyboard_alone(page: Page, address: str) -> None:
    rewritten(page, address)
    page.locator(".results .edit").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".picks button")
    picked = page.locator(".picks button").first
    words = picked.get_attribute("value")
    picked.focus()
    page.keyboard.press("Space")
    page.wait_for_selector(".chips")
    assert f"must use “{words}”" in page.inner_text(".chips")
    page.locator(".results .edit").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#why-title")
    page.keyboard.press("Escape")
    page.wait_for_selector("#why-title", state="detached")


def test_html_is_shown_as_text(page: Page, address: str) -> None:
    page.goto(f"{address}/rewrite")
    page.fill("#text", "<img src=x onerror=alert(1)> We must begin <script>alert(2)</script>")
    page.wait_for_selector(".words button")
    assert page.locator("#live img, #live script").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_and_colours(browser: Browser, address: str, scheme: Any) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme=scheme, java_script_enabled=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(120_000)
    rewritten(page, address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    context.close()


def test_the_first_paint_needs_no_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/rewrite")
    page.fill("#text", SENTENCE)
    page.click("button.main")
    page.wait_for_selector(".results .edit")
    page.click(".results .edit >> nth=0")
    page.wait_for_selector("#why-title")
    assert "why=" in page.url
    context.close()


def test_lattice(page: Page, address: str) -> None:
    page.goto(f"{address}/lattice?text={SENTENCE}")
    width = page.locator(".picture svg").evaluate("svg => svg.getBoundingClientRect().width")
    page.click("button[aria-label='Zoom in']")
    assert page.locator(".picture svg").evaluate("svg => svg.getBoundingClientRect().width") > width
    page.locator("text.label", has_text="significant").first.click()
    page.click("[data-picked] button")
    page.wait_for_selector(".chips")
    assert "must use “significant”" in page.inner_text(".chips")
    page.goto(f"{address}/lattice?text={SENTENCE}")
    assert violations(page) == []


def test_fuse(page: Page, address: str) -> None:
    page.goto(f"{address}/fuse")
    page.fill("#reports", "\n".join([*REPORTS, REPORTS[0].replace("three", "four")]))
    page.click("button.main")
    page.wait_for_selector(".automaton svg")
    assert page.locator(".reports li").count() == 4
    assert page.locator(".results .source sup").count() >= 1
    assert "3" in page.inner_text(".conflicts")
    assert violations(page) == []


def test_align(page: Page, address: str) -> None:
    page.goto(f"{address}/align")
    page.fill("#first", REPORTS[0])
    page.fill("#second", REPORTS[1])
    page.click("button.main")
    page.wait_for_selector(".alignment svg")
    page.hover(".word.s2")
    chosen = page.locator(".word.chosen").all_text_contents()
    assert [re.sub(r"\W", "", word) for word in chosen] == ["exploded", "exploded"]
    assert page.locator(".link.chosen").count() == 1
    assert violations(page) == []


def test_references(page: Page, address: str) -> None:
    page.goto(f"{address}/references")
    page.fill("#reference", SENTENCE)
    page.fill("#outputs", SENTENCE.replace("soon", "quickly"))
    page.click("button.main")
    page.wait_for_selector(".results")
    assert page.locator(".results .paraphrase").all_inner_texts() == ["quickly"]
    assert "soon" in page.inner_text(".through")
    assert violations(page) == []


def test_models_and_errors(page: Page, address: str) -> None:
    page.goto(f"{address}/models")
    assert violations(page) == []
    page.goto(f"{address}/sign-in")
    assert violations(page) == []
