"""What the metadata says: SQL and reads of metadata files. The only Spark in the house besides the engine."""
