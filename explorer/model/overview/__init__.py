"""The whole history at a glance: totals after each commit, and how many rows changed on each day."""
