"""Every picture through a JDBC catalog, on S3 by the FileIO of the catalog, whose credentials are settings
or vended by a REST catalog, and of a table by its metadata file alone.

One process asks all of them: the jars of the catalogs can only be given to a Spark that starts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same
from tests.servers.s3 import KEY, PACKAGES, SECRET, assert_same_on_s3, jdbc_catalog, s3_catalog
from tests.servers.vending import VENDED_KEY, VENDED_SECRET, vending_catalog

BY_PATH = "vectors"
BY_SETTINGS, BY_VENDED = "s3.t.vectors", "vended.t.people"  # where the credentials of S3 come from


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("catalogs")


@pytest.fixture(scope="module")
def settings(s3: Any, on_s3: dict[str, str], folder: Path) -> Iterator[str]:
    """Of a session with all catalogs, as the environment carries them."""
    jars = {"spark.jars.packages": ",".join(PACKAGES)}
    with vending_catalog(s3, on_s3) as vended:
        assert not any(secret in str(vended) for secret in (KEY, SECRET, VENDED_KEY, VENDED_SECRET))
        yield conf_to_env(EMBEDDED | jars | jdbc_catalog("jdbc", folder) | s3_catalog(s3, folder) | vended)


@pytest.fixture(scope="module")
def answered(settings: str, on_s3: dict[str, str], metadata_files: dict[str, str], folder: Path) -> dict[str, Answers]:
    """What one process with all catalogs answers, by the name that each table is asked by."""
    asked = [f"jdbc.t.people={metadata_files['people']}", metadata_files[BY_PATH]]
    asked += [f"{BY_SETTINGS}={on_s3['vectors']}", BY_VENDED]
    printed = ran(["-m", "tests.servers.every_picture", *asked], folder, ICEBERG_EXPLORER_CONF=settings)
    assert not any(secret in printed for secret in (KEY, SECRET, VENDED_KEY, VENDED_SECRET))
    return json.loads(printed)


def test_every_picture_is_the_same_through_a_jdbc_catalog(
    answered: dict[str, Answers], plain: dict[str, Answers]
) -> None:
    text = json.dumps(answered["jdbc.t.people"]).replace("jdbc.t.", "lake.t.")
    assert_same(json.loads(text), plain["people"])


def test_every_picture_of_a_metadata_file_is_the_same_but_for_what_needs_a_name(
    answered: dict[str, Answers], plain: dict[str, Answers], metadata_files: dict[str, str]
) -> None:
    asked = answered[metadata_files[BY_PATH]]
    assert asked.keys() == plain[BY_PATH].keys()
    for picture, answer in asked.items():
        of_name = plain[BY_PATH][picture]
        if picture == "create_views":
            assert [len(view["rows"]) for view in answer.values()] == [len(v["rows"]) for v in of_name.values()]
            continue
        assert answer["rows"] == of_name["rows"], picture
        assert answer.get("frame") == of_name.get("frame"), picture
        of_both = [[n for n in a["notes"] if "SQL" not in n["about"] + n["reason"]] for a in (answer, of_name)]
        assert of_both[0] == of_both[1], picture
        assert answer["sql"] or any("SQL" in note["about"] for note in answer["notes"]), picture


@pytest.mark.parametrize("asked", [BY_SETTINGS, BY_VENDED])
def test_every_picture_is_the_same_on_s3_by_the_file_io_of_the_catalog(
    asked: str, answered: dict[str, Answers], plain: dict[str, Answers], warehouse: str
) -> None:
    catalog, _, name = asked.split(".")
    assert_same_on_s3(answered[asked], plain[name], warehouse, catalog=catalog)


MANIFEST_LOST = """
import json, os, sys
import boto3
import explorer
from explorer.engine import session
from explorer.errors import ExplorerError
from tests.servers.s3 import BUCKET, KEY, SECRET
spark = session()
endpoint = spark.conf.get("spark.sql.catalog.s3.s3.endpoint")
client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=KEY,
                      aws_secret_access_key=SECRET)
def asked():
    picture = explorer.table("s3.t.vectors").entries()
    return picture.title, [(note.certainty, note.about, note.reason) for note in picture.notes]
os.environ["ICEBERG_EXPLORER_CACHE_MB"] = "10"
before = asked()
os.environ["ICEBERG_EXPLORER_CACHE_MB"] = "0"
missing = explorer.table("s3.t.vectors").entries().data["manifest_path"].iloc[0]
key = missing.removeprefix(f"s3://{BUCKET}/")
kept = client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
client.delete_object(Bucket=BUCKET, Key=key)
table = explorer.table("s3.t.vectors")
unreadable = asked()[1]
os.environ["ICEBERG_EXPLORER_CACHE_MB"] = "10"
kept_here = asked()
os.environ["ICEBERG_EXPLORER_CACHE_MB"] = "0"
try:
    table.boundary(int(table.graph.nodes[0].snapshot.snapshot_id), "main").read()
except ExplorerError as error:
    refused = str(error)
client.put_object(Bucket=BUCKET, Key=key, Body=kept)
answers = {"before": before, "kept": kept_here, "missing": missing, "unreadable": unreadable, "refused": refused}
json.dump(answers, sys.stdout)
"""


def test_a_manifest_missing_on_s3_is_reported_without_a_secret_unless_it_is_cached_here(
    answered: dict[str, Answers], settings: str, folder: Path
) -> None:
    printed = ran(["-c", MANIFEST_LOST], folder, ICEBERG_EXPLORER_CONF=settings)
    answers = json.loads(printed)
    title, notes = answers["kept"]
    assert title == answers["before"][0]
    (kept,) = [note for note in notes if note not in answers["before"][1]]
    assert kept[1] == "Read before, and kept on this machine"
    assert any(certainty == "unknown" and "does not exist" in reason for certainty, _, reason in answers["unreadable"])
    assert answers["missing"] in answers["refused"]
    assert KEY not in printed
    assert SECRET not in printed


RENAMED = """
import json, sys
import explorer
from explorer.engine import session
from explorer.errors import ExplorerError
spark = session()
spark.sql("CREATE NAMESPACE IF NOT EXISTS jdbc.t")
spark.sql("CREATE TABLE jdbc.t.renamed_later USING iceberg AS SELECT 1 AS id")
table = explorer.table("jdbc.t.renamed_later")
spark.sql("ALTER TABLE jdbc.t.renamed_later RENAME TO t.renamed")
def refusal(ask):
    try:
        ask()
    except ExplorerError as error:
        return str(error)
answers = {
    "change": table.change().words,
    "rows": refusal(lambda: table.changelog().data),
    "reload": refusal(table.reload),
    "titles": [t.commit("main").title for t in (table, explorer.table("jdbc.t.renamed"))],
}
json.dump(answers, sys.stdout)
"""


def test_a_table_renamed_while_it_is_explored_is_reported_and_goes_on_under_its_new_name(
    settings: str, folder: Path
) -> None:
    heard = json.loads(ran(["-c", RENAMED], folder, ICEBERG_EXPLORER_CONF=settings))
    assert heard["change"] == "no table has its name any more: it was dropped or renamed"
    assert "has changed since it was read" in heard["rows"]
    assert "Did you mean jdbc.t.renamed?" in heard["reload"]
    assert heard["titles"] == ["Added 1 file, 1 row"] * 2
