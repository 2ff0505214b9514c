"""Which of spaCy's pipelines to use (extra ``[syntax]``): the one that was named, else any that is installed.

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
#: What to do where no pipeline is found.
REMEDY = "paraphrast data get en-core-web-sm, and give the folder it names; or python -m spacy download en_core_web_sm"
#: spaCy's pipelines of a language, the most exact first.
_SIZES = ("lg", "md", "trf", "sm")
_CORPORA = {"en": "web", "zh": "web"}


def load_spacy(
    model: str | Path | None = None, language: str = "en", *, exclude: Sequence[str] = ()
) -> Any | None:
    """A pipeline with a parser: the one named (or in PARAPHRAST_SPACY), else an installed one, else None.

    model: a package's name or a folder, also the unpacked package around one. A missing model is an
    error only if the caller named it.
    """
    wanted = str(model) if model is not None else os.environ.get(VARIABLE, "")
    try:
        import spacy
    except ImportError:
        if wanted:
            raise MissingExtra("parsing", "syntax") from None
        return None
    for name in [wanted] if wanted else _installed(spacy, language):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # a model of a neighbouring version still parses
                pipeline = spacy.load(_folder(name), exclude=list(exclude))
        except (OSError, ValueError, ImportError) as error:
            if wanted:
                raise InputError(f"spaCy cannot load {name!r}: {error}", remedy=REMEDY) from error
            continue
        if wanted and "parser" not in pipeline.pipe_names:
            raise InputError(f"expected a spaCy pipeline with a parser, {name!r} has {pipeline.pipe_names}")
        if "parser" in pipeline.pipe_names and (wanted or pipeline.lang == language):
            return pipeline
    return None


def _installed(spacy: Any, language: str) -> list[str]:
    """Installed pipelines of a language: the official names by size, then any other."""
    model_names = [name for name in spacy.util.get_installed_models() if name.split("_")[0] == language]
    corpus = _CORPORA.get(language, "news")
    official = [f"{language}_core_{corpus}_{size}" for size in _SIZES]
    return [name for name in official if name in model_names] + sorted(set(model_names) - set(official))


def _folder(name: str) -> str:
    """A folder that holds a pipeline, also when it is the unpacked package around one."""
    path = Path(name)
    if path.is_dir() and not (path / "config.cfg").exists():
        inner = sorted(path.rglob("config.cfg"), key=lambda found: (len(found.parts), str(found)))
        if inner:
            return str(inner[0].parent)
    return name
