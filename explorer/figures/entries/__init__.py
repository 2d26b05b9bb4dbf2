"""The entries of manifests, drawn."""
