"""The contract that tools outside use, written down by hand: names, columns and SQL; more may be added, none go."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.model.changelog.facts import MODES
from explorer.model.dry_run.facts import PROCEDURES
from explorer.table import ChangelogPicture, Table
from explorer.table.picture import Picture
from explorer.table.pictures import PICTURES
from tests.asked import questions
from tests.servers.every_picture import every_picture

FACE = (
    "AccessDenied Cancelled ExplorerError NoJava NoRuntime NoSpark NotAnIcebergTable Picture Playback Table"
    " TableChanged TableExplorer TableNotFound UnknownSnapshot Unreachable UnreadableMetadata open play table"
)

QUESTIONS = {
    "snapshot_graph": "",
    "commit": "snapshot rows identifier_columns",
    "commit_cost": "snapshot",
    "boundary": "start end",
    "compare": "left right rows identifier_columns swap",
    "changelog": "start end mode identifier_columns",
    "entries": "snapshot manifest file content_offset",
    "retries": "",
    "deletes": "snapshot partition ruled_out",
    "why": "condition snapshot",
    "biography": "condition ref identifier_columns",
    "sequence_timeline": "as_of window",
    "partitions": "",
    "bisect": "sql good bad ref every",
    "create_views": "snapshot",
    "open": "name spark",
    "reload": "",
    "change": "",
    "snapshot": "which",
    "asking": "rows",
}
"""Methods of a table with their arguments, in order."""

OF_A_TABLE = "name metadata read_at spark metadata_location graph"

OF_A_PICTURE = "name title facts data frame sql scene figure notes first shown draw to_static_html _repr_mimebundle_"

_NUMBERS = "snapshot_id sequence_number file_sequence_number first_row_id"
_FILES = (
    "file_path content_offset content change spec_id partition record_count file_size_in_bytes data_sequence_number"
    " file_sequence_number rows_carried_over rows_inserted rows_updated rows_deleted rows_masked content_size_in_bytes"
    " file_format referenced_data_file equality_ids first_row_id manifest_path"
)
COLUMNS = {
    "snapshot_graph": "snapshot_id parent_id sequence_number committed_at operation refs state parent_state attempt"
    " schema_id added_data_files removed_data_files added_delete_files removed_delete_files added_records"
    " deleted_records made_current_at copied_from published_as wap_id first_row_id manifest_list",
    "commit": _FILES,
    "boundary": _FILES,
    "compare": "area name partition left right change spec_id field_id",
    "changelog": "id region _change_type _change_ordinal _commit_snapshot_id _commit_sequence_number",
    "entries": "manifest_path manifest_sequence_number content status file_path content_offset"
    " stored_snapshot_id snapshot_id stored_sequence_number sequence_number"
    " stored_file_sequence_number file_sequence_number stored_first_row_id first_row_id"
    " snapshot_id_rule sequence_number_rule file_sequence_number_rule first_row_id_rule"
    " position spec_id partition record_count file_size_in_bytes content_size_in_bytes file_format"
    " referenced_data_file equality_ids sort_order_id",
    "retries": "snapshot_id sequence_number attempt manifests_added manifests_written_before committed_at rivals",
    "deletes": "delete_path content_offset delete_content delete_sequence_number data_path data_sequence_number applies"
    " decided_by reason",
    "why": "_file _pos _deleted row reason delete_path content_offset delete_content delete_sequence_number"
    " data_sequence_number applies holds_row masks verdict",
    "biography": "event how snapshot_id sequence_number committed_at writer file_path pos delete_path version changed"
    " certainty reason line content_offset row_id id",
    "sequence_timeline": "file_path content_offset content spec_id partition record_count data_sequence_number"
    " file_sequence_number added_snapshot_id added_sequence_number removed_snapshot_id removed_sequence_number"
    " file_size_in_bytes content_size_in_bytes referenced_data_file is_live",
    "partitions": "partition spec_id snapshot_id sequence_number data_files delete_files record_count masked_records"
    " size_in_bytes committed_at equality_delete_files delete_size_in_bytes",
    "bisect": "snapshot_id sequence_number committed_at answer verdict",
}
"""Of `.data`, in order, for a table with the columns `id` and `region`."""

DRY_RUNS = {
    "rollback_to_snapshot": "snapshot_id",
    "set_current_snapshot": "snapshot_id ref",
    "cherrypick_snapshot": "snapshot_id",
    "expire_snapshots": "older_than retain_last snapshot_ids clean_expired_metadata",
    "rewrite_data_files": "where options strategy sort_order branch",
    "rewrite_position_delete_files": "options where",
    "rewrite_manifests": "spec_id sort_by",
    "remove_orphan_files": "older_than location",
}
"""Procedures of `Table.dry_run` with their arguments, in order."""
OF_A_DRY_RUN = "file_path snapshot_id what why size_in_bytes record_count"

SQL = Path(__file__).with_name("contract.sql")
"""Of the same table, with its name, the ids of its snapshots and the paths of its files left out."""


@pytest.fixture(scope="module")
def table(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    name = written_table(
        "contract",
        "CREATE TABLE {t} (id INT, region STRING) USING iceberg PARTITIONED BY (region)"
        " TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'EU' FROM range(3)",
        "DELETE FROM {t} WHERE id = 1",
    )
    return Table.open(name, spark)


@pytest.fixture(scope="module")
def pictures(table: Table) -> dict[str, Picture[Any]]:
    return {
        "snapshot_graph": table.snapshot_graph(),
        "commit": table.commit("main"),
        "boundary": table.boundary(table.metadata.snapshots[0].snapshot_id, "main"),
        "compare": table.compare(table.metadata.snapshots[0].snapshot_id, "main"),
        "changelog": table.changelog(),
        "entries": table.entries(),
        "retries": table.retries(),
        "deletes": table.deletes(),
        "why": table.why("id = 1"),
        "biography": table.biography("id = 1"),
        "sequence_timeline": table.sequence_timeline(),
        "partitions": table.partitions(),
        "bisect": table.bisect("SELECT count(*) FROM {t} WHERE id = 1"),
    }


def test_the_face_has_its_names() -> None:
    assert not [name for name in FACE.split() if name not in explorer.__all__]
    assert not [name for name in FACE.split() if not hasattr(explorer, name)]


def test_every_question_takes_its_arguments() -> None:
    for question, arguments in QUESTIONS.items():
        taken = [name for name in inspect.signature(getattr(Table, question)).parameters if name != "self"]
        assert taken[: len(arguments.split())] == arguments.split(), question


def test_tables_and_pictures_have_their_attributes(table: Table, pictures: dict[str, Picture[Any]]) -> None:
    assert not [name for name in OF_A_TABLE.split() if not hasattr(table, name)]
    for question, picture in pictures.items():
        assert picture.name == question
        assert not [name for name in OF_A_PICTURE.split() if not hasattr(picture, name)], question
    changelog = pictures["changelog"]
    assert isinstance(changelog, ChangelogPicture)
    assert changelog.known.mode == "changes"
    assert changelog.page(limit=1).total == len(changelog.data)


def test_data_and_frame_have_their_columns(pictures: dict[str, Picture[Any]]) -> None:
    assert pictures.keys() == COLUMNS.keys()
    for question, picture in pictures.items():
        columns = COLUMNS[question].split()
        assert list(picture.data.columns)[: len(columns)] == columns, question
        assert set(columns) <= set(picture.frame.columns), question
        assert len(picture.data) > 0, question


def test_the_sql_is_that_of_before(table: Table, pictures: dict[str, Picture[Any]]) -> None:
    """Text by text: what a person pasted elsewhere, and what a reviewer sees of a change."""
    modes = {f"changelog, {mode}": table.changelog(mode=mode, identifier_columns=["id"]) for mode in MODES}
    asked = (
        pictures
        | modes
        | {
            "commit with rows": table.commit("main", rows=True),
            "deletes, ruled out": table.deletes(ruled_out=True),
        }
    )
    found = "".join(f"-- {question}\n{picture.sql}\n\n" for question, picture in asked.items())
    for number, node in enumerate(table.graph.nodes, 1):
        found = found.replace(str(node.snapshot.snapshot_id), f"<snapshot {number}>")
    found = re.sub(
        r"(?<=[`'])[^`'\n]*/(data|metadata)/[^`'\n]*(?=[`'])", r"<\1 file>", found.replace(table.name, "<table>")
    )
    assert found == SQL.read_text()


def test_every_procedure_takes_its_arguments_and_has_its_columns(table: Table) -> None:
    for procedure, arguments in DRY_RUNS.items():
        assert list(inspect.signature(getattr(table.dry_run, procedure)).parameters) == arguments.split(), procedure
    assert tuple(DRY_RUNS) == PROCEDURES
    assert list(table.dry_run.rollback_to_snapshot(1).data.columns)[:6] == OF_A_DRY_RUN.split()


def test_what_asks_every_question_elsewhere_leaves_none_out(table: Table) -> None:
    names = {kind.name for kind in PICTURES} - {"bisect", "dry_run"}  # asked with a statement, and by procedures
    assert {ask().name for _, ask in questions(table, "id = 1")} == names
    assert {picture.name for _, picture in every_picture(table, "id = 1")} == names
