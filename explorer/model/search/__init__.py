"""What a text names of a table: a commit, a partition, a file, or rows that meet a condition."""
