"""Words of source sentences: by the rules of the language, by character, or by a custom tokeniser.

``auto``: text in a script without spaces between words is split by character, all other text by mteval's rules.
``characters``, ``spaces``: always use that method. ``module:function``: a Python function from a text to its words.
Anything else is a command that reads one sentence per line and writes its words, separated by spaces, on one line.
"""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from paraphrast.errors import InputError
from paraphrast.references.checks import AUTO, source_language_of
from paraphrast.references.words import by_character, source_words
from paraphrast.text.identify import script_of

#: Scripts without spaces between words, by their Unicode names.
UNSEGMENTED = frozenset({"CJK", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
_FUNCTION = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")


def split_sources(texts: Sequence[str], tokeniser: str = AUTO, language: str = AUTO) -> list[list[str]]:
    """The words of each source sentence. language: ``auto`` identifies it if it is needed to split words."""
    if tokeniser == AUTO:
        if script_of(texts) in UNSEGMENTED:
            return [by_character(text) for text in texts]
        code = source_language_of(texts, language)
        return [source_words(text, code) for text in texts]
    if tokeniser == "characters":
        return [by_character(text) for text in texts]
    if tokeniser == "spaces":
        return [text.split() for text in texts]
    if not tokeniser.strip():
        raise InputError(
            "expected a tokeniser, got an empty name", remedy="auto, characters, spaces, or your own"
        )
    if _FUNCTION.fullmatch(tokeniser):
        return _by_function(texts, tokeniser)
    return _by_command(texts, tokeniser)


def _by_function(texts: Sequence[str], name: str) -> list[list[str]]:
    module, _, path = name.partition(":")
    try:
        value: Any = importlib.import_module(module)
        for part in path.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"expected a function as module:function, got {name!r}: {error}",
            remedy="the module must be on Python's path",
        ) from error
    function: Callable[[str], Any] = value
    rows = []
    for number, text in enumerate(texts, 1):
        words = function(text)
        if isinstance(words, str):
            words = words.split()
        try:
            row = list(words)
        except TypeError:
            row = [None]
        if not all(isinstance(word, str) for word in row):
            raise InputError(f"expected words of {name} for sentence {number}, got {words!r}")
        rows.append(row)
    return rows


def _by_command(texts: Sequence[str], command: str) -> list[list[str]]:
    try:
        words = shlex.split(command)
        run = subprocess.run(
            words,
            input="".join(f"{' '.join(text.splitlines())}\n" for text in texts),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
    except (OSError, ValueError) as error:
        raise InputError(
            f"the tokeniser {command!r} cannot be run: {error}",
            remedy="auto, characters, spaces, module:function, or a command",
        ) from error
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InputError(f"the tokeniser {command!r} ended with {run.returncode}: {last}")
    rows = run.stdout.split("\n")
    if rows and not rows[-1]:
        rows.pop()
    if len(rows) != len(texts):
        raise InputError(
            f"expected {len(texts)} lines of the tokeniser {command!r}, got {len(rows)}",
            remedy="it must write one sentence per line, its words separated by spaces",
        )
    return [row.split() for row in rows]
