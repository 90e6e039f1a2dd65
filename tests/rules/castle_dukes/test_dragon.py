"""Castle Dukes: when the dragon comes, what it does, and what it takes."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import pytest
from msgspec.structs import replace

from companion.rules.castle_dukes.actions import (
    AwardGuest,
    Crumble,
    DragonDone,
    DrawChits,
    FaceDragon,
    Lose,
    PickChit,
    RevealGuests,
    SacrificePrincess,
    Settle,
    TakeDown,
)
from companion.rules.castle_dukes.dragon import damage
from companion.rules.castle_dukes.guests import CARDS, FIRES, unseen
from companion.rules.castle_dukes.state import Attack, Bridge, Card, Castle, Chit, GuestCard, Room, State, Tile
from tests.rules.castle_dukes.playing import (
    HALL,
    PILLARS,
    apply,
    begin,
    choices,
    hall,
    musts,
    past_building,
    refused,
    to_dragon,
    to_guest_card,
    to_turn,
    told,
    with_castles,
)
from tests.rules.castle_dukes.table import floor, roofed, stack

BRICK = Card(name="Brick", defence=9)
SIEGE = Card(name="Siege", offence=9)

# When it comes

_MAINS = ("king",) * 3 + ("princess",) * 5 + ("knight",) * 4
_SMALLS = ("king", "princess", "knight") * 4


def card_of(state: State, *, fire: bool) -> GuestCard:
    """The next card of a deck in which only the fires differ."""
    seen = len(state.guest_cards)
    return GuestCard(main=_MAINS[seen], small=_SMALLS[seen], fire=fire)  # type: ignore[arg-type]


def through_dragon(state: State) -> State:
    for seat in range(len(state.dukes)):
        state = apply(state, FaceDragon(seat=seat, rating="defence"))
    for seat in range(len(state.dukes)):
        state = apply(state, DragonDone(seat=seat))
    return state


def evenings(state: State, fires: tuple[int, ...] = (), events: tuple[str, ...] = ()) -> Iterator[tuple[set[int], str]]:
    """Every pattern of fires on turns 4 and later, with what happened in each: cards and dragons in their order."""
    turn = state.turn
    if state.phase == "count":
        yield set(fires), " ".join(events)
    elif state.phase == "dragon":
        yield from evenings(through_dragon(state), fires, (*events, f"dragon{turn}"))
    elif state.phase == "guests":
        yield from evenings(apply(state, AwardGuest(seats=())), fires, events)
    elif state.phase == "guest-card":
        for fire in (face for face, left in unseen(state).fire.items() if left):
            seen = apply(state, RevealGuests(cards=(card_of(state, fire=fire),)))
            yield from evenings(seen, (*fires, turn) if fire else fires, (*events, f"card{turn}"))
    else:
        yield from evenings(past_building(state), fires, events)


def expected(fires: set[int], turns: int, *, turn9_check: bool) -> str:
    """The rulebook's table, line by line."""
    events = [
        "card4", *(["dragon4"] if 4 in fires else ["dragon5"]), "card5",
        "card6",
        "card7", *(["dragon7"] if 7 in fires else ["dragon8"]), "card8",
        "card9", *(["dragon9"] if 9 in fires and turn9_check else []),
    ]  # fmt: skip
    if turns == 12:
        events += ["card10", "card11", "dragon12", "card12"]
    return " ".join(events)


@pytest.mark.parametrize(("turns", "turn9_check"), [(9, True), (9, False), (12, True), (12, False)])
def test_the_dragon_comes_when_the_fires_say(turns: int, turn9_check: bool) -> None:
    state = begin(2, detail="light", turns=turns, turn9_check=turn9_check)
    played = list(evenings(state))
    cards = turns - 3
    least = max(0, cards - (CARDS - FIRES))
    assert len(played) == sum(comb(cards, fires) for fires in range(least, FIRES + 1)), "every deck there is"
    for fires, events in played:
        assert events == expected(fires, turns, turn9_check=turn9_check or turns == 9), fires


def test_a_full_game_has_the_dragon_before_the_guests_of_its_card() -> None:
    state = to_guest_card(with_castles(begin(2), hall()), 4)
    attacked = apply(state, RevealGuests(cards=(GuestCard(main="king", small="king", fire=True),)))
    assert (attacked.phase, attacked.guests, attacked.attacks) == ("dragon", ("king",), (4, 7, 4))
    assert attacked.dukes[0].castle.left[0].rooms[0].king == 0


def test_no_dragon_no_facing_it() -> None:
    refused(begin(2), FaceDragon(seat=0, rating="defence"), "dragon.when", final=True)


# How it is met


@pytest.mark.parametrize(
    ("rating", "tiers"),
    [("offence", [(0, 4), (4, 4), (5, 3), (7, 3), (8, 2), (12, 2), (13, 1), (40, 1)]),
     ("defence", [(0, 4), (6, 4), (7, 3), (12, 3), (13, 2), (19, 2), (20, 1), (40, 1)])],
)  # fmt: skip
def test_the_damage_chart(rating: str, tiers: list[tuple[int, int]]) -> None:
    assert [damage(rating, value) for value, _ in tiers] == [hits for _, hits in tiers]


def test_each_duke_chooses_and_may_think_again_until_all_have() -> None:
    state = apply(to_dragon(with_castles(begin(2), hall(BRICK))), FaceDragon(seat=0, rating="offence"))
    assert attack_of(state).damage == 4
    state = apply(state, FaceDragon(seat=0, rating="defence"))
    assert attack_of(state).damage == 3
    refused(state, DrawChits(seat=0, chits=PILLARS), "dragon.choose")
    state = apply(state, FaceDragon(seat=1, rating="defence"))
    refused(state, FaceDragon(seat=0, rating="offence"), "dragon.choose")


def test_the_first_player_resolves_first() -> None:
    state = to_dragon(begin(3))
    assert state.first == 1, "turn 5 of a game that North began"
    state = apply(state, *(FaceDragon(seat=seat, rating="defence") for seat in range(3)))
    for early in (0, 2):
        refused(state, DrawChits(seat=early, chits=PILLARS), "dragon.five-chits")
    for seat in (1, 2, 0):
        assert state.phase == "dragon"
        state = apply(state, DrawChits(seat=seat, chits=PILLARS))
        state = apply(state, *(PickChit(seat=seat, chit=chit) for chit in range(4)))
    assert (state.phase, state.turn) == ("guest-card", 5)


def met(castle: Castle, *chits: Chit, rating: str = "defence") -> State:
    """North has met the dragon and drawn these chits (made up to five with tables); East built nothing."""
    state = replace(to_dragon(with_castles(begin(2), castle)), first=0)
    state = apply(state, FaceDragon(seat=0, rating=rating), FaceDragon(seat=1, rating="defence"))  # type: ignore[arg-type]
    drawn = (*chits, *(Chit(kind="decor") for _ in range(5 - len(chits))))
    return apply(state, DrawChits(seat=0, chits=drawn))


def test_a_rating_of_each_kind_is_met_with_its_own_tier() -> None:
    castle = Castle(left=(floor(spaces=2, rooms=(Room(card=BRICK), Room(card=SIEGE))),))
    assert attack_of(met(castle, rating="defence")).damage == 3
    assert attack_of(met(castle, rating="offence")).damage == 2


def lost(state: State) -> dict[str, int]:
    """What the dragon has taken; the room cards that left the board are not its doing."""
    return {piece: count for piece, count in state.discard.items() if piece != "room"}


def attack_of(state: State) -> Attack:
    attack = state.dukes[0].attack
    assert attack is not None
    return attack


@pytest.mark.parametrize(("defence", "hits"), [(0, 2), (7, 1), (13, 1), (20, 1)])
def test_a_princess_takes_two_off_down_to_one(defence: int, hits: int) -> None:
    rooms = [Room(card=HALL, princess=1)]
    rooms += [Room(card=Card(name=f"Wall {part}", defence=5)) for part in range(defence // 5)]
    rooms += [Room(card=Card(name="Gate", defence=defence % 5))]
    state = to_dragon(with_castles(begin(2), Castle(left=(Tile(spaces=9, rooms=tuple(rooms)),))))
    refused(state, SacrificePrincess(seat=0, tower="left", level=1), "dragon.choose", final=True)
    state = apply(state, FaceDragon(seat=0, rating="defence"))
    princesses = state.stock["princess"]
    state = apply(state, SacrificePrincess(seat=0, tower="left", level=1))
    assert attack_of(state).damage == hits
    assert state.stock["princess"] == princesses + 1, "she returns to the pool"
    refused(state, FaceDragon(seat=0, rating="offence"), "dragon.choose")


def test_only_one_princess_and_only_before_the_chits() -> None:
    two = hall(princess=2, living={"princess": 2})
    state = apply(to_dragon(with_castles(begin(2), two)), FaceDragon(seat=0, rating="defence"))
    give = SacrificePrincess(seat=0, tower="left", level=1)
    refused(apply(state, give), give, "dragon.princess")
    drawn = apply(replace(state, first=0), FaceDragon(seat=1, rating="defence"), DrawChits(seat=0, chits=PILLARS))
    refused(drawn, give, "dragon.princess")


def test_there_must_be_a_princess_to_give() -> None:
    state = apply(to_dragon(with_castles(begin(2), hall())), FaceDragon(seat=0, rating="defence"))
    refused(state, SacrificePrincess(seat=0, tower="left", level=1), "dragon.resolve", final=True)


# Chits


def test_five_chits_one_of_them_a_tile_at_most() -> None:
    state = apply(replace(to_dragon(begin(2)), first=0), *(FaceDragon(seat=seat, rating="defence") for seat in (0, 1)))
    refused(state, DrawChits(seat=0, chits=PILLARS[:4]), "dragon.five-chits", final=True)
    tiles = (Chit(kind="tile"), Chit(kind="tile"), *PILLARS[:3])
    refused(state, DrawChits(seat=0, chits=tiles), "dragon.one-tile-chit")
    state = apply(state, DrawChits(seat=0, chits=(Chit(kind="tile"), *PILLARS[:4])))
    refused(state, DrawChits(seat=0, chits=PILLARS), "dragon.five-chits", final=True)
    state = apply(state, *(PickChit(seat=0, chit=chit) for chit in (1, 2, 3, 4)))
    apply(state, DrawChits(seat=1, chits=(Chit(kind="tile"), *PILLARS[:4])))


def test_as_many_chits_are_resolved_as_there_is_damage() -> None:
    state = met(hall(BRICK))
    for chit in (0, 1):
        state = apply(state, PickChit(seat=0, chit=chit))
        refused(state, PickChit(seat=0, chit=chit), "dragon.resolve", final=True)
    state = apply(state, PickChit(seat=0, chit=4))
    assert choices(state, DrawChits)[0].action == DrawChits(seat=1, chits=PILLARS)


def test_the_chit_says_what_is_lost() -> None:
    state = apply(met(hall(table=True, coffer=True), Chit(kind="decor", count=2)), PickChit(seat=0, chit=0))
    room = Lose(seat=0, what="room", tower="left", level=1)
    refused(state, room, "dragon.kinds")
    refused(state, PickChit(seat=0, chit=1), "dragon.resolve", final=True)
    refused(state, Lose(seat=0, what="brazier", tower="left", level=1), "dragon.resolve", final=True)
    assert [choice.action for choice in choices(state, Lose)] == [
        Lose(seat=0, what="table", tower="left", level=1),
        Lose(seat=0, what="coffer", tower="left", level=1),
    ]
    state = apply(state, *(choice.action for choice in choices(state, Lose)))
    refused(state, Lose(seat=0, what="table", tower="left", level=1), "dragon.resolve", final=True)
    assert lost(state) == {"table": 1, "coffer": 1}


def test_dials_follow_a_loss_at_once() -> None:
    state = apply(
        met(hall(knight=1, living={"knight": 1}, table=True), Chit(kind="character")), PickChit(seat=0, chit=0)
    )
    words = told(state, Lose(seat=0, what="knight", tower="left", level=1))
    assert "North's offence is now 0 (-1)." in words


def test_a_battlement_takes_along_what_stands_on_it() -> None:
    castle = Castle(left=roofed(3, battlement=1, cauldron=1, ballista=2))
    state = apply(met(castle, Chit(kind="decor")), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="battlement", tower="left", level=3))
    assert lost(state) == {"battlement": 1, "cauldron": 1, "ballista": 2}


def test_a_bridge_falls_with_the_tower_that_bears_it() -> None:
    castle = Castle(left=stack(4), right=stack(3), bridges=(Bridge(level=3),))
    state = apply(met(castle, Chit(kind="tile")), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="tile", tower="right", level=2))
    assert (len(state.dukes[0].castle.left), len(state.dukes[0].castle.right)) == (4, 1)
    assert state.dukes[0].castle.bridges == ()
    assert lost(state) == {"tile": 3, "pillar": 2}
    assert state.dukes[0].crumbles == 0


# Accidents on the way


def test_nothing_hides_from_the_dragon_in_the_hand() -> None:
    """After an accident the castle stands again before the next chit is resolved."""
    state = apply(met(hall(table=True), Chit(kind="decor")), Crumble(seat=0))
    state = apply(state, TakeDown(seat=0, what="table", tower="left", level=1))
    refused(state, PickChit(seat=0, chit=0), "crumble.replace")
    assert [prompt.rule for prompt in musts(state) if prompt.seat == 0] == ["crumble.replace"]


def test_an_accident_while_removing_is_settled_before_the_next_loss() -> None:
    state = apply(met(hall(table=True, coffer=True), Chit(kind="decor", count=2)), PickChit(seat=0, chit=0))
    state = apply(state, Lose(seat=0, what="table", tower="left", level=1), Crumble(seat=0))
    coffer = Lose(seat=0, what="coffer", tower="left", level=1)
    refused(state, coffer, "crumble.replace")
    settled = apply(state, Settle(seat=0))
    assert settled.dukes[0].crumbles == 1
    apply(settled, coffer)


def test_an_owed_loss_waits_for_the_castle_to_stand() -> None:
    """Another part of the attack goes on meanwhile; what was taken down still counts as the castle's."""
    state = apply(met(hall(table=True), Chit(kind="decor")), PickChit(seat=0, chit=0), Crumble(seat=0))
    state = apply(state, TakeDown(seat=0, what="table", tower="left", level=1))
    assert attack_of(state).owed == Chit(kind="decor")
    back = apply(state, Settle(seat=0))
    assert back.dukes[0].held == {"table": 1}
    assert attack_of(back).owed is None, "nothing of the kind stands any more"


def test_the_dragon_is_met_by_a_castle_that_stands() -> None:
    state = apply(to_dragon(with_castles(begin(2), hall(BRICK))), Crumble(seat=0))
    refused(state, FaceDragon(seat=0, rating="defence"), "crumble.replace")
    apply(state, Settle(seat=0), FaceDragon(seat=0, rating="defence"))


def test_no_rearranging_on_purpose_while_the_dragon_is_here() -> None:
    refused(to_dragon(begin(2)), Crumble(seat=0, deliberate=True), "crumble.on-purpose")


def test_after_the_dragon_on_a_card_its_guests_come() -> None:
    state = replace(past_building(to_turn(with_castles(begin(2), hall()), 4)), first=0)
    state = apply(state, RevealGuests(cards=(GuestCard(main="king", small="king", fire=True),)))
    state = apply(state, *(FaceDragon(seat=seat, rating="offence") for seat in (0, 1)))
    for seat in (0, 1):
        state = apply(state, DrawChits(seat=seat, chits=PILLARS))
        state = apply(state, *(PickChit(seat=seat, chit=chit) for chit in range(4)))
    assert (state.turn, state.phase) == (5, "room")
    assert state.dukes[0].castle.left[0].rooms[0].king == 1
