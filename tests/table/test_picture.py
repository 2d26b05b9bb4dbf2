"""Asking costs nothing, reading is done once, a reload tears nothing, and a picture becomes a file of any kind."""

from __future__ import annotations

import base64
import html
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.model.evidence import Note
from explorer.model.iceberg.touched_files import Cost
from explorer.queries.files import storage
from explorer.queries.files.known_history import forget
from explorer.table import Table, saving
from explorer.table.picture import Picture
from explorer.table.version import TableVersion
from tests.table.made_picture import MadePicture


@pytest.fixture(scope="module")
def name(spark: SparkSession, fresh_table: Callable[..., str]) -> str:
    name = fresh_table("lazy")
    spark.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ id, 'a' FROM VALUES (1), (2), (3) AS (id)")
    spark.sql(f"DELETE FROM {name} WHERE id = 2")
    return name


@pytest.fixture
def table(spark: SparkSession, name: str) -> Table:
    forget()
    return Table.open(name, spark)


def every_question(table: Table) -> dict[str, Picture[Any]]:
    first = table.metadata.snapshots[0].snapshot_id
    return {
        "snapshot_graph": table.snapshot_graph(),
        "commit": table.commit("main"),
        "rows": table.commit("main", rows=True, identifier_columns=["id"]),
        "boundary": table.boundary(first, "main"),
        "compare": table.compare(first, "main"),
        "compare rows": table.compare(first, "main", rows=True, identifier_columns=["id"]),
        **{f"changelog {mode}": table.changelog(mode=mode) for mode in ("raw", "changes", "net", "ownership")},
        "updates": table.changelog(mode="updates", identifier_columns=["id"]),
        "entries": table.entries(),
        "retries": table.retries(),
        "deletes": table.deletes(),
        "why": table.why("id = 2"),
        "biography": table.biography("id = 2"),
        "sequence_timeline": table.sequence_timeline(),
        "partitions": table.partitions(),
    }


def test_asking_reads_nothing(spark: SparkSession, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    contents = storage.contents

    def noted(spark: SparkSession, paths: list[str], options: Any) -> Any:
        opened.extend(paths)
        return contents(spark, paths, options)

    monkeypatch.setattr(storage, "contents", noted)
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup  # of old jobs Spark forgets some

    def last_job() -> int:
        return max(jobs(), default=-1)

    before = last_job()
    asked = every_question(table)
    assert opened == []
    assert last_job() == before
    for question, picture in asked.items():
        assert picture.read() is picture, question
        assert picture.title, question
        assert picture.cost, question
    assert opened
    assert last_job() > before


def test_what_metadata_alone_refuses_is_refused_when_asked(table: Table) -> None:
    for ask in (table.commit, table.entries, table.deletes, table.sequence_timeline, table.changelog):
        with pytest.raises(UnknownSnapshot, match="nowhere"):
            ask("nowhere")
    with pytest.raises(UnknownSnapshot, match="nowhere"):
        table.boundary("main", "nowhere")
    with pytest.raises(UnknownSnapshot, match="nowhere"):
        table.compare("main", "nowhere")
    with pytest.raises(UnknownSnapshot, match="nowhere"):
        table.why("id = 2", "nowhere")
    with pytest.raises(ExplorerError, match="no such column"):
        table.commit("main", rows=True, identifier_columns=["nothing"])
    with pytest.raises(ExplorerError, match="no such column"):
        table.changelog(identifier_columns=["nothing"])
    with pytest.raises(ExplorerError, match="no mode"):
        table.changelog(mode="nothing")  # type: ignore[arg-type]
    unread = table.why("nothing = 1")  # only Spark can say what a condition means
    with pytest.raises(ExplorerError, match="nothing"):
        unread.read()


def test_the_cost_of_rows_is_known_before_they_are_read(table: Table) -> None:
    cost = table.commit("main", rows=True).cost
    assert isinstance(cost, Cost)
    assert cost == table.commit_cost("main")
    assert (cost.files, cost.rows, cost.at_least) == (1, 3, False)


def test_notes_tell_what_was_found_out_only_by_making_the_frame() -> None:
    found: list[Note] = []

    class Decoded(MadePicture):
        def _all_rows(self, _: None) -> Any:
            found.append(Note("exact", "Manifests were decoded in this process", "The workers cannot do it."))

        def _notes(self, _: None) -> list[Any]:
            return [*found]

    picture = Decoded(pd.DataFrame)
    assert picture.notes == ()
    _ = picture.frame
    assert picture.notes == tuple(found)


def test_two_threads_that_look_at_a_picture_read_it_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    readings: list[int] = []
    manifests = table._version.readers.manifests
    entries = manifests.entries

    def counted(*asked: Any) -> Any:
        readings.append(1)
        return entries(*asked)

    monkeypatch.setattr(manifests, "entries", counted)
    picture, together, seen = table.entries(), Barrier(2), []

    def look() -> None:
        together.wait(30)
        seen.append((picture.facts, picture.data, picture.title))

    threads = [Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert readings == [1]
    assert len(seen) == 2
    assert seen[0][0] is seen[1][0]


def test_a_question_that_runs_while_another_thread_reloads_is_of_one_state(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = fresh_table("torn")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    table = Table.open(name, spark)
    first = table.metadata.current_snapshot_id
    spark.sql(f"INSERT INTO {name} VALUES (2)")
    resolve = TableVersion.snapshot

    def while_reloading(version: TableVersion, which: int | str) -> Any:
        """The moment at which a question has begun and has not looked at everything."""
        if table.metadata.current_snapshot_id == first:
            reload = Thread(target=table.reload)
            reload.start()
            reload.join(60)
        return resolve(version, which)

    monkeypatch.setattr(TableVersion, "snapshot", while_reloading)
    asked = table.boundary("main", "main")
    assert table.metadata.current_snapshot_id != first  # it was reloaded within the question
    commit = asked.facts.commit
    assert commit.snapshot.snapshot_id == first
    assert not commit.files
    assert table.boundary(first, "main").facts.commit.snapshot.snapshot_id == table.metadata.current_snapshot_id


def test_a_reload_without_news_keeps_what_was_read(table: Table) -> None:
    graph, readers, read_at = table.graph, table._version.readers, table.read_at
    assert not table.reload()
    assert table.graph is graph
    assert table._version.readers is readers
    assert table.read_at > read_at


def test_a_picture_is_saved_as_what_the_name_ends_in(table: Table, tmp_path: Path) -> None:
    picture = table.entries()
    ids = picture.data["snapshot_id"].tolist()
    saved = {kind: picture.save(tmp_path / f"entries.{kind}") for kind in ("svg", "html", "csv", "parquet", "json")}
    assert all(path == tmp_path / f"entries.{kind}" for kind, path in saved.items())
    assert ET.parse(saved["svg"]).getroot().tag.endswith("svg")
    assert re.search(r"(?i)<!doctype html>", saved["html"].read_text())
    assert pd.read_csv(saved["csv"], dtype=str)["snapshot_id"].tolist() == ids
    assert pq.read_table(saved["parquet"])["snapshot_id"].to_pylist() == ids
    document = json.loads(saved["json"].read_text())
    assert [row["snapshot_id"] for row in document["rows"]] == ids
    assert document["table"] == table.name
    graph = pq.read_table(io.BytesIO(table.snapshot_graph().save(str(tmp_path / "GRAPH.PARQUET")).read_bytes()))
    assert graph["refs"].to_pylist() == table.snapshot_graph().data["refs"].map(list).tolist()


def test_a_saved_notebook_has_a_still_picture_and_its_rows_folded(table: Table) -> None:
    paths = table.entries().data["file_path"].tolist()
    page = table.entries().to_static_html()
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert source is not None
    drawn = ET.fromstring(base64.b64decode(source[1]))
    assert drawn.attrib["width"] == "800"
    written = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert written
    assert not any(re.search(r"click|[▸◂]", words, re.IGNORECASE) for words in written)
    said = re.search(r'<img role="img" alt="([^"]+)"', page)
    assert said is not None
    assert html.unescape(said[1]).startswith(table.entries().title)
    assert len(said[1]) > len(table.entries().title) + 20, "the second line and what follows too"
    folded = re.search(r"<details><summary>Data: [^<]+</summary>(.*)</details>", page, re.DOTALL)
    assert folded is not None
    assert all(path in folded[1] for path in paths)
    assert not any(path in page.replace(folded[0], "") for path in paths)


def test_what_cannot_be_saved_says_what_to_do(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table.snapshot_graph()
    for wrong in ("graph.pdf", "graph"):
        with pytest.raises(ExplorerError, match=r"\.png, \.svg, \.html, \.csv, \.parquet, \.json"):
            picture.save(tmp_path / wrong)
    with pytest.raises(ExplorerError, match="cannot be written"):
        picture.save(tmp_path / "nowhere" / "graph.svg")
    monkeypatch.setattr(saving, "find_spec", lambda _: None)
    with pytest.raises(ExplorerError, match=r"kaleido.*not installed[\s\S]*\.svg"):
        picture.save(tmp_path / "graph.png")
    assert list(tmp_path.iterdir()) == []
