"""Keeps the doors of the house: who may import whom, where numba lives, how long a module may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "paraphrast"
ROOMS = {
    "data", "acquire", "align", "extract", "tables", "graph", "msa", "lm",
    "decode", "references", "evaluate", "judge", "read",
}  # fmt: skip
FOUNDATION = {"errors", "_version", "_lazy", "_options"}
SHARED = FOUNDATION | {"types", "registry", "_jit", "_numeric"}
BELOW_ROOMS = SHARED | {"text", "engine", "formats", "draw"}
#: What each layer may import, besides itself. The package's own door and the commands may import everything.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_version": set(),
    "_lazy": set(),
    "_options": {"errors"},
    "_jit": FOUNDATION,
    "registry": FOUNDATION,
    "types": FOUNDATION,
    "_numeric": FOUNDATION | {"types", "_jit"},
    "formats": SHARED | {"engine"},
    "draw": SHARED,
    "engine": SHARED,
    "text": SHARED | {"formats"},
    **dict.fromkeys(ROOMS, BELOW_ROOMS),
    "model": (BELOW_ROOMS | ROOMS) - {"engine"},
    "fusion": BELOW_ROOMS | ROOMS | {"model"},
    "build": BELOW_ROOMS | ROOMS | {"model", "fusion"},
    "training": BELOW_ROOMS | ROOMS | {"model", "build"},
    "study": BELOW_ROOMS | ROOMS | {"model", "build", "fusion"},
    "tune": BELOW_ROOMS | ROOMS | {"model", "build", "study"},
}
#: Layers that may import everything below the door: a name missing here and above is a fault.
UNBOUND = {"", "_door", "cli", "web", "__main__"}
MAX_LINES = 500
#: A string that is the name of a module, or of something in one: ``paraphrast.align.hmm:Hmm``.
MODULE_NAME = re.compile(r"^(paraphrast(?:\.\w+)+)(?::\w+)?$")
KERNEL_FILES = ("_kernels", "_numeric", "_jit")


def layer_of(module: str) -> str:
    """``paraphrast.align.hmm`` → ``align``; the package itself → ``""``."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: Path, package: Path) -> str:
    """The dotted name of a file."""
    relative = path.relative_to(package.parent).with_suffix("")
    return ".".join(relative.parent.parts if relative.name == "__init__" else relative.parts)


def imported_modules(
    path: Path, module: str, modules: Collection[str] = (), *, type_checking: bool = True
) -> list[str]:
    """Every module a file imports or names in a string, lazy imports included, relative ones resolved."""
    is_package = path.stem == "__init__"
    found: list[str] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if type_checking else _running(tree)
    for node in nodes:
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
                names = [f"{base}.{alias.name}" for alias in node.names]
                found += [name if name in modules else base for name in names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += MODULE_NAME.findall(node.value)
            if is_package and f"{module}.{node.value}" in modules:  # for paraphrast._lazy
                found.append(f"{module}.{node.value}")
    return found


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes without what stands under ``if TYPE_CHECKING``."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"):
            yield from _running(child)


def violations(package: Path) -> list[str]:
    """What breaks the rules in a package tree."""
    problems: list[str] = []
    for path in sorted(package.rglob("*.py")):
        module = module_of(path, package)
        layer = layer_of(module)
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MAX_LINES:
            problems.append(f"{module}: {lines} lines, at most {MAX_LINES}")
        for name in imported_modules(path, module):
            if name.split(".")[0] in {"numba", "llvmlite"} and layer != "_jit":
                problems.append(f"{module}: imports {name}; numba is known to _jit alone")
            if name == "paraphrast._jit" and not path.stem.startswith(KERNEL_FILES) and _uses_kernel(path):
                problems.append(f"{module}: compiles a kernel outside _kernels*.py")
            if not name.startswith("paraphrast."):
                continue
            target = layer_of(name)
            if layer not in UNBOUND and target != layer and target not in ALLOWED.get(layer, set()):
                problems.append(f"{module}: imports {name}; {layer} may not import {target}")
    return problems


def import_graph(package: Path) -> dict[str, set[str]]:
    """Module → modules of the package that it imports, anywhere in its text; imports for type checkers left out."""
    files = {module_of(path, package): path for path in package.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        names = imported_modules(path, module, files.keys(), type_checking=False)
        graph[module] = {name for name in names if name in files} - {module}
    return graph


def import_cycle(package: Path) -> list[str]:
    """Modules that import each other in a circle; empty where there is none."""
    # The package's door names everything by string; what imports a module from it does not import the door.
    graph = {module: targets for module, targets in import_graph(package).items() if module != package.name}
    for targets in graph.values():
        targets.discard(package.name)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


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


def test_no_import_goes_in_a_circle() -> None:
    assert import_cycle(PACKAGE) == []


def test_the_check_sees_the_whole_house() -> None:
    """Every file is read, and every folder and module at the top belongs to a layer."""
    graph = import_graph(PACKAGE)
    assert len(graph) == len(list(PACKAGE.rglob("*.py")))
    assert {layer_of(module) for module in graph} <= set(ALLOWED) | UNBOUND
    assert {"paraphrast.model.paraphraser", "paraphrast.decode"} <= graph.keys()
    assert "paraphrast.decode" in graph["paraphrast.model.paraphraser"]


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    _plant(tmp_path, "align/one.py", "def f():\n    from paraphrast.align import two\n")
    package = _plant(tmp_path, "align/two.py", 'NAMES = {"one": "paraphrast.align.one:f"}\n')
    assert {"paraphrast.align.one", "paraphrast.align.two"} <= set(import_cycle(package))


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
        ("lm/bad.py", "from paraphrast.training import train\n"),
        ("lm/bad.py", "x = 1\n" * 501),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, name: str, text: str) -> None:
    assert violations(_plant(tmp_path, name, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("align/good.py", "from paraphrast.types import Links\nfrom . import hmm\n"),
        ("training/good.py", "from paraphrast.decode import pack\n"),
        ("align/_kernels.py", "from paraphrast._jit import kernel\n"),
        ("lm/good.py", "x = 1\n" * 500),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, name: str, text: str) -> None:
    assert violations(_plant(tmp_path, name, text)) == []
