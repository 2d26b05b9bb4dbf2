"""What a commit, or everything between two snapshots, did to files and rows: the values, the rules, the words."""
