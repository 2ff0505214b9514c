"""Everything specific to a language, as data."""
