"""A picture as a file, of the kind that its name ends in."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import pyarrow as pa

from ..errors import ExplorerError
from ..figures.page import svg
from .export import to_csv, to_json
from .shown import Asked, Shown
from .web_page import to_html


def save(table: Asked, picture: Shown, path: Path) -> Path:
    """Write a picture of a table; arguments, result and errors as of `Picture.save`."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise ExplorerError(
            f"{path} cannot be saved.",
            found=f"Its name ends in {path.suffix}, which is no kind that there is." if kind else "It has no ending.",
            next_step=f"Let it end in one of {', '.join(f'.{one}' for one in KINDS)}.",
        )
    content = KINDS[kind](table, picture)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ExplorerError(f"{path} cannot be written.", found=f"{error.strerror}.") from error
    return path


def _png(_: Asked, picture: Shown) -> bytes:
    if find_spec("kaleido") is None:
        raise ExplorerError(
            "No PNG can be made here.",
            found="plotly draws one with kaleido, which is not installed.",
            next_step="Save it as .svg, which every browser shows, or install kaleido and ask again.",
        )
    try:
        png: bytes = picture.figure.to_image(format="png", scale=2)
    except Exception as error:  # kaleido has no errors of its own: what it raises depends on the browser it found
        raise ExplorerError(
            "No PNG could be made.",
            found=f"kaleido says: {str(error).strip() or type(error).__name__}",
            next_step="Save it as .svg, which needs no browser.",
        ) from error
    return png


def to_parquet(picture: Shown) -> bytes:
    """The rows as Parquet.

    Raises:
        ExplorerError: a column that Parquet cannot hold.
    """
    content = BytesIO()
    try:
        picture.data.to_parquet(content, index=False)
    except (pa.ArrowException, ValueError) as error:
        raise ExplorerError(
            "The rows cannot be told in Parquet.", found=f"{error}", next_step="Save them as .json, which has them all."
        ) from error
    return content.getvalue()


KINDS: dict[str, Callable[[Asked, Shown], bytes]] = {
    "png": _png,
    "svg": lambda _, picture: svg.to_svg(picture.scene).encode(),
    "html": lambda table, picture: to_html(table, picture).encode(),
    "csv": lambda _, picture: to_csv(picture).encode(),
    "parquet": lambda _, picture: to_parquet(picture),
    "json": lambda table, picture: f"{to_json(table, picture)}\n".encode(),
}
"""Kinds of files by the endings of their names."""
