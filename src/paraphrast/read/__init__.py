"""Sentences with candidate rewrites → scores of translation and language models (extra ``precise``). See docs/read.md."""
