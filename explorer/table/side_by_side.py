"""Two tables next to each other, what a commit of each rewrote or their changelogs: one finding, key and scale."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Generic, TypeVar

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..figures.changelog.draw import draw_side_by_side
from ..figures.page import svg
from ..figures.page.scene import Scene
from ..figures.page.theme import LIGHT, Theme
from ..figures.side_by_side.draw import BOTH_WIDTH
from ..figures.side_by_side.draw import draw as draw_commits
from ..model.changelog import words as changelog_words
from ..model.changelog.facts import Changelog
from ..model.commit import beside as commit_words
from ..model.commit.facts import CommitFacts
from ..model.evidence import Note
from .picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from . import Table

Facts = TypeVar("Facts")

_WINDOW = 1400  # pixels of a browser's window in which the cell of a notebook has room for both beside each other


class SideBySide(Picture[tuple[Facts, Facts]], Generic[Facts]):
    """Two answers of one kind. `.facts` are both of them; `.data` has the rows of both, and whose: `_table`.

    Args:
        left: of the first table.
        right: of the second one.
        names: what to call the tables.
    """

    name = "side_by_side"
    width = BOTH_WIDTH

    def __init__(self, left: Picture[Facts], right: Picture[Facts], names: tuple[str, str]) -> None:
        super().__init__(left._version)
        self._sides, self._names = (left, right), names

    def _reading(self) -> AbstractContextManager[None]:
        return nullcontext()  # each side asks its own catalog of a failure

    _asking = _reading

    def _read(self) -> tuple[Facts, Facts]:
        left, right = self._sides
        return left.facts, right.facts

    def _rows(self, _: tuple[Facts, Facts]) -> pd.DataFrame:
        import pandas as pd

        rows = [side.data.copy() for side in self._sides]
        for of, name in zip(rows, self._names, strict=True):
            of.insert(0, "_table", pd.Series(name, index=of.index, dtype="string"))
        return pd.concat(rows, ignore_index=True)

    def _all_rows(self, _: tuple[Facts, Facts]) -> DataFrame:
        left, right = (
            side.frame.select(F.lit(name).alias("_table"), "*")
            for side, name in zip(self._sides, self._names, strict=True)
        )
        return left.unionByName(right, allowMissingColumns=True)

    def _count(self, _: tuple[Facts, Facts]) -> int | None:
        return sum(side.row_count for side in self._sides)

    def _sql(self) -> str:
        if not all(side.sql for side in self._sides):
            return ""
        return ";\n\n".join(f"-- {name}\n{side.sql}" for side, name in zip(self._sides, self._names, strict=True))

    def _notes(self, _: tuple[Facts, Facts]) -> list[Note]:
        shared = set(self._sides[0].notes) & set(self._sides[1].notes)
        own = [
            Note(note.certainty, f"{name}: {note.about}", note.reason)
            for side, name in zip(self._sides, self._names, strict=True)
            for note in side.notes
            if note not in shared
        ]
        return [*(note for note in self._sides[0].notes if note in shared), *own]

    def _in_window(self, image: str) -> str:
        wide = f'<source media="(min-width: {_WINDOW}px)" srcset="{svg.to_data_uri(self.still(LIGHT))}">'
        return f"<picture>{wide}{image}</picture>"


class CommitsSideBySide(SideBySide[CommitFacts]):
    """What a commit of each table rewrote, and which rows it carried along."""

    def _title(self, facts: tuple[CommitFacts, CommitFacts]) -> str:
        return commit_words.title(*facts, self._names)

    def _draw(self, facts: tuple[CommitFacts, CommitFacts], theme: Theme, width: int) -> Scene:
        return draw_commits(*facts, theme, names=self._names, width=width)


class ChangelogsSideBySide(SideBySide[Changelog]):
    """What happened to the rows of each table, of all commits of `main`."""

    def _title(self, facts: tuple[Changelog, Changelog]) -> str:
        return changelog_words.beside_title(*facts, self._names)

    def _draw(self, facts: tuple[Changelog, Changelog], theme: Theme, width: int) -> Scene:
        return draw_side_by_side(*facts, theme, names=self._names, width=width)


def commits_side_by_side(
    tables: Sequence[Table],
    points: tuple[int | str, int | str],
    names: tuple[str, str],
    identifier_columns: Sequence[str] | None,
) -> CommitsSideBySide:
    """A commit of each of two tables, as `Table.commit` tells it with its rows."""
    left, right = (
        table.commit(point, rows=True, identifier_columns=identifier_columns)
        for table, point in zip(tables, points, strict=True)
    )
    return CommitsSideBySide(left, right, names)


def short_names(left: str, right: str) -> tuple[str, str]:
    """The last parts of two tables' names, where these tell them apart; else the names as they are."""
    last = tuple(name if "/" in name else name.rpartition(".")[2] for name in (left, right))
    return (last[0], last[1]) if last[0] != last[1] else (left, right)
