"""Pivot paraphrases: the join, contexts of both phrases, normal forms."""
