from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest
from ipywidgets import Widget

from explorer.widgets.live_figure import LiveFigure


def figure(*ys: float, title: str = "a") -> go.Figure:
    return go.Figure([go.Scatter(y=list(ys)), go.Bar(y=[1])], {"title": {"text": title}, "shapes": [{"type": "line"}]})


def test_the_first_message_to_the_browser_holds_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[dict[str, Any]] = []
    open_channel = Widget.open

    def watch(widget: Widget) -> None:
        opened.append(widget.get_state())
        open_channel(widget)

    monkeypatch.setattr(Widget, "open", watch)
    LiveFigure(figure(1, 2))
    state = next(state for state in opened if "_widget_data" in state)
    assert [trace["y"] for trace in state["_widget_data"]] == [[1, 2], [1]]
    assert state["_widget_layout"]["title"] == {"text": "a"}


def test_what_is_shown_next_replaces_what_was_shown() -> None:
    live = LiveFigure(figure(1, 2))
    live.show(figure(3, 4, 5, title="b"))
    assert list(live.widget.data[0].y) == [3, 4, 5]
    assert live.widget.layout.title.text == "b"
    live.change({1: {"y": [7]}}, {"visible": False})
    assert list(live.widget.data[1].y) == [7]
    assert live.widget.layout.shapes[0].visible is False
    live.show(figure(3, 4, 5, title="b"))
    assert list(live.widget.data[1].y) == [1], "a change is known when the next figure is compared"
    assert live.widget.layout.shapes[0].visible is None


def test_traces_of_another_kind_are_refused() -> None:
    live = LiveFigure(figure(1))
    with pytest.raises(ValueError, match="number, type and order"):
        live.show(go.Figure([go.Bar(y=[1]), go.Scatter(y=[1])]))
