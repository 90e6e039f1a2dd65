"""The people of a castle, drawn small: round heads, a smile, and what each wears."""

from __future__ import annotations

from companion.app.screens.brush import Brush
from companion.app.theme import Colour, colour, faded

SKIN: Colour = colour("#F2CFA4")
INK: Colour = colour("#2A2118")
GOLD: Colour = colour("#E8B23A")
_ROSE = colour("#D983B5")
_STEEL = colour("#9AA7B2")
_STRAW = colour("#C9974A")
_HAIR = colour("#7A4A21")
_ROBES: dict[str, Colour] = {
    "king": colour("#8C2F39"),
    "princess": colour("#C76BA0"),
    "knight": colour("#5C6B78"),
    "serf": colour("#7C6A45"),
}
PEOPLE = ("king", "princess", "knight", "serf")


def person(brush: Brush, kind: str, x: float, y: float, side: float, strength: float = 1.0) -> None:
    """Somebody standing at a place, in a square with its lower left corner there. A free place is drawn faintly."""
    if strength < 1.0:
        _waiting(brush, kind, x, y, side, strength)
        return
    middle, unit = x + side / 2, side / 24
    _robe(brush, middle, y, unit, _ROBES.get(kind, _STRAW))
    if kind == "princess":
        brush.disc(middle, y + 13.5 * unit, 6.6 * unit, _HAIR)
    brush.disc(middle, y + 13.5 * unit, 5.6 * unit, SKIN)
    _face(brush, middle, y + 13.5 * unit, unit)
    _HATS[kind](brush, middle, y + 17 * unit, unit)


def _waiting(brush: Brush, kind: str, x: float, y: float, side: float, strength: float) -> None:
    """An empty place: the outline of who could live there."""
    brush.icon(kind, x + side * 0.08, y + side * 0.08, side * 0.84, faded(INK, strength))


def _robe(brush: Brush, x: float, y: float, unit: float, shade: Colour) -> None:
    brush.fill(
        [
            (x - 7 * unit, y + unit), (x + 7 * unit, y + unit), (x + 5 * unit, y + 8 * unit),
            (x + 2 * unit, y + 10 * unit), (x - 2 * unit, y + 10 * unit), (x - 5 * unit, y + 8 * unit),
        ],
        shade,
    )  # fmt: skip


def _face(brush: Brush, x: float, y: float, unit: float) -> None:
    for side in (-1, 1):
        brush.disc(x + side * 2.1 * unit, y + 0.8 * unit, max(0.7, 0.75 * unit), INK)
    brush.arc(x, y - 0.2 * unit, 2.6 * unit, 115, 245, max(1.0, 0.9 * unit), INK)


def _crown(brush: Brush, x: float, y: float, unit: float) -> None:
    width, height = 5.2 * unit, 4.6 * unit
    brush.box(x - width, y, 2 * width, 1.8 * unit, GOLD)
    for at in (-1, 0, 1):
        middle = x + at * width * 0.72
        brush.fill([(middle - 1.9 * unit, y + unit), (middle + 1.9 * unit, y + unit), (middle, y + height)], GOLD)
        brush.disc(middle, y + height, 0.9 * unit, GOLD)


def _tiara(brush: Brush, x: float, y: float, unit: float) -> None:
    brush.fill([(x - 3.6 * unit, y + unit), (x + 3.6 * unit, y + unit), (x, y + 4.8 * unit)], GOLD)
    brush.disc(x, y + 5 * unit, 1.1 * unit, _ROSE)


def _helmet(brush: Brush, x: float, y: float, unit: float) -> None:
    brush.fill(
        [
            (x - 5.8 * unit, y - 1.2 * unit), (x + 5.8 * unit, y - 1.2 * unit), (x + 5 * unit, y + 2.2 * unit),
            (x + 2 * unit, y + 4.2 * unit), (x - 2 * unit, y + 4.2 * unit), (x - 5 * unit, y + 2.2 * unit),
        ],
        _STEEL,
    )  # fmt: skip
    brush.line([x, y + 4 * unit, x + 0.4 * unit, y + 6.4 * unit, x + 3.4 * unit, y + 5.8 * unit], 1.6 * unit, _ROSE)


def _cap(brush: Brush, x: float, y: float, unit: float) -> None:
    brush.box(x - 6.4 * unit, y - unit, 12.8 * unit, 1.8 * unit, _STRAW, corner=0.9 * unit)
    brush.fill(
        [(x - 3.8 * unit, y + 0.4 * unit), (x + 3.8 * unit, y + 0.4 * unit), (x + 2.4 * unit, y + 4 * unit),
         (x - 2.4 * unit, y + 4 * unit)],
        _STRAW,
    )  # fmt: skip


_HATS = {"king": _crown, "princess": _tiara, "knight": _helmet, "serf": _cap}
