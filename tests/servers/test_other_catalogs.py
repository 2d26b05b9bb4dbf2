"""Every picture through a JDBC catalog, on S3 by the FileIO of the catalog, whose credentials are settings
or vended by a REST catalog, and of a table by its metadata file alone.

One process asks all of them: the jars of the catalogs can only be given to a Spark that starts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same
from tests.servers.s3 import BUCKET, KEY, PACKAGES, S3, SECRET, assert_same_on_s3, jdbc_catalog, s3_catalog
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


OPENED_TWICE = """
import sys
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import urlopen
import explorer
from explorer.engine import session
from explorer.queries.files.known_history import forget
from tests.servers.every_picture import register
name, metadata_file = sys.argv[1:]
spark = session()
register(spark, name, metadata_file)
endpoint = spark.conf.get("spark.sql.catalog.s3.s3.endpoint")
def now(what):  # so that the server knows which requests are for what
    with suppress(HTTPError):
        urlopen(f"{endpoint}/now/{what}")
for turn in ("first", "second"):
    forget()
    now(f"{turn}/opening")
    table = explorer.table(name)
    first, *_, last = sorted(table.metadata.snapshots, key=lambda snapshot: snapshot.sequence_number)
    ends = str(first.snapshot_id), str(last.snapshot_id)
    asked = {
        "graph": [table.snapshot_graph],
        "history": [table.sequence_timeline, table.partitions],
        "files": [table.entries, lambda: table.commit("main"), lambda: table.boundary(*ends), table.deletes,
                  lambda: table.compare(*ends), table.retries],
        "changelog": [table.changelog],
        "commit-rows": [lambda: table.commit("main", rows=True)],
        "compare-rows": [lambda: table.compare(*ends, rows=True)],
        "biography": [lambda: table.biography("id = 2")],
    }
    for what, pictures in asked.items():
        now(f"{turn}/{what}")
        for picture in pictures:
            picture().figure
"""


@pytest.fixture(scope="module")
def requested(
    s3_server: S3, on_s3: dict[str, str], settings: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Counter[str]]:
    """What S3 was asked by a process that opens a table twice, by turn and question; and keeps what it reads."""
    began = len(s3_server.requests)
    asked = ["-c", OPENED_TWICE, "s3.t.people", on_s3["people"]]
    kept = {"ICEBERG_EXPLORER_CACHE_MB": "10"}
    ran(asked, tmp_path_factory.mktemp("opened twice"), ICEBERG_EXPLORER_CONF=settings, **kept)
    found, now = dict[str, Counter[str]](), ""
    for request in s3_server.requests[began:]:
        if request.startswith("GET /now/"):
            now = request.removeprefix("GET /now/")
            found[now] = Counter()
        elif now:
            found[now][request] += 1
    return found


def test_metadata_on_s3_is_asked_for_once_each_file_and_not_again_at_the_next_opening(
    requested: dict[str, Counter[str]], s3: Any, on_s3: dict[str, str]
) -> None:
    listed = s3.list_objects_v2(Bucket=BUCKET, Prefix="t/people/metadata/")["Contents"]
    avro = Counter(f"GET /{BUCKET}/{file['Key']}" for file in listed if file["Key"].endswith(".avro"))
    metadata_file = f"GET /{on_s3['people'].removeprefix('s3://')}"
    of_the_start = {f"GET /{BUCKET}/t/people/metadata/v2.metadata.json": 1}  # which `compare` looks into
    for turn in ("first", "second"):
        assert requested[f"{turn}/opening"] == {metadata_file: 2}  # by Iceberg, to load the table, and by the explorer
        assert requested[f"{turn}/graph"] == {}
    assert requested["first/history"] == avro
    assert requested["first/files"] - avro == of_the_start
    assert requested["second/history"] == {}
    assert requested["second/files"] == of_the_start


@pytest.mark.parametrize("question", ["changelog", "commit-rows", "compare-rows", "biography"])
@pytest.mark.parametrize("turn", ["first", "second"])
def test_for_rows_on_s3_each_data_file_is_asked_for_once_and_metadata_by_one_scan_of_iceberg_alone(
    requested: dict[str, Counter[str]], turn: str, question: str
) -> None:
    asked = requested[f"{turn}/{question}"]
    (planned,) = (request for request in asked if request.startswith("HEAD"))
    assert re.search(r"/snap-.*\.avro$", planned)
    assert all(times == 1 for request, times in asked.items() if request.endswith(".avro"))
    data = {request: times for request, times in asked.items() if "/data/" in request}
    deletes = {request: data.pop(request) for request in list(data) if "deletes" in request}
    assert set(data.values()) == {1}
    assert set(deletes.values()) <= {1, 2}  # by the explorer, for what hides which row, and by Iceberg's scan
    assert not any(request.endswith(f"/{BUCKET}") for request in asked), "nothing is listed"


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


FORKED = """
import json, sys
from pathlib import Path
import explorer
from explorer.engine import session
spark = session()
spark.sql("CREATE NAMESPACE IF NOT EXISTS jdbc.t")
name = "jdbc.t.forked"
def location():
    return explorer.table(name).metadata_location
def register(file):  # the catalog has this metadata file for the table, whatever it had before
    spark.sql(f"DROP TABLE {name}")
    spark.sql(f"CALL jdbc.system.register_table(table => 't.forked', metadata_file => '{file}')")
def rows():
    spark.sql(f"REFRESH TABLE {name}")
    return sorted(row.id for row in spark.table(name).collect())
def run(text):
    for statement in text.split(";\\n"):
        found = spark.sql(statement).collect()
    return len(found)
spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg TBLPROPERTIES ('format-version' = '2')")
spark.sql(f"INSERT INTO {name} VALUES (1), (2)")
shared = location()
spark.sql(f"INSERT INTO {name} VALUES (3), (3)")
lost = location()
register(shared)
for n in (4, 5):
    spark.sql(f"INSERT INTO {name} VALUES ({n})")
newest = Path(location().removeprefix("file:"))
document = json.loads(newest.read_text())
document["snapshots"][-1]["sequence-number"] = 2
edited = newest.with_name("00009-edited.metadata.json")
edited.write_text(json.dumps(document))
register(f"file:{edited}")
checks = explorer.table(name).triage().facts.checks
(fix,) = next(c for c in checks if c.signature.name == "forked-metadata").finding.fixes
answers = {"before": rows()}
run(fix.statement.replace("<the metadata file of the lost line>", lost))
answers |= {"repaired": rows(), "lacking": run(fix.verify)}
run(fix.undo)
answers |= {"undone": rows(), "registered": spark.catalog.tableExists(f"{name}_lost")}
json.dump(answers, sys.stdout)
"""


def test_a_lost_line_is_registered_and_its_rows_come_back_and_go_again(settings: str, folder: Path) -> None:
    heard = json.loads(ran(["-c", FORKED], folder, ICEBERG_EXPLORER_CONF=settings))
    assert heard["before"] == heard["undone"] == [1, 2, 4, 5]
    assert heard["repaired"] == [1, 2, 3, 3, 4, 5]
    assert not heard["lacking"]
    assert not heard["registered"]
