"""The extras of the installation: which packages each brings, and the check that a command or function makes first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from paraphrast.errors import MissingExtra

#: Extra → the packages by which it is recognised, by the names that Python imports.
EXTRAS: dict[str, tuple[str, ...]] = {
    "train": ("duckdb", "rapidfuzz", "scipy", "snowballstemmer", "threadpoolctl", "zstandard"),
    "mt": ("sacrebleu",),
    "english": ("lemminflect",),
    "news": ("trafilatura", "warcio", "datasketch"),
    "syntax": ("spacy",),
    "lemmata": ("simplemma",),
    "precise": ("ctranslate2", "safetensors", "sentencepiece", "tokenizers"),
    "spark": ("pyspark", "pyarrow", "sqlglot"),
    "web": ("fastapi", "uvicorn", "jinja2", "python_multipart", "prometheus_client", "sqlalchemy"),
    "peers": ("kenlm", "eflomal", "thot"),
}
#: Packages that are installed under another name than they are imported.
DISTRIBUTIONS = {
    "thot": "sil-thot",
    "python_multipart": "python-multipart",
    "prometheus_client": "prometheus-client",
}


def require(feature: str, extra: str, *, named: str | None = None, data: Sequence[str] = ()) -> None:
    """Raise :class:`MissingExtra` unless all packages of an extra can be imported; imports none of them.

    feature: what needs them, for the message: "paraphrast train". named: the extra to install if packages are missing,
    which includes ``extra``: one installation is enough then. data: names of the data that the feature needs as well.
    """
    missing = [package for package in EXTRAS[extra] if not is_installed(package)]
    if missing:
        named = named or extra
        more = [package for package in EXTRAS[named] if named != extra and not is_installed(package)]
        raise MissingExtra(feature, named, [*missing, *more], data)


def has_extra(extra: str) -> bool:
    """Whether all packages of an extra can be imported, without importing them."""
    return all(is_installed(package) for package in EXTRAS[extra])


@cache
def is_installed(package: str) -> bool:
    """Whether a package can be imported, without importing it."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False
