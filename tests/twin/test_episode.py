"""A scenario played once: what the hands do, what the scales would feel, and what is written down as true."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from companion.errors import Malformed
from companion.twin.episode import STEP_S, Chunk, Cue, Episode, Event
from companion.twin.physics import GRAVITY
from companion.twin.scenario import parse_scenario
from companion.twin.table import nominal_table
from companion.twin.truth import ONE_ACCIDENT_S


class Played:
    """An episode that is over: its chunks put together."""

    def __init__(self, text: str, seed: int) -> None:
        scenario = parse_scenario(text, "test")
        self.episode = Episode(scenario, seed, plan=nominal_table(scenario.boards), start_us=5_000_000)
        self.chunks: list[Chunk] = list(self.episode.run(1 / 30))
        self.load: npt.NDArray[np.float64] = np.concatenate([chunk.load for chunk in self.chunks])

    def told(self, kind: str) -> list[Event]:
        return [event for event in self.episode.truth if event["kind"] == kind]

    def grams_at(self, t_us: int, board: int = 0) -> float:
        """What lies on a board, averaged over the tenth of a second before."""
        at = round((t_us - 5_000_000) / 1e6 / STEP_S)
        return float(self.load[max(0, at - 100) : at, board, 0].mean()) / GRAVITY * 1000

    def cues(self) -> list[Cue]:
        return [cue for chunk in self.chunks for cue in chunk.cues]


@cache
def played(text: str, seed: int = 1) -> Played:
    return Played(text, seed)


BUILDING = "place tile on left\nplace 2 pillars on left\nplace room on left"
KNOCKED = "castle left 3 levels\nknock left\nwait 0.5"


def test_what_is_placed_is_written_down_with_level_and_mass() -> None:
    placed = played(BUILDING).told("placed")
    assert [(event["piece"], event["tower"], event["level"]) for event in placed] == [
        ("floor-tile", "left", 1), ("pillar", "left", 1), ("pillar", "left", 1), ("room", "left", 1),
    ]  # fmt: skip
    assert not played(BUILDING).told("collapse")


def test_each_placement_raises_the_load_by_its_mass() -> None:
    game = played(BUILDING)
    placed = game.told("placed")
    end = game.episode.truth[0]["t_us"] + round(game.episode.t_s * 1e6)
    on_board = 0.0
    for event, later in zip(placed, [*placed[1:], {"t_us": end}], strict=True):
        on_board += event["mass_g"]
        quiet = min(event["t_us"] + 1_200_000, later["t_us"] - 600_000)
        assert game.grams_at(quiet) == pytest.approx(on_board, abs=0.1)


def test_a_hand_that_places_is_soft() -> None:
    assert played(BUILDING).load[:, 0, 0].max() / GRAVITY * 1000 < 300


def highest_corner_mm(game: Played, tower: str) -> float:
    """The highest corner of a box, or point of a rim, over a foundation, from MuJoCo's own geometry."""
    world, (plan,) = game.episode.world, game.episode.plan.boards
    x_mm, y_mm = next(each.centre_mm for each in plan.towers if each.id == tower)
    highest = 0.0
    for piece in game.episode.castles.here():
        geom = world.data.geom(f"{piece.name}/solid")
        x, y, z = world.on_board(0, tuple(geom.xpos))
        if max(abs(x * 1000 - x_mm), abs(y * 1000 - y_mm)) < 32:
            up = np.abs(geom.xmat[6:9]) * piece.half_m
            reach = math.hypot(up[0], up[1]) + up[2] if piece.round else up.sum()
            highest = max(highest, (z + reach) * 1000)
    return highest


@pytest.mark.parametrize("text", [KNOCKED, BUILDING])
def test_the_truth_of_a_tower_agrees_with_its_geometry(text: str) -> None:
    game = played(text)
    last = game.told("state")[-1]["towers"]["left"]
    assert last["top_mm"] == pytest.approx(highest_corner_mm(game, "left"), abs=0.2)


def test_a_knock_is_a_collapse_from_the_first_touch_on() -> None:
    game = played(KNOCKED)
    (collapse,) = game.told("collapse")
    assert collapse["board"] == "south"
    assert "pillar" in collapse["pieces"]
    before, after = (game.told("state")[at]["towers"]["left"]["levels"] for at in (0, -1))
    assert before == 3
    assert after < 3


def test_the_same_seed_is_the_same_episode() -> None:
    again, once = Played(KNOCKED, 1), played(KNOCKED)
    assert again.episode.truth == once.episode.truth
    assert again.load.tobytes() == once.load.tobytes()
    other = played(KNOCKED, 2)
    assert other.episode.truth != once.episode.truth


def test_accidents_are_told_apart_by_the_time_between_touches() -> None:
    game = played("castle left 2 levels\ncastle right 2 levels\nknock left hard\nwait 3\nknock right hard", 4)
    first, second = game.told("collapse")
    assert second["t_us"] - first["t_us"] > ONE_ACCIDENT_S * 1e6


def test_a_removal_takes_its_mass_away_and_is_no_collapse() -> None:
    game = played("castle left 2 levels roofed\nremove roof from left\nwait 0.5", 2)
    (removed,) = game.told("removed")
    assert (removed["piece"], removed["tower"], removed["level"]) == ("roof", "left", 3)
    before, after = game.grams_at(removed["t_us"] - 900_000), game.grams_at(removed["t_us"] + 2_000_000)
    assert before - after == pytest.approx(removed["mass_g"], abs=0.1)
    assert not game.told("collapse")
    assert game.told("state")[-1]["towers"]["left"]["levels"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "castle left 3 levels\nrest hand on board for 1\nlean on board for 1",
        "castle left 3 levels\nbump table\nbump table softly",
        "castle left 2 levels\ndrop tile on middle",
        "castle left 2 levels\ndrop pillar beside board",
        "castle left 3 levels\nreach over board for 1\nhover at left for 1",
        "castle left 2 levels\nfumble tile\nfumble pillar",
    ],
)
def test_look_alikes_leave_the_castle_standing(text: str) -> None:
    game = played(text)
    first, last = (game.told("state")[at]["towers"]["left"] for at in (0, -1))
    assert not game.told("collapse")
    assert first["levels"] == last["levels"]
    assert first["top_mm"] == pytest.approx(last["top_mm"], abs=0.2)


def test_a_leaning_hand_is_felt_and_written_down_while_it_is_there() -> None:
    game = played("castle left 1 levels\nlean on board for 1")
    (hand,) = game.told("hand")
    assert hand["until_us"] - hand["t_us"] > 900_000
    middle = (hand["t_us"] + hand["until_us"]) // 2
    assert game.grams_at(middle) > game.grams_at(hand["t_us"]) + 100
    assert game.grams_at(hand["until_us"] + 100_000) == pytest.approx(game.grams_at(hand["t_us"]), abs=0.1)


def test_a_bump_shakes_every_board_at_once() -> None:
    game = played("boards south north\ncastle left 2 levels\nbump table")
    (bump,) = game.told("bump")
    since = round((bump["t_us"] - 5_000_000) / 1e6 / STEP_S)
    swing = np.ptp(game.load[since : since + 200, :, 0], axis=0)
    assert (swing > 0.05).all()


def test_a_piece_that_slips_onto_the_board_is_a_collapse() -> None:
    (collapse,) = played("castle left 1 levels\ndrop pillar on board\nwait 0.5").told("collapse")
    assert collapse["pieces"] == ["pillar"]


def test_a_piece_that_is_caught_has_fallen_freely() -> None:
    episode = Episode(parse_scenario("castle left 1 levels\nfumble pillar", "test"), 3, plan=nominal_table())
    fastest = 0.0
    for _ in episode.run(0.005):
        fastest = min(fastest, *(episode.world.data.qvel[piece.v + 2] for piece in episode.world.pieces))
    assert fastest < -0.55
    assert not any(event["kind"] == "collapse" for event in episode.truth)


def test_a_pillar_on_a_bare_foundation_touches_the_board_however_calmly_it_came() -> None:
    (collapse,) = played("place pillar on left").told("collapse")
    assert collapse["pieces"] == ["pillar"]


def test_what_fell_on_the_neighbours_board_is_removed_there() -> None:
    scenario = parse_scenario("boards south north\nplace pillar on left")
    episode = Episode(scenario, plan=nominal_table(scenario.boards))
    (pillar,) = episode.world.pieces
    episode.world.put(pillar, episode.world.on_table(1, (0.1, 0.1, 0.02)))
    episode.castles.away.clear()
    episode.diary.taken(pillar)
    (removed,) = (event for event in episode.truth if event["kind"] == "removed")
    assert removed["board"] == "north"


def test_a_castle_that_falls_by_itself_is_refused() -> None:
    with pytest.raises(Malformed, match="left castle of south falls down before"):
        played("castle left 5 levels on 1 pillar\nwait 1")


def test_storing_needs_a_place_on_the_board() -> None:
    assert parse_scenario("store pillar").stores
    game = played("store pillar")
    assert game.episode.undone == ["This board has no place to store pieces."]
    assert not game.told("placed")


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("remove pillar from left", "no pillar to take from the left tower"),
        ("brush pillar of left", "no pillar standing in the left tower"),
        ("overload left", "no second level in the left tower"),
        ("roll pillar off left", "no floor tile in the left tower"),
        ("fumble meeple from left", "no meeple to take from the left tower"),
    ],
)
def test_a_step_about_something_that_is_not_there_is_left_out(act: str, why: str) -> None:
    game = played(f"{act}\nplace tile on right")
    (undone,) = game.episode.undone
    assert why in undone
    assert [event["tower"] for event in game.told("placed")] == ["right"]


def test_two_hands_can_act_at_once() -> None:
    game = played("boards south north\nplace tile on left\nmeanwhile north: place tile on right")
    assert Counter(event["board"] for event in game.told("placed")) == {"south": 1, "north": 1}
    south, north = sorted(game.told("hand"), key=lambda event: str(event["board"]), reverse=True)[:2]
    assert min(south["until_us"], north["until_us"]) > max(south["t_us"], north["t_us"])


def test_light_and_camera_are_cued_and_light_is_written_down() -> None:
    game = played("lights to dusk\nshadow over board for 1\nnudge camera hard")
    assert [(cue.kind, cue.what) for cue in game.cues()] == [("light", "dusk"), ("shadow", "south"), ("nudge", "")]
    assert [event["what"] for event in game.told("light")] == ["dusk", "shadow"]
    assert 0.5 < game.cues()[-1].size <= 1.0


def test_chunks_come_at_their_ticks_with_a_row_for_each_step() -> None:
    game = played("wait 1")
    steps = [len(chunk.load) for chunk in game.chunks[:-1]]
    assert set(steps) == {33, 34}
    assert game.load.shape == (round(game.episode.t_s / STEP_S), 1, 3)
    assert game.chunks[-1].t_s == game.episode.t_s


def test_truth_is_in_the_order_things_happened() -> None:
    times = [event["t_us"] for event in played(BUILDING).episode.truth]
    assert times == sorted(times)
    assert times[0] == 5_000_000
