"""How it looks: one module per picture, model in, plotly figure out. Pure: no Spark, no widgets, no files."""
