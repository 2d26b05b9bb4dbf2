"""What a text names of a table, told in this order: a commit, rows that meet a condition, a partition, a file.

A partition's field and its value, `day=2026-03-14`, is a partition before it is a condition. Commits are told by the
metadata file alone, and so is whether a text is a condition. Only a text that is neither has the manifests read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from ..errors import ExplorerError
from ..model.search import commits, files
from ..model.search.facts import Found, Missed, preferred
from ..queries import identifiers
from ..queries.biography import rows as row_queries
from ..queries.files.candidates import Filter, condition_filter
from ..queries.rows.schema_mapping import current_schema, fields
from .version import TableVersion

_COMPARES = re.compile(r"[=<>]|\b(in|is|like|ilike|rlike|between)\b", re.IGNORECASE)
_COLUMNS = 2  # that are offered for a value
_FIELD_AND_VALUE = re.compile(r"\s*([^=<>!]+?)\s*=\s*[^=]")
_CALLED = re.compile(r"\s*partition\s+(.+)", re.IGNORECASE)  # as what was found is called here


class NothingFound(ExplorerError):
    """A text names nothing of the table; `nearest` is what is like it."""

    def __init__(self, what: str, *, found: str = "", next_step: str = "", nearest: tuple[Found, ...] = ()) -> None:
        super().__init__(what, found=found, next_step=next_step)
        self.nearest = nearest


def find(version: TableVersion, text: str) -> Found:
    """What a text means, with what else it may mean.

    Raises:
        NothingFound: nothing that is listed; says what is near.
        UnreadableMetadata: manifests would have to be read, and the table's cannot be.
    """
    if not text.strip():
        raise NothingFound(
            "Nothing was asked for.",
            next_step="Write a sequence number, an id, a branch or tag, a time, a partition, a file or a condition.",
        )
    if (called := _CALLED.match(text)) is not None and _names_partition_field(version, called[1]):
        text = called[1]
    told = commits.meanings(version.graph, text, version.read_at)
    missed = Missed("") if told else commits.missed(version.graph, text, version.read_at)
    condition, refused = _condition(version, text)
    names_partition = _names_partition_field(version, text)
    in_files: list[Found] = []
    more = 0
    is_cheaper = bool(told or condition)
    is_free = is_cheaper and version.every_reader.timelines.is_read
    if names_partition or is_free or not (is_cheaper or missed.is_commit):
        with version.asking():
            lifetimes = version.readers.timelines.history.lifetimes
        # A number is a part of many a random name.
        parts = names_partition or not (is_cheaper or text.strip().isdecimal())
        found = files.find(lifetimes, text, parts=parts)
        if found is not None:
            in_files, more = [replace(found, others=(), more=0), *found.others], found.more
        else:
            near = files.nearest(lifetimes, text)
            if names_partition:
                missed = Missed(missed.found or near.found, near.nearest + missed.nearest)
            else:
                missed = Missed(missed.found or refused or near.found, missed.nearest + near.nearest)
    meanings = [*told, *in_files, *condition] if names_partition else [*told, *condition, *in_files]
    best = preferred(meanings, more)
    if best is None:
        raise _nothing(version, text, missed)
    return best


def _condition(version: TableVersion, text: str) -> tuple[list[Found], str]:
    """The text as a condition on rows, if it is one; else, where it looks like one, why it is none."""
    if not _COMPARES.search(text):
        return [], ""
    source = version.source
    plain = text.strip()
    if not isinstance(condition_filter(plain, current_schema(source.document), source.specs), Filter):
        try:
            row_queries.check(source, plain)
        except ExplorerError as error:
            return [], " ".join(filter(None, (error.found, error.next_step)))
    return [Found("condition", f"rows with {plain}", condition=plain)], ""


def _names_partition_field(version: TableVersion, text: str) -> bool:
    field = _FIELD_AND_VALUE.match(text)
    names = {str(part.get("name")).casefold() for spec in version.metadata.specs.values() for part in spec}
    return field is not None and field[1].strip('"').casefold() in names


def _as_value(version: TableVersion, text: str) -> list[Found]:
    """Rows that have the text in one of the first columns that can have it; nobody looks here whether there are any."""
    plain = text.strip()
    if _COMPARES.search(plain):
        return []
    kinds, literal = (("int", "long"), plain) if plain.isdecimal() else (("string",), identifiers.text(plain))
    columns = (field["name"] for field in fields(current_schema(version.source.document)) if field["type"] in kinds)
    conditions = (f"{identifiers.quoted([column])} = {literal}" for column in islice(columns, _COLUMNS))
    return [Found("condition", f"rows with {condition}", condition=condition) for condition in conditions]


def _nothing(version: TableVersion, text: str, missed: Missed) -> NothingFound:
    missed = replace(missed, nearest=(*missed.nearest, *_as_value(version, text)))
    near = "; ".join(found.words for found in missed.nearest)
    return NothingFound(
        f"Nothing in {version.name} is called {text.strip()}.",
        found=missed.found,
        next_step=f"Nearest: {near}." if near else "",
        nearest=missed.nearest,
    )
