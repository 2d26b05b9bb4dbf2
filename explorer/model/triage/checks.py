"""Every signature asked of what is known: found, clean, or why neither."""

from __future__ import annotations

from .. import formats
from .facts import COSTS, CannotSay, Check, Clean, Cost, Signature, State, Triage
from .figures import figures, heads
from .known import Known
from .proofs import offer
from .registry import ordered


def triage(known: Known, symptom: str | None = None) -> Triage:
    """The checks, in the order of the symptom, each as far as what was read allows.

    Args:
        known: what was read of the table.
        symptom: one of `registry.SYMPTOMS`; None for no order of their own.
    """
    read, (branches, more) = reached_cost(known), heads(known)
    return Triage(
        head=known.head,
        ref=known.ref,
        good=known.good,
        symptom=symptom,
        checks=tuple(_check(known, signature, read) for signature in ordered(symptom)),
        figures=figures(known, branches),
        line=known.line,
        examined_at=known.now,
        paid=_paid(known),
        stand_in="" if known.named.is_real else known.named.table,
        branches=tuple(ref.name for ref in branches),
        more_branches=more,
    )


def reached_cost(known: Known) -> Cost:
    """What was read, the dearest of it."""
    if known.stored is not None:
        return "listing"
    if known.history is not None:
        return "manifests"
    return "metadata.json" if known.head_list is None else "manifest lists"


def _check(known: Known, signature: Signature, read: Cost) -> Check:
    needs = signature.cost
    if needs != "listing" and COSTS.index(needs) > COSTS.index(read):
        if known.why_not_read:
            return Check(signature, "cannot say", words=f"It needs {needs}, {known.why_not_read}.")
        return Check(signature, "not asked", words=f"It needs {needs}.", price=needs)
    if known.head is None and needs != "metadata.json":
        return Check(signature, "clean", words="no snapshot")
    outcome = signature.examine(known)
    if isinstance(outcome, Clean):
        hole = known.hole if needs == "manifests" else ""
        if hole:  # what was looked at is clean, and there is more
            return Check(signature, "cannot say", words=f"{hole} Nothing was found in {outcome.looked_at}.")
        if outcome.is_part:
            return Check(
                signature, "cannot say", words=f"Nothing was found in {outcome.looked_at}.", price="the others"
            )
        return Check(signature, "clean", words=outcome.looked_at)
    if isinstance(outcome, CannotSay):
        is_unasked = needs == "listing" and read != "listing"
        state: State = "not asked" if is_unasked else "cannot say"
        return Check(signature, state, words=outcome.reason, price=outcome.price, proof=offer(known, signature.name))
    return Check(signature, "found", finding=outcome, proof=offer(known, signature.name))


def _paid(known: Known) -> str:
    parts = ["metadata.json"]
    if known.history is not None:
        lists = len(known.history.lists)
        parts += [formats.count(lists, "manifest list"), formats.count(len(known.history.manifests), "manifest")]
    elif known.head_list is not None:
        parts.append("1 manifest list")
    if known.stored is not None:
        parts.append(f"a listing of {formats.count(known.stored.files, 'file')}")
    return ", ".join(parts)
