"""Finds what fusion needs if the caller does not give it: a parser, and the language model and tagger of a model."""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from zipfile import is_zipfile

import numpy as np

from paraphrast.data.by_language import PARSER_DATA, find_parser
from paraphrast.errors import InputError
from paraphrast.model import model_folder
from paraphrast.model.default import DEFAULT, REGISTRY
from paraphrast.model.folder import MANIFEST, read_manifest
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.parser import Parser, find_spacy
from paraphrast.text.syntax.tag import Tagger
from paraphrast.types import PackedNgrams, Vocabulary

log = logging.getLogger(__name__)

#: A language model with the words its ids mean.
WordModel = tuple[Vocabulary, PackedNgrams]
_warned: set[str] = set()


def syntax_of(parser: Parser | str | Path | None, language: str) -> Parser | None:
    """The given parser, or the spaCy pipeline that is named, installed or fetched; else None, with one warning."""
    if parser is not None and not isinstance(parser, str | Path):
        return parser
    chosen = find_spacy(language, find_parser(None if parser is None else str(parser), language))
    if chosen is None and language not in _warned:
        _warned.add(language)
        log.warning("no parser for language %s: new sentences will be worse. %s", language, remedy(language))
    return chosen


def remedy(language: str) -> str:
    """The one command that installs a parser."""
    if find_spec("spacy") is None:
        return "Run: pip install 'paraphrast[syntax]'"
    if language in PARSER_DATA:
        return f"Run: paraphrast data get {PARSER_DATA[language]}"
    return f"Install a spaCy pipeline for {language}, and name it with --spacy"


def default_model(language: str) -> Path | None:
    """The folder of the default model; None if it is of another language."""
    folder = model_folder(DEFAULT)
    return folder if read_manifest(folder).get("language") == get_language(language).code else None


def model_of(lm: str | Path | WordModel | None, language: str) -> Path | None:
    """The model folder that contains a language model; the default model if none is given."""
    if isinstance(lm, tuple):
        return None
    return default_model(language) if lm is None else _model_named(lm)


def _model_named(lm: str | Path) -> Path | None:
    """The folder of a model by its name, folder or packed file; None for anything else, such as an ARPA file."""
    path = Path(lm)
    if path.is_file():
        return model_folder(path) if is_zipfile(path) else None
    if path.exists():
        return path if (path / MANIFEST).exists() else None
    return model_folder(str(lm)) if str(lm) in (DEFAULT, REGISTRY) else None


def find_tagger(lm: str | Path | WordModel | None, language: str) -> Tagger | None:
    """The tagger of the model that the language model is part of."""
    folder = model_of(lm, language)
    return Tagger.load(folder / "tagger") if folder is not None and (folder / "tagger").is_dir() else None


def load_lm(path: str | Path) -> WordModel:
    """The language model of a model (folder, packed file, ``default`` or ``registry``), of a folder that
    ``paraphrast lm`` wrote, or of an ARPA file."""
    from paraphrast.formats.arpa import read_arpa
    from paraphrast.lm import load, load_words, pack

    source = Path(path)
    model = _model_named(path)
    if model is not None:
        return _model_lm(model, (model / MANIFEST).stat().st_mtime_ns)
    if source.is_dir():
        words = load_words(source)
        return Vocabulary(words, np.zeros(len(words), dtype=np.int64)), load(source)
    if not source.exists():
        raise InputError(
            "no such language model",
            where=source,
            remedy="expected a model (folder, packed file, default or registry), a folder of `paraphrast lm`, or an "
            "ARPA file",
        )
    vocabulary, arrays = read_arpa(source)
    return vocabulary, pack(arrays)


@lru_cache(maxsize=1)
def _model_lm(folder: Path, _written: int) -> WordModel:
    """The language model of a model folder; cached for the next cluster until the folder changes."""
    from paraphrast.lm import load
    from paraphrast.model.folder import model_vocabulary

    read_manifest(folder)
    return model_vocabulary(folder), load(folder / "lm")


def language_model(lm: str | Path | WordModel | None, language: str) -> WordModel | None:
    """The given language model; else that of the default model, if it has this language; else None."""
    if isinstance(lm, tuple):
        return lm
    if lm is not None:
        return load_lm(lm)
    folder = default_model(language)
    return load_lm(folder) if folder is not None else None
