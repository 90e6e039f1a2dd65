"""Castle Dukes: the Room Phase, from the free coins before it to the cards that slide after it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Correction
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import (
    AiTakes,
    BuildRoom,
    DiscardRoom,
    DrawConstruction,
    DrawTile,
    NameRoom,
    PassRooms,
    PlaceTile,
    StopBuying,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.state import Card, Slot, State
from tests.rules.castle_dukes.playing import (
    HALL,
    apply,
    begin,
    choices,
    facts,
    musts,
    past_building,
    refused,
    to_building,
    to_rooms,
    told,
    with_cards,
    with_held,
)

A, B, C, D, E = (Card(name=name) for name in "ABCDE")


def named(state: State, board: int = 0) -> State:
    """Every slot of a board entered, A lowest."""
    return apply(state, *(NameRoom(board=board, slot=slot, card=card) for slot, card in enumerate((A, B, C, D, E))))


def take(seat: int, slot: int, board: int = 0) -> TakeRoom:
    return TakeRoom(seat=seat, slot=slot, board=board, bonus="none")


def cards(state: State, board: int = 0) -> list[str]:
    """The cards of a board from the lowest slot up: `?` is not entered, `-` is no card."""
    return [(slot.card.name if slot.card else "?") if slot.filled else "-" for slot in state.boards[board]]


def known(state: State) -> State:
    """The game with every slot's bonus known to be nothing."""
    boards = tuple(tuple(replace(slot, bonus="none") for slot in board) for board in state.boards)
    return replace(state, boards=boards)


# Free coins


@pytest.mark.parametrize(("players", "first"), [(2, 0), (3, 1), (4, 3)])
def test_free_coins_go_by_the_place_in_turn_order(players: int, first: int) -> None:
    state = begin(players, first=first)
    assert [state.dukes[(first + place) % players].coins for place in range(players)] == list(range(players))
    assert state.phase == "opening"


def test_free_coins_buy_tiles_and_pillars_only_and_all_are_spent() -> None:
    state = begin(4)
    refused(state, DrawConstruction(seat=3, items={"brazier": 1}), "building.free-coins-last")
    refused(state, StopBuying(seat=3), "setup.free-coins")
    refused(state, DrawTile(seat=0), "setup.free-coins")
    refused(state, PassRooms(seat=0), "turn.phases")
    refused(state, PlaceTile(seat=3, tower="left"), "building.only")
    state = apply(state, TakePillars(seat=3), DrawTile(seat=1), DrawTile(seat=2), DrawTile(seat=2), DrawTile(seat=3))
    assert state.phase == "opening"
    state = apply(state, TakePillars(seat=3))
    assert state.dukes[3].held == {"pillar": 4, "tile": 1}
    assert (state.phase, [duke.coins for duke in state.dukes]) == ("room", [5, 5, 5, 5])


def test_a_game_alone_has_no_free_coins() -> None:
    state = begin(1)
    assert (state.phase, state.buyer, state.dukes[0].coins) == ("room", 1, 5)


# Buying


def test_players_buy_clockwise_from_the_first_player() -> None:
    state = to_rooms(begin(3, first=1))
    for seat in (1, 2, 0):
        assert state.buyer == seat
        refused(state, take((seat + 1) % 3, 0), "room.order")
        refused(state, PassRooms(seat=(seat + 2) % 3), "room.order")
        state = apply(state, PassRooms(seat=seat))
    assert (state.phase, state.buyer) == ("building", None)


def test_a_player_buys_as_many_rooms_as_coins_and_inventory_allow() -> None:
    state = named(to_rooms(begin(2)))
    state = apply(state, take(0, 0))
    assert (state.dukes[0].coins, state.buyer) == (4, 0)
    refused(state, take(0, 4), "room.coins")
    refused(state, take(0, 0), "room.slot", final=True)
    state = apply(state, take(0, 1))
    assert (state.dukes[0].cards, state.dukes[0].coins) == ((A, B), 2)
    assert state.buyer == 1, "the cheapest card left costs 3"


def test_who_can_buy_nothing_more_is_passed_over() -> None:
    state = apply(named(to_rooms(begin(2))), take(0, 4))
    assert (state.dukes[0].coins, state.buyer) == (0, 1)
    full = with_cards(to_rooms(begin(2)), 1, A, B, C)
    found = facts(full, PassRooms(seat=0))
    assert ("East can buy no room.", "inventory.limit") in [(fact.text, fact.rule) for fact in found]
    assert apply(full, PassRooms(seat=0)).phase == "building"


def test_three_room_cards_are_the_most() -> None:
    state = with_cards(named(to_rooms(begin(2))), 0, A, B, C)
    refused(state, take(0, 0), "inventory.limit")
    refused(state, DiscardRoom(seat=0, card=0), "turn.phases")
    two = apply(with_cards(state, 0, A, B), take(0, 0))
    assert (len(two.dukes[0].cards), two.buyer) == (3, 1)


def test_rooms_are_not_built_before_the_building_phase() -> None:
    state = with_cards(to_rooms(begin(2)), 0, HALL)
    refused(state, BuildRoom(seat=0, tower="left", level=1), "building.only")


def test_the_card_and_the_bonus_are_those_of_the_slot() -> None:
    state = to_rooms(begin(4))
    assert "Say which room card" in refused(state, TakeRoom(seat=0, slot=2), "room.slot", final=True)
    state = named(state)
    assert "A lies in slot 1" in refused(state, TakeRoom(seat=0, slot=0, card=B), "room.slot", final=True)
    refused(state, TakeRoom(seat=0, slot=2, bonus="table"), "room.bonus")
    assert "Say which bonus" in refused(state, TakeRoom(seat=0, slot=1), "room.bonus", final=True)
    assert apply(state, TakeRoom(seat=0, slot=2)).dukes[0].held == {"serf": 1}
    learned = apply(state, TakeRoom(seat=0, slot=1, bonus="coffer"))
    assert learned.dukes[0].held == {"coffer": 1}
    assert learned.boards[0][1].bonus == "coffer", "the slot is known from now on"


def test_the_table_may_know_its_board_better() -> None:
    state = named(to_rooms(begin(4)))
    move = {"do": "take-room", "seat": 0, "slot": 2, "bonus": "coffer"}
    step = GAME.apply(state, Correction(move=move))
    assert step.state.dukes[0].held == {"coffer": 1}
    assert any(fact.rule == "room.bonus" for fact in step.facts)


def test_a_bonus_beyond_the_limit_is_lost_and_the_room_is_not() -> None:
    state = with_held(named(to_rooms(begin(4))), 0, {"serf": 3})
    words = told(state, TakeRoom(seat=0, slot=2))
    assert "1 serf not gained: the inventory is full." in words
    after = apply(state, TakeRoom(seat=0, slot=2))
    assert (after.dukes[0].held, after.dukes[0].cards) == ({"serf": 3}, (C,))


def test_a_bonus_that_has_run_out_is_lost_too() -> None:
    state = named(to_rooms(begin(4)))
    state = replace(state, stock={**state.stock, "serf": 0}, corrected=True)
    assert "1 serf not gained: no more are left." in told(state, TakeRoom(seat=0, slot=2))


def test_no_slot_no_room() -> None:
    state = to_rooms(begin(2))
    refused(state, take(0, 5), "room.slot", final=True)
    refused(state, take(0, 0, board=1), "room.slot", final=True)
    refused(state, NameRoom(slot=9, card=A), "room.slot", final=True)


# Sliding


def test_cards_slide_down_and_new_ones_come_from_the_top() -> None:
    state = named(known(to_rooms(begin(2))))
    state = apply(state, take(0, 0), take(0, 2), PassRooms(seat=1))
    assert cards(state) == ["B", "D", "E", "?", "?"]
    assert [slot.cost for slot in state.boards[0]] == [1, 2, 3, 4, 5]


def test_slots_keep_their_price_and_bonus_while_cards_move() -> None:
    state = named(to_rooms(begin(4)))
    before = [(slot.cost, slot.bonus) for slot in state.boards[0]]
    state = apply(state, TakeRoom(seat=0, slot=0), *(PassRooms(seat=seat) for seat in (0, 1, 2, 3)))
    assert cards(state) == ["B", "C", "D", "E", "?"]
    assert [(slot.cost, slot.bonus) for slot in state.boards[0]] == before
    assert (before[2], before[4]) == ((3, "serf"), (5, "table"))


def test_when_nobody_took_any_the_lowest_leaves() -> None:
    state = named(to_rooms(begin(2)))
    state = apply(state, PassRooms(seat=0))
    assert "No room was taken: A leaves the board." in told(state, PassRooms(seat=1))
    state = apply(state, PassRooms(seat=1))
    assert cards(state) == ["B", "C", "D", "E", "?"]
    assert state.discard == {"room": 1}


def test_slots_stay_empty_when_the_deck_and_the_discard_are_out() -> None:
    state = named(known(to_rooms(begin(2))))
    state = replace(state, stock={**state.stock, "room": 1}, corrected=True)
    for action in (take(0, 0), take(0, 1), PassRooms(seat=1)):
        state = GAME.apply(state, action).state
    assert cards(state) == ["C", "D", "E", "?", "-"]


def test_discarded_rooms_are_shuffled_when_the_deck_is_out() -> None:
    state = named(known(to_rooms(begin(2))))
    state = replace(state, stock={**state.stock, "room": 1}, discard={"room": 44})
    state = apply(state, take(0, 0), take(0, 1))
    assert "44 room cards come back into the supply." in told(state, PassRooms(seat=1))
    state = apply(state, PassRooms(seat=1))
    assert (cards(state), state.stock["room"], state.discard) == (["C", "D", "E", "?", "?"], 43, {})


# Five and more


def test_five_players_buy_one_room_at_a_time() -> None:
    state = known(to_rooms(begin(5, first=3)))
    for board in (0, 1):
        state = named(state, board)
    for seat in (3, 4, 0, 1, 2):
        assert state.buyer == seat
        state = apply(state, take(seat, 0, 0) if seat == 3 else PassRooms(seat=seat))
    assert state.buyer == 3, "round again, to the only one who has not passed"
    state = apply(state, take(3, 1, 1))
    assert (state.buyer, state.dukes[3].coins) == (3, 2)
    state = apply(state, PassRooms(seat=3))
    assert state.phase == "building"
    assert cards(state, 0) == ["B", "C", "D", "E", "?"]
    assert cards(state, 1) == ["A", "C", "D", "E", "?"]


@pytest.mark.parametrize(
    ("players", "tables"), [(2, [0]), (4, [1]), (5, [1, 0]), (6, [1, 0]), (7, [1, 1]), (8, [1, 1])]
)
def test_which_sides_of_the_boards_lie_up(players: int, tables: list[int]) -> None:
    """The table of the 5-coin slot is known on the 3-4 player side."""
    boards = begin(players).boards
    assert [sum(slot.bonus == "table" for slot in board) for board in boards] == tables
    assert all([slot.cost for slot in board] == [1, 2, 3, 4, 5] for board in boards)


def test_two_sets_have_twice_the_components() -> None:
    assert begin(5).stock["pillar"] == 200
    assert begin(5).stock["room"] == 100 - 10
    assert begin(4).stock["room"] == 50 - 5


# Alone


def solo(mode: str = "duke") -> State:
    return named(begin(1, solo=mode))


def test_alone_the_ai_begins_and_then_by_turns() -> None:
    state = solo()
    refused(state, PassRooms(seat=0), "room.order")
    assert [prompt.seat for prompt in musts(begin(1))] == [None]
    first = apply(state, AiTakes())
    assert (first.buyer, first.discard) == (0, {"room": 1})
    second = replace(first, turn=2, first=0)
    assert second.order == (0, 1)


def test_the_ai_waits_until_every_card_is_entered() -> None:
    state = begin(1)
    [prompt] = musts(state)
    assert {type(choice.action) for choice in prompt.choices} == {NameRoom}
    assert not any(choice.legal for choice in choices(state, AiTakes))
    [ready] = musts(named(state))
    assert {type(choice.action) for choice in ready.choices} == {AiTakes}


@pytest.mark.parametrize(("mode", "picks"), [("baby", 1), ("duke", 1), ("awesome", 2)])
def test_on_turns_it_is_not_first_an_awesome_ai_takes_two(mode: str, picks: int) -> None:
    state = apply(solo(mode), AiTakes())
    assert state.buyer == 0, "one room on the first turn in every mode"
    state = apply(replace(state, turn=2, first=0), PassRooms(seat=0))
    assert state.ai is not None
    assert (state.buyer, state.ai.picks) == (1, picks)
    for _ in range(picks):
        assert state.phase == "room"
        state = apply(state, AiTakes())
    assert state.phase == "building"


def test_a_board_of_its_own_box() -> None:
    """What the table knows of its board goes before what the rulebook's example suggests."""
    slots = {"3-4/2": {"side": "3-4", "cost": 2, "bonus": "coffer"}}
    assert begin(3, box={"slots": slots}).boards[0][1] == Slot(cost=2, bonus="coffer")


def test_coins_are_not_kept_for_the_next_turn() -> None:
    state = apply(to_building(begin(2)), DrawTile(seat=0))
    assert [duke.coins for duke in state.dukes] == [4, 5]
    state = past_building(state)
    assert (state.turn, [duke.coins for duke in state.dukes]) == (2, [5, 5])
