"""Which of some files can be read, asked of ever fewer together once reading all of them failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...engine.logging import silenced_errors
from ...model.iceberg.unreadable import Unreadable
from ..files import spark_errors
from .chosen_files import ChosenFile
from .trial import is_of_a_file

_MOST = 8  # files that cannot be read, after which the others are not tried


def readable(
    files: Sequence[ChosenFile], read: Callable[[Sequence[ChosenFile]], None]
) -> tuple[list[ChosenFile], list[Unreadable]]:
    """The files that can be read, and the others with the reason.

    Args:
        files: chosen ones, so that reading some opens no other.
        read: reads some of them whole, and raises what Spark does.

    Raises:
        Exception: of Spark, where no file is at fault.
    """
    found: list[ChosenFile] = []
    lost: list[Unreadable] = []

    def ask(some: Sequence[ChosenFile]) -> None:
        if not some:
            return
        if len(lost) >= _MOST:
            why = "It was not tried, since so many others cannot be read."
            lost.extend(Unreadable(file.entry.file_path, "missing", why) for file in some)
            return
        try:
            with silenced_errors():
                read(some)
        except Exception as error:
            if not is_of_a_file(error):
                raise
            if len(some) == 1:
                lost.append(Unreadable(some[0].entry.file_path, "missing", spark_errors.reason(error)))
                return
            ask(some[: len(some) // 2])
            ask(some[len(some) // 2 :])
        else:
            found.extend(some)

    ask(files)
    return found, lost
