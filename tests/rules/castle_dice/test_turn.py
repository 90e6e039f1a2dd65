"""The ten phases around the gathering: who goes first, cards, dice, cows, market, workers, merchants."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.rules.base import Correction, Referee, Setup
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import (
    DiscardCard,
    DrawCards,
    FinishBuilding,
    GoToMarket,
    KeepVillagers,
    NameCards,
    NameFirst,
    PickDice,
    PlayBrother,
    ReadTracker,
    RollFirst,
    RollWorld,
    StopTrading,
    SwapVillager,
    UseMerchant,
    WorkersProduce,
)
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.state import Animal, Resource
from tests.rules.castle_dice.table import SEATS, Table, gathering, lay, table, with_east


def start(players: int = 3, **options: str) -> Table:
    return Table(GAME.setup(Setup(seats=SEATS[:players], options=dict(options))))


def fresh_turn(laid: Table, turn: int = 2) -> Table:
    return Table(phases.start_turn(Referee(GAME.rulebook), replace(laid.state, turn=turn)))


# 1 Who goes first


def test_the_most_wood_goes_first() -> None:
    begun = start().do(RollFirst(wood=(1, 5, 3)))
    assert (begun.state.first, begun.state.active, begun.state.phase) == (1, 1, "cards")


def test_those_tied_roll_again() -> None:
    begun = start().do(RollFirst(wood=(4, 1, 4)))
    assert begun.state.rollers == (0, 2)
    begun.refuses(NameFirst(seat=1), "ruling.first-roll-tied")
    begun.refuses(RollFirst(wood=(1, 2, 3)), "first.wood", final=True)
    begun.do(RollFirst(wood=(0, 2)))
    assert begun.state.first == 2
    begun.refuses(RollFirst(wood=(1, 2)), "first.wood", final=True)


def test_afterwards_the_most_horses_go_first() -> None:
    assert fresh_turn(with_east(table(3), animals={"horse": 1})).state.first == 1


def test_without_the_most_horses_the_left_of_the_last_goes_first() -> None:
    tied = with_east(table(3, animals={"horse": 1}), animals={"horse": 1})
    assert fresh_turn(tied).state.first == 1
    last = Table(replace(tied.state, first=2))
    assert fresh_turn(last).state.first == 0


# 2 Cards


def test_the_rulebooks_example_of_drawing() -> None:
    begun = table(2, "cards", hidden={"castle": 2, "village": 1})
    begun.do(DiscardCard(seat=0, deck="castle"), DiscardCard(seat=0, card="Guard"))
    begun.refuses(DrawCards(seat=0, castle=1, village=2), "cards.hand")
    begun.do(DrawCards(seat=0, castle=1, village=3))
    assert begun.north.hidden == {"castle": 2, "village": 3, "market": 0}
    assert begun.state.active == 1
    assert begun.state.decks["village"].discard == {"Guard": 1}
    assert begun.state.decks["castle"].unnamed == 1


def test_the_most_chickens_draw_to_six() -> None:
    begun = table(2, "cards", hidden={"castle": 5}, animals={"chicken": 1})
    begun.refuses(DrawCards(seat=0), "cards.hand")
    begun.do(DrawCards(seat=0, village=1))


def test_market_cards_do_not_count() -> None:
    begun = table(2, "cards", hidden={"castle": 3, "market": 4})
    begun.refuses(DrawCards(seat=0, castle=1), "cards.hand")
    begun.do(DrawCards(seat=0, castle=2))


def test_a_hand_too_big_is_discarded_down() -> None:
    begun = table(2, "cards", hidden={"castle": 6})
    begun.refuses(DrawCards(seat=0), "ruling.hand-too-big")
    begun.do(DiscardCard(seat=0, deck="castle"), DrawCards(seat=0))


def test_a_deck_that_runs_out_is_shuffled_anew() -> None:
    begun = table(2, "cards", hidden={"castle": 1})
    few = replace(begun.state.decks["village"], draw=1, discard={"Worker": 8}, unnamed=38)
    begun = Table(replace(begun.state, decks={**begun.state.decks, "village": few}))
    begun.do(DrawCards(seat=0, village=4))
    assert "cards.reshuffle" in begun.rules()
    assert begun.state.decks["village"].draw == 43


def test_cards_are_drawn_in_turn_and_in_their_phase() -> None:
    begun = table(2, "cards")
    begun.refuses(DrawCards(seat=1, castle=5), "turn.order")
    Table(replace(begun.state, phase="build")).refuses(DrawCards(seat=0, castle=5), "turn.phases")
    begun.refuses(DiscardCard(seat=0, deck="castle"), "cards.have", final=True)
    begun.refuses(DiscardCard(seat=0), "cards.have", final=True)
    begun.refuses(DiscardCard(seat=0, card="Dragon"), "card.learned", final=True)


def test_hands_can_be_told_in_secret() -> None:
    begun = start(2, hands="known").do(NameFirst(seat=0), DrawCards(seat=0, castle=2, village=3))
    secret = next(prompt for prompt in GAME.prompts(begun.state) if prompt.secret)
    assert (secret.seat, secret.must) == (0, True)
    cards = ("Tall Keep", "Wall (Guard)", "Worker", "Worker", "Soldier")
    told = NameCards(seat=0, cards=cards)
    begun.refuses(NameCards(seat=0, cards=("Bard",)), "cards.have", final=True)
    begun.refuses(NameCards(seat=0, cards=("Wall (Guard)", "Wall (Guard)")), "cards.have")
    assert GAME.public_action(begun.state, told) == NameCards(seat=0, cards=())
    assert not any(card in GAME.label(begun.state, told) for card in cards)
    begun.do(told)
    assert not any(card in fact.text for card in cards for fact in begun.facts)
    assert begun.north.cards["Worker"] == 2
    public = GAME.public_state(begun.state).players[0]
    assert (public.cards, public.hidden) == ({}, {"castle": 2, "village": 3, "market": 0})
    hand = next(panel for panel in GAME.picture(begun.state).panels if panel.title == "Hand")
    assert (hand.secret, hand.seat) == (True, 0)


def test_a_correction_does_not_give_told_cards_away() -> None:
    state = table(2, "cards", hidden={"castle": 2}).state
    move = NameCards(seat=0, cards=("Alchemist", "Alchemist"))
    assert GAME.refusal(state, move), "the box holds one"
    hand = {"cards": {"Alchemist": 2}, "hidden": {"castle": 0, "village": 0, "market": 0}}
    for told in (
        Correction(move=msgspec.to_builtins(move)),
        Correction(set={"players/0/cards": {"Alchemist": 2}}),
        Correction(set={"players/0/cards/Alchemist": 2}),
        Correction(set={"players/0": hand}),
    ):
        public = GAME.public_action(state, told)
        assert isinstance(public, Correction)
        assert "Alchemist" not in f"{public} {GAME.label(state, told)}"
        assert not any("Alchemist" in fact.text for fact in GAME.apply(state, told).facts)
        assert (public.move is None, public.why) == (told.move is None, told.why)
    other = Correction(set={"players/0/resources/wood": 3})
    assert GAME.public_action(state, other) == other


def test_what_is_told_is_offered_in_secret_only() -> None:
    begun = table(2, "build", cards={"Worker": 1}, resources={"wood": 5, "stone": 5})
    for prompt in GAME.prompts(begun.state):
        if prompt.seat == 0:
            assert prompt.secret == any("Worker" in choice.label for choice in prompt.choices)


# 3 Dice


def wood(count: int) -> tuple[Resource, ...]:
    die: Resource = "wood"
    return (die,) * count


def dice_phase(players: int = 2, turn: int = 2, **north: Any) -> Table:
    state = replace(table(players, "dice", **north).state, turn=turn, active=None)
    return Table(phases.begin_dice(Referee(GAME.rulebook), state))


def test_the_rulebooks_example_of_choice_dice() -> None:
    begun = dice_phase()
    assert begun.north.dice == begun.east.dice == {"wood": 1, "stone": 1, "gold": 2, "land": 0, "iron": 0}
    begun.do(PickDice(seat=0, dice=("gold", "gold", "land")))
    assert begun.north.dice == {"wood": 1, "stone": 1, "gold": 4, "land": 1, "iron": 0}
    assert begun.state.active == 1


@pytest.mark.parametrize(
    ("turn", "fixed", "choice"),
    [
        (1, {"wood": 2, "stone": 2, "gold": 1}, 2),
        (2, {"wood": 1, "stone": 1, "gold": 2}, 3),
        (3, {"wood": 3, "stone": 1, "gold": 1}, 3),
        (4, {"wood": 1, "stone": 2, "gold": 1}, 3),
        (5, {"wood": 1, "stone": 1, "gold": 1, "land": 1, "iron": 1}, 2),
        (7, {"wood": 1, "stone": 2, "land": 1, "iron": 1}, 3),
    ],
)
def test_the_turn_tracker(turn: int, fixed: dict[Resource, int], choice: int) -> None:
    begun = dice_phase(turn=turn)
    assert {die: count for die, count in begun.north.dice.items() if count} == fixed
    begun.refuses(PickDice(seat=0, dice=wood(choice + 1)), "dice.choice")
    begun.do(PickDice(seat=0, dice=wood(choice)))


def test_a_die_that_is_gone_must_be_another() -> None:
    begun = dice_phase(4, 7).do(*(PickDice(seat=seat, dice=("iron", "iron", "iron")) for seat in (0, 1)))
    assert begun.state.bank["iron"] == 1
    words = begun.refuses(PickDice(seat=2, dice=("iron", "iron", "wood")), "dice.bank", final=True)
    assert words == "The bank has 1 iron die left."


def test_royal_chambers_add_up() -> None:
    begun = dice_phase(built={"Royal Chambers": 2})
    begun.refuses(PickDice(seat=0, dice=("wood",) * 3), "dice.choice")
    begun.do(PickDice(seat=0, dice=("wood",) * 5))


def test_a_loyal_brother_trades_the_fixed_dice_for_five_choices() -> None:
    begun = dice_phase(hidden={"castle": 2}).do(PlayBrother(seat=0))
    assert sum(begun.north.dice.values()) == 0
    begun.refuses(PlayBrother(seat=0), "card.brother")
    begun.do(PickDice(seat=0, dice=("iron",) * 8))


def test_dice_are_picked_in_turn_once() -> None:
    begun = dice_phase()
    begun.refuses(PickDice(seat=1, dice=("wood",) * 3), "turn.order")
    begun.do(PickDice(seat=0, dice=("wood",) * 3))
    begun.refuses(PickDice(seat=0, dice=("wood",) * 3), "dice.choice")
    table(2, "build").refuses(PickDice(seat=0, dice=("wood",)), "turn.phases")


# The Villager Choice of the cows


def cows(**north: Any) -> Table:
    begun = dice_phase(animals={"cow": 1}, **north)
    return begun.do(*(PickDice(seat=seat, dice=("wood",) * 3) for seat in (0, 1)))


def test_the_most_cows_may_change_a_villager_before_the_roll() -> None:
    begun = cows(workers=3)
    assert (begun.state.phase, begun.state.active) == ("villager", 0)
    begun.refuses(SwapVillager(seat=0, old="worker", new="worker"), "cow.choice")
    begun.refuses(SwapVillager(seat=0, old="farmer", new="worker"), "build.villager-have", final=True)
    begun.refuses(SwapVillager(seat=1, old="worker", new="farmer"), "cow.choice")
    begun.do(SwapVillager(seat=0, old="worker", new="farmer"))
    assert (begun.north.workers, begun.north.farmers, begun.state.phase) == (2, 1, "roll")


def test_a_guard_becomes_another_type_not_another_post() -> None:
    begun = cows(guards=("gold",))
    begun.refuses(SwapVillager(seat=0, old="guard gold", new="guard iron"), "cow.choice")
    begun.refuses(SwapVillager(seat=0, old="guard iron", new="worker"), "build.villager-have", final=True)
    begun.do(SwapVillager(seat=0, old="guard gold", new="merchant"))
    assert (begun.north.guards, begun.north.merchants) == ((), 1)


def test_villagers_can_be_kept() -> None:
    begun = cows(farmers=1)
    begun.refuses(KeepVillagers(seat=1), "cow.choice", final=True)
    assert begun.do(KeepVillagers(seat=0)).state.phase == "roll"


def test_without_a_villager_there_is_no_choice() -> None:
    assert cows().state.phase == "roll"


# 4 Roll


def test_barbarians_camp_and_the_rest_is_the_world() -> None:
    begun = cows().do(RollWorld(rolls="North: w1b3c s1 g1b; East: w1111 s2 g1h"))
    assert begun.north.barbarians == 2
    assert sum(begun.state.world.values()) == 12
    assert (begun.state.phase, begun.state.active) == ("gather", 0)
    begun.refuses(RollWorld(rolls=""), "turn.phases", final=True)


def test_only_barbarians_leave_nothing_to_gather() -> None:
    begun = cows().do(RollWorld(rolls="North: wbbbb sb gbb; East: wbbbb sb gbb"))
    assert begun.state.phase == "build"


# 6 Market

HERD: dict[Animal, int] = {"horse": 2, "pig": 2, "cow": 3, "chicken": 2}


def at_market(turn: int, **north: object) -> Table:
    state = replace(table(2, "market", **north).state, turn=turn, active=None)
    return Table(phases.next_at_market(Referee(GAME.rulebook), state))


def test_sets_of_animals_buy_market_cards() -> None:
    begun = at_market(2, animals=HERD)
    begun.refuses(GoToMarket(seat=0, sets=3), "market.set", final=True)
    begun.refuses(GoToMarket(seat=1, sets=0), "turn.order")
    begun.do(GoToMarket(seat=0, sets=1))
    assert begun.north.animals == {"horse": 1, "pig": 1, "cow": 2, "chicken": 1}
    assert begun.north.hidden["market"] == 1
    assert begun.state.phase == "build"


@pytest.mark.parametrize("turn", [3, 5, 7])
def test_on_holidays_all_sets_must_go(turn: int) -> None:
    begun = at_market(turn, animals=HERD)
    begun.refuses(GoToMarket(seat=0, sets=1), "market.holiday")
    begun.overrule(GoToMarket(seat=0, sets=1))


def test_on_other_days_one_may_stay_away() -> None:
    assert at_market(4, animals=HERD).do(GoToMarket(seat=0, sets=0)).state.phase == "build"


def test_sets_go_only_as_far_as_there_are_market_cards() -> None:
    begun = table(2, "market", animals={"horse": 9, "pig": 9, "cow": 9, "chicken": 9}, hidden={"market": 15})
    begun = Table(replace(begun.state, turn=3))
    begun.refuses(GoToMarket(seat=0, sets=9), "market.set", final=True)
    begun.do(GoToMarket(seat=0, sets=3))
    assert begun.state.decks["market"].draw == 0


def test_who_has_no_set_is_passed_over() -> None:
    assert at_market(3).state.phase == "build"


# 7 Workers


def test_workers_stand_from_wood_to_iron_and_produce() -> None:
    begun = table(2, "workers", workers=3, resources={"gold": 9})
    begun.do(WorkersProduce())
    assert begun.north.resources == {"wood": 1, "stone": 1, "gold": 9, "land": 0, "iron": 0}
    begun.refuses(WorkersProduce(), "turn.phases", final=True)


# 8 Merchants


def test_the_rulebooks_examples_of_merchants() -> None:
    greg = table(2, "merchants", merchants=2, resources={"wood": 1})
    greg.do(UseMerchant(seat=0, resource="wood"), UseMerchant(seat=0, resource="stone"))
    assert greg.north.resources["gold"] == 1
    alex = table(2, "merchants", merchants=2, resources={"stone": 1, "land": 1})
    alex.do(UseMerchant(seat=0, resource="stone"), UseMerchant(seat=0, resource="land"))
    assert (alex.north.resources["gold"], alex.north.resources["iron"]) == (1, 1)


def test_a_merchant_trades_once_up_one_level_and_not_past_nine() -> None:
    begun = table(2, "merchants", merchants=1, resources={"wood": 2, "stone": 9, "iron": 1})
    begun.refuses(UseMerchant(seat=0, resource="wood"), "ruling.merchant-not-past-9", final=True)
    begun.refuses(UseMerchant(seat=0, resource="iron"), "merchants.trade", final=True)
    begun.refuses(UseMerchant(seat=0, resource="gold"), "silo.have", final=True)
    begun.refuses(UseMerchant(seat=1, resource="wood"), "merchants.trade")
    begun.do(UseMerchant(seat=0, resource="stone"))
    begun.refuses(UseMerchant(seat=0, resource="stone"), "merchants.trade")


def test_merchants_may_rest() -> None:
    begun = Table(lay(table(2, "merchants", merchants=1, resources={"wood": 1}).state, 1, done=True))
    assert begun.do(StopTrading(seat=0)).state.phase == "build"
    begun.refuses(StopTrading(seat=0), "turn.phases", final=True)
    begun.refuses(UseMerchant(seat=0, resource="wood"), "turn.phases")


# Turn 6, and trackers that differ


def test_turn_six_is_asked_for_once_and_learned() -> None:
    begun = dice_phase(turn=6)
    assert sum(begun.north.dice.values()) == 0
    (prompt,) = GAME.prompts(begun.state)
    assert (prompt.rule, prompt.must, prompt.seat) == ("ruling.turn-6-dice", True, None)
    default = prompt.choices[0].action
    assert isinstance(default, ReadTracker)
    (learned,) = GAME.learns(begun.state, default)
    begun.do(default)
    assert begun.north.dice == {"wood": 2, "stone": 0, "gold": 1, "land": 0, "iron": 1}
    again = GAME.setup(Setup(seats=SEATS[:2], box={learned.table: {learned.key: learned.entry}}))
    assert again.tracker[5].sure


def test_a_tracker_that_differs_is_read_before_dice_are_picked() -> None:
    begun = dice_phase(hidden={"castle": 1}).do(PlayBrother(seat=0))
    begun.do(ReadTracker(fixed={"iron": 2}, choice=1))
    assert (begun.north.dice["iron"], begun.east.dice["iron"]) == (0, 2)
    assert GAME.learns(begun.state, ReadTracker(fixed={"iron": 2, "wood": 0}, choice=1)) == ()
    begun.do(PickDice(seat=0, dice=("wood",) * 6))
    begun.refuses(ReadTracker(fixed={}, choice=1), "dice.fixed", final=True)


def test_dice_picked_too_early_by_agreement_do_not_lock_the_table() -> None:
    begun = dice_phase(turn=6).overrule(PickDice(seat=0, dice=("land",)))
    (default, *_) = GAME.prompts(begun.state)[0].choices
    begun.do(default.action)
    assert begun.north.dice == {"wood": 2, "stone": 0, "gold": 1, "land": 1, "iron": 1}
    assert begun.state.active == 1, "North has picked"
    early = table(2, "cards").overrule(PickDice(seat=0, dice=("land", "land")))
    for seat in (0, 1):
        early.do(DrawCards(seat=seat, castle=5))
    assert (early.state.phase, early.state.active) == ("dice", 1)


# The end of a turn


def test_everything_of_a_turn_is_new_on_the_next() -> None:
    begun = Table(
        lay(table(1, "build", farmed=True, gathered=3, skips=True, moats_used=1, trades=1).state, 1, done=True)
    )
    begun.do(FinishBuilding(seat=0))
    assert begun.state.turn == 2
    north = begun.north
    assert (north.farmed, north.gathered, north.skips, north.moats_used, north.trades) == (False, 0, False, 0, 0)


def test_the_phase_strip_carries_all_ten() -> None:
    strip = GAME.picture(gathering().state).phases
    assert [mark.label.split()[0] for mark in strip] == [str(number) for number in range(1, 11)]
    assert [mark.status for mark in strip] == ["past"] * 4 + ["now"] + ["ahead"] * 5
