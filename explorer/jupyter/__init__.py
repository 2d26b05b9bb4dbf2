"""JupyterLab and its notebooks: how it is started, what a cell says, the magic."""
