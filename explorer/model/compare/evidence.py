"""What in a comparison is read, what is inferred, what is not known, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from .. import formats
from ..evidence import Note
from ..iceberg.row_lineage import RowIds
from .facts import Comparison
from .settings import NoState
from .words import price, relation, verdict


def notes(facts: Comparison, row_ids: RowIds | None) -> tuple[Note, ...]:
    """The notes of a comparison; `row_ids` says whether they could tell updates, if rows were read."""
    found = Note("exact", f"Verdict: {facts.verdict}", verdict(facts))
    of_files = (*_of_files(facts), *_of_figures(facts))
    return (found, *_of_relation(facts), *_of_settings(facts), *of_files, *_of_rows(facts, row_ids))


def _of_relation(facts: Comparison) -> Iterator[Note]:
    of = facts.relation
    yield Note("exact", f"Relation: {'two tables' if of is None else of.kind}", f"{relation(facts)}.")
    if of is None:
        yield Note(
            "inferred",
            "Which files of the two tables are the same",
            "Those with one path below the table's location, one length and as many rows. Fields are matched by id.",
        )
        return
    if of.kind == "unknown":
        yield Note(
            "unknown", "Whether they have a common ancestor", "Snapshots between them and their ancestors have expired."
        )
    if of.reversed:
        yield Note("exact", "Told against the ancestry", "A person wanted to see the way back.")
    elif of.swapped:
        yield Note(
            "exact",
            "Told along the ancestry",
            f"{facts.right.asked} was named first, and {facts.left.asked} comes before it.",
        )


def _of_settings(facts: Comparison) -> Iterator[Note]:
    for letter, point, state in zip("AB", (facts.left, facts.right), facts.states, strict=True):
        if isinstance(state, NoState):
            yield Note("unknown", f"Properties, refs and default spec at {letter}, {point.asked}", state.reason)
        elif not point.is_head:
            file = state.location.rsplit("/", 1)[-1]
            yield Note(
                "exact",
                f"Properties, refs and default spec at {letter}, {point.asked}",
                f"As {file} of that time has them: they have no versions by snapshot.",
            )


def _of_files(facts: Comparison) -> Iterator[Note]:
    if facts.hidden:
        yield Note(
            "unknown",
            f"Values of {', '.join(facts.hidden)} in files that both have",
            "Only the right side shows them, though an older schema had them: these files were not read.",
        )
    if facts.files.why_unknown:
        yield Note("unknown", "Which files the two do not share", facts.files.why_unknown)
    elif isinstance(facts.columns, str):
        yield Note("unknown", "Statistics of columns", f"Not told: {facts.columns}.")
    if facts.files.price.at_least:
        yield Note(
            "unknown",
            "How many shared files lie under other deletes",
            "They are too many to list; sums of files of one side alone are complete.",
        )


def _of_figures(facts: Comparison) -> Iterator[Note]:
    counted = "Not every manifest of that snapshot is counted: in format version 1 a manifest list need not."
    if any(None in (figure.left, figure.right) for figure in facts.figures if figure.name == "data manifests"):
        counted = facts.files.why_unknown
    recorded_in = "Writers may record them in the summary of a snapshot; these have not."
    for recorded, reason in ((True, recorded_in), (False, counted)):
        unknown = [
            f"{figure.name} at {letter}"
            for figure in facts.figures
            if figure.recorded == recorded
            for letter, number in zip("AB", (figure.left, figure.right), strict=True)
            if number is None
        ]
        if unknown:
            yield Note("unknown", f"Numbers: {', '.join(unknown)}", reason)


def _of_rows(facts: Comparison, row_ids: RowIds | None) -> Iterator[Note]:
    rows = facts.rows
    if rows is None and facts.files.why_unknown:
        yield Note("unknown", "What became of rows", "Which files hold them is not known.")
        return
    if rows is None:
        yield Note(
            "unknown",
            "What became of rows",
            f"They were not read; rows=True, or --rows in a terminal, reads them: {price(facts)}.",
        )
        return
    if not rows.read:
        yield Note(
            "exact",
            "Rows, net",
            "No data file was read: no file that differs can hold a row of the other side, and no delete hides one."
            if rows.differing
            else "No data file was read: a file that both have under the same deletes holds equal rows at both.",
        )
        return
    yield Note(
        "exact",
        "Rows, net",
        "Compared as multisets of values in the columns of the right side; a row that was deleted and written again"
        " equal is no difference. In one schema SELECT … VERSION AS OF … EXCEPT ALL SELECT … tells the same.",
    )
    if rows.pairing == "row id":
        yield Note("exact", "Updates by _row_id", "A row keeps its id when a commit changes its values.")
    elif rows.pairing == "identifier columns":
        columns = ", ".join(rows.identifier_columns)
        yield Note("inferred", "Which rows were updated", f"By {columns}: one on each side with equal values there.")
    elif rows.inserted and rows.deleted:
        why = f" {row_ids.reason}" if row_ids is not None else ""
        yield Note(
            "unknown", "Updates", f"Neither row ids nor identifier columns tell which rows of the two are one row.{why}"
        )
    if rows.ambiguous:
        yield Note(
            "unknown",
            f"Updates among {formats.count(rows.ambiguous, 'row')}",
            "Several of them share what tells rows apart, so they count as deleted and inserted.",
        )
    if rows.not_compared:
        yield Note(
            "unknown",
            f"Changes in {', '.join(rows.not_compared)}",
            "Spark cannot compare values of this type; rows that differ only there count as equal.",
        )
    if rows.differing > len(rows.sample):
        yield Note(
            "exact",
            f"{len(rows.sample):,} of {formats.count(rows.differing, 'row')} shown",
            "The first of each kind by file and position; counts are of all rows.",
        )
