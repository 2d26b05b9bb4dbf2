"""What deserves attention, in one line that is always there: all that one metadata file tells."""

from __future__ import annotations

from collections import Counter

from ..model import formats
from ..model.snapshot_graph.facts import SnapshotGraph
from ..model.snapshot_graph.findings import Finding
from ..model.snapshot_graph.findings import attention as told
from ..model.triage.facts import Check, Triage
from ..table.pictures import PICTURES
from .markup import action, text

_LIMIT = "From the metadata file alone; no manifest and no row was looked at."


def attention(graph: SnapshotGraph) -> str:
    """The line as HTML: each finding leads to the commit that it is about, if it names one."""
    found = told(graph)
    if not found:
        said = "nothing stands out" if graph.nodes else "no snapshot is listed"
        return f'<span title="{text(_LIMIT)}">Metadata file alone: {said}</span>'
    return "".join((f'<b title="{text(_LIMIT)}">Worth a look</b>', *map(_chip, found)))


def badges(graph: SnapshotGraph) -> dict[str, str]:
    """How many of the findings a tab tells of, as it stands beside its title, of each that tells of any."""
    tabs = {kind.name: kind.tab for kind in PICTURES}
    return {tab: str(count) for tab, count in Counter(tabs[finding.picture] for finding in told(graph)).items()}


def of_health(board: Triage) -> str:
    """What the checks of the metadata file found, as a button that opens the gravest of it in Health."""
    grave = _grave(board)
    if not grave:
        return action("check", "", "Open Health", tip=f"The metadata file shows nothing wrong. {_LIMIT}")
    told_ = "; ".join(check.finding.title for check in grave if check.finding)
    return action(
        "check",
        grave[0].signature.name,
        f"{formats.count(len(grave), 'finding')}: open Health",
        tip=f"{told_}. {_LIMIT}",
    )


def health_badge(board: Triage) -> str:
    """How many findings of the metadata file are more than worth knowing; empty for none."""
    return str(len(_grave(board)) or "")


def _grave(board: Triage) -> list[Check]:
    return [check for check in board.found if check.finding and check.finding.severity != "information"]


def _chip(finding: Finding) -> str:
    if not finding.nodes:
        return f'<span class="iceberg-found" title="{text(finding.words)}">{text(finding.words)}</span>'
    tip = "Select the last of them in History" if len(finding.nodes) > 1 else "Select it in History"
    return action("history", str(finding.nodes[-1].snapshot.snapshot_id), finding.words, tip=f"{finding.words}. {tip}")
