"""What the metadata means: frozen values and pure rules. No Spark, no plotly, no I/O, nothing of the house."""
