"""Every file from birth to removal, with both its numbers: the values, how they are put together, the words."""
