"""Castle Dukes: the course of turns, simultaneous building, permanence and Crumble tokens across phases, the end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Correction
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import (
    AiTakes,
    BuildRoom,
    Crumble,
    DrawConstruction,
    DrawTile,
    FaceDragon,
    FinishBuilding,
    FurnishRoom,
    HouseGuest,
    NameRoom,
    PassRooms,
    PlacePillars,
    PlaceTile,
    RehouseGuest,
    RevealGuests,
    Settle,
    StopBuying,
    TakeDown,
    TakePillars,
)
from companion.rules.castle_dukes.state import Card, Castle, GuestCard, Room, State
from tests.rules.castle_dukes.playing import (
    HALL,
    KING,
    apply,
    begin,
    choices,
    hall,
    musts,
    past_building,
    refused,
    to_building,
    to_guest_card,
    to_rooms,
    to_turn,
    told,
    with_cards,
    with_castles,
    with_held,
)
from tests.rules.castle_dukes.table import stack

# Turns


def test_the_first_three_turns_have_no_guests() -> None:
    state = begin(3)
    for turn in (1, 2, 3):
        assert (state.turn, state.first) == (turn, (turn - 1) % 3)
        state = past_building(state)
        assert state.phase == ("room")
    state = past_building(state)
    assert (state.turn, state.phase) == (4, "guest-card")


def test_the_marker_passes_to_the_left_every_turn() -> None:
    state = begin(4, first=2)
    for first in (2, 3, 0, 1):
        assert state.order[0] == first
        if state.phase != "guest-card":
            state = past_building(state)


def test_alone_the_ai_and_the_player_take_turns_being_first() -> None:
    state = begin(1)
    for turn, first in enumerate((1, 0, 1), start=1):
        assert (state.turn, state.first) == (turn, first)
        state = apply(state, *(NameRoom(slot=slot, card=Card(name=f"{turn}-{slot}")) for slot in range(5)))
        state = apply(state, *((AiTakes(), PassRooms(seat=0)) if first else (PassRooms(seat=0), AiTakes())))
        state = apply(state, FinishBuilding(seat=0))


def test_moves_belong_to_their_phase() -> None:
    rooms = to_rooms(begin(2))
    refused(rooms, DrawTile(seat=0), "turn.phases")
    refused(rooms, FinishBuilding(seat=0), "building.only")
    refused(rooms, RevealGuests(cards=(KING,)), "turn.phases")
    refused(to_building(begin(2)), PassRooms(seat=0), "turn.phases")
    refused(to_guest_card(begin(2)), DrawTile(seat=0), "turn.phases")


def test_only_seats_of_the_game_act() -> None:
    refused(begin(2), DrawTile(seat=2), "turn.seat", final=True)
    assert GAME.label(begin(2), PlaceTile(seat=7, tower="left")) == "Seat 7: place tile"


# Building at the same time


def test_all_build_at_once_and_the_phase_waits_for_the_last() -> None:
    state = to_building(begin(3))
    assert {prompt.seat for prompt in musts(state)} == {0, 1, 2}
    state = apply(state, DrawTile(seat=2), TakePillars(seat=0), DrawTile(seat=1), FinishBuilding(seat=2))
    state = apply(state, FinishBuilding(seat=0))
    refused(state, FinishBuilding(seat=0), "building.finished")
    refused(state, PlaceTile(seat=2, tower="left"), "building.finished")
    assert state.phase == "building"
    assert apply(state, FinishBuilding(seat=1)).phase == "room"


def test_placing_ends_buying_and_so_does_declaring() -> None:
    state = apply(to_building(begin(2)), DrawTile(seat=0))
    for after in (apply(state, PlaceTile(seat=0, tower="left")), apply(state, StopBuying(seat=0))):
        for buy in (DrawTile(seat=0), TakePillars(seat=0), DrawConstruction(seat=0, items={})):
            refused(after, buy, "building.declared")
    assert "3 coins can no longer be spent" in told(apply(state, DrawTile(seat=0)), StopBuying(seat=0))


def test_pieces_of_earlier_turns_can_be_added_to_later() -> None:
    state = apply(to_building(begin(2)), DrawTile(seat=0), TakePillars(seat=0), PlaceTile(seat=0, tower="left"))
    state = past_building(state)
    state = with_cards(to_building(state), 0, HALL)
    state = apply(state, BuildRoom(seat=0, tower="left", level=1), PlacePillars(seat=0, tower="left", level=1, count=2))
    assert state.dukes[0].castle.left[0].pillars == 2


# Crumble tokens in every phase


def stages() -> list[tuple[str, State]]:
    castle = hall(table=True, living={"serf": 1})
    game = with_castles(begin(2), castle)
    return [
        ("opening", game),
        ("room", to_rooms(game)),
        ("building", to_building(game)),
        ("guest-card", to_guest_card(game)),
        ("dragon", past_building(to_turn(game, 5))),
    ]


@pytest.mark.parametrize(("phase", "state"), stages())
def test_an_accident_can_happen_in_any_phase(phase: str, state: State) -> None:
    assert state.phase == phase
    fallen = apply(state, Crumble(seat=0), TakeDown(seat=0, what="table", tower="left", level=1))
    assert (fallen.dukes[0].crumbles, fallen.dukes[0].loose) == (1, {"table": 1})
    back = apply(fallen, FurnishRoom(seat=0, item="table", tower="left", level=1), Settle(seat=0))
    assert back.dukes[0].castle == state.dukes[0].castle
    assert back.phase == phase
    assert apply(back, Crumble(seat=0)).dukes[0].crumbles == 2, "a second accident costs a second token"


@pytest.mark.parametrize(("phase", "state"), stages())
def test_on_purpose_in_the_building_phase_only(phase: str, state: State) -> None:
    if phase == "building":
        assert apply(state, Crumble(seat=0, deliberate=True)).dukes[0].rearranging
    else:
        refused(state, Crumble(seat=0, deliberate=True), "crumble.on-purpose")


def test_not_on_purpose_either_when_building_is_finished() -> None:
    state = apply(to_building(begin(2)), FinishBuilding(seat=0))
    refused(state, Crumble(seat=0, deliberate=True), "crumble.on-purpose")
    assert apply(state, Crumble(seat=0)).dukes[0].crumbles == 1


def test_without_a_token_nothing_moves() -> None:
    state = to_building(with_castles(begin(2), hall(table=True)))
    refused(state, TakeDown(seat=0, what="table", tower="left", level=1), "building.permanent")


def test_one_token_relocates_many_pieces_at_once_and_the_next_change_costs_another() -> None:
    tall = Castle(left=stack(2), right=(stack(1)[0], stack(1)[0]))
    state = apply(to_building(with_castles(begin(2), tall)), Crumble(seat=0, deliberate=True))
    state = apply(state, TakeDown(seat=0, what="tile", tower="left", level=2))
    state = apply(state, PlaceTile(seat=0, tower="right"), PlacePillars(seat=0, tower="right", level=3))
    state = apply(state, TakeDown(seat=0, what="pillar", tower="left", level=1, cobble=True), Settle(seat=0))
    assert [len(state.dukes[0].castle.left), len(state.dukes[0].castle.right)] == [1, 3]
    assert (state.dukes[0].crumbles, state.dukes[0].held) == (1, {"pillar": 1})
    assert state.dukes[0].stage == "acquiring", "relocating is not placing from the inventory"
    refused(state, TakeDown(seat=0, what="tile", tower="right", level=3), "building.permanent")
    assert apply(state, Crumble(seat=0, deliberate=True)).dukes[0].crumbles == 2


def test_the_building_phase_waits_for_every_castle_to_stand() -> None:
    state = apply(to_building(begin(2)), Crumble(seat=0), FinishBuilding(seat=1))
    refused(state, FinishBuilding(seat=0), "crumble.replace")
    state = apply(state, Settle(seat=0), FinishBuilding(seat=0))
    assert state.turn == 2


def test_guests_wait_for_every_castle_to_stand() -> None:
    state = to_guest_card(with_castles(begin(2), hall(defence=9), hall()))
    fallen = apply(state, Crumble(seat=0), TakeDown(seat=0, what="room", tower="left", level=1))
    refused(fallen, RevealGuests(cards=(KING,)), "crumble.replace")
    assert not choices(fallen, RevealGuests)
    up = apply(fallen, BuildRoom(seat=0, tower="left", level=1), Settle(seat=0), RevealGuests(cards=(KING,)))
    assert up.dukes[0].castle.left[0].rooms[0].king == 1


def two_halls(**changes: int) -> Castle:
    """A castle with two rooms for any guest."""
    rooms = (Room(card=replace(HALL, **changes)), Room(card=HALL))
    return Castle(left=(replace(stack(1)[0], spaces=2, rooms=rooms),))


def test_the_second_guest_waits_for_a_castle_that_fell_while_the_first_moved_in() -> None:
    state = to_guest_card(with_castles(begin(3), two_halls(offence=1), hall(comfort=1)))
    state = apply(state, RevealGuests(cards=(GuestCard(main="knight", small="princess"),)))
    state = apply(state, Crumble(seat=1), TakeDown(seat=1, what="room", tower="left", level=1))
    state = apply(state, choices(state, HouseGuest)[0].action)
    assert (state.phase, state.guests) == ("guests", ("princess",))
    state = apply(state, BuildRoom(seat=1, tower="left", level=1), Settle(seat=1))
    assert state.dukes[1].castle.left[0].rooms[0].princess == 1


def test_a_guest_whose_host_lost_the_room_leaves() -> None:
    state = apply(to_guest_card(with_castles(begin(2), two_halls())), RevealGuests(cards=(KING,)))
    assert state.visit is not None
    state = apply(state, Crumble(seat=0), *(TakeDown(seat=0, what="room", tower="left", level=1),) * 2)
    assert "no room left for the king" in told(state, Settle(seat=0))
    state = apply(state, Settle(seat=0))
    assert (state.visit, state.discard["king"], state.turn) == (None, 1, 7)


def test_a_guest_taken_down_finds_another_room() -> None:
    rooms = (Room(card=HALL, king=1), Room(card=HALL))
    castle = Castle(left=(replace(stack(1)[0], spaces=2, rooms=rooms),))
    state = apply(to_building(with_castles(begin(2), castle)), Crumble(seat=0, deliberate=True))
    state = apply(state, TakeDown(seat=0, what="king", tower="left", level=1))
    state = apply(state, RehouseGuest(seat=0, guest="king", tower="left", level=1, room=1), Settle(seat=0))
    assert [room.king for room in state.dukes[0].castle.left[0].rooms] == [0, 1]


def test_what_is_not_put_back_is_kept_as_far_as_it_fits() -> None:
    castle = hall(table=True, living={"king": 1})
    state = with_held(to_building(with_castles(begin(2), castle)), 0, {"table": 3})
    state = apply(state, Crumble(seat=0), TakeDown(seat=0, what="room", tower="left", level=1), Settle(seat=0))
    assert (state.dukes[0].held, state.dukes[0].cards) == ({"table": 3}, (HALL,))
    assert (state.discard["table"], state.discard["king"]) == (1, 1)


# The end


@pytest.mark.parametrize("turns", [9, 12])
def test_the_game_ends_with_its_last_turn(turns: int) -> None:
    state = to_guest_card(begin(2, turns=turns), 9)
    state = apply(state, RevealGuests(cards=(KING,)))
    assert state.over == (turns == 9)
    if turns == 12:
        assert (state.turn, state.phase) == (10, "room")
        state = past_building(to_turn(state, 12))
        assert state.phase == "dragon"
    else:
        assert state.phase == "over"
        assert GAME.prompts(state) == ()


def test_a_finished_game_takes_corrections_only() -> None:
    state = apply(to_guest_card(begin(2), 9), RevealGuests(cards=(KING,)))
    refused(state, Crumble(seat=0), "table.over")
    late = GAME.apply(state, Correction(move={"do": "crumble", "seat": 0})).state
    assert late.dukes[0].crumbles == 1


def test_the_last_turn_waits_for_the_castle_to_stand() -> None:
    state = apply(to_guest_card(with_castles(begin(2), two_halls()), 9), RevealGuests(cards=(KING,)), Crumble(seat=1))
    state = apply(state, choices(state, HouseGuest)[0].action)
    assert not state.over
    assert apply(state, Settle(seat=1)).over


def test_inventories_score_nothing() -> None:
    state = with_held(begin(2), 0, {"battlement": 3, "coffer": 3, "serf": 2})
    assert GAME.score(state).total(0) == GAME.score(begin(2)).total(0)


def test_facing_no_dragon_twice() -> None:
    state = apply(past_building(to_turn(begin(2), 5)), *(FaceDragon(seat=seat, rating="defence") for seat in (0, 1)))
    refused(state, FaceDragon(seat=1, rating="offence"), "dragon.choose")
