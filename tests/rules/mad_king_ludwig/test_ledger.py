"""The ledger: rooms noted by what they join, touch and complete, with the same points as on a map."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules import random_play
from companion.rules.base import Action, Referee, Setup
from companion.rules.mad_king_ludwig import GAME, phases
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
from companion.rules.mad_king_ludwig.placement import preview
from companion.rules.mad_king_ludwig.rooms import catalogue
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import Castle, Hand, Placed, Player, Spot, State, Turn
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


def test_no_room_is_joined_to_more_than_it_has_entrances() -> None:
    closet = table("foyer@0,0 larder@3,0", hand="broom-closet", ledger=True)
    assert "only 1 entrance" in closet.refuses(NoteRoom(seat=0, connects=(0, 1)), "ledger.entries")
    stairs = table("foyer@0,0 larder@3,0", hand="stairs", ledger=True)
    stairs.refuses(NoteRoom(seat=0, connects=(0, 1)), "place.stairs")
    again = noted("foyer", "stairs", ("larder", (1,)), hand="pantry")
    again.refuses(NoteRoom(seat=0, connects=(1,)), "ledger.entries")
    noted("foyer", "stairs", ("larder", (1,)), hand="the-hole").do(NoteRoom(seat=0, connects=(1,)))


def test_a_room_with_all_entrances_joined_is_complete_without_being_told() -> None:
    laid = table(hand="broom-closet", ledger=True, options={"bonus": "hidden"}).do(NoteRoom(seat=0, connects=(0,)))
    assert castles.completed(laid.player().castle) == (1,)
    assert "Broom Closet is complete." in [fact.text for fact in laid.facts]
    laid = noted("foyer", ("larder", (0,)), hand="pantry").do(NoteRoom(seat=0, connects=(1,)))
    assert castles.completed(laid.player().castle) == (1,)


def test_a_ledger_keeps_a_way_out() -> None:
    laid = table("foyer@0,0 larder@3,0", hand="pantry", ledger=True)
    laid.refuses(NoteRoom(seat=0, connects=(0, 1), completes=(0, 1, 2)), "place.way-out")
    shut = noted("foyer", ("broom-closet", (0,)), ("cloak-room", (0,)), market=("powder-room", "larder"))
    shut.refuses(Buy(seat=0, room="powder-room"), "buy.must-fit")
    shut.do(Buy(seat=0, room="larder"), NoteRoom(seat=0, connects=(0,)))
    assert castles.completed(shut.player().castle) == (0, 1, 2)


def noted(*notes: str | tuple[str, tuple[int, ...]], **changes: Any) -> Table:
    """A ledger game in which a castle's rooms were noted with what they join."""
    whole = [note if isinstance(note, tuple) else (note, ()) for note in notes]
    laid = table(" ".join(f"{room}@0,0" for room, _ in whole), ledger=True, options={"bonus": "hidden"}, **changes)
    rooms = tuple(
        Placed(room=room, connects=joined, complete=len(catalogue()[room].doors) == len(joined))
        for room, joined in whole
    )
    player = replace(laid.player(), castle=Castle(rooms=rooms))
    player = replace(player, placement=recount(player.castle))
    return Table(replace(laid.state, players=(player, *laid.state.players[1:])))


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


@pytest.mark.parametrize("seed", range(3))
def test_both_ways_end_in_the_same_sheet(seed: int) -> None:
    """A whole game on maps, and the same game noted in ledgers as the maps show it."""
    seats = SEATS[:3]
    ledger = GAME.setup(Setup(seats=seats, options={"castles": "ledger"}))
    for on_map, action in random_play.play(GAME, Setup(seats=seats), random_play.Luck(seed)):
        ledger = GAME.apply(ledger, _as_note(on_map, action)).state
        last = GAME.apply(on_map, action).state
    for seat, player in enumerate(last.players):
        if not ledger.over and phases.to_count(ledger, seat):
            count = CountEntrances(seat=seat, external=castles.external_entrances(player.castle))
            ledger = GAME.apply(ledger, count).state
    assert ledger.over
    assert GAME.score(ledger) == GAME.score(last)


def _as_note(state: State, action: Action) -> Action:
    """What a player with a ledger would tap for a room placed on the map."""
    if not isinstance(action, PlaceRoom):
        return action
    assert state.turn is not None
    assert state.turn.hand is not None
    found = preview(state.players[action.seat].castle, state.turn.hand.room, action.spot)
    contact = found.contact
    return NoteRoom(seat=action.seat, connects=contact.connects, touches=contact.touches, completes=found.completes)
