"""Every picture with its stories, each told once, and drawn in every way that its tests look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import product
from types import ModuleType
from typing import Any, Generic, TypeVar

import plotly.graph_objects as go

from explorer.figures.biography import draw as biography_draw
from explorer.figures.bisect import draw as bisect_draw
from explorer.figures.changelog import draw as changelog_draw
from explorer.figures.commit import draw as commit_draw
from explorer.figures.commit.contents import Contents
from explorer.figures.compare import draw as compare_draw
from explorer.figures.deletes import draw as deletes_draw
from explorer.figures.dry_run import draw as dry_run_draw
from explorer.figures.entries import draw as entries_draw
from explorer.figures.entries.rows import MOST_ENTRIES
from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.scene import Scene
from explorer.figures.page.theme import LIGHT, Theme
from explorer.figures.partitions import draw as partitions_draw
from explorer.figures.retries import draw as retries_draw
from explorer.figures.sequence_timeline import draw as sequence_timeline_draw
from explorer.figures.snapshot_graph import draw as snapshot_graph_draw
from explorer.figures.triage import draw as triage_draw
from explorer.figures.why import draw as why_draw
from explorer.model.commit.rows import CommitRows
from explorer.model.compare.facts import Comparison
from explorer.model.iceberg.commit import Commit
from explorer.model.snapshot_graph.facts import SnapshotGraph
from tests.figures import (
    biography_stories,
    bisect_stories,
    changelog_stories,
    commit_stories,
    compare_stories,
    deletes_stories,
    dry_run_stories,
    entries_stories,
    pages,
    partitions_stories,
    retries_stories,
    sequence_timeline_stories,
    snapshot_graph_stories,
    triage_stories,
    why_stories,
)
from tests.figures.pages import Place, cells, texts

Facts = TypeVar("Facts")
Way = dict[str, Any]
"""What is given to `draw` beside facts, theme and width: a view, a selection."""


class Drawings(Generic[Facts]):
    """The stories of one picture.

    Args:
        picture: the module that draws it.
        stories: by name. The first is the one that all drawings are compared with.
        ways: how a story is drawn, by its name. The first way is the whole.
        name: of the table, as the picture has it.
        apart: what must not overlap, each for itself.
        draw: from facts and theme, if not as the module has it.
    """

    def __init__(
        self,
        picture: ModuleType,
        stories: Mapping[str, Callable[[], Facts]],
        ways: Callable[[str], list[Way]],
        *,
        name: str,
        apart: Sequence[Callable[[go.Figure], list[Place]]] = (texts, cells),
        draw: Callable[..., Scene] | None = None,
    ) -> None:
        self.layers: tuple[str, ...] = picture.LAYERS
        self.stories = list(stories)
        self.ways = ways
        self.apart = apart
        self.facts = cache(lambda story: stories[story]())
        self.scene_of = lru_cache(maxsize=256)(self._scene_of)
        self.figure_of = lru_cache(maxsize=256)(self._figure_of)
        self._picture, self._name, self._draw = picture, name, draw or picture.draw

    def draw(self, facts: Facts, *, theme: Theme = LIGHT, **how: Any) -> Scene:
        """A new drawing."""
        return self._draw(facts, theme, **{"name": self._name, **how})

    def _scene_of(self, story: str, /, **how: Any) -> Scene:
        """A drawing of a story, made once."""
        return self.draw(self.facts(story), **how)

    def _figure_of(self, story: str, /, **how: Any) -> go.Figure:
        """The same as plotly draws it: not to be changed."""
        return as_plotly.figure(self.scene_of(story, **how))

    def clicks(self, scene: Scene) -> list[Any]:
        """What a click means, of every item that means something."""
        return pages.clicks(self._picture.clicked, scene)

    def opened(self, story: str) -> list[str]:
        """The whole, and what clicks on it open."""
        return ["", *sorted({c.view for c in self.clicks(self.scene_of(story)) if c.view})[:2]]

    def assert_well_drawn(self, scene: Scene) -> None:
        """It has the traces of every drawing, nothing overlaps, and a browser and an SVG can hold it."""
        figure = as_plotly.figure(scene)
        pages.assert_same_traces(self.figure_of(self.stories[0]), figure, self.layers)
        for places in self.apart:
            pages.assert_apart(places(figure), figure)
        pages.assert_safe_for_a_browser(figure)
        pages.assert_drawn_without_plotly(scene)


def windows(graph: SnapshotGraph) -> list[tuple[float, float] | None]:
    n = graph.column_count
    return [None, (-1.0, n + 1.0), (n * 0.4, n * 0.4 + 30), (n * 0.2, n * 0.2 + 300)]


def _ways_of_snapshots(story: str) -> list[Way]:
    graph = SNAPSHOT_GRAPH.facts(story)
    ids = [str(node.snapshot.snapshot_id) for node in graph.nodes]
    chosen = {"selected": ids[-1], "compared": ids[0]} if ids else {}
    return [{"window": window, **how} for how in ([chosen, {}] if ids else [{}]) for window in windows(graph)]


SNAPSHOT_GRAPH = Drawings(
    snapshot_graph_draw, snapshot_graph_stories.STORIES, _ways_of_snapshots, name="prod.sales.orders", apart=[texts]
)  # fmt: skip


def _ways_of_entries(story: str) -> list[Way]:
    """The whole, a window that begins later, and manifests opened, at the start and further down."""
    listed, views = ENTRIES.facts(story).manifests, [""]
    if listed:
        first, last = listed[0].manifest.path, listed[-1].manifest.path
        views += map(str, (Part(len(listed) // 2), Part(0, last), Part(MOST_ENTRIES, first)))
    return [{"view": view, "selected_file": "no such file"} for view in views]


ENTRIES = Drawings(entries_draw, entries_stories.STORIES, _ways_of_entries, name="prod.cdc.devices")


def _ways_of_retries(story: str) -> list[Way]:
    """The attempts of the default, the first, and the last commit, in several windows."""
    every = RETRIES.facts(story).attempts
    ids = [str(every[i].snapshot.snapshot_id) for i in (0, -1) if every]
    windowed = (
        {"chosen": chosen, "selected": "5", "view": view}
        for chosen, view in zip(ids, ("from 3 in commits", "from 7"), strict=False)
    )
    return [{"selected": "5"}, {"view": "from 2 in commits"}, *windowed]


RETRIES = Drawings(retries_draw, retries_stories.STORIES, _ways_of_retries, name="prod.cdc.devices")


def _ways_of_partitions(story: str) -> list[Way]:
    """Every measure, a window by itself, a search, what a click opens, and a selection that is there, or is not."""
    facts, views = PARTITIONS.facts(story), PARTITIONS.opened(story)
    ids = [str(s.snapshot_id) for s in facts.commits]
    half = (ids[len(ids) // 2], ids[-1]) if ids else ("1", "2")
    chosen = {"selected": half[0], "partition": tuple(facts.partitions[0]) if facts.partitions else (0, "gone")}
    elsewhere = {"selected": "12", "partition": (7, "gone"), "search": "1"}
    return [
        {**chosen, "view": views[-1]},
        {**elsewhere, "measure": "bytes"},
        {**chosen, "window": half, "measure": "data files"},
        {"window": half, "zoomed": True, "measure": "delete files", "view": views[-1]},
    ]


PARTITIONS = Drawings(
    partitions_draw, partitions_stories.STORIES, _ways_of_partitions, name="lake.shop.orders", apart=[texts]
)  # fmt: skip


def _ways_of_deletes(story: str) -> list[Way]:
    found, views = DELETES.facts(story), DELETES.opened(story)
    chosen = {
        "selected_delete": found.deletes[-1].file.key if found.deletes else ("gone", None),
        "selected_file": found.data_files[-1].file.file_path if found.data_files else None,
    }
    return [{"view": view, **how} for how in (chosen, {}) for view in views]


DELETES = Drawings(deletes_draw, deletes_stories.STORIES, _ways_of_deletes, name="prod.cdc.users")


def _ways_of_changelogs(story: str) -> list[Way]:
    return [{"view": view, "selected": "12"} for view in CHANGELOG.opened(story)]


CHANGELOG = Drawings(
    changelog_draw, changelog_stories.STORIES, _ways_of_changelogs, name="prod.sales.orders", apart=[texts]
)  # fmt: skip


def _tell_commit(story: str) -> tuple[Commit, CommitRows]:
    work = commit_stories.STORIES[story]()
    return work.commit(), commit_stories.rows_of(story, work)


def _draw_commit(facts: tuple[Commit, CommitRows], theme: Theme, *, read: bool = True, **how: Any) -> Scene:
    return commit_draw.draw(facts[0], facts[1] if read else None, theme, **how)


def _ways_of_commits(story: str) -> list[Way]:
    """The whole, the first partition opened, and what a fold opens; with its rows read and without."""
    keys, views = Contents(*COMMIT.facts(story), Part()).keys, [""]
    if keys:
        views += [str(Part.of_partition(*keys[0])), str(Part(len(keys) // 2))]
    return [{"read": read, "view": v, "selected_file": "no such file"} for read, v in product((True, False), views)]


COMMIT = Drawings(
    commit_draw,
    {story: partial(_tell_commit, story) for story in commit_stories.STORIES},
    _ways_of_commits,
    name="prod.sales.orders",
    apart=[texts],
    draw=_draw_commit,
)


def _draw_comparison(facts: Comparison, theme: Theme, *, name: str, **how: Any) -> Scene:
    """A comparison knows the names of its tables."""
    return compare_draw.draw(facts, theme, **how)


def _ways_of_comparisons(story: str) -> list[Way]:
    """Both ends and a snapshot elsewhere selected, and the partitions further down."""
    facts = COMPARE.facts(story)
    views = COMPARE.opened(story)
    ids = [str(point.snapshot.snapshot_id) for point in (facts.left, facts.right)]
    return [{"selected": "77"}, *({"view": view, "selected": ids[i % 2]} for i, view in enumerate(views))]


COMPARE = Drawings(
    compare_draw, compare_stories.STORIES, _ways_of_comparisons, name="lake.shop.orders", draw=_draw_comparison
)  # fmt: skip


def _ways_of_timelines(story: str) -> list[Way]:
    """By number and by time, with and without a file selected, and the sums further down."""
    chosen = sequence_timeline_stories.SELECTED.get(story)
    more: Way = {"view": "from 12"} if chosen is None else {"selected_file": chosen}
    axes: tuple[Way, ...] = ({}, {"axis": "commit time"})
    return [{"selected": "12", **how, **axis} for how in (more, {}) for axis in axes]


SEQUENCE_TIMELINE = Drawings(
    sequence_timeline_draw, sequence_timeline_stories.STORIES, _ways_of_timelines, name="prod.cdc.users", apart=[texts]
)  # fmt: skip

WHY = Drawings(
    why_draw, why_stories.STORIES, lambda _: [{"selected_file": "data-bob"}, {}], name="db.people"
)  # fmt: skip


def _ways_of_biographies(story: str) -> list[Way]:
    """The whole, parts of it, and with a commit and a file selected that it has or has not."""
    views: list[Way] = [{"view": view} for view in BIOGRAPHY.opened(story)]
    return [*views, {"selected": "3", "selected_file": "s3://t/data/b.parquet"}, {"selected": "9999"}]


BIOGRAPHY = Drawings(biography_draw, biography_stories.STORIES, _ways_of_biographies, name="lake.shop.orders")

TRIAGE = Drawings(
    triage_draw,
    triage_stories.STORIES,
    lambda _: [{"selected": "file-listed-twice"}, {"selected": "orphan-files"}, {}],
    name="lake.shop.orders",
)


def _ways_of_bisections(story: str) -> list[Way]:
    """Nothing selected, a commit with a column, one that is folded or is not, and one elsewhere."""
    snapshots = BISECT.facts(story).snapshots
    return [
        {},
        *({"selected": str(snapshots[place].snapshot_id)} for place in (0, len(snapshots) // 2)),
        {"selected": "7"},
    ]


BISECT = Drawings(bisect_draw, bisect_stories.STORIES, _ways_of_bisections, name="lake.shop.orders")


def _ways_of_dry_runs(_: str) -> list[Way]:
    return [{"selected": "s3://lake/orders/data/1.parquet"}, {}]


DRY_RUN = Drawings(dry_run_draw, dry_run_stories.STORIES, _ways_of_dry_runs, name="lake.shop.orders")

PICTURES: dict[str, Drawings[Any]] = {
    "snapshot graph": SNAPSHOT_GRAPH,
    "entries": ENTRIES,
    "retries": RETRIES,
    "partitions": PARTITIONS,
    "deletes": DELETES,
    "changelog": CHANGELOG,
    "commit": COMMIT,
    "compare": COMPARE,
    "sequence timeline": SEQUENCE_TIMELINE,
    "why": WHY,
    "biography": BIOGRAPHY,
    "triage": TRIAGE,
    "bisect": BISECT,
    "dry run": DRY_RUN,
}
