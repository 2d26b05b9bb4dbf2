"""What is read of an entry once more where the timeline was put together from numbers as a reader sees them."""

from __future__ import annotations

from typing import NamedTuple


class StoredNumbers(NamedTuple):
    """The status of an entry, and both its sequence numbers as stored; None where they are to be inherited."""

    status: int
    data_sequence_number: int | None
    file_sequence_number: int | None
