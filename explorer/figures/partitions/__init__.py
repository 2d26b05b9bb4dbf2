"""Partitions by commit, drawn as a heat map."""
