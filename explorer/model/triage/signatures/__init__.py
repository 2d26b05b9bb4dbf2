"""What goes wrong with tables: a module for each signature, with its rule, its words and where it comes from."""
