"""Keeps the doors of the house: who may import whom, where numba lives, how long a module may be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "paraphrast"
ROOMS = {
    "data", "acquire", "align", "extract", "tables", "graph", "msa", "lm",
    "decode", "references", "evaluate", "judge", "read",
}  # fmt: skip
#: What each layer may import, besides itself. Layers not named here may import everything.
FOUNDATION = {"errors", "_version", "_lazy"}
SHARED = FOUNDATION | {"types", "registry", "_jit", "_numeric"}
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_version": set(),
    "_lazy": set(),
    "_jit": FOUNDATION,
    "registry": FOUNDATION,
    "types": FOUNDATION,
    "_numeric": FOUNDATION | {"types", "_jit"},
    "formats": SHARED | {"engine"},
    "draw": SHARED,
    "engine": SHARED,
    "text": SHARED | {"formats"},
    **{room: SHARED | {"text", "engine", "formats", "draw"} for room in ROOMS},
    "pipeline": SHARED | {"text", "engine", "formats", "draw"} | ROOMS,
}
MAX_LINES = 500
KERNEL_FILES = ("_kernels", "_numeric", "_jit")


def layer_of(module: str) -> str:
    """``paraphrast.align.hmm`` → ``align``; the package itself → ``""``."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imported_modules(path: Path, module: str, is_package: bool) -> list[str]:
    """Every module a file imports, relative ones resolved, names from the root counted as modules."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".") if is_package else module.split(".")[:-1]
                parents = parents[: len(parents) - (node.level - 1)]
                base = ".".join([*parents, base] if base else parents)
            if base == "paraphrast":
                found += [f"paraphrast.{alias.name}" for alias in node.names]
            else:
                found.append(base)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in {
            "import_module", "__import__",
        }:  # fmt: skip
            found += [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
    return found


def violations(package: Path) -> list[str]:
    """What breaks the rules in a package tree."""
    problems: list[str] = []
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package.parent).with_suffix("")
        is_package = relative.name == "__init__"
        module = ".".join(relative.parent.parts if is_package else relative.parts)
        layer = layer_of(module)
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MAX_LINES:
            problems.append(f"{module}: {lines} lines, at most {MAX_LINES}")
        for name in imported_modules(path, module, is_package):
            if name.split(".")[0] in {"numba", "llvmlite"} and layer != "_jit":
                problems.append(f"{module}: imports {name}; numba is known to _jit alone")
            if name == "paraphrast._jit" and not path.stem.startswith(KERNEL_FILES) and _uses_kernel(path):
                problems.append(f"{module}: compiles a kernel outside _kernels*.py")
            if not name.startswith("paraphrast."):
                continue
            target = layer_of(name)
            if target != layer and target not in ALLOWED.get(layer, {target}):
                problems.append(f"{module}: imports {name}; {layer} may not know {target}")
    return problems


def _uses_kernel(path: Path) -> bool:
    names = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "paraphrast._jit"
        for alias in node.names
    }
    return bool(names & {"kernel", "inline_kernel"})


def test_the_house_keeps_its_doors() -> None:
    assert violations(PACKAGE) == []


def test_the_check_sees_the_whole_house() -> None:
    assert len(list(PACKAGE.rglob("*.py"))) > 20


def _plant(folder: Path, name: str, text: str) -> Path:
    package = folder / "paraphrast"
    for parent in [package, *(package / part for part in Path(name).parent.parts)]:
        parent.mkdir(parents=True, exist_ok=True)
        (parent / "__init__.py").touch()
    (package / name).write_text(text, encoding="utf-8")
    return package


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("align/bad.py", "from paraphrast.extract import count\n"),
        ("align/bad.py", "import paraphrast.lm.estimate\n"),
        ("align/bad.py", "import numba\n"),
        ("align/bad.py", "from numba import njit\n"),
        ("align/bad.py", "from ..extract import count\n"),
        ("align/bad.py", "from .. import decode\n"),
        ("align/bad.py", "from paraphrast import decode\n"),
        ("align/bad.py", "def f():\n    from paraphrast.decode import pack\n"),
        ("align/bad.py", "from importlib import import_module\nimport_module('paraphrast.decode')\n"),
        ("align/bad.py", "from paraphrast._jit import kernel\n"),
        ("text/bad.py", "from paraphrast.align import align\n"),
        ("types/bad.py", "from paraphrast.text import analyse\n"),
        ("lm/bad.py", "from paraphrast.pipeline import train\n"),
        ("lm/bad.py", "x = 1\n" * 501),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, name: str, text: str) -> None:
    assert violations(_plant(tmp_path, name, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("align/good.py", "from paraphrast.types import Links\nfrom . import hmm\n"),
        ("pipeline/good.py", "from paraphrast.decode import pack\n"),
        ("align/_kernels.py", "from paraphrast._jit import kernel\n"),
        ("lm/good.py", "x = 1\n" * 500),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, name: str, text: str) -> None:
    assert violations(_plant(tmp_path, name, text)) == []
