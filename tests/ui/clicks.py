"""Clicks on what an explorer draws, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Locator, Page
from pyspark.sql import SparkSession

Seen = TypeVar("Seen")

EXPLORER = ".iceberg-explorer"
# Texts of a picture are parts of images, those of one that pans are plotly's own.
DRAWN_WORDS = """around => {
    const own = [...around.querySelectorAll('.main-svg text')].map(text => text.textContent);
    const images = [...around.querySelectorAll('.main-svg image')].flatMap(image => {
        const bytes = Uint8Array.from(atob(image.href.baseVal.split(',')[1] ?? ''), char => char.charCodeAt(0));
        const drawn = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml');
        return [...drawn.querySelectorAll('text')].map(text => text.textContent);
    });
    return [...own, ...images];
}"""
PLACE_OF = """([plot, id]) => {
    const graph = plot.querySelector('.js-plotly-plot');
    graph.scrollIntoView({block: 'center'});
    const area = graph.getBoundingClientRect();
    for (const trace of graph._fullData) {
        if (trace.name !== 'targets') continue;
        const size = i => trace.marker.size?.[i] ?? 0; // where marks are dense, that of a ref is the place to click
        const index = [...(trace.customdata || []).keys()].filter(i => trace.customdata[i] === id)
            .reduce((best, i) => best < 0 || size(i) > size(best) ? i : best, -1);
        if (index < 0) continue;
        const x = graph._fullLayout[trace.xaxis.replace('x', 'xaxis')];
        const y = graph._fullLayout[trace.yaxis.replace('y', 'yaxis')];
        return [area.x + x._offset + x.d2p(trace.x[index]), area.y + y._offset + y.d2p(trace.y[index])];
    }
    return null;
}"""


def click(page: Page, explorer: Locator, snapshot_id: int, *, shift: bool = False) -> None:
    place = soon(page, lambda: page.evaluate(PLACE_OF, [explorer.element_handle(), str(snapshot_id)]))
    assert place, "the snapshot has no mark that can be clicked"
    x, y = place
    page.mouse.move(x - 3, y - 3)
    page.mouse.move(x, y)
    page.wait_for_timeout(150)  # plotly clicks what it hovers
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(x, y)
    if shift:
        page.keyboard.up("Shift")


def drawn_words(around: Locator) -> list[str]:
    """The texts that figures within an element show."""
    words: list[str] = around.evaluate(DRAWN_WORDS)
    return words


def newest_of(spark: SparkSession, table: str) -> int:
    """The id of the snapshot that was committed last."""
    newest = spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC").first()
    assert newest is not None
    return int(newest.snapshot_id)


def soon(page: Page, look: Callable[[], Seen]) -> Seen:
    """What a look at the page finds, once it finds something; ten seconds long, since a busy machine draws late."""
    for _ in range(100):
        if found := look():
            return found
        page.wait_for_timeout(100)
    return look()
