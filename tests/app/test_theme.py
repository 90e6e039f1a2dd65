"""Colours that can be read and told apart by everyone, fonts that line up and hold what is written with them."""

from __future__ import annotations

import itertools
import math

import pytest

from companion.app import theme
from companion.app.theme import PALETTES, SEATS, THEMES, Colour, Theme, contrast, luminance

_READABLE = 4.5
_MARK = 3.0
_AS_CLEAR_AS_PRINT = 7.0
_TELLABLE = 9.0
"""CIE 1976 colour difference, in units of which about 2 is just seen side by side."""
_FONTS_MB = 2.0

# Viénot, Brettel, Mollon 1999 (protanopia, deuteranopia) and Brettel's single plane for tritanopia, on linear RGB.
_EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deuteranopia": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "tritanopia": ((1.01277, 0.13548, -0.14826), (-0.01243, 0.86812, 0.14431), (0.07589, 0.80500, 0.11911)),
}


@pytest.mark.parametrize("look", THEMES.values(), ids=lambda look: look.name)
def test_words_can_be_read_on_what_they_stand_on(look: Theme) -> None:
    pairs = [
        (look.chalk, look.table), (look.chalk_soft, look.table), (look.chalk, look.table_raised),
        (look.chalk_soft, look.table_raised), (look.ink, look.panel), (look.ink_soft, look.panel),
        (look.ink, look.panel_raised), (look.ink_soft, look.panel_raised), (look.ink, look.panel_pressed),
        (look.on_accent, look.accent), (look.on_accent, look.accent_pressed),
        (look.on_danger, look.danger), (look.on_danger, look.danger_pressed),
        (look.good, look.panel), (look.bad, look.panel), (look.good, look.panel_raised), (look.bad, look.panel_raised),
        (look.chalk_good, look.table), (look.chalk_bad, look.table),
    ]  # fmt: skip
    assert [(front, back) for front, back in pairs if contrast(front, back) < _READABLE] == []


@pytest.mark.parametrize("look", THEMES.values(), ids=lambda look: look.name)
def test_what_is_off_looks_off_and_can_still_be_read(look: Theme) -> None:
    assert _MARK < contrast(look.off_text, look.off) < contrast(look.ink, look.panel_raised) / 2


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: seat.name)
def test_a_seats_shape_stands_out_from_its_field(seat: theme.SeatLook) -> None:
    assert contrast(seat.charge, seat.field) >= _MARK


@pytest.mark.parametrize("seat", PALETTES["contrast"], ids=lambda seat: seat.name)
def test_in_high_contrast_it_stands_out_as_clearly_as_print(seat: theme.SeatLook) -> None:
    assert contrast(seat.charge, seat.field) >= _AS_CLEAR_AS_PRINT


@pytest.mark.parametrize("palette", PALETTES)
def test_no_two_seats_share_a_colour_or_a_shape(palette: str) -> None:
    seats = PALETTES[palette]
    assert len({seat.shape for seat in seats}) == len({seat.field for seat in seats}) == len(seats) == 8


def test_a_seat_keeps_its_colour_and_its_shape_in_every_palette() -> None:
    for one, other in zip(SEATS, PALETTES["contrast"], strict=True):
        assert (one.name, one.shape) == (other.name, other.shape)
        assert one.field != other.field


@pytest.mark.parametrize("eyes", _EYES)
@pytest.mark.parametrize("palette", PALETTES)
def test_seats_can_be_told_apart_with_any_eyes(palette: str, eyes: str) -> None:
    seen = {seat.name: _lab(_seen(seat.field, eyes)) for seat in PALETTES[palette]}
    close = {
        (one, other): round(math.dist(seen[one], seen[other]), 1) for one, other in itertools.combinations(seen, 2)
    }
    assert {pair: far for pair, far in close.items() if far < _TELLABLE} == {}


def test_an_eye_that_sees_less_sees_less() -> None:
    red, green = theme.colour("#C04040"), theme.colour("#7A7A20")
    apart = {eyes: math.dist(_lab(_seen(red, eyes)), _lab(_seen(green, eyes))) for eyes in ("usual", "deuteranopia")}
    assert apart["deuteranopia"] < apart["usual"] / 2


def test_colours_mix_and_fade() -> None:
    black, white = theme.colour("#000000"), theme.colour("#FFFFFF")
    assert theme.mixed(black, white, 0.25)[:3] == (0.25, 0.25, 0.25)
    assert theme.faded(white, 0.5) == (1.0, 1.0, 1.0, 0.5)
    assert theme.colour("#00000080")[3] == pytest.approx(0.5, abs=0.01)
    assert luminance(white) == pytest.approx(1.0)


def test_the_smallest_target_is_12_mm_on_the_seven_inch_display() -> None:
    dots_per_inch = math.hypot(800, 480) / 7.0
    assert theme.TARGET_DP / dots_per_inch * 25.4 >= 12.0


def test_fonts_are_there_with_their_licences_and_small() -> None:
    files = list(theme.FONTS.iterdir())
    fonts = {str(file) for file in files if file.suffix in (".otf", ".ttf")}
    assert fonts == {theme.SANS, theme.SANS_BOLD, theme.SERIF}
    assert sum(file.stat().st_size for file in files) < _FONTS_MB * 1e6
    for licence in ("OFL-Inter.txt", "OFL-Vollkorn.txt"):
        assert "SIL OPEN FONT LICENSE" in (theme.FONTS / licence).read_text(encoding="utf-8")


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _seen(shade: Colour, eyes: str) -> tuple[float, ...]:
    linear = [_linear(part) for part in shade[:3]]
    return tuple(sum(a * b for a, b in zip(row, linear, strict=True)) for row in _EYES[eyes])


def _lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    red, green, blue = linear
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (math.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
