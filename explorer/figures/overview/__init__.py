"""The whole history as a strip: totals, rows changed per day, refs, the two points and the window."""
