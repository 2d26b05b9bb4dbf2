"""A drill on a table: what a learner answers, checked against the key and the table itself."""

from __future__ import annotations

from ..engine.memory import read_once
from ..errors import ExplorerError, UnknownSnapshot
from ..model.drill import check as checks
from ..model.drill import words
from ..model.drill.facts import Case, Step, Verdict
from ..model.drill.repairs import BY_NAME
from ..model.iceberg.metadata import Snapshot
from ..model.triage.facts import Triage
from ..model.triage.registry import BY_NAME as SIGNATURES
from ..queries import bisect
from ..queries.bisect import Statement
from . import Table, drill_results


class Drill:
    """A table with which something is wrong, and what is to be found out.

    Attributes:
        table: for the learner to ask; what is asked of it is counted, and how much is read for it.
        case: what a person says of it, and the key.
        tries: how often an answer was checked.
        hints_taken: how many hints were looked at.
        has_given_up: whether the path was looked at before it was solved.
    """

    def __init__(self, table: Table, own: Table, case: Case) -> None:
        """`own` is the same table opened once more: what a check asks is not counted."""
        self.table, self.case = table, case
        self.tries, self.hints_taken, self.has_given_up = 0, 0, False
        self._own = own
        table.asked.counts_bytes = True

    def check(self, commit: int | str | None, cause: str | None, repair: str | None) -> Verdict:
        """How right an answer is, and why.

        Args:
            commit: id, branch, tag or sequence number of the commit from which on it is so; None: not answered.
            cause: name of a signature. None: not answered.
            repair: name of one of `explorer.model.drill.repairs.REPAIRS`. None: not answered.

        Cost: the manifests of the history, the first time; where a statement tells a wrong commit, that at two
            snapshots.

        Raises:
            UnknownSnapshot: no such commit. ExplorerError: no such cause or repair.
        """
        answered = self._commit(commit)
        if cause and cause not in SIGNATURES:
            raise ExplorerError(
                f"{cause!r} is no cause that the explorer knows.", next_step=f"Name one of: {', '.join(SIGNATURES)}."
            )
        if repair and repair not in BY_NAME:
            raise ExplorerError(
                f"{repair!r} is no repair of this drill.", next_step=f"Name one of: {', '.join(BY_NAME)}."
            )
        facts = self._facts
        parts = (
            checks.commit(self.case, facts, answered, self._answer),
            checks.cause(self.case, facts, cause),
            checks.repair(self.case, facts, repair),
        )
        self.tries += 1
        solved = all(judged.state == "right" for judged in parts)
        asked = self.table.asked
        path = self.path if solved else ()
        verdict = Verdict(parts, path, tuple(asked.questions), asked.bytes_read, self.tries)
        drill_results.keep(
            self.case, (commit, cause, repair), verdict, self.hints_taken, has_given_up=self.has_given_up
        )
        return verdict

    @read_once
    def path(self) -> tuple[Step, ...]:
        """What a practised person asks, in order, and what each answer tells; read from the table."""
        case, own = self.case, self._own
        found = next(c.finding for c in self._facts.checks if c.signature.name == case.cause)
        steps = []
        if case.allows_health:
            picture = own.triage(case.symptom)
            told = f"{found.title}, {found.since.words}." if found else picture.title
            steps.append(Step(f't.triage("{case.symptom}")', told))
        if case.probe:
            good = f", good={case.good}" if case.good is not None else ""
            steps.append(Step(f't.bisect("{case.probe}"{good})', own.bisect(case.probe, case.good).title))
        steps.append(Step(f"t.commit({case.number})", own.commit(case.snapshot_id).title))
        if found and not case.allows_health:
            steps.append(Step(found.question, found.title))
        if found and found.fixes:
            steps.append(Step(found.fixes[0].statement, found.fixes[0].effect))
        return tuple(steps)

    @property
    def repairs(self) -> tuple[str, ...]:
        """Names of the repairs that are right, the smallest first."""
        return tuple(repair.name for repair in checks.right_repairs(self.case, self._facts))

    @read_once
    def hints(self) -> tuple[str, ...]:
        """Three, each telling more than the one before."""
        return words.hints(self.case, self._facts)

    @read_once
    def _facts(self) -> Triage:
        return self._own.triage(self.case.symptom).facts

    def _commit(self, commit: int | str | None) -> Snapshot | None:
        if commit in (None, ""):
            return None
        try:
            return self._own.snapshot(commit if isinstance(commit, int) else str(commit).strip())
        except UnknownSnapshot as error:
            raise UnknownSnapshot(error.what, found=error.found, next_step="Name a commit of the table.") from None

    @read_once
    def _probe(self) -> Statement:
        return bisect.statement(self._own._version.source, self.case.probe, self.case.snapshot_id)

    def _answer(self, snapshot: Snapshot) -> str | None:
        """What the probe's statement answers at a snapshot; None where it cannot be asked."""
        answer = bisect.answer(self._own._version.source, self._probe, snapshot.snapshot_id)
        if answer.why_not:
            return None
        return "NULL" if answer.value is None else answer.value
