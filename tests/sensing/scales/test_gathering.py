"""What is gathered up after a fall: piece by piece, however quickly and roughly, and not what falls off the board."""

from __future__ import annotations

import pytest

from companion.sensing.plan import Piece
from companion.sensing.scales.pieces import Masses
from companion.sensing.streams import Sensed
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, PIECES, RIGHT, board, plan, watched

BARE = (125.0, 40.0)
FAR = (230.0, 180.0)
CHIPS = {"80": Chip(), "11": Chip(rate_sps=11.3, noise_g=0.03)}
START_S = 5.0


def a_fall(seconds: float = 16.0) -> Forces:
    """Two floors and two pillars fall from the left tower, and lie about."""
    forces = Forces(seconds)
    forces.rest(0.0, 30.0, LEFT)
    forces.rest(0.0, 17.0, RIGHT)
    for at_s, grams, end in ((3.0, 6.5, BARE), (3.05, 2.0, BARE), (3.1, 6.5, FAR), (3.15, 2.0, FAR)):
        forces.fall(at_s, grams, LEFT, end, height_mm=60.0)
    return forces


def told(forces: Forces, chip: Chip = CHIPS["80"], cells: int = 4) -> list[Sensed]:
    of = board(cells=cells)
    return watched(plan((of,)), sensed(forces, of, chip))


def removed(events: list[Sensed]) -> list[tuple[str | None, str | None]]:
    return [(event.piece, event.tower) for event in events if event.kind == "removed"]


@pytest.mark.parametrize("name", CHIPS)
def test_each_piece_is_told_though_the_hand_is_quicker_than_the_load_settles(name: str) -> None:
    forces = a_fall()
    for at_s, grams, place in ((7.0, 6.5, BARE), (7.6, 2.0, BARE), (8.2, 6.5, FAR), (8.8, 2.0, FAR)):
        forces.rest(at_s, -grams, place)
        forces.hand(at_s - 0.2, 0.25, 25.0, place)
    events = told(forces, CHIPS[name])
    assert removed(events) == [("floor-tile", None), ("pillar", None)] * 2
    for event, at_s in zip((each for each in events if each.kind == "removed"), (7.0, 7.6, 8.2, 8.8), strict=True):
        assert event.t_us / 1e6 - START_S == pytest.approx(at_s, abs=0.5)


def test_each_piece_is_told_though_others_are_knocked_over_meanwhile() -> None:
    forces = a_fall()
    forces.rest(7.0, -6.5, BARE)
    forces.fall(7.3, 6.5, RIGHT, MIDDLE, height_mm=60.0)
    forces.rest(8.2, -2.0, BARE)
    assert removed(told(forces)) == [("floor-tile", None), ("pillar", None)]


def test_who_builds_again_has_gathered_up_what_lay_about() -> None:
    forces = a_fall()
    forces.take(7.0, 2.0, RIGHT)
    forces.place(9.0, 2.0, RIGHT)
    forces.take(12.0, 2.0, RIGHT)
    assert removed(told(forces)) == [("pillar", None), ("pillar", "right")]


def test_one_cell_tells_it_too() -> None:
    forces = a_fall()
    forces.rest(7.0, -6.5, BARE)
    forces.rest(8.5, -2.0, BARE)
    assert removed(told(forces, cells=1))[-2:] == [("floor-tile", None), ("pillar", None)]


def test_what_a_second_fall_throws_off_the_board_is_not_gathered_up() -> None:
    forces = a_fall()
    forces.fall(7.0, 6.5, RIGHT, LEFT, height_mm=60.0)
    forces.rest(7.05, -6.5, RIGHT)
    events = told(forces)
    assert [event.kind for event in events].count("collapse") == 2
    assert removed(events) == []


def test_many_pieces_that_leave_at_once_with_a_blow_are_not_told_one_by_one() -> None:
    forces = a_fall()
    forces.fall(7.0, 2.0, RIGHT, BARE, height_mm=80.0)
    forces.rest(7.1, -17.0, BARE)
    assert removed(told(forces)) == []


def test_a_weight_that_comes_with_an_accident_and_goes_again_was_no_piece() -> None:
    forces = Forces(12.0)
    forces.rest(0.0, 30.0, LEFT)
    forces.fall(3.0, 2.0, LEFT, BARE, height_mm=60.0)
    forces.fall(6.5, 6.5, LEFT, FAR, height_mm=60.0)
    forces.rest(6.5, 6.5, LEFT)
    forces.rest(7.6, -6.5, FAR)
    assert removed(told(forces)) == []


MASSES = Masses(PIECES)


@pytest.mark.parametrize(
    ("grams", "pieces"),
    [
        (6.5, ("floor-tile",)),
        (2.2, ("pillar",)),
        (8.5, ("floor-tile", "pillar")),
        (15.0, ("floor-tile", "floor-tile", "pillar")),
        (0.4, ()),
        (60.0, ()),
    ],
)
def test_the_fewest_pieces_make_up_a_weight(grams: float, pieces: tuple[str, ...]) -> None:
    assert MASSES.together(grams, 0.02, 4) == pieces


def test_of_pieces_that_weigh_alike_the_common_ones_are_told() -> None:
    masses = Masses({**PIECES, "room": Piece(mass_g=2.1, size_mm=(28.0, 28.0, 2.0))})
    assert masses.together(2.1, 0.02, 4) == ("room",)
    assert masses.together(2.1, 0.02, 4, frozenset({"pillar"})) == ("pillar",)


def test_a_weight_is_shared_among_pieces_by_what_they_weigh() -> None:
    pieces = ("floor-tile", "pillar")
    assert [MASSES.part(piece, pieces) for piece in pieces] == pytest.approx([6.5 / 8.5, 2.0 / 8.5])
