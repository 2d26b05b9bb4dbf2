"""A scene for places where nothing answers a click: a saved notebook, an HTML file, an image."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .scene import Areas, Bars, Checklist, Layer, Rectangles, Scene, Signs, Targets, Text, Texts

_PROMISE = re.compile(r"(?:^|<br>)(?:shift-)?click: [^<]*$")
_LEADS_ON = re.compile(r"^[◂▸] | [◂▸]$")
_COMMIT = re.compile(r"(?:commit )?([0-9]+)")


def still(scene: Scene) -> Scene:
    """The same drawing without words on what a click does; of what it means only `commit ID` is left.

    Whoever shows a list of commits finds their places by that.
    """
    selection = replace(scene.selection, layers=tuple(map(_layer, scene.selection.layers)))
    return replace(scene, drawn=tuple(map(_layer, scene.drawn)), selection=selection)


def commits(scene: Scene) -> Iterator[int]:
    """The ids of the snapshots that have a place in a still scene, as often as they have one."""
    for layer in scene.layers:
        for item in layer.items:
            if match := _COMMIT.fullmatch(getattr(item, "meaning", "")):
                yield int(match[1])


def _layer(layer: Layer) -> Layer:
    match layer:
        case Texts() | Checklist():
            return replace(layer, items=tuple(_text(text) for text in layer.items if not text.live))
        case Signs():
            signs = [_silent(sign)._replace(words=_LEADS_ON.sub("", sign.words)) for sign in layer.items]
            return replace(layer, items=tuple(signs))
        case Rectangles() | Bars() | Areas() | Targets():
            of: Any = layer
            silent: Layer = replace(of, items=tuple(map(_silent, of.items)))
            return silent
    return layer


def _text(text: Text) -> Text:
    if len(text.spans) > 1:  # words that stand out lead nowhere
        return text
    return text._replace(spans=tuple(span._replace(words=_LEADS_ON.sub("", span.words)) for span in text.spans))


def _silent(item: Any) -> Any:
    """An item that answers the pointer and no click."""
    match = _COMMIT.fullmatch(item.meaning)
    return item._replace(hover=_PROMISE.sub("", item.hover), meaning=f"commit {match[1]}" if match else "")
