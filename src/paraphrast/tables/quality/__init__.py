"""How good a pair is before any sentence is seen."""
