"""A whole campaign in a real browser (Debian's chromium): two raters by keyboard, a second round, a settled dispute."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from campaign_examples import make
from campaign_service import ServiceProcess
from paraphrast.campaign.database import Database
from paraphrast.campaign.state import load_state
from postgres_server import free_port

BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium")
DRIVER = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    if BROWSER is None or DRIVER is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed: apt-get install -y chromium chromium-driver")
        pytest.skip("chromium or its driver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in [*FLAGS.split(), f"--user-data-dir={tmp_path / 'profile'}"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


def press(browser: webdriver.Chrome, *keys: str) -> None:
    """Press keys, and wait for the page after them."""
    old = browser.find_element(By.TAG_NAME, "html")
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(*keys)
    leave(browser, old)


def leave(browser: webdriver.Chrome, old: object) -> None:
    WebDriverWait(browser, 60, 0.02).until(lambda _: browser.find_element(By.TAG_NAME, "html") != old)
    WebDriverWait(browser, 60, 0.02).until(
        lambda _: browser.execute_script("return document.readyState") == "complete"
    )


def click(browser: webdriver.Chrome, selector: str) -> None:
    old = browser.find_element(By.TAG_NAME, "html")
    browser.find_element(By.CSS_SELECTOR, selector).click()
    leave(browser, old)


def text(browser: webdriver.Chrome, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def violations(browser: webdriver.Chrome) -> list[str]:
    """What axe-core finds on a page, in light and dark colours, and whether a phone shows it whole."""
    script = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    browser.execute_script(script)
    problems: list[str] = []
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        found: list[dict[str, Any]] = browser.execute_async_script(
            "const done = arguments[0]; axe.run().then((result) => done(result.violations));"
        )
        problems += [
            f"{scheme}: {one['id']}: {[node['html'][:120] for node in one['nodes']]}" for one in found
        ]
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    if not browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"):
        problems.append("wider than a phone")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return problems


def rate(browser: webdriver.Chrome, answer: Callable[[str], tuple[str, ...]]) -> int:
    """Rate by keyboard to the end; returns how many items."""
    count = 0
    while not browser.find_elements(By.ID, "end"):
        press(browser, *answer(text(browser, ".main-text")))
        count += 1
    return count


def test_a_whole_campaign(browser: webdriver.Chrome, tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    with Database(url) as database:
        _, opened = make(database, inputs=3, template="acceptable")
    with ServiceProcess(url, free_port()) as service:
        link = f"{service.address}/campaigns/open/"
        browser.get(link + opened.raters["anna"])
        assert "Hello anna" in text(browser, "main")
        assert opened.raters["anna"] not in browser.current_url
        assert violations(browser) == []
        click(browser, "#go")
        # A question that depends on another appears with the answer that calls for it.
        hidden = browser.find_element(By.CSS_SELECTOR, "fieldset[data-if]")
        assert not hidden.is_displayed()
        browser.find_element(By.TAG_NAME, "body").send_keys("0")
        assert hidden.is_displayed()
        assert violations(browser) == []
        press(browser, "2", Keys.ENTER)
        # Back, and change: yes.
        assert "/1/2" in browser.current_url
        press(browser, "b")
        assert "/1/1" in browser.current_url
        browser.find_element(By.CSS_SELECTOR, "fieldset[data-question=acceptable] input[value='1']").click()
        click(browser, "form#answers button")
        assert rate(browser, lambda _: ("y", Keys.ENTER)) == 5
        assert violations(browser) == []  # the end

        browser.get(link + opened.raters["ben"])
        click(browser, "#go")
        assert (
            rate(browser, lambda shown: ("y", Keys.ENTER) if "of 0" in shown else ("n", "3", Keys.ENTER)) == 6
        )

        browser.get(link + opened.owner)
        assert "3 disagreements, 3 not settled" in text(browser, "#live")
        assert "Krippendorff" in text(browser, "#live")
        assert violations(browser) == []
        click(browser, "#second-round")
        browser.get(f"{service.address}/campaigns/rate/2")
        assert "Round 2" in text(browser, "main")
        click(browser, "#go")
        first = text(browser, ".main-text")
        assert (
            rate(browser, lambda shown: ("n", "3", Keys.ENTER) if shown == first else ("y", Keys.ENTER)) == 3
        )
        browser.get(f"{service.address}/campaigns/rate/1/next")
        assert rate(browser, lambda _: ("y", Keys.ENTER)) == 3

        browser.get(f"{service.address}/campaigns/own/1")
        assert "1 disagreement, 1 not settled" in text(browser, "#live")
        click(browser, "#settle")
        assert first in text(browser, ".dispute")
        assert violations(browser) == []
        browser.find_element(By.CSS_SELECTOR, ".dispute input[value='0']").click()
        click(browser, "main form button")
        browser.get(f"{service.address}/campaigns/own/1")
        assert "1 disagreement, 0 not settled" in text(browser, "#live")
    with Database(url) as database, database.read() as connection:
        state = load_state(connection, 1)
    item = next(item.item for item in state.items if item.after == first)
    assert state.settled == {(item, "acceptable"): 0}
    assert [one.value for one in state.all_ratings if one.round == 3] == [0, 0]
    # The first answer of Anna was changed: what she no longer says is not exported.
    assert not [one for one in state.ratings if one.rater == "anna" and one.question == "error"]
