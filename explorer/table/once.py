"""What is read once of an object, whoever looks first."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - used as a decorator, as `property` is
    """A property that is read once of each object; a thread that looks meanwhile waits, a failure is read again.

    `functools.cached_property` is no such thing: in Python 3.11 one lock for all objects of a class lets a cell wait
    for what an explorer reads of another table, and from 3.12 on there is none, so that two threads read twice.
    """

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name, self._lock = name, f"{name} is being read"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        kept = instance.__dict__
        with kept.setdefault(self._lock, RLock()):
            if self._name not in kept:
                kept[self._name] = self._read(instance)
            value: T = kept[self._name]
        return value
