"""What the commits of a range did to rows: the values and the words."""
