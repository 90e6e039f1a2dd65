"""Castle Dukes: Crumble tokens, taking down, putting back, settling."""

from __future__ import annotations

import pytest

from companion.rules.base import Action
from companion.rules.castle_dukes.actions import (
    BuildRoom,
    Crumble,
    FinishBuilding,
    FurnishRoom,
    PlacePillars,
    PlaceTile,
    RehouseGuest,
    Settle,
    TakeDown,
)
from companion.rules.castle_dukes.castle import dials
from companion.rules.castle_dukes.state import Castle, Dials, Options
from tests.rules.castle_dukes.table import CELLAR, KITCHEN, Table, floor, stack, table, with_kitchen

ACCIDENT = Crumble(seat=0)
ON_PURPOSE = Crumble(seat=0, deliberate=True)
SETTLE = Settle(seat=0)
ROOM_DOWN = TakeDown(seat=0, what="room", tower="left", level=1)
KING_IN = RehouseGuest(seat=0, guest="king", tower="left", level=1)
LIGHT = Options(detail="light")


# Tokens


@pytest.mark.parametrize("phase", ["opening", "room", "building", "guest-card", "dragon", "guests"])
def test_an_accident_costs_a_token_in_every_phase(phase: str) -> None:
    laid = table(phase=phase).do(ACCIDENT)
    assert (laid.north.crumbles, laid.north.rearranging) == (1, True)
    assert laid.changes() == {"crumbles": 1}


def test_a_second_accident_costs_another_token() -> None:
    assert table().do(ACCIDENT, ACCIDENT).north.crumbles == 2


def test_a_token_taken_on_purpose_starts_rearranging() -> None:
    laid = table().do(ON_PURPOSE)
    assert (laid.north.crumbles, laid.north.rearranging) == (1, True)
    assert laid.rules() == {"crumble.on-purpose"}


@pytest.mark.parametrize("phase", ["room", "dragon", "guests"])
def test_rearranging_on_purpose_is_for_the_building_phase(phase: str) -> None:
    laid = table(phase=phase)
    laid.refuses(ON_PURPOSE, "crumble.on-purpose")
    assert laid.overrule(ON_PURPOSE).north.rearranging


def test_who_has_finished_does_not_rearrange_on_purpose() -> None:
    laid = table(stage="done")
    laid.refuses(ON_PURPOSE, "crumble.on-purpose")
    assert laid.do(ACCIDENT).north.rearranging


def test_when_the_tokens_run_out_the_penalty_still_counts() -> None:
    laid = table(crumbles=11).do(ACCIDENT)
    assert "ruling.crumbles-run-out" not in laid.rules()
    laid.do(Crumble(seat=1))
    assert "ruling.crumbles-run-out" in laid.rules()
    assert laid.state.dukes[1].crumbles == 1


def test_two_sets_have_twice_the_tokens() -> None:
    assert table(players=5, crumbles=23).do(ACCIDENT).rules() == {"crumble.token"}


def test_a_light_game_counts_tokens_and_nothing_else() -> None:
    laid = table(options=LIGHT).do(ACCIDENT)
    assert (laid.north.crumbles, laid.north.rearranging) == (1, False)


@pytest.mark.parametrize("action", [ROOM_DOWN, KING_IN, SETTLE])
def test_a_light_game_takes_nothing_down(action: Action) -> None:
    table(options=LIGHT).refuses(action, "light.only", final=True)


# Taking down and putting back


def furnished() -> Table:
    """North's kitchen houses a king and a serf and has a table; an accident has happened."""
    return table(castle=with_kitchen(king=1, serf=1, table=True), stage="placing").do(ACCIDENT)


def test_what_is_placed_stays_without_a_token() -> None:
    laid = table(castle=with_kitchen(king=1))
    laid.refuses(ROOM_DOWN, "building.permanent")
    laid.refuses(KING_IN, "building.permanent")
    laid.overrule(ROOM_DOWN)
    assert (laid.north.rearranging, laid.north.loose_cards) == (True, (KITCHEN,))


def test_a_piece_comes_down_with_all_that_rests_on_it() -> None:
    laid = furnished().do(ROOM_DOWN)
    assert laid.north.loose == {"king": 1, "serf": 1, "table": 1}
    assert laid.north.loose_cards == (KITCHEN,)
    assert dials(laid.north.castle) == Dials()
    assert laid.changes() == {"comfort": -2, "defence": -1}


def test_what_came_down_can_be_put_up_elsewhere() -> None:
    laid = furnished().do(
        ROOM_DOWN,
        TakeDown(seat=0, what="tile", tower="left", level=1),
        PlaceTile(seat=0, tower="right"),
        PlacePillars(seat=0, tower="right", level=1),
        BuildRoom(seat=0, tower="right", level=1),
        FurnishRoom(seat=0, item="table", tower="right", level=1),
        FurnishRoom(seat=0, item="serf", tower="right", level=1),
        RehouseGuest(seat=0, guest="king", tower="right", level=1),
        SETTLE,
    )
    assert laid.north.castle == Castle(right=with_kitchen(king=1, serf=1, table=True).left)
    assert (laid.north.loose, laid.north.loose_cards, laid.north.held) == ({}, (), {})


def test_what_is_not_there_cannot_come_down() -> None:
    laid = furnished()
    why = laid.refuses(TakeDown(seat=0, what="coffer", tower="left", level=1), "crumble.replace", final=True)
    assert why == "There is no coffer in Kitchen on level 1 of the left tower."


def test_a_knight_moves_house_and_turns_the_dial_both_ways() -> None:
    laid = table(castle=with_kitchen(knight=1)).do(ON_PURPOSE)
    laid.do(TakeDown(seat=0, what="knight", tower="left", level=1))
    assert laid.changes() == {"offence": -1}
    laid.do(RehouseGuest(seat=0, guest="knight", tower="left", level=1))
    assert laid.changes() == {"offence": 1}


def test_a_guest_is_rehoused_in_a_free_slot_only() -> None:
    castle = Castle(left=with_kitchen(king=1).left, right=with_kitchen().left)
    laid = table(castle=castle, rearranging=True, loose={"king": 1})
    assert laid.refuses(KING_IN, "guest.slot") == "Kitchen has 0 free slots for a king."
    laid.refuses(RehouseGuest(seat=0, guest="king", tower="middle", level=1), "guest.slot", final=True)
    laid.do(RehouseGuest(seat=0, guest="king", tower="right", level=1))
    assert laid.north.castle.right[0].rooms[0].king == 1
    laid.refuses(KING_IN, "inventory.have", final=True)


def test_an_overruled_guest_lives_where_the_table_says() -> None:
    laid = table(castle=with_kitchen(king=1), rearranging=True, loose={"king": 1}).overrule(KING_IN)
    assert laid.north.castle.left[0].rooms[0].king == 2


# Settling


def test_settling_needs_rearranging() -> None:
    table().refuses(SETTLE, "crumble.replace")


def test_what_was_not_put_back_goes_to_the_inventory() -> None:
    laid = furnished().do(ROOM_DOWN, SETTLE)
    assert laid.north.held == {"serf": 1, "table": 1}
    assert laid.north.cards == (KITCHEN,)
    assert laid.state.discard == {"king": 1}
    assert not laid.north.rearranging
    assert "ruling.loose-to-inventory" in laid.rules()
    assert laid.changes() == {"serf": 1, "table": 1, "room": 1}


def test_what_passes_the_limits_is_discarded() -> None:
    laid = table(
        rearranging=True,
        held={"tile": 2, "pillar": 5},
        cards=(KITCHEN, KITCHEN),
        loose={"tile": 3, "pillar": 2},
        loose_cards=(CELLAR, KITCHEN),
    ).do(SETTLE)
    assert laid.north.held == {"tile": 3, "pillar": 6}
    assert laid.north.cards == (KITCHEN, KITCHEN, CELLAR)
    assert laid.state.discard == {"tile": 2, "pillar": 1, "room": 1}
    assert (laid.north.loose, laid.north.loose_cards) == ({}, ())


def test_a_collapsed_tower_is_taken_down_at_once() -> None:
    fallen = TakeDown(seat=0, what="tile", tower="left", level=2)
    laid = table(castle=Castle(left=stack(4))).do(ACCIDENT, fallen, SETTLE)
    assert laid.north.castle == Castle(left=(floor(),))
    assert laid.north.held == {"tile": 3, "pillar": 3}


def test_the_building_phase_waits_for_those_who_rearrange() -> None:
    laid = table().do(FinishBuilding(seat=0), ACCIDENT, FinishBuilding(seat=1))
    assert laid.state.phase == "building"
    assert laid.do(SETTLE).state.phase == "room"


def test_settling_in_another_phase_ends_nothing() -> None:
    laid = table(phase="dragon").do(ACCIDENT, SETTLE)
    assert laid.state.phase == "dragon"


def test_one_token_covers_all_changes_until_settled() -> None:
    laid = table(castle=Castle(left=stack(2))).do(
        ON_PURPOSE,
        TakeDown(seat=0, what="pillar", tower="left", level=2, cobble=True),
        TakeDown(seat=0, what="tile", tower="left", level=2),
        SETTLE,
    )
    assert laid.north.crumbles == 1
    laid.refuses(TakeDown(seat=0, what="tile", tower="left", level=1), "building.permanent")


def test_only_seats_in_the_game_crumble() -> None:
    table(players=1).refuses(Crumble(seat=1), "turn.seat", final=True)
