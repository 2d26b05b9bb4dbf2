"""What learners answer to the exercises, wrong and right; what is true is asked of the table in Spark's own SQL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from explorer.lessons.exercises import Attempt

MERGE_ON_READ = "ALTER TABLE {t} SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read');"
REWRITE = "CALL sandbox.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))"

# By exercise: wrong answers, each with words that the verdict must say of it.
WRONG: dict[str, list[tuple[str, str]]] = {
    "no-carry-over": [
        ("UPDATE {t} SET value = 'd' WHERE id = 3", "! rows carried over: 2; aim: none"),
        (MERGE_ON_READ + "DELETE FROM {t} WHERE id = 3; INSERT INTO {t} VALUES (3, 'd')", "! your commits: 2"),
        ("DELETE FROM {t}", "! row 3 reads nothing: it is gone; aim: d"),
    ],
    "lost-race": [
        ("SELECT * FROM {t}", "! the till won at attempt 1; aim: 2"),
        ("ALTER TABLE {t} CREATE TAG mine", "! number 2 went to the till; aim: another commit"),
        ("DROP TABLE {t}", "commit failed for good"),
    ],
    "delete-and-add": [
        ("ADD 67890 Caroline; COMMIT; DELETE 67890; COMMIT", "! the key 67890 belongs to nobody"),
        ("DELETE 67890; COMMIT; ADD 67890 Caroline; COMMIT", "After commit 2 a reader found the key nowhere"),
        ("ADD 67890 Caroline; COMMIT", "belongs to Carol and Caroline"),
        ("RENAME 67890 Caroline", "“RENAME 67890 Caroline” is none of DELETE key, ADD key name, COMMIT"),
    ],
    "dangling-delete": [
        ("DELETE FROM {t} WHERE id = 2", "Your commits wrote 1 data file and no delete file"),
        (MERGE_ON_READ + "DELETE FROM {t} WHERE id = 2", "What you deleted is masked in 1 data file"),
        (
            MERGE_ON_READ + "DELETE FROM {t} WHERE id = 2;" + REWRITE.replace("'true')", "'true', "
            "'remove-dangling-deletes', 'true')"),
            "You wrote a delete file, and it is gone again",
        ),
    ],
    "compact-no-return": [
        (REWRITE, "! live delete files: 1; aim: none"),
        ("INSERT OVERWRITE {t} SELECT * FROM {t}", "! your commits: overwrite; aim: replace, which changes no row"),
        ("INSERT INTO {t} VALUES (2, 'Ben')", "! rows that came back: Ben"),
    ],
    "undo-rollback": [
        ("INSERT INTO {t} VALUES (2, 'pear'), (3, 'plum')", "! data files written by you: 1; aim: none"),
        ("CALL sandbox.system.set_current_snapshot('{t}', {lost})", "! rows on main: 1, 2, 3; aim: 1, 2, 3, 4"),
        ("CALL sandbox.system.cherrypick_snapshot('{t}', {lost})", "Row 2 is in a snapshot that main does not lead to"),
    ],
    "load-once": [
        ("INSERT INTO {t} SELECT * FROM load", "! night 3, whose first attempt was committed: 0 of 2 orders once, 2 "
            "there 2 times; aim: each once"),
        ("SELECT * FROM load", "! night 2, whose first attempt never arrived: 0 of 3 orders once, 3 missing"),
        ("INSERT OVERWRITE {t} SELECT * FROM load", "! night 1, loaded before: 0 of 2 orders once, 2 missing"),
        ("DROP TABLE {t}", "in night 3 the job failed for good"),
    ],
    "branch-without-copy": [
        ("INSERT INTO {t} VALUES (3, 'plum')", "there is no branch audit"),
        ("INSERT INTO {t} VALUES (3, ''); ALTER TABLE {t} CREATE BRANCH audit", "! rows on main: 1, 2, 3; aim: 1, 2"),
        ("ALTER TABLE {t} CREATE BRANCH audit; ALTER TABLE {t} CREATE TAG mine", "nothing was committed"),
        (
            "ALTER TABLE {t} CREATE BRANCH audit; INSERT OVERWRITE {t}.branch_audit SELECT * FROM {t} UNION ALL "
            "SELECT 3, 'plum'",
            "of which main has 0; aim: one of its own",
        ),
    ],
    "publish-staged": [
        ("INSERT INTO {t} VALUES (2, 'pear'), (3, 'plum')", "! data files written by you: 1; aim: none"),
        ("CALL sandbox.system.set_current_snapshot('{t}', {lost})", "! rows on main: 1, 2, 3; aim: 1, 2, 3, 4"),
        ("CALL sandbox.system.publish_changes('{t}', 'load-tuesday')", "Spark refused your statement: "),
    ],
}  # fmt: skip


def filled(attempt: Attempt, words: str) -> str:
    """A statement with the table's name, and the newest snapshot that main does not lead to."""
    lost = ""
    if "{lost}" in words:
        lost = str(lost_snapshots(attempt)[-1])
    return words.replace("{t}", attempt.table.removeprefix("sandbox.")).replace("{lost}", lost)


def lost_snapshots(attempt: Attempt) -> list[object]:
    """Those that main does not lead to, by their order."""
    seen = attempt.look()
    rows = [dict(zip(seen.columns, row, strict=True)) for row in seen.rows]
    return [row["snapshot_id"] for row in rows if not row["on_main"]]


def query(attempt: Attempt, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in attempt.spark.sql(sql.replace("{t}", attempt.table)).collect()]


def nonsense(attempt: Attempt) -> dict[str, str]:
    """An answer of which at least a part is wrong, of an exercise whose answer is no statement."""
    return {field.name: field.choices[0] if field.choices else "7" for field in attempt.exercise.fields}


def solution(attempt: Attempt) -> str:
    """An answer that is accepted, of an exercise of doing."""
    if attempt.exercise.name != "undo-rollback":
        return attempt.solution
    picks = (f"CALL system.cherrypick_snapshot('{{t}}', {one})" for one in lost_snapshots(attempt))
    return filled(attempt, ";".join(picks))


OWNER = """
SELECT s.file_sequence_number, r._last_updated_sequence_number
FROM (SELECT id, _file, _last_updated_sequence_number FROM {t}) r JOIN {t}.entries s ON s.data_file.file_path = r._file
WHERE s.status < 2 AND r."""
ADDED, REMOVED = (f"coalesce(summary['{side}-data-files'], '0')" for side in ("added", "deleted"))
LAST = "(SELECT * FROM {t}.snapshots ORDER BY committed_at DESC LIMIT 1)"


def truth(attempt: Attempt) -> dict[str, Any]:
    """What a learner should have answered, by fields; of a statement that has run."""
    match attempt.exercise.name:
        case "files-of-an-insert":
            return {"files": query(attempt, f"SELECT {ADDED} FROM {LAST}")[0][0]}
        case "what-an-update-rewrites":
            [(files, rows)] = query(attempt, f"SELECT {REMOVED}, summary['deleted-records'] FROM {LAST}")
            paid = query(attempt, "SELECT count(*) FROM {t} WHERE status = 'paid'")[0][0]
            return {"files": files, "rows": int(rows) - paid}
        case "stored-numbers":
            numbers = "SELECT sequence_number FROM {t}.entries WHERE snapshot_id = (SELECT snapshot_id FROM "
            [(added,)] = query(attempt, f"{numbers}{LAST}) AND status = 1")
            [(removed,)] = query(attempt, f"{numbers}{LAST}) AND status = 2")
            return {"added": "null", "read": added, "removed": removed}
        case "deletes-of-version-1":
            copied = (
                "SELECT coalesce(summary['added-records'], '0') FROM {t}.snapshots ORDER BY committed_at DESC LIMIT 2"
            )
            [(key, name)] = re.findall(r"VALUES \((\d+), '(\w+)'\)", attempt.statement)
            return {
                "deletes": query(attempt, "SELECT count(*) FROM {t}.delete_files")[0][0],
                "copied": query(attempt, copied)[1][0],
                "seen": "yes" if query(attempt, f"SELECT name FROM {{t}} WHERE id = {key}") == [(name,)] else "no",
            }
        case "numbers-of-a-compaction":
            [(data, file)] = query(
                attempt,
                "SELECT sequence_number, file_sequence_number FROM {t}.entries WHERE status = 1 AND "
                "data_file.content = 0",
            )
            cleo = query(attempt, "SELECT count(*) FROM {t} WHERE id = 3")[0][0]
            return {"data": data if data != file else "null", "file": file, "cleo": "yes" if cleo else "no"}
        case "older-than-its-file":
            differ = "SELECT data_file.file_path, sequence_number FROM {t}.entries WHERE status < 2"
            [(path, age)] = query(attempt, differ + " AND sequence_number <> file_sequence_number")
            return {"file": "-".join(Path(path).name.split("-")[:2]), "age": age}
        case "owner-and-last-change":
            owner, changed = query(attempt, OWNER + attempt.statement)[0]
            return {"owner": owner, "changed": changed}
        case "what-expiry-removes":
            [(snapshots,)] = query(
                attempt,
                "SELECT count(*) FROM {t}.snapshots WHERE snapshot_id NOT IN (SELECT snapshot_id FROM {t}.refs)",
            )
            kept = "SELECT file_path FROM {t}.files VERSION AS OF 'audited' UNION SELECT file_path FROM {t}.files"
            [(files,)] = query(
                attempt, f"SELECT count(DISTINCT file_path) FROM {{t}}.all_data_files WHERE file_path NOT IN ({kept})"
            )
            return {"snapshots": snapshots, "files": files, "rows": 0}
        case _:
            return {"dan": "partition", "bo": "sequence number", "cleo": "path", "ben": "none: it reaches it"}
