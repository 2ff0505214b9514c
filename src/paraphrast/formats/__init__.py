"""Every file format, one module each, reader and writer: rooms never parse."""
