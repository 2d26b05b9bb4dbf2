"""Below the lanes: what stayed the same, who wrote, what there was after each commit, and what each commit changed."""
