"""The page, as text and in a real browser (Debian's chromium, headless)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import path_reference, reference_lattice
from paraphrast.references.report import ReportRow, make_report

TABLE = Substitutions({("examine",): (Substitute(("look", "at"), 0.4, "pivot+bitext"),)})
ORIGINAL = "We examine <b>it</b> & more."
BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium")


def page() -> str:
    lattice = reference_lattice(ORIGINAL, TABLE)
    reference = path_reference(lattice, lattice.edits())
    row = ReportRow("7", 'system "A"', "源 <s>", ORIGINAL, "We look at <it> now", reference, 10.0, 20.0, -1.5)
    return make_report([row], title="a < b", metric="bleu", signature="BLEU|para:toy")


def test_the_page_is_whole_and_escaped() -> None:
    text = page()
    assert "http" not in text
    assert "<b>it</b>" not in text
    assert "a &lt; b" in text
    assert 'title="for “examine”, p = 0.400, pivot and bitext">look at</span>' in text
    assert "bleu 10.00 → 20.00, people -1.5" in text


def test_matches_are_coloured() -> None:
    text = page()
    assert '<span class="same">We</span> <span class="para">look</span> <span class="para">at</span>' in text
    assert '<span class="same">it</span>' in text
    assert not re.search(r'class="\w+">now', text)


def test_the_page_in_a_browser(tmp_path: Path) -> None:
    if BROWSER is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed: apt-get install -y chromium")
        pytest.skip("chromium is not installed")
    path = tmp_path / "page.html"
    path.write_text(page(), encoding="utf-8")
    run = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    # The script ran to its end, and counted the sections.
    assert 'data-ready="1"' in run.stdout
    assert run.stdout.count("<section>") == 1
    assert (
        '<span class="edit" title="for “examine”, p = 0.400, pivot and bitext">look at</span>' in run.stdout
    )
