"""What a procedure would lose, remove, rewrite and keep, drawn."""
