"""Bars of rows in a terminal: added to the right of a base line, removed or masked to the left, on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from ...model.printable import DIM, styled
from ...model.snapshot_graph.columns import carries_over, row_change
from ...model.snapshot_graph.facts import Node
from ...model.snapshot_graph.symmetric_log import SymmetricLog, even_part

_BASE = "│"
_SIGNS = {
    "added": ("█", "bright_blue"),
    "removed": ("█", "red"),
    "masked": ("▒", "red"),
    "written again, unchanged rows too": ("▓", "magenta"),
    "moved": ("░", "cyan"),
}


class Bars:
    """The bars of some commits, for a width in signs."""

    def __init__(self, nodes: Sequence[Node], width: int) -> None:
        self.width = width
        changes = [row_change(node.snapshot) for node in nodes]
        ups = [change.added or 0 for change in changes]
        downs = [rows or 0 for change in changes for rows in (change.removed, change.masked)]
        up, down = max(ups, default=0), max(downs, default=0)
        self._kinds = {kind for node in nodes for kind, _ in (*_right(node), *_left(node))}
        whole = SymmetricLog(max(up, down, 1), 1.0, even_part(filter(None, ups + downs)))
        sides = whole.length(up) + whole.length(down) or 1.0
        share = round((width - 1) * whole.length(down) / sides)
        self._left = min(max(share, 1 if down else 0), width - 2 if up else width - 1)
        self._right = width - 1 - self._left
        self._scale = SymmetricLog(whole.most, min((width - 1) / sides, width - 1), whole.even_up_to)

    def of(self, node: Node) -> Text:
        """The bars of a commit, side by side with the base line; as wide as all others."""
        left, right = Text(), Text()
        # The shorter one in front: each has its length from the base line, since lengths of a log do not add up.
        for kind, rows in sorted(_left(node), key=lambda layer: layer[1]):
            sign, style = _SIGNS[kind]
            more = self._signs(rows, self._left) - left.cell_len
            left = Text.assemble(styled(sign * more, style), left)
        for kind, rows in _right(node):
            sign, style = _SIGNS[kind]
            right = styled(sign * self._signs(rows, self._right), style)
        pad = " " * (self._left - left.cell_len), " " * (self._right - right.cell_len)
        return Text.assemble(pad[0], left, styled(_BASE, DIM), right, pad[1])

    def key(self) -> Iterator[Text]:
        """What the bars mean, of the kinds that occur."""
        how = f"symmetric log, even up to {self._scale.even_up_to:,}" if self._scale.is_log else "even scale"
        yield styled(f"bars: rows, {how}; left of {_BASE} what is gone", DIM)
        for kind, (sign, style) in _SIGNS.items():
            if kind in self._kinds:
                yield Text.assemble(styled(sign * 2, style), f" {kind}")

    def _signs(self, rows: int, most: int) -> int:
        return min(max(round(self._scale.length(rows)), 1), most) if rows else 0


def _right(node: Node) -> Iterator[tuple[str, int]]:
    added = row_change(node.snapshot).added
    if added:
        yield _written(node, "added"), added


def _left(node: Node) -> Iterator[tuple[str, int]]:
    change = row_change(node.snapshot)
    if change.removed:
        yield _written(node, "removed"), change.removed
    if change.masked:
        yield "masked", change.masked


def _written(node: Node, plainly: str) -> str:
    if node.snapshot.operation == "replace":
        return "moved"
    return "written again, unchanged rows too" if carries_over(node.snapshot) else plainly
