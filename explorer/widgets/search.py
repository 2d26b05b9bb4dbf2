"""One field that finds a commit, a time, a partition, a file or a row, and goes there."""

from __future__ import annotations

import json
from collections.abc import Iterable

import ipywidgets as w

from ..model.search.facts import Found
from ..table import Table
from ..table.search import NothingFound
from .actions import perform
from .activity import Activity
from .files import file_key
from .markup import action, text
from .state import ExplorerState

_TOPIC = "search"
_OFFERED = 4  # other meanings, or near ones, for which there is room in a line
_TIP = "A number, id, branch, tag, date, partition, file name, or a condition on rows such as {} = 5; Enter goes there"


class Search(w.HTML):
    """A field; `/` leads there. What was found, or what is near, is said in the line of what is being read.

    The field is the page's own, which sends its text with Enter: that of a text widget may come after the key.
    """

    def __init__(self, table: Table, state: ExplorerState, activity: Activity) -> None:
        column = _number_column(table)
        hint = f"Go to: 6, tag, date, {column} = 5"
        tip = text(_TIP.format(column))
        super().__init__(f'<input type="search" aria-label="Go to" placeholder="{hint}" title="{tip}">')
        self.add_class("iceberg-search")
        self._table, self._state, self._activity = table, state, activity

    def look_for(self, asked: str) -> None:
        """Find what a person typed, and go there."""
        asked, table = asked.strip(), self._table
        if not asked:
            return

        def find() -> Found | NothingFound:
            try:
                return table.find(asked)
            except NothingFound as nothing:
                return nothing

        self._activity.ask(_TOPIC, find, self._found, label=f"Looking for {asked}")

    def _found(self, found: Found | NothingFound) -> None:
        if isinstance(found, NothingFound):
            near = _offers(" Nearest:", found.nearest, 0)  # before what may be too long for the line
            why = " ".join(filter(None, (found.found, "" if near else found.next_step)))
            self._activity.say(f'<span title="{text(why)}"><b>{text(found.what)}</b>{near} {text(why)}</span>')
            return
        perform(self._state, *_step(found))
        self._activity.say(f"{text(_as(found))}{_offers('; or', found.others, found.more)}")


def _number_column(table: Table) -> str:
    """The first column of the table that an example can compare with a number."""
    metadata = table.metadata
    columns = metadata.schemas.get(metadata.current_schema_id or 0, ())
    return next((c.path for c in columns if c.type in ("int", "long") and c.path.isidentifier()), "id")


def _as(found: Found) -> str:
    return f"Found by {found.kind}: {found.words}"


def _offers(lead: str, others: Iterable[Found], more: int) -> str:
    """Buttons that go to something else."""
    offered = list(others)
    # Of each what names it: the line has room for few words, and its panel tells the rest.
    buttons = "".join(action(*_step(other), other.words.partition(", ")[0]) for other in offered[:_OFFERED])
    left = len(offered) + more - _OFFERED
    rest = f" and {left:,} more" if left > 0 else ""
    return f"{lead} {buttons}{rest}" if buttons else ""


def _step(found: Found) -> tuple[str, str]:
    """The act that goes to what was found, and its value."""
    if found.snapshot_id is not None:
        return "seek", str(found.snapshot_id)
    if found.condition is not None:
        return "row", found.condition
    if found.partition is not None:
        return "partition", json.dumps(found.partition)
    return "file", file_key(found.file_path or "", found.content_offset)
