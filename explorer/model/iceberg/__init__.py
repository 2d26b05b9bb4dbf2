"""Iceberg, as the specification has it: metadata, schemas, lineage, inheritance, the scope of deletes. No picture."""
