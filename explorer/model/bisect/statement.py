"""What a statement asks of rows, as far as its text tells it without a doubt: the condition that all of them meet.

What is read in several ways (quotes that may be names, escapes, comments) or by parts (joins, subqueries of the table)
is not told: then every commit that changed files may have changed the answer, which costs reads and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

TABLE = "{t}"
"""How a statement names the table."""

METADATA_TABLES = ("files", "data_files", "delete_files", "entries", "manifests", "partitions", "position_deletes")
"""What a snapshot has beside its rows, as a statement names it: `{t}.files`. The others know of no snapshot."""

_OF_METADATA = re.compile(r"\{t\}\.(\w+)")
_TOKEN = re.compile(r"'[^']*'|`[^`]*`|\{t\}|\w+|[^\s\w]")
_ENDS = ("group", "having", "order", "limit")
_NOT_UNDERSTOOD = "the statement is not of the form SELECT … FROM {t} WHERE …"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    depth: int


def metadata_tables(sql: str) -> tuple[str, ...]:
    """The metadata tables that a statement names, whether they are known or not."""
    return tuple(dict.fromkeys(_OF_METADATA.findall(sql)))


def filled(sql: str, table: str, metadata_tables: Mapping[str, str]) -> str:
    """The statement with a relation in place of the table, and of each of its metadata tables, by name."""
    told = _OF_METADATA.sub(lambda match: metadata_tables.get(match[1], match[0]), sql)
    return told.replace(TABLE, table)


def condition(sql: str) -> tuple[str, str]:
    """The condition after the only WHERE of a statement over `{t}`; else nothing, and why, a phrase."""
    if metadata_tables(sql):
        return "", "the statement asks of metadata, which every commit writes"
    if re.search(r'["\\]|--|/\*', sql):
        return "", "the statement has comments, or quotes and escapes that are read in several ways"
    tokens = _tokens(sql)
    top = [token for token in tokens if token.depth == 0]
    words = [token.text.lower() for token in top]
    named = words.index(TABLE) if words.count(TABLE) == 1 else -1
    is_plain = (
        sum(token.text == TABLE for token in tokens) == 1
        and words[0] == "select"
        and named > 0
        and words[named - 1] == "from"
        and words.count("from") == words.count("select") == 1
    )
    if not is_plain:
        return "", _NOT_UNDERSTOOD
    after = named + 1
    if words[after : after + 1] == ["as"]:
        after += 2
    elif after < len(words) and words[after] not in ("where", *_ENDS):
        after += 1
    if after >= len(words) or words[after] in _ENDS:
        return "", "the statement has no WHERE"
    if words[after] != "where":
        return "", _NOT_UNDERSTOOD
    rest = range(after + 1, len(top))
    if any(words[i] in ("union", "intersect", "except", "minus", "window", "lateral", "|") for i in rest):
        return "", _NOT_UNDERSTOOD
    end = next((top[i].start for i in rest if words[i] in _ENDS), len(sql))
    return sql[top[after].start + len("where") : end].strip(), ""


def _tokens(sql: str) -> list[_Token]:
    found, depth = [], 0
    for match in _TOKEN.finditer(sql):
        depth -= match[0] == ")"
        found.append(_Token(match[0], match.start(), depth))
        depth += match[0] == "("
    return found
