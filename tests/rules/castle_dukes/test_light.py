"""Castle Dukes: the light game, in which the table handles the pieces."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import (
    AwardGuest,
    CountCastle,
    Crumble,
    DragonDone,
    DrawChits,
    DrawTile,
    DropVines,
    FaceDragon,
    FinishBuilding,
    NameRoom,
    PassRooms,
    RevealGuests,
    SetDials,
    Spend,
    StopBuying,
    TakeRoom,
)
from companion.rules.castle_dukes.state import Card, Counted, Dials, GuestCard, State
from tests.rules.castle_dukes.playing import (
    PILLARS,
    apply,
    begin,
    choices,
    past_building,
    refused,
    to_building,
    to_dragon,
    to_guest_card,
    to_rooms,
)

CARD = GuestCard(main="knight", small="king")


def light(players: int = 2, *, turns: int = 9, vines: bool = False) -> State:
    return begin(players, detail="light", turns=turns, vines=vines)


def test_no_game_alone_is_light() -> None:
    with pytest.raises(Malformed, match="cannot be played light"):
        light(1)


def test_free_coins_are_counted_too() -> None:
    state = light(3)
    assert (state.phase, [duke.coins for duke in state.dukes]) == ("opening", [0, 1, 2])
    refused(state, Spend(seat=0, coins=1), "room.coins")
    refused(state, StopBuying(seat=1), "setup.free-coins")
    state = apply(state, Spend(seat=2, coins=2))
    assert state.phase == "opening"
    state = apply(state, Spend(seat=1, coins=1))
    assert (state.phase, [duke.coins for duke in state.dukes]) == ("room", [5, 5, 5])


def test_the_eighth_player_spends_seven_free_coins() -> None:
    state = apply(light(8), Spend(seat=7, coins=7))
    assert state.dukes[7].coins == 0


def test_coins_are_spent_in_turn_then_all_at_once() -> None:
    state = to_rooms(light())
    refused(state, Spend(seat=1, coins=1), "room.order")
    state = apply(state, Spend(seat=0, coins=3))
    assert (state.buyer, state.dukes[0].coins) == (0, 2)
    refused(state, Spend(seat=0, coins=3), "room.coins")
    state = apply(state, Spend(seat=0, coins=2))
    assert state.buyer == 1, "without coins nothing more is bought"
    state = apply(state, PassRooms(seat=1), Spend(seat=1, coins=4))
    assert (state.phase, [duke.coins for duke in state.dukes]) == ("building", [0, 1])
    state = apply(state, StopBuying(seat=1))
    refused(state, Spend(seat=1, coins=1), "building.declared")
    refused(to_guest_card(light()), Spend(seat=0, coins=1), "turn.phases")


def test_five_players_pay_for_one_room_at_a_time() -> None:
    state = apply(to_rooms(light(5)), Spend(seat=0, coins=1))
    assert state.buyer == 1
    state = apply(state, *(PassRooms(seat=seat) for seat in (1, 2, 3, 4)))
    assert state.buyer == 0
    assert apply(state, PassRooms(seat=0)).phase == "building"


def test_pieces_are_the_tables_own() -> None:
    state = to_rooms(light())
    refused(state, TakeRoom(seat=0, slot=0), "light.only", final=True)
    refused(state, NameRoom(slot=0, card=Card(name="Kitchen")), "light.only", final=True)
    refused(to_building(light()), DrawTile(seat=0), "light.only", final=True)


@pytest.mark.parametrize(
    "action",
    [
        Spend(seat=0, coins=1),
        SetDials(seat=0, dials=Dials()),
        AwardGuest(seats=()),
        DragonDone(seat=0),
        CountCastle(seat=0, counts=Counted()),
    ],
)
def test_a_full_game_follows_from_its_pieces(action: Spend | SetDials | AwardGuest | DragonDone | CountCastle) -> None:
    refused(to_rooms(begin(2)), action, "light.full-only", final=True)


def test_guests_go_where_the_table_says_and_a_knight_turns_the_dial() -> None:
    state = apply(to_guest_card(light(3)), RevealGuests(cards=(CARD,)))
    refused(state, AwardGuest(seats=(0, 1)), "guest.tie")
    refused(state, AwardGuest(seats=(5,)), "turn.seat", final=True)
    state = apply(state, AwardGuest(seats=(1,)))
    assert (state.dukes[1].guests, state.dukes[1].dials) == ({"knight": 1}, Dials(offence=1))
    state = apply(state, AwardGuest(seats=()))
    assert state.turn == 7
    refused(state, AwardGuest(seats=()), "guest.highest", final=True)


def test_five_players_share_a_guest() -> None:
    state = apply(to_guest_card(light(5)), RevealGuests(cards=(CARD, CARD)))
    state = apply(state, AwardGuest(seats=(0, 3)))
    assert [duke.dials.offence for duke in state.dukes] == [1, 0, 0, 1, 0]


def test_the_dragon_says_the_damage_and_the_table_takes_it() -> None:
    state = apply(to_dragon(light()), SetDials(seat=0, dials=Dials(defence=13)))
    refused(state, DragonDone(seat=0), "dragon.choose", final=True)
    state = apply(state, FaceDragon(seat=0, rating="defence"))
    assert state.dukes[0].attack is not None
    assert state.dukes[0].attack.damage == 2
    refused(state, DrawChits(seat=0, chits=PILLARS), "light.only", final=True)
    state = apply(state, FaceDragon(seat=1, rating="offence"), DragonDone(seat=1), DragonDone(seat=0))
    assert state.phase == "guest-card"


def test_vines_can_be_said_to_have_dropped() -> None:
    assert not choices(light(), DropVines)
    state = light(vines=True)
    assert [choice.legal for choice in choices(state, DropVines)] == [True, True]
    assert apply(state, DropVines(seat=0, count=3)).dukes[0].vines_dropped == 3


def test_the_count_ends_the_game_and_is_scored() -> None:
    state = to_guest_card(light(), 9)
    refused(state, CountCastle(seat=0, counts=Counted()), "end.turn-9")
    state = apply(state, Crumble(seat=1), SetDials(seat=0, dials=Dials(comfort=3)), RevealGuests(cards=(CARD,)))
    state = apply(state, AwardGuest(seats=(0,)))
    assert state.phase == "count"
    too_many = Counted(rooms=1, high_rooms=2)
    refused(state, CountCastle(seat=0, counts=too_many), "score.high-rooms", final=True)
    counted = Counted(left=5, middle=2, bridges=2, serfs=3, battlements=1, coffers=4, rooms=3, high_rooms=1, knights=1)
    state = apply(state, CountCastle(seat=0, counts=counted), CountCastle(seat=1, counts=Counted(left=1)))
    assert state.over
    # 2 bridges, 1 for serfs, 1 battlement, 1 for coffers, 1 high room, 1 knight, comfort 6, defence (6+3)/2, offence 4,
    # tallest 6; East is second in comfort, offence and height, shares defence and has a Crumble token.
    assert GAME.score(state).totals == (7 + 6 + 4 + 4 + 6, 3 + 4 + 2 + 3 - 2)


def test_building_is_finished_seat_by_seat() -> None:
    state = apply(to_building(light()), FinishBuilding(seat=0))
    assert state.phase == "building"
    assert past_building(state).turn == 2
