"""Choice of spaCy's pipeline (extra ``[syntax]``): the named one, else any installed one.

spaCy takes more than a second to import, so it is imported only when syntax is needed.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from paraphrast.errors import InputError, MissingExtra

#: The default pipeline, by name or folder.
VARIABLE = "PARAPHRAST_SPACY"
#: Remedy if no pipeline is found.
REMEDY = "paraphrast data get en-core-web-sm, and give the folder it names; or python -m spacy download en_core_web_sm"
#: spaCy's pipelines of a language, the most accurate first.
_SIZES = ("lg", "md", "trf", "sm")
_CORPORA = {"en": "web", "zh": "web"}


def load_spacy(
    model: str | Path | None = None, language: str = "en", *, exclude: Sequence[str] = ()
) -> Any | None:
    """A pipeline with a parser: the named one (or that of PARAPHRAST_SPACY), else an installed one, else None.

    model: the name of a package or a folder, which may also be the unpacked package around a pipeline. A missing model
    is an error only if the caller named it.
    """
    named = str(model) if model is not None else os.environ.get(VARIABLE, "")
    try:
        import spacy
    except ImportError:
        if named:
            raise MissingExtra("parsing", "syntax") from None
        return None
    for name in [named] if named else _installed(spacy, language):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # a model of a neighbouring version still parses
                pipeline = spacy.load(_folder(name), exclude=list(exclude))
        except (OSError, ValueError, ImportError) as error:
            if named:
                raise InputError(f"spaCy cannot load {name!r}: {error}", remedy=REMEDY) from error
            continue
        if named and "parser" not in pipeline.pipe_names:
            raise InputError(f"expected a spaCy pipeline with a parser, {name!r} has {pipeline.pipe_names}")
        if "parser" in pipeline.pipe_names and (named or pipeline.lang == language):
            return pipeline
    return None


def _installed(spacy: Any, language: str) -> list[str]:
    """Installed pipelines of a language: the official names by size, then any other."""
    model_names = [name for name in spacy.util.get_installed_models() if name.split("_")[0] == language]
    corpus = _CORPORA.get(language, "news")
    official = [f"{language}_core_{corpus}_{size}" for size in _SIZES]
    return [name for name in official if name in model_names] + sorted(set(model_names) - set(official))


def _folder(name: str) -> str:
    """A folder with a pipeline, which may be inside the unpacked package."""
    path = Path(name)
    if path.is_dir() and not (path / "config.cfg").exists():
        inner = sorted(path.rglob("config.cfg"), key=lambda config: (len(config.parts), str(config)))
        if inner:
            return str(inner[0].parent)
    return name
