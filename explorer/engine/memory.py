"""Answers that are kept in memory, since they may be asked again, by any thread."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import FunctionType, ModuleType
from typing import Generic, Self, TypeVar, overload

from cachetools import LRUCache

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Owner = TypeVar("Owner")

_WEIGHED = 20  # rows of many, which are alike
_CODE = (type, ModuleType, FunctionType)


class RecentlyUsed(Generic[Key, Value]):
    """Values by key, the least recently used first out; for any number of threads.

    Args:
        most_bytes: what all values take at most, about; the newest stays whatever it takes.
        parts: the sequences that make up nearly all of a value; they are weighed when it is put.
    """

    def __init__(self, most_bytes: int, parts: Callable[[Value], Iterable[Sequence[object]]]) -> None:
        self._most_bytes, self._parts = most_bytes, parts
        self._values: LRUCache[Key, tuple[Value, int]] = LRUCache(most_bytes, getsizeof=lambda weighed: weighed[1])
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """The value; None if it is not there, or no more."""
        with self._lock:
            weighed = self._values.get(key)
        return None if weighed is None else weighed[0]

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, also one that has grown since it was put; and return it."""
        size = min(sum(map(bytes_of, self._parts(value))), self._most_bytes)
        with self._lock:
            self._values[key] = value, size
        return value


class read_once(Generic[Owner, Value]):  # noqa: N801 - it is used as `property` is
    """A property that is read when it is first looked at and then kept; who looks meanwhile waits for that one.

    Others, and the same one of other objects, are read at the same time: `functools.cached_property` has, in Python
    3.11, one lock for all objects of a class.
    """

    def __init__(self, read: Callable[[Owner], Value]) -> None:
        self._read, self._name, self.__doc__ = read, read.__name__, read.__doc__

    @overload
    def __get__(self, owner: None, _: type[Owner]) -> Self: ...
    @overload
    def __get__(self, owner: Owner, _: type[Owner]) -> Value: ...
    def __get__(self, owner: Owner | None, _: type[Owner]) -> Self | Value:
        """The value; Python asks for it only until it is kept."""
        if owner is None:
            return self
        kept = owner.__dict__
        with kept.setdefault(f"{self._name} is read by one", threading.RLock()):
            if self._name not in kept:
                kept[self._name] = self._read(owner)
            value: Value = kept[self._name]
            return value


def bytes_of(rows: Sequence[object]) -> int:
    """What rows take in memory, about: told from a few of them."""
    weighed = rows[:: max(1, len(rows) // _WEIGHED)]
    return round(_bytes_of_all(weighed) / len(weighed) * len(rows)) if weighed else 0


def _bytes_of_all(values: Iterable[object]) -> int:
    """What values take with all that they refer to, but for code; what several refer to is there once."""
    size, counted = 0, set[int]()
    found = list(values)
    while found:
        new = {id(thing): thing for thing in found if id(thing) not in counted and not isinstance(thing, _CODE)}
        counted |= new.keys()
        size += sum(map(sys.getsizeof, new.values()))
        found = gc.get_referents(*new.values())
    return size
