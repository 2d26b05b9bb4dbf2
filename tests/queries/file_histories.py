"""Random live histories in which files come and go by every way that a table has."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.row_histories import REFUSED, RowHistory


class FileHistory(RowHistory):
    """A random history that publishes, cherry-picks and expires, too."""

    def publish(self) -> None:
        self.sql(f"ALTER TABLE {self.name} SET TBLPROPERTIES ('write.wap.enabled' = 'true')")
        wap = f"w{len(self.done)}"
        self.spark.conf.set("spark.wap.id", wap)
        try:
            self.insert()
        finally:
            self.spark.conf.unset("spark.wap.id")
        if self.pick.random() < 0.7:
            self.insert()  # else it is only staged, or the publishing is a fast-forward
        if self.pick.random() < 0.7:
            self.sql(f"CALL lab.system.publish_changes('{self.name}', '{wap}')")

    def expire(self) -> None:
        ids = [row[0] for row in self.spark.sql(f"SELECT snapshot_id FROM {self.name}.snapshots").collect()]
        heads = {row[0] for row in self.spark.sql(f"SELECT snapshot_id FROM {self.name}.refs").collect()}
        loose = [i for i in ids if i not in heads]
        if loose:
            self.sql(
                f"CALL lab.system.expire_snapshots(table => '{self.name}', clean_expired_metadata => false, "
                f"snapshot_ids => array({self.pick.choice(loose)}L))"
            )

    def attempt(self, happens: Callable[[], None]) -> None:
        try:
            happens()
        except REFUSED as error:
            self.done.append(f"refused: {str(error)[:200]}")
