from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

import explorer
from explorer import cli, engine
from explorer.engine import Finding, sandbox_warehouse
from explorer.jupyter import lab
from explorer.lessons.exercises import EXERCISES, progress
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.table import Table
from explorer.terminal import screen
from explorer.terminal.show import show
from tests.model.histories import random_history
from tests.terminal.drawn import parents


@pytest.fixture(autouse=True)
def settings_of_one_test(monkeypatch):
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], prog_name="iceberg-explorer")


def answer(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def orders(spark, fresh_table) -> str:
    """A live table of an odd name: a branch, a tag, a delete, a rollback."""
    table = f'{fresh_table("orders").rpartition(".")[0]}.`it\'s a "näme"; DROP`'
    spark.sql(f"CREATE TABLE {table} (id BIGINT) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    spark.sql(f"INSERT INTO {table} VALUES (1), (2), (3)")
    spark.sql(f"ALTER TABLE {table} CREATE TAG first")
    spark.sql(f"ALTER TABLE {table} CREATE BRANCH audit")
    spark.sql(f"INSERT INTO {table}.branch_audit VALUES (4)")
    spark.sql(f"DELETE FROM {table} WHERE id < 10")
    first = spark.sql(f"SELECT snapshot_id FROM {table}.refs WHERE name = 'first'").first()[0]
    path = table.removeprefix("lab.").replace("'", "\\'")
    spark.sql(f"CALL lab.system.rollback_to_snapshot('{path}', {first})")
    spark.sql(f"INSERT INTO {table} VALUES (5)")
    return table


@pytest.fixture(scope="module")
def recorded(spark, orders) -> dict[str, dict]:
    """What its metadata file says, read as JSON, by snapshot id."""
    file = spark.sql(f"SELECT file FROM {orders}.metadata_log_entries").collect()[-1].file
    document = json.loads(Path(file.removeprefix("file:")).read_text())
    return {str(s["snapshot-id"]): s for s in document["snapshots"]}


@pytest.fixture(scope="module")
def evil(tmp_path_factory) -> Path:
    """A metadata file whose free texts would steer a terminal, and a browser, if they were let."""
    order = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\r\n</script><img src=x onerror=document.title='owned'>"
    history = random_history(7, 6)
    tip = history.commit(history.main, **{"wap.id": order})
    history.snapshots[tip]["summary"]["operation"] = order
    history.snapshots[tip]["manifest-list"] = order
    history.refs[order] = {"snapshot-id": tip, "type": "branch"}
    file = tmp_path_factory.mktemp("evil") / "v1.metadata.json"
    file.write_text(json.dumps(history.document()))
    return file


def orders_for_a_terminal(text: str) -> list[str]:
    return [sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


# The graph in the four formats


def test_the_text_tells_every_snapshot_newest_first_and_whose_child_it_is(orders, recorded):
    text = answer("show", "graph", orders)
    drawn = parents(text.splitlines()[5:])
    ids = [next(word for word in row.split() if word in recorded) for row, _ in drawn]
    assert ids == sorted(recorded, key=lambda at: -recorded[at]["sequence-number"])
    for (row, parent), at in zip(drawn, ids, strict=True):
        snapshot = recorded[at]
        assert (ids[parent] if parent is not None else None) == (str(snapshot.get("parent-snapshot-id", "")) or None)
        time = datetime.fromtimestamp(snapshot["timestamp-ms"] // 1000, UTC)
        assert f" {snapshot['sequence-number']}  {snapshot['summary']['operation']}" in row
        assert f"{time:%Y-%m-%d %H:%M:%S}" in row
    assert text.splitlines()[:2] == [orders, "3 was rolled back"]
    for words in ("(main: current)", "(branch audit)", "(tag first)", "rolled back", "Added 2 data files with 3 rows."):
        assert text.count(words) >= 1, words
    assert text.count("main: current") == 1


def test_the_json_has_the_ids_exactly(orders, recorded):
    document = json.loads(answer("show", "graph", orders, "--format", "json"))
    assert document["table"] == orders
    assert document["title"] == "3 was rolled back"
    assert {note["certainty"] for note in document["notes"]} <= {"exact", "inferred", "unknown"}
    rows = {row["snapshot_id"]: row for row in document["rows"]}
    assert list(rows) == list(recorded)
    for at, row in rows.items():
        snapshot = recorded[at]
        assert row["parent_id"] == (str(snapshot["parent-snapshot-id"]) if "parent-snapshot-id" in snapshot else None)
        assert row["sequence_number"] == snapshot["sequence-number"]
        time = datetime.strptime(row["committed_at"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
        assert round(time.timestamp() * 1000) == snapshot["timestamp-ms"]
        assert row["manifest_list"] == snapshot["manifest-list"]
    assert [row["state"] for row in rows.values()] == ["main", "branch", "rolled back", "current"]


def test_the_csv_is_the_data(orders):
    read = pd.read_csv(io.StringIO(answer("show", "graph", orders, "--format", "csv")), dtype="string")
    data = explorer.table(orders).snapshot_graph().data
    assert list(read.columns) == list(data.columns)
    assert len(read) == len(data) == 4
    for name in data.columns:
        if name in ("refs", "made_current_at"):
            lists = [json.loads(cell) for cell in read[name]]
            assert lists == [[value if name == "refs" else text(value) for value in values] for values in data[name]]
        elif name == "committed_at":
            assert list(read[name]) == [text(value) for value in data[name]]
        else:
            pd.testing.assert_series_equal(read[name].astype(data[name].dtype), data[name])


def text(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def test_the_html_asks_nobody_for_anything(orders, recorded, tmp_path):
    file = tmp_path / "graph.html"
    assert answer("show", "graph", orders, "--format", "html", "-o", file) == ""
    page = file.read_text()
    own = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.findall(r"""(?:src|href)\s*=(?!"#)|url\(|https?:""", own)
    assert "default-src 'none'" in own
    for at in recorded:
        assert f"<td>{at}</td>" in own


def test_fewer_rows_are_called_fewer(orders, recorded, tmp_path):
    newest = max(recorded, key=lambda at: recorded[at]["sequence-number"])
    log = answer("show", "graph", orders, "--limit", 1)
    assert "showing 1 of 4" in log
    assert len(parents(log.splitlines()[5:])) == 1
    document = json.loads(answer("show", "graph", orders, "--format", "json", "--limit", 1))
    assert [row["snapshot_id"] for row in document["rows"]] == [newest]
    assert "Rows show the newest 1 of 4" in [note["about"] for note in document["notes"]]
    result = run("show", "graph", orders, "--format", "csv", "--limit", 1)
    assert [row["snapshot_id"] for row in csv.DictReader(io.StringIO(result.stdout))] == [newest]
    assert "1 of 4" in result.stderr
    answer("show", "graph", orders, "--format", "html", "--limit", 1, "-o", tmp_path / "one.html")
    page = (tmp_path / "one.html").read_text()
    assert len(re.findall("<tr[^>]*><td>", page)) == 1
    assert "Rows show the newest 1 of 4" in page


def test_no_format_lets_a_table_steer_the_terminal(spark, evil):
    written = json.loads(evil.read_text())
    for form in ("text", "json", "csv", "html"):
        result = run("show", "graph", evil, "--format", form)
        assert result.exit_code == 0, result.output
        own = result.stdout if form != "html" else re.sub(r"<script>.*?</script>", "", result.stdout, flags=re.DOTALL)
        assert not orders_for_a_terminal(own), form
        if form == "html":
            assert "<img" not in own
            assert result.stdout.count("</script>") == 2
        if form == "json":
            rows = json.loads(result.stdout)["rows"]
            assert {row["manifest_list"] for row in rows} == {s["manifest-list"] for s in written["snapshots"]}
            assert {ref for row in rows for ref in row["refs"]} == set(written["refs"])


def test_colours_are_for_terminals_and_only_colours(spark, evil, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in answer("show", "graph", evil)

    def in_a_terminal(*, stderr=False):
        return Console(force_terminal=not stderr, color_system="standard", width=90, height=500, stderr=stderr)

    monkeypatch.setattr(screen, "console", in_a_terminal)
    coloured = CliRunner().invoke(cli.main, ["show", "graph", str(evil)], color=True).stdout
    assert "\x1b[" in coloured
    assert not orders_for_a_terminal(re.sub(r"\x1b\[[0-9;]*m", "", coloured))


def test_a_long_log_goes_through_the_pager(spark, evil, monkeypatch):
    paged = []
    monkeypatch.setattr(screen.click, "echo_via_pager", lambda rows, color: paged.append((list(rows), color)))
    monkeypatch.setattr(screen, "console", lambda **_: Console(force_terminal=True, width=90, height=5))
    monkeypatch.delenv("LESS", raising=False)
    run("show", "graph", evil)
    [(rows, _)] = paged
    assert len(rows) > 5


def test_a_file_can_be_written_and_a_folder_that_is_missing_is_reported_at_once(orders, tmp_path):
    file = tmp_path / "graph.txt"
    result = run("show", "graph", orders, "--output", file)
    assert result.stdout == ""
    assert file.read_text() == answer("show", "graph", orders)
    result = run("show", "graph", "no.such", "--output", tmp_path / "nowhere" / "graph.txt")
    assert result.exit_code == 2
    assert "no folder" in result.stderr


# Errors and exit codes


def test_what_went_wrong_is_reported_without_a_traceback(spark, orders):
    result = run("show", "graph", 'lab.t.`it\'s a "name"`')
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("No table lab.t.")
    assert "Did you mean lab.t." in result.stderr
    assert "Traceback" not in result.stderr


def test_an_error_nobody_thought_of_is_reported_too(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(Table, "open", lambda *_: 1 / 0)
    result = run("show", "graph", "a.b")
    assert result.exit_code == 1
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
    [log] = tmp_path.glob("iceberg-explorer-*.log")
    assert str(log) in result.stderr
    assert "Traceback" in log.read_text()


def test_the_log_of_an_error_holds_no_credential(monkeypatch, tmp_path):
    def fail(*_):
        raise ValueError(f"no driver for {os.environ['ICEBERG_EXPLORER_CONF']}")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "spark.sql.catalog.lake.jdbc.password=hunter2secret")
    monkeypatch.setattr(Table, "open", fail)
    result = run("show", "graph", "lake.shop.orders")
    [log] = tmp_path.glob("iceberg-explorer-*.log")
    assert "no driver" in log.read_text()
    assert "hunter2secret" not in log.read_text() + result.stderr


def test_an_error_cannot_steer_the_terminal(spark):
    result = run("show", "graph", "lab.t.`\x1b[2J\u202e`")
    assert result.exit_code == 1
    assert not orders_for_a_terminal(result.stderr)


@pytest.mark.parametrize(
    "arguments", [["show", "graph"], ["show", "graph", "a.b", "--format", "xml"], ["lab", "--conf", "x"], ["nonsense"]]
)
def test_wrong_use_is_exit_code_2(arguments):
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["lab"],
        ["show"],
        *(["show", answered] for answered in show.commands),
        ["sandbox"],
        ["doctor"],
        ["course"],
        ["course", "open"],
    ],
)
def test_every_help_has_an_example(command):
    assert re.search(r"Examples:\n +iceberg-explorer " + " ".join(command), answer(*command, "--help"))


def test_the_version():
    assert answer("--version") == f"iceberg-explorer, version {explorer.__version__}\n"


def test_settings_reach_the_session_and_later_ones_win(monkeypatch):
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "a=1\nb=2")
    seen = []
    monkeypatch.setattr("explorer.engine.examine", lambda: seen.append(engine.conf_from_env()) or [])
    monkeypatch.setattr("explorer.cli.max", lambda _: 0, raising=False)
    run("doctor", "--conf", "b=3", "--conf", "c= x=y ")
    assert seen == [{"a": "1", "b": "3", "c": "x=y"}]


# Doctor and sandbox


def test_doctor_says_what_is_wrong_and_the_way_out(monkeypatch):
    findings = [Finding("Java", "ok", "Java 17"), Finding("catalog x", "warning", "slow\x1b[2J", "Check it.")]
    monkeypatch.setattr("explorer.engine.examine", lambda: findings)
    printed = answer("doctor")
    assert [line.split()[0] for line in printed.splitlines()] == ["✓", "!", "→"]
    assert "Check it." in printed
    assert not orders_for_a_terminal(printed)
    findings.append(Finding("Spark", "problem", "It did not start.", "Start it."))
    result = run("doctor")
    assert result.exit_code == 1
    assert "✕ Spark" in result.stdout


def test_sandbox_lists_its_tables_and_builds_anew_when_asked(sandbox, monkeypatch):
    printed = answer("sandbox")
    for lesson in ("shop.orders", "lessons.rollback", "lessons.empty"):
        assert f"sandbox.{lesson} " in printed
    asked = []
    monkeypatch.setattr("explorer.lessons.build_sandbox", lambda _, *, anew, report: asked.append(anew))
    answer("sandbox", "--rebuild")
    assert asked == [True]


# JupyterLab


@pytest.fixture
def started(monkeypatch):
    """What JupyterLab would have been started with; and no sandbox is built."""
    started = []
    monkeypatch.setattr(lab, "become_lab", lambda command, environment: started.append((command, environment)))
    built = []
    monkeypatch.setattr(cli, "_sandbox_in_its_own_process", lambda: built.append(True))
    return lambda: (*started.pop(), bool(built and built.pop()))


def test_lab_shows_the_start_notebook_after_the_sandbox(started, tmp_path):
    answer("lab", "--folder", tmp_path, "--conf", "a=b", "--port", 9999, "--", "--one", "two")
    command, environment, built = started()
    assert built
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--LabApp.default_url=/lab/tree/00_start.ipynb" in command
    assert f"--ServerApp.root_dir={tmp_path}" in command
    assert "--ServerApp.port=9999" in command
    assert "--no-browser" not in command
    assert command[-2:] == ["--one", "two"]
    assert not any("token" in word or "password" in word for word in command)
    assert environment["ICEBERG_EXPLORER_CONF"] == "a=b"
    assert (tmp_path / "00_start.ipynb").is_file()


def test_lab_for_a_class_folds_code_away_in_copies_of_their_own(started, tmp_path):
    answer("lab", "--folder", tmp_path, "--present")
    command, environment, _ = started()
    assert "--LabApp.default_url=/doc/tree/00_start.ipynb" in command
    assert f"--ServerApp.root_dir={tmp_path / 'present'}" in command
    cells = json.loads((tmp_path / "present" / "01_ownership.ipynb").read_text())["cells"]
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for cell in cells if cell["cell_type"] == "code")
    settings = Path(environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0], "labconfig/default_setting_overrides.json")
    assert "content-font-size1" in settings.read_text()
    assert environment["ICEBERG_EXPLORER_PRESENT"] == "1"
    assert not (tmp_path / "00_start.ipynb").exists()


def test_lab_with_a_table_of_ones_own_needs_no_sandbox(started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer("lab", "--folder", "mine", "--no-browser", "lake.`a b`.t")
    command, _, built = started()
    assert not built
    assert "--no-browser" in command
    [shown] = [word for word in command if "default_url" in word]
    assert re.fullmatch(r"--LabApp.default_url=/lab/tree/tables/lake\._a_b_\.t-\w{6}\.ipynb", shown)
    missing = run("lab", "--folder", "mine", "folder/of/table")
    assert (missing.exit_code, "Nothing is at" in missing.stderr) == (1, True)
    (tmp_path / "folder" / "of" / "table").mkdir(parents=True)
    answer("lab", "--folder", "mine", "folder/of/table")
    [notebook] = (tmp_path / "mine" / "tables").glob("*folder*")
    assert str(tmp_path / "folder/of/table") in notebook.read_text()
    started()
    answer("lab", "--folder", "mine", "sandbox.lessons.rollback")
    assert started()[2]


def test_the_course_lists_its_exercises_opens_the_next_one_and_forgets(started, tmp_path, own_course):
    listed = answer("course")
    assert f"0 of {len(EXERCISES)} exercises passed" in listed
    assert "Next: files-of-an-insert." in listed
    for one in EXERCISES:
        assert f"· {one.name} " in listed
        progress.record(one.name)
        if one is EXERCISES[4]:
            answer("course", "open", "--folder", tmp_path)
            command, _, built = started()
            assert built
            assert "--LabApp.default_url=/lab/tree/02_inheritance.ipynb" in command
    listed = answer("course")
    assert "✓ lost-race " in listed
    assert f"{len(EXERCISES)} of {len(EXERCISES)} exercises passed" in listed
    assert "Next:" not in listed
    answer("course", "open", "--folder", tmp_path, "undo-rollback")
    assert "--LabApp.default_url=/lab/tree/05_incident.ipynb" in started()[0]
    folder = sandbox_warehouse().joinpath(*EXERCISES[0].table.split("."))
    folder.mkdir(parents=True)
    assert f"Forgotten: {len(EXERCISES)} passed exercises." in answer("course", "reset")
    assert not folder.exists()
    assert f"0 of {len(EXERCISES)} exercises passed" in answer("course")
    assert "There is no exercise 'nonsense'" in run("course", "open", "nonsense").stderr


def test_lab_runs_as_root_only_where_it_is_root_and_says_so(started, tmp_path, monkeypatch):
    for user, allowed in ((0, True), (1000, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        printed = run("lab", "--folder", tmp_path).output
        assert ("--allow-root" in started()[0]) == allowed
        assert ("You are root, as whom JupyterLab starts only with --allow-root" in printed) == allowed


def test_lab_does_not_start_on_a_sandbox_that_could_not_be_built(monkeypatch, tmp_path):
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path / "home"))
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(cli.subprocess, "run", lambda *_, **__: failed)
    monkeypatch.setattr(lab, "become_lab", lambda *_: pytest.fail("started"))
    result = run("lab", "--folder", tmp_path / "mine")
    assert result.exit_code == 1
    assert "iceberg-explorer lab TABLE" in result.stderr


def test_a_lab_that_is_ended_while_it_builds_leaves_nothing_running(tmp_path):
    env = os.environ | {"ICEBERG_EXPLORER_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    pid = tmp_path / "pid"
    builder = tmp_path / "python"  # stands for the Python that would build: it tells its id and sleeps
    builder.write_text(f"#!/bin/sh\necho $$ > {pid}\nexec sleep 600\n")
    builder.chmod(0o755)
    code = f"import sys; sys.executable = {str(builder)!r}; from explorer.cli import main; main(['lab'])"
    lab = subprocess.Popen([sys.executable, "-c", code], env=env, stderr=subprocess.DEVNULL)
    while not (pid.exists() and pid.read_text().strip()):
        time.sleep(0.1)
    lab.terminate()
    lab.wait(120)
    for _ in range(600):  # it was told to end, and does so when it comes to it
        try:
            os.kill(int(pid.read_text()), 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("it goes on building")


# The program itself


def test_a_real_run_prints_the_answer_and_nothing_else(orders, recorded, spark, spark_conf):
    file = spark.sql(f"SELECT file FROM {orders}.metadata_log_entries").collect()[-1].file
    conf = [word for key in ("spark.master", "spark.driver.memory") for word in ("--conf", f"{key}={spark_conf[key]}")]
    command = [sys.executable, "-m", "explorer.cli", "show", "graph", file, "--format", "json", *conf]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["snapshot_id"] for row in json.loads(done.stdout)["rows"]] == list(recorded)


@pytest.fixture(scope="module")
def changed(spark, fresh_table) -> str:
    """A live table whose second commit updates a row, in values that would steer a terminal."""
    table = fresh_table("changed")
    spark.sql(f"CREATE TABLE {table} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    spark.sql(f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ id, concat('\u001b[2J', id) FROM range(3)")
    spark.sql(f"ALTER TABLE {table} CREATE TAG first")
    spark.sql(f"UPDATE {table} SET note = 'changed' WHERE id = 1")
    return table


def test_a_program_starts_spark_for_the_rows_of_a_table_that_is_named_by_its_file(spark, changed, spark_conf) -> None:
    file = spark.sql(f"SELECT file FROM {changed}.metadata_log_entries").collect()[-1].file
    conf = [word for key in ("spark.master", "spark.driver.memory") for word in ("--conf", f"{key}={spark_conf[key]}")]
    for asked in (["commit", file, "main", "--rows"], ["changelog", file, "--mode", "ownership"]):
        command = [sys.executable, "-m", "explorer.cli", "show", *asked, "--format", "csv", *conf]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stderr
        assert len(list(csv.DictReader(io.StringIO(done.stdout)))) >= 2


def test_show_commit_tells_files_and_on_request_rows(spark, changed) -> None:
    text = answer("show", "commit", changed, "main")
    assert "Removed 1 file with 3 rows, added 1 with 3" in text
    entries = spark.sql(
        f"SELECT data_file.file_path FROM {changed}.entries WHERE status > 0 AND snapshot_id = "
        f"(SELECT snapshot_id FROM {changed}.refs WHERE name = 'main')"
    ).collect()
    for entry in entries:
        assert entry.file_path.rsplit("/", 1)[-1] in text
    assert "carried over" not in text.split("were not read")[0]
    result = run("show", "commit", changed, "main", "--rows", "--identifier", "id")
    assert result.exit_code == 0, result.output
    assert "Reading the rows of 2 data files" in result.stderr
    assert "2 carried over, 1 updated" in result.stdout
    rows = list(csv.DictReader(io.StringIO(answer("show", "commit", changed, "main", "--rows", "--format", "csv"))))
    assert {row["change"]: (row["rows_carried_over"], row["rows_deleted"], row["rows_inserted"]) for row in rows} == {
        "removed": ("2", "1", "0"),
        "added": ("2", "0", "1"),
    }
    limited = json.loads(answer("show", "commit", changed, "main", "--format", "json", "--limit", 1))
    assert len(limited["rows"]) == 1
    assert any("first 1 of 2" in note["about"] for note in limited["notes"])


def test_show_commit_refuses_in_words(changed) -> None:
    unknown = run("show", "commit", changed, "nowhere")
    assert unknown.exit_code == 1
    assert "first, main" in unknown.stderr
    pointless = run("show", "commit", changed, "main", "--identifier", "id")
    assert pointless.exit_code == 2
    assert "needs --rows" in pointless.stderr


def test_show_changelog_tells_every_mode_and_steers_no_terminal(spark, changed) -> None:
    expected = {"raw": 6, "changes": 2, "updates": 2, "net": 2, "ownership": 3}
    for mode, count in expected.items():
        asked = ("show", "changelog", changed, "--from", "first", "--mode", mode, "--identifier", "id")
        text = answer(*asked)
        assert "\x1b" not in text
        rows = list(csv.DictReader(io.StringIO(answer(*asked, "--format", "csv"))))
        assert len(rows) == count, mode
        assert {row["_change_ordinal"] for row in rows} == {"0"}
    document = json.loads(answer("show", "changelog", changed, "--format", "json"))
    assert document["rows"][0]["note"] == "\x1b[2J0", "JSON keeps every value"
    assert document["rows"][0]["_commit_snapshot_id"] == str(
        spark.sql(f"SELECT snapshot_id FROM {changed}.refs WHERE name = 'first'").first()[0]
    )
    wrong = run("show", "changelog", changed, "--from", "main", "--to", "first")
    assert wrong.exit_code == 1
    assert "is an ancestor of" in wrong.stderr


def test_show_boundary_tells_what_only_one_of_two_snapshots_has(changed) -> None:
    asked = ("show", "boundary", changed, "first", "main")
    files = list(csv.DictReader(io.StringIO(answer(*asked, "--format", "csv"))))
    commit = csv.DictReader(io.StringIO(answer("show", "commit", changed, "main", "--format", "csv")))
    paths = {(row["change"], row["file_path"]) for row in files}
    assert paths == {(row["change"], row["file_path"]) for row in commit}  # main is one commit after first
    text = answer(*asked)
    assert not orders_for_a_terminal(text)
    for _, path in paths:
        assert path.rsplit("/", 1)[-1] in text
    refused = run("show", "boundary", changed, "first", "nowhere")
    assert refused.exit_code == 1
    assert "first, main" in refused.stderr


def test_show_compare_tells_what_differs_and_ends_with_a_code_on_wish(changed) -> None:
    asked = ("show", "compare", changed, "main", "first")
    text = answer(*asked)
    assert not orders_for_a_terminal(text)
    assert "first → main" in text, "along the ancestry, whichever is named first"
    assert "1 commit before it" in text
    assert answer("show", "compare", changed, "first", "main").splitlines()[:2] == text.splitlines()[:2]
    assert "main → first" in answer(*asked, "--swap")
    document = json.loads(answer(*asked, "--rows", "--identifier", "id", "--format", "json"))
    net = {row["name"]: row["change"] for row in document["rows"] if row["area"] == "rows"}
    assert net == {"inserted": "0", "updated": "~1", "deleted": "0", "carried over": "=2"}
    about = {note["about"] for note in document["notes"]}
    assert {"Verdict: different", "Relation: ancestor", "Told along the ancestry"} <= about
    assert run(*asked).exit_code == 0
    assert run(*asked, "--exit-code").exit_code == 1
    assert run("show", "compare", changed, "main", "main", "--exit-code").exit_code == 0
    files = list(csv.DictReader(io.StringIO(answer(*asked, "--format", "csv"))))
    assert {row["area"] for row in files} >= {"files", "rows", "figure"}
    refused = run("show", "compare", changed, "first", "nowhere")
    assert refused.exit_code == 1
    assert "first, main" in refused.stderr
    assert run(*asked, "--identifier", "id").exit_code == 2


@pytest.mark.parametrize("answered", [("commit", "main"), ("changelog",)])
def test_commit_and_changelog_as_one_html_file(changed, tmp_path, answered) -> None:
    file = tmp_path / "printed.html"
    command, *rest = answered
    answer("show", command, changed, *rest, "--format", "html", "--output", file)
    text = file.read_text()
    assert "Plotly" in text
    assert changed in text


# The five questions about sequence numbers

EVIL = "\\u001b]0;owned\\u0007\\u001b[2J\\u202e\\r\\n"


@pytest.fixture(scope="module")
def phantom(spark, fresh_table) -> str:
    """Alice deleted by her key, the key given to Bob; values and partitions that would steer a terminal."""
    table = fresh_table("phantom")
    spark.sql(
        f"CREATE TABLE {table} (id BIGINT, name STRING, place STRING) USING iceberg PARTITIONED BY (place) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {table} VALUES (7, 'Alice{EVIL}', '{EVIL}'), (8, 'Carol', '{EVIL}')")
    spark.sql(f"ALTER TABLE {table} CREATE TAG first")
    delete_equal(spark, table, spark.range(7, 8), partition="place=\x1b]0;owned\x07\x1b[2J\u202e\r\n")
    spark.sql(f"INSERT INTO {table} VALUES (7, 'Bob{EVIL}', '{EVIL}')")
    return table


QUESTIONS = {
    "entries": [],
    "retries": [],
    "deletes": ["--ruled-out"],
    "sequence-timeline": [],
    "why": ["id = 7"],
    "biography": ["id = 7"],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_numbers_has_four_forms_none_of_which_steers_a_terminal(spark, phantom, question) -> None:
    asked = ("show", question, phantom, *QUESTIONS[question])
    for form in ("text", "json", "csv", "html"):
        printed = answer(*asked, "--format", form)
        own = printed if form != "html" else re.sub(r"<script>.*?</script>", "", printed, flags=re.DOTALL)
        assert not orders_for_a_terminal(own), form
        if form == "html":
            assert "Plotly" in printed
            assert printed.count("</script>") == 2
    document = json.loads(answer(*asked, "--format", "json"))
    rows = list(csv.DictReader(io.StringIO(answer(*asked, "--format", "csv"))))
    assert len(rows) == len(document["rows"]) > 0
    assert list(rows[0]) == list(document["rows"][0])


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_about_numbers_that_is_cut_says_so(spark, phantom, question) -> None:
    asked = ("show", question, phantom, *QUESTIONS[question])
    total = len(json.loads(answer(*asked, "--format", "json"))["rows"])
    assert total > 1
    document = json.loads(answer(*asked, "--format", "json", "--limit", 1))
    assert len(document["rows"]) == 1
    assert any(f"1 of {total}" in note["about"] for note in document["notes"])
    cut = run(*asked, "--format", "csv", "--limit", 1)
    assert f"1 of {total} rows" in cut.stderr
    if question != "retries":  # none was retried, so the text lists none
        assert "more" in answer(*asked, "--limit", 1)


def test_show_deletes_names_the_clause_that_decides(phantom) -> None:
    rows = csv.DictReader(io.StringIO(answer("show", "deletes", phantom, "--ruled-out", "--format", "csv")))
    assert [(row["applies"], row["decided_by"], row["reason"]) for row in rows] == [
        ("True", "sequence", "1 < 2"),
        ("False", "sequence", "3 < 2 is false"),
    ]
    assert "  ○ " not in answer("show", "deletes", phantom)
    assert answer("show", "deletes", phantom, "first").startswith("No live delete")


def test_show_why_tells_of_a_row_at_a_snapshot(phantom) -> None:
    text = answer("show", "why", phantom, "id = 7")
    assert text.count("\n− ") == 1
    assert text.count("\n● ") == 1
    assert "holds its key, but 3 < 2 is false" in text
    assert "What if a reader took no notice of sequence numbers?" in text
    assert "\n− " not in answer("show", "why", phantom, "id = 7", "--at", "first")


def test_show_sequence_timeline_tells_what_was_live_at_a_snapshot(phantom) -> None:
    asked = ("show", "sequence-timeline", phantom)
    now, then = answer(*asked), answer(*asked, "--as-of", "first")
    assert [text.count("\n  ● ") for text in (now, then)] == [3, 1]
    assert "data seq 2, file seq 2" in now


def test_show_entries_of_one_manifest_or_one_file(phantom) -> None:
    rows = json.loads(answer("show", "entries", phantom, "--format", "json"))["rows"]
    assert {row["stored_sequence_number"] for row in rows} == {None}
    by_file = json.loads(answer("show", "entries", phantom, "--file", rows[0]["file_path"], "--format", "json"))["rows"]
    by_manifest = answer("show", "entries", phantom, "--manifest", rows[0]["manifest_path"], "--format", "json")
    assert by_file == json.loads(by_manifest)["rows"] == rows[:1]
    assert run("show", "entries", phantom, "--file", "x", "--manifest", "y").exit_code == 2


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["entries", "nowhere"], "its branches and tags: first, main"),
        (["entries", "--manifest", "gone\x1b[2J"], "lists no manifest gone"),
        (["deletes", "nowhere"], "its branches and tags: first, main"),
        (["sequence-timeline", "--as-of", "nowhere"], "its branches and tags: first, main"),
        (["why", "nothing = 1"], "Write a condition over the table's columns"),
        (["why", "id = 7", "--at", "nowhere"], "its branches and tags: first, main"),
    ],
)
def test_a_question_about_numbers_is_refused_in_words(phantom, asked, expected) -> None:
    question, *rest = asked
    result = run("show", question, phantom, *rest)
    assert result.exit_code == 1
    assert expected in result.stderr
    assert not orders_for_a_terminal(result.stderr)


def test_bisect_names_the_commit_and_ends_with_what_was_found(phantom) -> None:
    asked = ("bisect", phantom, "SELECT max(name) LIKE 'Alice%' FROM {t} WHERE id = 7 HAVING count(*) > 0")
    found = run(*asked, "--every", "--format", "json")
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout)["title"] == (
        "A first bad commit lies between 1 and 3, it is one of 2 and 3: true at 1, false at 3"
    )
    text = run("bisect", phantom, "SELECT count(*) FROM {t}", "--bad", "2")
    assert text.exit_code == 0
    assert text.stdout.startswith("2 is the first bad commit: 2 before it, 1 at it, and the only change\n")
    assert not orders_for_a_terminal(text.stdout)
    assert run("bisect", phantom, "SELECT count(*) FROM {t} WHERE id = 8").exit_code == 3
    refused = run("bisect", phantom, "DROP TABLE {t}")
    assert refused.exit_code == 1
    assert "one SELECT" in refused.stderr
    assert run("bisect", phantom).exit_code == 2
