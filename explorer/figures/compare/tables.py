"""The schemas field by field, the columns by statistics, and the settings of both points: spec, properties, refs."""

from __future__ import annotations

from ...model import formats
from ...model.compare import words
from ...model.compare.columns import ColumnFigures, change_words, end_words, side_words
from ...model.compare.fields import FieldChange
from ...model.compare.settings import NoState, Setting
from ..page.scene import Box, Type
from ..page.text import beginnings, wrap
from .page import Cell, Page

_MOST, _MOST_COLUMNS = 16, 8  # lines of a table


def draw_schema(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    facts, theme = page.facts, page.theme
    changed = facts.fields
    same = facts.field_count - sum(field.right is not None for field in changed)
    besides = f"{formats.count(len(changed), 'field')} differ{'s' if len(changed) == 1 else ''}, {same:,} the same"
    if not changed:
        besides = f"{formats.count(facts.field_count, 'field')}, the same on both sides"
    y = page.section(top, "Schema by field id", besides)
    if not changed:
        return y - 8
    sides = [f"{letter}, schema {point.schema_id}" for letter, point in (("A", facts.left), ("B", facts.right))]
    lines = [_field(page, field) for field in changed[:_MOST]]
    y = page.table(y, ["field id", *sides, "what it means"], [0.09, 0.28, 0.28, 0.35], lines)
    return _rest(page, len(changed), y, Type(11.5, theme.ink_2))


def draw_ways(page: Page, top: float) -> float:
    """What would bring one side to main; nothing where there is no such question. The page pixel where it ends."""
    ways, theme = page.facts.ways, page.theme
    if not ways:
        return top
    hues = {"yes": theme.ok, "perhaps": theme.attention.text, "no": theme.error, "loses": theme.attention.text}
    y = page.section(top, "What can be done", "by the metadata, rows as recorded; nothing is run from here")
    lines = [
        [
            Cell(words.call(way, page.ids), Type(11.5, theme.ink, mono=True)),
            Cell((words.WORKS[way.works], way.works), Type(11.5, hues[way.works], bold=True)),
            Cell(tuple(beginnings(way.why)), Type(11.5, theme.ink)),
        ]
        for way in ways
    ]
    head = [f"to bring {words.left_behind(page.facts)} to main", "works?", "why"]
    return page.table(y, head, [0.36, 0.11, 0.53], lines) + 4


def _field(page: Page, field: FieldChange) -> list[Cell]:
    theme, mono = page.theme, Type(11.5, page.theme.ink, mono=True)
    absent = Cell(("—",), Type(11.5, theme.ink_3))
    hue = theme.changed.text
    if field.left is None:
        hue = theme.attention.text if field.reborn else theme.added.text
    elif field.right is None:
        hue = theme.removed.text
    long = words.meaning(field, page.facts)
    return [
        Cell((str(field.field_id),), Type(11.5, theme.ink)),
        *(absent if side is None else Cell((side,), mono) for side in (field.left, field.right)),
        Cell(
            (long, "old name, new id" if field.reborn else ", ".join(field.changes)), Type(11.5, hue, bold=field.reborn)
        ),
    ]


def _rest(page: Page, count: int, y: float, style: Type, *, most: int = _MOST) -> float:
    if count > most:
        page.text(20, y + 12, f"and {count - most:,} more", style)
        return y + 22
    return y


def draw_columns(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    columns, theme = page.facts.columns, page.theme
    title = "Columns, by the statistics of files"
    if isinstance(columns, str):
        return page.section(top, title, f"not told: {columns}") - 8
    changed = [column for column in columns if column.differs]
    besides = [f"{len(changed):,} of {formats.count(len(columns), 'column')} differ{'s' if len(changed) == 1 else ''}"]
    if not changed:
        besides = [f"the same nulls and bounds in {formats.count(len(columns), 'column')}", "no column differs"]
    y = page.section(top, title, f"{besides[0]}; rows that deletes hide count too", *besides)
    if not changed:
        return y - 8
    lines = [_column(page, column) for column in changed[:_MOST_COLUMNS]]
    y = page.table(y, ["column", "A", "B", "what changed"], [0.16, 0.31, 0.31, 0.22], lines)
    return _rest(page, len(changed), y, Type(11.5, theme.ink_2), most=_MOST_COLUMNS)


def _column(page: Page, of: ColumnFigures) -> list[Cell]:
    theme, absent = page.theme, Type(11.5, page.theme.ink_3)
    sides = [
        Cell(
            _shorter(side_words(side, of.field), " · ", end_words(side, other, of.field)),
            Type(11.5, theme.ink) if side is not None else absent,
        )
        for side, other in ((of.left, of.right), (of.right, of.left))
    ]
    name = Cell((of.field.path,), Type(11.5, theme.ink, mono=True))
    return [name, *sides, Cell(_shorter(change_words(of), ", "), Type(11.5, theme.changed.text))]


def _shorter(words_: str, separator: str, end: str = "") -> tuple[str, ...]:
    """The words; without that there are no nulls, which is what one expects; what differs; the first of them alone."""
    first, *more = words_.split(separator)
    rest = [separator.join(more), end] if first == "no nulls" else [f"{first}{separator}{end}" if end else ""]
    return (words_, *filter(None, rest), f"{first}{separator.rstrip()} …") if more else (words_,)


def draw_settings(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    facts, theme = page.facts, page.theme
    holes = [
        f"What the table was at {letter} beside its rows is not known. {state.reason}"
        for letter, state in zip("AB", facts.states, strict=True)
        if isinstance(state, NoState)
    ]
    n = len(facts.settings)
    besides = "not known" if holes else f"{n:,} differ{'s' if n == 1 else ''}" if n else "the same on both sides"
    y = page.section(top, "Spec, sort order, properties, refs", besides)
    for hole in holes:
        lines = wrap(hole, 12, page.width - 70)
        box = Box(20, y, page.width - 20, y + 18 + 17 * len(lines))
        page.unreadable(box, lines, Type(12, theme.ink_2))
        y = box.bottom + 8
    if facts.settings:
        head = ["what", "A", "B", "what it does"]
        y = page.table(y, head, [0.26, 0.28, 0.28, 0.18], [_setting(page, one) for one in facts.settings[:_MOST]])
        y = _rest(page, n, y, Type(11.5, theme.ink_2))
    return y if holes or facts.settings else y - 8


def _setting(page: Page, of: Setting) -> list[Cell]:
    theme, mono = page.theme, Type(11.5, page.theme.ink, mono=True)
    name = of.name if of.area == "property" else f"{of.area} {of.name}" if of.area == "ref" else of.area
    loud = of.changes_behaviour
    return [
        Cell((name,), mono if of.area == "property" else Type(11.5, theme.ink)),
        *(
            Cell((side,) if side else (_absent(of, side),), mono if side else Type(11.5, theme.ink_3))
            for side in (of.left, of.right)
        ),
        Cell(
            (words.effect(of), words.effect(of).removeprefix("changes ")),
            Type(11.5, theme.attention.text if loud else theme.ink_2, bold=loud),
        ),
    ]


def _absent(of: Setting, side: str | None) -> str:
    return "none" if side is None else "unsorted" if of.area == "sort order" else "empty"
