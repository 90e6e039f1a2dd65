"""Castle Dukes: random legal games of every mode and number of players, under a referee who checks every step."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules import random_play, soak
from companion.rules.base import Action, Fact, Setup
from companion.rules.castle_dukes import GAME, audit
from companion.rules.castle_dukes.actions import DrawTile
from companion.rules.castle_dukes.game import CastleDukes
from companion.rules.castle_dukes.state import Castle, Dials, Room, State
from tests.rules.castle_dukes.playing import HALL, begin, hall, to_building, with_cards, with_castles
from tests.rules.castle_dukes.table import roofed, stack

_GAMES = 100
_CHUNK = 4


@pytest.mark.parametrize("start", range(0, _GAMES, _CHUNK))
def test_random_games_end_and_every_check_holds(start: int) -> None:
    for number in range(start, start + _CHUNK):
        actions, failure = soak.play_number(GAME, number)
        assert failure is None, str(failure)
        assert actions > 50


def test_the_games_go_round_every_mode_and_number_of_players() -> None:
    ways = [soak.way_of(GAME, number) for number in range(_GAMES)]
    assert {way for way, _ in ways} >= {mode.key for mode in GAME.info.modes}
    assert {len(setup.seats) for _, setup in ways} == set(range(1, 9))
    assert {setup.options.get("detail") for _, setup in ways} >= {"full", "light"}
    assert any(setup.first for _, setup in ways)


def test_a_number_is_always_the_same_game() -> None:
    _, setup = soak.way_of(GAME, 3)
    games = [[action for _, action in random_play.play(GAME, setup, random_play.Luck(3))] for _ in range(2)]
    assert games[0] == games[1]
    watched = [action for _, action in random_play.watched(GAME, setup, random_play.Luck(3))]
    assert watched == games[0], "being watched changes nothing"


def test_soak_tells_how_far_it_is() -> None:
    lines: list[str] = []
    report = soak.soak(2, 0, lines.append, ["castle-dukes"])
    assert (report.ok, report.games) == (True, 2)
    assert str(report).endswith("all ended, every check held.")
    assert lines[-1] == f"Castle Dukes: 2 of 2 games, {report.actions} actions, 0 failed"


# The referee is not asleep


def step(state: State, action: Action) -> State:
    return random_play.check(GAME, state, action)


def made_up(referee: object, state: State, item: str, count: int) -> tuple[State, int]:
    """Takes from a supply that never ends."""
    return state, count


def test_a_component_made_up_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = to_building(begin(2))
    monkeypatch.setattr("companion.rules.castle_dukes.acquiring.take", made_up)
    with pytest.raises(random_play.BrokenGame, match="51 of tile are in play"):
        step(state, DrawTile(seat=0))


def test_a_broken_game_is_told_with_how_to_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.rules.castle_dukes.acquiring.take", made_up)
    lines: list[str] = []
    report = soak.soak(40, 6, lines.append, ["castle-dukes"])
    assert not report.ok
    assert len(report.failures) == 5, "and then it is not played further"
    assert lines[0].startswith("castle-dukes, two-players, game 6, after ")
    assert "companion soak rules castle-dukes --games 1 --seed 6" in lines[0]


def test_a_dial_that_does_not_follow_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = to_building(with_castles(begin(2), hall(table=True, comfort=2)))
    moved = with_castles(state, replace(state.dukes[0].castle, right=stack(1)))
    assert list(audit.faults(state, moved, ())) == []
    told = [Fact(text="", seat=0, what="comfort", change=1)]
    assert list(audit.faults(state, moved, told)) == ["North's comfort went from 3 to 3; +1 was told."]
    monkeypatch.setattr("companion.rules.castle_dukes.barbican.dials", lambda castle: Dials(comfort=3))
    assert list(audit.faults(state, moved, ())) == ["North's defence shows 0, and 1 stands."]


def test_coins_and_items_that_come_from_nowhere_are_noticed() -> None:
    state = to_building(begin(2))
    rich = replace(state, dukes=(replace(state.dukes[0], coins=6, held={"table": 1}), state.dukes[1]))
    assert list(audit.faults(state, rich, ())) == [
        "North has 6 coins and should have 5.",
        "North's table changed by 1; +0 was told.",
    ]


def test_dials_are_added_up_by_hand() -> None:
    rooms = (Room(card=replace(HALL, comfort=1, offence=2), table=True, knight=1, king=1), Room(card=HALL, coffer=True))
    castle = replace(hall(), left=(replace(stack(1)[0], spaces=2, rooms=rooms),))
    assert audit.standing(castle) == {"comfort": 2, "defence": 1, "offence": 3}


def test_a_state_changed_in_place_is_noticed() -> None:
    class Careless(CastleDukes):
        def play(self, referee: Any, state: State, action: Action) -> State:
            state.stock["tile"] -= 1
            return super().play(referee, state, action)

    with pytest.raises(random_play.BrokenGame, match="has changed the state before it"):
        random_play.check(Careless(), to_building(begin(2)), DrawTile(seat=0))


def test_a_game_in_which_nobody_can_do_anything_is_noticed() -> None:
    stuck = replace(to_building(begin(2)), phase="guests")
    with pytest.raises(random_play.BrokenGame, match="Nobody can do anything"):
        random_play.choose(GAME, stuck, (), random_play.Luck(0))


def test_a_must_that_cannot_be_is_noticed() -> None:
    state = to_building(begin(2))
    [prompt, *_] = GAME.prompts(state)
    refused = tuple(choice for choice in prompt.choices if not choice.legal)
    with pytest.raises(random_play.BrokenGame, match="nothing that must be done can be done"):
        random_play.check_prompts(GAME, state, [replace(prompt, choices=refused)])
    with pytest.raises(random_play.BrokenGame, match="a prompt names a rule that does not exist"):
        random_play.check_prompts(GAME, state, [replace(prompt, rule="no.such")])
    with pytest.raises(random_play.BrokenGame, match="nothing is asked for"):
        random_play.check_prompts(GAME, state, [])


def test_a_game_that_does_not_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "_MOST_ACTIONS", 5)
    with pytest.raises(random_play.BrokenGame, match="does not end"):
        list(random_play.play(GAME, Setup(seats=("North", "East")), random_play.Luck(0)))


def test_faults_see_what_cannot_stand() -> None:
    state = with_cards(to_building(begin(2)), 0, HALL)
    crowded = with_castles(state, hall(living={"king": 2}))
    assert GAME.faults(crowded) == ("North's Hall houses more than its slots.",)
    assert GAME.faults(replace(state, buyer=0)) == ("somebody is buying rooms in the Room Phase, and only then.",)
    done = replace(state, dukes=tuple(replace(duke, stage="done") for duke in state.dukes))
    assert GAME.faults(done) == ("the Building Phase goes on although everyone has finished.",)
    low = with_castles(state, Castle(left=roofed(2)))
    assert GAME.faults(low)[0].startswith("North's level 2 of the left tower is too low for a roof or bridge")
    heavy = with_castles(state, Castle(left=roofed(3, battlement=1, ballista=4)))
    assert len(GAME.faults(heavy)) == 1
