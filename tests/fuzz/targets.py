"""Every reader of files from outside, as a function of bytes: each ends in a result or a ParaphrastError.

A target gets the path of a file with the bytes of an input, and reads it as a command would. ``ENDING`` of a target is
the name that the file has, where readers look at it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import toy
from paraphrast._jit import interpreted
from paraphrast.errors import ParaphrastError

Target = Callable[[Path], object]
#: Name → name of the file, function.
TARGETS: dict[str, tuple[str, Target]] = {}
#: Longest input in bytes: longer ones are cut.
LONGEST = 1 << 16


def target(name: str, file: str = "input.txt") -> Callable[[Target], Target]:
    """Register a target."""

    def register(function: Target) -> Target:
        TARGETS[name] = (file, function)
        return function

    return register


def drain(rows: Iterable[object], most: int = 100_000) -> int:
    """Read everything."""
    count = 0
    for count, _ in enumerate(rows, 1):
        if count > most:
            raise AssertionError(f"more than {most} rows from a small file")
    return count


@cache
def place() -> Path:
    """A folder for inputs, in memory where there is one."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if os.access(memory, os.W_OK) else None))


def run(name: str, content: bytes) -> str:
    """Read an input: ``result``, or the name of the error's class. Any other exception is a finding, and is raised."""
    file, function = TARGETS[name]
    path = place() / file
    path.write_bytes(content[:LONGEST])
    try:
        function(path)
    except ParaphrastError as error:
        str(error)
        return type(error).__name__
    return "result"


@target("text")
def _text(path: Path) -> object:
    from paraphrast.formats.files import open_text, read_lines

    drain(open_text(path, mark_bad=True))
    with open_text(path) as reader:
        drain(reader.blocks())
    return drain(read_lines(path))


@target("csv", "input.csv")
@target("tsv", "input.tsv")
@target("jsonl", "input.jsonl")
def _records(path: Path) -> object:
    from paraphrast.formats.records import RecordReader

    return drain(RecordReader(path))


@target("bitext")
def _bitext(path: Path) -> object:
    from paraphrast.formats.bitext import read_columns

    read_columns(path, ["en", "de"], skip_bad=True)
    return read_columns(path, ["en", "de"])


@target("config", "config.toml")
def _config(path: Path) -> object:
    from paraphrast.training.config import read_config

    path.with_name("bitext.tsv").write_text("a house\tein haus\n")
    return read_config(path)


@target("index", "index.toml")
def _index(path: Path) -> object:
    from paraphrast.data import _index

    _index._parse.cache_clear()
    return _index._read(path)


@target("articles", "articles.jsonl")
def _articles(path: Path) -> object:
    from paraphrast.formats.articles import read_articles

    drain(read_articles(str(path), skip_bad=True))
    return drain(read_articles(str(path)))


@target("outputs", "outputs.jsonl")
def _outputs(path: Path) -> object:
    from paraphrast.formats.outputs import read_outputs

    return read_outputs(path)


@target("mt", "mt.jsonl")
def _mt(path: Path) -> object:
    from paraphrast.formats.mt import read_judgements, read_segments

    with contextlib.suppress(ParaphrastError):
        read_segments(path, [path], {"a": path})
    return read_judgements(path)


@target("ratings", "ratings.jsonl")
def _ratings(path: Path) -> object:
    from paraphrast.formats.ratings import read_items, read_key, read_ratings

    for read in (read_items, read_key):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_ratings(path)


@target("round-trips", "trips.jsonl")
def _round_trips(path: Path) -> object:
    from paraphrast.formats.round_trips import read_round_trips

    return drain(read_round_trips(path))


@target("clusters", "clusters.jsonl")
@target("clusters-tsv", "clusters.tsv")
def _clusters(path: Path) -> object:
    from paraphrast.fusion.clusters import read_clusters

    return read_clusters(path)


@target("templates", "templates.jsonl")
def _templates(path: Path) -> object:
    from paraphrast.fusion.templates import read_templates

    return read_templates(path)


@target("substitutions", "labelled.jsonl")
def _substitutions(path: Path) -> object:
    from paraphrast.formats.substitutions import read_labelled, read_swords, read_targets

    for read in (read_targets, read_swords):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_labelled(path)


@target("lexical-substitution", "gold.txt")
def _lexical_substitution(path: Path) -> object:
    from paraphrast.formats.substitutions import read_lexical_substitution

    gold, _, contexts = path.read_bytes().partition(b"\x00")
    path.write_bytes(gold)
    other = path.with_name("contexts.xml")
    other.write_bytes(contexts)
    return read_lexical_substitution(path, other)


@target("phrase-labels", "labels.tsv")
def _phrase_labels(path: Path) -> object:
    from paraphrast.formats.phrase_labels import read_judgements, read_phrase_labels, read_ranked_labels

    for read in (read_judgements, read_ranked_labels):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_phrase_labels([path])


@target("results", "zhao-2008.json")
def _results(path: Path) -> object:
    from paraphrast.reproduce.runner import read_results

    return read_results(path)


@target("arpa", "model.arpa")
def _arpa(path: Path) -> object:
    from paraphrast.formats.arpa import read_arpa

    return read_arpa(path)


@target("kenlm", "model.binary")
def _kenlm(path: Path) -> object:
    from paraphrast.lm.kenlm import KenlmModel

    return KenlmModel(path).score_sentences(["the house", "a"])


@target("moses")
def _moses(path: Path) -> object:
    from paraphrast.formats.moses import read_phrase_table

    return drain(read_phrase_table(path))


@target("ppdb")
def _ppdb(path: Path) -> object:
    from paraphrast.formats.ppdb import read_ppdb

    return drain(read_ppdb(path))


@target("meteor")
def _meteor(path: Path) -> object:
    from paraphrast.formats.tables import read_meteor

    return drain(read_meteor(path))


@target("pharaoh")
def _pharaoh(path: Path) -> object:
    from paraphrast.formats.gold import read_any_gold
    from paraphrast.formats.pharaoh import read_links, read_posteriors

    with contextlib.suppress(ParaphrastError):
        read_any_gold(path)
    links = read_links(path)
    return read_posteriors(path, links)


@target("gold-json", "gold.json")
def _gold_json(path: Path) -> object:
    from paraphrast.formats.gold import read_any_gold

    return read_any_gold(path)


@target("table", "table.parquet")
def _table(path: Path) -> object:
    from paraphrast.formats.table_file import read_table_file

    return read_table_file(path)


@target("html", "page.html")
@target("warc", "pages.warc")
@target("warc-gz", "pages.warc.gz")
@target("pages-jsonl", "pages.jsonl")
def _pages(path: Path) -> object:
    from paraphrast.acquire.extractors import extract_article, make_hmm
    from paraphrast.acquire.pages import read_pages

    return [extract_article(page, make_hmm()).text for page in read_pages(path)]


@target("lattice-json", "lattice.json")
@target("lattice-fst", "lattice.fst.txt")
@target("lattice-plf", "lattice.plf")
def _lattice(path: Path) -> object:
    from paraphrast.formats.lattices import read_lattice

    return read_lattice(path)


@target("safetensors", "model.safetensors")
def _safetensors(path: Path) -> object:
    from paraphrast.text.encoder import read_safetensors

    return [array.sum() for array in read_safetensors(path).values()]


@target("torch", "pytorch_model.bin")
def _torch(path: Path) -> object:
    from paraphrast.formats.torch_weights import read_torch_weights

    return [array.sum() for array in read_torch_weights(path).values()]


@target("gguf", "model.gguf")
def _gguf(path: Path) -> object:
    from paraphrast.formats.gguf import read_gguf

    opened = read_gguf(path)
    return [opened.array(name).sum() for name in list(opened._places)]


@target("tagged")
def _tagged(path: Path) -> object:
    from paraphrast.formats.tagged import read_tagged

    return drain(read_tagged(path))


@target("thesaurus")
def _thesaurus(path: Path) -> object:
    from paraphrast.formats.thesauri import read_mythes, read_thesaurus

    with contextlib.suppress(ParaphrastError):
        drain(read_mythes(path))
    return drain(read_thesaurus(path))


@target("dictionary")
def _dictionary(path: Path) -> object:
    from paraphrast.formats.dictionary import read_dictionary

    return drain(read_dictionary(path))


@target("clicks")
def _clicks(path: Path) -> object:
    from paraphrast.formats.queries import read_clicks

    return drain(read_clicks(path))


@target("trees")
def _trees(path: Path) -> object:
    from paraphrast.text.syntax.chunklink import read_trees

    return drain(read_trees(path.read_bytes().decode("utf-8", "replace")))


@target("weights", "weights.json")
def _weights(path: Path) -> object:
    from paraphrast.decode.weights import Weights

    return Weights.load(path)


@target("casing", "casing.tsv")
def _casing(path: Path) -> object:
    from paraphrast.text.truecase import Truecaser

    return Truecaser.load(path)


@target("archive", "package.whl")
@target("archive-tar", "package.tgz")
@target("archive-deb", "package.deb")
def _archive(path: Path) -> object:
    from paraphrast.data._archives import deb_version, members

    with contextlib.suppress(ParaphrastError):
        deb_version(path)
    return drain(members(path, lambda _name: True))


@target("vocabulary")
def _vocabulary(path: Path) -> object:
    from paraphrast.lm.words import read_text, read_vocabulary

    read_text(path)
    return read_vocabulary(path)


@cache
def small_model() -> Path:
    """A trained model, made once per process."""
    import paraphrast

    folder = place() / "toy"
    return paraphrast.train(toy.write_config(folder, 150), folder / "model", threads=1)


def _rewrite(model: Path) -> object:
    from paraphrast.model.paraphraser import Paraphraser

    with interpreted():
        loaded = Paraphraser(model)
        for pair in (("examine", "look at"), ("house", "home")):
            with contextlib.suppress(ParaphrastError):
                loaded.explain(*pair)
        return loaded.paraphrase("The committee will examine an important proposal at once.", n=3)


@target("packed-model", "model.zip")
def _packed_model(path: Path) -> object:
    from paraphrast.model.pack import unpack_model

    folder = path.with_name("unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    unpack_model(path, folder)
    return _rewrite(folder)


@target("model-manifest", "manifest.json")
def _manifest(path: Path) -> object:
    folder = path.with_name("manifest-model")
    if not folder.exists():
        shutil.copytree(small_model(), folder)
    shutil.copyfile(path, folder / "manifest.json")
    return _rewrite(folder)


@target("model-files", "changes.bin")
def _model_files(path: Path) -> object:
    """Changes to files of a model, whose manifest is then written again, as a hostile author would.

    An input is a list of eight bytes each: which file, how it changes, where, and what to.
    """
    changes = path.read_bytes()
    source = small_model()
    names = sorted(
        file.relative_to(source).as_posix()
        for file in source.rglob("*")
        if file.is_file() and file.suffix not in (".parquet",) and file.name != "manifest.json"
    )
    folder = path.with_name("changed-model")
    if not folder.exists():
        shutil.copytree(source, folder)
    touched = set()
    try:
        for start in range(0, min(len(changes) - 7, 64), 8):
            row = changes[start : start + 8]
            name = names[(row[0] | row[1] << 8) % len(names)]
            touched.add(name)
            content = bytearray((folder / name).read_bytes())
            _change(content, row)
            (folder / name).write_bytes(content)
        toy.seal(folder)
        return _rewrite(folder)
    finally:
        for name in touched:
            shutil.copyfile(source / name, folder / name)


def _change(content: bytearray, row: bytes) -> None:
    """Change bytes: replace one, a word by an extreme number, cut, or repeat."""
    kind, value = row[2] % 5, row[7]
    at = int.from_bytes(row[3:7], "little") % max(len(content), 1)
    extreme = (0x7FFFFFFF, 0xFFFFFFFF, 0x7FC00000, 0x80000000, 0x00000000, 0x7F800000)[value % 6]
    if kind == 0 and content:
        content[at] = value
    elif kind == 1 and content:
        at -= at % 4
        content[at : at + 4] = np.uint32(extreme).tobytes()
    elif kind == 2:
        del content[at:]
    elif kind == 3:
        content += content[at : at + 64]
    elif content:
        content[at] ^= 1 << value % 8


@target("lm-folder", "changes.bin")
def _lm_folder(path: Path) -> object:
    """As model-files, for the folder of a language model, which has no hashes."""
    from paraphrast.lm.store import load, load_words

    source = small_model() / "lm"
    folder = path.with_name("changed-lm")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    names = sorted(file.name for file in folder.iterdir())
    changes = path.read_bytes()
    for start in range(0, min(len(changes) - 7, 64), 8):
        row = changes[start : start + 8]
        name = names[row[0] % len(names)]
        content = bytearray((folder / name).read_bytes())
        _change(content, row)
        (folder / name).write_bytes(content)
    load_words(folder) if (folder / "words.bin").exists() else None
    return load(folder, check=True)


@target("sentence")
def _sentence(path: Path) -> object:
    """Any text as the sentence to rewrite, with half a surrogate where bytes are not UTF-8."""
    text = path.read_bytes()[:400].decode("utf-8", "surrogateescape")
    return [result.text for result in _loaded().paraphrase(text, n=2)]


@cache
def _loaded() -> Any:
    from paraphrast.model.paraphraser import Paraphraser

    return Paraphraser(small_model())


@target("aligned-json", "alignment.json")
def _aligned_json(path: Path) -> object:
    from paraphrast.formats.alignment_json import read_alignment_json

    return read_alignment_json(path)


def json_bytes(value: object) -> bytes:
    """A line of JSON."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
