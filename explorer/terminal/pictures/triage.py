"""What is wrong with a table, in a terminal: findings with what they rest on, what was not answered, what is clean."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.text import Text

from ...model import formats
from ...model.printable import DIM, LOUD, ODD, copyable, styled
from ...model.triage import words
from ...model.triage.facts import PRICES, Check, Finding, Triage
from ...model.triage.proofs import PROVABLE
from ...model.triage.registry import SYMPTOMS
from ...model.triage.since import Since
from ..answer import Answer, answers
from ..opening import open_table, reading
from ..options import examples, table

_SIGNS = {
    "blocks reading": ("✕", "bold red"),
    "wrong answers": ("!!", "bold red"),
    "slow": ("!", "yellow"),
    "cost": ("$", "yellow"),
    "hygiene": ("·", ""),
    "information": ("i", ""),
}
_LINE = 40  # signs of the line of commits


def lines(facts: Triage, name: str, pin: str = "", limit: int | None = None) -> Iterator[Text]:
    """The triage, line by line.

    Args:
        facts: the triage.
        name: the table's.
        pin: statements that keep the evidence; empty where nothing grave was found.
        limit: at most so many findings are told whole; None for all.
    """
    yield styled(words.title(facts), LOUD)
    yield styled(" · ".join(words.circumstances(facts, name)), DIM)
    if pin and words.is_serious(facts):
        yield styled("")
        yield styled(words.PIN, ODD)
        for line in pin.splitlines():
            yield copyable(f"  {line}")
    for check in facts.found[:limit]:
        yield styled("")
        yield from finding(facts, check)
    left = len(facts.found) - len(facts.found[:limit])
    if left:
        yield styled(f"and {formats.count(left, 'more finding')}", ODD)
    rest = (*facts.of_state("cannot say"), *facts.of_state("not asked"))
    if rest:
        yield styled("")
        yield styled(f"not answered: {len(rest)}, and so not clean", LOUD)
    for check, shown in words.one_by_one(rest):
        price = f" It would take: {check.price}." if check.price else ""
        proof = f" --prove {check.signature.name} reads {check.proof}." if check.proof else ""
        yield Text.assemble(styled(f"  ? {check.signature.name}  ", ODD), styled(f"{shown}{price}{proof}", DIM))
    clean = facts.of_state("clean")
    if clean:
        yield styled("")
        yield styled(f"checked and clean: {len(clean)}", LOUD)
    for check in clean:
        yield Text.assemble(styled(f"  ✓ {check.signature.name}  ", "green"), styled(check.words, DIM))
    if facts.figures:
        yield styled("")
        good = f" (in brackets: at {facts.good.sequence_number:,})" if facts.good else ""
        yield styled(f"figures{good}", LOUD)
    wide = max((len(figure.name) for figure in facts.figures), default=0)
    for figure in facts.figures:
        then = f"  ({figure.then})" if figure.then else ""
        heads = zip(facts.branches, figure.at_heads, strict=False)
        then += "".join(f"  {name}: {said}" for name, said in heads if said)
        judged = f"  {figure.judgement}" if figure.judgement else ""
        yield Text.assemble(styled(f"  {figure.name:<{wide}}  {figure.now}{then}"), styled(judged, DIM))
    yield styled("")
    yield styled(words.foot(facts), DIM)


def finding(facts: Triage, check: Check) -> Iterator[Text]:
    """One finding whole: what, since when, how sure, what it rests on, what was ruled out, what to do."""
    found = check.finding
    if found is None:
        return
    sign, style = _SIGNS[found.severity]
    yield styled(f"{sign} {found.title}", style)
    yield Text.assemble(
        styled(f"   {check.signature.name} · {found.severity} · "),
        styled(found.certainty, "green" if found.certainty == "exact" else ODD),
        styled(f" · {found.value} (threshold: {found.threshold})", DIM),
    )
    yield styled(f"   {since_line(facts, found.since)}")
    yield styled(f"   {found.reason} {found.why}", DIM)
    for sign_, items in (("✓ ruled out:", found.ruled_out), ("? not ruled out:", found.not_ruled_out)):
        if items:
            yield styled(f"   {sign_} {'; '.join(items)}", DIM)
    if found.next_certainty:
        yield styled(f"   surer with: {found.next_certainty}", DIM)
    if check.proof:
        yield styled(f"   --prove {check.signature.name} reads {check.proof}", DIM)
    yield from _evidence(found)
    for n, fix in enumerate(found.fixes, 1):
        yield styled(f"   to repair{f', {n}' if len(found.fixes) > 1 else ''}: {fix.effect}", LOUD)
        for line in fix.statement.splitlines():
            yield copyable(f"     {line}")
        yield styled(f"     danger: {fix.danger}", ODD)
        verify = f"verify, {fix.verified_when}" if fix.verified_when else "verify"
        for what, said in (("undo", fix.undo), (verify, fix.verify)):
            first, *more = said.splitlines() or [""]
            yield copyable(f"     {what}: {first}", DIM)
            for line in more:
                yield copyable(f"       {line}", DIM)
    if found.question:
        yield styled(f"   next: {found.question}")


def since_line(facts: Triage, since: Since) -> str:
    """`────────┃━━━━━━ since 241 (of 292 commits)`."""
    place = next((n for n, s in enumerate(facts.line) if s is since.snapshot), None)
    if place is None:
        return since.words
    at = round((_LINE - 1) * (place / (len(facts.line) - 1) if len(facts.line) > 1 else 1))
    before = ("━" if since.at_or_before else "─") * at
    when = since.snapshot.committed_at if since.snapshot else None
    time = f", {formats.instant(when)}" if when else ""
    return f"{before}┃{'━' * (_LINE - 1 - at)} {since.words}{time}, of {formats.count(len(facts.line), 'commit')}"


def _evidence(found: Finding) -> Iterator[Text]:
    """The first rows of the evidence as a table, and the SQL that gives them."""
    shown = [tuple(map(_by_its_end, row)) for row in found.evidence.rows[:5]]
    if shown:
        wide = [
            max(len(row[n]) for row in (found.evidence.columns, *shown)) for n in range(len(found.evidence.columns))
        ]
        for n, row in enumerate((found.evidence.columns, *shown)):
            cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=True))
            yield styled(f"     {cells.rstrip()}", DIM if n == 0 else "")
        left = found.evidence.row_count - len(shown)
        if left > 0:
            yield styled(f"     and {left:,} more", DIM)
    if found.evidence.sql:
        yield styled("   SQL:", DIM)
        for line in found.evidence.sql.splitlines():
            yield copyable(f"     {line}", DIM)


def _by_its_end(cell: str) -> str:
    """A location by its last part, which tells files apart."""
    return cell.rsplit("/", 1)[-1] if "/" in cell and len(cell) > 40 else cell


@click.command(
    epilog=examples(
        "iceberg-explorer show triage lake.shop.orders",
        "iceberg-explorer show triage lake.shop.orders 'rows doubled' --good 2026-11-20",
        "iceberg-explorer show triage lake.shop.orders --until metadata.json",
    )
)
@table
@click.argument("symptom", required=False, type=click.Choice(list(SYMPTOMS)))
@click.option("--at", metavar="SNAPSHOT", help="Examine this snapshot; else the current one.")
@click.option("--good", metavar="SNAPSHOT", help="The last point known good.")
@click.option(
    "--until",
    type=click.Choice(PRICES),
    default="manifests",
    show_default=True,
    help="The dearest thing that may be read.",
)
@click.option("--prove", multiple=True, type=click.Choice(PROVABLE), help="Read the rows of this check too.")
@click.option("--where", default="", metavar="CONDITION", help="The rows that deleted-but-stored is asked about.")
@answers(text="findings with evidence and repairs", csv="a row per check", limited="first N findings")
def command(
    table: str,
    symptom: str | None,
    at: str | None,
    good: str | None,
    until: str,
    prove: tuple[str, ...],
    where: str,
    answer: Answer,
) -> None:
    """What is wrong with a table, since which commit, and what to do about it.

    TABLE is a name in a catalog, a metadata file, or a table's folder. The checks of SYMPTOM, what a person sees, come
    first. SNAPSHOT is a number, an id, a branch, a tag or a time. Nothing is changed, and no data file is read
    but for --prove.
    """
    with reading(table, "Examining the table"):
        opened = open_table(table, at)
        price = next(cost for cost in PRICES if cost == until)
        picture = opened.triage(symptom, at, good, until=price, prove=prove, where=where).read()
    answer.show(opened, picture, lambda _: lines(picture.facts, opened.name, picture.pin, answer.limit))
