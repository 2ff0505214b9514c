from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import _bitext
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines


def resource(**options: str) -> Resource:
    source = Source("file", path="x")
    return Resource("mine", "bitext", ("en", "de"), "ours", "", 1, "1", "", (source,), options=options)


def part(path: Path) -> Fetched:
    return Fetched(Source("file", path=str(path)), "", "", path)


def rows(folder: Path) -> list[str]:
    return list(read_lines(folder / "bitext.tsv.gz"))


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def test_nlp_corpus_joins_on_the_row_id(make_tgz: Any, tmp_path: Path) -> None:
    ten, two = "The tenth row is here.", "The second\trow is there."
    english = {
        "package/builds/doc-10.json": json.dumps([ten, "This one has changed since."]),
        "package/builds/doc-2.json": json.dumps([two, "c u there l8r", "Go to www.example now."]),
        "package/package.json": "{}",
    }
    german = {
        "package/builds/doc-2.json": json.dumps(
            [["Die zweite\nZeile ist dort.", md5(two)], ["bis dann", md5("c u there l8r")], ["odd"]]
        ),
        "package/builds/doc-10.json": json.dumps(
            [
                ["Die zehnte Zeile ist hier.", md5(ten)],
                ["Diese war früher anders.", md5("This one was other.")],
            ]
        ),
    }
    parts = [part(make_tgz("en.tgz", english)), part(make_tgz("de.tgz", german))]
    _bitext.nlp_corpus(resource(), parts, tmp_path)
    assert rows(tmp_path) == [
        "The second row is there.\tDie zweite Zeile ist dort.",
        "The tenth row is here.\tDie zehnte Zeile ist hier.",
    ]


def test_nothing_left_is_an_error(make_tgz: Any, tmp_path: Path) -> None:
    empty = part(make_tgz("x.tgz", {"package/builds/doc-0.json": "[]"}))
    with pytest.raises(DataError, match="layout changed"):
        _bitext.nlp_corpus(resource(), [empty, empty], tmp_path)
    broken = part(make_tgz("y.tgz", {"package/builds/doc-0.json": "["}))
    with pytest.raises(DataError, match="expected JSON"):
        _bitext.nlp_corpus(resource(), [broken, empty], tmp_path)


def page(*paragraphs: str) -> str:
    return "<html><body><p>no id</p>" + "\n".join(paragraphs) + "</body></html>"


def test_libreoffice_joins_on_page_and_paragraph(make_deb: Any, tmp_path: Path) -> None:
    english = page(
        '<h1 id="hd_1" dir="auto"><a name="x"></a>Saving Files</h1>',
        '<p id="par_2" class="paragraph">Opens a file. Choose <span class="emph">Tools</span> to see it.</p>',
        '<p id="par_3" class="code">Print the value</p>',
        '<p id="par_4">Only the English page has this.</p>',
        '<p id="par_5">One sentence. Another one.</p>',
        '<p id="par_6">Set the value to a=b here.</p>',
        '<p id="par_7">AVERAGE</p>',
    )
    german = page(
        '<h1 id="hd_1">Dateien speichern</h1>',
        '<p id="par_2">Öffnet eine Datei. Wählen Sie <b>Extras</b>, um sie zu sehen.</p>',
        '<p id="par_3" class="code">Den Wert drucken</p>',
        '<p id="par_5">Ein Satz, und noch einer.</p>',
        '<p id="par_6">Setzen Sie hier den Wert auf a=b.</p>',
        '<p id="par_7">MITTELWERT</p>',
    )
    base = "usr/share/libreoffice/help"
    ours = make_deb("en.deb", {f"{base}/en-US/text/a/b.html": english, f"{base}/en-US/contents.js": "x"})
    theirs = make_deb("de.deb", {f"{base}/de/text/a/b.html": german})
    _bitext.libreoffice_help(resource(), [part(ours), part(theirs)], tmp_path)
    assert rows(tmp_path) == [
        "Saving Files\tDateien speichern",
        "Opens a file.\tÖffnet eine Datei.",
        "Choose Tools to see it.\tWählen Sie Extras, um sie zu sehen.",
        "One sentence. Another one.\tEin Satz, und noch einer.",
    ]


def test_variants_leave_the_default_text() -> None:
    markup = (
        'Press <span id="s1" class="switchinline"><span hidden="true" id="m1" class="MAC">'
        '<span class="keycode">Command</span></span><span hidden="true" id="d1"><span class="keycode">Ctrl</span>'
        "</span></span><span>+F</span> &amp; read<br>on."
    )
    assert _bitext.plain_text(markup) == "Press Ctrl+F & read on."


def test_tsv_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("Guten Morgen, Welt.\tGood morning, world.\textra\n\nGute Nacht.\tGood night.\n")
    _bitext.tsv(resource(english="2", other="1"), [part(path)], tmp_path)
    assert rows(tmp_path) == ["Good morning, world.\tGuten Morgen, Welt.", "Good night.\tGute Nacht."]
    path.write_text("one column\n")
    with pytest.raises(DataError, match="expected 2 columns, got 1") as caught:
        _bitext.tsv(resource(), [part(path)], tmp_path)
    assert f"{path}:1" in str(caught.value)


def test_moses_pairs_lines(make_zip: Any, make_tgz: Any, tmp_path: Path) -> None:
    files = {
        "README": "x",
        "c.de-en.en": "Good night, all.\nAnd\u2028so on.\n",
        "c.de-en.de": "Gute Nacht, alle.\nUnd so weiter.\n",
    }
    expected = ["Good night, all.\tGute Nacht, alle.", "And so on.\tUnd so weiter."]
    for path in (make_zip("x.zip", files), make_tgz("x.tgz", files)):
        _bitext.moses(resource(), [part(path)], tmp_path)
        assert rows(tmp_path) == expected
    short = make_zip("y.zip", {**files, "c.de-en.de": "Gute Nacht.\n"})
    with pytest.raises(DataError, match="2 and 1 lines"):
        _bitext.moses(resource(), [part(short)], tmp_path)
    one_sided = make_zip("z.zip", {"c.en": "x\n"})
    with pytest.raises(DataError, match=r"one \.en and one \.de"):
        _bitext.moses(resource(), [part(one_sided)], tmp_path)
