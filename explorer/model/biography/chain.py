"""From row versions to lives: what happened to each row at each commit of a line, and when the line was rolled back.

At a commit the rows that a reader saw before and sees no more are paired with those that it sees now (`pairs`). A row
of a pair was moved or updated; one that is left over was deleted; one that came alone is new, or has returned: at its
own old place, or by its row id. A row that is written anew with the key of a deleted one is a life of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..evidence import Certainty
from ..iceberg.lineage import MainMove
from ..iceberg.metadata import Snapshot
from .facts import Event, EventKind, Life, Mask, RowVersion, Stretch, changes
from .line_rows import LineRows
from .pairs import Pair, Trust, pairs

Place = tuple[str, int, int]
_HOLE = "a file that came or went with the commit cannot be read"
_MOVES = {"rollback": "rollback", "replace": "table replaced", "set current": "another snapshot made current"}


def lives(lines: Sequence[LineRows], columns: Sequence[str], key: Sequence[int]) -> tuple[Life, ...]:
    """The lives of rows that met the condition at some time.

    Args:
        lines: the one that was asked about first; one that begins with a fork after the line that it leaves.
        columns: names of the columns.
        key: indices of those that tell which row is which; of equal keys none is merged with another.
    """
    told: list[_Told] = []
    book = _Book()
    for index, rows in enumerate(lines):
        line = _Told(index, rows, columns, tuple(key), book)
        line.begin(told)
        for place in range(1, rows.line.end):
            line.commit(place)
        line.finish()
        told.append(line)
        if rows.line.left is not None:
            line.leave(rows.line.left, told)
    kept = [life for life in book.lives if any(stretch.row.meets for stretch in life.stretches)]
    number = {life: n for n, life in enumerate(kept, 1)}
    return tuple(
        Life(n, tuple(life.stretches), tuple(_event(happened, n, number) for happened in life.events))
        for life, n in number.items()
    )


def _event(happened: _Happened, life: int, number: Mapping[_Life, int]) -> Event:
    event, of, words = happened
    if of is None:
        return replace(event, life=life)
    told = f"row {number[of]}" if of in number else "another row"
    return replace(event, life=life, reason=event.reason + words.format(told))


@dataclass(eq=False)
class _Life:
    number: int
    stretches: list[Stretch] = field(default_factory=list)
    events: list[_Happened] = field(default_factory=list)


_Happened = tuple[Event, _Life | None, str]
"""An event; and another life that its reason names, in these words."""


class _Book:
    """All lives, over all lines."""

    def __init__(self) -> None:
        self.lives: list[_Life] = []
        self._born: dict[Place, _Life] = {}

    def life(self, row: RowVersion, line: int) -> _Life:
        """The life of a row that is new to a line: a new one, or that of a row which came to another line likewise."""
        known = self._born.get(row.place)
        if known is not None and not any(event.line == line for event, *_ in known.events):
            return known
        self.lives.append(_Life(len(self.lives) + 1))
        self._born.setdefault(row.place, self.lives[-1])
        return self.lives[-1]


@dataclass
class _Standing:
    """What stands for a life since a place: a row that is `shown`, or `masked`; neither where its file is gone."""

    since: int
    row: RowVersion
    shown: bool
    masked: bool = False


class _Told:
    """One line while it is told, commit by commit."""

    def __init__(self, index: int, rows: LineRows, columns: Sequence[str], key: tuple[int, ...], book: _Book) -> None:
        self.index, self.rows, self.line = index, rows, rows.line
        self._columns, self._key, self._book = columns, key, book
        self._came: dict[int, list[RowVersion]] = defaultdict(list)
        self._went: dict[int, list[RowVersion]] = defaultdict(list)
        for row in rows.versions:
            for since, until in row.shown:
                self._came[since].append(row)
                self._went[until].append(row)
        self._standing: dict[_Life, _Standing] = {}
        self._seen: dict[Place, _Life] = {}
        self._of_place: dict[Place, _Life] = {}  # the last life that each place was of
        self._taken: list[tuple[int, Place, _Life]] = []  # since when
        self._of_id: dict[int, _Life] = {}
        self._of_key: dict[Hashable, list[_Life]] = defaultdict(list)

    # --- from one end to the other

    def begin(self, told: Sequence[_Told]) -> None:
        """What is there before the first commit: as another line left it, or found there."""
        base = self.line.snapshots[0]
        known = (o for o in told if base is not None and base.snapshot_id in o.line.places)
        parent = next(known, None) if self.line.begins == "fork" else None
        if parent is not None and base is not None:
            at = parent.line.places[base.snapshot_id]
            self._of_place = {place: life for since, place, life in parent._taken if since <= at}
            for life in dict.fromkeys(self._of_place.values()):
                if (last := _last(life, parent.index, at)) is not None:
                    self._standing[life] = _Standing(0, last.row, shown=last.shown and at < last.until)
                    self._know(life, last.row)
            for row in self.rows.versions:
                of = self._of_place.get(row.place)
                if of in self._standing and row.masking(0) is not None:
                    self._standing[of] = _Standing(0, row, shown=False, masked=True)
        for row in self._came[0]:
            life = self._of_place.get(row.place) or self._found(row)
            self._see(0, life, row)

    def _found(self, row: RowVersion) -> _Life:
        life, first = self._book.life(row, self.index), self.line.snapshots[0]
        if first is not None:
            reason = "it was there in the oldest snapshot that is listed, and what was before has expired"
            if row.added_at:
                reason += f"; its file was added with sequence number {row.added_at:,}"
                reason += self.rows.expired.get(row.added_at, "")
            self._tell(life, "CREATED", "existed at or before", 0, first, row, certainty="unknown", reason=reason)
        return life

    def commit(self, place: int) -> None:
        """What a commit did to the rows."""
        snapshot = self.line.snapshots[place]
        came, went = self._came.get(place, []), self._went.get(place, [])
        if snapshot is None or not (came or went):
            return
        again = {row.place: row for row in came}
        stayed = {row.place for row in went if row.place in again and again[row.place].same == row.same}
        for at in stayed:  # of a file that was taken out and put back
            self._see(place, self._seen[at], again[at])
        came = [row for row in came if row.place not in stayed]
        went = sorted((row for row in went if row.place not in stayed), key=lambda row: self._seen[row.place].number)
        trust, replaces = self.rows.trust.get(place, "none"), snapshot.operation == "replace"
        # a replace brings no new row: an id that is new there is one that its writer did not keep
        if trust == "all" and (replaces or any(row.row_id is None for row in (*came, *went))):
            trust = "same"
        found = pairs(went, came, self._key, trust, replace=replaces)
        before, after = {id(pair.before) for pair in found}, {id(pair.after) for pair in found}
        held = [(pair, self._seen.pop(pair.before.place)) for pair in found]
        for row in went:
            if id(row) not in before:
                self._delete(place, snapshot, row, trust)
        for pair, life in held:
            self._pair(place, snapshot, pair, life)
        for row in came:
            if id(row) not in after:
                self._come(place, snapshot, row, trust)

    def finish(self) -> None:
        """Close what is open at the head."""
        for life in self._standing:
            self._close(life, self.line.end)

    def leave(self, move: MainMove, told: Sequence[_Told]) -> None:
        """The line was rolled back: what that took back."""
        how = _MOVES.get(move.kind)
        other = next((line for line in told if move.to_id in line.line.places), None)
        if how is None or other is None:
            return
        there = other.line.places[move.to_id]
        target = other.line.snapshots[there]
        reason = f"the snapshot log says that main went back from {self.line.head.snapshot_id}"
        for life in self._book.lives:
            was, now = self.shown(life, self.line.end - 1), other.shown(life, there)
            if target is None or was is now or (was and now and was.same == now.same):
                continue
            kind: EventKind = "DELETED" if now is None else "RETURNED"
            row = now or was
            # what a replaced table has now was written for it
            if row is not None and (kind == "DELETED" or move.kind != "replace"):
                self._tell(
                    life, kind, how, self.line.end, target, row, before=now and was, reason=reason, move=move
                )  # fmt: skip

    def shown(self, life: _Life, place: int) -> RowVersion | None:
        """What a reader sees of a row at a place; after `finish`."""
        here = (stretch for stretch in life.stretches if stretch.line == self.index and stretch.shown)
        return next((s.row for s in here if s.since <= place < s.until), None)

    # --- what happens to a row

    def _pair(self, place: int, snapshot: Snapshot, pair: Pair, life: _Life) -> None:
        mask = _mask(pair.before, place)
        how = f"masked by {mask.kind}, written anew" if mask else "file rewritten"
        if pair.after.place in self._of_place:
            how = _back(pair.after, place)[0]
        self._see(place, life, pair.after)
        kind: EventKind = "UPDATED" if pair.updated else "MOVED"
        self._tell(
            life,
            kind,
            how,
            place,
            snapshot,
            pair.after,
            before=pair.before,
            mask=mask,
            certainty=pair.certainty,
            reason=pair.reason,
        )

    def _delete(self, place: int, snapshot: Snapshot, row: RowVersion, trust: Trust) -> None:
        life, mask = self._seen.pop(row.place), _mask(row, place)
        self._close(life, place)
        self._standing[life] = _Standing(place, row, shown=False, masked=mask is not None)
        how = f"masked by {mask.kind}" if mask else "removed with its file"
        certainty: Certainty = "exact"
        reason = "the commit wrote no rows"
        if place in self.rows.writes and trust == "all":
            reason = "no row that came has its row id"
        elif place in self.rows.writes:
            certainty, reason = "inferred", "the commit wrote rows too, of which none is equal or has its key"
        if place in self.rows.holes:
            certainty, reason = "unknown", _HOLE
        self._tell(life, "DELETED", how, place, snapshot, row, mask=mask, certainty=certainty, reason=reason)

    def _come(self, place: int, snapshot: Snapshot, row: RowVersion, trust: Trust) -> None:
        known, how, reason = self._of_place.get(row.place), *_back(row, place)
        certainty: Certainty = "exact"
        if known is None and row.copy > 1:
            reason = "one more entry of the same file"
            self._begin(place, snapshot, row, "CREATED", "file listed again", certainty, reason)
            return
        if known is None and row.row_id is not None and trust != "none":
            known, how = self._of_id.get(row.row_id), "file rewritten"
            reason = "same row id: written by who did not see what became of the row"
        if known is None and snapshot.operation == "replace" and trust != "all":
            known, how, certainty = self._raced(row, place), "file rewritten", "inferred"
            reason = "equal to a row that was masked in a file which this replace removed"
        if place in self.rows.holes:
            certainty, reason = "unknown", _HOLE
        if known is None:
            self._create(place, snapshot, row, trust)
        elif self._is_gone(known):
            was = self._standing[known].row
            self._see(place, known, row)
            self._tell(known, "RETURNED", how, place, snapshot, row, before=was, certainty=certainty, reason=reason)
        else:
            words = "; {}, which it became, is there too"
            self._begin(place, snapshot, row, "RETURNED", how, certainty, reason, known, words)

    def _create(self, place: int, snapshot: Snapshot, row: RowVersion, trust: Trust) -> None:
        alike = [life for life in self._of_key[self._key_of(row)] if self._has_key(life, row)] if self._key else []
        how = "file added" if row.listed[0] == place else "delete removed"
        certainty: Certainty = "inferred"
        reason = "the commit removed rows too, of which none is equal or has its key"
        if trust == "all":
            certainty, reason = "exact", "its row id is new"
            if row.row_id is not None and snapshot.first_row_id is not None and row.row_id < snapshot.first_row_id:
                certainty, reason = "inferred", "its row id is older than the commit, but no row with it left"
        elif place not in self.rows.takes:
            certainty, reason = "exact", "the commit took no rows away"
        if place in self.rows.holes:
            certainty, reason = "unknown", _HOLE
        if alike and all(map(self._is_gone, alike)):
            words = "; {} with its key was deleted before"
            self._begin(place, snapshot, row, "RETURNED", "inserted again", certainty, reason, alike[-1], words)
        else:
            self._begin(place, snapshot, row, "CREATED", how, certainty, reason)

    def _begin(
        self,
        place: int,
        snapshot: Snapshot,
        row: RowVersion,
        kind: EventKind,
        how: str,
        certainty: Certainty,
        reason: str,
        of: _Life | None = None,
        words: str = "",
    ) -> None:
        """A life of its own."""
        life = self._book.life(row, self.index)
        self._see(place, life, row)
        self._tell(life, kind, how, place, snapshot, row, certainty=certainty, reason=reason, of=of, words=words)

    # --- how it is kept

    def _is_gone(self, life: _Life) -> bool:
        """Whether the life began on this line, or before it, and is not seen now."""
        return life in self._standing and not self._standing[life].shown

    def _raced(self, row: RowVersion, place: int) -> _Life | None:
        """A life that is gone, whose last row is equal and was masked in a file that ended at this place."""
        for life, last in self._standing.items():
            if last.masked and last.row.same == row.same and last.row.listed[1] == place:
                return life
        return None

    def _key_of(self, row: RowVersion) -> Hashable:
        return tuple(row.same[i] for i in self._key)

    def _has_key(self, life: _Life, row: RowVersion) -> bool:
        return self._key_of(self._standing[life].row) == self._key_of(row)

    def _know(self, life: _Life, row: RowVersion) -> None:
        if row.row_id is not None:
            self._of_id[row.row_id] = life
        if self._key and life not in (alike := self._of_key[self._key_of(row)]):
            alike.append(life)

    def _see(self, place: int, life: _Life, row: RowVersion) -> None:
        self._close(life, place)
        self._standing[life] = _Standing(place, row, shown=True)
        self._seen[row.place] = self._of_place[row.place] = life
        self._taken.append((place, row.place, life))
        self._know(life, row)

    def _close(self, life: _Life, place: int) -> None:
        """What stood for a life until now becomes a stretch; of a masked row until its file ends."""
        if (found := self._standing.get(life)) is None:
            return
        until = place if found.shown else min(place, found.row.listed[1])
        if until > found.since and (found.shown or found.masked):
            life.stretches.append(Stretch(self.index, found.since, until, found.row, found.shown))

    def _tell(
        self,
        life: _Life,
        kind: EventKind,
        how: str,
        place: int,
        snapshot: Snapshot,
        row: RowVersion,
        *,
        before: RowVersion | None = None,
        mask: Mask | None = None,
        certainty: Certainty = "exact",
        reason: str,
        move: MainMove | None = None,
        of: _Life | None = None,
        words: str = "",
    ) -> None:
        changed = changes(self._columns, before, row) if before is not None else ()
        about = (kind, how, life.number, self.index, place, snapshot, move, row, before, mask, changed)
        life.events.append((Event(*about, certainty, reason), of, words))


def _back(row: RowVersion, place: int) -> tuple[str, str]:
    """How a row came to be seen again at its own place, and how that is known."""
    if row.listed[0] == place:
        return "file added again", "the same row of the same file, which was removed before"
    return "delete removed", "the same row of the same file, which no delete masks any more"


def _mask(row: RowVersion, place: int) -> Mask | None:
    """What masks a row from this place on that is seen no more; None where its file is gone."""
    return row.masking(place) if row.listed[0] <= place < row.listed[1] else None


def _last(life: _Life, line: int, place: int) -> Stretch | None:
    """The stretch of a line that had begun at a place, the last of them."""
    begun = [stretch for stretch in life.stretches if stretch.line == line and stretch.since <= place]
    return begun[-1] if begun else None
