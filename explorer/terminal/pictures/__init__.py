"""Each picture as lines of text, one module each."""
