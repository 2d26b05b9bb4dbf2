"""The questions of someone with an incident: methods of `Table` that look for a cause, or try a repair on nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import Path

from ..errors import ExplorerError, UnknownSnapshot
from ..model.bundle.facts import Contents
from ..model.iceberg.metadata import Snapshot, id_from_text
from ..model.snapshot_graph.facts import SnapshotGraph
from ..model.triage import words
from ..model.triage.facts import PRICES, Cost, Triage
from ..model.triage.proofs import BY_CONDITION, PROVABLE
from ..model.triage.registry import SYMPTOMS
from ..queries import bisect as bisect_queries
from ..queries.rows.schema_mapping import current_schema
from . import lines, points
from .answers.bisect import BisectPicture
from .answers.bundle import bundle
from .answers.dry_run import DryRuns
from .answers.snapshot_graph import SnapshotGraphPicture
from .answers.triage import TriagePicture
from .opened import OpenedTable
from .picture import Picture
from .pins import Pin
from .readers.bisections import BisectQuestion
from .readers.triage import Examined, named
from .report import pinned_to_html, to_html

_LEAST_ID = 10**9  # writers draw ids from all 64-bit numbers; a smaller one is rather a sequence number, or mistyped


class IncidentQuestions(OpenedTable):
    """What a person asks of a table with which something is wrong."""

    @property
    def board(self) -> Triage:
        """What is wrong with the table as far as its metadata file tells; told once, and nothing more is read."""
        return self._version.every_reader.board

    def triage(
        self,
        symptom: str | None = None,
        snapshot: int | str | None = None,
        good: int | str | datetime | None = None,
        *,
        until: Cost = "manifests",
        prove: Collection[str] = (),
        where: str = "",
    ) -> TriagePicture:
        """What is wrong with the table, since which commit, how sure that is, and what to do about it.

        `.data` has a row per check, in the order of the symptom: signature; family; state (`found`, `clean`, `not
        asked`, `cannot say`); severity (`blocks reading`, `wrong answers`, `slow`, `cost`, `hygiene`, `information`)
        and certainty, NA unless found; title, one line; since_snapshot_id (text), since_sequence_number, since_rule
        (`F`: an entry names the commit, `M`: holds from there on, `T`: a trend, `L`: a setting) and at_or_before; value
        and threshold; cost, what the check reads; price, what would make it surer, or answer it at all.

        `.facts.found` has the findings, the gravest first, each with its evidence and SQL, what was ruled out, and
        fixes with danger, undo and verification. Nothing is ever run. `.pin` keeps the evidence from being cleaned up.

        Args:
            symptom: what a person sees, one of `explorer.model.triage.registry.SYMPTOMS`: its checks come first.
            snapshot: branch, tag, id or sequence number; the current one if None.
            good: the last point known good, by any name, or a time in UTC: figures stand beside their values there. An
                id that is not listed any more, of at least ten digits, is taken for the position of a reader.
            until: the dearest thing that may be read: `metadata.json`, `manifest lists`, `manifests` or `listing`, of
                the table's location.
            prove: names of checks whose rows are read too, of `explorer.model.triage.proofs.PROVABLE`: what was
                inferred becomes exact, or is withdrawn. A check says in `.facts` what that takes.
            where: the rows that `deleted-but-stored` is asked about, as after WHERE.

        Cost: as of `sequence_timeline`, and the manifests of the snapshot with their statistics, 8 MB at most; of
            `prove` the rows of the commits in question.

        Raises:
            UnknownSnapshot: no snapshot of that name.
            ExplorerError: no such symptom or price, or no check that rows prove.
        """
        version = self._version
        if symptom is not None and symptom not in SYMPTOMS:
            raise ExplorerError(
                f"{symptom!r} is no symptom that the explorer knows.",
                next_step=f"Name one of: {', '.join(SYMPTOMS)}. Or leave it out.",
            )
        if until not in PRICES:
            raise ExplorerError(f"{until!r} is not what a triage may read.", next_step=f"One of {', '.join(PRICES)}.")
        for name in prove:
            if name not in PROVABLE:
                raise ExplorerError(f"Rows do not prove {name!r}.", next_step=f"Name some of: {', '.join(PROVABLE)}.")
        if BY_CONDITION in prove and not where.strip():
            raise ExplorerError(
                f"{BY_CONDITION} is asked about rows, and none are named.", next_step="Say which: where='id = 42'."
            )
        head: Snapshot | None = None
        if snapshot is not None or version.metadata.current_snapshot_id is not None:
            head = version.snapshot_or_current(snapshot)
        point, lost = self._known_good(good)
        ref = "main" if snapshot is None else str(snapshot)
        return TriagePicture(version, Examined(head, ref, point, lost, until, tuple(prove), where), symptom)

    def report(
        self,
        path: str | Path,
        symptom: str | None = None,
        snapshot: int | str | None = None,
        good: int | str | datetime | None = None,
        *,
        question: str = "",
        with_values: bool = False,
        pins: Sequence[Pin] = (),
    ) -> Path:
        """Write what `triage` finds as one HTML file that needs no script and asks no host for anything.

        Question, answer, what happened when, findings with evidence and SQL, what was ruled out and at what price,
        statements to keep the evidence, repair, undo and verify. It holds no credential. With `pins` it is of what a
        person saw and kept in the explorer instead, and nothing is examined again.

        Args:
            path: of the file.
            symptom: as of `triage`.
            snapshot: as of `triage`.
            good: as of `triage`.
            question: what was asked, in a person's own words.
            with_values: whether values of rows may stand in it, as partitions and bounds are; without them pictures of
                rows are left out.
            pins: as `explorer.open(…).pins` has them; then symptom, snapshot and good are not looked at.

        Returns:
            The path.

        Raises:
            UnknownSnapshot, ExplorerError: as `triage`; a file that cannot be written.
        """
        if pins:
            examined = next((pin.triage for pin in reversed(pins) if pin.triage is not None), None)
            keep = "" if examined is None else words.pin(examined, named(self._version.source))
            content = pinned_to_html(self, pins, keep=keep, question=question, with_values=with_values)
        else:
            picture = self.triage(symptom, snapshot, good).read()
            history: Picture[SnapshotGraph] = SnapshotGraphPicture(self._version)
            content = to_html(self, picture.facts, history, pin=picture.pin, question=question, with_values=with_values)
        target = Path(path)
        try:
            target.write_text(content, encoding="utf-8")
        except OSError as error:
            raise ExplorerError(f"{target} cannot be written.", found=f"{error.strerror}.") from error
        return target

    def _known_good(self, good: int | str | datetime | None) -> tuple[Snapshot | None, int | None]:
        """The snapshot, or the id of one that is not listed any more."""
        if good is None:
            return None, None
        try:
            return points.standpoint(self._version, good).point.snapshot, None
        except UnknownSnapshot:
            number = id_from_text(str(good))
            if number is None or abs(number) < _LEAST_ID:
                raise
            return None, number

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

        Cost: the manifest lists of the history, every manifest once, or large ones twice with a condition; then the
        statement at both ends and about log2 of the commits in question. An answer is kept, by snapshot and statement.
        Source: specification, "Snapshots", "Scan Planning".

        Args:
            sql: one SELECT, or WITH … SELECT, that gives one value, with `{t}` for the table:
                `SELECT count(*) FROM {t} WHERE id = 42`. `{t}.files`, `.entries`, `.manifests` and the like are the
                metadata tables, for which no data file is read. Of true and false, true is good; of other values, the
                one of the good end is. Other tables that it names are read as they are now.
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

    def example_statements(self, key: Sequence[str] = ()) -> list[tuple[str, str]]:
        """Statements to start a bisection from, each after what it asks in words, over the columns as they are now.

        Args:
            key: columns that tell rows apart; the identifier fields of the schema if empty, else a column called so.
        """
        return bisect_queries.examples(current_schema(self._version.source.document), key)

    @property
    def dry_run(self) -> DryRuns:
        """Iceberg's procedures by their names and arguments, run on nothing: `t.dry_run.expire_snapshots(…)`.

        Each gives a picture of what would be lost, removed, rewritten and kept, and why; its `.sql` is the statement
        that would run it, which is never run here. Nothing is written.
        """
        return DryRuns(self._version)

    def bundle(
        self,
        path: str | Path,
        *,
        without_bounds: bool = False,
        report: Callable[[str], None] = lambda _: None,
    ) -> Contents:
        """Put the metadata alone into one file, which `explorer.open` shows on a machine without access to the table.

        In it are the current metadata file, those of its log that are there, every manifest list and manifest that they
        lead to, and footers of statistics files; no data file, and nothing of what delete files hold. `bundle.json` in
        it names each file with its size and SHA-256, what could not be read and why, and what is left out. What could
        not be read is shown so where the bundle is opened. Property values that look like a credential are masked.

        Values of rows that metadata holds are in it: lowest and highest values of columns, unless they are left out,
        and partition values in any case, in manifests and in paths.

        Args:
            path: of the file, ending in `.iceberg.zip`; one that is there is written over.
            without_bounds: take lowest and highest values of columns out of the manifests.
            report: called now and then with what was done so far, in a few words.

        Returns:
            What is in it: members with sizes in bytes, what could not be read, and in words what it leaves out.

        Cost: every metadata file of the log and every manifest of the listed snapshots once, their lists twice.

        Raises:
            ExplorerError: another ending; a file that cannot be written; locations that hold a password.
            UnreadableMetadata: the current metadata file cannot be read any more.
        """
        return bundle(self._version, Path(path), without_bounds=without_bounds, report=report)
