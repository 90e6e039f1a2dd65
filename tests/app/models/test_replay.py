"""The replay's clock, the darkroom beside it, and where a finger is on the live table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.app.darkroom import Darkroom, developed
from companion.app.models.live import Hand, Spot, crossed, foundation, from_above, spot_at, spots, tray
from companion.app.models.replay import Footage, Replay, footage
from companion.app.widgets.trace import span_of
from companion.live.shown import BoardReading, Reading, TowerReading
from companion.twin.table import nominal_table
from tests.app.watched import CONTACT_US, PaperTable, collapse, painted

_MS = 1000


def _footage() -> Footage:
    frames = tuple((CONTACT_US + at * 40 * _MS, b"") for at in range(-50, 25))
    trace = tuple((CONTACT_US + at * 10 * _MS, 100.0) for at in range(-200, 100))
    return Footage(contact_us=CONTACT_US, frames=frames, trace=trace)


def test_it_plays_a_quarter_as_fast_and_rests_on_the_contact() -> None:
    replay = Replay(_footage())
    assert replay.after_ms == -800
    replay.tick(0.4)
    assert replay.after_ms == -700
    assert replay.tick(60)
    assert not replay.playing
    assert replay.after_ms == 0
    assert not replay.tick(1)


def test_the_picture_is_the_last_one_taken_by_then() -> None:
    replay = Replay(_footage())
    replay.scrub(replay.contact_share)
    assert replay.frame == 50
    replay.at_us -= 1
    assert replay.frame == 49
    replay.scrub(-1)
    assert replay.frame == 0


def test_stopped_at_the_end_it_begins_again() -> None:
    replay = Replay(_footage())
    replay.scrub(1.0)
    replay.turn_over()
    assert replay.playing
    assert replay.after_ms == -800
    replay.turn_over()
    assert not replay.playing


def test_more_of_it_does_not_move_where_it_is() -> None:
    whole = _footage()
    early = Footage(contact_us=CONTACT_US, frames=whole.frames[:52])
    replay = Replay(early)
    replay.scrub(0.5)
    at = replay.at_us
    replay.extended(whole)
    assert replay.at_us == at
    assert replay.end_us > CONTACT_US + 900 * _MS


def test_nothing_kept_is_a_moment_without_pictures() -> None:
    replay = Replay(Footage(contact_us=CONTACT_US))
    assert replay.frame is None
    assert replay.start_us == CONTACT_US < replay.end_us


def test_three_seconds_around_the_contact_are_shown() -> None:
    cut = footage(PaperTable().evidence(collapse()))
    first, last = cut.span_us
    assert CONTACT_US - first == pytest.approx(2_000 * _MS, abs=50 * _MS)
    assert last - CONTACT_US == pytest.approx(1_000 * _MS, abs=50 * _MS)
    assert max(grams for _, grams in cut.trace) > 150
    assert not footage(PaperTable().evidence(collapse(board="nowhere"))).trace


def test_a_blow_shows_and_a_glitch_does_not_flatten_it() -> None:
    calm = [100.0] * 50 + [130.0, 120.0, 80.0, 90.0] + [100.0] * 50
    low, high = span_of(calm)
    assert (low, high) == span_of([*calm, 9000.0, 100.0, 100.0])
    assert low < 90 < 120 < high


def test_pictures_are_developed_beside_and_the_last_one_wanted_wins() -> None:
    jpegs = [bytes(cv2.imencode(".jpg", painted(at / 10))[1]) for at in range(3)]
    darkroom = Darkroom(jpegs)
    try:
        darkroom.want(2)
        made = None
        while made is None:
            made = darkroom.take()
        assert (made.number, made.width, made.height) == (2, 320, 240)
        assert made.pixels.shape == (320 * 240 * 4,)
        assert made.pixels.dtype == np.uint8
    finally:
        darkroom.close()
    assert not darkroom._thread.is_alive()


def test_a_picture_that_is_none_is_left_out() -> None:
    assert developed(0, b"no picture") is None
    assert developed(0, b"") is None


# The live table


def _reading(**towers: TowerReading) -> Reading:
    corners = ((0.0, 200.0), (250.0, 200.0), (250.0, 0.0), (0.0, 0.0))
    board = BoardReading(board="south", seat=0, towers=tuple(towers.values()), outline=corners)
    return Reading(t_us=0, boards=(board,))


def test_a_bare_foundation_has_its_place_in_the_picture() -> None:
    plan = nominal_table()
    found = {spot.tower: spot for spot in spots(plan, _reading())}
    assert set(found) == {"left", "middle", "right"}
    assert found["left"].middle == pytest.approx((60, 140), abs=0.5)
    assert foundation(plan.boards[0], ((0, 0), (1, 0)), (60, 60), 60) == ()


def test_what_stands_is_touched_where_it_stands() -> None:
    tall = ((40.0, 20.0), (80.0, 20.0), (80.0, 170.0), (40.0, 170.0))
    found = spots(nominal_table(), _reading(left=TowerReading(tower="left", levels=4, outline=tall)))
    at = spot_at(found, (60, 30))
    assert at is not None
    assert at.tower == "left"
    assert spot_at(found, (240, 5), near_px=10) is None
    over = crossed(found, [(x, 100.0) for x in range(0, 240, 10)])
    assert over is not None
    assert over.tower == "left"
    assert crossed(found, [(0.0, 5.0), (5.0, 5.0)]) is None


def test_a_table_without_a_camera_is_drawn_from_above() -> None:
    plan = nominal_table(("south", "north"))
    boards = tuple(
        BoardReading(board=board.id, towers=tuple(TowerReading(tower=tower.id) for tower in board.towers))
        for board in plan.boards
    )
    drawn = from_above(plan, Reading(t_us=0, boards=boards))
    inside = [pixel for board in drawn.boards for pixel in board.outline]
    assert all(0 <= x <= 640 and 0 <= y <= 480 for x, y in inside)
    south, north = (spot for spot in spots(plan, drawn) if spot.tower == "left")
    assert south.middle[1] > north.middle[1]


def test_the_hand_is_told_in_the_words_of_a_scenario() -> None:
    from companion.twin.scenario import parse_scenario

    hand = Hand(("south", "north"))
    spot = Spot(board="north", tower="left", outline=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    said = [
        *(hand.place(piece, spot.board, spot.tower) for piece in tray(nominal_table())),
        hand.remove("pillar", spot.board, spot.tower),
        hand.knock(spot.board, spot.tower, hard=False),
        hand.brush(spot.board, spot.tower),
        hand.clear("south"),
        hand.bump(),
    ]
    steps = parse_scenario("\n".join(["boards south north", *said])).steps
    assert [step.board for step in steps[:-2]] == ["north"] * (len(said) - 2)
    assert {step.act for step in steps} == {"place", "remove", "knock", "brush", "clear", "bump"}
