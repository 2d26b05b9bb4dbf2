"""A changelog, drawn."""
