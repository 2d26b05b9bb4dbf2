"""What deserves attention, in one line that is always there: what one metadata file tells, and what Health found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import ipywidgets as w

from ..model import formats
from ..model.snapshot_graph.facts import SnapshotGraph
from ..model.snapshot_graph.findings import Finding
from ..model.snapshot_graph.findings import attention as told
from ..model.triage.facts import Check, Triage
from ..table import Table
from ..table.picture import Picture
from ..table.pictures import PICTURES
from .markup import action, text


class Attention(w.HTML):
    """The line. Of Health it tells what was answered last of main as it is; before, what the metadata file shows."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("iceberg-attention")
        self._answered: Triage | None = None

    def show(self, table: Table, titles: Sequence[str]) -> list[str]:
        """Tell of a table; how many findings each of the tabs tells of, as it stands beside its title.

        Where Health is not among them nothing is told.
        """
        if "Health" not in titles:
            self.value = "<span>What stands out is for you to find: Health is closed here.</span>"
            return []
        board = self._answered if self._answered is not None and _is_of(self._answered, table) else table.board
        (wrong, others), badge = of_health(board), health_badge(board)
        self.value = wrong + attention(table.graph, is_told=bool(badge)) + others
        found = badges(table.graph) | {"Health": badge}
        return [found.get(tab, "") for tab in titles]

    def hear(self, picture: Picture[Any], table: Table) -> bool:
        """Whether a picture that is shown is an answer of Health which the line has to tell."""
        facts = picture.facts if picture.name == "triage" else None
        is_news = isinstance(facts, Triage) and facts.symptom is None and _is_of(facts, table)
        if not is_news or facts is self._answered:
            return False
        self._answered = facts
        return True


def _is_of(facts: Triage, table: Table) -> bool:
    """Whether main was examined as it is now."""
    return facts.head is not None and facts.head.snapshot_id == table.metadata.current_snapshot_id


_LIMIT = "From the metadata file alone; no manifest and no row was looked at."


def attention(graph: SnapshotGraph, *, is_told: bool = False) -> str:
    """The line as HTML: each finding leads to the commit that it is about, if it names one.

    `is_told`: whether Health found something, beside which it is no news that nothing can be seen here.
    """
    found = told(graph)
    if not found and is_told:
        return ""
    if not found:
        said = "nothing stands out" if graph.nodes else "no snapshot is listed"
        return f'<span title="{text(_LIMIT)}">Metadata file alone: {said}</span>'
    return "".join((f'<b title="{text(_LIMIT)}">Worth a look</b>', *map(_chip, found)))


def badges(graph: SnapshotGraph) -> dict[str, str]:
    """How many of the findings a tab tells of, as it stands beside its title, of each that tells of any."""
    tabs = {kind.name: kind.tab for kind in PICTURES}
    return {tab: str(count) for tab, count in Counter(tabs[finding.picture] for finding in told(graph)).items()}


def of_health(board: Triage) -> tuple[str, str]:
    """What the checks found, as buttons that open the gravest of it in Health: wrong answers, and all others."""
    grave = _grave(board)
    if not grave:
        return "", action("check", "", "Open Health", tip=f"Nothing wrong was found in: {board.paid}.")
    wrong = [check for check in grave if check.finding and check.finding.severity == "wrong answers"]
    others = [check for check in grave if check not in wrong]
    words, more = "", f"{formats.count(len(others), 'finding')}: open Health"
    if wrong and wrong[0].finding:
        words = f"{formats.count(len(wrong), 'wrong answer')} {wrong[0].finding.since.words}"
        more = f"{formats.count(len(others), 'more finding')}: open Health"
    chip = f'<span class="iceberg-wrong">{_findings(wrong, words, board)}</span>' if wrong else ""
    return chip, _findings(others, more, board) if others else ""


def _findings(checks: list[Check], words: str, board: Triage) -> str:
    told_ = "; ".join(check.finding.title for check in checks if check.finding)
    return action("check", checks[0].signature.name, words, tip=f"{told_}. From: {board.paid}.")


def health_badge(board: Triage) -> str:
    """How many findings are more than worth knowing; empty for none."""
    return str(len(_grave(board)) or "")


def _grave(board: Triage) -> list[Check]:
    return [check for check in board.found if check.finding and check.finding.severity != "information"]


def _chip(finding: Finding) -> str:
    if not finding.nodes:
        return f'<span class="iceberg-found" title="{text(finding.words)}">{text(finding.words)}</span>'
    tip = "Select the last of them in History" if len(finding.nodes) > 1 else "Select it in History"
    return action("history", str(finding.nodes[-1].snapshot.snapshot_id), finding.words, tip=f"{finding.words}. {tip}")
