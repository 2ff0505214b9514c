"""Inputs to begin with: a sound file of every format, and inputs that once ended badly."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import torch_files
from fuzz.model_targets import small_aligner, small_model
from fuzz.register import json_bytes

#: A path that is longer than any file system allows.
LONG_NAME = b'[[bitext]]\npath = "' + b"x" * 5000 + b'"\ncolumns = ["en", "de"]\n'
DEEP = b"[" * 20_000
#: Nesting, numbers beyond every type, surrogates, NaN: for every format that is JSON.
BAD_JSON = (DEEP, b'{"a":' * 20_000, b"9" * 5000, b'{"text": "\\ud800"}', b'{"id": NaN}', b'{"id": 1e999}')
#: What text readers meet.
BAD_TEXT = (b"", b"\n", b"\xff\xfea\x00", b"\x00", b"a\xc3", b"\r\n\r\n", "\u2028\u202e\U0001f600\n".encode())

ARPA = b"""\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.3
-0.5\tthe\t-0.2
-0.7\t</s>

\\2-grams:
-0.2\t<s> the
-0.3\tthe </s>

\\end\\
"""
CONFIG = b"""language = "en"
[[bitext]]
path = "bitext.tsv"
columns = ["en", "de"]
licence = "ours"
[lm]
order = 3
"""
INDEX = b"""[small]
kind = "text"
languages = ["en"]
licence = "ours"
description = "a text"
version = "1"
convert = "text-lines"
[[small.source]]
via = "http"
url = "http://127.0.0.1/x"
"""
HTML = b"""<!doctype html><html><head><title>A report</title><meta property="og:title" content="A report"></head>
<body><nav><a href="/">home</a></nav><h1>A report</h1><p>The committee will examine the proposal tomorrow.</p>
<p>It must reject a large report at once, the minister said.</p><script>x()</script></body></html>
"""
TEMPLATE = b"""shown = ["input", "output"]
[[question]]
name = "usable"
text = "Is it usable?"
answers = { 0 = "no", 1 = "yes" }
graded = true
least = 1
[[question]]
name = "reason"
text = "Why not?"
only_if = { usable = 0 }
"""
LATTICE = {
    "format": "lattice",
    "version": 1,
    "states": 3,
    "start": 0,
    "finals": [2],
    "edges": [
        {"from": 0, "to": 1, "words": ["a"], "weight": -0.5},
        {"from": 1, "to": 2, "words": ["b", "c"], "weight": -1.0},
    ],
}
MT = {"id": 1, "source": "s", "references": ["a b"], "outputs": {"x": {"text": "a", "score": 1}, "y": "b"}}
SWORDS = {
    "contexts": {"c": {"context": "a big house"}},
    "targets": {"t": {"context_id": "c", "offset": 2, "target": "big", "pos": "ADJ"}},
    "substitutes": {"s": {"target_id": "t", "substitute": "large"}},
    "substitute_labels": {"s": ["TRUE", "FALSE"]},
}
LABELLED = {
    "sentence": "a big house",
    "start": 2,
    "end": 5,
    "before": "big",
    "after": "large",
    "correct": True,
}
TEMPLATES = {
    "first": {"parts": [None, ["rejects", "turns down"], None]},
    "second": {"parts": [None, ["was turned down by"], None]},
    "order": [1, 0],
    "score": 0.5,
}
XML = b"""<corpus lang="english"><lexelt item="big.a"><instance id="1"><context>a <head>big</head> house</context>
</instance></lexelt></corpus>
"""
TRIP = {
    "text": "a house",
    "trips": [{"language": "fr", "foreign": "x", "forth": -1.0, "back": [{"text": "a home", "score": -2.0}]}],
}


def warc() -> bytes:
    """One response."""
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + HTML
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def safetensors() -> list[bytes]:
    """Sound, and with absurd headers."""

    def made(header: object, data: bytes = np.arange(6, dtype="<f4").tobytes()) -> bytes:
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + data

    entry = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    return [
        made({"w": entry}),
        made([1, 2]),
        made({"w": {**entry, "data_offsets": [-8, 16]}}),
        made({"w": {**entry, "shape": [1 << 40, 1 << 40]}}),
        struct.pack("<Q", (1 << 63) + 1) + b"{}",
        struct.pack("<Q", 1 << 40) + b"{}",
        struct.pack("<Q", 20_000) + DEEP,
        b"",
    ]


def _string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def gguf() -> list[bytes]:
    """Sound, and with absurd headers."""

    def made(settings: list[bytes], shape: tuple[int, ...] = (2, 2), data: bytes = bytes(64)) -> bytes:
        head = struct.pack("<4sIQQ", b"GGUF", 3, 1, len(settings)) + b"".join(settings)
        head += _string(b"w") + struct.pack(f"<I{len(shape)}Q", len(shape), *shape) + struct.pack("<IQ", 0, 0)
        return head + bytes(-len(head) % 32) + data

    def alignment(value: int) -> bytes:
        return _string(b"general.alignment") + struct.pack("<II", 4, value)

    nested = _string(b"deep") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 3000
    return [
        made([alignment(32)]),
        made([alignment(0)]),
        made([nested]),
        made([], (1 << 63, 2)),
        made([], (1 << 32, 1 << 32, 1 << 32)),
        made([_string(b"list") + struct.pack("<IIQ", 9, 8, 1 << 60)]),
        struct.pack("<4sIQQ", b"GGUF", 3, 1 << 60, 1 << 60),
        b"GGUF",
    ]


def torch() -> list[bytes]:
    """Both layouts; a memo index beyond memory, which Python's own reader would make room for."""
    state, storages = torch_files.tensors({"w": np.ones((2, 3)), "b": np.zeros(3)})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        sound = [
            torch_files.write_zip(path, state, storages).read_bytes(),
            torch_files.write_chain(path, state, storages).read_bytes(),
        ]
        hostile = [
            b"\x80\x02}r\xff\xff\xff\x3f.",
            b"\x80\x02}p999999999\n.",
            b"cos\nsystem\n(S'true'\ntR.",
            b"\x80\x02" + b"(" * 5000 + b".",
            b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f",
        ]
        return [
            *sound,
            *(torch_files.write_zip(path, None, [], raw=raw).read_bytes() for raw in hostile),
            *(torch_files.write_chain(path, None, [], raw=raw).read_bytes() for raw in hostile),
        ]


def archives() -> list[bytes]:
    """A wheel, and such with a name outside, or with none."""
    made = []
    for name in ("package/a.txt", "../a.txt", "/a.txt", "c:\\a"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, "some text\n" * 10)
        made.append(buffer.getvalue())
    return [
        *made,
        made[0].replace(b"package/a.txt", b"\0" + b"ackage/a.txt"),
    ]  # a name that ends where it begins


def tarballs() -> list[bytes]:
    """A package of npm."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("package/a.txt")
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"text"))
    return [gzip.compress(buffer.getvalue(), mtime=0), gzip.compress(b"no tar", mtime=0)]


def debs() -> list[bytes]:
    """A Debian package."""

    def tar(name: str, text: bytes) -> bytes:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        return buffer.getvalue()

    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.gz": gzip.compress(tar("./control", b"Package: x\nVersion: 1\n"), mtime=0),
        "data.tar.xz": lzma.compress(tar("./usr/a.txt", b"text")),
    }
    content = b"!<arch>\n"
    for name, part in parts.items():
        content += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(part):<10}".encode() + b"`\n" + part
        content += b"\n" * (len(part) % 2)
    return [content, content[:100], b"!<arch>\n" + b"x" * 48 + b"-5        `\n"]


def packed_models() -> list[bytes]:
    """A packed model of ours, whole and cut."""
    from paraphrast.model.pack import pack_model

    with tempfile.TemporaryDirectory() as folder:
        content = pack_model(small_model(), Path(folder) / "model.zip").read_bytes()
    return [content[: 1 << 16], content[-(1 << 16) :]]


def tables() -> list[bytes]:
    """A standalone table, and one of a model."""
    from paraphrast.formats.table_file import write_table_file
    from paraphrast.types import PhraseRow, TableInfo, loose_table

    rows = [
        PhraseRow(("big",), ("very", "large"), -0.5, 3, {"rank": -1.0}),
        PhraseRow(("a",), ("b",), -1.0, 1, {}),
    ]
    info = TableInfo("dictionary", "en", "dictionary|test", features={"rank": {"direction": "higher"}})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        write_table_file(path, loose_table(rows, info, ["rank"]))
        content = path.read_bytes()
    return [
        content,
        content.replace(b"target_categories", b"target_\xc0ategories"),
        *(path.read_bytes() for path in sorted((small_model() / "tables").glob("*.parquet"))[:1]),
    ]


def manifests() -> list[bytes]:
    """A sound manifest, and such that lie."""
    content = json.loads((small_model() / "manifest.json").read_text("utf-8"))
    without = {key: value for key, value in content.items() if key != "files"}
    values: list[object] = [content, without, {**without, "language": "../x"}, {}, []]
    return [json_bytes(value) for value in values]


def changes() -> list[bytes]:
    """Changes of files, see the target."""
    rng = np.random.default_rng(1)
    return [rng.integers(0, 256, 8, np.uint8).tobytes() for _ in range(24)]


def aligners() -> list[bytes]:
    """Changes of files, and descriptions of an aligner."""
    about = json.loads((small_aligner() / "aligner.json").read_text("utf-8"))
    long = {**about, "options": {**about["options"], "max_length": 10**12}}
    zipped = b"\x00\x00\x04\x00\x00\x00\x00\x00"
    return [
        json_bytes(about),
        json_bytes(long),
        json_bytes({**about, "source_size": 10**30}),
        zipped,
        *changes(),
    ]


_SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "text": lambda: [b"one\ntwo\n", gzip.compress(b"one\n", mtime=0), lzma.compress(b"one\n"), *BAD_TEXT],
    "csv": lambda: [b'text,id\n"a ""b""\nc",1\n', b"a;b\n1;2\n", b'text\n"', *BAD_TEXT],
    "tsv": lambda: [b"text\tid\na\t1\n", *BAD_TEXT],
    "jsonl": lambda: [b'{"text": "a", "id": 1}\n', *BAD_JSON],
    "bitext": lambda: [b"a house\tein haus\n", b"a ||| b\n", *BAD_TEXT],
    "config": lambda: [CONFIG, b"a = [" + b"[" * 5000, b'language = "../x"\n', LONG_NAME, *BAD_TEXT],
    "index": lambda: [INDEX, b"a = [" + b"[" * 5000, b'x = 1\n["a/b"]\n', *BAD_TEXT],
    "articles": lambda: [b'{"page": "1", "text": "A report.", "date": "2020-01-01"}\n', *BAD_JSON],
    "outputs": lambda: [
        b'{"source": "a", "text": "b", "rank": 1}\n',
        b"a\tb\t1\n",
        json_bytes(LABELLED),
        *BAD_JSON,
    ],
    "mt": lambda: [
        json_bytes(MT),
        json_bytes({**MT, "outputs": {"x": {"text": "a", "score": 10**400}}}),
        *BAD_JSON,
    ],
    "ratings": lambda: [
        b'{"item": "1", "system": "a", "rater": "r", "question": "q", "value": 1, "pass": 1}\n',
        b'{"item": "1", "template": "t", "before": "a", "after": "b"}\n',
        *BAD_JSON,
    ],
    "round-trips": lambda: [
        json_bytes(TRIP),
        b'{"text": "a", "trips": [{"language": 1}]}',
        json_bytes(TRIP).replace(b"-2.0", b"9" * 400),
        *BAD_JSON,
    ],
    "clusters": lambda: [b'{"cluster": "a", "sentences": ["a b", "a c"]}\n', *BAD_JSON],
    "clusters-tsv": lambda: [b"a\tone sentence\na\tanother sentence\n", *BAD_TEXT],
    "templates": lambda: [
        json_bytes(TEMPLATES),
        b'{"first": {"parts": []}, "second": {"parts": []}, "order": [1e999], "score": 1}',
        *BAD_JSON,
    ],
    "substitutions": lambda: [json_bytes(LABELLED), json_bytes(SWORDS), *BAD_JSON],
    "lexical-substitution": lambda: [
        b"big.a 1 :: large 3;huge 1;\n\x00big.a\t1\t1\ta big house\n",
        b"\x00" + XML,
        "x.a 1 :: y 1;\n\x00x.a\t1\t\u00b2\ta b\n".encode(),
        b"\x00x.a\t1\t" + b"9" * 5000 + b"\ta\n",
    ],
    "phrase-labels": lambda: [
        b"phrase\tparaphrase\ta\nbig\tlarge\t2\n",
        b"big\tlarge\t5\t4\n",
        b"phrase\tparaphrase\ta\nbig\tlarge\t2\x1f\n",
        *BAD_TEXT,
    ],
    "results": lambda: [
        b'{"paper": "a", "items": {"table-1": {"run": "full"}}}',
        b'{"items": []}',
        *BAD_TEXT,
    ],
    "arpa": lambda: [ARPA, ARPA.replace(b"1=4", b"1=99999999999"), ARPA.replace(b"-0.5", b"nan"), *BAD_TEXT],
    "kenlm": lambda: [ARPA, b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(200)],
    "moses": lambda: [b"a ||| b ||| 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| |||\n", b"a ||| b ||| nan\n", *BAD_TEXT],
    "ppdb": lambda: [
        b"[NN] ||| big ||| large ||| PPDB2.0Score=3.2 p(e|f)=1.0 ||| 0-0 ||| Equivalence\n",
        *BAD_TEXT,
    ],
    "meteor": lambda: [b"0.5\nbig\nlarge\n", b"nan\na\nb\n", *BAD_TEXT],
    "pharaoh": lambda: [b"0-0 1-2\n", b"1-1 2?3\n", b"0-99999999999999999999\n", b"0-0:0.5\n", *BAD_TEXT],
    "gold-json": lambda: [
        b'[{"source": "a b", "target": "c", "sureAlign": "0-0", "possibleAlign": "1-0"}]',
        *BAD_JSON,
    ],
    "aligned-json": lambda: [
        b'[{"source": "a b", "target": "c", "sureAlign": "0-0", "possibleAlign": "1-0"}]',
        *BAD_JSON,
    ],
    "table": tables,
    "html": lambda: [HTML, b"<" * 3000, b"<div>" * 8000, *BAD_TEXT],
    "warc": lambda: [
        warc(),
        warc()[:200],
        warc().replace(b"Content-Length: ", b"Content-Length: -"),
        warc().replace(b"Content-Length: ", b"Content-Length: " + b"3" * 50),
        warc().replace(b"WARC-Target-URI", b"WARC-Target"),
    ],
    "warc-gz": lambda: [gzip.compress(warc(), mtime=0), gzip.compress(warc(), mtime=0)[:99]],
    "pages-jsonl": lambda: [json_bytes({"html": HTML.decode(), "url": "http://a.example/"}), *BAD_JSON],
    "lattice-json": lambda: [json_bytes(LATTICE), json_bytes({**LATTICE, "states": 10**12}), *BAD_JSON],
    "lattice-fst": lambda: [
        b"0\t1\ta\ta\t0.5\n1\n",
        b"0\t999999999999\ta\ta\n1\n",
        b"0\t1\ta\ta\tnan\n1\n",
        *BAD_TEXT,
    ],
    "lattice-plf": lambda: [
        b"((('a', 0.5, 1), ), (('b', 1, 1), ), )\n",
        b"((('a', 1" + b"0" * 400 + b", 1), ), )\n",
        b"((('a', 1, 99999999999999999999), ), )\n",
        b"(" * 5000,
        b"((('a', nan, 1), ), )\n",
    ],
    "safetensors": safetensors,
    "torch": torch,
    "gguf": gguf,
    "tagged": lambda: [b"The/AT house/NN ./.\n", b"a/b/c/ /\n", *BAD_TEXT],
    "thesaurus": lambda: [
        b"big,large,huge\n",
        b"ISO8859-1\nbig|1\n(adj)|large|huge\n",
        b"big\tlarge\n",
        b"big\tlarge\ta\t" + b"9" * 5000 + b"\n",
        *BAD_TEXT,
    ],
    "dictionary": lambda: [
        b"house\ta building\n",
        b'{"word": "house", "definition": "a building"}\n',
        *BAD_TEXT,
    ],
    "clicks": lambda: [
        b"big house\thttp://a.example/\t3\n",
        b"a\tb\t" + b"9" * 5000 + b"\n",
        *BAD_TEXT,
    ],
    "senses": lambda: [b"big\tlarge\ta\t1\t12\n", b"a\tb\tn\t1\t" + b"9" * 5000 + b"\n", *BAD_TEXT],
    "samples": lambda: [b"a big house\tbig\tlarge\tx\t0.5\t1\tno\n", b"a\tb\tc\td\tnan\t\t\n", *BAD_TEXT],
    "template": lambda: [TEMPLATE, b"a = [" + b"[" * 5000, b"a = " + b"9" * 5000, *BAD_TEXT],
    "trees": lambda: [b"(S (NP (DT the) (NN house)) (VP (VBZ is)))\n", b"(" * 5000, b"(S" * 2000, *BAD_TEXT],
    "weights": lambda: [
        (small_model() / "weights.json").read_bytes(),
        b'{"edit": ' + b"9" * 400 + b"}",
        *BAD_JSON,
    ],
    "casing": lambda: [(small_model() / "casing.tsv").read_bytes()[:2000], *BAD_TEXT],
    "archive": archives,
    "archive-tar": tarballs,
    "archive-deb": debs,
    "vocabulary": lambda: [b"the\nhouse\n", *BAD_TEXT],
    "packed-model": packed_models,
    "model-manifest": manifests,
    "model-files": changes,
    "lm-folder": changes,
    "aligner": aligners,
    "sentence": lambda: [
        b"The committee will examine the plan.",
        *BAD_TEXT,
        "a\u0301".encode() * 200,
        b"\xed\xa0\x80",
    ],
}


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """The inputs of a target."""
    return tuple(_SEEDS[name]())
