"""What a check of a table says: found, clean, or why neither can be said; and everything that a finding rests on.

Nothing here is a score. A figure is graded by its own sentence, beside the threshold and the reason for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ..dry_run.facts import PROCEDURES
from ..evidence import Certainty
from ..iceberg.metadata import Snapshot
from .known import Known
from .since import Since

Cost = Literal["metadata.json", "manifest lists", "manifests", "delete files", "data files", "listing"]
"""What must be read, the cheapest first."""
PRICES: tuple[Cost, ...] = ("metadata.json", "manifest lists", "manifests", "listing")
"""Up to which a triage may be told to read."""
COSTS: tuple[Cost, ...] = ("metadata.json", "manifest lists", "manifests", "delete files", "data files", "listing")

Severity = Literal["blocks reading", "wrong answers", "slow", "cost", "hygiene", "information"]
SEVERITIES: tuple[Severity, ...] = ("blocks reading", "wrong answers", "slow", "cost", "hygiene", "information")
"""The gravest first."""

_CALL = re.compile(r"CALL\s+\S+\.system\.(\w+)\(")

State = Literal["found", "clean", "not asked", "cannot say"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair that a person may run; the explorer runs none.

    Attributes:
        statement: SQL to copy; where SQL has none, what to do instead, in words.
        effect, danger, undo: in words, or SQL.
        verify: a query that returns no row once the repair holds; in words where none tells.
    """

    statement: str
    effect: str
    danger: str
    undo: str
    verify: str

    @property
    def verified_when(self) -> str:
        """When the repair holds, in words; empty where `verify` is words itself."""
        return "it returns no row" if self.verify.startswith(("SELECT", "(\nSELECT")) else ""

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of procedures in the statement of which can be told what they would do."""
        parts = (part.strip() for part in self.statement.split(";\n"))
        return tuple(part for part in parts if (call := _CALL.match(part)) and call[1] in PROCEDURES)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found, as rows, and what selects it in the other pictures.

    Attributes:
        columns, rows: a small table, texts; the gravest rows first.
        row_count: rows that there are, where `rows` are cut.
        snapshots: ids of the commits that it is about.
        files: paths of data or delete files.
        sql: a statement that shows it, for the table by its name; empty where no SQL can.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_count: int = 0
    snapshots: tuple[int, ...] = ()
    files: tuple[str, ...] = ()
    sql: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is so.

    Attributes:
        title: one line, with numbers.
        certainty, reason: how sure it is, and why; a sentence.
        value, threshold: what was measured, and from where on it counts.
        why: why this threshold; a sentence.
        ruled_out, not_ruled_out: other explanations, those that were checked and those that were not.
        next_certainty: what would have to be read to be surer, and what that costs; empty if it is exact.
        fixes: the first is the smallest that can be taken back.
        question: what to ask next of the table, as Python: `t.commit(241, rows=True)`.
    """

    title: str
    severity: Severity
    certainty: Certainty
    reason: str
    value: str
    threshold: str
    why: str
    since: Since
    evidence: Evidence
    ruled_out: tuple[str, ...] = ()
    not_ruled_out: tuple[str, ...] = ()
    next_certainty: str = ""
    fixes: tuple[Fix, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class Clean:
    """It was looked for and is not so; `looked_at` says in what, `is_part` whether there is more of that."""

    looked_at: str
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class CannotSay:
    """Neither found nor clean; `reason` says why, `price` what would have to be read to know."""

    reason: str
    price: str = ""


Outcome = Finding | Clean | CannotSay


@dataclass(frozen=True, slots=True)
class Signature:
    """Something that goes wrong with tables.

    Attributes:
        name: `file-listed-twice`.
        family: what a person sees: `rows doubled`.
        about: what is looked for, in words: `the same file twice in one snapshot`.
        cost: what `examine` needs to have been read.
        examine: looks for it; pure.
    """

    name: str
    family: str
    about: str
    cost: Cost
    examine: Callable[[Known], Outcome]


@dataclass(frozen=True, slots=True)
class Check:
    """What one signature says of a table.

    Attributes:
        finding: of the state `found`; None of all others.
        words: of the others what was looked at, or why it is not known; `price`: what knowing costs, where that is more
            than was paid.
        proof: what asking its rows takes, which makes it exact or withdraws it; empty where rows are not to be asked.
    """

    signature: Signature
    state: State
    finding: Finding | None = None
    words: str = ""
    price: str = ""
    proof: str = ""


@dataclass(frozen=True)
class Figure:
    """A number of health, now and at the last point known good; texts, `then` empty where none was named.

    `at_heads`: the same at the heads of `Triage.branches`; empty of what is the table's, and none of a branch.
    """

    name: str
    now: str
    then: str = ""
    judgement: str = ""
    at_heads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Triage:
    """All checks of one table, in the order in which the symptom has them.

    Attributes:
        head: the snapshot that was examined; None of a table without any.
        ref: the name it was asked by.
        good: the last snapshot known good; None if none was named.
        branches: names of the other branches whose heads have figures beside these, the ones that moved last;
            `more_branches` counts the rest.
        symptom: what the person says, one of `symptoms.SYMPTOMS`; None if nothing.
        line: the head and its listed ancestors, the oldest first.
        paid: what was read, in words.
        stand_in: how statements name a table that was opened by its path; empty of one that has a name.
    """

    head: Snapshot | None
    ref: str
    good: Snapshot | None
    symptom: str | None
    checks: tuple[Check, ...]
    figures: tuple[Figure, ...]
    line: tuple[Snapshot, ...]
    examined_at: datetime
    paid: str
    stand_in: str = ""
    branches: tuple[str, ...] = ()
    more_branches: int = 0

    @property
    def found(self) -> tuple[Check, ...]:
        """The checks that found something, the gravest first, else in the order of the symptom."""
        found = [check for check in self.checks if check.finding is not None]
        return tuple(sorted(found, key=_gravity))

    def of_state(self, state: State) -> tuple[Check, ...]:
        """The checks of one state, in the order of the symptom."""
        return tuple(check for check in self.checks if check.state == state)

    def worse_than(self, severity: Severity) -> tuple[Check, ...]:
        """The checks that found something of this severity or a graver one."""
        worst = SEVERITIES.index(severity)
        return tuple(check for check in self.found if _gravity(check) <= worst)


def _gravity(check: Check) -> int:
    return SEVERITIES.index(check.finding.severity) if check.finding else len(SEVERITIES)
