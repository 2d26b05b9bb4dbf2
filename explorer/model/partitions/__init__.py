"""Every partition after each commit that changed it: the values, how they are summed up, the words."""
