"""Each picture as a tab: what it asks, what a click means, what its panel says."""
