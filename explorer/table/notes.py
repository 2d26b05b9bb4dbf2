"""What pictures of every kind say about what they tell: contradictions, what SQL cannot ask, what is cut or gone."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import ExplorerError
from ..model.bundle import words as bundle_words
from ..model.evidence import CONTRADICTS, Certainty, Note
from ..model.iceberg import metadata_tables
from ..model.iceberg.inheritance import ListedManifest
from .version import TableVersion

REFUSED_FILE = "Iceberg refuses this metadata file"
"""What a note is about that says so."""

ROWS_IN_PYTHON = 100_000
"""Rows that `.data` may hold; `.frame` has them all."""

NO_NAME_FOR_ENTRIES = "SQL cannot name the entries of a table that was opened by its file."
NO_NAME_FOR_ROWS = "SQL cannot name the rows of a table that was opened by its file."


def first_notes(version: TableVersion, hidden_from_sql: str, contradictions: Iterable[object] = ()) -> list[Note]:
    """What every picture says first; `contradictions` are sentences, with or without their full stop."""
    bundle = version.located.bundle
    sentences = (*version.metadata.oddities, *map(str, contradictions))
    notes = [] if bundle is None else [bundle_words.note(bundle.contents)]
    notes += _refusal(version) + [Note("exact", CONTRADICTS, f"{sentence.rstrip('.')}.") for sentence in sentences]
    chosen_from = version.located.chosen_from
    if chosen_from is not None and chosen_from > 1:
        notes.append(
            Note(
                "inferred",
                f"{version.metadata_location.rsplit('/', 1)[-1]} is the current metadata file",
                f"It has the highest number of the {chosen_from:,} there; only a catalog knows.",
            )
        )
    if hidden_from_sql:
        notes.append(Note("unknown", "SQL for these rows", hidden_from_sql))
    return notes


def _refusal(version: TableVersion) -> list[Note]:
    """Why Iceberg refuses the metadata file, in its own words; in those of the house where it cannot be asked."""
    if not version.refusals:
        return []
    certainty: Certainty = "exact"
    try:
        reason = version.every_reader.refusal
    except ExplorerError:
        certainty, reason = "inferred", f"{'; '.join(version.refusals)}."
    if not reason:
        return []
    return [Note(certainty, REFUSED_FILE, f"{reason} The snapshots are shown as the file holds them.")]


def refused_sql(
    version: TableVersion, sql: str, listed: Iterable[ListedManifest], *, has_unreadable: bool
) -> tuple[Note, ...]:
    """What to say where files are missing or Iceberg refuses the SQL; arguments as of `metadata_tables.refusal`."""
    refusal = metadata_tables.refusal(version.metadata, sql, listed, has_unreadable=has_unreadable)
    change = version.change_if_seen() if has_unreadable else None
    if change is None or not change.explains_failure:
        return refusal
    about = f"The table has changed since it was read at {version.read_at:%H:%M:%S} UTC"
    reason = f"Now: {change.words}. What cannot be read may be gone with that; reload to see the table as it is."
    return (Note("exact", about, reason), *refusal)


def cut(total: int, which: str = "") -> list[Note]:
    """What to say where data holds fewer rows than there are; `which` of them, such as "the newest "."""
    if total <= ROWS_IN_PYTHON:
        return []
    return [Note("exact", f"Data shows {which}{ROWS_IN_PYTHON:,} of {total:,} rows", "The frame has them all.")]
