"""What became of rows, drawn."""
