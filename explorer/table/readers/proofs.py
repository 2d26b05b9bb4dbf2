"""Rows that prove what a check inferred, or withdraw it: those that its commits added or took away."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame

from ...errors import UnreadableMetadata
from ...model.biography.facts import Biography
from ...model.changelog.facts import Mode
from ...model.iceberg.metadata import Snapshot
from ...model.triage import proofs
from ...model.triage.facts import Check
from ...model.triage.known import Known
from ...model.triage.proofs import Answer, Suspicion
from ...model.triage.signatures import same_load_twice, upsert_in_one_commit
from ...queries import proofs as queries
from ...queries.rows.reading import refusing
from ...queries.source import Source
from .changelogs import Changelogs


class Prover:
    """Reads rows for checks."""

    def __init__(self, source: Source, changelogs: Changelogs) -> None:
        self._source, self._changelogs = source, changelogs

    def proved(self, known: Known, check: Check) -> Check:
        """The check as its rows have it; unchanged where none are to be asked.

        Raises:
            ExplorerError: rows cannot be read.
        """
        asked = proofs.suspicions(known, check.signature.name)[: proofs.MOST]
        if not asked:
            return check
        return proofs.proved(known, check, asked, [self._answer(known, check.signature.name, one) for one in asked])

    def stored(self, known: Known, check: Check, rows: Biography) -> Check:
        """Whether such rows are deleted, and still stored."""
        return proofs.stored(known, check, rows)

    def _answer(self, known: Known, name: str, one: Suspicion) -> Answer:
        if one.files:
            with refusing(f"The rows that deletes name around commit {known.number(one.commit)} cannot be read."):
                return self._of_deletes(known, one)
        if name == upsert_in_one_commit.SIGNATURE.name:
            return Answer(*queries.keys_several_times(self._rows(one.commit, "raw"), one.key))
        added = [queries.of_kind(self._rows(commit, "raw"), "INSERT") for commit in one.before]
        if name == same_load_twice.SIGNATURE.name:
            found = queries.compared(added[0], queries.of_kind(self._rows(one.commit, "raw"), "INSERT"))
            return Answer(found.differing, found.one + found.other)
        gone = queries.of_kind(self._rows(one.commit, "changes"), "DELETE")
        found = queries.compared(reduce(DataFrame.unionAll, added), gone)
        return Answer(found.common, found.one)

    def _of_deletes(self, known: Known, one: Suspicion) -> Answer:
        """Of rows that were masked, or meant to be, how many can be read after the commit."""
        before, after = one.before[0].snapshot_id, one.commit.snapshot_id
        if not one.deletes:
            return Answer(*queries.seen_again(self._source, before, after, one.files))
        files = known.files
        new = () if files is None else files.names(files.added_by(one.commit), len(files.size))
        meant = queries.named_by(self._source, one.seen, one.deletes, queries.of_files(self._source, before, one.files))
        written = queries.of_files(self._source, after, new).where("NOT _deleted")
        found = queries.compared(queries.as_values(meant), queries.as_values(written))
        return Answer(found.common, found.one)

    def _rows(self, commit: Snapshot, mode: Mode) -> DataFrame:
        """What a commit did to rows.

        Raises:
            UnreadableMetadata: that cannot be told: no row would be taken for proof.
        """
        asked = self._changelogs.ask(mode, commit.parent_id, commit.snapshot_id, None)
        if unread := asked.known.unread:
            what = f"The rows of commit {commit.sequence_number} cannot be read."
            raise UnreadableMetadata(what, found=unread[0].reason)
        return asked.frame
