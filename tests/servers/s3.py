"""An S3 in this process, with the tables of the lake copied into it, and the catalog that reads them by S3FileIO."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from pyspark.sql import SparkSession
from werkzeug.serving import make_server

BUCKET, KEY, SECRET = "lake", "KEY-ID-OF-S3", "SECRET-OF-S3"
PACKAGES = ("org.apache.iceberg:iceberg-aws-bundle:1.12.0", "org.xerial:sqlite-jdbc:3.46.0.0")


@dataclass(frozen=True)
class S3:
    """An S3 that runs.

    Attributes:
        client: of its one bucket.
        requests: all that it was asked, as `GET /lake/t/people/metadata/v1.metadata.json`, in order.
        answers: set at first; while it is not, nothing is answered, and what was asked waits.
    """

    client: Any
    requests: list[str] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)


@contextmanager
def bucket() -> Iterator[S3]:
    """Within the block S3 runs on a free port of 127.0.0.1, and the bucket is empty at first."""
    requests: list[str] = []
    answers = threading.Event()
    answers.set()
    moto = DomainDispatcherApplication(create_backend_app)

    def heard(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        requests.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        answers.wait()
        answer: Iterable[bytes] = moto(environ, start_response)
        return answer

    server = make_server("127.0.0.1", 0, heard, threaded=True, request_handler=MotoRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{server.server_port}",
            region_name="us-east-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )
        client.create_bucket(Bucket=BUCKET)
        yield S3(client, requests, answers)
        client.close()
    finally:
        server.shutdown()
        server.server_close()


def copy(client: Any, lake: SparkSession, name: str, warehouse: str, staging: Path) -> str:
    """Put a table of the lake into the bucket: the same snapshots and names of files, elsewhere.

    Returns:
        The location of its current metadata file there.
    """
    there = f"s3://{BUCKET}"
    [moved] = lake.sql(
        f"CALL lake.system.rewrite_table_path(table => 't.{name}', source_prefix => '{warehouse}',"
        f" target_prefix => '{there}', staging_location => 'file:{staging}')"
    ).collect()
    for source, target in lake.read.csv(moved.file_list_location).collect():
        content = Path(source.removeprefix("file:")).read_bytes()
        client.put_object(Bucket=BUCKET, Key=target.removeprefix(f"{there}/"), Body=content)
    return f"{there}/t/{name}/metadata/{moved.latest_version}"


def jdbc_catalog(name: str, folder: Path) -> dict[str, str]:
    """Settings of a JDBC catalog in a file of this folder."""
    catalog = f"spark.sql.catalog.{name}"
    return {
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type": "jdbc",
        f"{catalog}.uri": f"jdbc:sqlite:{folder}/{name}.db",
        f"{catalog}.jdbc.schema-version": "V1",
        f"{catalog}.warehouse": f"file:{folder}/warehouse",
    }


def s3_catalog(client: Any, folder: Path) -> dict[str, str]:
    """Settings of the catalog `s3`, whose files Spark itself has no file system for."""
    own = {
        "warehouse": f"s3://{BUCKET}",
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "s3.endpoint": client.meta.endpoint_url,
        "s3.path-style-access": "true",
        "s3.access-key-id": KEY,
        "s3.secret-access-key": SECRET,
        "client.region": "us-east-1",
        "cache-enabled": "false",
    }
    return jdbc_catalog("s3", folder) | {f"spark.sql.catalog.s3.{key}": value for key, value in own.items()}


def assert_same_on_s3(
    found: Mapping[str, Any], plain: Mapping[str, Any], warehouse: str, *, catalog: str = "s3"
) -> None:
    """Hold the answers about a copy in the bucket against those about the table itself."""
    text = json.dumps(found).replace(f"{catalog}.t.", "lake.t.").replace(f"s3://{BUCKET}", warehouse)
    there, here = _without_sizes(text), _without_sizes(json.dumps(plain))
    assert there.keys() == here.keys()
    for picture, answer in there.items():
        if picture == "create_views":
            assert [len(view["rows"]) for view in answer.values()] == [len(v["rows"]) for v in here[picture].values()]
        elif picture == "snapshot_graph":  # SQL can read no metadata file there, so it asks the metadata tables
            assert "binaryFile" not in answer["sql"]
            assert [answer["rows"], answer["frame"]] == [here[picture]["rows"], here[picture]["frame"]]
            assert len(answer["sql_rows"]) == len(answer["rows"])
        elif picture.startswith("changelog") and not answer["sql"]:  # Spark itself cannot open an equality delete
            [hidden] = [note for note in answer["notes"] if note not in here[picture]["notes"]]
            assert "equality delete files that only the table's own catalog can read" in hidden["reason"]
            assert [answer["rows"], answer.get("frame")] == [here[picture]["rows"], here[picture].get("frame")]
        else:
            assert answer == here[picture], picture


def _without_sizes(answers: str) -> dict[str, Any]:
    """Delete files name data files, so their sizes change with the length of their locations."""
    without = re.sub(r'(size_in_bytes\\*": )\d+', r"\g<1>0", answers)
    without = re.sub(r'\{[^{}]*"bytes of [^{}]*\}', "{}", without)  # a figure of `compare`
    return json.loads(re.sub(r"[\d.,]+ (B|kB|MB)\b", "0 kB", without))
