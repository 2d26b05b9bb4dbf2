"""How an answer looks in a terminal: the same facts as the picture, as lines of text."""
