"""The live deletes of a snapshot and what they may reach."""
