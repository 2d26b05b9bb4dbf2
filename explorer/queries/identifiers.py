"""Names of tables and columns as a person writes them, and names and texts as Spark must be given them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import TableNotFound
from ..model.bundle.facts import ENDING

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# No names to Spark: three literals always, the others where `spark.sql.ansi.enforceReservedKeywords` is set.
_RESERVED = re.compile(
    "all|and|any|as|authorization|both|call|case|cast|check|collate|collation|column|constraint|create|cross|"
    "current_date|current_time|current_timestamp|current_user|distinct|else|end|escape|except|execute|false|fetch|"
    "filter|for|foreign|from|full|grant|group|having|in|inner|intersect|into|is|join|lateral|leading|left|"
    "natural|not|null|offset|on|only|or|order|outer|overlaps|primary|recursive|references|right|select|"
    "session_user|some|sql|table|then|time|to|trailing|true|union|unique|unknown|user|using|when|where|with|"
    "within",
    re.IGNORECASE,
)
_PARTS = re.compile(r"`((?:[^`]|``)+)`|([^`.]+)")


def split(name: str) -> tuple[str, ...]:
    """The parts of ``cat.`odd.name`.t``; a part that needs no backquotes in Spark may still be odd (`my-table`).

    Raises:
        TableNotFound: an empty part, or a backquote without its partner.
    """
    parts: list[str] = []
    at, text = 0, name.strip()
    while True:
        match = _PARTS.match(text, at)
        if match is None:
            break
        quoted, plain = match.groups()
        parts.append(quoted.replace("``", "`") if quoted is not None else plain.strip())
        at = match.end()
        if at == len(text):
            return tuple(parts)
        if text[at] != ".":
            break
        at += 1
    raise TableNotFound(
        f"{name!r} is not a table name.",
        found="A part of it is empty, or a backquote has no partner.",
        next_step="Write catalog.namespace.table, and `…` around a part that holds a dot or a backquote.",
    )


def quoted(parts: Iterable[str]) -> str:
    """The name of a table or column for SQL: backquotes only around the parts that need them."""
    return ".".join(part if _is_plain(part) else "`" + part.replace("`", "``") + "`" for part in parts)


def _is_plain(part: str) -> bool:
    return _PLAIN.fullmatch(part) is not None and _RESERVED.fullmatch(part) is None


def path_for_sql(path: str) -> str:
    """A file path as Spark's ``binaryFile.`…` `` takes it: the signs that Hadoop reads as a pattern are escaped."""
    return "`" + glob_escaped(path).replace("`", "``") + "`"


def glob_escaped(path: str) -> str:
    """A path whose `*?[]{}` and backslashes mean themselves to Hadoop."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", path)


def is_path(name: str) -> bool:
    """Whether a person means a file or folder: a slash outside backquotes, or how a metadata file or bundle ends."""
    bare = re.sub(r"`(?:[^`]|``)*`", "", name)
    return "/" in bare or name.endswith((".metadata.json", ".metadata.json.gz", ENDING))


def escaped(text: str) -> str:
    """Text in which braces of names and literals mean themselves to `SparkSession.sql`."""
    return text.replace("{", "{{").replace("}", "}}")


def text(value: str) -> str:
    """A string literal; hexadecimal where a setting of the session could read it in another way."""
    if value.isprintable() and not set(value) & {"'", "\\"}:
        return f"'{value}'"
    return f"CAST(X'{value.encode('utf-8', 'surrogatepass').hex()}' AS STRING)"
