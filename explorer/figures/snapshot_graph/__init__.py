"""The snapshot graph, drawn."""
