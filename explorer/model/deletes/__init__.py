"""Which live delete reaches which data file: the values, the rule applied to all pairs, the words."""
