"""What became of rows: their versions as read, and what deletes hold of them."""
