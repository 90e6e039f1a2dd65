"""Senses that come and go: the other one speaks alone, nothing that waited is lost, nothing is made up."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.sensing.context import NOTHING_KNOWN, Context
from companion.sensing.falling import Fallen
from companion.sensing.plan import Camera, Plan
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, board, plan

_CHANCE = np.random.default_rng(7)
_FRAME_US = 40_000


def the_plan() -> Plan:
    return msgspec.structs.replace(plan((board("south"), board("north"))), camera=Camera(64, 48, 25.0))


def samples(name: str, forces: Forces) -> list[ScaleSample]:
    return sensed(forces, board(name), Chip(rate_sps=93.0, noise_g=0.02), start_us=0)


def frames(from_s: float, to_s: float) -> list[Frame]:
    times = range(round(from_s * 1e6), round(to_s * 1e6), _FRAME_US)
    return [Frame(t_us, 0, _CHANCE.integers(80, 120, (48, 64, 3), np.uint8)) for t_us in times]


def fed(watcher: Watcher, *streams: list[ScaleSample] | list[Frame]) -> list[Sensed]:
    items = sorted((item for stream in streams for item in stream), key=lambda item: item.t_us)
    return [event for item in items for event in watcher.feed(item)]


def resting(seconds: float = 12.0) -> Forces:
    forces = Forces(seconds)
    forces.rest(0.0, 30.0, LEFT)
    return forces


def without(given: list[ScaleSample], from_s: float, to_s: float) -> list[ScaleSample]:
    return [sample for sample in given if not from_s * 1e6 <= sample.t_us < to_s * 1e6]


def test_a_camera_that_stops_is_missed_and_taken_up_again() -> None:
    watcher = Watcher(the_plan())
    assert watcher.blind
    fed(watcher, samples("south", resting(4.0)), frames(0.0, 2.0))
    assert watcher.blind
    fed(watcher, frames(4.0, 4.1))
    assert not watcher.blind


def test_boards_that_fall_silent_are_missed_each_for_itself() -> None:
    watcher = Watcher(the_plan())
    assert watcher.deaf == {"south", "north"}
    fed(watcher, samples("south", resting(4.0)), without(samples("north", resting(4.0)), 2.0, 4.0))
    assert watcher.deaf == {"north"}


@pytest.mark.parametrize("gap_s", [1.5, 6.0])
def test_what_changed_while_the_scales_were_away_is_no_fall(gap_s: float) -> None:
    forces = resting(20.0)
    forces.rest(6.5, -20.0, LEFT)
    forces.rest(6.5, 9.0, MIDDLE)
    watcher = Watcher(the_plan())
    events = fed(watcher, without(samples("south", forces), 6.0, 6.0 + gap_s), samples("north", resting(20.0)))
    assert "collapse" not in [event.kind for event in events]


def test_all_senses_that_go_at_once_are_taken_up_again_at_once() -> None:
    forces = resting(20.0)
    forces.place(16.0, 6.5, MIDDLE)
    watcher = Watcher(the_plan())
    given = without(samples("south", forces), 5.0, 10.0)
    events = fed(watcher, given, [*frames(0.0, 5.0), *frames(10.0, 20.0)])
    told = [(event.kind, event.piece) for event in events if event.kind != "fault"]
    assert told == [("placed", "floor-tile")]
    assert watcher.deaf == {"north"}


def test_what_the_game_knows_is_known_again_after_a_sense_came_back() -> None:
    watcher = Watcher(the_plan())
    known = Context(phase="building", board="south", base_tile=True)
    watcher.tell(known, "south")
    before = watcher.judgement("south")
    fed(watcher, frames(0.0, 0.1))
    after = watcher.judgement("south")
    assert after is not before
    assert after.context == known
    assert watcher.judgement("north").context == NOTHING_KNOWN


def test_one_accident_is_one_call_though_the_scales_fall_silent_on_the_way() -> None:
    watcher = Watcher(the_plan())
    fed(watcher, samples("south", resting(4.0)), frames(0.0, 4.0))
    felt = Sensed(kind="collapse", t_us=4_000_000, decided_us=4_100_000, board="south", evidence={"scales": 0.97})
    watcher.judgement("south").felt(felt)
    fed(watcher, frames(4.1, 5.3))
    assert "south" in watcher.deaf
    fallen = Fallen("south", ("left",), 4_200_000, 5_300_000, 0.96, since_us=3_900_000)
    assert watcher.judgement("south").saw(fallen) == []


def test_samples_of_a_board_that_nobody_knows_are_passed_over() -> None:
    watcher = Watcher(the_plan())
    strange = [ScaleSample(at * 100_000, "nobody", (1, 2, 3, 4)) for at in range(5)]
    assert fed(watcher, strange, samples("south", resting(4.0))) == []


def test_scales_that_speak_but_cannot_weigh_are_not_waited_for() -> None:
    watcher = Watcher(the_plan())
    mute = [ScaleSample(sample.t_us, "south", (None,) * 4) for sample in samples("south", resting(4.0))]
    fed(watcher, mute, frames(0.0, 4.0))
    assert "south" in watcher.deaf
    fed(watcher, [ScaleSample(each.t_us + 4_000_000, "south", each.counts) for each in samples("south", resting(4.0))])
    assert "south" not in watcher.deaf


def test_what_was_felt_before_a_silence_is_told_after_it_and_the_silence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Sensed(kind="placed", t_us=5_500_000, decided_us=5_890_000, board="south", evidence={"scales": 0.97})
    monkeypatch.setattr(BoardJudge, "finish", lambda self: [held])
    given = without(samples("south", resting(12.0)), 5.9, 9.0)
    told = fed(Watcher(the_plan(), ("scales",)), given)
    back_us = next(sample.t_us for sample in given if sample.t_us >= 9_000_000)
    assert [(event.kind, event.t_us, event.decided_us) for event in told] == [
        ("placed", held.t_us, back_us),
        ("fault", back_us, back_us),
    ]
    assert told[1].what == "was silent for 3 s"
