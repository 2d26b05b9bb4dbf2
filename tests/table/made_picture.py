"""A picture of rows that a test makes, of which nothing but the rows can be asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any, Literal

import pandas as pd

from explorer.table.asked import Asked
from explorer.table.picture import Picture


class MadePicture(Picture[None]):
    """Rows as `read` gives them; `there_are` so many, where that is known."""

    name = "made"

    def __init__(
        self, read: Callable[[], pd.DataFrame], first: Literal["top", "bottom"] = "top", there_are: int | None = None
    ) -> None:
        version: Any = SimpleNamespace(asked=Asked())  # no table is asked
        super().__init__(version)
        self._made, self._there_are = read, there_are
        self.first = first

    def _asking(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _read(self) -> None:
        return None

    def _title(self, _: None) -> str:
        return "made"

    def _rows(self, _: None) -> pd.DataFrame:
        return self._made()

    def _sql(self) -> str:
        return ""

    def _notes(self, _: None) -> list[Any]:
        return []

    def _count(self, _: None) -> int | None:
        return self._there_are
