"""What a row must not do: filters and vetoes."""
