"""What deletes reach at one snapshot, for all of them at once. The rule is that of `iceberg.reach_columns`."""

from __future__ import annotations

import numpy as np

from ..arrays import NULL, Flags, Longs, distinct
from ..iceberg.document import Specs
from ..iceberg.inheritance import KINDS
from ..iceberg.reach_columns import DataByPlace
from ..iceberg.touched_files import is_unpartitioned
from .files import Files

UNKNOWN = -1


def reached(files: Files, live: Flags, specs: Specs) -> Longs:
    """By lifetime, for deletes among the live ones, how many live data files each reaches; `UNKNOWN` where not known.

    Of a delete that names one file it is 0 or 1. A position delete beside a deletion vector of its file counts as
    reaching it, though readers ignore it.
    """
    number = files.lifetimes.data_sequence_number
    codes, _ = files.path_only
    data = live & (files.kind == 0)
    found = np.zeros(len(live), np.int64)
    named = np.flatnonzero(live & (files.kind != 0) & (files.target != -1))
    oldest = np.full(int(codes.max(initial=-1)) + 2, np.iinfo(np.int64).max)
    known = data & (number != NULL)
    np.minimum.at(oldest, codes[known], number[known])
    at_hand = np.zeros(len(oldest), dtype=bool)
    at_hand[codes[data]] = True
    target = np.where(files.target[named] >= 0, files.target[named], len(oldest) - 1)
    found[named] = at_hand[target] & (oldest[target] <= number[named])
    found[named[at_hand[target] & (number[named] == NULL)]] = UNKNOWN
    at_large = np.flatnonzero(live & (files.kind != 0) & (files.target == -1))
    if not len(at_large):
        return found
    by_place = _by_place(files, data)
    everywhere = is_global(files, specs)[at_large]
    place = np.where(everywhere, NULL, files.place[at_large])
    groups, group = distinct(files.kind[at_large], number[at_large], place)
    reach = np.zeros(len(groups), np.int64)
    for n, (kind, own, where) in enumerate(groups.tolist()):
        met = by_place.met(KINDS[kind], own, None if where == NULL else where)
        if met is not None:
            reach[n] = met.reached or (UNKNOWN if met.unknown else 0)
    found[at_large] = reach[group]
    return found


def is_global(files: Files, specs: Specs) -> Flags:
    """By lifetime, whether it is an equality delete of a spec without fields, which reaches every partition."""
    without = [spec_id for spec_id, fields in specs.items() if is_unpartitioned(fields)]
    found: Flags = (files.kind == 2) & np.isin(files.spec, without)
    return found


def _by_place(files: Files, data: Flags) -> DataByPlace:
    at = np.flatnonzero(data)
    ones = np.ones(len(at), np.int64)
    return DataByPlace.of(
        files.place[at], files.lifetimes.data_sequence_number[at], np.zeros_like(ones), ones, files.records[at]
    )


def keys_in_scope(files: Files, live: Flags, specs: Specs) -> tuple[Longs, Longs]:
    """By lifetime of a live data file: rows of the equality deletes in whose scope it lies, and how many these are."""
    number = files.lifetimes.data_sequence_number
    deletes = np.flatnonzero(live & (files.kind == 2))
    rows, count = np.zeros(len(live), np.int64), np.zeros(len(live), np.int64)
    if not len(deletes):
        return rows, count
    data = np.flatnonzero(live & (files.kind == 0))
    everywhere = is_global(files, specs)[deletes]
    _add_younger(rows, count, data, deletes[everywhere], number, files.records)
    local = deletes[~everywhere]
    for place in np.unique(files.place[local]).tolist():
        here = local[files.place[local] == place]
        _add_younger(rows, count, data[files.place[data] == place], here, number, files.records)
    return rows, count


def _add_younger(rows: Longs, count: Longs, data: Longs, deletes: Longs, number: Longs, records: Longs) -> None:
    """Add to each data file the equality deletes that are strictly younger."""
    if not len(deletes) or not len(data):
        return
    order = deletes[np.argsort(number[deletes])]
    before = np.concatenate(([0], np.cumsum(records[order])))
    first = np.searchsorted(number[order], number[data], side="right")
    rows[data] += before[-1] - before[first]
    count[data] += len(order) - first
