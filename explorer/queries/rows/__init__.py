"""Which rows: read from data and delete files, matched, compared, told in one schema."""
