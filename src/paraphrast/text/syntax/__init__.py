"""Tags, categories, chunks and parses."""
