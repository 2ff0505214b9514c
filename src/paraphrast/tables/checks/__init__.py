"""Filters and vetoes: rules against bad rows."""
