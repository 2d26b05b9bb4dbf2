"""Files that the metadata names and the storage has not.

Source: specification, "Manifest Lists", "Manifests" (paths). That metadata cannot be read is seen in reading it; of
data files only the storage tells.
"""

from __future__ import annotations

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, Stored, short
from ..repairs import not_at
from ..since import Since


def examine(known: Known) -> Outcome:
    """By the manifest lists and manifests that could not be read."""
    history, head = known.history, known.head
    if history is None or head is None:
        return CannotSay("It needs the manifests.", "manifests")
    lists, manifests = history.unreadable_lists, history.unreadable
    own = history.lists.get(head.snapshot_id, ())
    grave = isinstance(own, str) or any(history.manifests[i].path in manifests for i in own)
    live = int(known.files.live.sum()) if known.files else 0
    if known.stored is not None and known.stored.missing:
        return _lost(known, known.stored, live)
    if not lists and not manifests and known.stored is not None and not known.stored.elsewhere:
        return Clean(f"{formats.count(live, 'live file')}, all in the listing")
    if not lists and not manifests:
        return CannotSay(
            f"All manifest lists and manifests could be read; of {formats.count(live, 'live file')} only the storage"
            " tells whether they are there.",
            "a listing of the storage",
        )
    lost = [*((known.number(known.metadata.by_id[i]), "manifest list", why) for i, why in lists.items())]
    lost += [("", short(path), why) for path, why in manifests.items()]
    ids = tuple(lists)
    good = next((s for s in reversed(known.line) if _reads(known, s.snapshot_id)), None)
    what = ", ".join(
        formats.count(len(found), name) for found, name in ((lists, "manifest list"), (manifests, "manifest")) if found
    )
    return Finding(
        f"{what} cannot be read" + ("" if grave else ", of old snapshots only"),
        "blocks reading" if grave else "hygiene",
        "exact",
        "They were asked for, and the storage did not give them; why they are gone is not recorded.",
        what,
        "one",
        "A scan needs every manifest of its snapshot.",
        Since(head if grave else known.metadata.by_id.get(ids[0]) if ids else None, "M", at_or_before=True),
        Evidence(
            ("snapshot", "file", "why"),
            tuple(lost[:100]),
            len(lost),
            ids[:50],
            tuple(manifests)[:200],
            sql=f"SELECT\n  path\nFROM {known.named.table}.all_manifests",
        ),
        not_ruled_out=("rights that this reader has not",),
        next_certainty=f"{formats.count(live, 'look')} at the storage, for data files",
        fixes=(
            Fix(
                known.named.call("rollback_to_snapshot", str(good.snapshot_id)),
                f"The table is as it was at {known.number(good)}, the newest snapshot that reads.",
                "Undelete object versions first, if the storage keeps them: a rollback drops every later commit.",
                known.named.call("set_current_snapshot", str(head.snapshot_id)),
                not_at(known, good.snapshot_id),
            ),
        )
        if grave and good
        else (),
        question="t.snapshot_graph()",
    )


def _lost(known: Known, stored: Stored, live: int) -> Finding:
    """Live files that are not in the listing."""
    lost = stored.missing
    return Finding(
        f"{formats.count(len(lost), 'live file')} of {live:,} not in storage",
        "blocks reading",
        "exact",
        "The location was listed and they are not there; why they are gone is not recorded.",
        formats.count(len(lost), "file"),
        "one",
        "A scan that needs one of them fails.",
        Since(known.head, "M", at_or_before=True),
        Evidence(
            ("file",),
            tuple((path,) for path in lost[:100]),
            len(lost),
            files=lost[:200],
            sql=f"SELECT\n  file_path\nFROM {known.named.table}.files",
        ),
        not_ruled_out=(
            "rights that this reader has not",
            "expiry of a file that was added again",
            "a bucket's own rules",
        ),
        fixes=(
            Fix(
                "undelete the objects in the storage, if it keeps versions",
                "The table reads again.",
                "None.",
                "none",
                "this check is clean",
            ),
            Fix(
                "table.newDelete().deleteFile(<DataFile>).commit()  // Java, for each file that cannot be had back",
                "Readers go on without these files.",
                "It admits the loss of their rows. Pass the DataFile, never a path.",
                known.undo,
                "every row of the table can be read",
            ),
        ),
        question="t.sequence_timeline()",
    )


def _reads(known: Known, snapshot_id: int) -> bool:
    """Whether the list of a snapshot and all manifests that it names could be read."""
    history = known.history
    own = history.lists.get(snapshot_id) if history else None
    if history is None or own is None or isinstance(own, str):
        return False
    return not any(history.manifests[i].path in history.unreadable for i in own)


SIGNATURE = Signature("missing-file", "cannot be read", "files that are not in storage", "manifests", examine)
