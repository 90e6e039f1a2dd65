"""Every icon is there, is drawn within the grid with the same pen and weight, and can be told from every other."""

from __future__ import annotations

import itertools

import pytest

from companion.app.icons import CHARGES, EDGE, GRID, ICONS, OTHER_NAMES, SHIELD, icon
from companion.app.theme import SEATS
from companion.app.widgets.paths import Outline, Point, flattened
from companion.errors import Malformed

_WANTED = [
    "king",
    "princess",
    "knight",
    "serf",
    "pillar",
    "tile",
    "roof",
    "bridge",
    "brazier",
    "battlement",
    "cauldron",
    "ballista",
    "table",
    "coffer",
    "coin",
    "taler",
    "crumble",
    "dragon",
    "fire",
    "vine",
    "wood",
    "stone",
    "gold",
    "land",
    "iron",
    "sand",
    "beam",
    "clay",
    "silver",
    "dice",
    "die-1",
    "die-2",
    "die-3",
    "die-4",
    "die-5",
    "die-6",
    "horse",
    "pig",
    "cow",
    "chicken",
    "worker",
    "farmer",
    "merchant",
    "guard",
    "barbarian",
    "comfort",
    "defence",
    "offence",
    "room",
    "card",
    "bonus",
    "living",
    "sleeping",
    "activity",
    "outdoor",
    "utility",
    "food",
    "corridor",
    "downstairs",
    "undo",
    "redo",
    "menu",
    "close",
    "help",
    "plus",
    "minus",
    "check",
    "back",
    "next",
    "pause",
    "sound",
    "eye",
    "camera",
    "scale",
    "backspace",
    "shift",
    "space",
]
_LEAST_SPREAD = 14.0
_LOOKS_PX = 24
_LEAST_DIFFERENCE = 24
"""Pixels of a 24-pixel drawing that are lit in one icon and dark in another."""


def _points(name: str) -> list[Point]:
    drawing = ICONS[name]
    outlines = [outline for path in (drawing.line, drawing.tone, drawing.solid) for outline in flattened(path)]
    return [point for outline in outlines for point in outline.points]


@pytest.mark.parametrize("name", _WANTED)
def test_every_piece_and_sign_has_an_icon(name: str) -> None:
    assert icon(name) is not None


def test_other_names_lead_to_icons_and_unknown_ones_nowhere() -> None:
    assert [name for name in OTHER_NAMES if icon(name) is None] == []
    assert icon("no such piece") is None


@pytest.mark.parametrize("name", ICONS)
def test_icons_keep_to_the_grid_and_fill_it(name: str) -> None:
    across, up = [x for x, _ in _points(name)], [y for _, y in _points(name)]
    assert min(across + up) >= EDGE
    assert max(across + up) <= GRID - EDGE
    assert max(max(across) - min(across), max(up) - min(up)) >= _LEAST_SPREAD


@pytest.mark.parametrize("name", ICONS)
def test_icons_stand_in_the_middle(name: str) -> None:
    across = [x for x, _ in _points(name)]
    assert abs((min(across) + max(across)) / 2 - GRID / 2) <= 1.5


def test_icons_differ_from_each_other() -> None:
    seen = {name: _lit(name) for name in ICONS}
    alike = [
        (one, other)
        for one, other in itertools.combinations(seen, 2)
        if len(seen[one] ^ seen[other]) < (1 if _dice(one, other) else _LEAST_DIFFERENCE)
    ]
    assert alike == [("plus", "minus")]


def test_every_seat_has_its_shape_and_it_lies_within_the_shield() -> None:
    assert {seat.shape for seat in SEATS} == set(CHARGES)
    (shield,) = flattened(SHIELD)
    for shape, path in CHARGES.items():
        strays = [point for outline in flattened(path) for point in outline.points if not _inside(point, shield)]
        assert strays == [], shape


def test_curves_start_and_end_where_they_say() -> None:
    (curve,) = flattened("M0 0 C0 4 4 8 8 8")
    assert curve.points[0] == (0.0, 0.0)
    assert curve.points[-1] == (8.0, 8.0)
    assert not curve.closed


def test_round_shapes_are_closed_and_as_big_as_asked() -> None:
    for path in ("O 12 12 5", "E 12 12 5 5", "R 7 7 10 10 2"):
        (outline,) = flattened(path)
        assert outline.closed
        assert max(x for x, _ in outline.points) == pytest.approx(17.0)
        assert min(y for _, y in outline.points) == pytest.approx(7.0)


@pytest.mark.parametrize("path", ["M1", "L 3 4", "M1 1 X3", "5 5", "M1 1 L2 2 3", "M1 1 , L2 2"])
def test_a_garbled_path_is_refused(path: str) -> None:
    with pytest.raises(Malformed):
        flattened(path)


def _dice(*names: str) -> bool:
    """Faces of a die differ by their pips only."""
    return all(name.startswith("die-") for name in names)


def _inside(point: Point, outline: Outline) -> bool:
    (x, y), inside = point, False
    for (x0, y0), (x1, y1) in zip(outline.points, (*outline.points[1:], outline.points[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            inside = not inside
    return inside


def _lit(name: str) -> set[tuple[int, int]]:
    """The pixels that its lines and solids pass through."""
    lit: set[tuple[int, int]] = set()
    for outline in (*flattened(ICONS[name].line), *flattened(ICONS[name].solid)):
        ends = (*outline.points[1:], outline.points[0]) if outline.closed else outline.points[1:]
        for (x0, y0), (x1, y1) in zip(outline.points, ends, strict=False):
            steps = max(1, int(max(abs(x1 - x0), abs(y1 - y0)) * 2))
            lit |= {(int(x0 + (x1 - x0) * at / steps), int(y0 + (y1 - y0) * at / steps)) for at in range(steps + 1)}
    assert all(0 <= x < _LOOKS_PX and 0 <= y < _LOOKS_PX for x, y in lit)
    return lit
