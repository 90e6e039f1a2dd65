"""Drawing for the table: what is drawn was left to draw, and the same dealer draws the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Action
from companion.rules.box import Box, Learned, shipped
from companion.rules.castle_dukes.actions import (
    AiBurns,
    AiTakes,
    AwardGuest,
    DrawChits,
    DrawConstruction,
    DrawTile,
    NameRoom,
    PlaceTile,
    RevealGuests,
    SetDials,
    Spend,
    TakeRoom,
)
from companion.rules.castle_dukes.asks import guest_asks
from companion.rules.castle_dukes.deal import deal
from companion.rules.castle_dukes.guests import FIRES, MAIN, SMALL
from companion.rules.castle_dukes.state import (
    RATINGS,
    Card,
    Castle,
    Chit,
    Dials,
    Duke,
    GuestCard,
    Options,
    Room,
    Slot,
    State,
    Tile,
    Top,
)
from companion.rules.castle_dukes.supply import ONE_SET
from companion.rules.table import Ask, AskKind, Choice, Option

BOX = shipped("companion.rules.castle_dukes")
SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
BLANK = Card(name="?")
seeds = st.integers(0, 10_000)


class Shuffled:
    """A dealer with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, count: int) -> int:
        return self._random.randrange(count)


class Lowest:
    """A dealer who always picks the first, and remembers out of how many."""

    def __init__(self) -> None:
        self.counts: list[int] = []

    def pick(self, count: int) -> int:
        assert count > 0
        self.counts.append(count)
        return 0


def table(players: int = 2) -> State:
    slots = tuple(Slot(cost=cost) for cost in range(1, 6))
    return State(
        seats=SEATS[:players], options=Options(), first=0, dukes=(Duke(),) * players, boards=(slots,),
        stock=dict(ONE_SET),
    )  # fmt: skip


def asking(action: Action, *fields: str, kind: AskKind = "entry") -> Choice:
    return Choice(label="", action=action, asks=tuple(Ask(field=field, label=field, kind=kind) for field in fields))


def ask(action: Action, question: Ask) -> Choice:
    return Choice(label="", action=action, asks=(question,))


REVEAL = asking(RevealGuests(cards=()), "cards")
CHITS = asking(DrawChits(seat=0, chits=()), "chits")
NAME = asking(NameRoom(slot=0, card=BLANK), "card")
BUILD = asking(DrawConstruction(seat=0, items={}), "items")
FLOOR = asking(PlaceTile(seat=0, tower="left"), "spaces", "cobbles", "ends")


def revealed(state: State, seed: int) -> tuple[GuestCard, ...]:
    action = deal(state, REVEAL, Shuffled(seed), BOX)
    assert isinstance(action, RevealGuests)
    return action.cards


def named(state: State, seed: int, box: Box = BOX) -> Card:
    action = deal(state, NAME, Shuffled(seed), box)
    assert isinstance(action, NameRoom)
    return action.card


def drawn_chits(seed: int, box: Box = BOX, state: State | None = None) -> tuple[Chit, ...]:
    action = deal(state or table(), CHITS, Shuffled(seed), box)
    assert isinstance(action, DrawChits)
    return action.chits


# Guest cards


@given(seeds, st.sampled_from([2, 3, 4, 5, 8]))
def test_a_whole_guest_deck_has_the_totals_of_the_box(seed: int, players: int) -> None:
    state, dealer = table(players), Shuffled(seed)
    for _ in range(12):
        action = deal(state, REVEAL, dealer, BOX)
        assert isinstance(action, RevealGuests)
        assert len(action.cards) == (2 if players >= 5 else 1)
        state = replace(state, guest_cards=(*state.guest_cards, *action.cards))
    assert Counter(card.main for card in state.guest_cards) == {guest: n * state.sets for guest, n in MAIN.items()}
    assert Counter(card.small for card in state.guest_cards) == {guest: n * state.sets for guest, n in SMALL.items()}
    assert sum(card.fire for card in state.guest_cards) == FIRES * state.sets
    with pytest.raises(Malformed, match="Nothing is left"):
        deal(state, REVEAL, dealer, BOX)


def test_every_card_of_what_is_left_is_as_likely() -> None:
    dealer = Lowest()
    seen = (GuestCard(main="king", small="king", fire=True),)
    deal(replace(table(), guest_cards=seen), REVEAL, dealer, BOX)
    assert dealer.counts == [11, 11, 11]


def test_guests_that_have_all_come_do_not_come_again() -> None:
    kings = (GuestCard(main="king", small="princess", fire=True),) * 3
    state = replace(table(), guest_cards=kings)
    assert {revealed(state, seed)[0].main for seed in range(60)} == {"princess", "knight"}


# Chits


@given(seeds)
def test_five_chits_of_one_bag(seed: int) -> None:
    bag = Counter({Chit(kind=e["kind"], count=e["count"]): e["copies"] for e in BOX["practice-chits"].values()})
    chits = drawn_chits(seed)
    assert len(chits) == 5
    assert Counter(chits) <= bag
    assert sum(chit.kind == "tile" for chit in chits) <= 1


def test_chits_come_out_without_being_put_back() -> None:
    dealer = Lowest()
    deal(table(), CHITS, dealer, BOX)
    assert dealer.counts == [15, 14, 13, 12, 11]


def test_chits_of_a_box_known_whole() -> None:
    known = BOX.with_learned(
        [Learned(table="damage-chits", key="pillar", entry={"kind": "pillar", "count": 2, "copies": 14})]
    )
    assert {chit.kind for seed in range(20) for chit in drawn_chits(seed, known)} == {"tile", "pillar"}
    more = replace(table(), chits=20)
    assert {chit.kind for seed in range(20) for chit in drawn_chits(seed, known, more)} > {"tile", "pillar"}


# Room cards


@given(seeds)
def test_fifty_rooms_are_drawn_before_any_comes_twice(seed: int) -> None:
    state, dealer = table(), Shuffled(seed)
    for _ in range(ONE_SET["room"]):
        action = deal(state, NAME, dealer, BOX)
        assert isinstance(action, NameRoom)
        state = replace(state, dukes=(replace(state.dukes[0], cards=(*state.dukes[0].cards, action.card)), Duke()))
    assert {card.name for card in state.dukes[0].cards} == set(BOX["practice-rooms"])


def places(card: Card) -> list[State]:
    empty = table()
    duke = empty.dukes[0]
    built = Castle(right=(Tile(rooms=(Room(card=card),)),))
    return [
        replace(empty, boards=((Slot(cost=1, card=card),),)),
        replace(empty, dukes=(replace(duke, cards=(card,)), duke)),
        replace(empty, dukes=(duke, replace(duke, loose_cards=(card,)))),
        replace(empty, dukes=(duke, replace(duke, castle=built))),
    ]


@pytest.mark.parametrize("place", range(4))
def test_a_room_seen_at_the_table_is_not_drawn(place: int) -> None:
    first = named(table(), seed=0)
    state = places(first)[place]
    assert first not in {named(state, seed) for seed in range(300)}


def test_two_sets_have_every_room_twice() -> None:
    dealer = Lowest()
    deal(table(5), NAME, dealer, BOX)
    assert dealer.counts == [100]


def test_rooms_of_a_box_known_well_enough() -> None:
    def learned(count: int) -> Box:
        return BOX.with_learned(
            Learned(table="rooms", key=f"Room {n}", entry={"name": f"Room {n}", "comfort": 1}) for n in range(count)
        )

    few, many = learned(10), learned(30)
    assert not {named(table(), seed, few).name for seed in range(100)} & {f"Room {n}" for n in range(10)}
    assert {named(table(), seed, many).name for seed in range(100)} <= {f"Room {n}" for n in range(30)} | {"Kitchen"}


def test_a_box_that_says_nonsense_is_malformed() -> None:
    odd = BOX.with_learned(Learned(table="rooms", key=str(n), entry={"cosiness": n}) for n in range(30))
    with pytest.raises(Malformed, match="A room card of the box is not right"):
        named(table(), 0, odd)


def test_taking_a_room_draws_its_card_and_looks_up_its_bonus() -> None:
    action = deal(table(), asking(TakeRoom(seat=0, slot=2), "card", "bonus"), Shuffled(1), BOX)
    assert isinstance(action, TakeRoom)
    assert action.card is not None
    assert action.card.name in BOX["practice-rooms"]
    assert action.bonus == "serf"


def test_taking_a_known_room_draws_nothing_but_what_is_asked() -> None:
    dealer = Lowest()
    action = deal(table(), asking(TakeRoom(seat=0, slot=4), "bonus"), dealer, BOX)
    assert action == TakeRoom(seat=0, slot=4, bonus="table")
    assert dealer.counts == []
    only_card = deal(table(), asking(TakeRoom(seat=0, slot=4), "card"), dealer, BOX)
    assert isinstance(only_card, TakeRoom)
    assert only_card.bonus is None


# Construction cards, floor tiles, the die


@given(seeds)
def test_construction_cards_are_those_of_the_deck(seed: int) -> None:
    action = deal(table(), BUILD, Shuffled(seed), BOX)
    assert isinstance(action, DrawConstruction)
    assert action.items in [entry["items"] for entry in BOX["practice-construction"].values()]
    assert action.name == ""


@given(seeds)
def test_floor_tiles_are_those_of_the_stack(seed: int) -> None:
    action = deal(table(), FLOOR, Shuffled(seed), BOX)
    assert isinstance(action, PlaceTile)
    kinds = [(entry["spaces"], entry["cobbles"], entry["ends"]) for entry in BOX["practice-tiles"].values()]
    assert (action.spaces, action.cobbles, action.ends) in kinds


def test_floor_tiles_standing_are_not_in_the_stack() -> None:
    standing = Castle(left=(Tile(spaces=0, cobbles=3, ends=True),) * 2)
    state = replace(table(), dukes=(Duke(castle=standing), Duke()))
    drawn = [deal(state, FLOOR, Shuffled(seed), BOX) for seed in range(300)]
    assert all(isinstance(action, PlaceTile) and action.spaces for action in drawn)


def test_a_roof_hides_its_floor_side() -> None:
    dealer = Lowest()
    roofed = Castle(left=(Tile(), Tile(), Tile(roof=Top())))
    deal(replace(table(), dukes=(Duke(castle=roofed), Duke())), FLOOR, dealer, BOX)
    assert dealer.counts == [48]


@pytest.mark.parametrize("make", [AiTakes, lambda: AiBurns(die="comfort")])
def test_the_die_has_every_face(make: Callable[[], Action]) -> None:
    faces = [deal(table(), asking(make(), "die"), Shuffled(seed), BOX) for seed in range(60)]
    assert {action.die for action in faces if isinstance(action, AiTakes | AiBurns)} == set(RATINGS)


# Anything else that is asked


def test_what_is_not_asked_stays() -> None:
    assert deal(table(), Choice(label="", action=DrawTile(seat=1)), Lowest(), BOX) == DrawTile(seat=1)


@given(seeds)
def test_a_number_between_its_bounds(seed: int) -> None:
    choice = ask(Spend(seat=0, coins=1), Ask(field="coins", label="", kind="number", low=2, high=4))
    action = deal(table(), choice, Shuffled(seed), BOX)
    assert isinstance(action, Spend)
    assert 2 <= action.coins <= 4


def test_one_of_the_options() -> None:
    options = tuple(Option(value=coins, label=str(coins)) for coins in (1, 5))
    choice = ask(Spend(seat=0, coins=1), Ask(field="coins", label="", kind="choice", options=options))
    dealt = [deal(table(), choice, Shuffled(seed), BOX) for seed in range(30)]
    assert {action.coins for action in dealt if isinstance(action, Spend)} == {1, 5}


@given(seeds)
def test_a_list_of_different_options(seed: int) -> None:
    options = tuple(Option(value=seat, label=SEATS[seat]) for seat in range(4))
    choice = ask(AwardGuest(seats=()), Ask(field="seats", label="", kind="list", options=options, low=1, high=9))
    action = deal(table(4), choice, Shuffled(seed), BOX)
    assert isinstance(action, AwardGuest)
    assert 1 <= len(action.seats) == len(set(action.seats)) <= 4


def test_a_list_longer_than_its_options_repeats_some() -> None:
    options = tuple(Option(value=seat, label=SEATS[seat]) for seat in range(2))
    choice = ask(AwardGuest(seats=()), Ask(field="seats", label="", kind="list", options=options, low=5, high=5))
    action = deal(table(), choice, Shuffled(3), BOX)
    assert isinstance(action, AwardGuest)
    assert sorted(Counter(action.seats).values()) == [2, 3]


def test_a_field_within_a_field() -> None:
    dial = Ask(field="dials/defence", label="", kind="number", low=7, high=7)
    action = deal(table(), ask(SetDials(seat=0, dials=Dials(comfort=2)), dial), Lowest(), BOX)
    assert action == SetDials(seat=0, dials=Dials(comfort=2, defence=7))


@pytest.mark.parametrize("players", [2, 5])
def test_what_the_prompts_ask_for_guests_can_be_dealt(players: int) -> None:
    cards = 2 if players == 5 else 1
    stand_in = RevealGuests(cards=(GuestCard(main="king", small="king"),) * cards)
    choice = Choice(label="", action=stand_in, asks=guest_asks(cards))
    dealer = Lowest()
    action = deal(table(players), choice, dealer, BOX)
    assert isinstance(action, RevealGuests)
    assert len(action.cards) == cards
    assert len(dealer.counts) == 3 * cards


def test_words_cannot_be_drawn() -> None:
    with pytest.raises(Malformed, match="cannot draw this: Why"):
        deal(table(), ask(DrawTile(seat=0), Ask(field="why", label="Why", kind="text")), Lowest(), BOX)


@given(seeds, st.sampled_from([REVEAL, CHITS, NAME, BUILD, FLOOR]))
def test_the_same_dealer_draws_the_same(seed: int, choice: Choice) -> None:
    assert deal(table(), choice, Shuffled(seed), BOX) == deal(table(), choice, Shuffled(seed), BOX)
