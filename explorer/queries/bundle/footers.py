"""The footers of statistics files: what is in them, and nothing of it.

Sources: Puffin specification, "Footer structure"; Parquet, "File Format".
"""

from __future__ import annotations

import os
from typing import BinaryIO

_MOST_BYTES = 50_000_000


class NoFooter(ValueError):
    """The file has no footer that is known; the message says why, in a sentence."""


def footer(file: BinaryIO, *, of_parquet: bool) -> bytes:
    """The footer of a Puffin file, or of a Parquet file if that is allowed: the last bytes of the file.

    Raises:
        NoFooter: it is neither.
    """
    size = file.seek(0, os.SEEK_END)
    end = _last(file, 12) if size >= 12 else b""
    if end.endswith(b"PFA1"):
        length = int.from_bytes(end[:4], "little", signed=True)
        whole = 4 + length + 12  # the magic before the payload, and size, flags and magic behind it
        is_whole = length > 0 and whole <= min(size, _MOST_BYTES) and (found := _last(file, whole)).startswith(b"PFA1")
    elif end.endswith(b"PAR1") and of_parquet:
        length = int.from_bytes(end[4:8], "little", signed=True)
        is_whole = length > 0 and length + 8 <= min(size, _MOST_BYTES)
        found = _last(file, length + 8) if is_whole else b""
    else:
        raise NoFooter("It has no footer that a bundle takes.")
    if not is_whole:
        raise NoFooter("It is damaged: its footer cannot be read.")
    return found


def _last(file: BinaryIO, length: int) -> bytes:
    file.seek(-length, os.SEEK_END)
    return file.read(length)
