"""A drill: something went wrong with a table, and a learner names the commit, the cause and the repair."""
