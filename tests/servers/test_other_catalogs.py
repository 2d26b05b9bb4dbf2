"""Every picture through a JDBC catalog, on S3 by the catalog's own FileIO, and of a table by its metadata file alone.

One process asks all of them: the jars of both catalogs can only be given to a Spark that starts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pyspark.sql import SparkSession

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same
from tests.servers.tables import BUILT

BUCKET, KEY, SECRET = "lake", "KEY-ID-OF-S3", "SECRET-OF-S3"
JARS = ("org.apache.iceberg:iceberg-aws-bundle:1.12.0", "org.xerial:sqlite-jdbc:3.46.0.0")
BY_PATH = "vectors"


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """A client of an S3 with one empty bucket."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://{host}:{port}",
        region_name="us-east-1",
        aws_access_key_id=KEY,
        aws_secret_access_key=SECRET,
    )
    client.create_bucket(Bucket=BUCKET)
    yield client
    client.close()
    server.stop()


@pytest.fixture(scope="module")
def copied(
    s3: Any, lake: SparkSession, lake_conf: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """By table the location of its metadata file in the bucket: the same snapshots and names of files, elsewhere."""
    here, there = lake_conf["spark.sql.catalog.lake.warehouse"], f"s3://{BUCKET}"
    found = {}
    for name in BUILT:
        staging = tmp_path_factory.mktemp("staging")
        [moved] = lake.sql(
            f"CALL lake.system.rewrite_table_path(table => 't.{name}', source_prefix => '{here}',"
            f" target_prefix => '{there}', staging_location => 'file:{staging}')"
        ).collect()
        for source, target in lake.read.csv(moved.file_list_location).collect():
            content = Path(source.removeprefix("file:")).read_bytes()
            s3.put_object(Bucket=BUCKET, Key=target.removeprefix(f"{there}/"), Body=content)
        found[name] = f"{there}/t/{name}/metadata/{moved.latest_version}"
    return found


@pytest.fixture(scope="module")
def told(
    s3: Any, copied: dict[str, str], metadata_files: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Answers]:
    """What one process with both catalogs answers, by the name that each table is asked by."""
    folder = tmp_path_factory.mktemp("catalogs")
    conf = EMBEDDED | {"spark.jars.packages": ",".join(JARS)}
    for catalog in ("jdbc", "s3"):
        settings = {
            "type": "jdbc",
            "uri": f"jdbc:sqlite:{folder}/{catalog}.db",
            "jdbc.schema-version": "V1",
            "warehouse": f"file:{folder}/warehouse",
        }
        if catalog == "s3":
            settings |= {
                "warehouse": f"s3://{BUCKET}",
                "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
                "s3.endpoint": s3.meta.endpoint_url,
                "s3.path-style-access": "true",
                "s3.access-key-id": KEY,
                "s3.secret-access-key": SECRET,
                "client.region": "us-east-1",
            }
        conf[f"spark.sql.catalog.{catalog}"] = "org.apache.iceberg.spark.SparkCatalog"
        conf |= {f"spark.sql.catalog.{catalog}.{key}": value for key, value in settings.items()}
    asked = [f"jdbc.t.people={metadata_files['people']}", metadata_files[BY_PATH]]
    asked += [f"s3.t.{name}={location}" for name, location in copied.items()]
    printed = ran(["-m", "tests.servers.every_picture", *asked], folder, ICEBERG_EXPLORER_CONF=conf_to_env(conf))
    assert KEY not in printed
    assert SECRET not in printed
    return json.loads(printed)


def test_every_picture_is_the_same_through_a_jdbc_catalog(told: dict[str, Answers], plain: dict[str, Answers]) -> None:
    text = json.dumps(told["jdbc.t.people"]).replace("jdbc.t.", "lake.t.")
    assert_same(json.loads(text), plain["people"])


def test_every_picture_of_a_metadata_file_is_the_same_but_for_what_needs_a_name(
    told: dict[str, Answers], plain: dict[str, Answers], metadata_files: dict[str, str]
) -> None:
    asked = told[metadata_files[BY_PATH]]
    assert asked.keys() == plain[BY_PATH].keys()
    for picture, answer in asked.items():
        if picture == "create_views":
            rows = {view: len(shown["rows"]) for view, shown in answer.items()}
            assert rows == {view: len(shown["rows"]) for view, shown in plain[BY_PATH][picture].items()}
            continue
        of_name = plain[BY_PATH][picture]
        assert answer["rows"] == of_name["rows"], picture
        assert answer.get("frame") == of_name.get("frame"), picture
        assert [note for note in answer["notes"] if "SQL" not in note["about"] + note["reason"]] == of_name["notes"]
        assert answer["sql"] or len(answer["notes"]) > len(of_name["notes"]), picture


@pytest.mark.parametrize("name", BUILT)
def test_every_picture_is_the_same_on_s3_by_the_file_io_of_the_catalog(
    name: str, told: dict[str, Answers], plain: dict[str, Answers], lake_conf: dict[str, str]
) -> None:
    here = lake_conf["spark.sql.catalog.lake.warehouse"]
    text = json.dumps(told[f"s3.t.{name}"]).replace("s3.t.", "lake.t.").replace(f"s3://{BUCKET}", here)
    there, of_disk = (_without_sizes(json.loads(answers)) for answers in (text, json.dumps(plain[name])))
    graph, views = there.pop("snapshot_graph"), there.pop("create_views")
    assert_same(there, {picture: of_disk[picture] for picture in there})
    # SQL can read no metadata file there, so it asks the metadata tables.
    assert graph["rows"] == of_disk["snapshot_graph"]["rows"]
    assert graph["frame"] == of_disk["snapshot_graph"]["frame"]
    assert "binaryFile" not in graph["sql"]
    assert len(graph["sql_rows"]) == len(graph["rows"])
    assert [len(view["rows"]) for view in views.values()] == [
        len(view["rows"]) for view in of_disk["create_views"].values()
    ]


def _without_sizes(answers: Answers) -> dict[str, Any]:
    """Delete files name data files, so their sizes change with the length of their locations."""
    return json.loads(re.sub(r'(size_in_bytes\\*": )\d+', r"\g<1>0", json.dumps(answers)))
