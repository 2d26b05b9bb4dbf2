from __future__ import annotations

import re

import pytest

from explorer.figures.page.theme import DARK, LIGHT, Theme, blend


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _under(band: str, ground: str) -> str:
    """A ground with a transparent band over it."""
    *rgb, opacity = re.findall(r"[\d.]+", band)
    return blend("#" + "".join(f"{int(channel):02X}" for channel in rgb), ground, float(opacity))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_text_can_be_read_on_every_ground(theme: Theme) -> None:
    hues = (theme.added, theme.changed, theme.removed, theme.moved, theme.attention)
    texts = [theme.ink, theme.ink_2, theme.ink_3, theme.error, theme.ok, *(hue.text for hue in hues)]
    plain = (theme.page, theme.band, theme.panel)
    for ground in (*plain, *(_under(band, ground) for band in (theme.column_band, theme.funnel) for ground in plain)):
        for colour in texts:
            assert contrast(colour, ground) >= 4.5, f"{colour} on {ground}"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_capsules_words_can_be_read_on_its_fill(theme: Theme) -> None:
    assert contrast(theme.ink, theme.page) >= 4.5
    assert contrast(theme.ink_2, theme.page) >= 4.5


def test_blending_ends_at_the_two_colours() -> None:
    assert blend("#0072B2", "#FFFFFF", 1) == "#0072B2"
    assert blend("#0072B2", "#FFFFFF", 0) == "#FFFFFF"
    assert blend("#000000", "#FFFFFF", 0.5) == "#808080"
