"""Merges clusters of comparable sentences into automata, and writes new sentences from them."""
