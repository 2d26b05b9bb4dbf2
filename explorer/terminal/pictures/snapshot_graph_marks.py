"""The marks of commits in a terminal: a sign for each operation, hollow for what is staged, and its colour."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from ...model.printable import styled
from ...model.snapshot_graph.facts import Node

_SOLID = {"append": "●", "overwrite": "■", "delete": "▼", "replace": "◆"}
_HOLLOW = {"append": "○", "overwrite": "□", "delete": "▽", "replace": "◇"}
_NO_OPERATION = "⬢", "⬡"
# The terminal's own sixteen colours: they are readable on the person's own background.
_COLOUR = {"append": "bright_blue", "overwrite": "magenta", "delete": "red", "replace": "cyan"}


def mark(node: Node) -> Text:
    """The sign of a commit, in its colour."""
    is_staged = node.state == "staged"
    signs = _HOLLOW if is_staged else _SOLID
    return styled(signs.get(node.snapshot.operation or "", _NO_OPERATION[is_staged]), style(node))


def style(node: Node) -> str:
    """The colour of a commit's operation, dim where no ref keeps the commit."""
    colour = _COLOUR.get(node.snapshot.operation or "", "default")
    return f"dim {colour}" if node.state in ("rolled back", "unreferenced") else colour


def key(nodes: Iterable[Node]) -> list[Text]:
    """What the signs mean, those that occur."""
    found = {(node.snapshot.operation, node.state == "staged") for node in nodes}
    operations = {operation for operation, _ in found}
    parts = [styled(f"{_SOLID[known]} {known}  ", _COLOUR[known]) for known in _SOLID if known in operations]
    if operations - _SOLID.keys():
        parts.append(styled(f"{_NO_OPERATION[0]} another  "))
    if any(is_staged for _, is_staged in found):
        parts.append(styled("hollow: staged"))
    return parts
