"""The attempts of commits, drawn."""
