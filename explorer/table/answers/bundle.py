"""A table's metadata in one file, for another machine: no picture, but what every picture there is made of."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ...engine.conf import without_secrets
from ...errors import ExplorerError
from ...model.bundle.facts import ENDING, Contents
from ...queries.bundle.pack import pack
from ..version import TableVersion


def bundle(of: TableVersion, path: Path, *, without_bounds: bool, report: Callable[[str], None]) -> Contents:
    """`Table.bundle`."""
    if not path.name.endswith(ENDING) or path.name == ENDING:
        raise ExplorerError(
            f"{path} cannot be the name of a bundle.",
            found=f"Names of bundles end in {ENDING}.",
            next_step=f"Call it {path.name.removesuffix('.zip') or 'table'}{ENDING}.",
        )
    with of.asking():
        return pack(
            of.source,
            without_secrets(of.name),
            path,
            explorer=_version(),
            without_bounds=without_bounds,
            report=report,
        )


def _version() -> str:
    try:
        return version("iceberg-table-explorer")
    except PackageNotFoundError:  # it is imported from a folder in which nobody installed it
        return "unknown"
