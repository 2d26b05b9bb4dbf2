"""What is wrong with a table, since which commit, and what to do about it."""
