"""Reads the weights of models in the safetensors format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from paraphrast.errors import FormatError
from paraphrast.read._runtime import optional


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, by name."""
    library = optional("safetensors")
    try:
        arrays: dict[str, NDArray[Any]] = optional("safetensors.numpy").load_file(path)
    except (library.SafetensorError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            f"expected arrays in the safetensors format: {error}",
            where=path,
            remedy="fetch or export the model again, with float32 or float16 weights",
        ) from error
    return arrays
