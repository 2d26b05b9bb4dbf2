"""A visual explorer of Apache Iceberg tables in Jupyter."""

__version__ = "0.1.0"
