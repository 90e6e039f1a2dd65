"""The eye on painted movies of accidents, and of what only looks like one."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from companion.sensing.castle import Standing
from companion.sensing.falling import Fallen
from companion.sensing.fitting import Window
from companion.sensing.ground import Ground, Lying, Miniature, Sights, is_covered
from companion.sensing.plan import Area
from companion.sensing.shapes import Kit
from companion.sensing.sights import Looked
from companion.sensing.signs import Case
from companion.sensing.views import Lens
from tests.sensing.movie import FRAME_US, Movie
from tests.sensing.painted import Block, Painter, column, looking, one_board, plate

_WOOD = (60, 90, 200)
_GREEN = (90, 160, 90)
_BARE = (125.0, 40.0)  # ground between the towers


def _fallen(movie: Movie) -> list[Fallen]:
    return [sight for sight in movie.sights if isinstance(sight, Fallen)]


def _lying_pillar(centre: tuple[float, float]) -> Block:
    return plate("south", centre, (25.0, 12.0, 12.0), 0.0, _GREEN, turn=20.0)


def _castle() -> Movie:
    movie = Movie()
    movie.stand("left", 3)
    movie.stand("right", 2)
    movie.wait(25)
    return movie


def _topple_left(movie: Movie) -> None:
    """The two upper levels of the left tower come down, some of it on bare ground."""
    left = movie.tower("left").centre_mm
    movie.blocks = [block for block in movie.blocks if not _above(block, left, 2.0)]
    movie.wait(2)
    movie.blocks.append(plate("south", (130.0, 45.0), (60.0, 60.0, 2.0), 0.0, _WOOD, turn=30.0))
    movie.blocks += [_lying_pillar((40.0, 120.0)), _lying_pillar((125.0, 90.0))]


def _above(block: Block, centre: tuple[float, float], high_mm: float) -> bool:
    at = np.mean(block.footprint, axis=0)
    return bool(np.abs(at - centre).max() < 35 and block.low_mm >= high_mm)


def test_a_tower_that_topples_is_one_fall_and_the_heights_follow() -> None:
    movie = _castle()
    began_us = movie.frame * FRAME_US
    _topple_left(movie)
    movie.wait(30)
    (fall,) = _fallen(movie)
    assert fall.board == "south"
    assert 0 <= fall.t_us - began_us < 400_000
    assert fall.decided_us - began_us < 1_500_000
    assert movie.heights()["left"][0] == 1
    assert not movie.seen()


def test_a_single_pillar_on_the_ground_has_fallen_though_every_tower_stands() -> None:
    movie = _castle()
    movie.reach("middle", 30.0, lambda: movie.blocks.append(_lying_pillar(_BARE)))
    assert len(_fallen(movie)) == 1
    assert movie.heights()["left"][0] == 3


def test_a_pillar_that_is_seen_while_a_hand_is_about_is_called_once_it_has_gone() -> None:
    movie = _castle()
    movie.blocks.append(_lying_pillar((100.0, 25.0)))
    movie.fidget("right", 45)
    assert not _fallen(movie), "a single small thing may be part of the hand"
    movie.wait(30)
    assert len(_fallen(movie)) == 1


def test_a_pillar_on_the_empty_place_of_a_tower_has_fallen_and_is_no_tower() -> None:
    movie = _castle()
    movie.reach("middle", 10.0, lambda: movie.blocks.append(_lying_pillar(movie.tower("middle").centre_mm)))
    assert len(_fallen(movie)) == 1
    assert movie.heights()["middle"] == (0, 0.0)
    movie.reach("middle", 10.0, lambda: movie.blocks.__delitem__(-1))
    assert len(_fallen(movie)) == 1, "it is only cleared away"


def test_a_pillar_that_rolled_against_a_tower_lies_there_and_stands_on_none() -> None:
    movie = Movie()
    movie.stand("left", 1)
    movie.wait(25)
    x, y = movie.tower("left").centre_mm
    pillar = plate("south", (x + 30.0 + 10.0, y), (12.0, 25.0, 12.0), 0.0, _GREEN)
    movie.reach("left", 10.0, lambda: movie.blocks.append(pillar))
    assert len(_fallen(movie)) == 1
    assert not movie.seen()


def test_fingers_beside_the_board_are_no_pieces_that_were_thrown_there() -> None:
    movie = _castle()
    left = movie.tower("left").centre_mm
    movie.blocks = [block for block in movie.blocks if not _above(block, left, 29.0)]
    movie.blocks += [_lying_pillar((-30.0, 60.0)), _lying_pillar((-35.0, 110.0))]
    movie.fidget("right", 45)
    assert not _fallen(movie)


def test_an_arm_that_rests_across_the_board_is_nothing_that_fell() -> None:
    movie = _castle()
    movie.blocks.append(plate("south", (125.0, 190.0), (70.0, 260.0, 2.0), 60.0, _GREEN))
    movie.fidget("right", 45)
    assert not _fallen(movie)


def test_a_floor_that_is_laid_beside_the_middle_of_its_tower_is_no_fall() -> None:
    movie = Movie()
    movie.stand("left", 2)
    centre = movie.tower("left").centre_mm
    movie.blocks += [column("south", (centre[0] + x, centre[1]), 12.0, 25.0, 29.0, _GREEN) for x in (-15.0, 20.0)]
    movie.wait(25)
    off = plate("south", (centre[0] + 14.0, centre[1] - 10.0), (60.0, 60.0, 2.0), 54.0, (200, 90, 60))
    movie.reach("left", 54.0, lambda: movie.blocks.append(off))
    assert not _fallen(movie)
    assert movie.heights()["left"][0] == 3


def test_after_a_fall_that_was_told_at_once_the_calm_look_reads_the_towers_anew() -> None:
    movie = _castle()
    movie.blocks += [_lying_pillar((100.0, 25.0)), _lying_pillar((125.0, 85.0)), _lying_pillar((130.0, 50.0))]
    movie.fidget("right", 45)
    assert [fall.judged for fall in _fallen(movie)] == [False]
    movie.wait(30)
    (look,) = [sight for sight in movie.sights if isinstance(sight, Looked)]
    assert look.anew


def test_clearing_up_is_no_fall_and_the_next_accident_is_another() -> None:
    movie = _castle()
    movie.blocks += [_lying_pillar(_BARE), _lying_pillar((125.0, 85.0))]
    movie.wait(25)
    for _ in range(2):
        movie.reach("middle", 10.0, lambda: movie.blocks.__delitem__(-1))
    assert len(_fallen(movie)) == 1
    movie.blocks.append(_lying_pillar(_BARE))
    movie.wait(25)
    assert len(_fallen(movie)) == 2


def test_ruins_that_are_shaken_do_not_fall_again_and_what_still_stands_does() -> None:
    for stands, falls in ((False, 1), (True, 2)):
        movie = _castle()
        if not stands:
            movie.blocks = [each for each in movie.blocks if not _above(each, movie.tower("right").centre_mm, 2.0)]
        _topple_left(movie)
        movie.wait(130)
        movie.blocks[-1] = _lying_pillar((165.0, 95.0))  # it rolls on
        movie.blocks.append(_lying_pillar((60.0, 160.0)))
        movie.wait(60)
        assert len(_fallen(movie)) == falls


def test_pieces_beside_the_board_and_in_the_inventory_have_not_fallen() -> None:
    plan = one_board()
    board = msgspec.structs.replace(plan.boards[0], inventory=(Area((95.0, 5.0), (155.0, 70.0)),))
    movie = Movie(msgspec.structs.replace(plan, boards=(board,)))
    movie.stand("left", 2)
    movie.wait(25)
    movie.reach("middle", 10.0, lambda: movie.blocks.append(_lying_pillar(_BARE)))
    movie.blocks.append(_lying_pillar((125.0, -30.0)))
    movie.wait(25)
    assert not _fallen(movie)


def test_base_tiles_floors_and_pillars_set_down_are_no_fall() -> None:
    movie = _castle()
    movie.put_floor("middle", 1)
    movie.put_pillar("right", 2, 0)
    movie.reach("middle", 30.0, lambda: None)
    assert not _fallen(movie)


def test_shadows_and_lamps_are_no_fall() -> None:
    movie = _castle()
    view = movie.painter.view(movie.plan.boards[0])
    corners = [(100, 20, 0), (150, 20, 0), (150, 100, 0), (100, 100, 0)]
    ring = np.rint(view.project(corners)).astype(np.int32)
    shade = np.ones((480, 640, 1), np.float32)
    cv2.fillConvexPoly(shade, ring, 0.55)
    movie.wait(25, shade=shade)
    movie.painter.light = 0.8
    movie.wait(25)
    assert not _fallen(movie)


def test_a_tower_that_went_while_pieces_lie_beside_the_board_has_fallen() -> None:
    movie = _castle()
    left = movie.tower("left").centre_mm
    movie.blocks = [block for block in movie.blocks if not _above(block, left, 2.0)]
    movie.blocks += [_lying_pillar((-30.0, 60.0)), column("south", (-35.0, 110.0), 12.0, 25.0, 0.0, _GREEN)]
    movie.wait(30)
    (fall,) = _fallen(movie)
    assert fall.towers == ("left",)


def _nudge(movie: Movie) -> None:
    """The camera is pushed aside."""
    assert movie.plan.camera is not None
    movie.painter = Painter(movie.plan, looking(Lens.of(movie.plan.camera), (95.0, -300.0, 290.0), (10.0, 5.0, 20.0)))
    movie.wait(60)


def test_a_tower_that_falls_as_the_camera_is_pushed_is_a_fall_all_the_same() -> None:
    movie = _castle()
    began_us = movie.frame * FRAME_US
    _topple_left(movie)
    _nudge(movie)
    (fall,) = _fallen(movie)
    assert fall.towers == ("left",)
    assert began_us <= fall.t_us < fall.decided_us


def test_a_camera_that_is_pushed_is_no_fall() -> None:
    movie = _castle()
    _nudge(movie)
    assert not _fallen(movie)
    assert movie.heights()["left"][0] == 3


def test_a_floor_that_its_one_pillar_cannot_carry_has_fallen() -> None:
    movie = Movie()
    movie.stand("right", 1)
    movie.wait(25)
    castle = movie.eye.board("south").castle
    x, y = castle.middle("right")
    assert castle.kit.pillar is not None
    castle.add(Standing(castle.kit.pillar, "right", 1, (x + 9, y), 0.0, castle.surface_mm("right")))
    movie.put_floor("right", 2)
    (fallen,) = _fallen(movie)
    assert (fallen.towers, fallen.judged, fallen.lying) == (("right",), True, True)


def _take_top(movie: Movie) -> None:
    """The top floor of the left tower is no longer there, and nothing of it in sight."""
    left = movie.tower("left").centre_mm
    movie.blocks = [block for block in movie.blocks if not _above(block, left, 50.0)]


def test_a_floor_that_goes_without_a_hand_has_fallen_wherever_it_went() -> None:
    movie = _castle()
    _take_top(movie)
    movie.wait(30)
    (fall,) = _fallen(movie)
    assert fall.towers == ("left",)
    assert not movie.seen()
    assert movie.heights()["left"][0] == 2


def test_a_floor_that_goes_with_a_hand_was_taken() -> None:
    movie = _castle()
    movie.reach("left", 60.0, lambda: _take_top(movie))
    assert not _fallen(movie)
    assert movie.seen() == [(False, "left", 3)]


def _take_top_and_leave(movie: Movie, *beside: Block) -> None:
    """The top floor of the left tower goes under a hand, and these come to lie about."""

    def leave() -> None:
        _take_top(movie)
        movie.blocks += beside

    movie.reach("left", 60.0, leave)


_LAID_BESIDE = plate("south", (-45.0, 80.0), (60.0, 60.0, 2.0), -10.0, _WOOD, turn=30.0)
_THROWN_BESIDE = plate("south", (275.0, 60.0), (30.0, 14.0, 14.0), -10.0, _WOOD, turn=20.0)


def test_a_floor_that_goes_with_a_hand_while_things_are_thrown_beside_the_board_has_fallen() -> None:
    movie = _castle()
    _take_top_and_leave(movie, _LAID_BESIDE, _THROWN_BESIDE)
    (fall,) = _fallen(movie)
    assert fall.towers == ("left",)
    assert not movie.seen()


def test_a_floor_that_a_hand_lays_beside_the_board_was_taken() -> None:
    movie = _castle()
    movie.come("left", 60.0)
    _take_top(movie)
    movie.carry(movie.tower("left").centre_mm, (-45.0, 80.0), frames=8, rests=12)
    movie.blocks.append(_LAID_BESIDE)
    movie.leave((-45.0, 80.0))
    assert not _fallen(movie)
    assert movie.seen() == [(False, "left", 3)]


def test_a_hand_that_rested_in_the_picture_may_take_a_floor_in_no_time() -> None:
    movie = _castle()
    movie.come("left", 60.0, rests=25)
    _take_top(movie)
    movie.go("left", 60.0)
    assert not _fallen(movie)
    assert movie.seen() == [(False, "left", 3)]


def test_what_is_cleared_away_where_something_fell_close_to_a_tower_is_no_new_fall() -> None:
    movie = _castle()
    x, y = movie.tower("right").centre_mm
    _topple_left(movie)
    movie.blocks.append(plate("south", (x - 38.0, y), (12.0, 25.0, 12.0), 0.0, _GREEN))
    movie.wait(30)
    assert len(_fallen(movie)) == 1
    for _ in range(4):
        movie.reach("middle", 10.0, lambda: movie.blocks.__delitem__(-1))
    assert len(_fallen(movie)) == 1


def test_all_that_a_calm_look_shows_is_weighed_and_may_be_judged_to_be_no_fall() -> None:
    cases: list[Case] = []

    def never(case: Case) -> float:
        cases.append(case)
        return 0.0

    movie = Movie(chance=never)
    movie.stand("left", 2)
    movie.wait(25)
    movie.blocks.append(plate("south", _BARE, (16.0, 9.0, 9.0), 0.0, _GREEN))
    movie.wait(25)
    assert not _fallen(movie)
    (case,) = cases
    assert case.signs.said > 0.5
    assert case.signs.lying > 0.5
    assert case.signs.busiest == case.signs.inmost > 0  # it came from nowhere
    movie.reach("middle", 30.0, lambda: None)
    assert (cases[1].since_us, cases[1].signs.said) == (case.t_us, 0.0)  # it is not asked about again
    assert cases[1].signs.stirred_s < 1.0  # what moved before the last look is not counted
    assert cases[1].signs.busiest > cases[1].signs.inmost  # a hand reaches in


def test_nothing_falls_on_a_board_on_which_no_castle_can_be() -> None:
    plan = one_board()
    bare = msgspec.structs.replace(plan.boards[0], towers=())
    movie = Movie(msgspec.structs.replace(plan, boards=(bare,)), chance=lambda case: 1.0)
    movie.wait(25)
    movie.blocks.append(_lying_pillar(_BARE))
    movie.wait(25)
    assert not _fallen(movie)


def test_a_pillar_that_lies_on_a_marker_has_fallen() -> None:
    movie = _castle()
    marker = movie.plan.boards[0].markers[0]
    x, y = marker.centre_mm
    movie.blocks.append(plate("south", (x + 4.0, y), (25.0, 12.0, 12.0), 0.0, _WOOD))
    movie.wait(25)
    assert len(_fallen(movie)) == 1


def test_a_shadow_over_a_marker_changes_its_white_and_what_lies_on_it_hides_its_black() -> None:
    white = np.kron(np.indices((4, 4)).sum(axis=0) % 2, np.ones((8, 8))) > 0
    marker = np.pad(np.ones((32, 32), bool), 4)
    bare = np.repeat(np.pad(np.where(white, 5.4, 3.2), 4, constant_values=4.5)[:, :, None], 3, axis=2)
    left = np.zeros_like(marker)
    left[4:36, 4:20] = True
    assert is_covered(marker, left, bare.astype(np.float32))
    assert not is_covered(marker, left & np.pad(white, 4), bare.astype(np.float32))


def test_a_fall_that_is_glimpsed_and_not_believed_is_asked_about_again_when_all_is_calm() -> None:
    movie = _castle()
    eye = movie.eye.board("south")
    eye.weighed = True
    movie.blocks += [_lying_pillar((100.0, 25.0)), _lying_pillar((125.0, 85.0)), _lying_pillar((130.0, 50.0))]
    movie.fidget("right", 45)
    assert [fall.judged for fall in _fallen(movie)] == [False]
    movie.wait(75)  # scales that feel nothing are waited for
    assert [fall.judged for fall in _fallen(movie)] == [False, True]
    assert _fallen(movie)[-1].lying


def test_another_lamp_moves_nothing() -> None:
    movie = _castle()
    movie.wait(10)
    shade = np.full((480, 640, 1), 0.8, np.float32)
    shade[:, :320] = 0.7
    movie.wait(40, shade)
    assert not _fallen(movie)
    assert not movie.seen()
    movie.wait(40)
    assert not _fallen(movie)
    assert not movie.seen()


def test_a_plate_that_seems_to_float_over_a_missing_level_has_slipped() -> None:
    movie = Movie()
    movie.stand("left", 1)
    movie.wait(25)
    centre = movie.tower("left").centre_mm
    movie.blocks.append(plate("south", centre, (60.0, 60.0, 2.0), 54.0, (200, 90, 60)))
    movie.wait(25)
    assert len(_fallen(movie)) == 1


def test_ruins_that_reach_to_the_picture_s_edge_are_no_hand_where_none_came() -> None:
    movie = _castle()
    left = movie.tower("left").centre_mm
    movie.blocks = [block for block in movie.blocks if not _above(block, left, 2.0)]
    movie.wait(2)
    movie.blocks.append(plate("south", (-140.0, 70.0), (360.0, 60.0, 2.0), 0.0, _WOOD))
    movie.wait(30)
    assert len(_fallen(movie)) == 1
    assert movie.heights()["left"][0] == 1


def test_what_has_not_changed_since_the_last_look_neither_lies_there_nor_is_torn() -> None:
    movie = Movie()
    board, kit = movie.plan.boards[0], Kit(movie.plan)
    window = Window(movie.painter.view(board), 0, 0, 640, 480)
    ground = Ground(board, kit, Miniature.of(window, board, kit))
    everywhere = np.ones(Miniature.of(window, board, kit).shape, bool)
    spot = np.zeros_like(everywhere)
    spot[20:30, 20:30] = True
    thing = Lying(spot, 2.0)
    sights = Sights([thing], [thing], ground.floors([spot]), (thing,), [spot], (thing,))
    same = ground.within(sights, everywhere)
    assert (same.lying, same.near, same.torn) == ([thing], (thing,), sights.torn)
    none = ground.within(sights, ~spot)
    assert (none.lying, none.beside, none.near, none.cast, none.torn) == ([], [], (), (), [0.0])


def test_a_thing_as_large_as_a_piece_that_lies_about_has_fallen_whatever_it_is() -> None:
    movie = _castle()
    strange = plate("south", (112.0, 52.0), (24.0, 30.0, 9.0), 0.0, _GREEN, turn=35.0)
    movie.reach("middle", 10.0, lambda: movie.blocks.append(strange))
    assert len(_fallen(movie)) == 1


def test_towers_over_which_a_shadow_came_while_a_piece_was_put_down_are_not_torn() -> None:
    movie = _castle()
    shade = np.ones((480, 640, 1), np.float32)
    shade[:, 200:560] = 0.85
    movie.come("right", 30.0)
    movie.blocks.append(column("south", (movie.tower("right").centre_mm[0] - 20.0, 80.0), 12.0, 25.0, 29.0, _GREEN))
    for _ in range(3):
        movie.fidget("right", 4)
    movie.wait(30, shade)
    assert not _fallen(movie)
    assert movie.seen() == [(True, "right", 2)]
