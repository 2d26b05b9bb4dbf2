"""What a bundle holds, and what it does not: its manifest, as a value and as the JSON at the top of the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from ..iceberg.unreadable import Unreadable

ENDING = ".iceberg.zip"
"""How the name of every bundle ends."""

FORMAT = 1
"""Of the manifest; one of a higher number is of a newer explorer."""

Kind = Literal["metadata file", "manifest list", "manifest", "footer"]


class NoBundle(ValueError):
    """The text is no manifest of a bundle; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a bundle.

    Attributes:
        name: in the bundle, such as 12.avro among its manifests.
        kind: of a `footer`, the end of a statistics file, the bundle has no more than that.
        location: of the file that it is of, as the metadata writes it.
        size_in_bytes, sha256: of its content.
        modified_at_ms: when the storage says that the file was written, epoch milliseconds; None if it did not say.
        changes: in what it is not the file that the storage has, sentences; mostly none.
    """

    name: str
    kind: Kind
    location: str
    size_in_bytes: int
    sha256: str
    modified_at_ms: int | None = None
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contents:
    """The manifest of a bundle.

    Attributes:
        table: how the table was named where the bundle was made, or the path it was opened by.
        made_at: when, UTC.
        explorer: version of the explorer that made it.
        metadata_location: of the table's current metadata file then.
        without_bounds: whether lowest and highest values were taken out of the manifests.
        members: its files.
        unreadable: files that should be in it, and could not be read.
        words: what is left out, and which values are in it all the same; sentences.
    """

    table: str
    made_at: datetime
    explorer: str
    metadata_location: str
    without_bounds: bool
    members: tuple[Member, ...]
    unreadable: tuple[Unreadable, ...]
    words: tuple[str, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """In what members are not the files that the storage has: each sentence once."""
        return tuple(dict.fromkeys(sentence for member in self.members for sentence in member.changes))

    def number_of(self, kind: Kind) -> int:
        """Members of a kind."""
        return sum(member.kind == kind for member in self.members)

    def to_json(self) -> str:
        """As it stands at the top of the bundle."""
        return json.dumps({"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}, indent=1)

    @classmethod
    def from_json(cls, text: bytes) -> Contents:
        """From what stands there.

        Raises:
            NoBundle: it is something else, or of a newer explorer.
        """
        try:
            stored = json.loads(text)
            if stored["format"] != FORMAT:
                raise NoBundle(f"It is of format {stored['format']}, and this explorer reads format {FORMAT}.")
            return cls(
                table=_text(stored["table"]),
                made_at=datetime.fromisoformat(stored["made_at"]),
                explorer=_text(stored["explorer"]),
                metadata_location=_text(stored["metadata_location"]),
                without_bounds=bool(stored["without_bounds"]),
                members=tuple(map(_member, stored["members"])),
                unreadable=tuple(map(_unreadable, stored["unreadable"])),
                words=tuple(map(_text, stored["words"])),
            )
        except NoBundle:
            raise
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise NoBundle(f"Its bundle.json is not the manifest of a bundle ({type(error).__name__}).") from error


def _member(stored: Mapping[str, Any]) -> Member:
    modified_at = stored["modified_at_ms"]
    return Member(
        name=_text(stored["name"]),
        kind=_one_of(Kind, stored["kind"]),
        location=_text(stored["location"]),
        size_in_bytes=_number(stored["size_in_bytes"]),
        sha256=_text(stored["sha256"]),
        modified_at_ms=None if modified_at is None else _number(modified_at),
        changes=tuple(map(_text, stored["changes"])),
    )


def _unreadable(stored: Mapping[str, Any]) -> Unreadable:
    kind = _one_of(Literal["missing", "refused", "damaged"], stored["kind"])
    return Unreadable(_text(stored["path"]), kind, _text(stored["reason"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**53:
        raise TypeError(value)
    return value


def _one_of(kinds: Any, value: object) -> Any:
    if value not in get_args(kinds):
        raise ValueError(value)
    return value
