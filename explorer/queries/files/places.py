"""Locations as the metadata writes them, and as Spark names them. Spark tasks get this module by value."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LOCATION = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://([^/]*))?(.*)", re.DOTALL)


class Places:
    """Locations as the metadata writes them, found again by the full ones that Spark makes of them.

    Spark puts scheme, host and home folder in front of a location that lacks them, and takes empty hosts out.
    """

    def __init__(self, asked: Iterable[str]) -> None:
        self._by_key = {_key(path): path for path in asked}
        self._relative = {path for (_, path) in self._by_key if not path.startswith("/")}

    def asked(self, full: str) -> str | None:
        """The asked location that a full one stands for."""
        host, path = _key(full)
        found = self._by_key.get((host, path)) or self._by_key.get(("", path))
        if found is not None or not self._relative:
            return found
        parts = path.split("/")
        tails = ("/".join(parts[i:]) for i in range(1, len(parts)))
        return next((self._by_key["", tail] for tail in tails if tail in self._relative), None)


def _key(location: str) -> tuple[str, str]:
    match = _LOCATION.fullmatch(location)
    host, path = (match[1] or "", match[2]) if match else ("", location)
    return host, re.sub("/{2,}", "/", path).removeprefix("./")
