"""Evaluations that need a model: substitutions, rewrites, ratings, machine translation."""
