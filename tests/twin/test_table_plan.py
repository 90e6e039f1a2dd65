"""The plan of a simulated table: varied, and always one that a recording can hold."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.sensing.plan import Board, decode_plan, encode_plan
from companion.twin.pieces import extent_mm, kinds, nominal_set, read_kinds
from companion.twin.table import SEATS, nominal_table, varied_table

SEEDS = range(60)


def corners(board: Board) -> list[tuple[float, float]]:
    assert board.pose is not None
    wide, deep = board.size_mm
    return [board.pose.on_table(x, y)[:2] for x, y in ((0, 0), (wide, 0), (wide, deep), (0, deep))]


def test_every_plan_survives_being_written_and_read() -> None:
    for seed in SEEDS:
        plan = varied_table(SEATS, seed)
        assert decode_plan(encode_plan(plan)) == plan


def test_the_same_seed_lays_the_same_table_and_others_differ() -> None:
    assert varied_table(SEATS, 4) == varied_table(SEATS, 4)
    assert len({encode_plan(varied_table(("south",), seed)) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("seed", range(0, 60, 7))
def test_towers_markers_and_cells_lie_on_the_board_and_clear_of_each_other(seed: int) -> None:
    plan = varied_table(SEATS, seed)
    half = extent_mm(plan.pieces["floor-tile"])[0] / 2
    for board in plan.boards:
        wide, deep = board.size_mm
        for tower in board.towers:
            assert half < tower.centre_mm[0] < wide - half
            assert half < tower.centre_mm[1] < deep - half
        for marker in board.markers:
            reach = marker.size_mm / 2
            assert all(reach <= at <= side - reach for at, side in zip(marker.centre_mm, board.size_mm, strict=True))
            for tower in board.towers:
                apart = max(abs(a - b) for a, b in zip(marker.centre_mm, tower.centre_mm, strict=True))
                assert apart > half + reach + 8
        assert len(board.cells) == 4
        assert all(cell.at_mm and 0 < cell.at_mm[0] < wide and 0 < cell.at_mm[1] < deep for cell in board.cells)


@pytest.mark.parametrize("seed", range(0, 60, 7))
def test_boards_do_not_overlap(seed: int) -> None:
    boards = varied_table(SEATS, seed).boards
    for board in boards:
        for other in boards:
            if other is not board:
                assert _apart(corners(board), corners(other))


def _apart(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether a line along an edge of one of two rectangles parts them."""
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
            nx, ny = by - ay, ax - bx
            spans = [[x * nx + y * ny for x, y in each] for each in (one, other)]
            if max(spans[0]) < min(spans[1]) or max(spans[1]) < min(spans[0]):
                return True
    return False


def test_markers_have_ids_of_their_own() -> None:
    ids = [marker.id for board in nominal_table(SEATS).boards for marker in board.markers]
    assert len(set(ids)) == len(ids)
    assert max(ids) < 50


def test_seats_that_do_not_exist_are_named() -> None:
    with pytest.raises(Malformed, match="no seat called 'attic'"):
        varied_table(("attic",), 1)
    with pytest.raises(Malformed, match="seat of its own"):
        nominal_table(("south", "south"))


def test_the_parameter_file_is_the_one_source_of_sizes() -> None:
    assert nominal_set()["floor-tile"].mass_g == kinds()["floor-tile"].mass_g
    varied = [varied_table(("south",), seed).pieces["pillar"] for seed in SEEDS]
    spread = kinds()["pillar"].spread
    for pillar in varied:
        assert pillar.height_mm == pytest.approx(25.0, rel=spread + 0.01)
    assert len({pillar.height_mm for pillar in varied}) > 10


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[pillar]\nmass_g = 2.0", "size_mm, or diameter_mm and height_mm"),
        ("[pillar]\nmass_g = 2.0\ndiameter_mm = 3.0\nheight_mm = 4.0\ncolour = 'red'", "colour"),
        ("[pillar\n", "pieces.toml"),
    ],
)
def test_a_wrong_parameter_file_is_named_with_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=r"pieces\.toml does not describe pieces") as wrong:
        read_kinds(text)
    assert why in str(wrong.value)
