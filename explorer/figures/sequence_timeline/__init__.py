"""Every file from birth to removal, drawn."""
