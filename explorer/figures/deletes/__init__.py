"""Which delete reaches which data file, drawn."""
