"""A hash of the code of a stage: its module, everything it imports from the package, and fitted parameters.

The hash is part of a stage's signature, so that a work folder of an older checkout is not reused.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
#: Modules whose effect on a stage is already in its signature, as the values of its options.
_LEFT_OUT = ("training/config.py", "training/recipe.py", "training/runner.py", "training/code_version.py")
_IMPORT = re.compile(
    r"^\s*from paraphrast\.?(?P<module>[\w.]*) import (?P<names>\([^)]*\)|[^\n#]+)", re.MULTILINE
)
#: Modules imported whole or named in strings, as registries do: ``"paraphrast.align.hmm:Hmm"``.
_NAMED = re.compile(r"""(?:["']|^\s*import )paraphrast\.(?P<module>\w+(?:\.\w+)*)""", re.MULTILINE)
_QUOTED = re.compile(r'"(\w+)"')


@cache
def code_hash(module: Path, package: Path = PACKAGE) -> str:
    """A short hash of a module, of all modules of the package that it imports, directly or indirectly, and of the
    ``.json`` files beside them."""
    modules = [module]
    for path in modules:
        modules += [other for other in _imported(path, package) if other not in modules]
    numbers = {file for folder in {path.parent for path in modules} for file in folder.glob("*.json")}
    digest = hashlib.sha256()
    for path in sorted({*modules, *numbers}):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _imported(path: Path, package: Path) -> tuple[Path, ...]:
    """The files of the package that a file imports or names."""
    text = path.read_text("utf-8")
    candidates: list[Path] = []
    for match in _IMPORT.finditer(text):
        folder = package.joinpath(*match["module"].split("."))
        candidates += [folder, *(folder / name for name in re.findall(r"\w+", match["names"]))]
    candidates += [package.joinpath(*match["module"].split(".")) for match in _NAMED.finditer(text)]
    if path.name == "__init__.py" and "resolve_lazily" in text:
        candidates += [path.parent / name for name in _QUOTED.findall(text)]
    files = [file for base in candidates for file in (base.with_suffix(".py"), base / "__init__.py")]
    left_out = {package / "__init__.py", *(package / name for name in _LEFT_OUT)}
    return tuple(dict.fromkeys(file for file in files if file.is_file() and file not in left_out))
