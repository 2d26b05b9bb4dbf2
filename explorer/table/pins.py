"""What a person saw in the explorer and keeps for a report: the picture as it was drawn, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..figures.compare import draw as compare
from ..figures.page.scene import Areas, Bars, Checklist, Rectangles, Scene, Signs, Targets, Text, Texts
from ..figures.page.still import still
from ..model.bisect.facts import Bisection
from ..model.compare.facts import Comparison
from ..model.evidence import Note
from ..model.triage.facts import Triage
from ..model.words import partition_fields
from .report_writer import Writer

if TYPE_CHECKING:
    from .picture import Picture

_OF_ROWS = ("changelog", "biography", "why")
LEFT_OUT = "This picture shows values of rows, which were not asked for; it is left out."


@dataclass(frozen=True)
class Pin:
    """Something that was seen.

    Attributes:
        name: of the picture.
        title, in_words: its finding, and all that it says in sentences.
        scene: as it was drawn, what was selected in it marked.
        without_bounds: the same without the bounds of columns, which are values of rows.
        sql, notes: of the picture.
        pinned_at: when (UTC).
        values: values of partitions that stand in it; fields: the names of partition fields.
        shows_rows: whether values of rows stand in it.
        triage, check: of the checks of a table what they say, and the name of the one that was opened; None and empty
            of other pictures, empty if none was.
    """

    name: str
    title: str
    in_words: str
    scene: Scene
    without_bounds: Scene
    sql: str
    notes: tuple[Note, ...]
    pinned_at: datetime
    values: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    shows_rows: bool = False
    triage: Triage | None = None
    check: str = ""

    @property
    def label(self) -> str:
        """What it is called in a list: the finding that was opened, else the title."""
        opened = (
            next((c.finding for c in self.triage.found if c.signature.name == self.check), None)
            if self.triage
            else None
        )
        return opened.title if opened is not None else self.title

    def drawn(self, write: Writer) -> Scene | None:
        """The drawing with what may stand in it; None if it cannot be told without values of rows."""
        if write.with_values:
            return self.scene
        return None if self.shows_rows else _without_values(self.without_bounds, write)


def pin(picture: Picture[Any], scene: Scene, check: str = "") -> Pin:
    """What is to be kept of a picture that was read.

    Args:
        picture: what was asked.
        scene: as it is drawn now.
        check: of the checks of a table the one that is opened.
    """
    facts = picture.facts
    partitions = _partitions(picture)
    return Pin(
        name=picture.name,
        title=picture.title,
        in_words=scene.in_words,
        scene=still(scene),
        without_bounds=still(_without_bounds(scene, facts)),
        sql=picture.sql,
        notes=picture.notes,
        pinned_at=datetime.now(UTC),
        values=frozenset(value for of in partitions for _, value in of),
        fields=frozenset(name for of in partitions for name, _ in of),
        shows_rows=_shows_rows(picture.name, facts),
        triage=facts if isinstance(facts, Triage) else None,
        check=check,
    )


def _without_bounds(scene: Scene, facts: object) -> Scene:
    if not isinstance(facts, Comparison) or isinstance(facts.columns, str):
        return scene
    told = replace(facts, columns="bounds are values of rows, which were not asked for")
    return compare.draw(told, scene.theme, width=scene.width, view=scene.meta["view"])


def _partitions(picture: Picture[Any]) -> Iterable[list[tuple[str, str]]]:
    if "partition" not in picture.data.columns:
        return []
    return [partition_fields(str(one)) for one in picture.data["partition"].dropna().unique()]


def _shows_rows(name: str, facts: object) -> bool:
    """Whether values of rows stand in the drawing: all but counts and truths in answers are such values."""
    if isinstance(facts, Bisection):
        answers = (read.answer.value for read in facts.reads)
        return not all(value is None or value in ("true", "false") or _is_number(value) for value in answers)
    if isinstance(facts, Comparison):
        return facts.rows is not None and bool(facts.rows.sample)
    return name in _OF_ROWS


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _without_values(scene: Scene, write: Writer) -> Scene:
    """The scene with every word of it as the writer would have it."""
    selection = replace(scene.selection, layers=tuple(_layer(layer, write) for layer in scene.selection.layers))
    told = write.plain(scene.summary), tuple(map(write.plain, scene.account))
    drawn = tuple(_layer(layer, write) for layer in scene.drawn)
    return replace(scene, summary=told[0], account=told[1], drawn=drawn, selection=selection)


def _layer(layer: Any, write: Writer) -> Any:
    match layer:
        case Texts() | Checklist():
            return replace(layer, items=tuple(_text(text, write) for text in layer.items))
        case Signs():
            signs = (s._replace(words=write.plain(s.words), hover=write.plain(s.hover)) for s in layer.items)
            return replace(layer, items=tuple(signs))
        case Rectangles() | Bars() | Areas() | Targets():
            of: Any = layer
            return replace(of, items=tuple(item._replace(hover=write.hover(item.hover)) for item in of.items))
    return layer


def _text(text: Text, write: Writer) -> Text:
    return text._replace(spans=tuple(span._replace(words=write.plain(span.words)) for span in text.spans))
