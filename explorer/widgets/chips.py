"""What is selected, in one line that is always there: a chip with ✕ for what is, then a ghost for what could be."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets as w

from ..figures.page.names import file_names
from ..model.iceberg.relation import relation
from ..model.snapshot_graph import words as snapshot_graph_words
from ..model.snapshot_graph.facts import Node, SnapshotGraph
from ..model.words import partition_name
from .files import key_of
from .markup import text
from .state import ExplorerState


class Chips(w.HTML):
    """The chips of a state, told anew by `show`."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("iceberg-chips")

    def show(self, state: ExplorerState, graph: SnapshotGraph) -> None:
        """Tell what is selected of a table whose snapshots are those of `graph`."""
        told = [*_snapshots(state, graph), *_others(state, graph)]
        chips = [one for one in told if "data-act" in one]
        ghosts = "".join(one for one in told if one not in chips)
        clear = _dropping("all", "Clear all", "Select nothing (Esc)") if chips else ""
        self.value = "".join(("<span>Selected</span>", *chips, f'<span class="iceberg-ghosts">{ghosts}</span>', clear))


def lettered(state: ExplorerState, graph: SnapshotGraph) -> list[tuple[str, Node]]:
    """The selected snapshots, A before B, as Compare tells them; no letter for one that it compares with nothing.

    Untold, A is the ancestor; of two that diverged, the one with the lower number.
    """
    selected, compared = graph.find(state.snapshot), graph.find(state.compared)
    if selected is None:
        return []
    nodes = [selected] if compared is None else [selected, compared]
    if compared is not None and not state.told:
        told = relation(graph.metadata, selected.snapshot.snapshot_id, compared.snapshot.snapshot_id, graph.forest)
        nodes = [graph.by_id[of.snapshot_id] for of in (told.left, told.right)]
    order = state.told or tuple(str(node.snapshot.snapshot_id) for node in nodes)
    letters = dict(zip(order, "AB", strict=False))
    found = [(letters.get(str(node.snapshot.snapshot_id), ""), node) for node in nodes]
    return sorted(found, key=lambda of: of[0] or "C")


def _snapshots(state: ExplorerState, graph: SnapshotGraph) -> Iterator[str]:
    found = lettered(state, graph)
    for letter, node in found:
        trait = "snapshot" if str(node.snapshot.snapshot_id) == state.snapshot else "compared"
        number, name = snapshot_graph_words.label(graph, node), snapshot_graph_words.name(graph, node)
        yield _chip(trait, number, letter=letter, besides=name.removeprefix(number))
    ghosts = ("A: click a commit", "B: shift-click another")
    if state.told:  # what Compare shows by itself has its letters already
        ghosts = ("click a commit", "shift-click another")
    yield from map(_ghost, ghosts[len(found) :])


def _others(state: ExplorerState, graph: SnapshotGraph) -> Iterator[str]:
    yield (_chip("partition", partition_name(*state.partition)) if state.partition is not None else _ghost("partition"))
    yield _chip("condition", state.condition) if state.condition else _ghost("row")
    ends = [node for node in map(graph.find, state.window or ()) if node is not None]
    if len(ends) == 2:
        yield _chip("window", "commits " + " to ".join(snapshot_graph_words.label(graph, node) for node in ends))
    else:
        yield _ghost("window of commits")
    if state.key:
        yield _chip("key", f"row key {state.key}")
    short = file_names(key_of(key) for key in (state.file, state.delete) if key)
    for trait in ("file", "delete"):
        if key := getattr(state, trait):
            yield _chip(trait, f"{trait} {short[key_of(key)]}")


def _chip(trait: str, words: str, *, letter: str = "", besides: str = "") -> str:
    """Where there is little room `besides`, the rest of the words, is what is cut."""
    hollow = " iceberg-hollow" if letter == "B" else ""
    disc = f'<b class="iceberg-disc{hollow}">{letter}</b>' if letter else ""
    whole = text(words + besides)
    drop = f'<button data-act="drop" data-value="{trait}" title="Let go of this" aria-label="Let go of {whole}">✕'
    point = " iceberg-point" if besides else ""
    told = f"<span>{text(words)}</span>{f'<i>{text(besides)}</i>' if besides else ''}"
    return f'<span class="iceberg-chip{point}" title="{whole}">{disc}{told}{drop}</button></span>'


def _ghost(words: str) -> str:
    return f'<span class="iceberg-ghost">{text(words)}</span>'


def _dropping(value: str, label: str, tip: str) -> str:
    asks = f'data-act="drop" data-value="{value}" title="{tip}"'
    return f'<button class="iceberg-copy iceberg-clear" {asks}>{label}</button>'
