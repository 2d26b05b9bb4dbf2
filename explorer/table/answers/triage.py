"""What is wrong with a table, as a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from ...engine.garbage import paused_gc
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.triage import draw
from ...model import formats
from ...model.evidence import Note
from ...model.triage import words
from ...model.triage.checks import triage
from ...model.triage.facts import Check, Triage
from ...model.triage.known import Known
from ...model.triage.proofs import BY_CONDITION
from .. import columns, notes
from ..picture import Picture
from ..readers.biographies import Question
from ..readers.triage import Examined, named
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd

_NO_SQL = "What is found rests on many things; each finding has SQL of its own."


class TriagePicture(Picture[Triage]):
    """`IncidentQuestions.triage`."""

    name = "triage"

    def __init__(self, version: TableVersion, examined: Examined, symptom: str | None) -> None:
        super().__init__(version)
        self._examined, self._symptom = examined, symptom

    @property
    def cost(self) -> str:
        """In words."""
        return {
            "metadata.json": "Nothing beyond the metadata already read.",
            "manifest lists": "The manifest list of the snapshot.",
        }.get(self._examined.until, "The manifest lists of all listed snapshots, and every manifest once.")

    @property
    def pin(self) -> str:
        """Statements that keep the evidence from expiry, to run before any repair; empty where nothing was found."""
        return words.pin(self.facts, named(self._version.source))

    def _read(self) -> Triage:
        # Where ids are beyond what manifests can hold, the metadata file alone is looked at.
        version = self._version
        examined = self._examined if version.ids_fit else replace(self._examined, until="metadata.json")
        known = version.every_reader.triage.known(examined)
        with paused_gc():
            facts = triage(known, self._symptom)
        if not examined.prove or known.files is None:
            return facts
        checks = tuple(self._proved(known, c) if c.signature.name in examined.prove else c for c in facts.checks)
        return replace(
            facts, checks=checks, paid=f"{facts.paid}, rows of {formats.count(len(examined.prove), 'check')}"
        )

    def _proved(self, known: Known, check: Check) -> Check:
        """A check with its rows read."""
        prover, head = self._version.readers.prover, self._examined.head
        if check.signature.name != BY_CONDITION or head is None:
            return prover.proved(known, check)
        question = Question(self._examined.where, head, self._examined.ref, None)
        asked = self._version.readers.biography(question)
        asked.check()
        return prover.stored(known, check, asked.facts)

    def _reading(self) -> AbstractContextManager[None]:
        return self._version.asking(rows=bool(self._examined.prove))

    def _title(self, facts: Triage) -> str:
        return words.title(facts)

    def _rows(self, facts: Triage) -> pd.DataFrame:
        return columns.TRIAGE.pandas([_row(check) for check in facts.checks])

    def _all_rows(self, facts: Triage) -> DataFrame:
        return columns.TRIAGE.spark(self._version.spark, [_row(check) for check in facts.checks])

    def _draw(self, facts: Triage, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return ""

    def _notes(self, facts: Triage) -> list[Note]:
        return [*notes.first_notes(self._version, _NO_SQL), *words.notes(facts)]


def _row(check: Check) -> dict[str, Any]:
    """A check as a row of `.data`."""
    found = check.finding
    since = found.since.snapshot if found else None
    return {
        "signature": check.signature.name,
        "family": check.signature.family,
        "state": check.state,
        "severity": found.severity if found else None,
        "certainty": found.certainty if found else None,
        "title": found.title if found else check.words,
        "since_snapshot_id": since.snapshot_id if since else None,
        "since_sequence_number": since.sequence_number if since else None,
        "since_rule": found.since.rule if found else None,
        "at_or_before": found.since.at_or_before if found else None,
        "value": found.value if found else None,
        "threshold": found.threshold if found else None,
        "cost": check.signature.cost,
        "price": found.next_certainty if found else check.price,
    }
