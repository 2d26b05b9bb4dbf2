"""One commit, or what two snapshots do not share, drawn."""
