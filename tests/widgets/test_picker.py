"""The table picker: what it lists, finds, remembers and opens; one catalog that fails holds up no other."""

from __future__ import annotations

import html
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ipywidgets.embed import dependency_state
from pyspark.sql import SparkSession

import explorer
from explorer.engine import recent
from explorer.errors import AccessDenied
from explorer.model import silence
from explorer.model.namespaces import Name, Namespace
from explorer.queries.files import listing
from explorer.table.catalogs import Catalogs
from explorer.widgets import TableExplorer, TablePicker, picker_lists
from explorer.widgets.picker_lists import MOST
from tests.widgets.tabs import until


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of the explorer in which nothing is remembered yet."""
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def pick(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., TablePicker]]:
    """`pick(lake=[…])`: a picker of catalogs that list these namespaces, or do as a function of them does."""
    made = []

    def make(**catalogs: list[Namespace] | Callable[[], Iterator[Namespace]]) -> TablePicker:
        def namespaces(_: SparkSession, catalog: str) -> Iterator[Namespace]:
            told = catalogs[catalog]
            yield from told() if callable(told) else told

        monkeypatch.setattr(listing, "catalogs", lambda _: list(catalogs))
        monkeypatch.setattr(listing, "namespaces", namespaces)
        made.append(TablePicker(Catalogs(spark), TableExplorer))
        return made[-1]

    yield make
    for picker in made:
        picker.close()


def send(picker: TablePicker, search: str = "", **content: str) -> None:
    picker._field._handle_custom_msg({"search": search, **content}, [])


def is_listed(picker: TablePicker) -> bool:
    known = bool(picker._listings) and all(told.is_complete for told in picker._listings)
    return known and "Listing …" not in picker._field.places


def words(shown: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", shown))


def opening(shown: str) -> list[str]:
    """Names of the tables that a click would open, in order."""
    return [html.unescape(name) for name in re.findall(r'data-open="([^"]*)"', shown)]


def marked(shown: str) -> list[str]:
    return [html.unescape(name) for name in re.findall(r'data-\w+="([^"]*)" class="iceberg-at"', shown)]


SHOP = Namespace(("lake", "shop"), ("order_items", "orders", "returns"))
WEB = Namespace(("lake", "web"), ("clicks", "reorders"))
LEDGER = Namespace(("audit", "fin"), ("ledger",))


def test_the_catalogs_of_the_session_are_listed_as_spark_shows_them(spark: SparkSession, written: str) -> None:
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lab.`odd name`.deeper")
    spark.sql("CREATE TABLE IF NOT EXISTS lab.`odd name`.deeper.`a-b` (id INT) USING iceberg")
    told = {namespace.name: namespace for namespace in listing.namespaces(spark, "lab")}
    shown = {row.tableName for row in spark.sql("SHOW TABLES IN lab.t").collect()}
    assert set(told["lab", "t"].tables) == shown
    assert told["lab", "odd name"].tables == ()
    assert told["lab", "odd name", "deeper"].tables == ("a-b",)
    picker = explorer.open(spark=spark)
    send(picker, written.rpartition(".")[2], kind="search")  # other tests leave more tables there than a list shows
    until(lambda: written in opening(picker._field.tables))
    send(picker, "a-b", kind="search")
    until(lambda: opening(picker._field.tables) == ["lab.`odd name`.deeper.`a-b`"])
    send(picker, "a-b", kind="key", key="Enter")
    until(lambda: picker._choosing.comm is None)  # nothing of the choice is left to a page that is loaded again
    assert picker.explorer.table.name == "lab.`odd name`.deeper.`a-b`"
    assert picker.children == (picker.explorer,)
    assert dependency_state([picker])[picker.model_id]["state"]["children"]
    picker.close()


def test_a_catalog_that_is_refused_or_silent_says_so_and_the_others_work(
    pick: Callable[..., TablePicker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE", 300.0)
    silent = threading.Event()

    def refuses() -> Iterator[Namespace]:
        raise AccessDenied("The catalog audit may not be read.", found="<403> for you.")

    def is_silent() -> Iterator[Namespace]:
        silent.wait(300)
        yield LEDGER

    began = time.monotonic()
    picker = pick(audit=refuses, far=is_silent, lake=[SHOP])
    assert time.monotonic() - began < 30, "the kernel is not held up"
    until(lambda: "orders" in words(picker._field.tables) and "may not be read" in words(picker._field.places))
    assert "<403> for you." in words(picker._field.places)
    assert "Listing …" in words(picker._field.places)
    monkeypatch.setattr(silence, "PATIENCE", 0.5)
    until(lambda: re.search(r"No answer for [\d.]+ m?s; it is still being asked", words(picker._field.places)))
    silent.set()
    until(lambda: "fin" in words(picker._field.places))


def test_a_real_catalog_whose_storage_is_missing_is_explained(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.catalog.nowhere", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.nowhere.type", "rest")
    spark.conf.set("spark.sql.catalog.nowhere.uri", "http://127.0.0.1:9")
    try:
        assert "nowhere" in listing.catalogs(spark)
        picker = TablePicker(Catalogs(spark), TableExplorer)
        until(lambda: "The catalog nowhere could not be reached." in words(picker._field.places))
        until(lambda: opening(picker._field.tables))
        picker.close()
    finally:
        for name in ("", ".type", ".uri"):
            spark.conf.unset(f"spark.sql.catalog.nowhere{name}")


def test_a_search_finds_every_word_and_puts_the_likeliest_first(pick: Callable[..., TablePicker]) -> None:
    picker = pick(lake=[SHOP, WEB], audit=[LEDGER])
    until(lambda: is_listed(picker))
    assert marked(picker._field.places) == ["lake.shop"]
    until(lambda: "6 tables in 2 catalogs" in words(picker._head.value))
    send(picker, "ORDER", kind="search")
    assert opening(picker._field.tables) == ["lake.shop.order_items", "lake.shop.orders", "lake.web.reorders"]
    send(picker, "order web", kind="search")
    assert opening(picker._field.tables) == ["lake.web.reorders"]
    send(picker, "gone", kind="search")
    assert "No listed table has a name with “gone”" in words(picker._field.tables)
    assert opening(picker._field.tables) == ["gone"], "it may still be opened by its full name"


def test_keys_go_along_tables_and_namespaces_and_open(
    pick: Callable[..., TablePicker], monkeypatch: pytest.MonkeyPatch
) -> None:
    picker = pick(lake=[SHOP, WEB], audit=[LEDGER])
    until(lambda: is_listed(picker))
    opened: list[str] = []
    monkeypatch.setattr(picker, "_open", opened.append)
    send(picker, kind="key", key="ArrowDown")
    assert marked(picker._field.tables) == ["lake.shop.orders"]
    send(picker, kind="key", key="Enter")
    for _ in range(5):
        send(picker, kind="key", key="ArrowDown")
    assert marked(picker._field.tables) == ["lake.shop.returns"], "the last one"
    send(picker, kind="key", key="ArrowRight")
    assert marked(picker._field.places) == ["lake.web"]
    send(picker, kind="key", key="Enter")
    send(picker, "led", kind="key", key="Enter")
    send(picker, kind="key", key="Escape")
    assert marked(picker._field.places) == ["lake.web"]
    send(picker, kind="place", name="audit.fin")
    send(picker, kind="key", key="Enter")
    send(picker, " /tmp/table/ ", kind="key", key="Enter")
    assert opened == ["lake.shop.orders", "lake.web.clicks", "audit.fin.ledger", "audit.fin.ledger", "/tmp/table/"]


def test_thousands_of_tables_are_cut_and_counted(pick: Callable[..., TablePicker]) -> None:
    many = tuple(f"t{number:05}" for number in range(12_311))
    spaces = [Namespace(("lake", f"n{number:04}"), ()) for number in range(1_000)]
    picker = pick(lake=[Namespace(("lake", "big"), many), *spaces])
    until(lambda: is_listed(picker))
    assert len(opening(picker._field.tables)) == MOST
    assert f"{MOST} of 12,311 are shown: type to narrow." in words(picker._field.tables)
    assert "801 more namespaces" in words(picker._field.places)
    send(picker, "t0001", kind="search")
    assert opening(picker._field.tables) == [f"lake.big.t0001{digit}" for digit in range(10)]
    began = time.thread_time()  # what others do on the machine meanwhile is not counted
    send(picker, "t", kind="search")
    assert time.thread_time() - began < 0.5


def test_names_are_shown_and_never_obeyed(pick: Callable[..., TablePicker]) -> None:
    attack = '"><img src=x onerror=alert(1)>'
    name: Name = ("lake", attack)
    picker = pick(lake=[Namespace(name, (attack,), attack)])
    until(lambda: is_listed(picker))
    send(picker, attack.split()[0], kind="search")
    for shown in picker._field.places, picker._field.tables:
        assert "<img" not in shown
        assert attack in words(shown)


def test_what_was_opened_last_comes_first_and_survives_the_kernel(
    spark: SparkSession, written: str, masked: str, pick: Callable[..., TablePicker], home: Path
) -> None:
    for name in (written, masked, written):
        explorer.open(name, spark).close()
    assert [table.name for table in recent.recent_tables()] == [written, masked]
    picker = pick(lake=[SHOP])
    assert opening(picker._field.places) == [written, masked]
    assert "just now" in words(picker._field.places)
    send(picker, kind="open", name=masked)
    until(lambda: picker.explorer is not None)
    assert [table.name for table in recent.recent_tables()] == [masked, written]
    (file,) = home.glob("recent_tables.json*")
    assert [name for name, _ in json.loads(file.read_text())] == [masked, written]
    file.write_text("{ not what was written")
    assert recent.recent_tables() == []
    for number in range(30):
        recent.remember(f"lake.shop.t{number}")
    assert [table.name for table in recent.recent_tables()] == [f"lake.shop.t{29 - number}" for number in range(10)]


def test_a_table_that_cannot_be_opened_is_explained_and_the_picker_stays(
    pick: Callable[..., TablePicker],
) -> None:
    picker = pick(lake=[SHOP])
    send(picker, kind="open", name="lab.t.nothing_like_it")
    until(lambda: "No table lab.t.nothing_like_it" in words(picker._errors._text.value))
    assert picker.explorer is None
    assert recent.recent_tables() == []


def test_a_session_without_a_catalog_says_how_to_configure_one(pick: Callable[..., TablePicker]) -> None:
    picker = pick()
    saved = picker._repr_mimebundle_()
    assert "to choose one" in saved["text/html"], "where no widget is shown"
    assert "application/vnd.jupyter.widget-view+json" in saved
    until(lambda: "No catalog is configured" in words(picker._field.tables))


def test_the_path_in_an_explorer_leads_to_all_tables_and_to_another_one(
    spark: SparkSession, written: str, masked: str
) -> None:
    seen = explorer.open(written, spark)
    assert "lab <i>›</i> t <i>›</i> <button" in seen._header.value
    press = {"kind": "act", "act": "choose", "value": ""}
    seen._page._received(None, press, None)
    seen._page._received(None, press, None)
    content, picker = seen.children
    assert "iceberg-behind" in content._dom_classes
    picker._back.click()
    assert seen.children == (content,)
    assert "iceberg-behind" not in content._dom_classes
    seen._page._received(None, press, None)
    picker = seen.children[-1]
    send(picker, masked.rpartition(".")[2], kind="search")  # other tests leave more tables there than a list shows
    until(lambda: masked in opening(picker._field.tables))
    send(picker, kind="open", name=masked)
    until(lambda: picker._choosing.comm is None and content.comm is None)
    assert seen.table.name == masked
    assert seen.table is picker.explorer.table
    assert seen.state is picker.explorer.state
    assert seen.children == (picker,)
    assert recent.recent_tables()[0].name == masked
    seen.close()
    assert picker.explorer.comm is None


def test_beside_the_marked_table_stands_what_its_metadata_file_says(
    pick: Callable[..., TablePicker], written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *namespace, name = written.split(".")
    opened = list[str]()
    open_ = Catalogs.open
    monkeypatch.setattr(Catalogs, "open", lambda self, table: opened.append(table) or open_(self, table))
    picker = pick(lab=[Namespace(tuple(namespace), (name, "zz_absent"))])
    until(lambda: "snapshot" in picker._field.tables)
    assert re.search(
        r"v[123] · (not partitioned|by \S+) · [\d,]+ rows? · [\d,]+ snapshots?", words(picker._field.tables)
    )
    assert opened == [written], "no table is read that is not marked"
    send(picker, kind="key", key="ArrowDown")
    until(lambda: "No table" in picker._field.tables)
    assert not picker._errors.children[0].value, "nobody asked for it"
    send(picker, kind="key", key="ArrowUp")
    assert len(opened) == 2, "what was seen stays"


def test_what_a_worker_began_to_show_never_comes_after_what_was_typed(
    pick: Callable[..., TablePicker], monkeypatch: pytest.MonkeyPatch
) -> None:
    picker = pick(lake=[SHOP, WEB])
    until(lambda: is_listed(picker))
    began, typed, head = threading.Event(), threading.Event(), picker_lists.head

    def slow(*args: object, **more: object) -> str:
        if threading.current_thread() is worker:
            began.set()
            typed.wait(1)
        return head(*args, **more)

    monkeypatch.setattr(picker_lists, "head", slow)
    worker = threading.Thread(target=picker._show)
    worker.start()
    assert began.wait(10)
    send(picker, "clicks", kind="search")
    typed.set()
    worker.join()
    assert opening(picker._field.tables) == ["lake.web.clicks"]
