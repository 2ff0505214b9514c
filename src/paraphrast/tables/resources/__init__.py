"""One module per resource that becomes a paraphrase table."""
