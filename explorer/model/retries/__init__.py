"""How often commits were tried: the values and the words."""
