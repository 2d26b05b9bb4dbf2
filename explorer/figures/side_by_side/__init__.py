"""Two commits beside each other: drawn with the parts of a commit's own picture, on one scale."""
