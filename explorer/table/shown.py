"""What of a picture, and of the table that was asked, goes into a file."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from ..figures.page.scene import Scene
from ..figures.page.theme import Theme
from ..model.evidence import Note
from ..model.iceberg.metadata import TableMetadata

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


class Shown(Protocol):
    """Of a picture, as `Picture` tells it."""

    name: str
    width: int
    first: Literal["top", "bottom"]

    @property
    def title(self) -> str:
        """The finding."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """How sure it is."""

    @property
    def data(self) -> pd.DataFrame:
        """The rows."""

    @property
    def sql(self) -> str:
        """SQL that gives them."""

    @property
    def scene(self) -> Scene:
        """The drawing in light colours."""

    @property
    def figure(self) -> go.Figure:
        """The figure in light colours."""

    def shown(self, limit: int | None) -> pd.DataFrame:
        """At most so many rows."""

    def still(self, theme: Theme, width: int) -> Scene:
        """The drawing in the colours of a theme, for a place where nothing answers a click; `width` in pixels."""


class Asked(Protocol):
    """Of a table, as `Table` tells it."""

    @property
    def name(self) -> str:
        """How it was asked for."""

    @property
    def metadata_location(self) -> str:
        """Which metadata file was read."""

    @property
    def metadata(self) -> TableMetadata:
        """That file as a value."""

    @property
    def read_at(self) -> datetime:
        """When (UTC)."""
