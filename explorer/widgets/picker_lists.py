"""The two lists of the table picker as HTML: where there are tables, and the tables. Every name is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ..engine.recent import RecentTable
from ..model import formats, silence
from ..model.namespaces import Name, Namespace
from ..queries.identifiers import quoted
from ..table import Table
from .markup import text

MOST = 200
"""Lines that a list shows at once; one who types sees the others."""


@dataclass
class Listing:
    """What a catalog has told so far, or why it does not.

    Attributes:
        catalog: its name.
        namespaces: those that it has told.
        seconds: since it was asked.
        is_complete: whether it has told all.
        refused: why it tells nothing more, a sentence; empty if it does.
    """

    catalog: str
    namespaces: list[Namespace] = field(default_factory=list)
    seconds: float = 0.0
    is_complete: bool = False
    refused: str = ""

    @property
    def state(self) -> str:
        """What is to be said of it beside its namespaces, a sentence; empty once all is told."""
        if self.refused:
            return self.refused
        if self.is_complete:
            return "" if self.namespaces else "It holds no namespace."
        if not self.namespaces and self.seconds >= silence.PATIENCE:
            return f"No answer for {formats.duration(self.seconds)}; it is still being asked."
        return "Listing …"


def head(listings: Sequence[Listing], *, is_complete: bool) -> str:
    """The title, and what is searched."""
    tables = sum(len(namespace.tables) for told in listings for namespace in told.namespaces)
    known = f"{formats.count(tables, 'table')} in {formats.count(len(listings), 'catalog')}"
    facts = f'<div class="iceberg-facts">{known}{"" if is_complete else " so far"}</div>'
    return f"<h2>Open a table</h2>{facts if listings else ''}"


def places(recent: Iterable[RecentTable], listings: Sequence[Listing], at: Name | None, now: datetime) -> str:
    """The recent tables, then catalogs with their namespaces, of which the one with the name `at` is marked."""
    lines = []
    if recent := list(recent):
        lines.append("<h4>Recent</h4>")
        lines += [_button("open", each.name, each.name, _ago(now - each.opened_at)) for each in recent]
    lines.append("<h4>Catalogs</h4>")
    left = MOST
    for listing in listings:
        lines.append(f"<h5>{text(listing.catalog)}</h5>")
        shown = listing.namespaces[:left]
        lines += [_namespace(namespace, namespace.name == at) for namespace in shown]
        left -= len(shown)
        if hidden := len(listing.namespaces) - len(shown):
            lines.append(f"<p>{formats.count(hidden, 'more namespace')}: type to narrow.</p>")
        if listing.state:
            style = ' class="iceberg-refused"' if listing.refused else ""
            lines.append(f"<p{style}>{text(listing.state)}</p>")
    return "".join(lines)


def glance(table: Table, now: datetime) -> str:
    """What the metadata file of a table tells, in a few words."""
    metadata = table.metadata
    current = metadata.by_id.get(metadata.current_snapshot_id) if metadata.current_snapshot_id is not None else None
    partitioning = metadata.partitioning()
    told = [f"v{metadata.format_version}", f"by {partitioning}" if partitioning else "not partitioned"]
    rows = current.count("total-records") if current else None
    if rows is not None:
        told.append(formats.count(rows, "row"))
    told.append(formats.count(len(metadata.snapshots), "snapshot"))
    if current and current.committed_at and current.committed_at <= now:
        told.append(_ago(now - current.committed_at))
    return " · ".join(told)


def of_namespace(namespace: Namespace, at: Name | None, glances: Mapping[Name, str]) -> str:
    """The tables of a namespace; `glances` are what stands beside those that were looked at."""
    where = " › ".join(map(text, namespace.name))
    lines = [f'<p class="iceberg-where"><b>{where}</b> {formats.count(len(namespace.tables), "table")}</p>']
    if namespace.refused:
        lines.append(
            f'<p class="iceberg-refused">It may not be listed: {text(namespace.refused)}</p>'
            "<p>A table in it may open all the same: type its full name, then Enter.</p>"
        )
    names = [(*namespace.name, table) for table in namespace.tables]
    return "".join(lines) + _tables(names, at, lambda name: glances.get(name, ""))


def of_search(
    search: str, found: Sequence[Name], at: Name | None, glances: Mapping[Name, str], *, is_complete: bool
) -> str:
    """The tables that a search found, the first `MOST` of them, where each is, and what was seen of it."""
    so_far = "" if is_complete else " so far"
    if not found:
        return f'<p class="iceberg-where">No listed table{so_far} has a name with “{text(search)}”.</p>' + _options(
            [_option(search, f"Open {search}", "a full name, or a path", is_at=True)]
        )
    counted = f"{formats.count(len(found), 'table')}{so_far} with “{text(search)}” in the name"
    lines = [f'<p class="iceberg-where">{counted}</p>']
    return "".join(lines) + _tables(
        found, at, lambda name: " · ".join(filter(None, (" › ".join(name[:-1]), glances.get(name))))
    )


def nothing(*, has_catalog: bool, is_complete: bool) -> str:
    """What is said where no table is listed."""
    if not is_complete:
        return "<p>The catalogs are being asked …</p>"
    if has_catalog:
        return "<p>No catalog lists a table. One that it does not list opens by its full name or path.</p>"
    return (
        "<p>No catalog is configured. Set spark.sql.catalog.NAME in spark-defaults.conf or with --conf"
        " (README, “Your own tables”); or type the path of a metadata.json or of a table's folder.</p>"
    )


def _tables(names: Sequence[Name], at: Name | None, where: Callable[[Name], str]) -> str:
    lines = (_option(quoted(name), name[-1], where(name), is_at=name == at) for name in names[:MOST])
    cut = f"<p>{MOST} of {len(names):,} are shown: type to narrow.</p>" if len(names) > MOST else ""
    return _options(lines) + cut if names else ""


def _options(lines: Iterable[str]) -> str:
    """What the field searches; keys go along it from there."""
    return f'<div role="listbox" aria-label="Tables">{"".join(lines)}</div>'


def _option(value: str, words: str, beside: str, *, is_at: bool = False) -> str:
    here = "true" if is_at else "false"
    return _button(
        "open", value, words, beside, is_at=is_at, role=f' role="option" aria-selected="{here}" tabindex="-1"'
    )


def _namespace(namespace: Namespace, is_at: bool) -> str:
    count = "refused" if namespace.refused else f"{len(namespace.tables):,}"
    return _button("place", quoted(namespace.name), ".".join(namespace.name[1:]), count, is_at=is_at)


def _button(kind: str, value: str, words: str, beside: str, *, is_at: bool = False, role: str = "") -> str:
    told = f'data-{kind}="{text(value)}"' + (' class="iceberg-at" aria-current="true"' if is_at else "")
    aside = f"<span>{text(beside)}</span>" if beside else ""
    return f'<button type="button"{role} {told}><span>{text(words)}</span>{aside}</button>'


def _ago(span: timedelta) -> str:
    return "just now" if span.total_seconds() < 60 else f"{formats.duration(span)} ago"
