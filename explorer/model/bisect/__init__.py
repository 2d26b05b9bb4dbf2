"""Which commit changed the answer of a statement: facts, search, words."""
