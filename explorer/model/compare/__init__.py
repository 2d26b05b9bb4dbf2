"""Two points of a table, or two tables, compared."""
