"""Names of a package that are resolved when used."""

from __future__ import annotations

import importlib
from types import FunctionType

import pytest

from paraphrast import decode, lm, model


@pytest.mark.parametrize("package", [decode, lm, model])
def test_every_name_is_there(package: object) -> None:
    for name in package.__all__:  # type: ignore[attr-defined]
        assert getattr(package, name) is not None
        assert name in dir(package)


def test_a_function_is_not_hidden_by_its_module() -> None:
    importlib.import_module("paraphrast.lm.estimate")
    assert isinstance(lm.estimate, FunctionType)


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"'paraphrast\.lm' has no attribute 'nothing'"):
        lm.nothing  # type: ignore[attr-defined]  # noqa: B018
