"""How everything looks, as data: colours, type, spacing, touch targets, and the eight seats' colours and shapes.

>>> colour("#FF8000")
(1.0, 0.502, 0.0, 1.0)
>>> seat(9).shape
'chevron'
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

Colour = tuple[float, float, float, float]
Ground = Literal["panel", "table"]
Role = Literal["small", "body", "large", "number", "huge"]

SCALE_SP: Final[dict[Role, int]] = {"small": 14, "body": 20, "large": 28, "number": 48, "huge": 72}
SMALLEST_SP: Final = 14

STEP_DP: Final = 8
CORNER_DP: Final = 8
STROKE_DP: Final = 1.5
TARGET_DP: Final = 63
"""12 mm on the 7-inch 800x480 display (133 dpi): nothing that takes a touch is smaller."""

MOTION_S: Final = 0.2
MOTION_RANGE_S: Final = (0.15, 0.25)
CHANGE_SHOWN_S: Final = 5.0
HOLD_S: Final = 0.8

FONTS: Final = Path(__file__).parent / "fonts"
SANS: Final = str(FONTS / "CastleSans-Medium.otf")
SANS_BOLD: Final = str(FONTS / "CastleSans-Bold.otf")
SERIF: Final = str(FONTS / "CastleSerif-SemiBold.ttf")


def colour(code: str) -> Colour:
    """A colour from its #RRGGBB or #RRGGBBAA form."""
    digits = code.removeprefix("#")
    parts = [round(int(digits[at : at + 2], 16) / 255, 3) for at in range(0, len(digits), 2)]
    return (parts[0], parts[1], parts[2], parts[3] if len(parts) == 4 else 1.0)


def faded(base: Colour, strength: float) -> Colour:
    """The same colour, seen through."""
    return (base[0], base[1], base[2], base[3] * strength)


def mixed(base: Colour, other: Colour, share: float) -> Colour:
    """A colour that far on the way to another."""
    red, green, blue, alpha = (a + (b - a) * share for a, b in zip(base, other, strict=True))
    return (red, green, blue, alpha)


class Theme(Struct, frozen=True, kw_only=True):
    """One set of colours. Words on the table are `chalk`, words on panels are `ink`; `soft` is the quieter of each."""

    name: str
    table: Colour
    table_raised: Colour
    table_edge: Colour
    chalk: Colour
    chalk_soft: Colour
    panel: Colour
    panel_raised: Colour
    panel_pressed: Colour
    panel_edge: Colour
    ink: Colour
    ink_soft: Colour
    accent: Colour
    accent_pressed: Colour
    on_accent: Colour
    danger: Colour
    danger_pressed: Colour
    on_danger: Colour
    good: Colour
    bad: Colour
    chalk_good: Colour
    chalk_bad: Colour
    off: Colour
    off_edge: Colour
    off_text: Colour
    scrim: Colour

    def words(self, ground: Ground) -> Colour:
        return self.ink if ground == "panel" else self.chalk

    def quiet_words(self, ground: Ground) -> Colour:
        return self.ink_soft if ground == "panel" else self.chalk_soft

    def change(self, ground: Ground, up: bool) -> Colour:
        """The colour of a change for the better (`up`) or the worse."""
        if ground == "panel":
            return self.good if up else self.bad
        return self.chalk_good if up else self.chalk_bad


DARK: Final = Theme(
    name="dark",
    table=colour("#1F262D"),
    table_raised=colour("#2B343D"),
    table_edge=colour("#414D59"),
    chalk=colour("#F3ECDD"),
    chalk_soft=colour("#B5BDC4"),
    panel=colour("#EBE0C8"),
    panel_raised=colour("#F7F0DF"),
    panel_pressed=colour("#D5C6A5"),
    panel_edge=colour("#B9A781"),
    ink=colour("#241D14"),
    ink_soft=colour("#5F5340"),
    accent=colour("#DFA43C"),
    accent_pressed=colour("#B98224"),
    on_accent=colour("#241A08"),
    danger=colour("#A8322A"),
    danger_pressed=colour("#842119"),
    on_danger=colour("#FFF4EC"),
    good=colour("#1F6B3F"),
    bad=colour("#9C2B1F"),
    chalk_good=colour("#7FD3A0"),
    chalk_bad=colour("#FF9C8B"),
    off=colour("#DCD2BC"),
    off_edge=colour("#C6BB9F"),
    off_text=colour("#6F6552"),
    scrim=colour("#0C1014B8"),
)

LIGHT: Final = Theme(
    name="light",
    table=colour("#CBD2D6"),
    table_raised=colour("#DCE2E5"),
    table_edge=colour("#98A4AD"),
    chalk=colour("#1C242B"),
    chalk_soft=colour("#45525D"),
    panel=colour("#FBF6EA"),
    panel_raised=colour("#FFFEFA"),
    panel_pressed=colour("#E6DAC0"),
    panel_edge=colour("#C3B592"),
    ink=colour("#1F1912"),
    ink_soft=colour("#5C5140"),
    accent=colour("#E3A93F"),
    accent_pressed=colour("#BE8828"),
    on_accent=colour("#241A08"),
    danger=colour("#A8322A"),
    danger_pressed=colour("#842119"),
    on_danger=colour("#FFF4EC"),
    good=colour("#1F6B3F"),
    bad=colour("#9C2B1F"),
    chalk_good=colour("#155A32"),
    chalk_bad=colour("#8C2318"),
    off=colour("#EDE7D9"),
    off_edge=colour("#D3CBB8"),
    off_text=colour("#6F6654"),
    scrim=colour("#1C242B99"),
)

THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in (DARK, LIGHT)}

Shape = Literal["cross", "chevron", "bend", "pale", "saltire", "fess", "pile", "bordure"]


class SeatLook(Struct, frozen=True, kw_only=True):
    """A seat's colour and the heraldic shape drawn on it in `charge`: never one without the other."""

    name: str
    shape: Shape
    field: Colour
    charge: Colour


_PALE = colour("#FFFAEE")
_DEEP = colour("#16181B")

SEATS: Final[tuple[SeatLook, ...]] = (
    SeatLook(name="blue", shape="cross", field=colour("#1F6FB5"), charge=_PALE),
    SeatLook(name="orange", shape="chevron", field=colour("#EE9A1D"), charge=_DEEP),
    SeatLook(name="green", shape="bend", field=colour("#0B9C75"), charge=_PALE),
    SeatLook(name="rose", shape="pale", field=colour("#D983B5"), charge=_DEEP),
    SeatLook(name="red", shape="saltire", field=colour("#C2431B"), charge=_PALE),
    SeatLook(name="sky", shape="fess", field=colour("#72C1EE"), charge=_DEEP),
    SeatLook(name="yellow", shape="pile", field=colour("#F2E24E"), charge=_DEEP),
    SeatLook(name="plum", shape="bordure", field=colour("#5B3A78"), charge=_PALE),
)

CONTRAST_SEATS: Final[tuple[SeatLook, ...]] = (
    SeatLook(name="blue", shape="cross", field=colour("#0A43A8"), charge=_PALE),
    SeatLook(name="orange", shape="chevron", field=colour("#FF9D0A"), charge=_DEEP),
    SeatLook(name="green", shape="bend", field=colour("#00573A"), charge=_PALE),
    SeatLook(name="rose", shape="pale", field=colour("#FFA9D2"), charge=_DEEP),
    SeatLook(name="red", shape="saltire", field=colour("#A10D0D"), charge=_PALE),
    SeatLook(name="sky", shape="fess", field=colour("#9ADDFF"), charge=_DEEP),
    SeatLook(name="yellow", shape="pile", field=colour("#FFF25C"), charge=_DEEP),
    SeatLook(name="plum", shape="bordure", field=colour("#32104F"), charge=_PALE),
)
"""The same colours and shapes, further apart in lightness: every shape stands out as clearly as print."""

PALETTES: Final[dict[str, tuple[SeatLook, ...]]] = {"standard": SEATS, "contrast": CONTRAST_SEATS}


def seat(index: int, palette: str = "standard") -> SeatLook:
    """The look of a seat, counted round from the first."""
    return PALETTES[palette][index % len(SEATS)]


def luminance(shade: Colour) -> float:
    """Relative luminance (WCAG 2), of an opaque colour."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shade[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio (WCAG 2), 1 to 21.

    >>> round(contrast(colour("#000000"), colour("#FFFFFF")))
    21
    """
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
