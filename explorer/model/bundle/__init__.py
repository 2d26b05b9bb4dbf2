"""The bundle: a table's metadata alone, in one file that another machine opens."""
