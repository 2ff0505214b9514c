"""Fit the weights of a model and the constants of a table."""
