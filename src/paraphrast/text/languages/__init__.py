"""What is particular to each language, as data."""
