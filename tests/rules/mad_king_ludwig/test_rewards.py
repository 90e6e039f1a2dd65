"""Completing rooms: the eight rewards, their order, and what happens in between."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig.actions import (
    Buy,
    DeclineReward,
    DrawBonus,
    Pass,
    PeekStack,
    PlaceRoom,
    ReturnBonus,
    TakeCorridor,
    TakeReward,
)
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.placement import previews
from companion.rules.mad_king_ludwig.state import Reward, Spot, Turn
from tests.rules.mad_king_ludwig.table import Table, table

PARLOR = "foyer@0,0 parlor@3,0 broom-closet@6,1/90 cloak-room@4,-2"
"""The Parlor lacks only its lower entrance."""
ORATORY = "foyer@0,0 great-hall@3,0 oratory@10,0/180"
GATED = "foyer@0,0 gatehouse@3,1/90"
BELOW = "foyer@0,0 stairs@1,3/270"
TWO_BELOW = f"{BELOW} the-hole@0,6/180 stairs@3,1/180"
"""One downstairs room complete, and a second flight of stairs ready for the next."""


def place(laid: Table, x: int, y: int, turn: int = 0) -> Table:
    return laid.do(PlaceRoom(seat=0, spot=Spot(x=x, y=y, turn=turn)))  # type: ignore[arg-type]


def completing(castle: str, room: str, index: int) -> Spot:
    """A spot in which a room completes another."""
    return next(each.spot for each in previews(read(castle), room) if index in each.completes)


def take(laid: Table, kind: str) -> Table:
    """Say which of the rewards that wait comes next."""
    waiting = [reward.kind for reward in laid.turn.rewards]
    assert len(waiting) > 1
    return laid.do(TakeReward(seat=0, reward=waiting.index(kind)))  # type: ignore[arg-type]


# The rewards that come at once


def test_living_is_scored_again() -> None:
    laid = place(table(PARLOR, hand="anteroom", options={"bonus": "hidden"}), 3, 3, 0)
    assert laid.player().rewards == 4
    assert "+4 Parlor is scored again." in [fact.text for fact in laid.facts]


def test_living_is_scored_again_with_its_centre() -> None:
    """The Study pays 1 for each living room it is joined to: 4 + 1 when it is complete."""
    castle = "foyer@0,0 study@3,0 parlor@6,0 cloak-room@4,-2"
    laid = table(castle, hand="powder-room", options={"bonus": "hidden"})
    laid.do(PlaceRoom(seat=0, spot=completing(castle, "powder-room", 1)))
    assert laid.player().rewards == 5


def test_activity_brings_5() -> None:
    laid = place(table(ORATORY, hand="broom-closet", options={"bonus": "hidden"}), 11, 2, 180)
    assert laid.player().rewards == 5
    assert "reward.activity" in laid.rules()


def test_outdoor_brings_10000() -> None:
    laid = place(table(GATED, hand="broom-closet", options={"bonus": "hidden"}), 1, 4, 270)
    assert laid.player().marks == 25000
    assert laid.changes("marks") == [10000]


def test_rewards_whose_order_cannot_matter_are_paid_at_once() -> None:
    """ruling.order-free: the Parlor is scored again while the closet's bonus cards are still to be drawn."""
    laid = place(table(PARLOR, hand="powder-room"), 4, 3, 180)
    assert laid.player().rewards == 4
    assert laid.labels() == ["Draw 2 bonus cards"]


# Utility


def test_utility_draws_two_and_keeps_one() -> None:
    laid = place(table(hand="broom-closet"), 3, 1, 90)
    assert laid.labels() == ["Draw 2 bonus cards"]
    laid.refuses(DrawBonus(seat=0, cards=("cash",)), "setup.bonus", final=True)
    laid.do(DrawBonus(seat=0, cards=("cash", "hallways")))
    laid.refuses(ReturnBonus(seat=0, card="stairs"), "setup.bonus", final=True)
    laid.do(ReturnBonus(seat=0, card="hallways"))
    assert laid.player().bonus == ("cash",)
    assert laid.state.returned == ("hallways",)
    assert laid.turn.seat == 1


def test_utility_with_hidden_cards_asks_nothing() -> None:
    laid = place(table(hand="broom-closet", options={"bonus": "hidden"}), 3, 1, 90)
    assert laid.player().bonus == ("?",)
    assert laid.turn.seat == 1


def test_bonus_cards_run_out() -> None:
    """ruling.bonus-runs-out: the last card is kept, and after it there is nothing."""
    laid = table(hand="broom-closet")
    other = replace(laid.player(1), bonus=("?",) * 26)
    laid = Table(replace(laid.state, players=(laid.player(0), other)))
    place(laid, 3, 1, 90).do(DrawBonus(seat=0, cards=("cash",)))
    assert laid.player().bonus == ("cash",)
    assert laid.turn.seat == 1


def test_no_bonus_card_is_left() -> None:
    laid = table(hand="broom-closet")
    other = replace(laid.player(1), bonus=("?",) * 27)
    laid = Table(replace(laid.state, players=(laid.player(0), other)))
    place(laid, 3, 1, 90)
    assert "ruling.bonus-runs-out" in laid.rules()
    assert laid.player().bonus == ()


# Food


def test_food_brings_another_turn_before_the_next_player() -> None:
    """ruling.extra-turn-pays"""
    castle = "foyer@0,0 buttery@3,1"
    laid = table(castle, hand="broom-closet", options={"bonus": "hidden"}, market=("larder",))
    laid.do(PlaceRoom(seat=0, spot=completing(castle, "broom-closet", 1)))
    take(laid, "food")
    assert (laid.turn.seat, laid.turn.number, laid.turn.buys) == (0, 1, True)
    marks = laid.player().marks
    laid.do(Buy(seat=0, room="larder"))
    assert laid.player().marks == marks - 4000


def test_an_extra_turn_may_be_passed() -> None:
    castle = "foyer@0,0 buttery@3,1"
    laid = table(castle, hand="broom-closet", options={"bonus": "hidden"})
    laid.do(PlaceRoom(seat=0, spot=completing(castle, "broom-closet", 1)))
    take(laid, "food")
    laid.do(Pass(seat=0))
    assert laid.player().marks == 20000
    assert laid.turn.seat == 1


# Sleeping


def sleeping(**changes: Any) -> Table:
    castle = "foyer@0,0 solar@3,1/180"
    laid = table(castle, hand="broom-closet", options={"bonus": "hidden"}, **changes)
    laid.do(PlaceRoom(seat=0, spot=completing(castle, "broom-closet", 1)))
    take(laid, "sleeping")
    assert laid.turn.doing is not None
    return laid


def test_sleeping_lays_tiles_on_the_deck() -> None:
    laid = sleeping()
    before = laid.state.stacks["300"]
    laid.do(PeekStack(seat=0, size="300", rooms=("kitchen", "scullery")))
    assert laid.state.laid == ("kitchen", "scullery")
    assert laid.state.stacks["300"] == before - 2


def test_a_tile_may_be_kept_secret_from_the_companion() -> None:
    laid = sleeping().do(PeekStack(seat=0, size="300", rooms=("?", "?")))
    assert laid.state.laid == ("?", "?")


def test_sleeping_may_lay_none() -> None:
    laid = sleeping().do(PeekStack(seat=0, size="300"))
    assert laid.state.laid == ()


def test_what_cannot_be_in_the_stack_cannot_be_laid() -> None:
    laid = sleeping()
    laid.refuses(PeekStack(seat=0, size="300", rooms=("larder",)), "draw.once", final=True)
    laid.refuses(PeekStack(seat=0, size="200", rooms=("solar",)), "draw.once", final=True)
    laid.refuses(PeekStack(seat=0, size="300", rooms=("kitchen", "kitchen")), "reward.sleeping", final=True)
    three = ("kitchen", "scullery", "sauna")
    laid.refuses(PeekStack(seat=0, size="300", rooms=three), "reward.sleeping", final=True)


def test_in_the_last_round_chosen_tiles_leave_the_game() -> None:
    laid = sleeping(last_round=True, deck=0, stacks={**table().state.stacks, "600": 2})
    laid.do(PeekStack(seat=0, size="600", rooms=("stables", "vestibule")))
    assert laid.state.stacks["600"] == 0
    assert "reward.sleeping-last" in laid.rules()


def test_a_stack_that_is_empty_cannot_be_looked_through() -> None:
    laid = sleeping(stacks={**table().state.stacks, "600": 0})
    laid.refuses(PeekStack(seat=0, size="600"), "reward.sleeping", final=True)


def test_what_is_laid_stays_secret() -> None:
    laid = sleeping()
    action = PeekStack(seat=0, size="300", rooms=("kitchen",))
    assert GAME.public_action(laid.state, action) == PeekStack(seat=0, size="300", rooms=("?",))
    assert "Kitchen" not in GAME.label(laid.state, action)
    laid.do(action)
    assert not any("Kitchen" in fact.text for fact in laid.facts)
    assert GAME.public_state(laid.state).laid == ("?",)


# Corridor


def test_corridor_brings_a_free_tile() -> None:
    laid = place(table(BELOW, hand="crypt"), 1, 6, 90)
    assert laid.labels() == [
        "Take a free Hallway",
        "Take a free Downstairs Hallway",
        "Take a free Stairs",
        "Do without",
    ]
    marks, halls = laid.player().marks, laid.state.hallways
    laid.do(TakeCorridor(seat=0, room="downstairs-hallway"))
    assert (laid.player().marks, laid.state.hallways) == (marks, halls - 1)
    assert laid.turn.hand is not None
    assert laid.turn.hand.free


def test_corridor_may_be_declined() -> None:
    laid = place(table(BELOW, hand="crypt"), 1, 6, 90).do(DeclineReward(seat=0))
    assert laid.turn.seat == 1


def test_corridor_once_a_turn() -> None:
    """The free stairs complete themselves at once: no second free tile."""
    castle = f"{BELOW} crypt@1,6/90"
    laid = table(castle, hand="stairs")
    turn = replace(laid.turn, corridor_taken=(0,))
    laid = Table(replace(laid.state, turn=turn))
    place(laid, 3, 1, 180)
    assert laid.turn.seat == 1
    laid = Table(replace(table(f"{BELOW} stairs@3,1/180", hand="the-hole").state))
    laid = Table(replace(laid.state, turn=replace(laid.turn, corridor_taken=(0,))))
    place(laid, 0, 6, 180)
    assert "reward.corridor-once" in laid.rules()
    assert laid.turn.seat == 1


def test_an_extra_turn_has_a_corridor_reward_of_its_own() -> None:
    laid = table(f"{BELOW} stairs@3,1/180", hand="the-hole")
    laid = Table(replace(laid.state, turn=replace(laid.turn, corridor_taken=(0,), number=1)))
    place(laid, 0, 6, 180)
    assert laid.turn.doing is not None
    assert laid.turn.doing.kind == "corridor"


def test_two_corridors_completed_together_bring_one_tile() -> None:
    """ruling.corridor-lapses: of two corridor rooms completed in one turn one reward is taken, the other lapses."""
    laid = table(f"{BELOW} crypt@1,6/90 larder@3,0")
    two = (Reward(kind="corridor", rooms=(0,)), Reward(kind="corridor", rooms=(1,)))
    laid = Table(replace(laid.state, turn=replace(laid.turn, buys=False, rewards=two)))
    laid.do(TakeReward(seat=0, reward=1))
    assert (laid.turn.corridor_taken, laid.turn.rewards) == ((0,), ())
    laid.do(DeclineReward(seat=0))
    assert laid.turn.seat == 1


def test_a_corridor_of_the_first_turn_waits_through_the_extra_one() -> None:
    laid = table(f"{BELOW} crypt@1,6/90 larder@3,0")
    three = (Reward(kind="food", rooms=(3,)), Reward(kind="corridor", rooms=(1,)), Reward(kind="utility", rooms=(0,)))
    laid = Table(replace(laid.state, turn=replace(laid.turn, buys=False, rewards=three)))
    laid.do(TakeReward(seat=0, reward=0), Pass(seat=0))
    assert [reward.kind for reward in laid.turn.rewards] == ["corridor", "utility"]
    laid.do(TakeReward(seat=0, reward=0))
    assert laid.turn.corridor_taken == (0,)


@pytest.mark.parametrize(("number", "waiting"), [(0, 0), (1, 1)])
def test_a_free_tile_belongs_to_the_turn_that_earned_it(number: int, waiting: int) -> None:
    """ruling.reward-keeps-its-turn: the Foyer completed by a free tile after an extra turn is of the turn before it."""
    laid = table("foyer@0,0 larder@3,0 broom-closet@-2,0/270 crypt@30,30")
    reward = Reward(kind="corridor", rooms=(0,), turn=number)
    laid = Table(replace(laid.state, turn=replace(laid.turn, buys=False, number=1, corridor_taken=(0,), doing=reward)))
    laid.do(TakeCorridor(seat=0, room="hallway"))
    assert laid.turn.hand is not None
    assert laid.turn.hand.turn == number
    other = Turn(seat=0, number=1, buys=False, corridor_taken=(0,), hand=laid.turn.hand)
    laid = Table(replace(laid.state, turn=other))
    laid.do(PlaceRoom(seat=0, spot=completing("foyer@0,0 larder@3,0 broom-closet@-2,0/270", "hallway", 0)))
    assert ("reward.corridor-once" in laid.rules()) is (waiting == 0)
    assert laid.turn.seat == (0 if waiting else 1)


def test_no_stairs_left() -> None:
    laid = place(table(BELOW, hand="crypt", stairs=0), 1, 6, 90)
    laid.refuses(TakeCorridor(seat=0, room="stairs"), "buy.corridor", final=True)
    laid.refuses(TakeCorridor(seat=0, room="larder"), "buy.corridor", final=True)


# Downstairs


def test_the_first_downstairs_room_brings_nothing() -> None:
    laid = place(table(f"{BELOW} hallway@3,1", hand="the-hole"), 0, 6, 180)
    assert "reward.downstairs" in laid.rules()
    assert all(reward.kind != "downstairs" for reward in laid.turn.rewards)


@pytest.mark.parametrize("chosen", ["living", "activity", "sleeping", "outdoor", "utility", "food", "corridor"])
def test_every_second_downstairs_room_brings_any_other_reward(chosen: str) -> None:
    """ruling.every-second-below"""
    laid = place(table(TWO_BELOW, hand="bottomless-pit"), 6, 0, 270)
    kinds = [reward.kind for reward in laid.turn.rewards]
    assert sorted(kinds) == ["corridor", "downstairs"]
    place_of = kinds.index("downstairs")
    laid.do(TakeReward(seat=0, reward=place_of, chosen=chosen))  # type: ignore[arg-type]
    expected = {"living": 3, "activity": 5}.get(chosen, 0)
    assert laid.player().rewards == expected
    assert laid.player().marks == (25000 if chosen == "outdoor" else 15000)
    if chosen in ("sleeping", "utility", "corridor"):
        assert laid.turn.doing is not None
        assert laid.turn.doing.kind == chosen
    if chosen == "food":
        assert (laid.turn.number, laid.turn.buys) == (1, True)


def test_downstairs_must_choose_another_kind() -> None:
    laid = place(table(TWO_BELOW, hand="bottomless-pit"), 6, 0, 270)
    at = [reward.kind for reward in laid.turn.rewards].index("downstairs")
    laid.refuses(TakeReward(seat=0, reward=at), "reward.downstairs", final=True)
    laid.refuses(TakeReward(seat=0, reward=at, chosen="downstairs"), "reward.downstairs", final=True)
    laid.refuses(TakeReward(seat=0, reward=at, chosen="living", room=0), "reward.downstairs")
    laid.refuses(TakeReward(seat=0, reward=9), "complete.order", final=True)


def test_downstairs_corridor_counts_as_the_turns_own() -> None:
    """ruling.below-corridor-once"""
    laid = place(table(TWO_BELOW, hand="bottomless-pit"), 6, 0, 270)
    at = [reward.kind for reward in laid.turn.rewards].index("corridor")
    laid.do(TakeReward(seat=0, reward=at), DeclineReward(seat=0))
    laid.refuses(TakeReward(seat=0, reward=0, chosen="corridor"), "reward.corridor-once")


def test_rescoring_counts_the_castle_as_it_stands() -> None:
    """ruling.below-rescore: the Bottomless Pit has 3 and 1 for each outdoor room."""
    castle = f"{TWO_BELOW} gatehouse@-2,1/270"
    laid = place(table(castle, hand="bottomless-pit"), 6, 0, 270)
    at = [reward.kind for reward in laid.turn.rewards].index("downstairs")
    laid.do(TakeReward(seat=0, reward=at, chosen="living"))
    assert laid.player().rewards == 4


@pytest.mark.parametrize(("once", "waiting"), [(False, 1), (True, 0)])
def test_downstairs_once_a_turn_is_an_option(once: bool, waiting: int) -> None:
    laid = table(TWO_BELOW, hand="bottomless-pit", options={"downstairs_once": once})
    laid = Table(replace(laid.state, turn=replace(laid.turn, below_taken=(0,))))
    place(laid, 6, 0, 270)
    kinds = [reward.kind for reward in laid.turn.rewards]
    assert kinds.count("downstairs") == waiting


def test_rewards_wait_for_no_one_else() -> None:
    laid = place(table(BELOW, hand="crypt"), 1, 6, 90)
    laid.refuses(TakeCorridor(seat=1, room="stairs"), "buy.order", final=True)
    laid.refuses(PeekStack(seat=0, size="100"), "reward.sleeping", final=True)
    laid.refuses(Pass(seat=0), "buy.room", final=True)
