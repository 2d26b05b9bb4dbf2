"""Where an answer changed, drawn."""
