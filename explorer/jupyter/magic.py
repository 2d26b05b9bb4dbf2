"""`%load_ext explorer`, then `%iceberg catalog.db.table`, or `%iceberg` to choose one."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_magic, magics_class

from ..widgets import TableExplorer, TablePicker


@magics_class
class IcebergMagics(Magics):
    """The line magic of the explorer."""

    @line_magic
    def iceberg(self, line: str) -> TableExplorer | TablePicker:
        """Open a table in the explorer: `%iceberg catalog.db.table`, or a metadata file or folder; or choose one."""
        from .. import open as open_table

        return open_table(line.strip() or None)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics with a running IPython."""
    shell.register_magics(IcebergMagics)
