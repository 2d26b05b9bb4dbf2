"""What manifests store and what a reader makes of it: the values and the words."""
