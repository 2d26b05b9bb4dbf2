"""Three months of a shop's orders: about 300 commits by several writers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from ..lesson import Lesson, LiveTable
from ..times import SIGNATURE

if TYPE_CHECKING:
    from collections.abc import Iterator

_CUSTOMERS = (
    "ada", "boris", "chen", "dora", "emil", "fatima", "goran", "hana", "ines", "jonas", "kofi", "lena",
    "mira", "noor", "otto", "petra", "quentin", "rosa", "sami", "tara", "umar", "vera", "wim",
)  # fmt: skip
_REGIONS = ("north", "east", "south", "west")
_APP = f"spark.sql.iceberg.snapshot-property.{SIGNATURE}"  # puts the writer into the summary of each commit


@dataclass
class _Shop:
    """Writes the table day by day. Order ids count up from 1; everything else about an order follows from its id."""

    table: LiveTable
    orders: int = 0
    columns: str = "order_id, customer, region, amount, status, ordered_at"
    with_channel: bool = False

    def at(self, day: date, hour: int, writer: str = "") -> None:
        """It is some minutes past the hour: late enough for the rows of that hour to be there."""
        minute = 6 + (day.toordinal() * 17 + hour * 7) % 50
        self.table.at(datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC), writer)

    def run(self, app: str, statement: str, **values: object) -> None:
        """One statement, committed in the name of `app`."""
        with self.table.setting(_APP, app):
            self.table.sql(statement, **values)

    def rows(self, day: date, hour: int, count: int, channel: str = "web", status: str = "paid") -> str:
        """The next orders, as the text of a VALUES list."""
        return ", ".join(self._row(day, hour, minute, channel, status) for minute in range(count))

    def _row(self, day: date, hour: int, minute: int, channel: str, status: str) -> str:
        self.orders += 1
        number = self.orders
        values = [
            str(number),
            f"'{_CUSTOMERS[number * 7 % len(_CUSTOMERS)]}'",
            f"'{_REGIONS[number % len(_REGIONS)]}'",
            f"{5 + number * 37 % 190}.{number * 13 % 100:02}",
            f"'{status}'",
            f"TIMESTAMP '{datetime(day.year, day.month, day.day, hour, minute)}'",
        ]
        if self.with_channel:
            values.append(f"'{channel}'")
        return f"({', '.join(values)})"

    def append(self, app: str, rows: str, branch: str = "main") -> None:
        into = f"{self.table.name}.branch_{branch}"
        self.run(app, "INSERT INTO {into} ({columns}) VALUES {rows}", into=into, columns=self.columns, rows=rows)

    def trade(self, day: date) -> None:
        """An ordinary day: the web shop and the app sell every day, the store not on Sundays and Mondays."""
        self.at(day, 10)
        self.append("web-checkout", self.rows(day, 10, 2 + day.day % 3))
        self.at(day, 13)
        self.append("mobile-app", self.rows(day, 13, 1 + day.day % 2, "app"))
        if day.isoweekday() not in (1, 7):
            self.at(day, 17)
            self.append("store-pos", self.rows(day, 17, 1 + day.day % 4, "store"))

    def ship(self, day: date) -> None:
        """What was paid in the last three days is shipped."""
        self.at(day, 18)
        self.run(
            "fulfilment",
            "UPDATE {table} SET status = 'shipped' WHERE status = 'paid' "
            "AND ordered_at >= TIMESTAMP '{since}' AND ordered_at < TIMESTAMP '{day}'",
            since=day - timedelta(days=3),
            day=day,
        )


def build(table: LiveTable) -> None:
    """January copy-on-write, February merge-on-read, March deletion vectors."""
    shop = _Shop(table)
    shop.at(date(2026, 1, 1), 7)
    table.sql(
        "CREATE TABLE {table} (order_id BIGINT, customer STRING, region STRING, amount DECIMAL(8, 2), "
        "status STRING, ordered_at TIMESTAMP) USING iceberg PARTITIONED BY (months(ordered_at)) "
        "TBLPROPERTIES ('format-version' = '2', 'commit.manifest-merge.enabled' = 'false')"
    )
    _january(shop)
    _february(shop)
    _march(shop)


def _january(shop: _Shop) -> None:
    """Format version 2, copy-on-write, partitioned by month."""
    table = shop.table
    for day in _days(2026, 1):
        shop.trade(day)
        if day.day in (7, 14, 21, 28):
            shop.ship(day)
        if day.day == 8:
            shop.at(day, 19)
            table.sql(
                "CALL {system}.expire_snapshots(table => '{table}', "
                "older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 12)"
            )
        if day.day == 12:
            _merge_corrections(shop, day)
        if day.day == 17:
            shop.at(day, 19)
            shop.run("privacy", "DELETE FROM {table} WHERE customer = 'boris'")
    _close_month(shop, "2026-01", date(2026, 2, 1))


def _february(shop: _Shop) -> None:
    """A new schema, merge-on-read, days instead of months; an audit, a staged load, a bad one."""
    table = shop.table
    shop.at(date(2026, 2, 1), 7)
    table.sql("ALTER TABLE {table} ADD COLUMN channel STRING COMMENT 'web, app or store'")
    table.sql("ALTER TABLE {table} RENAME COLUMN customer TO customer_name")
    table.sql("ALTER TABLE {table} ALTER COLUMN amount TYPE DECIMAL(12, 2)")
    shop.columns = "order_id, customer_name, region, amount, status, ordered_at, channel"
    shop.with_channel = True
    table.sql(
        "ALTER TABLE {table} SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', "
        "'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read')"
    )
    for day in _days(2026, 2):
        if day.day == 9:
            shop.at(day, 7)
            table.sql("ALTER TABLE {table} REPLACE PARTITION FIELD ordered_at_month WITH days(ordered_at)")
        shop.trade(day)
        if day.day in (4, 11, 25):
            shop.ship(day)
        if day.day == 6:
            _merge_corrections(shop, day)
        if day.day == 11:
            shop.at(day, 19)
            table.sql("ALTER TABLE {table} CREATE BRANCH audit RETAIN 365 DAYS")
        if day.day in (12, 14, 16, 20):
            shop.at(day, 20)
            shop.append("auditor", shop.rows(day, 20, 1, "store", "audited"), branch="audit")
        if day.day == 13:
            _stage_promotion(shop, day)
        if day.day == 18:
            _bad_import(shop, day)
        if day.day == 22:  # the partner had nothing to send, and the job commits all the same
            shop.at(day, 23)
            shop.run("partner-feed", "INSERT INTO {table} SELECT * FROM {table} WHERE order_id < 0")
        if day.day == 23:
            shop.at(day, 19)
            shop.run("privacy", "DELETE FROM {table} WHERE customer_name = 'vera'")
    _close_month(shop, "2026-02", date(2026, 3, 1), manifests=False, retain="RETAIN 3650 DAYS")


def _march(shop: _Shop) -> None:
    """Format version 3: deletes write deletion vectors. A spring sale, a day loaded again."""
    table = shop.table
    shop.at(date(2026, 3, 1), 7)
    table.sql("ALTER TABLE {table} SET TBLPROPERTIES ('format-version' = '3')")
    for day in _days(2026, 3):
        shop.trade(day)
        if day.day in (4, 18):
            shop.ship(day)
        if day.day == 10:
            _merge_corrections(shop, day)
        if day.day == 14:
            _spring_sale(shop, day)
        if day.day == 16:  # a partition is deleted whole: no file is rewritten, and Spark does not sign
            shop.at(day, 19, "privacy")
            shop.run(
                "privacy",
                "DELETE FROM {table} WHERE ordered_at >= TIMESTAMP '2026-02-10' "
                "AND ordered_at < TIMESTAMP '2026-02-11'",
            )
        if day.day == 21:
            _load_again(shop, day)
        if day.day == 27:
            shop.at(day, 19)
            shop.run("privacy", "DELETE FROM {table} WHERE customer_name = 'otto'")
    _close_month(shop, "2026-03", date(2026, 4, 1))
    for day in (date(2026, 4, 1), date(2026, 4, 2)):
        shop.trade(day)


def _merge_corrections(shop: _Shop, day: date) -> None:
    """The customer desk corrects two orders of the day and adds one that was forgotten."""
    shop.at(day, 21)
    shop.run(
        "customer-desk",
        "MERGE INTO {table} t USING (SELECT * FROM VALUES {rows} AS v ({columns}) "
        "UNION ALL SELECT {columns} FROM {table} WHERE order_id IN ({first}, {second})) s "
        "ON t.order_id = s.order_id "
        "WHEN MATCHED THEN UPDATE SET amount = s.amount - 5, status = 'corrected' WHEN NOT MATCHED THEN INSERT *",
        columns=shop.columns,
        first=shop.orders - 1,
        second=shop.orders,
        rows=shop.rows(day, 21, 1, "store"),
    )


def _stage_promotion(shop: _Shop, day: date) -> None:
    """A load that was staged for an audit and never published."""
    table = shop.table
    shop.at(day, 22)
    table.sql("ALTER TABLE {table} SET TBLPROPERTIES ('write.wap.enabled' = 'true')")
    with table.setting("spark.wap.id", "valentine-promotion"):
        shop.append("promotion-loader", shop.rows(day, 22, 3))
    table.sql("ALTER TABLE {table} UNSET TBLPROPERTIES ('write.wap.enabled')")


def _bad_import(shop: _Shop, day: date) -> None:
    """Two commits with wrong prices, rolled back the next morning."""
    good = shop.table.head()
    shop.at(day, 22)
    shop.append("price-import", shop.rows(day, 22, 4))
    shop.at(day, 23)
    shop.append("price-import", shop.rows(day, 23, 4))
    shop.at(day + timedelta(days=1), 7)
    shop.table.sql("CALL {system}.rollback_to_snapshot('{table}', {good})", good=good)


def _load_again(shop: _Shop, day: date) -> None:
    """The store sends its day again and overwrites the partition, and with it the day's orders of the others."""
    shop.at(day, 22)
    with shop.table.setting("spark.sql.sources.partitionOverwriteMode", "dynamic"):
        shop.run(
            "store-pos",
            "INSERT OVERWRITE {table} ({columns}) VALUES {rows}",
            columns=shop.columns,
            rows=shop.rows(day, 17, 5, "store"),
        )


def _spring_sale(shop: _Shop, day: date) -> None:
    """Three tills commit at once after closing time. Who loses tries again, which the manifest list's name tells."""
    table = shop.table
    table.sql(
        "ALTER TABLE {table} SET TBLPROPERTIES ('commit.retry.num-retries' = '20', 'commit.retry.min-wait-ms' = '10')"
    )
    statement = "INSERT INTO {table} ({columns}) VALUES {rows}"
    with table.setting(_APP, "spring-sale"), ThreadPoolExecutor(3) as tills:
        for hour in range(9, 21, 3):
            carts = [shop.rows(day, hour + till, 2) for till in range(3)]
            shop.at(day, 20 + hour // 3 - 3)
            list(tills.map(lambda rows: table.sql(statement, columns=shop.columns, rows=rows), carts))


def _close_month(shop: _Shop, month: str, night: date, *, manifests: bool = True, retain: str = "") -> None:
    """The night after a month: fewer and larger files, and a tag."""
    shop.at(night, 2, "maintenance")
    shop.table.sql("CALL {system}.rewrite_data_files(table => '{table}')")
    shop.at(night, 3, "maintenance")
    if manifests:
        shop.table.sql("CALL {system}.rewrite_manifests(table => '{table}', use_caching => false)")
    shop.table.sql("ALTER TABLE {table} CREATE TAG `eom-{month}` {retain}", month=month, retain=retain)


def _days(year: int, month: int) -> Iterator[date]:
    day = date(year, month, 1)
    while day.month == month:
        yield day
        day += timedelta(days=1)


LESSON = Lesson(
    name="shop.orders",
    title="Three months of a shop's orders, about 300 commits by several writers",
    story=(
        "A web shop, an app and a store append orders every day; `fulfilment` updates them, a customer "
        "desk merges corrections, `privacy` deletes customers (each writer signs with the summary key "
        "`app-name`). January rewrote files (copy-on-write), February wrote position delete files, March, "
        "after an upgrade to format version 3, deletion vectors. February began with a new column, a "
        "renamed and a widened one, and turned from monthly to daily partitions. Look for the branch "
        "`audit`, a promotion that was staged and never published, a price import that was rolled back, "
        "an empty commit, the spring sale with its retried commits, a compaction and a tag at each "
        "month's end, and the expired days at the start."
    ),
    build=build,
)
