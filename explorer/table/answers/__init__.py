"""The pictures, one module each: how its facts are read, and how they become rows, a figure, SQL and notes."""
