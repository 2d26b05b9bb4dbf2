"""What one commit wrote, and what became of rows in it."""
