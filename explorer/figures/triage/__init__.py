"""What is wrong with a table, drawn."""
