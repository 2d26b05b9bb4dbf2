"""The stories of the sandbox, one module each: the tables that a lesson writes, step by step."""
