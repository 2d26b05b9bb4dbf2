"""Lessons of a trainer's own: Python modules in the folder that `ICEBERG_EXPLORER_LESSONS` names.

Each has a `LESSON`, a story as those in `stories/`, or `EXERCISES`, or both. They run as they are, so the folder has to
be one that the person trusts.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import ExplorerError
from .lesson import Lesson

FOLDER = "ICEBERG_EXPLORER_LESSONS"
_loaded: dict[Path, tuple[int, ModuleType]] = {}  # by file: when it was changed, and what it then was


def own_folder() -> Path | None:
    """The folder; None if none is named.

    Raises:
        ExplorerError: it is no folder.
    """
    named = os.environ.get(FOLDER)
    if not named:
        return None
    folder = Path(named).expanduser().absolute()
    if not folder.is_dir():
        raise ExplorerError(
            f"There are no lessons in {folder}.",
            found=f"{FOLDER} names it, and it is no folder.",
            next_step=f"Name the folder of your lessons, or unset {FOLDER}.",
        )
    return folder


def own_lessons() -> tuple[Lesson, ...]:
    """The stories, by name of their module.

    Raises:
        ExplorerError: a module cannot be read, or has neither a story nor exercises.
    """
    return tuple(module.LESSON for module in _modules() if hasattr(module, "LESSON"))


def own_exercises(kind: type[Any]) -> tuple[Any, ...]:
    """The exercises, each of this type, by name of their module. Raises: as `own_lessons`."""
    found = []
    for module in _modules():
        for exercise in getattr(module, "EXERCISES", ()):
            if not isinstance(exercise, kind):
                raise _not_readable(Path(str(module.__file__)), f"EXERCISES holds {exercise!r}, which is no Exercise.")
            found.append(exercise)
    return tuple(found)


def _modules() -> Iterator[ModuleType]:
    folder = own_folder()
    for file in sorted(folder.glob("*.py")) if folder else ():
        changed = file.stat().st_mtime_ns
        if file not in _loaded or _loaded[file][0] != changed:
            _loaded[file] = changed, _load(file)
        yield _loaded[file][1]


def _load(file: Path) -> ModuleType:
    name = f"iceberg_explorer_lessons.{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None  # noqa: S101 - a file that ends with .py has one
    assert spec.loader is not None  # noqa: S101 - as above
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where the source of a story is looked up, by which it is known as changed
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a person's module may do
        raise _not_readable(file, f"{type(error).__name__}: {error}") from error
    told, asked = getattr(module, "LESSON", None), getattr(module, "EXERCISES", ())
    if told is None and not asked:
        raise _not_readable(file, "It has neither a LESSON nor EXERCISES.")
    if told is not None and not (isinstance(told, Lesson) and "." in told.name):
        raise _not_readable(file, "LESSON is no Lesson whose name has a namespace, as in `own.coffee`.")
    return module


def _not_readable(file: Path, found: str) -> ExplorerError:
    return ExplorerError(
        f"The lesson {file} cannot be read.", found=found, next_step=f"Mend it, or move it out of {file.parent}."
    )
