"""A call of a procedure as a person writes it, read back: `rollback_to_snapshot(snapshot_id => 12)`, or a whole CALL.

Only what a call may hold is read: names, and literals. Nothing of it reaches Spark. Source: Iceberg, "Spark
Procedures", usage, by name and by position.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ...errors import ExplorerError
from ...model.dry_run.facts import PROCEDURES, Procedure

Value = int | str | bool | datetime | list["Value"] | dict[str, str] | None

_BY_POSITION: Mapping[Procedure, Sequence[str]] = {
    "rollback_to_snapshot": ("snapshot_id",),
    "set_current_snapshot": ("snapshot_id", "ref"),
    "cherrypick_snapshot": ("snapshot_id",),
    "expire_snapshots": ("older_than", "retain_last"),
    "rewrite_data_files": ("strategy", "sort_order", "options", "where", "branch"),
    "rewrite_position_delete_files": ("options", "where"),
    "rewrite_manifests": ("use_caching", "spec_id", "sort_by"),
    "remove_orphan_files": ("older_than", "location"),
}
"""Arguments after the table, as far as their order is documented."""

_KINDS: Mapping[str, tuple[type, ...]] = {
    "table": (str,),
    "snapshot_id": (int, str),
    "ref": (str,),
    "older_than": (datetime,),
    "retain_last": (int,),
    "snapshot_ids": (list,),
    "clean_expired_metadata": (bool,),
    "where": (str,),
    "options": (dict,),
    "strategy": (str,),
    "sort_order": (str,),
    "spec_id": (int,),
    "location": (str,),
    "branch": (str,),
    "sort_by": (list,),
}
"""By argument what its value may be."""

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<arrow>=>)|(?P<sign>[(),;])|(?P<number>-?\d+)[lL]?\b"
    r"|(?P<name>(?:`(?:[^`]|``)+`|\w+)(?:\.(?:`(?:[^`]|``)+`|\w+))*))"
)
_EXAMPLE = "rollback_to_snapshot(snapshot_id => 12), or CALL lake.system.expire_snapshots('shop.orders')"


@dataclass(frozen=True, slots=True)
class Written:
    """A call as it was written.

    Attributes:
        table: the table that it names; empty if none.
        arguments: by name, the table left out.
    """

    procedure: Procedure
    table: str
    arguments: Mapping[str, Value]


def written(text: str) -> Written:
    """The call that a text is.

    Raises:
        ExplorerError: it is none, of none of the known procedures, or holds what is no literal.
    """
    tokens = _Tokens(text)
    name = tokens.take("name")
    if name.lower() == "call":
        name = tokens.take("name")
    procedure = next((p for p in PROCEDURES if p == name.rsplit(".", 1)[-1].lower()), None)
    if procedure is None:
        raise ExplorerError(
            f"{name or text.strip()!r} is no procedure that can be run dry.",
            found="" if name else "The text does not begin with a procedure's name.",
            next_step=f"Write one of {', '.join(PROCEDURES)}, as {_EXAMPLE}.",
        )
    whole = name.count(".") > 0
    tokens.expect("(")
    by_position: list[Value] = []
    by_name: dict[str, Value] = {}
    while not tokens.passed(")"):
        if by_position or by_name:
            tokens.expect(",")
        key = tokens.name_before_arrow()
        if key:
            by_name[key.lower()] = tokens.value()
        else:
            by_position.append(tokens.value())
    tokens.passed(";")
    tokens.end()
    names = ["table"] if whole or isinstance(by_position[0] if by_position else None, str) else []
    names += _BY_POSITION[procedure]
    if len(by_position) > len(names):
        raise tokens.wrong(f"{procedure} takes {len(names)} arguments by position, here are {len(by_position)}")
    found = dict(zip(names, by_position, strict=False)) | by_name
    for key, value in found.items():
        if value is not None and not isinstance(value, _KINDS.get(key, (object,))):
            raise tokens.wrong(f"{key} cannot be {value!r}")
    table = found.pop("table", "")
    return Written(procedure, str(table or ""), {key: value for key, value in found.items() if value is not None})


class _Tokens:
    """The text, taken piece by piece."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def wrong(self, found: str) -> ExplorerError:
        return ExplorerError(
            "This is no call that can be run dry.", found=f"{found}.", next_step=f"Write it as {_EXAMPLE}."
        )

    def _next(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def take(self, kind: str) -> str:
        """The next piece if it is of this kind; else nothing, and it stays."""
        match = self._next()
        if match is None or match[kind] is None:
            return ""
        self._at = match.end()
        return match[kind]

    def passed(self, sign: str) -> bool:
        match = self._next()
        if match is None or match["sign"] != sign:
            return False
        self._at = match.end()
        return True

    def expect(self, sign: str) -> None:
        if not self.passed(sign):
            raise self.wrong(f"“{sign}” is expected before “{self._rest}”")

    def end(self) -> None:
        if self._rest:
            raise self.wrong(f"“{self._rest}” stands after its end")

    @property
    def _rest(self) -> str:
        return self._text[self._at :].strip()[:40]

    def name_before_arrow(self) -> str:
        before = self._at
        name = self.take("name")
        if name and self.take("arrow"):
            return name
        self._at = before
        return ""

    def value(self) -> Value:
        if number := self.take("number"):
            return int(number)
        match = self._next()
        if match is not None and match["text"] is not None:
            self._at = match.end()
            return match["text"][1:-1].replace("''", "'")
        match self.take("name").lower():
            case "true":
                return True
            case "false":
                return False
            case "null":
                return None
            case "timestamp" | "date":
                return self._time()
            case "array":
                return self._list()
            case "map":
                return self._mapping()
            case "cast":
                return self._bytes()
        raise self.wrong(f"“{self._rest}” is no number, text, TIMESTAMP '…', array(…) or map(…)")

    def _bytes(self) -> str:
        """`(X'…' AS STRING)`, which is how a text is written here that a session could read in another way."""
        self.expect("(")
        words = self.take("name").lower(), self.take("text")[1:-1], self.take("name").lower(), self.take("name").lower()
        self.expect(")")
        try:
            told = bytes.fromhex(words[1]).decode("utf-8", "surrogatepass")
        except ValueError:
            told = ""
        if not told or (words[0], *words[2:]) != ("x", "as", "string"):
            raise self.wrong("CAST takes X'…' AS STRING here")
        return told

    def _time(self) -> datetime:
        told = self.take("text")[1:-1]
        try:
            at = datetime.fromisoformat(told)
        except ValueError as error:
            raise self.wrong(f"TIMESTAMP '{told}' is no time") from error
        return at if at.tzinfo is not None else at.replace(tzinfo=UTC)

    def _list(self) -> list[Value]:
        self.expect("(")
        found: list[Value] = []
        while not self.passed(")"):
            if found:
                self.expect(",")
            found.append(self.value())
        return found

    def _mapping(self) -> dict[str, str]:
        parts = self._list()
        if len(parts) % 2:
            raise self.wrong("map(…) takes names and values in turn")
        texts = [str(part).lower() if isinstance(part, bool) else str(part) for part in parts]
        return dict(zip(texts[::2], texts[1::2], strict=True))
