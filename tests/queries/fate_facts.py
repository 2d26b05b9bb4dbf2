"""Why rows are deleted or not, put together as the face of the house will."""

from __future__ import annotations

from explorer.model import row_fate as fates
from explorer.model.delete_scope import data_file
from explorer.model.inheritance import ListedManifest, StoredEntry
from explorer.model.row_fate import RowFate, row_fate
from explorer.model.stored_deletes import keys_of, live_deletes
from explorer.queries import row_fate as queries
from explorer.queries.find_table import locate
from tests.queries.commit_facts import Opened
from tests.queries.delete_facts import stored


def told_fate(opened: Opened, snapshot_id: int, condition: str, **limits: int) -> RowFate:
    located = locate(opened.spark, opened.name)
    metadata, read = opened.metadata, stored(opened, snapshot_id)
    deletes = live_deletes(metadata, read)
    matched = queries.matching(
        opened.spark,
        located,
        snapshot_id,
        condition,
        filterable=queries.filterable(opened.document, snapshot_id),
        **limits,
    )
    manifests = {m["path"]: ListedManifest(**m) for m in read.listed}
    entries = queries.data_entries(
        opened.spark, read, [row["_file"] for row in matched.rows], metadata.specs, opened.options
    )
    keys = keys_of(deletes)
    data = {
        row["file_path"]: data_file(manifests[row["manifest_path"]], StoredEntry.from_row(row), row, keys)
        for row in entries
    }
    asked = {d.key for file in data.values() for d, _ in fates.concerned(file, deletes)}
    wanted = [row for row in read.deletes if (row["file_path"], row["content_offset"]) in asked]
    holding, unread = queries.holding(
        opened.spark, located, snapshot_id, matched, wanted, opened.document, opened.options
    )
    return row_fate(
        metadata.by_id[snapshot_id],
        condition,
        matched.columns,
        [fates.Row(r["_file"], r["_pos"], tuple(r["values"]), r["_deleted"]) for r in matched.rows],
        (matched.live, matched.masked),
        data,
        deletes,
        holding,
        unread,
    )
