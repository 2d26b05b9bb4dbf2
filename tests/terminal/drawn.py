"""Reading a drawn log back, by following its lines with a finger: which snapshot hangs on which."""

from __future__ import annotations

SYMBOLS = set("●■▼◆⬢○□▽◇⬡")
RAILS = set("│├╭┴┼╯─┆ ")


def parents(rows: list[str]) -> list[tuple[str, int | None]]:
    """For each snapshot, top down: its own row, and the place in this list of the one that its line leads to."""
    found: list[tuple[str, int | None]] = []
    leads: dict[int, int] = {}
    lines: dict[int, set[int]] = {}  # by column: the snapshots whose line passes there
    for row in rows:
        cells = cells_of(row)
        if any(cell in "├╭" for cell in cells):
            start = next(column for column, cell in enumerate(cells) if cell in "├╭")
            for column, cell in enumerate(cells):
                if cell in "┴╯":
                    lines.setdefault(start, set()).update(lines.pop(column))
            continue
        own = next((column for column, cell in enumerate(cells) if cell in SYMBOLS), None)
        if own is not None:
            for child in lines.pop(own, set()):
                leads[child] = len(found)
            lines[own] = {len(found)}
            found.append((row, None))
        for column in [column for column in lines if column != own]:
            if column >= len(cells) or cells[column] != "│":
                lines.pop(column)  # its line has ended
    return [(row, leads.get(place)) for place, (row, _) in enumerate(found)]


def cells_of(row: str) -> list[str]:
    """The signs in the columns of the rails; the text behind them begins where another sign stands."""
    cells = []
    for at in range(0, len(row), 2):
        if row[at] not in RAILS | SYMBOLS or (at + 1 < len(row) and row[at + 1] not in " ─"):
            break
        cells.append(row[at])
    return cells
