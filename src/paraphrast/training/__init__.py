"""From a configuration to a model folder, in stages that resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.training.config import read_config
    from paraphrast.training.stages import train

__all__ = ["read_config", "train"]

resolve_lazily(__name__, {"read_config": "config", "train": "stages"})
