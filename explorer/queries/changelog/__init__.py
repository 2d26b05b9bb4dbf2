"""The rows that the commits of a range changed."""
