"""The sentence encoder of a language: whether this machine can run it, what to do if not, and opening it."""

from __future__ import annotations

from pathlib import Path

from paraphrast._extras import has_extra, require
from paraphrast.data.by_language import ENCODERS
from paraphrast.text import get_language
from paraphrast.types import Encoder

#: The extra that runs encoders.
EXTRA = "precise"


def encoder_names(language: str) -> tuple[str, ...]:
    """Names of the data of a language's encoders; none if the index has none, or the extra is not installed."""
    return ENCODERS.get(get_language(language).code, ()) if has_extra(EXTRA) else ()


def missing_for_encoder(language: str) -> str | None:
    """What to install for the encoder of a language, as a command; None if it can run, or the language has none."""
    names = ENCODERS.get(get_language(language).code, ())
    if not names or has_extra(EXTRA):
        return None
    return f"pip install 'paraphrast[{EXTRA}]' && paraphrast data get {' '.join(names)}"


def require_encoder(name: str) -> None:
    """Raise :class:`MissingExtra` if the encoder with the data name ``name`` cannot run on this machine."""
    require("the sentence encoder", EXTRA, data=(name,))


def open_encoder(folder: Path) -> Encoder:
    """Open the encoder in a folder of data."""
    from paraphrast.read.encoder import SentenceEncoder

    return SentenceEncoder(folder)
