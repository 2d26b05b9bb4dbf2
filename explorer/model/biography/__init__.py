"""What became of rows, from birth to now: the values, the rules that chain row versions, the words."""
