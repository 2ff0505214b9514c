"""Pictures as SVG: rooms never draw. Every picture is a string, the same for the same data."""
