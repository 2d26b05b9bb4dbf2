"""What can happen to the files of a table: each fault on its own, put right again afterwards."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastavro
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.queries.files.known_history import forget

Kind = str
Fault = Callable[[Path, Path], None]


@dataclass(frozen=True)
class Stored:
    """A table on disk.

    Attributes:
        name: in the catalog.
        folder: of the table, by which it is opened here.
        files: one of each kind: `metadata file`, `manifest list`, `data manifest`, `delete manifest`, `data file`,
            `position delete file`, `equality delete file`, `puffin file`; of manifest lists that of the last but one
            snapshot, of all others the oldest.
    """

    name: str
    folder: Path
    files: Mapping[Kind, Path]


def make(spark: SparkSession, name: str, version: int) -> Stored:
    """A merge-on-read table of two columns and a few commits, with every kind of delete that its version knows."""
    spark.sql(
        f"CREATE TABLE {name} (id BIGINT, v STRING) USING iceberg"
        f" TBLPROPERTIES ('format-version' = '{version}', 'write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ id, CAST(id AS STRING) FROM range(6)")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    if version == 2:
        delete_equal(spark, name, spark.range(2, 3))
    else:
        spark.sql(f"DELETE FROM {name} WHERE id = 2")
    spark.sql(f"INSERT INTO {name} VALUES (7, 'seven')")
    return stored(spark, name)


def stored(spark: SparkSession, name: str) -> Stored:
    """A table as it is on disk now."""
    log = spark.sql(f"SELECT file FROM {name}.metadata_log_entries").collect()
    metadata = path(log[-1].file)
    document = json.loads(metadata.read_text())
    files = {"metadata file": metadata, "manifest list": path(document["snapshots"][-2]["manifest-list"])}
    for listed in reversed(avro(path(document["snapshots"][-1]["manifest-list"]))):
        manifest = path(listed["manifest_path"])
        files.setdefault("delete manifest" if listed["content"] else "data manifest", manifest)
        for entry in avro(manifest):
            file = entry["data_file"]
            kind = ("data file", "position delete file", "equality delete file")[file["content"]]
            files.setdefault(
                "puffin file" if file["file_format"].lower() == "puffin" else kind, path(file["file_path"])
            )
    for checksum in metadata.parents[1].rglob(".*.crc"):
        checksum.unlink()  # else Hadoop notices every change of a byte, which other storages do not
    return Stored(name, metadata.parents[1], files)


def path(location: str) -> Path:
    """Where a location lies on this disk."""
    return Path(location.removeprefix("file:"))


def avro(file: Path) -> list[Any]:
    """The records of an Avro file, by a reader that is not the explorer's."""
    with file.open("rb") as opened:
        return list(fastavro.reader(opened))


def _missing(file: Path, _: Path) -> None:
    file.unlink()


def _truncated(file: Path, _: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _empty(file: Path, _: Path) -> None:
    file.write_bytes(b"")


def _garbage(file: Path, _: Path) -> None:
    file.write_bytes(b"<html>404 \xff\x00 not found</html>" * 40)


def _zipped(file: Path, _: Path) -> None:
    file.write_bytes(gzip.compress(file.read_bytes()))


def _folder(file: Path, _: Path) -> None:
    """Stands for a file that may not be read: root may read any."""
    file.unlink()
    file.mkdir()


def _swapped(file: Path, other: Path) -> None:
    file.write_bytes(other.read_bytes())


FAULTS: Mapping[str, Fault] = {
    "missing": _missing,
    "cut short": _truncated,
    "empty": _empty,
    "no such format": _garbage,
    "zipped": _zipped,
    "not to be read": _folder,
    "of another table": _swapped,
}


@contextmanager
def fault(table: Stored, kind: Kind, name: str, other: Stored) -> Iterator[Path]:
    """Within the block the file of a kind has this fault; nothing that was read of it before is remembered."""
    file = table.files[kind]
    with _put_back(file):
        FAULTS[name](file, other.files[kind])
        yield file


@contextmanager
def metadata(table: Stored, change: Callable[[dict[str, Any]], object]) -> Iterator[None]:
    """Within the block the metadata file says something else."""
    file = table.files["metadata file"]
    with _put_back(file):
        document = json.loads(file.read_text())
        change(document)
        file.write_text(json.dumps(document))
        yield


@contextmanager
def _put_back(file: Path) -> Iterator[None]:
    content = file.read_bytes()
    forget()
    try:
        yield
    finally:
        if file.is_dir():
            file.rmdir()
        file.write_bytes(content)
        forget()


def numbers_as_text(document: dict[str, Any]) -> None:
    """Every whole number of the file in quotes, as a careless writer has them."""
    text = re.sub(r'(": ?)(-?\d+)(?=[,}\]\s])', r'\1"\2"', json.dumps(document))
    document.clear()
    document.update(json.loads(text))
