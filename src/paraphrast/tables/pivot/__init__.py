"""Pivot paraphrases: the join, context similarity, and normal forms of pairs."""
