"""Checks the layout of the package: which layer may import which, where numba is used, how long a module may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "paraphrast"
ROOMS = {
    "data", "acquire", "align", "extract", "tables", "graph", "msa", "lm",
    "decode", "references", "evaluate", "judge", "read",
}  # fmt: skip
FOUNDATION = {"errors", "_version", "_lazy", "_options", "_progress", "_extras", "_processes"}
SHARED = FOUNDATION | {"types", "registry", "_jit", "_numeric", "_logistic", "_trees"}
BELOW_ROOMS = SHARED | {"text", "engine", "formats", "draw"}
#: What each layer may import, besides itself. The package's ``__init__`` and the commands may import everything.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "_version": set(),
    "_lazy": set(),
    "_progress": set(),
    "_processes": set(),
    "_options": {"errors"},
    "_extras": {"errors"},
    "_jit": FOUNDATION,
    "_logistic": FOUNDATION,
    "_kernels_trees": FOUNDATION | {"_jit"},
    "_trees": FOUNDATION | {"_jit", "_kernels_trees"},
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
    "reproduce": BELOW_ROOMS | ROOMS | {"model", "build", "fusion", "study"},
    "campaign": BELOW_ROOMS | ROOMS,
    "tune": BELOW_ROOMS | ROOMS | {"model", "build", "study"},
    "web": BELOW_ROOMS | ROOMS | {"model", "build", "fusion", "study", "campaign"},
}
#: Layers that may import everything. A layer that is neither here nor in ALLOWED fails the test.
UNBOUND = {"", "_door", "cli", "__main__"}
MAX_LINES = 500
#: A string that names a module, or something in one: ``paraphrast.align.hmm:Hmm``.
MODULE_NAME = re.compile(r"^(paraphrast(?:\.\w+)+)(?::\w+)?$")
#: A relative module name in a string: ``.hmm``.
RELATIVE_NAME = re.compile(r"^(\.+)([a-z_]\w*(?:\.\w+)*)$")
KERNEL_FILES = ("_kernels", "_numeric", "_jit")


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, read once."""
    return ast.parse(path.read_text(encoding="utf-8"))


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
    imported: list[str] = []
    for node in ast.walk(parsed(path)) if type_checking else _running(parsed(path)):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve(module, is_package, node.level, node.module or "")
            if base == "paraphrast":
                imported += [f"paraphrast.{alias.name}" for alias in node.names]
            else:
                names = [f"{base}.{alias.name}" for alias in node.names]
                imported += [name if name in modules else base for name in names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            imported += MODULE_NAME.findall(node.value)
            if is_package and f"{module}.{node.value}" in modules:  # for paraphrast._lazy
                imported.append(f"{module}.{node.value}")
            relative = RELATIVE_NAME.match(node.value)
            if relative:  # for import_module(".hmm", __package__)
                level, name = len(relative[1]), relative[2]
                resolved = resolve(module, is_package, level, name)
                imported += [resolved] if resolved in modules else []
    return imported


def resolve(module: str, is_package: bool, level: int, name: str) -> str:
    """The full name of what a module imports as ``name`` with ``level`` leading dots."""
    if not level:
        return name
    parents = module.split(".") if is_package else module.split(".")[:-1]
    parents = parents[: len(parents) - (level - 1)]
    return ".".join([*parents, name] if name else parents)


def computed_names(path: Path) -> list[int]:
    """Lines that import a module of ours by a name put together in an f-string: this check cannot follow it."""
    calls = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call) and node.args]
    return [
        call.lineno
        for call in calls
        if ast.unparse(call.func).endswith(("import_module", "__import__"))
        and isinstance(call.args[0], ast.JoinedStr)
        and ast.unparse(call.args[0])[2:].startswith("paraphrast.")
    ]


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes, except those under ``if TYPE_CHECKING``."""
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
        problems += [f"{module}:{line}: computes a module name" for line in computed_names(path)]
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
    """Module → modules of the package that it imports, anywhere in its text, except for type checkers only."""
    files = {module_of(path, package): path for path in package.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        names = imported_modules(path, module, files.keys(), type_checking=False)
        graph[module] = {name for name in names if name in files} - {module}
    return graph


def import_cycles(package: Path) -> list[list[str]]:
    """Import cycles: each is a list of modules where each imports the next."""
    # The package's __init__ names everything by string; importing a module from the package is not importing that.
    graph = {module: targets for module, targets in import_graph(package).items() if module != package.name}
    for targets in graph.values():
        targets.discard(package.name)
    cycles: list[list[str]] = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            cycle: list[str] = error.args[1][::-1]
            cycles.append(cycle)
            graph[cycle[0]].discard(cycle[1])  # to find the next one
        else:
            return cycles


def _uses_kernel(path: Path) -> bool:
    names = {
        alias.name
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and node.module == "paraphrast._jit"
        for alias in node.names
    }
    return any(name.endswith("kernel") for name in names)


def test_layers_import_only_what_they_may() -> None:
    assert violations(PACKAGE) == []


def test_there_is_no_import_cycle() -> None:
    assert import_cycles(PACKAGE) == []


def test_the_check_sees_every_module() -> None:
    """Every file is read, and every top-level folder and module belongs to a layer."""
    graph = import_graph(PACKAGE)
    assert len(graph) == len(list(PACKAGE.rglob("*.py")))
    assert {layer_of(module) for module in graph} <= set(ALLOWED) | UNBOUND
    assert {"paraphrast.model.paraphraser", "paraphrast.decode"} <= graph.keys()
    assert "paraphrast.decode" in graph["paraphrast.model.paraphraser"]


@pytest.mark.parametrize(
    "back",
    [
        'NAMES = {"one": "paraphrast.align.one:f"}\n',
        "from paraphrast.align.one import f\n",
        "from . import one\n",
        "from .one import f\n",
        "def f():\n    import paraphrast.align.one\n",
        'def f():\n    import_module(".one", __package__)\n',
        'COMMAND = ["python", "-m", "paraphrast.align.one"]\n',
    ],
)
def test_a_planted_cycle_is_found(tmp_path: Path, back: str) -> None:
    _plant(tmp_path, "align/one.py", "def f():\n    from paraphrast.align import two\n")
    package = _plant(tmp_path, "align/two.py", back)
    one, two = "paraphrast.align.one", "paraphrast.align.two"
    assert [set(cycle) for cycle in import_cycles(package)] == [{one, two}]


def test_every_planted_cycle_is_found(tmp_path: Path) -> None:
    for first, second in (("one", "two"), ("three", "four")):
        _plant(tmp_path, f"align/{first}.py", f"from paraphrast.align import {second}\n")
        package = _plant(tmp_path, f"align/{second}.py", f"from paraphrast.align import {first}\n")
    assert len(import_cycles(package)) == 2


def test_a_cycle_through_the_names_of_a_lazy_package_is_found(tmp_path: Path) -> None:
    package = _plant(tmp_path, "align/one.py", "from paraphrast.align import two\n")
    (package / "align" / "__init__.py").write_text('_MODULES = {"one": ("f",)}\n', encoding="utf-8")
    assert len(import_cycles(package)) == 1


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
        ("align/bad.py", "import_module(f'paraphrast.{name}')\n"),
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
