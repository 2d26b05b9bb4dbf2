"""What a procedure of Iceberg would do to a table, told without running it."""
