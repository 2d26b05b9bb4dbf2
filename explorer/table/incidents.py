"""The questions of someone with an incident: each looks for a cause, or tries a repair on nothing."""

from __future__ import annotations

from ..queries import bisect as bisect_queries
from . import lines
from .answers.bisect import BisectPicture
from .opened import OpenedTable
from .readers.bisections import BisectQuestion


class IncidentQuestions(OpenedTable):
    """What a person asks of a table with which something is wrong."""

    def bisect(
        self,
        sql: str,
        good: int | str | None = None,
        bad: int | str | None = None,
        ref: str = "main",
        *,
        every: bool = False,
    ) -> BisectPicture:
        """Which commit changed the answer of a statement: its line halved until two neighbours answer differently.

        `.data` has a row per snapshot from the good end to the bad one: snapshot_id (text); sequence_number (0 in
        version 1); committed_at (UTC); answer (text; NA for NULL, or where it is not known); verdict: `good`, `bad`,
        `inherited` (the commit cannot have changed the answer), `skipped` (it could not be asked there) or
        `not asked`. `.facts.first_bad` is the commit, None if there is none; where snapshots could not be asked,
        `.facts.between` has the last good and the first bad one around them. `.price` tells before what it takes.

        The ends are asked first; if they answer alike, there is nothing to find. A changed answer proves that two
        neighbours differ, not that it changed once: it is *a* first bad commit, and the answers before are assumed to
        be good. With `every` all commits that can have changed the answer are read, and every change is told.

        Commits are ruled out whose data files, and files that their deletes can reach, hold no row that meets the
        condition, by partition and bounds, if the statement is of the form `SELECT … FROM {t} WHERE …`. A `replace` is
        asked last.

        Cost: the manifest lists of the history, every manifest once, or twice with a condition; then the statement at
        both ends and about log2 of the commits in question. An answer is kept, by snapshot and statement.
        Source: specification, "Snapshots", "Scan Planning".

        Args:
            sql: one SELECT, or WITH … SELECT, that gives one value, with `{t}` for the table:
                `SELECT count(*) FROM {t} WHERE id = 42`. Of true and false, true is good; of other values, the one of
                the good end is. Other tables that it names are read as they are now.
            good: id, branch, tag or sequence number of an ancestor of `bad`; the oldest listed one if None.
            bad: the same of a snapshot; that of `ref` if None.
            ref: branch or tag.
            every: whether to read every commit that can have changed the answer.

        Raises:
            UnknownSnapshot: none of that name, `good` is no ancestor of `bad`, or they are one.
            ExplorerError: the statement does not name the table; when it is read: it is no query, or one of several
                columns; an end cannot be asked; the good end answers false and the bad end true.
        """
        bisect_queries.refuse_unnamed(sql)
        version = self._version
        line, begins = lines.line(version, good, bad, ref)
        return BisectPicture(version, BisectQuestion(sql, line, begins, every))
