"""Whole acts on made-up boards: what was placed, what was taken, what fell, and what only looked like it."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.sensing.plan import Area, Board, Piece
from companion.sensing.scales.evidence import Weighed
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.streams import Flag, ScaleSample, Sensed
from companion.sensing.watch import Watcher
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, PIECES, RIGHT, board, plan, watched

CHIPS = {
    "80": Chip(),
    "93": Chip(rate_sps=92.7),
    "40": Chip(rate_sps=40.0),
    "11": Chip(rate_sps=11.3, noise_g=0.03),
    "drifting": Chip(drift_g=0.3),
    "glitching": Chip(glitch_share=0.01),
    "a dead cell": Chip(dead=(1,)),
}
START_US = 5_000_000


def told(forces: Forces, chip: Chip = CHIPS["80"], of: Board | None = None) -> list[Sensed]:
    """The events without faults."""
    of = of or board()
    return [event for event in watched(plan((of,)), sensed(forces, of, chip)) if event.kind != "fault"]


def a_castle(seconds: float = 12.0) -> Forces:
    forces = Forces(seconds)
    forces.rest(0.0, 30.0, LEFT)
    forces.rest(0.0, 17.0, RIGHT)
    return forces


def building() -> Forces:
    forces = Forces(17.0)
    forces.place(3.0, 6.5, LEFT)
    forces.place(6.0, 2.0, (85.0, 40.0))
    forces.place(9.0, 6.5, MIDDLE)
    forces.take(12.0, 6.5, MIDDLE)
    forces.hand(14.0, 2.0, 60.0, RIGHT)
    return forces


@pytest.mark.parametrize("name", CHIPS)
def test_building_is_told_piece_by_piece(name: str) -> None:
    events = told(building(), CHIPS[name])
    assert [(event.kind, event.piece, event.tower) for event in events] == [
        ("placed", "floor-tile", "left"),
        ("placed", "pillar", "left"),
        ("placed", "floor-tile", "middle"),
        ("removed", "floor-tile", "middle"),
    ]
    for event, t_s in zip(events, (3.0, 6.0, 9.0, 12.0), strict=True):
        assert abs(event.t_us - START_US - t_s * 1e6) < 500_000
        assert event.t_us <= event.decided_us < event.t_us + 1_500_000
        assert event.grams == pytest.approx(6.5 if event.piece == "floor-tile" else 2.0, abs=0.3)
        assert event.evidence == {"scales": event.confidence}


def test_negative_gains_change_nothing() -> None:
    of = board(gains=(-1540.0, 1500.0, -1580.0, -1520.0))
    assert [event.piece for event in told(building(), of=of)] == ["floor-tile", "pillar", "floor-tile", "floor-tile"]


def test_one_cell_weighs_and_names_no_tower() -> None:
    events = told(building(), of=board(cells=1))
    assert [(event.kind, event.piece, event.tower) for event in events][:2] == [
        ("placed", "floor-tile", None),
        ("placed", "pillar", None),
    ]
    assert len(events) == 4


def test_without_gains_the_events_have_no_grams() -> None:
    events = told(building(), of=board(gains=(None,) * 4))
    assert [event.kind for event in events] == ["placed", "placed", "placed", "removed"]
    assert all(event.grams is None and event.piece is None and event.confidence < 0.8 for event in events)
    assert events[0].tower == "left"


def test_what_is_stored_is_in_no_tower() -> None:
    of = board(inventory=(Area((0.0, 130.0), (60.0, 200.0)),))
    forces = Forces(6.0)
    forces.place(3.0, 2.0, (30.0, 160.0))
    (event,) = told(forces, of=of)
    assert (event.kind, event.tower, event.piece) == ("placed", None, "pillar")


def test_what_clatters_in_the_inventory_is_stored_all_the_same() -> None:
    of = board(inventory=(Area((0.0, 130.0), (60.0, 200.0)),))
    forces = Forces(6.0)
    forces.place(3.0, 2.0, (30.0, 160.0))
    for hit_s in (2.9, 3.0, 3.12):
        forces.press(hit_s, np.full(4, 30.0), (30.0, 160.0))
    assert [event.kind for event in told(forces, of=of)] == ["placed"]


@pytest.mark.parametrize("name", ["80", "93", "40", "drifting", "glitching"])
def test_a_fall_from_a_tower_is_one_collapse_called_soon_after_the_touch(name: str) -> None:
    forces = a_castle()
    hit_s = forces.fall(5.0, 2.0, (85.0, 40.0), (110.0, 25.0), 50.0)
    (event,) = told(forces, CHIPS[name])
    assert event.kind == "collapse"
    assert event.board == "north"
    assert abs(event.t_us - START_US - hit_s * 1e6) < 120_000
    assert START_US + hit_s * 1e6 < event.decided_us < START_US + hit_s * 1e6 + 900_000


def test_a_whole_tower_that_falls_is_one_accident_and_a_later_fall_another() -> None:
    forces = a_castle(14.0)
    for number, (t_s, grams) in enumerate(((4.0, 2.0), (4.05, 6.5), (4.2, 2.0), (4.5, 1.3))):
        forces.fall(t_s, grams, LEFT, (60.0 + 25 * number, 95.0 - 10 * number), 75.0 - 10 * number)
    forces.fall(9.0, 2.0, RIGHT, (150.0, 90.0), 30.0)
    events = told(forces)
    assert [event.kind for event in events] == ["collapse", "collapse"]
    assert [round((event.t_us - START_US) / 1e6) for event in events] == [4, 9]


def test_what_an_accident_throws_off_the_board_is_not_removed() -> None:
    forces = a_castle()
    forces.fall(4.0, 6.5, LEFT, (120.0, 90.0), 60.0)
    forces.fall(4.02, 2.0, LEFT, (100.0, 30.0), 60.0)
    forces.rest(4.25, -2.0, (100.0, 30.0))
    assert [event.kind for event in told(forces)] == ["collapse"]


def test_a_fall_is_called_in_a_blink() -> None:
    forces = a_castle()
    hit_s = forces.fall(5.0, 6.5, LEFT, (120.0, 95.0), 75.0)
    forces.fall(5.02, 2.0, LEFT, (105.0, 25.0), 60.0)
    (event,) = told(forces)
    assert event.kind == "collapse"
    assert 0 < event.decided_us - START_US - hit_s * 1e6 < 250_000


@pytest.mark.parametrize("name", ["80", "11"])
def test_a_piece_that_was_lifted_off_before_the_rest_fell_is_removed_too(name: str) -> None:
    forces = a_castle()
    forces.press(4.0, -2.0 * np.clip(np.arange(12_000) / 300.0, 0, 1), LEFT)
    forces.fall(4.8, 6.5, LEFT, (120.0, 95.0), 75.0)
    forces.fall(4.82, 2.0, LEFT, (105.0, 25.0), 60.0)
    events = told(forces, CHIPS[name])
    assert sorted(event.kind for event in events) == ["collapse", "removed"]
    removed = next(event for event in events if event.kind == "removed")
    assert (removed.piece, removed.tower) == ("pillar", "left")
    assert abs(removed.t_us - START_US - 4.2e6) < 400_000


def test_a_hard_bump_of_the_only_board_is_a_bump_and_no_collapse() -> None:
    forces = a_castle()
    forces.shake(5.0, 60.0)
    assert [event.kind for event in told(forces)] == ["bump"]


def test_what_falls_from_a_bumped_tower_touched_when_it_hit_the_board_and_not_at_the_bump() -> None:
    forces = a_castle()
    forces.shake(5.0, 300.0)
    hit_s = forces.fall(5.6, 2.0, LEFT, (125.0, 20.0), 75.0)
    (event,) = [event for event in told(forces) if event.kind == "collapse"]
    assert abs(event.t_us - START_US - hit_s * 1e6) < 120_000


def test_what_is_gathered_up_after_a_fall_is_no_second_one_however_roughly() -> None:
    forces = a_castle(14.0)
    forces.fall(4.0, 6.5, LEFT, (120.0, 95.0), 75.0)
    forces.fall(4.02, 2.0, LEFT, (105.0, 25.0), 60.0)
    forces.take(9.0, 8.5, (115.0, 80.0))
    forces.press(8.7, np.full(4, 30.0), (115.0, 80.0))
    assert [event.kind for event in told(forces)] == ["collapse", "removed"]


def test_a_piece_that_slips_from_a_hand_onto_the_board_is_a_collapse() -> None:
    forces = a_castle()
    forces.fall(5.0, 2.0, (125.0, 60.0), (125.0, 60.0), 60.0)
    forces.rest(5.0, 2.0, (125.0, 60.0))
    assert [event.kind for event in told(forces)] == ["collapse"]


def test_a_pillar_that_rolls_over_the_board_is_a_collapse_though_it_ends_on_a_towers_place() -> None:
    forces = Forces(8.0)
    forces.roll(4.0, 0.5, 2.0, (150.0, 60.0), (85.0, 62.0))
    (event,) = told(forces)
    assert event.kind == "collapse"
    assert event.decided_us - START_US < 4_250_000


def test_a_pillar_that_is_held_at_a_tower_while_a_hand_pulls_sideways_is_placed() -> None:
    forces = Forces(8.0)
    forces.place(4.0, 2.0, LEFT)
    pull = 0.5 - 0.5 * np.cos(np.linspace(0, 2 * np.pi, 600))
    forces.press(4.1, pull, (160.0, 0.0))
    forces.press(4.1, -pull, (60.0, 0.0))
    assert [event.kind for event in told(forces)] == ["placed"]


def test_a_base_tile_that_is_dropped_is_placed() -> None:
    forces = Forces(8.0)
    forces.press(4.0, np.full(4, 6.5 * 0.042 / 0.004), LEFT)
    forces.rest(4.0, 6.5, LEFT)
    (event,) = told(forces)
    assert (event.kind, event.tower, event.piece) == ("placed", "left", "floor-tile")


@pytest.mark.parametrize("name", ["80", "11", "glitching"])
def test_hands_that_lean_and_leave_are_no_event(name: str) -> None:
    forces = a_castle(14.0)
    forces.hand(3.0, 2.5, 45.0, MIDDLE)
    forces.hand(7.0, 0.4, 20.0, LEFT, seed=1)
    forces.hand(9.0, 3.0, 90.0, (200.0, 150.0), tremor=0.0)
    assert told(forces, CHIPS[name]) == []


@pytest.mark.parametrize("name", ["93", "11", "drifting", "glitching"])
def test_a_quiet_table_is_quiet(name: str) -> None:
    assert told(a_castle(25.0), CHIPS[name]) == []


def two_boards(first: Forces, second: Forces) -> list[Sensed]:
    north, south = board("north"), board("south")
    streams = (sensed(first, north, Chip()), sensed(second, south, Chip(rate_sps=86.0, offset_s=0.004), seed=1))
    return watched(plan((north, south)), *streams)


def test_a_bump_shakes_every_board_and_is_one_event() -> None:
    first, second = a_castle(), a_castle()
    first.shake(5.0, 30.0)
    second.shake(5.0, 22.0)
    (event,) = two_boards(first, second)
    assert (event.kind, event.board) == ("bump", None)
    assert abs(event.t_us - START_US - 5_000_000) < 150_000


def test_a_hand_that_taps_one_of_two_boards_is_no_bump() -> None:
    first = a_castle()
    first.hand(5.0, 0.12, 30.0, MIDDLE)
    assert two_boards(first, a_castle()) == []


def test_boards_are_judged_apart() -> None:
    first, second = a_castle(), a_castle()
    first.place(5.0, 6.5, LEFT)
    second.fall(5.1, 2.0, RIGHT, (150.0, 90.0), 50.0)
    assert sorted((event.kind, event.board) for event in two_boards(first, second)) == [
        ("collapse", "south"),
        ("placed", "north"),
    ]


def test_a_dead_cell_is_said_once_and_the_rest_goes_on() -> None:
    events = watched(plan(), sensed(building(), board(), CHIPS["a dead cell"]))
    faults = [(event.device, event.what) for event in events if event.kind == "fault"]
    assert faults == [("north c1", "gives no value")]


def test_a_cell_that_dies_on_the_way_costs_no_false_event() -> None:
    samples = [
        sample if sample.t_us < START_US + 4_000_000 else _without(sample, 2)
        for sample in sensed(a_castle(), board(), Chip())
    ]
    events = watched(plan(), samples)
    assert [event.kind for event in events] == ["fault"]


def test_chips_that_speak_one_after_the_other_tell_the_same() -> None:
    fall = a_castle()
    fall.fall(5.0, 2.0, (85.0, 40.0), (110.0, 25.0), 50.0)
    for forces, kinds in ((building(), ["placed", "placed", "placed", "removed"]), (fall, ["collapse"])):
        together = sensed(forces, board(), Chip())
        apart = [_only(sample, channel) for sample in together for channel in range(4)]
        assert [event.kind for event in watched(plan(), apart)] == kinds


def test_saturation_and_silence_are_faults_in_words() -> None:
    samples = [
        ScaleSample(sample.t_us, sample.board, (8_388_607, *sample.counts[1:]), Flag.SATURATED)
        for sample in sensed(a_castle(), board(), Chip())
        if not START_US + 5_000_000 < sample.t_us < START_US + 8_000_000
    ]
    words = " ".join(event.what or "" for event in watched(plan(), samples))
    assert "saturated" in words
    assert "silent for 3 s" in words


def test_the_same_samples_give_the_same_events_and_no_samples_none() -> None:
    samples = sensed(building(), board(), CHIPS["glitching"])
    assert watched(plan(), samples) == watched(plan(), samples)
    assert watched(plan(), []) == []


def _only(sample: ScaleSample, channel: int) -> ScaleSample:
    counts = tuple(value if at == channel else None for at, value in enumerate(sample.counts))
    return ScaleSample(sample.t_us + 2_900 * channel, sample.board, counts)


def _without(sample: ScaleSample, channel: int) -> ScaleSample:
    counts = tuple(None if at == channel else value for at, value in enumerate(sample.counts))
    return ScaleSample(sample.t_us, sample.board, counts, Flag.TIMEOUT)


@pytest.mark.parametrize(
    ("grams", "place", "piece"),
    [
        (2.0, (85.0, 40.0), ("placed", "pillar", "left")),
        (2.0, (125.0, 60.0), ("placed", "pillar", None)),
        (6.5, MIDDLE, ("placed", "floor-tile", "middle")),
        (-6.5, RIGHT, ("removed", "floor-tile", "right")),
        (0.0, LEFT, None),
        (4.1, LEFT, None),
    ],
)
def test_what_came_or_went_since_a_moment_is_weighed(
    grams: float, place: tuple[float, float], piece: tuple[str, str, str | None] | None
) -> None:
    forces = a_castle()
    forces.rest(6.0, grams, place)
    watcher = Watcher(plan(), ("scales",))
    for sample in sensed(forces, board(), CHIPS["80"]):
        watcher.feed(sample)
    assert watcher.scales is not None
    north = watcher.scales.judges["north"]
    weighed = north.weighed(START_US + 6_100_000)
    assert weighed is not None
    found = weighed.piece
    assert (found and (found.kind, found.piece, found.tower)) == piece
    assert north.weighed(START_US + 11_900_000) is None


def test_what_was_told_as_a_piece_is_not_weighed_again_for_a_fall_before_it() -> None:
    forces = a_castle()
    for t_s in (5.0, 5.07):
        forces.fall(t_s, 2.0, LEFT, (105.0, 100.0), 60.0)
    forces.place(8.0, 2.0, RIGHT)
    watcher = Watcher(plan(), ("scales",))
    fell, placed = [event for sample in sensed(forces, board(), CHIPS["80"]) for event in watcher.feed(sample)]
    assert (fell.kind, placed.kind, placed.piece) == ("collapse", "placed", "pillar")
    assert watcher.scales is not None
    assert watcher.scales.judges["north"].weighed(fell.t_us) == Weighed()


def test_a_single_cell_that_does_not_know_what_pieces_weigh_does_not_call_a_bump_a_fall() -> None:
    forces = a_castle()
    forces.shake(6.0, 20.0)
    assert [event.kind for event in told(forces, of=board(cells=1, gains=(None,)))] == ["bump"]


def test_a_single_cell_feels_a_tower_fall_before_it_has_settled() -> None:
    forces = a_castle()
    for number, (t_s, grams) in enumerate(((4.0, 2.0), (4.05, 6.5), (4.2, 2.0), (4.3, 6.5))):
        forces.fall(t_s, grams, LEFT, (60.0 + 25 * number, 95.0 - 10 * number), 75.0 - 10 * number)
    (event,) = [each for each in told(forces, of=board(cells=1)) if each.kind == "collapse"]
    assert event.decided_us < START_US + 4.9e6
    assert event.confidence >= 0.7


def test_what_a_single_cell_tells_as_a_fall_is_not_told_as_a_bump_too() -> None:
    forces = a_castle()
    for t_s, grams, height_mm in ((4.0, 6.5, 90.0), (4.2, 2.0, 40.0), (4.4, 2.0, 40.0)):
        forces.fall(t_s, grams, LEFT, (100.0, 95.0), height_mm)
    assert [event.kind for event in told(forces, of=board(cells=1))] == ["collapse"]


def test_a_board_says_how_likely_a_fall_was_that_it_did_not_tell() -> None:
    quiet, tapped = a_castle(), a_castle()
    for hit_s in (5.0, 5.2):
        tapped.press(hit_s, np.full(4, 60.0), LEFT)
    odds = []
    for forces in (quiet, tapped):
        watcher = Watcher(plan(), ("scales",))
        events = [event for sample in sensed(forces, board(), CHIPS["80"]) for event in watcher.feed(sample)]
        assert all(event.kind != "collapse" for event in events)
        assert watcher.scales is not None
        odds.append(watcher.scales.judges["north"].odds_of_fall(START_US + 4_900_000))
    assert odds[0] == -4.0
    assert -4.0 < odds[1] < 0


def test_chips_that_speak_one_after_the_other_lose_nothing_after_a_fall() -> None:
    forces = a_castle(20.0)
    for number in range(4):
        forces.fall(5.0 + 0.1 * number, 6.5, LEFT, (100.0 + 15 * number, 100.0), 75.0)
    forces.place(12.0, 6.5, RIGHT)
    forces.place(16.0, 6.5, MIDDLE)
    samples = [
        ScaleSample(
            sample.t_us + 2_000 * channel,
            sample.board,
            tuple(value if at == channel else None for at, value in enumerate(sample.counts)),
            sample.flags,
        )
        for sample in sensed(forces, board(), CHIPS["80"])
        for channel in range(4)
    ]
    events = [event for event in watched(plan(), samples) if event.kind != "fault"]
    assert [event.kind for event in events] == ["collapse", "placed", "placed"]


@pytest.mark.parametrize(("place", "kind"), [((125.0, 30.0), "collapse"), ((88.0, 60.0), "placed")])
def test_a_piece_that_comes_to_lie_on_the_bare_board_fell(place: tuple[float, float], kind: str) -> None:
    forces = a_castle()
    forces.fall(6.0, 2.0, place, place, 6.0)
    forces.rest(6.0, 2.0, place)
    assert [event.kind for event in told(forces)] == [kind]


def test_what_is_put_down_just_beside_an_inventory_area_is_stored() -> None:
    stored = board(inventory=(Area((150.0, 120.0), (230.0, 180.0)),))
    forces = a_castle()
    forces.place(6.0, 2.0, (143.0, 150.0))
    assert [event.kind for event in told(forces, of=stored)] == ["placed"]


def _called(chances: dict[float, float], littered: bool = False, chip: str = "80") -> list[Sensed]:
    """What a board calls while its load moves, whose chance of a fall is this from each time on."""
    now_s = [0.0]
    judge = BoardJudge(plan(), "north", lambda felt: [each for t_s, each in chances.items() if t_s <= now_s[0]][-1])
    forces, found = a_castle(8.0), list[Sensed]()
    forces.hand(3.0, 4.5, 40.0, LEFT)
    for sample in sensed(forces, board(), CHIPS[chip]):
        now_s[0] = (sample.t_us - START_US) * 1e-6
        if littered and now_s[0] > 2.5:
            judge.fell()
        found += [event for event in judge.push(sample) if event.kind == "collapse"]
    return found


def test_what_is_clear_for_a_moment_only_is_no_fall_unless_it_is_clear_at_once() -> None:
    assert _called({0.0: 0.1, 4.0: 0.8, 4.03: 0.1}) == []
    (at_once,) = _called({0.0: 0.1, 4.0: 0.95, 4.03: 0.1})
    assert at_once.decided_us - START_US < 4.03e6
    (held,) = _called({0.0: 0.1, 4.0: 0.8, 4.2: 0.1})
    assert 4.06e6 <= held.decided_us - START_US < 4.1e6
    assert held.t_us - START_US < 4.03e6


def test_slow_chips_are_believed_sooner() -> None:
    likely = {0.0: 0.1, 4.0: 0.6, 5.5: 0.1}
    assert _called(likely) == []
    (slow,) = _called(likely, chip="11")
    assert slow.decided_us - START_US < 4.4e6
    assert slow.confidence == pytest.approx(0.818, abs=0.002)
    assert _called({0.0: 0.1, 4.0: 0.4, 5.5: 0.1}, chip="11") == []


def test_a_gap_in_quick_rows_is_no_reason_to_believe_them_sooner() -> None:
    judge = BoardJudge(plan(), "north", lambda felt: 0.6)
    forces, found = a_castle(8.0), list[Sensed]()
    forces.hand(3.0, 4.5, 40.0, LEFT)
    for sample in sensed(forces, board(), CHIPS["40"]):
        if not 4.0e6 < sample.t_us - START_US < 4.33e6:
            found += judge.push(sample)
    assert [event.kind for event in found if event.kind == "collapse" and event.confidence > 0.7] == []


def test_among_litter_a_fall_is_timed_when_it_is_called() -> None:
    (late,) = _called({0.0: 0.1, 4.0: 0.8, 5.5: 0.96}, littered=True)
    assert late.t_us - START_US > 5.4e6


def test_what_may_be_a_base_tile_and_nothing_else_has_not_fallen() -> None:
    pieces = {**PIECES, "base-tile": Piece(mass_g=9.0, size_mm=(60.0, 60.0, 2.0))}
    based = msgspec.structs.replace(plan(), pieces=pieces)
    forces = a_castle()
    forces.place(6.0, 9.0, (125.0, 60.0))
    assert [event.kind for event in watched(based, sensed(forces, board(), CHIPS["80"]))] == ["placed"]


@pytest.mark.parametrize("chip", ["80", "11"])
def test_a_piece_that_a_hand_bears_in_part_for_a_while_is_one_piece(chip: str) -> None:
    forces = a_castle(14.0)
    forces.rest(4.0, 0.6, (75.0, 60.0))  # a finger, and no piece yet
    forces.rest(4.8, -0.6, (75.0, 60.0))
    forces.rest(6.0, 0.6, (75.0, 60.0))
    forces.rest(7.0, 1.4, (75.0, 60.0))
    forces.rest(10.0, -0.5, (75.0, 60.0))
    forces.rest(11.0, -1.5, (75.0, 60.0))
    events = told(forces, CHIPS[chip])
    assert [(event.kind, event.piece, event.tower) for event in events] == [
        ("placed", "pillar", "left"),
        ("removed", "pillar", "left"),
    ]


def test_a_part_of_a_piece_that_stays_is_taken_as_it_is() -> None:
    forces = a_castle(14.0)
    forces.rest(4.0, 0.4, (75.0, 60.0))
    forces.place(9.0, 2.0, (75.0, 60.0))
    (event,) = told(forces)
    assert (event.kind, event.piece, event.grams) == ("placed", "pillar", pytest.approx(2.0, abs=0.15))


def test_what_was_told_of_a_step_that_began_before_is_not_weighed_again() -> None:
    forces = a_castle()
    forces.place(4.0, 2.0, LEFT)
    of = plan((board(),))
    judge = BoardJudge(of, "north")
    for sample in sensed(forces, of.boards[0], CHIPS["80"]):
        judge.push(sample)
        if sample.t_us > START_US + 6_000_000:
            break
    assert [judge.untold(START_US + since_us) for since_us in (3_000_000, 3_900_000)] == [Weighed(), Weighed()]


def test_a_piece_that_was_borne_in_part_is_told_whole_and_nothing_is_left_of_it() -> None:
    forces = a_castle()
    forces.rest(4.0, 0.6, (75.0, 60.0))
    forces.rest(5.0, 1.4, (75.0, 60.0))
    of = plan((board(),))
    judge = BoardJudge(of, "north")
    events = [event for sample in sensed(forces, of.boards[0], CHIPS["80"]) for event in judge.push(sample)]
    assert [event.piece for event in events] == ["pillar"]
    asked = [judge.untold(START_US + t_ms * 1_000) for t_ms in range(3_000, 6_500, 250)]
    assert asked == [Weighed()] * len(asked)
