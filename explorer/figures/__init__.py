"""How it looks: one room per picture, model in, a `Scene` out, which `page` writes as plotly and as SVG.

Pure: no Spark, no widgets, no files.
"""
