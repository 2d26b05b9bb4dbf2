"""Who came from whom among the snapshots of a table: the values, the lanes, the words."""
