"""Building, the raid, Bards, and cards the table tells the companion."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Setup
from companion.rules.castle_dice.actions import (
    Build,
    FinishBuilding,
    NameCards,
    PlayAlchemist,
    PlayCard,
    PlayVolunteer,
    Raid,
    ReadCard,
    RevealBards,
)
from companion.rules.castle_dice.cards import affordable, card, catalog, cost, walls
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.leads import raid_loss
from companion.rules.castle_dice.state import RESOURCES, Card, Options, Resource
from tests.rules.castle_dice.table import SEATS, Table, lay, table, with_east

RICH: dict[Resource, int] = dict.fromkeys(RESOURCES, 9)
HAND = {"castle": 5, "village": 5, "market": 3}


def rich(**north: object) -> Table:
    return table(2, "build", **{"resources": RICH, "hidden": HAND, **north})


# Castle parts


@pytest.mark.parametrize(
    "name", ["Tall Keep", "Strong Tower", "Guardhouse", "Gatehouse", "Deep Moat", "Royal Chambers"]
)
def test_a_part_costs_what_it_says_and_stands_by_the_mat(name: str) -> None:
    begun = rich().do(Build(seat=0, card=name))
    paid = {resource: 9 - left for resource, left in begun.north.resources.items()}
    assert paid == catalog()[name].cost
    assert begun.north.built == {name: 1}
    assert begun.north.hidden["castle"] == 4


def test_a_cost_must_be_paid() -> None:
    begun = rich(resources={"wood": 3, "stone": 1})
    words = begun.refuses(Build(seat=0, card="Royal Chambers"), "build.pay")
    assert words == "North lacks 1 gold for Royal Chambers."
    begun.overrule(Build(seat=0, card="Royal Chambers"))
    assert sum(begun.north.resources.values()) == 0


def test_walls_and_volunteers_make_keeps_and_towers_cheaper() -> None:
    begun = rich(built={"Wall (Guard)": 1, "Volunteer": 1}).do(Build(seat=0, card="Wall (Animal)", animal="pig"))
    north = begun.north
    assert walls(begun.state, north) == 3
    assert cost(begun.state, north, catalog()["Tall Keep"]) == dict.fromkeys(RESOURCES, 3)
    tower = cost(begun.state, north, catalog()["Strong Tower"])
    assert tower == {"wood": 2, "stone": 2, "gold": 2, "land": 0, "iron": 2}
    assert cost(begun.state, north, catalog()["Gatehouse"]) == catalog()["Gatehouse"].cost


def test_a_cost_never_goes_below_nothing() -> None:
    begun = rich(
        built={"Volunteer": 3, "Wall (Guard)": 1, "Wall (Farmer)": 1, "Wall (Animal)": 2}, walls=("pig", "cow")
    )
    assert cost(begun.state, begun.north, catalog()["Tall Keep"]) == dict.fromkeys(RESOURCES, 0)


def test_an_animal_wall_needs_its_animal() -> None:
    begun = rich()
    begun.refuses(Build(seat=0, card="Wall (Animal)"), "card.wall-animal", final=True)
    begun.do(Build(seat=0, card="Wall (Animal)", animal="horse"))
    assert begun.north.walls == ("horse",)


def test_the_guardhouse_may_be_called_great_hall() -> None:
    begun = rich()
    renamed = Table(replace(begun.state, options=Options(guardhouse="Great Hall")))
    label = GAME.label(renamed.state, Build(seat=0, card="Guardhouse"))
    assert label == "North: builds Great Hall"


# Villagers


def test_villagers_stand_on_the_mat_and_their_card_is_discarded() -> None:
    begun = rich(workers=1).do(
        Build(seat=0, card="Worker"), Build(seat=0, card="Farmer"), Build(seat=0, card="Merchant")
    )
    begun.do(Build(seat=0, card="Guard", post="iron"))
    north = begun.north
    assert (north.workers, north.farmers, north.merchants, north.guards) == (2, 1, 1, ("iron",))
    assert begun.state.decks["village"].discard == {"Worker": 1, "Farmer": 1, "Merchant": 1, "Guard": 1}
    assert begun.state.villager_tokens == 55
    assert north.resources == {"wood": 4, "stone": 7, "gold": 6, "land": 8, "iron": 9}


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Worker", {"workers": 5}),
        ("Farmer", {"farmers": 3}),
        ("Merchant", {"merchants": 3}),
        ("Guard", {"guards": RESOURCES}),
    ],
)
def test_the_mat_has_only_so_many_places(name: str, full: dict[str, object]) -> None:
    rich(**full).refuses(Build(seat=0, card=name, post="wood"), "build.limits", final=True)


def test_one_guard_at_a_post() -> None:
    begun = rich(guards=("wood",))
    begun.refuses(Build(seat=0, card="Guard", post="wood"), "build.guard-post", final=True)
    begun.refuses(Build(seat=0, card="Guard"), "build.guard-post", final=True)


def test_without_tokens_no_villager_is_built() -> None:
    none = replace(rich().state, villager_tokens=0)
    refusal = GAME.refusal(none, Build(seat=0, card="Worker"))
    assert refusal is not None
    assert (refusal.rule, refusal.final) == ("ruling.villager-tokens", True)


# When, and what


def test_actions_are_not_built() -> None:
    rich().refuses(Build(seat=0, card="Soldier"), "build.kind", final=True)


def test_building_has_its_phase_and_an_end() -> None:
    begun = rich().do(FinishBuilding(seat=0))
    begun.refuses(Build(seat=0, card="Gatehouse"), "build.done")
    begun.refuses(FinishBuilding(seat=0), "build.done")
    table(2, "market").refuses(FinishBuilding(seat=0), "turn.phases", final=True)
    table(2, "market", hidden=HAND, resources=RICH).refuses(Build(seat=0, card="Gatehouse"), "turn.phases")


def test_affordable_names_what_can_be_paid() -> None:
    begun = table(2, "build", cards={"Gatehouse": 1, "Guard": 1, "Tall Keep": 1, "Bard": 1}, resources={"wood": 2})
    assert affordable(begun.state, 0) == ("Guard",)
    hand = next(panel for panel in GAME.picture(begun.state).panels if panel.title == "Hand")
    assert [piece.label for piece in hand.rows[1].pieces] == ["Guard"]
    counted = table(2, "build", hidden={"village": 1}, resources={"wood": 2, "gold": 3})
    assert affordable(counted.state, 0) == ("Guard", "Merchant")


# Alchemist and Volunteer


def test_an_alchemist_lowers_the_cost_of_one_card() -> None:
    begun = rich(resources={"wood": 1, "stone": 1, "gold": 1}).do(PlayAlchemist(seat=0, rolls="w3 s1 gh l1 ib"))
    assert begun.north.alchemy == {"wood": 3, "stone": 1, "land": 1}
    begun.refuses(PlayAlchemist(seat=0, rolls="w3 s1 gh l1 ib"), "card.alchemist")
    begun.refuses(Build(seat=0, card="Royal Chambers"), "build.pay")
    begun.do(Build(seat=0, card="Royal Chambers", alchemy=True))
    assert begun.north.resources == {"wood": 1, "stone": 1, "gold": 0, "land": 0, "iron": 0}
    begun.refuses(Build(seat=0, card="Guard", post="wood", alchemy=True), "card.alchemist")


def test_an_alchemist_rolls_one_of_each_die_there_is() -> None:
    begun = rich()
    begun.refuses(PlayAlchemist(seat=0, rolls="w3 s1 gh l1"), "roll.entry", final=True)
    raided = with_east(begun, camp={"iron": 11})
    raided.do(PlayAlchemist(seat=0, rolls="w3 s1 gh l1"))


def test_a_volunteer_stays_and_counts_as_a_wall() -> None:
    begun = rich().do(PlayVolunteer(seat=0))
    assert walls(begun.state, begun.north) == 1
    assert begun.north.hidden["market"] == 2


# Raid


def test_the_rulebooks_example_of_a_raid() -> None:
    begun = table(
        2, "raid", camp={"wood": 1, "gold": 1}, guards=("land",), resources={"wood": 4, "gold": 3, "land": 2, "iron": 1}
    )
    assert raid_loss(begun.state, begun.north) == {"wood": 2, "gold": 2, "iron": 1}
    begun.do(Raid())
    assert begun.north.resources == {"wood": 2, "stone": 0, "gold": 1, "land": 2, "iron": 0}
    assert begun.north.barbarians == 0
    assert begun.state.turn == 2
    assert begun.state.bank["gold"] == 13
    begun.refuses(Raid(), "turn.phases", final=True)


def test_a_table_may_let_barbarians_take_their_own_colour() -> None:
    begun = table(2, "raid", camp={"wood": 1, "gold": 1}, resources={"wood": 4, "gold": 3, "iron": 1})
    own = replace(begun.state, options=Options(raid="own-colour"))
    assert raid_loss(own, own.players[0]) == {"wood": 1, "gold": 1}


def test_the_raid_waits_for_all_and_is_told_before() -> None:
    begun = rich(camp={"iron": 1}).do(FinishBuilding(seat=0))
    assert begun.state.phase == "build"
    begun.do(FinishBuilding(seat=1))
    (prompt,) = GAME.prompts(begun.state)
    assert prompt.text == "Barbarians raid: North loses 1 wood, 1 stone, 1 gold, 1 land, 1 iron."


# Bards


def last_turn(**north: object) -> Table:
    begun = table(2, "build", **north)
    return Table(replace(begun.state, turn=7)).do(FinishBuilding(seat=0), FinishBuilding(seat=1))


def test_hidden_market_cards_are_asked_for_bards() -> None:
    begun = last_turn(hidden={"market": 5})
    assert begun.state.phase == "bards"
    begun.refuses(RevealBards(seat=0, bards=6), "cards.have", final=True)
    begun.refuses(RevealBards(seat=0, bards=4), "end.bards")
    begun.do(RevealBards(seat=0, bards=2))
    assert begun.state.over
    assert begun.north.built == {"Bard": 2}
    table(2, "build", hidden={"market": 1}).refuses(RevealBards(seat=0, bards=1), "ruling.bards-kept", final=True)


def test_a_market_card_played_at_the_end_by_agreement_does_not_lock_the_table() -> None:
    begun = Table(replace(table(2, "bards", hidden={"market": 1}).state, active=None))
    begun.overrule(PlayVolunteer(seat=0))
    assert begun.state.over


def test_told_bards_are_revealed_by_themselves() -> None:
    begun = last_turn(cards={"Bard": 2, "Jester": 1})
    assert begun.state.over
    assert begun.north.built == {"Bard": 2}


def test_bards_can_still_be_told_at_the_end() -> None:
    begun = last_turn(hidden={"market": 1}).do(NameCards(seat=0, cards=("Bard",)))
    assert begun.state.over
    assert GAME.score(begun.state).total(0) == 1


# Cards of this box


def test_a_card_printed_otherwise_is_learned() -> None:
    merchant = Card(name="Merchant", deck="village", kind="villager", gold=2, copies=9)
    (learned,) = GAME.learns(rich().state, ReadCard(card=merchant))
    begun = rich().do(ReadCard(card=merchant), Build(seat=0, card="Merchant"))
    assert begun.north.resources["gold"] == 7
    assert GAME.learns(begun.state, ReadCard(card=merchant)) == (), "it is known already"
    again = GAME.setup(Setup(seats=SEATS[:2], box={learned.table: {learned.key: learned.entry}}))
    assert card(again, "Merchant") == merchant


def test_an_unknown_part_is_built_and_scored_and_an_unknown_action_is_played() -> None:
    part = Card(name="A part of ours", deck="village", kind="part", wood=2, vp=2)
    deed = Card(name="A deed of ours", deck="village", gold=1)
    begun = rich()
    begun.refuses(Build(seat=0, card=part.name), "card.learned", final=True)
    begun.do(ReadCard(card=part), ReadCard(card=deed), Build(seat=0, card=part.name))
    assert PlayCard(seat=0, card=deed.name) in begun.offered()
    begun.do(PlayCard(seat=0, card=deed.name))
    assert begun.north.resources["gold"] == 8
    assert begun.state.decks["village"].discard == {deed.name: 1}
    assert GAME.score(begun.state).total(0) == 2


def test_known_cards_keep_their_deck_and_their_moves() -> None:
    begun = rich()
    begun.refuses(ReadCard(card=Card(name="Bard", deck="castle", kind="lasting")), "card.learned", final=True)
    begun.refuses(ReadCard(card=Card(name="Bard", deck="market", kind="part")), "card.learned", final=True)
    begun.refuses(ReadCard(card=Card(name="Page", deck="village", kind="villager")), "card.learned", final=True)
    begun.refuses(PlayCard(seat=0, card="Soldier"), "cards.when", final=True)


def test_five_village_cards_more_than_known_may_turn_up() -> None:
    begun = lay(table(2, "build").state, 0, hidden={"village": 1}, resources={"wood": 9})
    for extra, legal in ((4, True), (5, False)):
        pile = replace(begun.decks["village"], draw=46 - 7 - extra, discard={"Guard": 7 + extra})
        state = replace(begun, decks={**begun.decks, "village": pile})
        assert (GAME.refusal(state, Build(seat=0, card="Guard", post="wood")) is None) == legal
