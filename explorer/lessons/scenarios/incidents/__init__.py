"""What can go wrong in the life of a table of orders, by what a person sees of it."""

from __future__ import annotations

from collections.abc import Mapping

from ..incident import Incident
from . import doubled, lost, returned, slow, wrong

INCIDENTS: Mapping[str, Incident] = {
    incident.cause: incident for module in (lost, doubled, returned, wrong, slow) for incident in module.INCIDENTS
}
"""By the name of the signature by which a triage finds it."""

NOT_HERE: Mapping[str, str] = {
    "broken-chain": "no writer of this library loses its parent; the metadata file would have to be forged",
    "forked-metadata": "two commits of one number: the metadata file would have to be forged",
    "stale-schema-writer": "this library writes with the current schema; the metadata file would have to be forged",
    "counts-disagree": "this library keeps its totals; the metadata file would have to be forged",
    "clock-skew": "times are told by the story, which only goes forward",
    "known-bad-writer": "the version of the library stands in every commit, and this one is not known to be bad",
    "unmapped-columns": "files without field ids come by add_files, which is a table of its own and no long history",
    "row-ids-damaged": "this library numbers rows right; manifest lists would have to be forged",
    "dv-broken": "this library refuses a second vector; a manifest would have to be forged",
    "delete-pressure": "it begins with a trend, not with a commit",
    "equality-delete-flood": "it takes a million keys",
    "manifest-fragmentation": "it begins with a trend, not with a commit",
    "clustering-lost": "it begins with a trend, not with a commit",
    "partition-layout": "it is a setting that grew old, not a commit",
    "write-amplification": "it takes a gigabyte a day",
    "history-hoard": "what old snapshots keep is nobody's commit",
    "orphan-files": "no commit names such a file",
    "metadata-json-bloat": "it takes a thousand snapshots, and none of them is to blame",
    "expired-under-consumer": "the commit that is asked for is gone",
    "missing-file": "files are lost in storage, by no commit",
    "deleted-but-stored": "a question about one person, not an incident",
}
"""Signatures of which there is no incident here, each with why."""
