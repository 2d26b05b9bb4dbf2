"""Clicks on what an explorer draws, wherever it is shown, and looks at it that wait until there is something to see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from tests.ui.conftest import CONTEXT

Seen = TypeVar("Seen")
Place = tuple[float, float]

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
IS_HOVERED = """(explorer, words) => [...explorer.querySelectorAll('.js-plotly-plot')].some(plot =>
    plot._hoverdata?.some(point => words.every(word => String(point.customdata).includes(word))))"""
# What is typed and clicked in quick succession waits in the page until the kernel has answered what came before.
HEARD = f"""async () => {{
    const kernel = {CONTEXT}.sessionContext.session.kernel;
    for (const _ of [1, 2]) await kernel.requestExecute({{code: 'pass', store_history: false}}).done;
}}"""
IS_READING = """explorer => {
    const isSeen = part => part.getClientRects().length && getComputedStyle(part).visibility === 'visible';
    const says = message => !message.matches('.iceberg-message') || message.textContent.trim().endsWith('…');
    return [...explorer.querySelectorAll('.iceberg-stale, .iceberg-message, .iceberg-activity > button')]
        .some(part => isSeen(part) && says(part));
}"""
PARTS = "of => [of.querySelectorAll('*').length, of.clientWidth, of.clientHeight]"
GROUNDS = {"dark": "rgb(17, 17, 17)", "light": "rgb(255, 255, 255)"}


def click(page: Page, explorer: Locator, snapshot_id: int, *, shift: bool = False) -> None:
    x, y = point_at(
        page,
        explorer,
        lambda: page.evaluate(PLACE_OF, [explorer.element_handle(), str(snapshot_id)]),
        str(snapshot_id),
    )
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(x, y)
    if shift:
        page.keyboard.up("Shift")


def point_at(page: Page, explorer: Locator, find: Callable[[], Place | None], *words: str) -> Place:
    """Move the mouse to a place of a picture until plotly, which clicks what it hovers, hovers what means these words.

    A picture that is drawn anew meanwhile is looked at again.
    """

    def hovered() -> Place | None:
        place = find()
        if place is None:
            return None
        x, y = place
        page.mouse.move(x - 3, y - 3)
        page.mouse.move(x, y)
        page.wait_for_timeout(150)
        return place if explorer.evaluate(IS_HOVERED, list(words)) else None

    place = soon(page, hovered)
    assert place, f"nothing that can be clicked means {words}"
    return place


def drawn_words(around: Locator) -> list[str]:
    """The texts that figures within an element show."""
    words: list[str] = around.evaluate(DRAWN_WORDS)
    return words


def newest_of(spark: SparkSession, table: str) -> int:
    """The id of the snapshot that was committed last."""
    newest = spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC").first()
    assert newest is not None
    return int(newest.snapshot_id)


def soon(page: Page, look: Callable[[], Seen], seconds: int = 30) -> Seen:
    """What a look at the page finds, once it finds something; for long, since a busy machine draws late."""
    for _ in range(seconds * 10):
        if found := look():
            return found
        page.wait_for_timeout(100)
    return look()


def expect_keys(page: Page) -> None:
    """Wait until the page follows the keys of what is explored: its script comes after what is seen."""
    expect(page.locator(f"{EXPLORER}[data-lm-suppress-shortcuts]").last).to_be_visible()


def settled(page: Page, explorer: Locator, measure: str = PARTS) -> Any:
    """What is measured of an explorer in JupyterLab once all that was asked is answered and drawn, and nothing moves.

    `measure`: a function of the explorer, in JavaScript.
    """
    page.evaluate(HEARD)
    assert soon(page, lambda: not explorer.evaluate(IS_READING), 90), "it goes on reading"
    measured: list[Any] = []

    def is_still() -> bool:
        measured.append(explorer.evaluate(measure))
        return measured[-4:] == [measured[-1]] * 4

    assert soon(page, is_still), f"it goes on moving: {measured[-4:]}"
    return measured[-1]


def expect_theme(explorer: Locator, theme: str) -> None:
    """Wait until an explorer, and the picture in front, are drawn in the theme."""
    expect(explorer).to_have_attribute("data-theme", theme)
    picture = explorer.locator(".js-plotly-plot:visible .main-svg").first
    expect(picture).to_have_css("background-color", GROUNDS[theme])
