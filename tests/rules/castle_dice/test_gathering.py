"""Gathering: dice, animals, farmers, moats, Pork Chops, and the cards of the phase."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.castle_dice.actions import (
    BringVillager,
    DiscardCard,
    DrawCards,
    Gather,
    PassBarbarian,
    PlayAdvisor,
    PlayGrandfather,
    PlayHungryBarbarians,
    PlayJester,
    PlayMaiden,
    PlayMessenger,
    PlayShepherd,
    PlaySoldier,
    PlaySquire,
    PorkChop,
    PostGuard,
    RollBack,
    SwapVillager,
)
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.state import Animal, Face
from tests.rules.castle_dice.table import Table, gathering, with_east


def take(die: Face, seat: int = 0) -> Gather:
    return Gather(seat=seat, die=die)


# Dice


def test_a_resource_die_fills_the_silo_and_goes_back() -> None:
    begun = gathering(world={"wood 3": 1, "wood 1": 1}).do(take("wood 3"))
    assert begun.north.resources["wood"] == 3
    assert begun.state.bank["wood"] == 13
    assert begun.state.active == 1


def test_nobody_has_more_than_nine() -> None:
    begun = gathering(world={"wood 3": 2}, resources={"wood": 8}).do(take("wood 3"))
    assert begun.north.resources["wood"] == 9
    assert begun.rules() == {"silo.cap"}


def test_an_animal_die_brings_its_token() -> None:
    begun = gathering(world={"iron horse": 2}).do(take("iron horse"))
    assert begun.north.animals["horse"] == 1
    assert begun.state.tokens["horse"] == 24


def test_gathering_goes_clockwise_until_the_world_is_empty() -> None:
    begun = gathering(3, {"wood 1": 4})
    for seat in (0, 1, 2):
        assert begun.state.active == seat
        begun.do(take("wood 1", seat))
    begun.do(take("wood 1"))
    assert begun.state.phase == "build"


def test_only_what_lies_there_and_only_in_turn() -> None:
    begun = gathering(world={"wood 1": 2})
    begun.refuses(take("wood 2"), "gather.world", final=True)
    assert begun.refuses(take("wood 1", 1), "gather.one") == "It is not East's go to gather."
    begun.overrule(take("wood 1", 1))
    assert begun.east.resources["wood"] == 1
    assert begun.state.active == 0


def test_gathering_has_its_phase() -> None:
    begun = gathering(world={"wood 1": 2})
    Table(replace(begun.state, phase="build")).refuses(take("wood 1"), "turn.phases")


# Token shortage (FAQ)


def test_without_a_token_the_animal_comes_from_a_player_of_choice() -> None:
    begun = with_east(gathering(3, {"wood cow": 2}), animals={"cow": 25})
    begun.refuses(take("wood cow"), "gather.shortage", final=True)
    begun.refuses(Gather(seat=0, die="wood cow", take_from=2), "gather.shortage", final=True)
    assert Gather(seat=0, die="wood cow", take_from=1) in begun.offered()
    begun.do(Gather(seat=0, die="wood cow", take_from=1))
    assert (begun.north.animals["cow"], begun.east.animals["cow"]) == (1, 24)


def test_farmers_too_can_name_who_gives_what_the_bank_lacks() -> None:
    """The bank has one cow: of the two a farmer brings the second comes from East."""
    world: dict[Face, int] = {"wood cow": 1, "wood 1": 1}
    one = with_east(gathering(world=world, farmers=1), animals={"cow": 24})
    assert one.state.tokens["cow"] == 1
    one.do(next(action for action in one.offered() if isinstance(action, Gather) and action.farmers))
    assert (one.north.animals["cow"], one.east.animals["cow"]) == (2, 23)
    three = with_east(gathering(world=world, farmers=3), animals={"cow": 25})
    choices = [choice for prompt in GAME.prompts(three.state) for choice in prompt.choices if choice.asks]
    (choice,) = (choice for choice in choices if isinstance(choice.action, Gather))
    assert [option.label for option in choice.asks[1].options] == ["the bank", "East"]
    three.do(GAME.answered(choice, {"farmers": ("cow", "pig"), "take_from": 1}))
    assert (three.north.animals["cow"], three.north.animals["pig"], three.east.animals["cow"]) == (1, 1, 24)


def test_a_pork_chop_can_name_who_gives_what_the_bank_lacks() -> None:
    begun = with_east(gathering(animals={"pig": 1}), animals={"cow": 25})
    choices = [choice for prompt in GAME.prompts(begun.state) for choice in prompt.choices]
    (choice,) = (choice for choice in choices if isinstance(choice.action, PorkChop) and not choice.action.daughter)
    begun.do(GAME.answered(choice, {"face": "wood cow", "take_from": 1}))
    assert (begun.north.animals["cow"], begun.east.animals["cow"]) == (1, 24)


def test_without_villager_tokens_no_messenger_comes() -> None:
    none = replace(gathering(hidden={"village": 1}).state, villager_tokens=0)
    refusal = GAME.refusal(none, PlayMessenger(seat=0))
    assert refusal is not None
    assert refusal.rule == "ruling.villager-tokens"


def test_an_animal_nobody_else_has_is_not_gained() -> None:
    begun = gathering(world={"wood cow": 2}, animals={"cow": 25}).do(take("wood cow"))
    assert begun.north.animals["cow"] == 25
    assert begun.rules() == {"ruling.nobody-has-one"}


# Farmers


@pytest.mark.parametrize(
    ("farmers", "chosen", "gained"),
    [
        (1, ("pig",), {"pig": 2}),
        (2, ("cow",), {"pig": 1, "cow": 1}),
        (2, ("pig",), {"pig": 2}),
        (3, ("horse", "horse"), {"horse": 2}),
        (3, ("horse", "cow"), {"horse": 1, "cow": 1}),
    ],
)
def test_farmers_help(farmers: int, chosen: tuple[Animal, ...], gained: dict[Animal, int]) -> None:
    begun = gathering(world={"land pig": 2}, farmers=farmers).do(Gather(seat=0, die="land pig", farmers=chosen))
    assert {animal: count for animal, count in begun.north.animals.items() if count} == gained
    assert begun.north.farmed


@pytest.mark.parametrize(
    ("farmers", "chosen"), [(0, ("pig",)), (1, ("cow",)), (1, ("pig", "pig")), (2, ("pig", "cow")), (3, ("pig",))]
)
def test_farmers_bring_what_they_can(farmers: int, chosen: tuple[Animal, ...]) -> None:
    begun = gathering(world={"land pig": 2}, farmers=farmers)
    begun.refuses(Gather(seat=0, die="land pig", farmers=chosen), "gather.farmers")


def test_farmers_help_once_a_turn_and_only_with_animals() -> None:
    gathering(world={"land pig": 2}, farmers=1, farmed=True).refuses(
        Gather(seat=0, die="land pig", farmers=("pig",)), "gather.farmers"
    )
    gathering(world={"land 2": 2}, farmers=1).refuses(Gather(seat=0, die="land 2", farmers=("pig",)), "gather.farmers")


def test_farmers_need_not_help() -> None:
    begun = gathering(world={"land pig": 2}, farmers=3).do(take("land pig"))
    assert begun.north.animals["pig"] == 1
    assert not begun.north.farmed


# Deep Moat


def test_a_moat_turns_an_animal_into_its_dies_resource() -> None:
    moat = Gather(seat=0, die="iron horse", moat=True)
    begun = gathering(1, {"iron horse": 3, "iron 1": 3}, built={"Deep Moat": 2}, gathers=4).do(moat, moat)
    assert begun.north.resources["iron"] == 2
    begun.refuses(moat, "card.deep-moat")
    gathering(world={"iron 1": 1}, built={"Deep Moat": 1}).refuses(
        Gather(seat=0, die="iron 1", moat=True), "card.deep-moat"
    )


# Pork Chop


def test_the_most_pigs_may_pork_chop_and_then_skip() -> None:
    begun = gathering(world={"wood 1": 4, "iron 1": 2}, animals={"pig": 1})
    begun.do(PorkChop(seat=0, die="iron 1", face="iron 2"))
    assert begun.north.resources["iron"] == 2
    assert begun.state.chopped
    begun.do(take("wood 1", 1))
    assert begun.state.active == 1, "North skips"
    begun.do(take("wood 1", 1), take("wood 1", 1))
    assert begun.state.active == 1


def test_tied_pigs_give_no_pork_chop() -> None:
    begun = with_east(gathering(animals={"pig": 1}), animals={"pig": 1})
    begun.refuses(PorkChop(seat=0, die="wood 1", face="wood 3"), "power.most")


def test_a_wall_for_pigs_counts_for_the_pork_chop() -> None:
    begun = with_east(gathering(animals={"pig": 1}, walls=("pig",), built={"Wall (Animal)": 1}), animals={"pig": 1})
    begun.do(PorkChop(seat=0, die="wood 1", face="wood 3"))
    assert begun.north.resources["wood"] == 3


def test_pigs_give_one_pork_chop_whoever_leads() -> None:
    begun = gathering(animals={"pig": 1})
    Table(replace(begun.state, chopped=True)).refuses(
        PorkChop(seat=0, die="wood 1", face="wood 3"), "gather.one-pork-chop"
    )


def test_a_daughter_gives_another_pork_chop() -> None:
    begun = gathering(hidden={"castle": 1})
    begun = Table(replace(begun.state, chopped=True)).do(PorkChop(seat=0, die="wood 1", face="wood cow", daughter=True))
    assert begun.north.animals["cow"] == 1
    assert begun.state.decks["castle"].discard == {"Daughter": 1}
    assert begun.north.skips


def test_a_pork_chop_stays_on_its_die() -> None:
    begun = gathering(animals={"pig": 1})
    begun.refuses(PorkChop(seat=0, die="wood 1", face="iron 2"), "gather.pork-chop", final=True)
    begun.refuses(PorkChop(seat=0, die="wood 2", face="wood 3"), "gather.world", final=True)


def test_when_everyone_skips_the_rest_goes_back() -> None:
    begun = with_east(gathering(animals={"pig": 1}), hidden={"castle": 1})
    begun.do(PorkChop(seat=0, die="wood 1", face="wood 3"))
    begun.do(PorkChop(seat=1, die="wood 1", face="wood 3", daughter=True))
    assert begun.state.phase == "build"
    assert begun.state.bank["wood"] == 14
    assert "ruling.all-skip" in begun.rules()


# Cards


def test_a_card_must_be_in_hand() -> None:
    begun = gathering(guards=("gold",))
    assert begun.refuses(PlaySquire(seat=0), "cards.have") == "North holds no Squire."
    begun.overrule(PlaySquire(seat=0))
    assert begun.north.resources["gold"] == 1
    assert begun.state.decks["castle"].draw == 46


def test_every_copy_can_be_elsewhere() -> None:
    begun = gathering(hidden={"castle": 1})
    spent = replace(begun.state.decks["castle"], draw=42, discard={"Squire": 4})
    crowded = Table(replace(begun.state, decks={**begun.state.decks, "castle": spent}))
    crowded.refuses(PlaySquire(seat=0), "cards.have")


def test_a_squire_brings_what_is_guarded_instead_of_a_gather() -> None:
    begun = gathering(hidden={"castle": 1}, guards=("gold", "iron")).do(PlaySquire(seat=0))
    assert begun.north.resources == {"wood": 0, "stone": 0, "gold": 1, "land": 0, "iron": 1}
    assert begun.state.active == 1


def test_an_advisor_gives_a_gather_for_each_wall() -> None:
    begun = gathering(world={"wood 1": 5}, hidden={"castle": 1}, built={"Wall (Guard)": 1, "Volunteer": 1}).do(
        PlayAdvisor(seat=0), take("wood 1"), take("wood 1")
    )
    assert begun.state.active == 0
    begun.do(take("wood 1"))
    assert begun.state.active == 1


@pytest.mark.parametrize(
    "card",
    [
        PlayAdvisor(seat=0),
        PlayShepherd(seat=0, animal="pig"),
        PlayHungryBarbarians(seat=0, animals=("pig", "cow")),
    ],
)
def test_some_cards_come_before_the_first_gather(card: PlayAdvisor | PlayShepherd | PlayHungryBarbarians) -> None:
    begun = gathering(hidden={"castle": 1, "market": 1})
    assert GAME.refusal(begun.state, card) is None
    gathering(hidden={"castle": 1, "market": 1}, gathered=1).refuses(card, "card.first-gather")


def test_a_shepherd_takes_from_everyone() -> None:
    begun = with_east(gathering(hidden={"market": 1}, animals={"cow": 1}), animals={"cow": 3, "pig": 1})
    begun.do(PlayShepherd(seat=0, animal="cow"))
    assert (begun.north.animals["cow"], begun.east.animals["cow"], begun.east.animals["pig"]) == (4, 0, 1)


def test_hungry_barbarians_eat_two_types() -> None:
    begun = with_east(gathering(hidden={"market": 1}, animals={"cow": 1}), animals={"cow": 3, "pig": 1, "horse": 2})
    begun.refuses(PlayHungryBarbarians(seat=0, animals=("cow", "cow")), "card.hungry")
    begun.do(PlayHungryBarbarians(seat=0, animals=("cow", "pig")))
    assert sum(begun.north.animals.values()) == 0
    assert begun.east.animals == {"horse": 2, "pig": 0, "cow": 0, "chicken": 0}


def test_a_soldier_rolls_ones_barbarians_into_the_world() -> None:
    begun = gathering(hidden={"village": 1}, camp={"wood": 1, "iron": 1})
    begun.refuses(PlaySoldier(seat=0, rolls="w1"), "roll.entry", final=True)
    begun.do(PlaySoldier(seat=0, rolls="wb i2"))
    assert begun.north.camp == {"wood": 1, "stone": 0, "gold": 0, "land": 0, "iron": 0}
    assert begun.state.world["iron 2"] == 1
    assert begun.state.active == 0
    gathering(hidden={"village": 1}).refuses(PlaySoldier(seat=0, rolls=""), "card.soldier")


def test_a_jester_rolls_all_barbarians_and_hands_on_ones_own() -> None:
    begun = with_east(gathering(3, hidden={"market": 1}, camp={"wood": 1}), camp={"gold": 2})
    begun.do(PlayJester(seat=0, rolls="North: wb; East: g2b"))
    assert begun.state.world["gold 2"] == 1
    begun.refuses(PassBarbarian(seat=0, die="gold", to=1), "card.jester", final=True)
    begun.do(PassBarbarian(seat=0, die="wood", to=2))
    assert [player.barbarians for player in begun.state.players] == [0, 1, 1]
    begun.refuses(PassBarbarian(seat=0, die="wood", to=2), "card.jester", final=True)
    begun.refuses(PassBarbarian(seat=1, die="gold", to=0), "card.jester")


def test_barbarians_are_handed_on_before_gathering_only() -> None:
    begun = gathering(hidden={"market": 1}, camp={"wood": 1}).do(PlayJester(seat=0, rolls="wb"), take("wood 1"))
    begun.refuses(PassBarbarian(seat=0, die="wood", to=1), "card.jester")


def test_a_grandfather_gathers_twice_and_rolls_both_back() -> None:
    begun = gathering(world={"wood 3": 1, "iron 2": 1}, hidden={"village": 2}).do(PlayGrandfather(seat=0))
    begun.refuses(PlayGrandfather(seat=0), "ruling.one-grandfather")
    begun.do(take("wood 3"), take("iron 2"))
    assert begun.state.phase == "gather", "the dice come back into the empty world"
    assert begun.north.resources["iron"] == 2
    begun.refuses(take("wood 3"), "gather.one")
    begun.do(RollBack(seat=0, rolls="wb i1"))
    assert begun.north.camp["wood"] == 1
    assert begun.state.world == {"iron 1": 1}
    assert begun.state.active == 1
    begun.refuses(RollBack(seat=1, rolls=""), "card.grandfather", final=True)


def test_a_grandfather_rolls_back_the_one_die_there_was() -> None:
    begun = gathering(world={"wood 3": 1}, hidden={"village": 1}).do(PlayGrandfather(seat=0), take("wood 3"))
    begun.do(RollBack(seat=0, rolls="w2"))
    assert (begun.state.active, begun.state.world) == (1, {"wood 2": 1})


def test_a_grandfathers_pork_chop_is_rolled_back_too() -> None:
    begun = gathering(hidden={"village": 1}, animals={"pig": 1})
    begun.do(PlayGrandfather(seat=0), PorkChop(seat=0, die="wood 1", face="wood 3"))
    begun.do(RollBack(seat=0, rolls="w1"))
    assert begun.state.active == 1
    assert begun.state.world["wood 1"] == 4


def test_advisors_gathers_beyond_a_grandfathers_two_go_to_the_bank() -> None:
    begun = gathering(world={"wood 1": 6}, hidden={"village": 1, "castle": 1}, built={"Wall (Guard)": 1}).do(
        PlayAdvisor(seat=0), PlayGrandfather(seat=0), take("wood 1"), take("wood 1")
    )
    assert begun.refuses(take("wood 1"), "gather.one").startswith("Something else")
    begun.do(RollBack(seat=0, rolls="w22"), take("wood 1"))
    assert begun.state.active == 1
    assert begun.state.bank["wood"] == 9


def test_a_messenger_brings_what_the_next_player_chooses() -> None:
    begun = gathering(3, hidden={"village": 1}, farmers=3).do(PlayMessenger(seat=0))
    (prompt,) = GAME.prompts(begun.state)
    assert prompt.seat == 1
    begun.refuses(BringVillager(seat=0, villager="farmer"), "build.limits", final=True)
    begun.do(BringVillager(seat=0, villager="guard"), PostGuard(seat=0, post="iron"))
    assert begun.north.guards == ("iron",)
    assert begun.state.active == 1
    begun.refuses(BringVillager(seat=0, villager="worker"), "card.messenger", final=True)
    begun.refuses(PostGuard(seat=0, post="gold"), "card.messenger", final=True)


def test_the_last_post_is_taken_without_asking() -> None:
    begun = gathering(hidden={"village": 1}, guards=("wood", "stone", "gold", "land")).do(PlayMessenger(seat=0))
    begun.do(BringVillager(seat=0, villager="guard"))
    assert begun.north.guards[-1] == "iron"


def test_a_full_mat_needs_no_messenger() -> None:
    full = gathering(
        hidden={"village": 1}, farmers=3, merchants=3, workers=5, guards=("wood", "stone", "gold", "land", "iron")
    )
    full.refuses(PlayMessenger(seat=0), "card.messenger", final=True)


def test_a_maiden_exchanges_cards() -> None:
    begun = gathering(hidden={"castle": 2, "village": 2, "market": 1}).do(PlayMaiden(seat=0))
    begun.refuses(take("wood 1"), "card.maiden")
    begun.refuses(DiscardCard(seat=0, card="Bard"), "cards.market-apart")
    begun.do(DiscardCard(seat=0, card="Worker"), DiscardCard(seat=0, deck="castle"))
    begun.refuses(DrawCards(seat=0, castle=1), "cards.hand")
    begun.do(DrawCards(seat=0, castle=2))
    assert begun.north.hidden == {"castle": 3, "village": 1, "market": 0}
    begun.do(take("wood 1"))


def test_a_daughter_changes_a_villager_before_the_gather() -> None:
    begun = gathering(hidden={"castle": 1}, workers=2)
    begun.do(SwapVillager(seat=0, old="worker", new="guard iron", daughter=True))
    assert (begun.north.workers, begun.north.guards, begun.state.active) == (1, ("iron",), 0)
    begun.do(take("wood 1"))


def test_a_king_of_cards_is_offered_only_where_it_may_be_held() -> None:
    nobody = gathering().offered()
    assert all(isinstance(action, Gather) for action in nobody)
    told = gathering(cards={"Squire": 1}).offered()
    assert PlaySquire(seat=0) in told
    assert PlayAdvisor(seat=0) not in told
