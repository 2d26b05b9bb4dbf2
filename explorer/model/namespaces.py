"""The tables that catalogs list, and how a person finds one among thousands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Name = tuple[str, ...]
"""The parts of a table's or namespace's name: catalog, namespaces, table."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """One namespace as its catalog lists it.

    Attributes:
        name: catalog first; the catalog alone stands for its root.
        tables: last parts of the names of its own tables, sorted; also of tables in other formats than Iceberg, which
            a listing does not tell apart.
        refused: why they could not be listed, a sentence; empty if they were.
    """

    name: Name
    tables: Name
    refused: str = ""


def matching(namespaces: Iterable[Namespace], search: str) -> list[Name]:
    """Names of the tables that hold every word of a search, in any case and order, the likeliest first.

    That is one whose own name begins with the first word, then one whose own name holds it, then one whose namespace
    does.
    """
    words = search.lower().split()
    if not words:
        return []
    found = []
    for namespace in namespaces:
        for table in namespace.tables:
            name = (*namespace.name, table)
            whole, own = ".".join(name).lower(), table.lower()
            if all(word in whole for word in words):
                found.append((not own.startswith(words[0]), words[0] not in own, name))
    return [name for *_, name in sorted(found)]
