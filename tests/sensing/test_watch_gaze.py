"""The eye beside the scales: nobody waits for a look, and what comes of it does not depend on how long it takes."""

from __future__ import annotations

import random
from concurrent.futures import Future
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from companion.sensing import gaze
from companion.sensing.board_eye import BoardEye, Chance
from companion.sensing.eye import Eye
from companion.sensing.gaze import BoardGaze, Gaze, Look
from companion.sensing.plan import Camera, Plan
from companion.sensing.readings import Height
from companion.sensing.recording import Item, Passed
from companion.sensing.scenes import Built, Shown
from companion.sensing.sights import Sight
from companion.sensing.signs import chance_of_fall
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.told import Expected
from companion.sensing.views import Lens, View
from companion.sensing.watch import FRAME_WAITS_US, Watcher
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, board, plan

_S = 1_000_000
_FRAME_US = 40_000
_IMAGE = np.zeros((48, 64, 3), np.uint8)


def the_plan() -> Plan:
    return msgspec.structs.replace(plan((board("south"),)), camera=Camera(64, 48, 25.0))


def frame(t_us: int) -> Frame:
    return Frame(t_us, 0, _IMAGE)


def frames(to_s: float) -> list[Frame]:
    return [frame(t_us) for t_us in range(0, round(to_s * _S), _FRAME_US)]


def falling(seconds: float = 12.0) -> list[ScaleSample]:
    """A tower of which a tile falls after 8 s."""
    forces = Forces(seconds)
    forces.rest(0.0, 30.0, LEFT)
    forces.fall(8.0, 6.5, LEFT, MIDDLE, 50.0)
    return sensed(forces, board("south"), Chip(rate_sps=93.0, noise_g=0.02), start_us=0)


class Looker(Eye):
    """An eye that sees the board, stirs with every frame, and tells of a height at each full second."""

    def __init__(self, plan: Plan, camera: Camera, chance: Chance = chance_of_fall) -> None:
        super().__init__(plan, camera, chance)
        self.looked: list[int] = []

    def feed(self, frame: Frame) -> list[Sight]:
        self.looked.append(frame.t_us)
        self.board("south").view = View(Lens(np.eye(3), np.zeros(5)), np.eye(3), np.zeros(3))
        told = Height("south", "left", frame.t_us // _S, 27.0, frame.t_us, frame.t_us)
        return [told] if frame.t_us % _S == 0 else []


@pytest.fixture(autouse=True)
def looker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaze, "Eye", Looker)
    monkeypatch.setattr(BoardEye, "stirred_since", lambda self, t_us: True)


class Later(Future[list[Sight]]):
    """A look that is done when it is told to, or when somebody would wait for it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def finish(self) -> None:
        if not self.done():
            self.set_result(self._look())

    def result(self, timeout: float | None = None) -> list[Sight]:
        self.finish()
        return super().result(timeout)


class Slow:
    """Looks later: when it is told to `finish`."""

    def __init__(self) -> None:
        self._under_way: list[Later] = []

    def __call__(self, look: Look) -> Later:
        self._under_way.append(Later(look))
        return self._under_way[-1]

    def finish(self) -> None:
        while self._under_way:
            self._under_way.pop().finish()


def merged(samples: list[ScaleSample], pictures: list[Frame]) -> list[Item]:
    return sorted([*samples, *pictures], key=lambda item: (item.t_us, isinstance(item, Frame)))


def replayed(samples: list[ScaleSample], pictures: list[Frame]) -> list[Sensed]:
    watcher = Watcher(the_plan())
    return [event for item in merged(samples, pictures) for event in watcher.feed(item)] + watcher.finish()


def test_what_was_seen_of_a_frame_is_decided_when_the_next_has_its_turn() -> None:
    heights = [event for event in replayed(falling(), frames(12.0)) if event.kind == "height"]
    assert [event.level for event in heights] == list(range(12))
    assert {event.decided_us - event.t_us for event in heights} == {_FRAME_US + FRAME_WAITS_US}


def test_with_a_camera_alone_a_frame_decides_at_once() -> None:
    watcher = Watcher(the_plan(), ("camera",))
    assert [(event.t_us, event.decided_us) for event in watcher.feed(frame(_S))] == [(_S, _S)]


def test_where_no_board_has_cells_a_frame_decides_at_once_too() -> None:
    seen = the_plan()
    bare = msgspec.structs.replace(seen.boards[0], cells=())
    watcher = Watcher(msgspec.structs.replace(seen, boards=(bare,)))
    assert [(event.t_us, event.decided_us) for event in watcher.feed(frame(_S))] == [(_S, _S)]


def test_scales_that_do_not_speak_are_not_waited_for_and_are_when_they_do_again() -> None:
    quiet = [sample for sample in falling(9.0) if not 3.5 * _S < sample.t_us < 6.5 * _S]
    heights = [event for event in replayed(quiet, frames(9.0)) if event.kind == "height"]
    waits_us = [event.decided_us - event.t_us for event in heights]
    assert (
        waits_us
        == [_FRAME_US + FRAME_WAITS_US] * 4 + [_FRAME_US + FRAME_WAITS_US, 0, 0] + [_FRAME_US + FRAME_WAITS_US] * 2
    )
    silent = Watcher(the_plan())
    told = [event for each in frames(4.0) for event in silent.feed(each)]
    assert [event.decided_us - event.t_us for event in told if event.t_us > _S] == [0, 0]


def test_a_frame_of_the_silence_decides_at_once_though_samples_after_it_came_first() -> None:
    samples = [sample for sample in falling(9.0) if not 3.5 * _S < sample.t_us < 6.01 * _S]
    told, watcher = replayed(samples, frames(9.0)), Watcher(the_plan())
    items = sorted(merged(samples, frames(9.0)), key=lambda item: item.t_us + 50_000 * isinstance(item, Frame))
    behind = [event for item in items for event in watcher.feed(item)] + watcher.finish()
    assert sorted(behind, key=lambda event: event.decided_us) == told
    assert (6 * _S, 6 * _S) in [(event.t_us, event.decided_us) for event in told if event.kind == "height"]


def test_what_was_seen_last_is_not_lost_at_the_end() -> None:
    watcher = Watcher(the_plan())
    assert watcher.feed(frame(_S)) == []
    assert [event.t_us for event in watcher.finish()] == [_S]


@pytest.mark.parametrize("seed", range(5))
def test_live_and_replayed_give_the_same_however_frames_arrive_and_long_looks_take(seed: int) -> None:
    chance, slow = random.Random(seed), Slow()
    arriving: list[tuple[int, Item]] = [(sample.t_us, sample) for sample in falling()]
    arrives_us = 0
    for each in frames(12.0):
        arrives_us = max(arrives_us, each.t_us + chance.randrange(FRAME_WAITS_US - 10_000))
        arriving.append((arrives_us, each))
    watcher = Watcher(the_plan(), aside=slow)
    live: list[Sensed] = []
    turn = 0
    for at_us, item in sorted(arriving, key=lambda each: each[0]):
        before, turn = turn, (at_us - FRAME_WAITS_US) // _FRAME_US
        if turn > before or chance.random() < 0.1:
            slow.finish()
        live += watcher.feed(item)
    slow.finish()
    live += watcher.finish()
    assert watcher.let_pass == 0
    assert live == replayed(falling(), frames(12.0))
    assert "collapse" in [event.kind for event in live]


def test_a_recording_that_knows_which_frames_were_let_pass_gives_the_same() -> None:
    slow, passed = Slow(), set[int]()
    watcher = Watcher(the_plan(), aside=slow, passing=lambda each: passed.add(each.t_us))
    live: list[Sensed] = []
    for number, item in enumerate(merged(falling(), frames(12.0))):
        if number % 31 == 0:
            slow.finish()
        live += watcher.feed(item)
    slow.finish()
    live += watcher.finish()
    assert len(passed) == watcher.let_pass > 100
    known = [Passed(each.t_us, 0, _IMAGE) if each.t_us in passed else each for each in frames(12.0)]
    assert replayed(falling(), known) == live
    assert replayed(falling(), frames(12.0)) != live


def test_what_was_decided_before_the_eye_breaks_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looker.feed

    def breaking(self: Looker, frame: Frame) -> list[Sight]:
        if frame.t_us > _S + _FRAME_US:
            raise ZeroDivisionError
        return looks(self, frame)

    monkeypatch.setattr(Looker, "feed", breaking)
    watcher = Watcher(the_plan())
    samples = falling(3.0)
    watcher.feed(samples[0])
    for each in range(3):
        assert watcher.feed(frame(_S + each * _FRAME_US)) == []
    with pytest.raises(ZeroDivisionError):
        watcher.feed(samples[-1])
    assert [(event.kind, event.t_us) for event in watcher.break_off()] == [("height", _S)]
    assert watcher.break_off() == []


def test_a_look_that_never_ends_does_not_delay_a_call() -> None:
    slow = Slow()
    watcher = Watcher(the_plan(), aside=slow)
    called: list[tuple[Sensed, int]] = []
    for item in merged(falling(10.0), frames(10.0)):
        called += [(event, item.t_us) for event in watcher.feed(item) if event.kind == "collapse"]
        if item.t_us < 7 * _S:
            slow.finish()
    ((event, at_us),) = called
    assert event.decided_us == at_us < round(8.5 * _S)
    assert watcher.looking
    assert watcher.let_pass > 60


def doubted(t_us: int) -> Sensed:
    """A fall that the scales are not sure of."""
    return Sensed(kind="collapse", t_us=t_us, decided_us=t_us, board="south", confidence=0.7, evidence={"scales": 0.7})


def test_a_doubted_fall_does_not_wait_for_a_look_that_never_ends() -> None:
    slow = Slow()
    watcher = Watcher(the_plan(), aside=slow)
    told, asked = list[tuple[Sensed, int]](), False
    for item in merged(falling(16.0), frames(16.0)):
        told += [(event, item.t_us) for event in watcher.feed(item) if event.kind == "collapse"]
        if item.t_us < 3 * _S:
            slow.finish()
        elif not told and watcher.looking and not asked:
            asked = watcher.judgement("south").felt(doubted(item.t_us)) == []
    assert watcher.looking
    (first, at_us), *_ = told
    assert first.t_us < 4 * _S
    assert first.t_us + 5 * _S < first.decided_us <= at_us < first.t_us + 6 * _S


def test_what_waits_is_told_when_all_breaks_off_in_the_middle_of_a_look() -> None:
    slow = Slow()
    watcher = Watcher(the_plan(), aside=slow)
    for item in merged(falling(6.0), frames(6.0)):
        watcher.feed(item)
        if item.t_us < 5 * _S:
            slow.finish()
    south = watcher.judgement("south")
    assert watcher.looking
    assert south.felt(doubted(round(5.9 * _S))) == []
    placed = msgspec.structs.replace(doubted(round(3.0 * _S)), kind="placed", tower="left", piece="floor-tile")
    assert south.felt(placed) == []
    assert [(event.kind, event.level) for event in watcher.break_off()] == [("collapse", None), ("placed", 1)]
    assert watcher.break_off() == []
    assert watcher.eye is not None
    assert watcher.eye.board("south").castle.levels("left") == 0


def test_what_a_silence_decides_is_decided_when_it_is_noticed() -> None:
    watcher = Watcher(the_plan(), ("camera",))
    watcher.feed(frame(_S))
    watcher.judgement("south").felt(doubted(_S))
    watcher.feed(frame(_S + _FRAME_US))
    told = watcher.feed(frame(9 * _S))
    assert [event.decided_us for event in told if event.kind == "collapse"] == [9 * _S]


def test_a_look_that_never_ends_is_given_up_at_last() -> None:
    made, _, _ = gazing(Slow())
    made.begin(frame(0), {})
    made.let_pass(frame(10 * _S))
    with pytest.raises(TimeoutError):
        made.let_pass(frame(16 * _S))


def test_frames_that_come_while_the_eye_is_busy_are_let_pass_and_it_goes_on_with_the_next() -> None:
    slow = Slow()
    watcher = Watcher(the_plan(), aside=slow)
    for item in merged(falling(6.0), frames(6.0)):
        watcher.feed(item)
        if not 4.0 * _S < item.t_us < 4.5 * _S:
            slow.finish()
    assert isinstance(watcher.eye, Looker)
    (gap_us,) = [later - t_us for t_us, later in pairwise(watcher.eye.looked) if later - t_us > _FRAME_US]
    assert gap_us == (watcher.let_pass + 1) * _FRAME_US
    assert 400_000 < gap_us < 600_000
    assert not watcher.blind


# One board's eye, as others know it


def gazing(aside: Slow) -> tuple[Gaze, BoardGaze, BoardEye]:
    the = the_plan()
    assert the.camera is not None
    made = Gaze(the, the.camera, aside)
    return made, made.board("south"), made.eye.board("south")


def test_what_is_said_to_the_eye_during_a_look_is_heard_after_it_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []
    monkeypatch.setattr(BoardEye, "expect", lambda self, expected: heard.append(expected))
    monkeypatch.setattr(BoardEye, "expect_no_more", lambda self, expected: heard.append(("no more", expected)))
    monkeypatch.setattr(BoardEye, "fell", lambda self, t_us: heard.append(t_us))
    slow = Slow()
    made, south, _ = gazing(slow)
    tile = Expected(True, ("floor-tile",), "left")
    made.begin(frame(0), {})
    south.expect(tile)
    south.fell(7)
    south.expect_no_more(tile)
    assert heard == []
    slow.finish()
    made.end()
    assert heard == [tile, 7, ("no more", tile)]
    south.fell(8)
    assert heard[-1] == 8


def test_what_is_asked_of_the_eye_during_a_look_is_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    stirs = [False]
    monkeypatch.setattr(BoardEye, "stirred_since", lambda self, t_us: stirs[0])
    slow = Slow()
    made, south, eye = gazing(slow)
    made.begin(frame(_S), {})
    stirs[0] = True
    eye.castle.rebuild("left", [])
    tile = eye.castle.assume(True, "floor-tile", "left")
    assert tile is not None
    assert south.castle.levels("left") == 0
    assert not south.stirred_since(0)
    assert south.view is None
    slow.finish()
    assert made.end() is not None
    assert south.castle.levels("left") == 1
    assert south.stirred_since(_S)
    assert not south.stirred_since(_S + 1)
    assert south.view is not None
    assert made.end() is None


def test_an_eye_that_is_far_behind_does_not_say_that_nothing_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoardEye, "stirred_since", lambda self, t_us: False)
    slow = Slow()
    made, south, _ = gazing(slow)
    made.begin(frame(0), {})
    slow.finish()
    made.end()
    made.begin(frame(_FRAME_US), {})
    made.let_pass(frame(2 * _FRAME_US))
    assert not south.stirred_since(0)
    made.let_pass(frame(10 * _FRAME_US))
    assert south.stirred_since(0)
    slow.finish()
    made.end()
    assert not south.stirred_since(0)


@pytest.mark.parametrize(("brighter", "disturbed"), [(0.0, False), (0.5, True)])
def test_what_a_picture_shows_of_what_is_built_is_known_once_it_is_taken_up(brighter: float, disturbed: bool) -> None:
    slow = Slow()
    made, south, _ = gazing(slow)
    assert south.disturbed_since(0), "nobody knows what is built"
    built = np.zeros((120, 160), bool)
    built[:60] = True
    before = np.full((120, 160, 3), 4.0, np.float32)
    now = before.copy()
    now[:60, :40] += brighter
    shown = Shown(_S, now, before, Built(built, floor_px=200.0))
    made.begin(frame(_S), {})
    assert south.disturbed_since(0)
    slow.finish()
    made.eye.board("south").shown = shown
    made.end()
    assert south.disturbed_since(_S) == disturbed
    assert not south.disturbed_since(_S + 1), "no picture was taken since then"
    made.begin(frame(2 * _S), {})
    made.let_pass(frame(3 * _S))
    assert south.disturbed_since(3 * _S), "what was not looked at may have been"
