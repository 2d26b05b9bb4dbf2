"""The questions of someone with an incident: what finds a cause, tries a repair on nothing, or lets others look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..model.bundle.facts import Contents
from .answers.bundle import bundle
from .opened import OpenedTable


class IncidentQuestions(OpenedTable):
    """What a person asks of a table with which something is wrong."""

    def bundle(
        self,
        path: str | Path,
        *,
        without_bounds: bool = False,
        report: Callable[[str], None] = lambda _: None,
    ) -> Contents:
        """Put the metadata alone into one file, which `explorer.open` shows on a machine without access to the table.

        In it are the current metadata file, those of its log that are there, every manifest list and manifest that they
        lead to, and footers of statistics files; no data file, and nothing of what delete files hold. `bundle.json` in
        it names each file with its size and SHA-256, what could not be read and why, and what is left out. What could
        not be read is shown so where the bundle is opened. Property values that look like a credential are masked.

        Values of rows that metadata holds are in it: lowest and highest values of columns, unless they are left out,
        and partition values in any case, in manifests and in paths.

        Args:
            path: of the file, ending in `.iceberg.zip`; one that is there is written over.
            without_bounds: take lowest and highest values of columns out of the manifests.
            report: called now and then with what was done so far, in a few words.

        Returns:
            What is in it: members with sizes in bytes, what could not be read, and in words what it leaves out.

        Cost: every metadata file of the log and every manifest of the listed snapshots once, their lists twice.

        Raises:
            ExplorerError: another ending; a file that cannot be written; locations that hold a password.
            UnreadableMetadata: the current metadata file cannot be read any more.
        """
        return bundle(self._version, Path(path), without_bounds=without_bounds, report=report)
