"""What a dry run reads, and the statement that would run it."""
