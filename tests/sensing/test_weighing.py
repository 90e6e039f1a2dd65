"""How many levels towers have by what rests on their board."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.sensing.castle import Castle
from companion.sensing.plan import Area, Board, Piece, Plan
from companion.sensing.scales.evidence import Load
from companion.sensing.shapes import Kit
from companion.sensing.views import Floats
from companion.sensing.weighing import weighed
from tests.sensing.painted import one_board

_CENTRE = (125.0, 100.0)
_LEVEL_G = 6.5 + 4 * 2.0
_UNSURE = {tower: np.log(np.array([0.02, 0.3, 0.38, 0.3])) for tower in ("left", "middle", "right")}


def _load(board: Board, levels: dict[str, int], more_g: float = 0.0) -> Load:
    """What castles of so many levels weigh, and something more in the board's middle."""
    force, x, y = more_g, 0.0, 0.0
    for tower in board.towers:
        grams = levels[tower.id] and 6.5 + (levels[tower.id] - 1) * _LEVEL_G
        force += grams
        x += grams * (tower.centre_mm[0] - _CENTRE[0])
        y += grams * (tower.centre_mm[1] - _CENTRE[1])
    return Load(force, x, y)


def _seen(plan: Plan, **levels: int) -> Castle:
    """Towers of bare floors, as a picture shows them."""
    castle = Castle(plan.boards[0], Kit(plan))
    for tower, count in levels.items():
        for _ in range(count):
            castle.assume(True, "floor-tile", tower)
    return castle


def _likeliest(shares: dict[str, Floats] | None) -> dict[str, int]:
    assert shares is not None
    return {tower: int(share.argmax()) for tower, share in shares.items()}


@pytest.mark.parametrize("high", ["left", "middle", "right"])
def test_moments_tell_which_tower_is_the_higher_one(high: str) -> None:
    plan = one_board()
    levels = dict.fromkeys(_UNSURE, 1) | {high: 3}
    shares = weighed(_UNSURE, _seen(plan), plan.boards[0], _load(plan.boards[0], levels), _CENTRE)
    assert _likeliest(shares) == levels
    assert shares is not None
    assert all(share.sum() == pytest.approx(1.0) and share.max() > 0.5 for share in shares.values())


def test_a_single_cell_tells_what_only_one_tower_leaves_open() -> None:
    plan = one_board()
    sure = np.log(np.array([0.001, 0.997, 0.001, 0.001]))
    beliefs = _UNSURE | {"left": sure, "right": sure}
    load = _load(plan.boards[0], {"left": 1, "middle": 3, "right": 1}, more_g=5.0)
    assert _likeliest(weighed(beliefs, _seen(plan), plan.boards[0], Load(load.force_g), None))["middle"] == 3


def test_a_picture_that_is_sure_is_not_overruled_by_a_few_pieces_more() -> None:
    plan = one_board()
    plain = {tower: np.log(np.array([1e-6, 1.0, 1e-4, 1e-6])) for tower in _UNSURE}
    load = _load(plan.boards[0], dict.fromkeys(plain, 1), more_g=12.0)
    assert _likeliest(weighed(plain, _seen(plan), plan.boards[0], load, _CENTRE)) == dict.fromkeys(plain, 1)


def test_scales_that_were_never_set_to_zero_are_not_believed() -> None:
    plan = one_board()
    load = _load(plan.boards[0], dict.fromkeys(_UNSURE, 2), more_g=600.0)
    assert weighed(_UNSURE, _seen(plan), plan.boards[0], load, _CENTRE) is None


def test_what_lies_in_an_inventory_weighs_too() -> None:
    plan = one_board()
    board = msgspec.structs.replace(plan.boards[0], inventory=(Area((100.0, 5.0), (150.0, 35.0)),))
    load = _load(board, {"left": 2, "middle": 1, "right": 1})
    stored = Load(load.force_g + 10.0, load.x_gmm, load.y_gmm + 10.0 * (20.0 - _CENTRE[1]))
    assert _likeliest(weighed(_UNSURE, _seen(plan), board, stored, _CENTRE)) == {"left": 2, "middle": 1, "right": 1}


def _without_masses() -> Plan:
    pieces = {
        "floor-tile": Piece(None, (60.0, 60.0, 2.0)),
        "pillar": Piece(2.0, diameter_mm=12.0, height_mm=25.0),
    }
    return msgspec.structs.replace(one_board(), pieces=pieces)


def test_where_nobody_knows_what_pieces_weigh_nothing_is_said() -> None:
    plan = _without_masses()
    assert weighed(_UNSURE, _seen(plan), plan.boards[0], Load(40.0), None) is None
    assert weighed({}, _seen(one_board()), plan.boards[0], Load(40.0), None) is None


def test_what_stands_on_a_top_weighs_as_it_is_seen() -> None:
    plan = one_board()
    open_left = {"left": np.log(np.array([0.6, 0.4])), "middle": np.log(np.array([1e-9, 1.0]))}
    load = Load(2 * 6.5)
    assert _likeliest(weighed(open_left, _seen(plan), plan.boards[0], load, None))["left"] == 0
    assert _likeliest(weighed(open_left, _seen(plan, middle=1), plan.boards[0], load, None))["left"] == 1


def test_no_castle_weighs_less_than_its_floors() -> None:
    plan = one_board()
    open_left = {"left": np.log(np.array([0.001, 0.999]))}
    assert _likeliest(weighed(open_left, _seen(plan, left=1), plan.boards[0], Load(2.0), None)) == {"left": 0}
