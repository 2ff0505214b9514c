"""The code behind a stage: what it imports counts, what it does not import does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.training.code_version import PACKAGE, _imported, code_hash

FILES = {
    "training/stage.py": "from paraphrast.room import run\nfrom paraphrast.training.config import Config\n",
    "training/config.py": "x = 1\n",
    "room/__init__.py": 'resolve_lazily(__name__, {"run": "near"})\n',
    "room/near.py": 'import paraphrast.other.whole\nNAMES = {"a": "paraphrast.other.named:A"}\n',
    "room/unused.py": "x = 1\n",
    "room/weights.json": "[1]\n",
    "other/whole.py": "def f():\n    from paraphrast.other import (\n        lazy,\n    )\n",
    "other/named.py": "x = 1\n",
    "other/lazy.py": "x = 1\n",
    "other/mentioned.py": "x = 1\n",
}


def hash_of(package: Path) -> str:
    code_hash.cache_clear()
    _imported.cache_clear()
    return code_hash(package / "training" / "stage.py", package)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "paraphrast" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "paraphrast"


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_change_counts_where_it_is_imported(package: Path, name: str) -> None:
    before = hash_of(package)
    assert before == hash_of(package)
    path = package / name
    path.write_text(path.read_text() + "# changed\n")
    without_effect = {"training/config.py", "room/unused.py", "other/mentioned.py"}
    assert (hash_of(package) == before) == (name in without_effect)


def test_the_real_stages_see_their_rooms() -> None:
    modules = [PACKAGE / "training" / "align.py"]
    for path in modules:
        modules += [other for other in _imported(path, PACKAGE) if other not in modules]
    names = {path.relative_to(PACKAGE).as_posix() for path in modules}
    assert {"align/_kernels_hmm.py", "align/aligner.py", "types/corpus.py"} <= names
    assert not {name for name in names if name.startswith(("decode/", "lm/", "cli/"))}
