"""`iceberg-explorer health`: one table, examined by a job at night; its exit code says whether to wake somebody."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
from rich.text import Text

from ..model.printable import DIM, LOUD, ODD, styled
from ..model.triage import words
from ..model.triage.facts import SEVERITIES, Check, Triage
from ..table.invariants import Watched, watch
from ..table.invariants import read as invariants_of
from . import screen
from .opening import open_table, reading
from .options import conf, examples, table
from .pictures.triage import finding, lines

FAILED = 3
"""Exit code where something as grave as was asked for was found; 1 is an error, 2 a command that was misused."""


@click.command(
    epilog=examples(
        "iceberg-explorer health lake.shop.orders",
        "iceberg-explorer health lake.shop.orders --since 241 --fail-on slow",
        "iceberg-explorer health lake.shop.orders --format junit > health.xml",
    )
)
@table
@click.option("--since", metavar="SNAPSHOT", help="Fail only for what began after this snapshot.")
@click.option(
    "--invariants",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file with SQL that must stay true; which commit broke it is told. Reads rows.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "nothing"]),
    default="wrong answers",
    show_default=True,
    help="The mildest severity that makes the command fail.",
)
@conf
def health(table: str, since: str | None, invariants: Path | None, form: str, fail_on: str) -> None:
    """Say what is wrong with TABLE; for a nightly job.

    Exit code 0: nothing as grave as --fail-on was found, and every invariant is kept; 3: something was, or one was
    broken; 1: the table could not be examined; 2: the command was misused. A check that cannot be answered does not
    fail, and is never counted as clean.
    """
    own = invariants_of(invariants) if invariants is not None else ()
    with reading(table, "Examining the table"):
        opened = open_table(table, since)
        picture = opened.triage(good=since).read()
        watched = [watch(opened, invariant, since) for invariant in own]
    facts = picture.facts
    failed = failing(facts, fail_on)
    match form:
        case "text":
            console = screen.console()
            screen.print_lines(console, (*lines(facts, opened.name, picture.pin), *_told(watched)))
        case "json":
            click.echo(json.dumps(_document(opened.name, facts, failed, watched), ensure_ascii=False, indent=2))
        case "junit":
            click.echo(_junit(opened.name, facts, failed, watched))
    broken = [f"“{w.invariant.name}”" for w in watched if w.state == "broken"]
    if failed or broken:
        if form == "text":
            screen.print_message(f"Failed: {', '.join([*(c.signature.name for c in failed), *broken])}")
        sys.exit(FAILED)


def failing(facts: Triage, fail_on: str) -> tuple[Check, ...]:
    """The findings that are as grave as was asked for; where a last good point is named, those that began after it."""
    grave = next((facts.worse_than(severity) for severity in SEVERITIES if severity == fail_on), ())
    good = facts.good
    if good is None:
        return tuple(grave)
    place = {s.snapshot_id: n for n, s in enumerate(facts.line)}
    after = place.get(good.snapshot_id, -1)
    return tuple(check for check in grave if _began(check, place) > after)


def _began(check: Check, place: dict[int, int]) -> int:
    """Where on the line a finding began; behind everything, where that is not on it."""
    snapshot = check.finding.since.snapshot if check.finding else None
    return place.get(snapshot.snapshot_id, len(place)) if snapshot else len(place)


def _told(watched: Sequence[Watched]) -> Iterator[Text]:
    """The invariants, a line each."""
    signs = {"kept": ("✓", "green"), "broken": ("!!", "bold red"), "cannot say": ("?", ODD)}
    if watched:
        yield styled("")
        yield styled("invariants", LOUD)
    for one in watched:
        sign, style = signs[one.state]
        yield Text.assemble(styled(f"  {sign} {one.invariant.name}  ", style), styled(one.words, DIM))


def _document(name: str, facts: Triage, failed: Sequence[Check], watched: Sequence[Watched]) -> dict[str, Any]:
    return {
        "table": name,
        "title": words.title(facts),
        "snapshot_id": str(facts.head.snapshot_id) if facts.head else None,
        "read": facts.paid,
        "failed": [check.signature.name for check in failed],
        "checks": [_of(check) for check in facts.checks],
        "invariants": [
            {
                "name": w.invariant.name,
                "state": w.state,
                "words": w.words,
                "snapshot_id": str(w.snapshot.snapshot_id) if w.snapshot else None,
            }
            for w in watched
        ],
        "figures": [
            {"name": f.name, "now": f.now, "then": f.then or None}
            | {"branches": dict(zip(facts.branches, f.at_heads, strict=False))}
            for f in facts.figures
        ],
    }


def _of(check: Check) -> dict[str, Any]:
    found = check.finding
    told: dict[str, Any] = {"signature": check.signature.name, "family": check.signature.family, "state": check.state}
    if found is None:
        return told | {"words": check.words, "price": check.price or None}
    since = found.since.snapshot
    return told | {
        "title": found.title,
        "severity": found.severity,
        "certainty": found.certainty,
        "reason": found.reason,
        "value": found.value,
        "threshold": found.threshold,
        "since": {
            "snapshot_id": str(since.snapshot_id) if since else None,
            "sequence_number": since.sequence_number if since else None,
            "rule": found.since.rule,
            "at_or_before": found.since.at_or_before,
        },
        "snapshots": [str(i) for i in found.evidence.snapshots],
        "sql": found.evidence.sql or None,
        "fixes": [
            {"statement": f.statement, "danger": f.danger, "undo": f.undo, "verify": f.verify} for f in found.fixes
        ],
    }


def _junit(name: str, facts: Triage, failed: Sequence[Check], watched: Sequence[Watched]) -> str:
    """A test case for each check: failed, passed, or skipped where it is not answered."""
    suite = ElementTree.Element(
        "testsuite", name=f"iceberg-explorer health {name}", tests=str(len(facts.checks) + len(watched))
    )
    suite.set("failures", str(len(failed) + sum(w.state == "broken" for w in watched)))
    for check in facts.checks:
        case = ElementTree.SubElement(suite, "testcase", classname=check.signature.family, name=check.signature.name)
        if check in failed and check.finding is not None:
            failure = ElementTree.SubElement(
                case, "failure", message=words.one_line(check), type=check.finding.severity
            )
            failure.text = "\n".join(line.plain for line in finding(facts, check))
        elif check.state in ("not asked", "cannot say"):
            ElementTree.SubElement(case, "skipped", message=check.words)
        elif check.finding is not None:
            ElementTree.SubElement(case, "system-out").text = words.one_line(check)
    for one in watched:
        case = ElementTree.SubElement(suite, "testcase", classname="invariants", name=one.invariant.name)
        if one.state != "kept":
            outcome = "failure" if one.state == "broken" else "skipped"
            ElementTree.SubElement(case, outcome, message=one.words)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
