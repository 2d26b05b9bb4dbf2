from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest
from ipywidgets import Widget

from explorer.figures.page import layers
from explorer.figures.page.canvas import Box
from explorer.figures.page.hits import halo, ring
from explorer.figures.page.theme import LIGHT
from explorer.widgets.live_figure import LiveFigure, moving_images_alone

AXIS = {"visible": False, "range": [0, 100]}
BOX, ELSEWHERE = Box(10, 20, 30, 40), Box(60, 20, 80, 40)


def figure(*ys: float, title: str = "a", selected: Box | None = None) -> go.Figure:
    marked = {"name": "ring", **ring([selected] if selected else [], LIGHT)}
    page = {"width": 100, "height": 100, "xaxis": AXIS, "yaxis": AXIS, "shapes": [halo(selected, LIGHT)]}
    return go.Figure([go.Scatter(y=list(ys)), go.Bar(y=[1]), marked], {"title": {"text": title}, **page})


def seen(live: LiveFigure) -> list[dict[str, Any]]:
    return [image.to_plotly_json() for image in live.widget.layout.images]


def test_the_first_message_to_the_browser_holds_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[dict[str, Any]] = []
    open_channel = Widget.open

    def watch(widget: Widget) -> None:
        opened.append(widget.get_state())
        open_channel(widget)

    monkeypatch.setattr(Widget, "open", watch)
    LiveFigure(figure(1, 2))
    state = next(state for state in opened if "_widget_data" in state)
    assert [trace["y"] for trace in state["_widget_data"]] == [[1, 2], [1], []]
    assert state["_widget_layout"]["title"] == {"text": "a"}


def test_what_is_shown_next_replaces_what_was_shown() -> None:
    live = LiveFigure(figure(1, 2))
    live.show(figure(3, 4, 5, title="b"))
    assert list(live.widget.data[0].y) == [3, 4, 5]
    assert live.widget.layout.title.text == "b"
    live.change({1: {"y": [7]}}, halo(None, LIGHT))
    assert list(live.widget.data[1].y) == [7]
    live.show(figure(3, 4, 5, title="b"))
    assert list(live.widget.data[1].y) == [1], "a change is known when the next figure is compared"


def test_a_selection_moves_images_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveFigure(figure(1, 2, selected=BOX))
    assert seen(live) == layers.spec(live.figure)["layout"]["images"]
    assert not live.widget.data[2].x
    assert live.widget.layout.shapes[0].visible is False
    sent: list[dict[str, Any]] = []
    for send in ("_send_update_msg", "_send_restyle_msg"):
        monkeypatch.setattr(live.widget, send, lambda *_, **message: sent.append(message))
    monkeypatch.setattr(live.widget, "_send_relayout_msg", lambda data, **_: sent.append(data))
    for selected in (ELSEWHERE, None, BOX):
        live.change({2: ring([selected] if selected else [], LIGHT)}, halo(selected, LIGHT))
        assert live.figure == figure(1, 2, selected=selected)
        assert [seen(live)[i]["visible"] for i in (0, 3)] == [selected is not None] * 2
        (message,) = sent
        assert {key.split("[")[0] for key in message} == {"images"}, "which plotly moves without a new drawing"
        sent.clear()
    assert seen(live) == layers.spec(live.figure)["layout"]["images"]
    live.change({2: ring([BOX], LIGHT)}, halo(BOX, LIGHT))
    assert not sent, "what is shown already is not sent again"


def test_the_mark_that_draws_everything_again_is_cut_out_of_plotlys_bundle() -> None:
    bundle = str(go.FigureWidget._esm)
    cut = moving_images_alone(bundle)
    assert cut.count("_doNotReportToPy") == bundle.count("_doNotReportToPy") - 1
    assert str(LiveFigure(figure(1)).widget._esm) == cut
    assert moving_images_alone("written otherwise") == "written otherwise"


def test_traces_of_another_kind_are_refused() -> None:
    live = LiveFigure(figure(1))
    with pytest.raises(ValueError, match="number, type and order"):
        live.show(go.Figure([go.Bar(y=[1]), go.Scatter(y=[1]), go.Bar(y=[1])]))
