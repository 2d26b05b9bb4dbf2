"""Why rows are masked or are not, drawn."""
