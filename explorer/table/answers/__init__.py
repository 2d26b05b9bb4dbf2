"""How each question is answered: what queries read and what the model makes of it, put together."""
