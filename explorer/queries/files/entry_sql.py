"""What several SQL statements say of a manifest entry."""

from __future__ import annotations

from textwrap import indent

_CONTENT = """\
CASE
  WHEN {of}content = 0 THEN 'data'
  WHEN {of}content = 2 THEN 'equality deletes'
  WHEN upper({of}file_format) = 'PUFFIN' THEN 'deletion vector'
  ELSE 'position deletes'
END AS content"""


def content(*, of: str = "data_file.", margin: str = "  ") -> str:
    """What kind of file an entry names, as a column in lines that begin with `margin`.

    Args:
        of: what stands before the names `content` and `file_format`.
        margin: blanks.
    """
    return indent(_CONTENT.format(of=of), margin)


def partition(partitioned: bool, *, margin: str = "  ") -> str:
    """The line of the partition column; empty where no spec of the table has fields, since there is none then."""
    return f"{margin}data_file.partition,\n" if partitioned else ""
