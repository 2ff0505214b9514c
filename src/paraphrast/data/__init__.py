"""Named corpora and lexicons: fetched, checked, converted, cached. See docs/data.md."""

from paraphrast.data._index import Resource, Source, index
from paraphrast.data._store import UnpinnedWarning, available, get, is_cached, provenance, require, show

__all__ = [
    "Resource",
    "Source",
    "UnpinnedWarning",
    "available",
    "get",
    "index",
    "is_cached",
    "provenance",
    "require",
    "show",
]
