"""What a procedure would do, as a picture; and the procedures by their names and arguments: `Table.dry_run`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...errors import ExplorerError
from ...figures.dry_run import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.dry_run import orphans, rewrite_data, rewrite_deletes, words
from ...model.dry_run.facts import Call, DryRun, Effect, Procedure
from ...model.dry_run.retention import Asked
from ...model.evidence import Note
from ...queries import identifiers
from ...queries.dry_run.call_text import written
from ...queries.dry_run.statement import statement
from .. import columns, notes
from ..picture import Picture
from ..readers.dry_runs import DryRuns as Reader
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd

_NO_NAME = "A table that was opened by its file has no name that a procedure could be given."
_STATEMENT = "The SQL is the statement that would run it"
_FIELDS = tuple(field.name for field in fields(Effect))
_LIVE = "The manifests of the current snapshot; no data file."
_CHANGES_NOTHING = {"max_concurrent_deletes", "stream_results", "use_caching", "dry_run", "prefix_listing"}
"""Arguments that change how a procedure works and not what it does."""
_BOTH_OR_NEITHER = "Either snapshot_id or ref must be provided, not both"


class DryRunPicture(Picture[DryRun]):
    """What a procedure would do.

    Its SQL is the statement that would run it: it is shown to be pasted, and never run here.
    """

    name = "dry_run"

    def __init__(self, version: TableVersion, tell: Callable[[Reader], DryRun], cost: str) -> None:
        super().__init__(version)
        self._tell, self._cost = tell, cost

    @property
    def cost(self) -> str:
        """What it reads, in words."""
        return self._cost

    def _read(self) -> DryRun:
        return self._tell(self._version.readers.dry_runs)

    def _title(self, facts: DryRun) -> str:
        return words.title(facts)

    def _rows(self, facts: DryRun) -> pd.DataFrame:
        return columns.DRY_RUN.pandas([*map(_row, facts.effects[: notes.ROWS_IN_PYTHON])])

    def _all_rows(self, facts: DryRun) -> DataFrame:
        return columns.DRY_RUN.spark(self._version.spark, [*map(_row, facts.effects)])

    def _count(self, facts: DryRun) -> int:
        return len(facts.effects)

    def _draw(self, facts: DryRun, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return statement(self._version.located, self.facts.call)

    @property
    def undo_sql(self) -> str:
        """The statement that would take it back; empty where none does. It is never run here either."""
        undo = self.facts.undo
        return "" if undo is None else statement(self._version.located, undo)

    def _notes(self, facts: DryRun) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else _NO_NAME),
            *([Note("exact", _STATEMENT, f"It is never run here. {facts.danger}".rstrip())] if self.sql else []),
            *([Note("exact", "Undo", f"{facts.undo_words} {self.undo_sql}".rstrip())] if facts.undo_words else []),
            *notes.cut(len(facts.effects)),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]


def _row(effect: Effect) -> dict[str, object]:
    found = {name: getattr(effect, name) for name in _FIELDS}
    return found | {"name": effect.name or None}


class DryRuns:
    """Iceberg's procedures by their names and arguments, run on nothing.

    Each method gives a picture. `.data` has a row per thing that the procedure would touch, and of what it would leave
    alone that which one may ask about: file_path; snapshot_id (text); what (`lost`: gone from main, still stored;
    `removed` for good; `rewritten`; `returned` to main; `added` to it; `kept`); why; size_in_bytes; record_count (rows,
    positions or keys; of a snapshot the rows that it added); sequence_number, of a snapshot; kind (`snapshot`,
    `branch`, `tag`, `data`, `position deletes`, `equality deletes`, `deletion vector`, `manifest`, `manifest list`,
    `statistics file`, `file`, `partition spec`, `schema`); name, of a ref, spec or schema; content_offset, of a
    deletion vector; spec_id; partition. What does not apply is NA. `.facts.refusal` has the words in which Iceberg
    would refuse the call, `.sql` the statement.

    The rules are those of Iceberg 1.12. What is told is of the table as it was read, as of the time of asking.

    Args:
        version: of the table.
        at: the time (UTC) as of which ages are told; that of each question if None.
    """

    def __init__(self, version: TableVersion, at: datetime | None = None) -> None:
        self._version, self._at = version, at

    def call(self, text: str) -> DryRunPicture:
        """What a call would do, as it is written: `rollback_to_snapshot(snapshot_id => 12)`, or a whole CALL statement.

        Cost: as of the procedure.

        Raises:
            UnknownSnapshot: no snapshot of a name in it.
            ExplorerError: it is no call of a procedure below, of another table, or with an argument that is not known.
        """
        asked = written(text)
        self._refuse_another(asked.table)
        method = getattr(self, asked.procedure)
        takes = inspect.signature(method).parameters
        given = {name: value for name, value in asked.arguments.items() if name not in _CHANGES_NOTHING}
        unknown = [name for name in given if name not in takes]
        if unknown:
            raise ExplorerError(
                f"What {asked.procedure} would do with {', '.join(unknown)} is not known here.",
                next_step=f"Leave it out, or name some of: {', '.join(takes)}.",
            )
        missing = [n for n, p in takes.items() if p.default is inspect.Parameter.empty and n not in given]
        if missing:
            raise ExplorerError(
                f"{asked.procedure} takes {', '.join(missing)}, which is not given.",
                next_step=f"Write {asked.procedure}({', '.join(f'{n} => …' for n in missing)}).",
            )
        picture: DryRunPicture = method(**given)
        return picture

    def _refuse_another(self, table: str) -> None:
        relation = self._version.located.relation
        if not table or relation is None:
            return
        own, asked = identifiers.split(relation), identifiers.split(table)
        if own[-len(asked) :] != asked:
            raise ExplorerError(
                f"The call is one of another table, {table}.",
                found=f"This is {self._version.name}.",
                next_step="Leave the table out, or open the other one.",
            )

    def rollback_to_snapshot(self, snapshot_id: int | str) -> DryRunPicture:
        """What `rollback_to_snapshot` would lose: commits, files, net rows; who holds them, and the way back.

        Args:
            snapshot_id: id (int or text), branch, tag or sequence number of an ancestor of the current snapshot.

        Cost: two manifest lists, and the manifests that only one of them lists.

        Raises:
            UnknownSnapshot: no snapshot of that name; an id that is not listed is told as the refusal instead.
            UnreadableMetadata, when it reads: a manifest list or a manifest cannot be read.
        """
        target = self._version.snapshot_id(snapshot_id)
        return self._moved(Call.of("rollback_to_snapshot", snapshot_id=target), target)

    def set_current_snapshot(self, snapshot_id: int | str | None = None, ref: str | None = None) -> DryRunPicture:
        """What `set_current_snapshot` would lose and bring back; the target need not be an ancestor.

        Args:
            snapshot_id: id (int or text), branch, tag or sequence number.
            ref: a branch or tag, in place of it.

        Cost, Raises: as of `rollback_to_snapshot`.
        """
        call: Procedure = "set_current_snapshot"
        if (snapshot_id is None) == (ref is None):
            given = None if snapshot_id is None else self._version.snapshot_id(snapshot_id)
            return self._moved(Call.of(call, snapshot_id=given, ref=ref), None, _BOTH_OR_NEITHER)
        if ref is not None:
            found = self._version.metadata.refs.get(ref)
            refusal = "" if found is not None else f"Cannot find matching snapshot ID for ref {ref}"
            return self._moved(Call.of(call, ref=ref), found.snapshot_id if found is not None else None, refusal)
        target = self._version.snapshot_id(snapshot_id or 0)
        return self._moved(Call.of(call, snapshot_id=target), target)

    def expire_snapshots(
        self,
        older_than: datetime | None = None,
        retain_last: int | None = None,
        snapshot_ids: Sequence[int | str] | None = None,
        clean_expired_metadata: bool = False,
    ) -> DryRunPicture:
        """What `expire_snapshots` would remove: snapshots, refs, and every file that only they name; why not others.

        Args:
            older_than: cut-off; UTC if it has no zone. None: `history.expire.max-snapshot-age-ms`, else five days ago.
            retain_last: snapshots that each branch keeps whatever their age. None: the table's, else 1.
            snapshot_ids: ids, or other names, of snapshots to remove whatever their age.
            clean_expired_metadata: whether partition specs and schemas that nothing needs would go too.

        Cost: the manifest list and the manifests of every listed snapshot, each once.

        Raises:
            UnknownSnapshot: no snapshot of one of the names.
        """
        ids = tuple(self._version.snapshot_id(which) for which in snapshot_ids or ())
        asked = Asked(_utc(older_than), retain_last, ids, clean_expired_metadata)
        return self._picture(
            lambda reader, at: reader.expire(asked, at), "Every manifest of the listed snapshots, once."
        )

    def rewrite_data_files(
        self,
        where: str | None = None,
        options: Mapping[str, object] | None = None,
        strategy: str | None = None,
        sort_order: str | None = None,
        branch: str | None = None,
    ) -> DryRunPicture:
        """Which data files `rewrite_data_files` would choose, into about how many, and why not the others.

        Args:
            where: SQL over the table's columns, as after WHERE: files that cannot hold such a row are not looked at.
            options: of the procedure, by name: `min-input-files`, `delete-ratio-threshold` …
            strategy: `binpack` or `sort`; None for `binpack`, for `sort` if `sort_order` is given.
            sort_order: as the procedure takes it; the table's own if None.
            branch: whose files are looked at; those of main if None.

        Cost: the manifests of the snapshot; no data file.

        Raises:
            UnreadableMetadata, when it reads: the manifest list cannot be read.
        """
        asked = rewrite_data.Asked(where, _texts(options), strategy, sort_order, branch)
        return self._picture(lambda reader, at: reader.rewrite_data(asked, at), _LIVE)

    def cherrypick_snapshot(self, snapshot_id: int | str) -> DryRunPicture:
        """What `cherrypick_snapshot` would bring to main from a staged, abandoned or other branch's commit.

        Args:
            snapshot_id: id (int or text), branch, tag or sequence number.

        Cost: the manifests that the commit added; of a dynamic overwrite those that main added since its parent too.

        Raises:
            UnknownSnapshot: no snapshot of that name; an id that is not listed is told as the refusal instead.
        """
        of = self._version.snapshot_id(snapshot_id)
        call = Call.of("cherrypick_snapshot", snapshot_id=of)
        return self._picture(lambda reader, at: reader.cherrypick(call, of, at), "The manifests of the commit.")

    def rewrite_position_delete_files(
        self, options: Mapping[str, object] | None = None, where: str | None = None
    ) -> DryRunPicture:
        """Which position delete files `rewrite_position_delete_files` would choose, and why not the others.

        Args:
            options: of the procedure, by name.
            where: SQL over the table's columns: delete files of partitions without such rows are not looked at.

        Cost, Raises: as of `rewrite_data_files`; of the manifests those of deletes alone.
        """
        asked = rewrite_deletes.Asked(_texts(options), where)
        return self._picture(lambda reader, at: reader.rewrite_deletes(asked, at), _LIVE)

    def rewrite_manifests(self, spec_id: int | None = None, sort_by: Sequence[str] | None = None) -> DryRunPicture:
        """Which manifests `rewrite_manifests` would write anew, and into about how many.

        Args:
            spec_id: of the partition spec whose manifests are rewritten; the current one if None.
            sort_by: fields of that spec by which entries are put together; all in their order if None.

        Cost: the manifest list of the current snapshot.

        Raises:
            UnreadableMetadata, when it reads: that list cannot be read.
        """
        names = None if sort_by is None else tuple(sort_by)
        call = Call.of("rewrite_manifests", spec_id=spec_id, sort_by=names)
        return self._picture(
            lambda reader, at: reader.rewrite_manifests(call, spec_id, names, at), "One manifest list."
        )

    def remove_orphan_files(self, older_than: datetime | None = None, location: str | None = None) -> DryRunPicture:
        """Which files `remove_orphan_files` would delete: those that no listed snapshot names, and that are old enough.

        Args:
            older_than: cut-off; UTC if it has no zone. None: three days ago. One of the last 24 hours is refused.
            location: the folder that is looked through; that of the table if None.

        Cost: the folder is listed; the manifest list of every listed snapshot, and every manifest, once.

        Raises:
            UnreadableMetadata, when it reads: the folder cannot be listed.
        """
        asked = orphans.Asked(_utc(older_than), location)
        cost = "The folder is listed; every manifest of the listed snapshots, once."
        return self._picture(lambda reader, at: reader.orphans(asked, at), cost)

    def _moved(self, call: Call, snapshot_id: int | None, refusal: str = "") -> DryRunPicture:
        cost = "Two manifest lists, and the manifests that only one of them lists."
        return self._picture(lambda reader, at: reader.move(call, snapshot_id, at, refusal), cost)

    def _picture(self, tell: Callable[[Reader, datetime], DryRun], cost: str) -> DryRunPicture:
        at = self._at or datetime.now(UTC)
        return DryRunPicture(self._version, lambda reader: tell(reader, at), cost)


def _texts(options: Mapping[str, object] | None) -> dict[str, str]:
    """Options as the procedure takes them: all are texts."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in (options or {}).items()
    }


def _utc(at: datetime | None) -> datetime | None:
    if at is None:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
