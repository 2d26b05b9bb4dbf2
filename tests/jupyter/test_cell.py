"""What a cell says while it runs, in a kernel without Spark."""

from __future__ import annotations

from pathlib import Path

from tests.jupyter.test_kernel import kernel

FROM_ANOTHER_THREAD = """
from threading import Thread
from explorer.jupyter.cell import line
with line() as say:
    for words in ("", "nothing <has> come for 15 s", "nothing <has> come for 15 s", "16 s"):
        thread = Thread(target=say, args=(words,))
        thread.start()
        thread.join()
"""


def test_another_thread_speaks_under_the_running_cell_and_its_line_is_gone_afterwards(tmp_path: Path) -> None:
    with kernel(tmp_path / "no specifications", tmp_path) as run:
        assert run(FROM_ANOTHER_THREAD) == "<p>nothing &lt;has&gt; come for 15 s</p>|<p>16 s</p>||"
        assert run("with line() as say: say('')") == "", "without words there is no line"
