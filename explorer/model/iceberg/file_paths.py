"""Paths of files in two columns, as a long history holds them: many files share the folder, which is half of the text.

Spark's tasks get this module by value.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def parted(paths: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Folder and name of each path, so that a slash between them makes it whole again; without a slash no folder.

    Args:
        paths: string, nullable.

    Returns:
        The folders, a dictionary of strings by int32, and the names, string; both null for no path.
    """
    parts = pc.split_pattern(paths, "/", max_splits=1, reverse=True)
    lengths = np.asarray(pc.fill_null(pc.list_value_length(parts), 0))
    ends, texts = np.cumsum(lengths), parts.flatten()
    folders = texts.take(pa.array(ends - lengths, mask=lengths < 2))
    return folders.dictionary_encode(), texts.take(pa.array(ends - 1, mask=lengths < 1))


def whole(folders: pa.Array, names: pa.Array) -> pa.Array:
    """The paths that these are the parts of: what `parted` was given."""
    folders = folders.cast(pa.string())
    return pc.coalesce(pc.binary_join_element_wise(folders, names, "/"), names)


def with_whole(entries: pa.Table) -> pa.Table:
    """A table with `file_path` in place of `folder` and `file_name`; all else as it is."""
    parts = entries.select(["folder", "file_name"]).combine_chunks()
    paths = whole(*(column.combine_chunks() for column in parts.columns))
    return entries.drop_columns(parts.column_names).append_column("file_path", paths)
