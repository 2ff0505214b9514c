"""Take the pictures of the pages for the docs, in Chromium (Debian's packages ``chromium`` and ``chromium-driver``).

    python scripts/screenshots.py [--folder docs/images] [--model MODEL]

starts ``paraphrast serve`` with the model and a small campaign of two systems, opens each page as a person would, and
writes one PNG per picture. Colours are reduced to a palette if Pillow is installed. Look at the pictures before they
are committed.
"""

from __future__ import annotations

import argparse
import base64
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from selenium import webdriver

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "bench"))
WIDE, TALL, PHONE = (1100, 760), (1100, 1000), (390, 844)
SENTENCE = "The committee must examine the important proposal as soon as possible."
REPORTS = [
    "Two bombs exploded near the central station on Monday, killing three people.",
    "Three people were killed on Monday when two bombs exploded near the central station.",
    "On Monday two bombs exploded near the main station and killed three people, police said.",
    "Two bombs exploded near the central station on Monday, killing four people.",
]
REFERENCE = {
    "source": "Le comité doit examiner cette proposition importante dès que possible.",
    "reference": "The committee must examine this important proposal as soon as possible.",
    "outputs": "The committee has to look at this important proposal as quickly as possible.",
}


class Photographer:
    """A browser that opens pages of one service and keeps pictures of them."""

    def __init__(self, browser: webdriver.Chrome, address: str, folder: Path) -> None:
        self.browser = browser
        self.address = address
        self.folder = folder

    def open(self, path: str, **values: str) -> None:
        """Open a page; values: its query."""
        self.browser.get(self.address + path + (f"?{urlencode(values)}" if values else ""))

    def look(self, size: tuple[int, int], scheme: str = "light") -> None:
        """Set the size of the window and the preferred colours."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})

    def click(self, selector: str) -> None:
        """Press something, once it is there."""
        self.wait(selector).click()
        time.sleep(0.5)

    def fill(self, selector: str, text: str) -> None:
        """Type a text into a field."""
        field = self.wait(selector)
        field.clear()
        field.send_keys(text)

    def wait(self, selector: str) -> Any:
        """The first element that a selector finds."""
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, 120).until(
            lambda driver: next(iter(driver.find_elements(By.CSS_SELECTOR, selector)), None)
        )

    def shoot(self, name: str, *, whole: bool = False) -> None:
        """Write a picture of the window, or of the whole page."""
        time.sleep(0.7)
        taken = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": whole})
        path = self.folder / f"{name}.png"
        path.write_bytes(base64.b64decode(taken["data"]))
        _shrink(path)
        print(path)


def _shrink(path: Path) -> None:
    try:
        image: Any = import_module("PIL.Image")
    except ImportError:
        return
    image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


def pages(camera: Photographer) -> None:
    """The pages of the service."""
    camera.look(TALL)
    camera.open("/rewrite", text=SENTENCE, n="4")
    camera.click(".results .edit")
    camera.wait("#why-title")
    camera.shoot("web-rewrite")
    camera.look(TALL, "dark")
    camera.shoot("web-dark")
    camera.look(PHONE)
    camera.open("/rewrite", text=SENTENCE, n="4")
    camera.shoot("web-phone", whole=True)
    camera.look(WIDE)
    camera.open("/lattice", text=SENTENCE)
    camera.shoot("web-lattice")
    camera.open("/fuse")
    camera.fill("#reports", "\n".join(REPORTS))
    camera.click("button.main")
    camera.wait(".automaton svg")
    camera.shoot("web-fuse", whole=True)
    camera.open("/align")
    camera.fill("#first", REPORTS[0])
    camera.fill("#second", REPORTS[1])
    camera.click("button.main")
    camera.wait(".alignment svg")
    camera.shoot("web-align")
    camera.open("/references")
    for name, text in REFERENCE.items():
        camera.fill(f"#{name}", text)
    camera.click("button.main")
    camera.wait(".results")
    camera.shoot("web-references")
    camera.open("/models")
    camera.shoot("web-models")


def campaign(camera: Photographer, links: dict[str, str]) -> None:
    """The pages of a rater and of the owner. Two raters rate; the second disagrees with some answers."""
    for rater, refused in (("anna", {0, 1}), ("ben", {1, 2})):
        camera.look(WIDE)
        camera.browser.get(links[rater])
        camera.click("#go")
        if rater == "anna":
            camera.shoot("campaign-rate")
            camera.look(WIDE, "dark")
            camera.shoot("campaign-dark")
            camera.look(PHONE)
            camera.shoot("campaign-phone")
            camera.look(WIDE)
        while "/end" not in camera.browser.current_url:
            shown = camera.wait(".main-text").text
            camera.wait("body").send_keys("n" if len(shown) % 7 in refused else "y")
            time.sleep(0.3)
    camera.browser.get(links["owner"])
    camera.shoot("campaign-owner", whole=True)
    camera.click("#settle")
    camera.shoot("campaign-settle")


def new_campaign(folder: Path, model: str, address: str) -> dict[str, str]:
    """A campaign of two systems; the links by person."""
    sentences = folder / "sentences.txt"
    texts: tuple[str, ...] = import_module("serve").TEXTS
    sentences.write_text("\n".join(texts), encoding="utf-8")
    command = [sys.executable, "-m", "paraphrast", "judge", "new", "--sentences", str(sentences)]
    for name, strength in (("careful", "0.3"), ("bold", "1")):
        command += ["--system", f"{name}={model},strength={strength}"]
    command += ["--database", str(folder / "ratings.db"), "--rater", "anna", "--rater", "ben"]
    run = subprocess.run([*command, "--address", address], check=True, capture_output=True, text=True)
    return dict(line.split("\t") for line in run.stdout.splitlines())


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", default=str(ROOT / "docs" / "images"))
    parser.add_argument("--model", default="default")
    given = parser.parse_args()
    start: Callable[..., Any] = import_module("serve").Running
    with tempfile.TemporaryDirectory() as temporary:
        service = start(given.model, 1, "--database", str(Path(temporary) / "ratings.db"))
        browser = import_module("page").open_browser(str(Path(temporary) / "profile"))
        try:
            service.wait()
            address = f"http://127.0.0.1:{service.port}"
            camera = Photographer(browser, address, Path(given.folder))
            pages(camera)
            campaign(camera, new_campaign(Path(temporary), given.model, address))
        finally:
            browser.quit()
            service.stop()


if __name__ == "__main__":
    main()
