"""The ledger: rooms noted by what they join, touch and complete, with the same points as on a map."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Referee, Setup
from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.actions import (
    Buy,
    CountEntrances,
    NoteRoom,
    Pass,
    PlaceRoom,
    PutBack,
    ShowBonus,
)
from companion.rules.mad_king_ludwig.bench import THIRTY_ROOMS
from companion.rules.mad_king_ludwig.buying import note_room
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import Castle, Hand, Player, Spot, State, Turn
from tests.rules.mad_king_ludwig.table import SEATS, Table, table


def test_a_castle_has_the_same_points_in_a_ledger_and_on_a_map() -> None:
    """Every room of the thirty is noted as its map shows it, and after each the points are the map's."""
    built = read(THIRTY_ROOMS)
    state = GAME.setup(Setup(seats=SEATS[:2], options={"castles": "ledger", "bonus": "hidden"}))
    castle = state.players[0].castle
    for count in range(2, len(built.rooms) + 1):
        part = replace(built, rooms=built.rooms[:count])
        contact = castles.contacts(part)[-1]
        done = set(castles.completed(part)) - set(castles.completed(replace(part, rooms=part.rooms[:-1])))
        action = NoteRoom(seat=0, connects=contact.connects, touches=contact.touches, completes=tuple(sorted(done)))
        castle = _noted(state, castle, part.rooms[-1].room, action)
        assert recount(castle) == recount(part)
        assert castles.contacts(castle) == castles.contacts(part)


def _noted(state: State, castle: Castle, room: str, action: NoteRoom) -> Castle:
    player = Player(castle=castle, bonus=("?", "?"))
    turn = Turn(seat=0, buys=False, hand=Hand(room=room, free=True))
    ready = replace(state, phase="buying", turn=turn, players=(player, player))
    return note_room(Referee(GAME.rulebook), ready, action).players[0].castle


def test_points_and_completion_are_told() -> None:
    laid = table("foyer@0,0 parlor@3,0", hand="flute-room", ledger=True)
    laid.do(NoteRoom(seat=0, connects=(1,), completes=(1,)))
    assert laid.player().placement == 4 + 3 - 1 + 1
    assert laid.player().rewards == 5
    assert castles.contacts(laid.player().castle)[1].complete


def test_a_room_joins_the_castle() -> None:
    laid = table(hand="larder", ledger=True)
    laid.refuses(NoteRoom(seat=0), "place.entrance")
    laid.refuses(NoteRoom(seat=0, connects=(4,)), "ledger.entries", final=True)
    laid.refuses(NoteRoom(seat=0, connects=(1,)), "ledger.entries", final=True)
    laid.overrule(NoteRoom(seat=0))
    assert len(laid.player().castle.rooms) == 2


def test_floors_and_stairs_are_watched() -> None:
    castle = "foyer@0,0 stairs@1,3/270"
    table(castle, hand="the-hole", ledger=True).refuses(NoteRoom(seat=0, connects=(0,)), "place.floors")
    table(castle, hand="stairs", ledger=True).refuses(NoteRoom(seat=0, connects=(1,)), "place.stairs")
    table(castle, hand="the-hole", ledger=True).do(NoteRoom(seat=0, connects=(1,), completes=(2,)))


def test_only_neighbours_are_completed() -> None:
    laid = table("foyer@0,0 larder@3,0", hand="pantry", ledger=True)
    laid.refuses(NoteRoom(seat=0, connects=(0,), completes=(1,)), "ledger.entries")
    closet = table("foyer@0,0 larder@3,0", hand="broom-closet", ledger=True)
    closet.refuses(NoteRoom(seat=0, connects=(0, 1), completes=(2,)), "ledger.entries")


def test_a_complete_room_takes_no_more() -> None:
    laid = table("foyer@0,0 larder@3,0", hand="pantry", ledger=True)
    laid.do(NoteRoom(seat=0, connects=(1,), completes=(1,)))
    again = Turn(seat=0, buys=False, hand=Hand(room="buttery", free=True))
    stacks = {**laid.state.starting_stacks, "100": laid.state.starting_stacks["100"] + 1}
    laid = Table(replace(laid.state, turn=again, starting_stacks=stacks))
    laid.refuses(NoteRoom(seat=0, connects=(1,)), "complete.room")


def test_what_can_join_nothing_cannot_be_bought() -> None:
    laid = table(market=("crypt", "larder"), ledger=True)
    laid.refuses(Buy(seat=0, room="crypt"), "buy.must-fit")
    laid.overrule(Buy(seat=0, room="crypt")).do(PutBack(seat=0))
    assert laid.player().marks == 15000


def test_each_way_keeps_to_itself() -> None:
    table(hand="larder", ledger=True).refuses(PlaceRoom(seat=0, spot=Spot(x=3, y=0)), "ledger.only", final=True)
    table(hand="larder").refuses(NoteRoom(seat=0, connects=(0,)), "ledger.only", final=True)


# The end


def ending(*favours: str) -> Table:
    laid = table(ledger=True, options={"bonus": "hidden"}, deck=0, last_round=True, favours=favours)
    players = tuple(replace(player, bonus=("?", "?")) for player in laid.state.players)
    return Table(replace(laid.state, players=players, master=0)).do(Pass(seat=0))


def test_hidden_cards_are_shown_and_entrances_counted() -> None:
    laid = ending("external-entrances", "money")
    assert laid.state.phase == "reveal"
    laid.refuses(ShowBonus(seat=0, cards=("cash",)), "end.bonus", final=True)
    laid.do(ShowBonus(seat=0, cards=("cash", "stairs")), ShowBonus(seat=1, cards=("hallways", "size-100")))
    laid.refuses(ShowBonus(seat=0, cards=("cash", "stairs")), "end.bonus", final=True)
    laid.do(CountEntrances(seat=0, external=5), CountEntrances(seat=1, external=3))
    assert laid.state.over
    assert laid.player().external == 5
    assert GAME.tally(laid.state).players[0].favours["external-entrances"] == 5


def test_entrances_are_counted_only_where_they_matter() -> None:
    laid = ending("rooms-food", "money")
    laid.do(ShowBonus(seat=0, cards=("external-entrances", "stairs")), ShowBonus(seat=1, cards=("hallways", "cash")))
    assert not laid.state.over
    laid.do(CountEntrances(seat=0, external=4))
    assert laid.state.over


def test_a_card_is_shown_by_one_player_only() -> None:
    laid = ending("rooms-food", "money").do(ShowBonus(seat=0, cards=("cash", "stairs")))
    laid.refuses(ShowBonus(seat=1, cards=("cash", "hallways")), "bonus.cards", final=True)


def test_entrances_of_a_map_are_never_counted_by_hand() -> None:
    table().refuses(CountEntrances(seat=0, external=4), "favour.external", final=True)


@pytest.mark.parametrize("ledger", [False, True])
def test_both_ways_end_in_the_same_sheet(ledger: bool) -> None:
    state = table("foyer@0,0 larder@3,0", ledger=ledger).state
    assert GAME.score(state).keys == ("placement", "rewards", "favour-rooms-food", "favour-money", "depleted", "money")
