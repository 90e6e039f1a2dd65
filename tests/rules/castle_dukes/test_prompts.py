"""Castle Dukes: what is offered to whom, and that every offer can be taken."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.rules import random_play
from companion.rules.base import Action
from companion.rules.castle_dukes import GAME, actions
from companion.rules.castle_dukes.state import Castle, Chit, GuestCard, Room, State
from tests.rules.castle_dukes.playing import (
    HALL,
    apply,
    begin,
    choices,
    hall,
    musts,
    to_building,
    to_dragon,
    to_guest_card,
    to_rooms,
    with_cards,
    with_castles,
    with_held,
)
from tests.rules.castle_dukes.table import roofed, stack

_CASTLE = Castle(left=roofed(3), middle=hall().left, right=stack(3))


def evening() -> list[tuple[str, State]]:
    """A state of every phase, with castles to speak of."""
    game = with_castles(begin(3), _CASTLE, _CASTLE)
    building = with_cards(with_held(to_building(game), 0, {"tile": 2, "pillar": 3, "brazier": 1, "serf": 1}), 0, HALL)
    dragon = to_dragon(game)
    return [
        ("opening", game),
        ("room", to_rooms(game)),
        ("building", building),
        ("building", apply(building, actions.Crumble(seat=0))),
        ("guest-card", to_guest_card(game)),
        ("dragon", dragon),
        ("dragon", apply(dragon, *(actions.FaceDragon(seat=seat, rating="defence") for seat in range(3)))),
        ("opening", begin(3, detail="light")),
    ]


@pytest.mark.parametrize(("phase", "state"), evening())
def test_whatever_is_offered_is_as_the_rules_say(phase: str, state: State) -> None:
    assert state.phase == phase
    random_play.check_prompts(GAME, state, GAME.prompts(state))
    for prompt in GAME.prompts(state):
        for choice in prompt.choices:
            refusal = GAME.refusal(state, choice.action)
            assert (refusal is None) == choice.legal
            assert choice.label


@pytest.mark.parametrize(("phase", "state"), evening())
def test_every_legal_choice_can_be_dealt_and_done(phase: str, state: State) -> None:
    assert state.phase == phase
    for prompt in GAME.prompts(state):
        for choice in (choice for choice in prompt.choices if choice.legal):
            action = GAME.deal(state, choice, random_play.Luck(1), GAME.box)
            random_play.check(GAME, state, action)


@pytest.mark.parametrize(("phase", "state"), evening())
def test_the_picture_shows_each_phase(phase: str, state: State) -> None:
    assert state.phase == phase
    picture = GAME.picture(state)
    assert f"Turn {state.turn} of 9" in picture.headline
    assert sum(mark.status == "now" for mark in picture.phases) == 1
    assert msgspec.json.encode(picture)


def kinds(state: State, seat: int | None) -> set[type[Action]]:
    """What a seat must choose from."""
    return {type(choice.action) for prompt in musts(state) if prompt.seat == seat for choice in prompt.choices}


def test_the_opening_offers_tiles_and_pillars_to_those_with_coins() -> None:
    assert kinds(begin(2), 0) == set()
    assert kinds(begin(2), 1) == {actions.DrawTile, actions.TakePillars}


def test_only_the_buyer_is_asked_in_the_room_phase() -> None:
    state = to_rooms(begin(3))
    assert [prompt.seat for prompt in musts(state)] == [0]
    assert kinds(state, 0) == {actions.TakeRoom, actions.PassRooms}


def test_a_stand_in_card_asks_for_the_card_and_the_bonus() -> None:
    [unknown, *_] = choices(to_rooms(begin(2)), actions.TakeRoom)
    assert [ask.field for ask in unknown.asks] == ["card"], "the lowest slot has no bonus"
    second = choices(to_rooms(begin(2)), actions.TakeRoom)[1]
    assert [ask.field for ask in second.asks] == ["card", "bonus"]
    answered = GAME.answered(second, {"card": msgspec.to_builtins(HALL), "bonus": "coffer"})
    assert answered == actions.TakeRoom(seat=0, slot=1, card=HALL, bonus="coffer")


@pytest.mark.parametrize(("players", "cards"), [(2, 1), (5, 2)])
def test_guest_cards_are_asked_for_icon_by_icon(players: int, cards: int) -> None:
    """Whatever stands in for them, with fire or without."""
    fires = tuple(GuestCard(main="princess", small="king", fire=True) for _ in range(4 * (1 if players < 5 else 2)))
    for seen in ((), fires):
        state = replace(to_guest_card(begin(players)), guest_cards=seen)
        [choice] = choices(state, actions.RevealGuests)
        assert choice.legal
        assert len(choice.asks) == 3 * cards
        answers: dict[str, object] = {
            f"cards/{card}/{icon}": "knight" for card in range(cards) for icon in ("main", "small")
        }
        answers |= {f"cards/{card}/fire": False for card in range(cards)}
        told = GAME.answered(choice, answers)
        assert told == actions.RevealGuests(cards=(GuestCard(main="knight", small="knight"),) * cards)


def test_without_coins_building_must_begin() -> None:
    state = to_building(begin(2))
    assert actions.FinishBuilding not in kinds(state, 0)
    broke = replace(state, dukes=(replace(state.dukes[0], coins=0), state.dukes[1]))
    assert {actions.FinishBuilding, actions.StopBuying} <= kinds(broke, 0)


def test_nothing_is_placed_on_what_is_not_there() -> None:
    state = with_held(to_building(begin(2)), 0, {"brazier": 1, "serf": 1, "pillar": 2})
    assert not choices(state, actions.ArmTop)
    assert not choices(state, actions.FurnishRoom)
    assert not choices(state, actions.PlacePillars)


def test_a_tower_with_a_roof_takes_no_more_levels() -> None:
    state = with_held(to_building(with_castles(begin(2), _CASTLE)), 0, {"tile": 1})
    moves = [(choice.action, choice.legal) for choice in choices(state, actions.PlaceTile)]
    offered = {(move.tower, legal) for move, legal in moves if isinstance(move, actions.PlaceTile) and move.seat == 0}
    assert offered == {("left", False), ("middle", False), ("right", True)}


def test_a_bridge_is_offered_where_both_towers_reach() -> None:
    state = with_held(to_building(with_castles(begin(2), _CASTLE)), 0, {"tile": 1})
    assert [choice.label for choice in choices(state, actions.PlaceBridge)] == ["Bridge on level 3"]
    laid = apply(state, actions.PlaceBridge(seat=0, level=3))
    assert not choices(laid, actions.PlaceBridge)


def test_while_rearranging_a_duke_has_nothing_else_to_do() -> None:
    state = apply(to_building(with_castles(begin(2), _CASTLE)), actions.Crumble(seat=0))
    assert [prompt.rule for prompt in musts(state) if prompt.seat == 0] == ["crumble.replace"]
    assert actions.Settle in kinds(state, 0)
    assert actions.TakeDown in kinds(state, 0)
    assert actions.Settle not in kinds(state, 1)


def test_chits_are_offered_until_as_many_are_resolved_as_there_is_damage() -> None:
    state = replace(to_dragon(with_castles(begin(2), hall(table=True))), first=0)
    state = apply(state, *(actions.FaceDragon(seat=seat, rating="offence") for seat in (0, 1)))
    drawn = (Chit(kind="decor"), Chit(kind="room"), Chit(kind="pillar"), Chit(kind="character"), Chit(kind="tile"))
    state = apply(state, actions.DrawChits(seat=0, chits=drawn))
    assert len(choices(state, actions.PickChit)) == 5
    state = apply(state, actions.PickChit(seat=0, chit=2))
    assert len(choices(state, actions.PickChit)) == 4
    state = apply(state, actions.PickChit(seat=0, chit=0))
    assert [choice.label for choice in choices(state, actions.Lose)] == ["Remove a table on level 1 of the left tower"]
    assert not choices(state, actions.PickChit)


def test_a_princess_can_be_given_up_wherever_she_lives() -> None:
    princess = Room(card=HALL, princess=1)
    castle = Castle(left=(replace(stack(1)[0], spaces=2, rooms=(princess, princess)),))
    state = apply(to_dragon(with_castles(begin(2), castle)), actions.FaceDragon(seat=0, rating="offence"))
    assert len(choices(state, actions.SacrificePrincess)) == 2
    gone = apply(state, actions.SacrificePrincess(seat=0, tower="left", level=1))
    assert not choices(gone, actions.SacrificePrincess)


def test_closing_moves_are_marked() -> None:
    closing = {
        type(choice.action)
        for _, state in evening()
        for p in GAME.prompts(state)
        for choice in p.choices
        if choice.closes
    }
    assert closing == {actions.PassRooms, actions.StopBuying, actions.FinishBuilding, actions.Settle}


def test_every_action_has_an_example_that_round_trips() -> None:
    assert [type(example) for example in GAME.examples] == list(GAME.action_types)
    for example in GAME.examples:
        assert GAME.decode_action(msgspec.json.decode(msgspec.json.encode(example))) == example


@pytest.mark.parametrize("example", GAME.examples, ids=lambda example: type(example).__name__)
def test_every_action_has_words_in_any_state(example: Action) -> None:
    for _, state in evening():
        assert GAME.label(state, example)
    assert GAME.label(begin(1), example)
