"""Castle Dukes: every worked example of the rulebook, by its heading."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import (
    AiTakes,
    ArmTop,
    BuildRoom,
    Crumble,
    DrawChits,
    DrawConstruction,
    DrawTile,
    FaceDragon,
    FinishBuilding,
    FurnishRoom,
    Lose,
    NameRoom,
    PassRooms,
    PickChit,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    RevealGuests,
    Settle,
    TakeDown,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.barbican import ratings
from companion.rules.castle_dukes.castle import open_slots
from companion.rules.castle_dukes.guests import CARDS
from companion.rules.castle_dukes.scoring import AiTally, DukeTally, Tally, sheet
from companion.rules.castle_dukes.state import Card, Castle, Chit, Dials, Room, State
from tests.rules.castle_dukes.playing import (
    KING,
    PILLARS,
    apply,
    begin,
    choices,
    hall,
    past_building,
    refused,
    to_building,
    to_dragon,
    to_rooms,
    to_turn,
    with_cards,
    with_castles,
    with_held,
)
from tests.rules.castle_dukes.table import floor, roofed, stack

KITCHEN = Card(name="Kitchen", comfort=1, king=1, princess=1, knight=1, serf=2)
A_CARD = Card(name="A card")


def at_the_board() -> State:
    """Player 1 of four begins to buy; the five cards are entered."""
    state = to_rooms(begin(4))
    return apply(state, *(NameRoom(slot=slot, card=A_CARD) for slot in range(5)))


# Room Phase


def test_room_phase_example_one_coin_then_three_with_a_serf() -> None:
    state = apply(at_the_board(), TakeRoom(seat=0, slot=0))
    assert (state.dukes[0].coins, state.dukes[0].held) == (4, {})
    state = apply(state, TakeRoom(seat=0, slot=2))
    assert (state.dukes[0].coins, state.dukes[0].held, len(state.dukes[0].cards)) == (1, {"serf": 1}, 2)


def test_room_phase_example_five_coins_with_a_table() -> None:
    state = apply(at_the_board(), TakeRoom(seat=0, slot=4))
    assert (state.dukes[0].coins, state.dukes[0].held) == (0, {"table": 1})


def test_room_phase_example_none_at_all_leaves_five_coins() -> None:
    state = apply(at_the_board(), PassRooms(seat=0))
    assert state.dukes[0].coins == 5


def test_room_phase_two_cards_leave_space_for_one_more() -> None:
    state = with_cards(at_the_board(), 0, A_CARD, A_CARD)
    state = apply(state, TakeRoom(seat=0, slot=0))
    assert (len(state.dukes[0].cards), state.buyer) == (3, 1)


def test_room_phase_a_fourth_coffer_is_not_claimed() -> None:
    slots = {"3-4/2": {"side": "3-4", "cost": 2, "bonus": "coffer"}}
    state = to_rooms(begin(4, box={"slots": slots}))
    state = apply(with_held(state, 0, {"coffer": 3}), TakeRoom(seat=0, slot=1, card=A_CARD))
    assert state.dukes[0].held == {"coffer": 3}


def test_room_phase_three_pairs_of_pillars_are_six() -> None:
    state = apply(to_building(begin(4)), *(TakePillars(seat=0) for _ in range(3)))
    assert state.dukes[0].held == {"pillar": 6}
    refused(state, TakePillars(seat=0), "inventory.pillars")


# Room cards


def test_room_cards_the_kitchen_gives_one_comfort_and_houses_three_guests_and_two_serfs() -> None:
    castle = Castle(left=(floor(rooms=(Room(card=KITCHEN),)),))
    state = with_held(to_building(with_castles(begin(2), castle)), 0, {"serf": 3})
    assert ratings(state, 0) == Dials(comfort=1)
    assert all(open_slots(castle, guest) for guest in ("king", "princess", "knight"))
    serf = FurnishRoom(seat=0, item="serf", tower="left", level=1)
    refused(apply(state, serf, serf), serf, "serf.slot")


@pytest.mark.parametrize(("levels", "legal"), [("upper", [3, 4]), ("lower", [1, 2]), ("any", [1, 2, 3, 4])])
def test_upper_and_lower_levels(levels: str, legal: list[int]) -> None:
    card = replace(A_CARD, levels=levels)
    state = with_cards(to_building(with_castles(begin(2), Castle(left=stack(4)))), 0, card)
    rules = {"upper": "room.upper", "lower": "room.lower"}
    for level in (1, 2, 3, 4):
        build = BuildRoom(seat=0, tower="left", level=level)
        if level in legal:
            apply(state, build)
        else:
            refused(state, build, rules[levels])


# The Castle Barbican


def test_barbican_the_dials_follow_what_is_placed_and_lost() -> None:
    castle = Castle(left=roofed(3), right=stack(1))
    state = with_held(to_building(with_castles(begin(2), castle)), 0, {"brazier": 1})
    state = with_cards(state, 0, replace(A_CARD, comfort=2))
    state = apply(
        state, BuildRoom(seat=0, tower="right", level=1), ArmTop(seat=0, item="brazier", tower="left", level=3)
    )
    assert ratings(state, 0) == Dials(comfort=2, defence=1)
    state = replace(to_dragon(with_castles(begin(2), state.dukes[0].castle)), first=0)
    state = apply(state, *(FaceDragon(seat=seat, rating="defence") for seat in (0, 1)))
    state = apply(state, DrawChits(seat=0, chits=(Chit(kind="decor"),) * 5), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="brazier", tower="left", level=3))
    assert ratings(state, 0) == Dials(comfort=2)


# Building Phase


def player_2_with_3_coins(**held: int) -> State:
    state = to_building(begin(2))
    state = replace(state, dukes=(state.dukes[0], replace(state.dukes[1], coins=3)))
    return with_held(state, 1, held)  # type: ignore[arg-type]


def test_building_phase_example_two_tiles_and_a_pair() -> None:
    state = apply(player_2_with_3_coins(), DrawTile(seat=1), DrawTile(seat=1), TakePillars(seat=1))
    assert (state.dukes[1].coins, state.dukes[1].held) == (0, {"tile": 2, "pillar": 2})


def test_building_phase_example_three_pairs() -> None:
    state = apply(player_2_with_3_coins(), *(TakePillars(seat=1) for _ in range(3)))
    assert (state.dukes[1].coins, state.dukes[1].held) == (0, {"pillar": 6})


def test_building_phase_example_with_one_pillar_left_over_only_five_are_drawn() -> None:
    state = apply(player_2_with_3_coins(pillar=1), *(TakePillars(seat=1) for _ in range(3)))
    assert (state.dukes[1].coins, state.dukes[1].held) == (0, {"pillar": 6})


def test_building_phase_each_cobblestone_marking_holds_a_pillar_before_the_next_tile() -> None:
    state = with_held(to_building(begin(2)), 0, {"tile": 2, "pillar": 3})
    state = apply(state, PlaceTile(seat=0, tower="left", cobbles=2))
    above = PlaceTile(seat=0, tower="left")
    refused(state, above, "tile.next-level")
    refused(apply(state, PlacePillars(seat=0, tower="left", level=1, count=2, cobbles=1)), above, "tile.cobbles")
    state = apply(state, PlacePillars(seat=0, tower="left", level=1, count=3), above)
    assert (len(state.dukes[0].castle.left), state.dukes[0].castle.left[0].pillars) == (2, 3)


def test_building_phase_three_foundations_make_three_towers() -> None:
    state = with_held(to_building(begin(2)), 0, {"tile": 3})
    towers = ("left", "middle", "right")
    state = apply(state, *(PlaceTile(seat=0, tower=tower) for tower in towers))  # type: ignore[arg-type]
    assert GAME.tally(state).players[0].levels == (1, 1, 1)


@pytest.mark.parametrize(("height", "legal"), [(1, False), (2, True), (3, True)])
def test_roof_tiles_from_level_three(height: int, legal: bool) -> None:
    state = with_held(to_building(with_castles(begin(2), Castle(middle=stack(height)))), 0, {"tile": 1})
    if legal:
        state = apply(state, PlaceRoof(seat=0, tower="middle"))
        state = with_held(state, 0, {"tile": 1, "pillar": 1})
        refused(state, PlacePillars(seat=0, tower="middle", level=height + 1), "roof.closed")
        refused(state, PlaceTile(seat=0, tower="middle"), "roof.closed")
    else:
        refused(state, PlaceRoof(seat=0, tower="middle"), "roof.level")


def test_bridge_tiles_level_three_is_valid_and_level_four_is_not() -> None:
    """Both front towers have bridge ends on level 3; on level 4 the left one has none."""
    left = (*stack(3), floor(ends=False))
    state = with_castles(begin(2), Castle(left=left, right=stack(4)))
    state = with_held(to_building(state), 0, {"tile": 2})
    state = apply(state, PlaceBridge(seat=0, level=3))
    refused(state, PlaceBridge(seat=0, level=4), "bridge.ends")
    refused(state, PlaceBridge(seat=0, level=2), "bridge.level")
    assert GAME.tally(state).players[0].bridges == 1


def test_construction_deck_two_braziers_held_and_two_drawn_make_three() -> None:
    state = with_held(to_building(begin(2)), 0, {"brazier": 2})
    state = apply(state, DrawConstruction(seat=0, items={"brazier": 2}))
    assert (state.dukes[0].held, state.dukes[0].coins) == ({"brazier": 3}, 1)


def test_construction_deck_limits_on_a_tile() -> None:
    castle = Castle(left=roofed(3))
    state = with_castles(begin(2), castle)
    state = with_held(to_building(state), 0, {"brazier": 3, "battlement": 2, "cauldron": 3, "ballista": 3})

    def arm(item: str) -> ArmTop:
        return ArmTop(seat=0, item=item, tower="left", level=3)  # type: ignore[arg-type]

    refused(state, arm("cauldron"), "battlement.slots")
    state = apply(state, arm("brazier"), arm("brazier"), arm("battlement"))
    refused(state, arm("brazier"), "brazier.limit")
    refused(state, arm("battlement"), "battlement.limit")
    state = apply(state, arm("cauldron"), arm("ballista"), arm("ballista"))
    for item in ("cauldron", "ballista"):
        refused(state, arm(item), "battlement.slots")
    assert ratings(state, 0) == Dials(defence=3, offence=5)


# Guest Phase


def test_guest_phase_half_of_the_twelve_cards_stay_unrevealed() -> None:
    cards_seen = len([turn for turn in range(1, 10) if turn >= 4])
    assert CARDS - cards_seen == CARDS // 2


# Dragon Attack


def attacked(castle: Castle, *chits: Chit) -> State:
    """North has met the dragon with 4 damage to take and drawn these chits, made up to five with pillars."""
    state = replace(to_dragon(with_castles(begin(2), castle)), first=0)
    state = apply(state, *(FaceDragon(seat=seat, rating="offence") for seat in (0, 1)))
    return apply(state, DrawChits(seat=0, chits=(*chits, *PILLARS[len(chits) :])))


def test_dragon_a_duke_with_zero_decors_gets_away_with_a_decor_chit() -> None:
    state = attacked(hall(), Chit(kind="decor", count=2))
    after = apply(state, PickChit(seat=0, chit=0))
    assert after.dukes[0].castle == state.dukes[0].castle
    assert len(choices(after, PickChit)) == 4


def test_dragon_a_castle_with_nothing_on_it_takes_no_damage() -> None:
    state = attacked(Castle())
    state = apply(state, *(PickChit(seat=0, chit=chit) for chit in range(4)))
    assert state.dukes[0].castle == Castle()
    assert state.dukes[0].attack is not None


def test_dragon_example_one_floor_tile_chit_back_in_the_bag_for_the_next_duke() -> None:
    state = replace(to_dragon(begin(2)), first=0)
    state = apply(state, *(FaceDragon(seat=seat, rating="offence") for seat in (0, 1)))
    refused(state, DrawChits(seat=0, chits=(Chit(kind="tile"),) * 5), "dragon.one-tile-chit")
    with_tile = (Chit(kind="tile"), *PILLARS[1:])
    state = apply(state, DrawChits(seat=0, chits=with_tile), *(PickChit(seat=0, chit=chit) for chit in range(4)))
    apply(state, DrawChits(seat=1, chits=with_tile))


def test_dragon_a_two_on_a_chit_removes_two() -> None:
    state = apply(attacked(Castle(left=(floor(pillars=3),)), Chit(kind="pillar", count=2)), PickChit(seat=0, chit=0))
    spare = Lose(seat=0, what="pillar", tower="left", level=1)
    state = apply(state, spare, spare)
    assert state.dukes[0].castle.left[0].pillars == 1
    assert not choices(state, Lose)


# Collapsing Penalty


def test_collapse_one_token_for_several_pieces_and_a_second_for_the_next_accident() -> None:
    state = to_building(with_castles(begin(2), Castle(left=stack(2))))
    state = apply(state, Crumble(seat=0), TakeDown(seat=0, what="tile", tower="left", level=2))
    state = apply(state, TakeDown(seat=0, what="pillar", tower="left", level=1, cobble=True))
    assert (state.dukes[0].crumbles, state.dukes[0].loose) == (1, {"tile": 1, "pillar": 2})
    state = apply(state, PlacePillars(seat=0, tower="left", level=1), Crumble(seat=0))
    assert state.dukes[0].crumbles == 2
    assert (
        GAME.score(apply(state, Settle(seat=0))).total(0)
        == GAME.score(to_building(with_castles(begin(2), Castle(left=stack(1))))).total(0) - 4
    )


def test_collapse_pieces_go_back_or_somewhere_else() -> None:
    state = to_building(with_castles(begin(2), Castle(left=stack(2), right=stack(1))))
    state = apply(state, Crumble(seat=0), TakeDown(seat=0, what="tile", tower="left", level=2))
    state = apply(state, PlaceTile(seat=0, tower="right"), Settle(seat=0))
    assert GAME.tally(state).players[0].levels == (1, 0, 2)


# FAQ


def test_faq_extra_item_removal_of_a_room_takes_all_in_it() -> None:
    castle = hall(table=True, coffer=True, living={"king": 1, "knight": 1, "serf": 2})
    state = apply(attacked(castle, Chit(kind="room")), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="room", tower="left", level=1))
    assert state.dukes[0].castle.left[0].rooms == ()
    gone = {piece: count for piece, count in state.discard.items() if piece != "room"}
    assert gone == {"king": 1, "knight": 1, "serf": 2, "table": 1, "coffer": 1}


def test_faq_extra_item_removal_of_a_tile_takes_the_room_on_it() -> None:
    state = apply(attacked(hall(table=True), Chit(kind="tile")), PickChit(seat=0, chit=0))
    rooms = state.discard["room"]
    state = apply(state, Lose(seat=0, what="tile", tower="left", level=1))
    assert state.dukes[0].castle == Castle()
    assert (state.discard["tile"], state.discard["room"] - rooms, state.discard["table"]) == (1, 1, 1)


def test_faq_extra_item_removal_of_the_last_pillar_takes_the_floor_above_without_a_token() -> None:
    full = floor(rooms=(Room(card=KITCHEN, table=True, king=1),))
    state = apply(attacked(Castle(left=(floor(), full)), Chit(kind="pillar")), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="pillar", tower="left", level=1, cobble=True))
    assert GAME.tally(state).players[0].levels == (1, 0, 0)
    assert (state.discard["tile"], state.discard["pillar"], state.discard["king"]) == (1, 2, 1)
    assert state.dukes[0].crumbles == 0


def test_faq_spare_pillars_are_fodder() -> None:
    state = attacked(Castle(left=(floor(pillars=2), floor())), Chit(kind="pillar"))
    state = apply(state, PickChit(seat=0, chit=0), Lose(seat=0, what="pillar", tower="left", level=1))
    assert GAME.tally(state).players[0].levels == (2, 0, 0)


def test_faq_items_are_added_to_lower_levels_later() -> None:
    state = with_cards(to_building(with_castles(begin(2), Castle(left=stack(3)))), 0, A_CARD)
    state = apply(with_held(state, 0, {"pillar": 1}), BuildRoom(seat=0, tower="left", level=1))
    state = apply(state, PlacePillars(seat=0, tower="left", level=2))
    assert state.dukes[0].castle.left[1].pillars == 2


def test_faq_what_has_run_out_cannot_be_taken_until_it_comes_back() -> None:
    state = to_building(begin(2))
    state = replace(state, stock={**state.stock, "tile": 0}, corrected=True)
    refused(state, DrawTile(seat=0), "supply.limited", final=True)
    back = GAME.apply(replace(state, discard={"tile": 2}), DrawTile(seat=0)).state
    assert (back.dukes[0].held, back.stock["tile"], back.discard) == ({"tile": 1}, 1, {})


# Game End


def test_game_end_twelve_rounds_with_a_certain_dragon() -> None:
    state = begin(2, turns=12)
    for turn in (10, 11):
        calm = past_building(replace(to_turn(state, turn), attacks=(4, 7)))
        assert calm.phase == "guest-card"
        fire = RevealGuests(cards=(replace(KING, fire=True),))
        assert apply(calm, fire).turn == turn + 1
    assert past_building(replace(to_turn(state, 12), attacks=(4, 7))).phase == "dragon"


# Victory Points


def comfort(*values: int) -> list[int]:
    """What the contest for comfort pays."""
    names = ("North", "East", "South", "West")
    tally = Tally(
        players=tuple(DukeTally(name=name, comfort=value) for name, value in zip(names, values, strict=False))
    )
    return [line.points for line in sheet(tally).lines if line.key == "comfort"]


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ((9, 5, 2), [6, 3, 0]),
        ((9, 9, 2), [4, 4, 0]),
        ((9, 9, 9), [3, 3, 3]),
        ((9, 9, 9, 9), [2, 2, 2, 2]),
        ((9, 5, 5), [6, 1, 1]),
        ((9, 5, 5, 5), [6, 1, 1, 1]),
    ],
)
def test_victory_points_tie_splits(values: tuple[int, ...], points: list[int]) -> None:
    assert comfort(*values) == points


# Single Player Mode


def test_single_player_one_point_for_every_two_levels_and_part_of() -> None:
    points = []
    for levels in range(6):
        tally = Tally(players=(DukeTally(name="North", levels=(levels, 0, 0)),), ai=AiTally())
        points += [line.points for line in sheet(tally).lines if line.key == "tallest"]
    assert points == [0, 1, 1, 2, 2, 3]


def test_single_player_awesome_gets_two_rooms_on_even_turns() -> None:
    state = begin(1, solo="awesome")
    for turn in range(1, 4):
        empty = [slot for slot, lying in enumerate(state.boards[0]) if lying.card is None]
        state = apply(state, *(NameRoom(slot=slot, card=Card(name=f"{turn}.{slot}")) for slot in empty))
        taken = 0
        while state.phase == "room":
            taken += state.buyer == 1
            state = apply(state, AiTakes() if state.buyer == 1 else PassRooms(seat=0))
        assert taken == (2 if turn % 2 == 0 else 1)
        state = apply(state, FinishBuilding(seat=0))


def test_single_player_discards_the_room_and_takes_its_ratings() -> None:
    cards = [Card(name="Low", comfort=1), Card(name="High", comfort=3, defence=1, vp=2), *[A_CARD] * 3]
    state = apply(
        begin(1), *(NameRoom(slot=slot, card=card) for slot, card in enumerate(cards)), AiTakes(die="comfort")
    )
    assert state.ai is not None
    assert (state.ai.comfort, state.ai.defence, state.ai.offence) == (3, 1, 0)
    assert state.discard == {"room": 1}
    assert not state.boards[0][1].filled
