from __future__ import annotations

from pathlib import Path

import pytest

from explorer.engine import conf_from_env, conf_to_env
from explorer.engine.conf import chosen_conf, is_secret, submit_arguments, without_secrets
from explorer.engine.embedded import embedded_conf
from explorer.engine.runtime import EXTENSIONS, runtime_coordinate
from explorer.errors import ExplorerError, NoRuntime

KEY = "spark.sql.catalog.lake.uri"


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SPARK_HOME", "SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS", "ICEBERG_EXPLORER_CONF"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ICEBERG_EXPLORER_CONFIG_DIR", str(tmp_path / "config"))


def write(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text(text)


def test_settings_survive_the_way_to_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    conf = {KEY: "http://h/?a=b", "spark.sql.catalog.lake": "a.B", "spark.empty": ""}
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", conf_to_env(conf))
    assert conf_from_env() == conf
    with pytest.raises(ExplorerError, match="one line"):
        conf_to_env({KEY: "two\nlines"})
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "no setting")
    with pytest.raises(ExplorerError, match="key=value"):
        conf_from_env()


def test_later_places_win(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(tmp_path / "config", f"# mine\n{KEY}   file\nspark.a=1\nspark.b : two words\n! no\nspark.c x\\\n   y\n")
    assert chosen_conf() == {KEY: "file", "spark.a": "1", "spark.b": "two words", "spark.c": "xy"}
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--packages g:a:1 --conf {KEY}=submit --name x pyspark-shell")
    assert (chosen_conf()[KEY], chosen_conf()["spark.jars.packages"]) == ("submit", "g:a:1")
    assert submit_arguments()[1] == "--name x pyspark-shell"
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", f"{KEY}=command line")
    assert chosen_conf()[KEY] == "command line"
    assert chosen_conf({KEY: "argument"})[KEY] == "argument"


def test_sparks_own_defaults_come_before_the_explorers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(tmp_path / "config", "spark.place explorer\n")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    assert chosen_conf() == {"spark.place": "explorer"}  # that folder has no such file
    (tmp_path / "spark").mkdir()
    write(tmp_path / "spark" / "conf", "spark.place home\n")
    assert chosen_conf() == {"spark.place": "home"}
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path / "elsewhere"))
    write(tmp_path / "elsewhere", "spark.place folder\n")
    assert chosen_conf() == {"spark.place": "folder"}


def test_own_packages_and_extensions_are_kept_beside_ours() -> None:
    conf = embedded_conf({"spark.jars.packages": "g:a:1, g:b:2", "spark.sql.extensions": "x.Y"})
    assert conf["spark.jars.packages"] == f"g:a:1,g:b:2,{runtime_coordinate()}"
    assert conf["spark.sql.extensions"] == f"x.Y,{EXTENSIONS}"
    again = embedded_conf(conf)
    assert again["spark.jars.packages"] == conf["spark.jars.packages"]
    assert again["spark.sql.extensions"] == conf["spark.sql.extensions"]


@pytest.mark.parametrize(
    "named",
    [
        {"spark.jars": "/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"},
        {"spark.driver.extraClassPath": "/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"},
        {"spark.jars.packages": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0"},
    ],
)
def test_a_runtime_that_the_person_named_is_used_instead(named: dict[str, str]) -> None:
    conf = embedded_conf(named)
    assert {key: conf[key] for key in named} == named
    assert runtime_coordinate() not in conf.get("spark.jars.packages", "")


def test_a_runtime_among_sparks_own_jars_is_used_instead(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert runtime_coordinate() in embedded_conf({})["spark.jars.packages"]
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "iceberg-spark-runtime-4.1_2.13-1.12.0.jar").touch()
    assert "spark.jars.packages" not in embedded_conf({})


def test_a_person_keeps_their_repository_their_master_and_their_sandbox() -> None:
    mine = {
        "spark.jars.repositories": "https://mirror.example/maven",
        "spark.master": "spark://cluster:7077",
        "spark.sql.catalog.sandbox": "my.Catalog",
    }
    conf = embedded_conf(mine)
    assert {key: conf[key] for key in mine} == mine
    ours = {"spark.jars.ivySettings", "spark.driver.host", "spark.locality.wait", "spark.sql.catalog.sandbox.type"}
    assert not ours & conf.keys()
    assert embedded_conf({})["spark.driver.host"] == "127.0.0.1"


def test_the_runtime_fits_the_spark() -> None:
    assert runtime_coordinate("3.5.9") == "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0"
    assert runtime_coordinate("4.0.5") == "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0"
    assert runtime_coordinate("4.1.4") == "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
    with pytest.raises(NoRuntime, match=r"4\.9.*\n.*3\.5, 4\.0, 4\.1"):
        runtime_coordinate("4.9.0")


def test_credentials_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "spark.sql.catalog.lake.s3.secret-access-key=SEKRIT")
    hidden = without_secrets("no SEKRIT at http://bob:hunter2@h/?token=abc&x=1 jdbc:pg://h?user=u&password=pw")
    assert hidden == "no ******** at http://********@h/?token=********&x=1 jdbc:pg://h?user=u&password=********"
    assert is_secret("spark.sql.catalog.lake.credential")
    assert not is_secret("spark.sql.catalog.tokens")
