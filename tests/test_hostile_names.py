"""A table whose every name and value would run in a browser or steer a terminal: shown exactly, executed never."""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from explorer import cli
from explorer.table import Table
from tests.asked import questions

SCRIPT = "<script>document.title='owned'</script>"
EVIL = f"{SCRIPT}<img src=x onerror=alert(1)> 50% 'ü\" \x1b]0;owned\x07\x1b[2J\u202e\r\nend"
COLUMN = "a <b onclick=x> 'c' %41 ü"


@pytest.fixture(scope="module")
def table(spark: SparkSession, fresh_table: Callable[..., str]) -> Table:
    name = f"{fresh_table('hostile').rpartition('.')[0]}.`<i>o'dd &amp; 100% ü</i>`"
    spark.sql(
        f"CREATE TABLE {name} (id INT, `{COLUMN}` STRING) USING iceberg PARTITIONED BY (`{COLUMN}`)"
        " TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    rows = spark.createDataFrame([(1, EVIL), (2, EVIL)], f"id INT, `{COLUMN}` STRING").coalesce(1)
    rows.writeTo(name).option("snapshot-property.wap.id", EVIL).option(f"snapshot-property.{EVIL}", EVIL).append()
    spark.sql(f"ALTER TABLE {name} CREATE TAG `{SCRIPT}`")
    spark.sql(f"ALTER TABLE {name} CREATE BRANCH `50% \x1b[2J ü`")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    return Table.open(name, spark)


class Tags(HTMLParser):
    """Every element of a page, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


def steering(text: str) -> list[str]:
    return [sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


_OURS = {"div", "img", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "p", "b"}


def test_no_static_page_has_an_element_or_a_script_of_the_tables_making(table: Table) -> None:
    for question, ask in questions(table):
        picture = ask()
        page = Tags(picture.to_static_html())
        assert {tag for tag, _ in page.found} <= _OURS
        images = [attributes for tag, attributes in page.found if tag == "img"]
        assert len(images) == 1, question
        assert not any(name.startswith("on") for _, attributes in page.found for name in attributes), question
        source = str(images[0]["src"])
        drawn = ElementTree.fromstring(base64.b64decode(source.partition("base64,")[2]))
        names = {element.tag.rpartition("}")[2].lower() for element in drawn.iter()}
        assert not names & {"script", "foreignobject", "iframe"}, question
        assert not any(key.lower().startswith("on") for element in drawn.iter() for key in element.attrib), question


def test_data_has_every_name_and_value_exactly(table: Table) -> None:
    graph = table.snapshot_graph()
    assert {ref for refs in graph.data["refs"] for ref in refs} == {"main", SCRIPT, "50% \x1b[2J ü"}
    assert graph.facts.by_id[table.metadata.snapshots[0].snapshot_id].snapshot.summary["wap.id"] == EVIL
    assert table.snapshot(SCRIPT).snapshot_id == table.metadata.snapshots[0].snapshot_id
    assert set(table.changelog().data[COLUMN]) == {EVIL}
    (partition,) = set(table.commit(SCRIPT).data["partition"])
    assert partition == "=".join(json.dumps(part, ensure_ascii=False) for part in (COLUMN, EVIL))
    assert EVIL in table.why(f"`{COLUMN}` IS NOT NULL").data["row"][0]
    assert {row.file_path for row in table.spark.sql(table.entries().sql).collect()} == set(
        table.entries().data["file_path"]
    )


@pytest.mark.parametrize("asked", [["graph"], ["commit", "--rows"], ["changelog"], ["entries"], ["sequence-timeline"]])
@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_no_command_lets_the_table_steer_a_terminal(table: Table, asked: list[str], form: str) -> None:
    of = [table.name, SCRIPT] if asked[0] == "commit" else [table.name]
    result = CliRunner().invoke(cli.main, ["show", asked[0], *of, *asked[1:], "--format", form])
    assert result.exit_code == 0, result.output
    assert not steering(result.stdout.replace("\r\n", "\n") if form == "csv" else result.stdout)
