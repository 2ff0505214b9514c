"""Pictures as SVG strings, the same for the same data. Rooms do not draw."""
