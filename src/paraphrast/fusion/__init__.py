"""Clusters of comparable sentences → automaton → new sentences."""
