"""Limits and names of decoder options, for the checks of other modules."""

from __future__ import annotations

#: Maximum number of words of two adjacent phrases that swap.
MAX_WINDOW = 14
#: Weights that need no tuning, by name.
PRESETS = ("quirk", "uniform")
