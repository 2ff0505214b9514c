"""From a key to its result on the page Rewrite, in Chromium (Debian's packages ``chromium`` and ``chromium-driver``).

    python bench/page.py [--keys 60] [--model MODEL]

starts ``paraphrast serve`` with two workers, types characters at the ends of sentences one at a time, and prints JSON:
milliseconds from the event of the key until the browser has painted the new result. On a busy machine, run it with
``chrt -r 1`` to measure the page and not the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By

from serve import TEXTS, Running

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage "
    "--disable-background-networking --disable-component-update --disable-sync --window-size=1200,900"
)
#: Notes when a key went down, and when a frame with the result of its text has been painted.
WATCH = """
window.times = [];
let begin = 0;
document.getElementById("text").addEventListener("keydown", (event) => { begin = event.timeStamp; }, true);
new MutationObserver(() => {
  if (!begin || document.getElementById("live").getAttribute("aria-busy")) return;
  const since = begin;
  begin = 0;
  requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - since), 0));
}).observe(document.getElementById("live"), {childList: true, attributes: true});
"""


def open_browser(folder: str) -> webdriver.Chrome:
    """Chromium with an empty profile."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for flag in [*FLAGS.split(), f"--user-data-dir={folder}"]:
        options.add_argument(flag)
    driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def measure(browser: webdriver.Chrome, address: str, keys: int) -> list[float]:
    """Milliseconds from key to result, one per key."""
    browser.get(f"{address}/rewrite")
    browser.execute_script(WATCH)
    field = browser.find_element(By.ID, "text")
    times: list[float] = []
    for number in range(keys):
        sentence = TEXTS[number % len(TEXTS)]
        browser.execute_script("arguments[0].value = arguments[1]", field, sentence[:-1])
        time.sleep(0.15)
        field.send_keys(sentence[-1])
        end = time.monotonic() + 30
        while time.monotonic() < end:
            seen: list[float] = browser.execute_script("return window.times")
            if len(seen) > number:
                break
            time.sleep(0.05)
        else:
            raise SystemExit(f"no result for key {number + 1}")
        times = seen
    return times


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--model", default="default")
    given = parser.parse_args()
    service = Running(given.model, 2)
    try:
        service.wait()
        with tempfile.TemporaryDirectory() as folder:
            browser = open_browser(folder)
            try:
                times = measure(browser, f"http://127.0.0.1:{service.port}", given.keys)
                version = browser.capabilities["browserVersion"]
            finally:
                browser.quit()
    finally:
        service.stop()
    report: dict[str, Any] = {
        "browser": version,
        "keys": len(times),
        "p50_ms": round(statistics.median(times), 1),
        "p90_ms": round(statistics.quantiles(times, n=10)[-1], 1),
        "max_ms": round(max(times), 1),
        "within_100_ms": sum(value <= 100 for value in times),
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
