"""What two points of a table, or two tables, do not share: files, the metadata of their time, rows."""
