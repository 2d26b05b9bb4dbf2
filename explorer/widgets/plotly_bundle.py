"""Plotly's JavaScript, 5 MB, which a page gets once from each kernel and not with every figure."""

from __future__ import annotations

import hashlib
import re
import threading
from functools import cache
from pathlib import Path

import anywidget
import plotly.graph_objects as go
from traitlets import Unicode


def moving_images_alone(bundle: str) -> str:
    """Plotly's JavaScript, without a mark that it sets on what Python changes of a layout, so as not to send it back.

    The mark is no property of a layout that plotly.js knows, and for one that it does not know it draws everything
    again; without it an image moves in 2 ms. A bundle that is written otherwise stays as it is, and slow.
    """
    return re.sub(r"(=\w+\.relayout_data;)\w+\._doNotReportToPy=!0,", r"\1", bundle)


@cache
def _code() -> str:
    return moving_images_alone(str(go.FigureWidget._esm))


@cache
def _version() -> str:
    return hashlib.sha256(_code().encode()).hexdigest()[:16]


class PlotlyBundle(anywidget.AnyWidget):
    """A widget without a view that carries the code; figures of the page wait for it. See `of_this_kernel`."""

    _esm = Path(__file__).parent / "plotly_bundle.js"

    code = Unicode().tag(sync=True)
    """A JavaScript module: what plotly's own FigureWidget has as `_esm`, apart from `moving_images_alone`."""

    version = Unicode().tag(sync=True)
    """Names the code, so that kernels with the same share it and kernels with another one do not."""

    def __init__(self) -> None:
        super().__init__(code=_code(), version=_version())


_one_at_a_time = threading.Lock()
_open: PlotlyBundle | None = None


def of_this_kernel() -> PlotlyBundle:
    """The one that this kernel has sent; it is sent again only if it was closed, as `Widget.close_all` does."""
    global _open
    with _one_at_a_time:
        if _open is None or _open.comm is None:
            _open = PlotlyBundle()
        return _open
