"""What every part of a changelog's picture draws on: the page, the columns, the lines, and how changes look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...model import changed_cells
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import Changelog, CommitCounts
from ...model.changelog.words import OwnerState
from ...model.iceberg.metadata import Snapshot
from ..page.fold import Part
from ..page.hits import commit_meaning, view_meaning
from ..page.scene import Box, Rectangle, Type
from ..page.sheet import Sheet
from ..page.theme import Hue, blend
from .layout import Column, Columns, Kind, Line, lines, part_of

ROWS = 40  # lines that one picture draws
SMALL = 11.0
_TABLE, _NARROW_TABLE = 236.0, 176.0  # pixels for owner and ordinal at the right
_NAMES = 112.0  # pixels for the names of counts, at least


@dataclass(slots=True)
class Chart:
    """A changelog, and where on the page it is drawn.

    Attributes:
        left: page pixel where the names of rows begin; `right` where everything ends.
        lines: all at hand; `drawn` are those of this part.
        ids: short ids; `states` says why an owner has an ordinal; `snapshots` are those of the range.
        beside: the other table's chart: bars of both have one scale, and both tell the same kinds of counts.
        differs: by key, what is to be said of a row whose owner is another one in the other table.
        boxes: the header of each column, for the ring of the selection; `bottom` is where the columns end.
    """

    sheet: Sheet
    changelog: Changelog
    left: float
    right: float
    part: Part
    lines: list[Line]
    drawn: list[Line]
    columns: Columns
    ids: dict[int | None, str]
    states: dict[int | None, OwnerState]
    snapshots: dict[int | None, Snapshot]
    beside: Chart | None = None
    differs: dict[str, str] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    bottom: float = 0.0

    @classmethod
    def of(cls, sheet: Sheet, changelog: Changelog, left: float, right: float, part: Part) -> Chart:
        """The chart of a changelog between two page pixels."""
        found, part = lines(changelog), part_of(changelog, part)
        first = part.first if part.first < len(found) else 0
        part = Part(first, part.opened)
        drawn = found[first : first + ROWS]
        longest = max((Type(12, "", mono=True).width(line.key[:60]) for line in drawn), default=0.0)
        most = max((right - left) * (0.3 if changelog.keys else 0.36), 110.0)
        names = min(max(longest + 14, _NAMES), most)
        table = 0.0
        if changelog.mode == "ownership" and changelog.counts:
            roomy = right - left > 900 or len(changelog.range.commits) <= 4
            table = _TABLE if roomy else _NARROW_TABLE
        columns = Columns(changelog, part, left + names, right - table, _wanted(changelog, drawn))
        ids, states = changelog_words.short_ids(changelog), changelog_words.owner_states(changelog)
        snapshots: dict[int | None, Snapshot] = {c.snapshot.snapshot_id: c.snapshot for c in changelog.range.commits}
        return cls(sheet, changelog, left, right, part, found, drawn, columns, ids, states, snapshots)

    def counts(self, column: Column) -> list[CommitCounts]:
        """Of the commits of a column; of the owners outside the range for their column."""
        counts = self.changelog.counts or {}
        if column.kind == "outside":
            return [counts[owner] for owner in self.columns.outside(counts)]
        return [counts[c.snapshot.snapshot_id] for c in column.commits if c.snapshot.snapshot_id in counts]

    def meaning(self, column: Column) -> str:
        """What a click on a column says."""
        if column.opens:
            return view_meaning(column.opens)
        return commit_meaning(column.commits[0].snapshot.snapshot_id) if column.commits else ""

    def hue(self, kind: Kind) -> Hue:
        """The hue of a change."""
        theme = self.sheet.theme
        hues = {"inserted": theme.added, "deleted": theme.removed, "carried over": theme.moved}
        return hues.get(kind, theme.changed)

    def paint(self, kind: Kind, box: Box) -> None:
        """A rectangle of a change."""
        fills, theme = self.sheet.fills, self.sheet.theme
        if kind == "carried over":
            fills.append(Rectangle(box, stroke=theme.edge, stroke_width=1, hatch=theme.moved.fill))
        elif kind == "update before":
            fills.append(Rectangle(box, theme.page, theme.changed.fill, 1.4))
        else:
            fills.append(Rectangle(box, self.hue(kind).fill))

    def owner(self, owner: int | None, *, carried_over: bool | None) -> OwnerStyle:
        """How a row looks that a commit owns; `carried_over` as of `ChangedRow`.

        An append only adds files, so what it owns it inserted; a replace changes no row, so what it owns it copied.
        """
        theme, state, snapshot = self.sheet.theme, self.states.get(owner), self.snapshots.get(owner)
        if state == "numbered" and snapshot is not None and snapshot.operation == "append":
            return OwnerStyle("inserted by its owner, an append", theme.added.fill, theme.added.on_fill, "")
        if carried_over:
            return OwnerStyle(
                "carried over by its owner: new file, same values", "", theme.ink, theme.moved.fill, theme.edge
            )
        if state == "replace" and carried_over is None:
            return OwnerStyle("copied by its owner, a replace", "", theme.ink, theme.moved.fill, theme.edge)
        if state in ("numbered", "replace"):
            operation = snapshot.operation if snapshot is not None else None
            hue = theme.operation(operation)
            did = "inserted, updated or copied" if carried_over is None else "inserted or updated"
            words = f"{did} by its owner: {operation or 'operation not recorded'}"
            return OwnerStyle(words, blend(hue.fill, theme.page, 0.2), theme.ink, "", hue.fill)
        return OwnerStyle("owner is not in the range", theme.band, theme.ink, "", theme.edge)


@dataclass(frozen=True, slots=True)
class OwnerStyle:
    """How an owned row is drawn, and what that means in the key."""

    words: str
    fill: str
    ink: str
    hatch: str
    stroke: str = ""

    def painter(self, sheet: Sheet) -> Callable[[Box], None]:
        """Draws a rectangle."""
        return lambda box: sheet.fills.append(
            Rectangle(box, self.fill, self.stroke or self.fill, 1.2, hatch=self.hatch)
        )


def _wanted(changelog: Changelog, drawn: list[Line]) -> float:
    """Pixels of a column in which most values have room."""
    style = Type(12, "", mono=True)
    rows = [row for line in drawn for row in line.rows] if changelog.keys else []
    told = [row for row in rows if not row.changed]
    widest = max((style.width(row.text[:40]) for row in told), default=0.0)
    arrows = 2.0 if any(row.change_type == "UPDATE_AFTER" for row in told) else 1.0
    cells = max((style.width(changed_cells.summary(row.changed)[:60]) for row in rows), default=0.0)
    copied = 90.0 if any(row.carried_over for row in rows) else 0.0
    return min(max(widest * arrows + 52 + copied, cells + 22, 180.0), 330.0)
