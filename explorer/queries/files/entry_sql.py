"""What several SQL statements say of a manifest entry."""

from __future__ import annotations

from textwrap import indent

from ...model.iceberg.touched_files import PATH_OF_POSITION_DELETE

_CONTENT = """\
CASE
  WHEN {of}content = 0 THEN 'data'
  WHEN {of}content = 2 THEN 'equality deletes'
  WHEN upper({of}file_format) = 'PUFFIN' THEN 'deletion vector'
  ELSE 'position deletes'
END AS content"""

_NAMED = """\
coalesce(
  {of}referenced_data_file,
  IF({of}lower_bounds[{path}] = {of}upper_bounds[{path}],
    CAST({of}lower_bounds[{path}] AS STRING), NULL)
)"""


def named_file(*, of: str = "data_file.", margin: str = "  ") -> str:
    """The one data file that a position delete or deletion vector names, or null; arguments as of `content`.

    The rule of `model.iceberg.touched_files.referenced_data_file`, for entries whose content is 1.
    """
    return indent(_NAMED.format(of=of, path=PATH_OF_POSITION_DELETE), margin)


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
