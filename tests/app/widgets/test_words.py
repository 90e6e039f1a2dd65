"""Text in its boxes: never cut, as large as it may be, and drawn in every letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from kivy.core.text import Label as CoreLabel
from kivy.metrics import Metrics

from companion.app import theme
from companion.app.widgets.words import TextLabel, measured
from tests.app.widgets.touched import LONG, fixed

if TYPE_CHECKING:
    from tests.app.driver import Driver

_SYMBOLS = "äöüßéèçñøåłžšőÄÖÜ→←↑↓✓×−–—…·•★½°„“”’"  # noqa: RUF001
_UNASSIGNED = "\u0378"


@pytest.mark.parametrize("box", [(400, 120), (260, 60), (120, 63), (90, 40)])
def test_text_is_never_cut(drive: Driver, box: tuple[int, int]) -> None:
    label = drive.show(fixed(TextLabel(text=LONG, role="large"), *box))
    width, height = measured(label.text, label.font_name, round(label.font_size), box[0])
    assert width <= box[0]
    assert height <= box[1]
    assert label.texture_size[1] <= box[1]


def test_text_keeps_its_size_where_there_is_room_and_says_when_it_got_too_small(drive: Driver) -> None:
    label = drive.show(fixed(TextLabel(text="Comfort"), 200, 40))
    assert (label.font_size, label.shrunk) == (20, False)
    label.size = (30, 12)
    drive.frames(2)
    assert label.font_size < theme.SMALLEST_SP
    assert label.shrunk


def test_text_that_grows_is_as_high_as_it_needs(drive: Driver) -> None:
    label = drive.show(fixed(TextLabel(text="The tower of North has come down. " * 4, grows=True), 200, 10))
    assert label.font_size == 20
    assert label.height > 100
    narrow = label.height
    label.width = 400
    drive.frames(2)
    assert label.height < narrow


def test_bigger_text_can_be_asked_for(drive: Driver) -> None:
    label = TextLabel(text="Comfort", role="body")
    Metrics.fontscale = 1.5
    drive.show(fixed(label, 300, 80))
    assert label.font_size == 30


@pytest.mark.parametrize("font", [theme.SANS, theme.SANS_BOLD])
def test_figures_line_up(font: str) -> None:
    assert len({measured(figure * 10, font, 40, None)[0] for figure in "0123456789"}) == 1


@pytest.mark.usefixtures("drive")
@pytest.mark.parametrize("font", [theme.SANS, theme.SANS_BOLD])
def test_every_symbol_has_a_drawing(font: str) -> None:
    nothing = _drawn(_UNASSIGNED, font)
    assert [symbol for symbol in _SYMBOLS if _drawn(symbol, font) == nothing] == []


def _drawn(symbol: str, font: str) -> bytes:
    label = CoreLabel(text=symbol, font_name=font, font_size=40)
    label.refresh()
    return bytes(label.texture.pixels)
