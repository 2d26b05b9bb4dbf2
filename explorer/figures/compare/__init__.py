"""The comparison of two points, drawn."""
