"""Models, packed and unpacked, language models in folders, and sentences, as functions of bytes."""

from __future__ import annotations

import contextlib
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import toy
from fuzz.register import place, target
from paraphrast._jit import interpreted
from paraphrast.errors import ParaphrastError


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

    folder = _changed_copy(small_model() / "lm", path)
    load_words(folder) if (folder / "words.bin").exists() else None
    return load(folder, check=True)


def _changed_copy(source: Path, path: Path) -> Path:
    """A copy of a folder with the changes of an input."""
    folder = path.with_name("changed-folder")
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
    return folder


@target("aligner", "changes.bin")
def _aligner(path: Path) -> object:
    """As lm-folder, for a saved aligner; beginning with ``{``, an input is its ``aligner.json``."""
    from paraphrast.align import Aligner
    from paraphrast.types import Sentences

    content = path.read_bytes()
    if content.startswith(b"{"):
        path.write_bytes(b"")
    folder = _changed_copy(small_aligner(), path)
    if content.startswith(b"{"):
        (folder / "aligner.json").write_bytes(content)
    aligner = Aligner.load(folder)
    pair = Sentences.from_lists([[1, 2, 3]]), Sentences.from_lists([[4, 5, 6]])
    with interpreted():
        return aligner.align(*pair)


@cache
def small_aligner() -> Path:
    """A saved aligner of two sentence pairs, made once per process."""
    from paraphrast.align import AlignOptions, train
    from paraphrast.types import Sentences

    source, target_side = Sentences.from_lists([[1, 2, 3], [2, 3]]), Sentences.from_lists([[4, 5, 6], [5, 6]])
    with interpreted():
        aligner = train(source, target_side, 8, 9, AlignOptions(hmm_iterations=1, max_length=8))
    aligner.save(place() / "aligner")
    return place() / "aligner"


@target("sentence")
def _sentence(path: Path) -> object:
    """Any text as the sentence to rewrite, with half a surrogate where bytes are not UTF-8."""
    text = path.read_bytes()[:400].decode("utf-8", "surrogateescape")
    return [result.text for result in _loaded().paraphrase(text, n=2)]


@cache
def _loaded() -> Any:
    from paraphrast.model.paraphraser import Paraphraser

    return Paraphraser(small_model())
