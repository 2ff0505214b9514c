"""File formats, one module each, with reader and writer. Rooms do not parse files."""
