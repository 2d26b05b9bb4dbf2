"""Invariants of a person's own: SQL that must stay true, or a number that must not fall, from commit to commit.

They stand in a TOML file. Which commit broke one is told by bisection, so that only commits are read that can have.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..errors import ExplorerError
from ..model.bisect.facts import Bisection
from ..model.iceberg.metadata import Snapshot

if TYPE_CHECKING:
    from .incidents import IncidentQuestions

_KEYS = {"name", "sql", "may_fall"}


@dataclass(frozen=True, slots=True)
class Invariant:
    """Something that must stay so.

    Attributes:
        name: what it says.
        sql: one SELECT that gives one value, `{t}` for the table.
        may_fall: which share of a number may be lost from one commit to the next; None where it is true or false.
    """

    name: str
    sql: str
    may_fall: float | None = None


@dataclass(frozen=True, slots=True)
class Watched:
    """What became of an invariant.

    Attributes:
        snapshot: the commit that broke it; None where it is kept, or no single commit can be named.
        words: a sentence.
    """

    invariant: Invariant
    state: Literal["kept", "broken", "cannot say"]
    words: str
    snapshot: Snapshot | None = None


def read(path: Path) -> tuple[Invariant, ...]:
    """The invariants of a file: tables `[[invariant]]` with `name`, `sql` and, for numbers, `may_fall`.

    Raises:
        ExplorerError: it cannot be read, is no TOML, or has something else in it.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ExplorerError(f"{path} cannot be read.", found=f"{error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExplorerError(f"{path} is no TOML.", found=f"{error}.") from error
    listed = document.get("invariant")
    if not isinstance(listed, list) or not listed or set(document) != {"invariant"}:
        raise ExplorerError(
            f"{path} holds no invariants.",
            found=f"At its top stands {', '.join(map(repr, document)) or 'nothing'}.",
            next_step="Write a table [[invariant]] with name and sql for each.",
        )
    return tuple(_invariant(path, number, item) for number, item in enumerate(listed, 1))


def _invariant(path: Path, number: int, item: object) -> Invariant:
    what = f"Invariant {number} of {path} cannot be understood."
    if not isinstance(item, dict) or not isinstance(item.get("sql"), str):
        raise ExplorerError(what, found="It has no text `sql`.", next_step='sql = "SELECT … FROM {t}"')
    if more := set(item) - _KEYS:
        raise ExplorerError(what, found=f"It has {', '.join(sorted(more))}.", next_step="name, sql and may_fall only.")
    share = item.get("may_fall")
    if share is not None and (isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1):
        raise ExplorerError(what, found=f"may_fall is {share!r}.", next_step="A share from 0 to 1: may_fall = 0.05")
    return Invariant(str(item.get("name") or item["sql"]), item["sql"], None if share is None else float(share))


def watch(table: IncidentQuestions, invariant: Invariant, since: str | None) -> Watched:
    """Whether an invariant is kept from a snapshot up to the current one, and which commit broke it.

    Args:
        table: to be asked.
        invariant: what must stay so.
        since: the last snapshot that was watched; the oldest listed one if None.
    """
    metadata = table.metadata
    if metadata.current_snapshot_id is None:
        return Watched(invariant, "kept", "The table has no snapshot.")
    if since is not None and table.snapshot(since).snapshot_id == metadata.current_snapshot_id:
        return Watched(invariant, "kept", "No commit since.")
    try:
        facts = table.bisect(invariant.sql, since, every=invariant.may_fall is not None).read().facts
    except ExplorerError as error:
        return Watched(invariant, "cannot say", " ".join(filter(None, (error.what, error.found))))
    return _of_number(invariant, facts) if invariant.may_fall is not None else _of_truth(invariant, facts)


def _of_truth(invariant: Invariant, facts: Bisection) -> Watched:
    asked = f"asked at {len(facts.reads):,} snapshots"
    if not facts.is_boolean:
        gives = f"It gives {facts.bad.answer.value}, which is neither true nor false: say what it may_fall by."
        return Watched(invariant, "cannot say", gives)
    if facts.known(facts.bad.answer) == "good":
        return Watched(invariant, "kept", f"True, {asked}.")
    if facts.first_bad is not None:
        return Watched(invariant, "broken", f"Broken by {_name(facts.first_bad)}, {asked}.", facts.first_bad)
    if facts.between is not None:
        last, first = map(_name, facts.between)
        return Watched(invariant, "broken", f"Broken after {last}, at {first} at the latest, {asked}.")
    return Watched(invariant, "broken", f"It was broken at {_name(facts.snapshots[0])} already.")


def _of_number(invariant: Invariant, facts: Bisection) -> Watched:
    """From answer to answer: the first that fell by more than it may."""
    asked = f"asked at {len(facts.reads):,} snapshots"
    for change in facts.changes:
        try:
            before, after = (float(read.answer.value or "") for read in (change.before, change.after))
        except ValueError:
            return Watched(invariant, "cannot say", f"{change.after.answer.value} is no number, so it cannot fall.")
        if before > 0 and after < before * (1 - (invariant.may_fall or 0)):
            snapshot = facts.snapshots[change.after.place]
            fell = f"{before:,.10g} → {after:,.10g}"
            return Watched(invariant, "broken", f"Broken by {_name(snapshot)}: {fell}, {asked}.", snapshot)
    if not facts.is_complete:
        return Watched(invariant, "cannot say", f"Some commits could not be asked, {asked}.")
    return Watched(invariant, "kept", f"Never fell by more than {invariant.may_fall:.0%}, {asked}.")


def _name(snapshot: Snapshot) -> str:
    return f"{snapshot.sequence_number:,}" if snapshot.sequence_number else str(snapshot.snapshot_id)
