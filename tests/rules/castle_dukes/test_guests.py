"""Castle Dukes: which guests come, to whom they go, and what they bring."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Correction
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import HouseGuest, RevealGuests
from companion.rules.castle_dukes.guests import unseen
from companion.rules.castle_dukes.state import GUESTS, Ai, Castle, Guest, GuestCard, Room, State
from tests.rules.castle_dukes.playing import (
    HALL,
    apply,
    begin,
    choices,
    facts,
    hall,
    musts,
    refused,
    to_guest_card,
    told,
    with_castles,
)
from tests.rules.castle_dukes.table import stack

SOUGHT = {"king": "defence", "princess": "comfort", "knight": "offence"}


def reveal(*cards: tuple[Guest, Guest]) -> RevealGuests:
    return RevealGuests(cards=tuple(GuestCard(main=main, small=small) for main, small in cards))


def guest_phase(*castles: Castle, players: int = 0) -> State:
    return to_guest_card(with_castles(begin(players or max(2, len(castles))), *castles))


def living(state: State, guest: Guest) -> list[int]:
    """How many of a guest live in each castle."""
    rooms = [[room for tile in duke.castle.left for room in tile.rooms] for duke in state.dukes]
    return [sum(getattr(room, guest) for room in each) for each in rooms]


# Who comes


@pytest.mark.parametrize(
    ("players", "comes"),
    [
        (2, ["king"]),
        (3, ["king", "knight"]),
        (4, ["king", "knight"]),
        (5, ["king", "knight", "princess"]),
        (6, ["king", "knight", "princess"]),
        (7, ["king", "knight", "princess", "princess"]),
        (8, ["king", "knight", "princess", "princess"]),
    ],
)
def test_which_symbols_count(players: int, comes: list[str]) -> None:
    state = guest_phase(players=players)
    cards: list[tuple[Guest, Guest]] = [("king", "knight"), ("princess", "princess")]
    words = [fact.text for fact in facts(state, reveal(*cards[: 1 if players < 5 else 2]))]
    assert [text for text in words if "Nobody" in text] == [
        f"Nobody has room for the {guest}, who leaves." for guest in comes
    ]


def test_so_many_cards_are_turned_up() -> None:
    refused(guest_phase(), reveal(("king", "king"), ("king", "king")), "guest.cards")
    refused(guest_phase(players=5), reveal(("king", "king")), "big.cards")


def test_the_deck_holds_so_many_and_is_never_reshuffled() -> None:
    seen = tuple(GuestCard(main="king", small="king") for _ in range(3))
    state = replace(guest_phase(), guest_cards=seen)
    refused(state, reveal(("king", "knight")), "guest.deck")
    state = apply(state, reveal(("knight", "king")))
    assert unseen(state).small["king"] == 0
    refused(replace(state, phase="guest-card", buyer=None), reveal(("knight", "king")), "guest.deck")
    fires = tuple(GuestCard(main="princess", small="king", fire=True) for _ in range(4))
    fire = RevealGuests(cards=(GuestCard(main="king", small="knight", fire=True),))
    refused(replace(guest_phase(), guest_cards=fires), fire, "guest.deck")


# To whom


@pytest.mark.parametrize("guest", GUESTS)
def test_each_guest_seeks_its_own_rating(guest: Guest) -> None:
    best = hall(**{SOUGHT[guest]: 1})
    others = [hall(**{rating: 5}) for seeker, rating in SOUGHT.items() if seeker != guest]
    state = apply(guest_phase(others[0], best, others[1]), reveal((guest, guest)))
    assert living(state, guest)[1] == 1


@pytest.mark.parametrize("guest", GUESTS)
def test_the_highest_castle_without_a_slot_sits_out(guest: Guest) -> None:
    full = hall(**{SOUGHT[guest]: 9}, living={guest: 1})
    state = apply(guest_phase(full, hall()), reveal((guest, guest)))
    assert living(state, guest) == [1, 1]


def test_a_tie_sends_the_guest_away() -> None:
    state = guest_phase(hall(), hall())
    assert "East and North are tied in defence: the king leaves." in told(state, reveal(("king", "king")))
    assert living(apply(state, reveal(("king", "king"))), "king") == [0, 0]


def test_a_tie_below_the_best_does_not_matter() -> None:
    state = apply(guest_phase(hall(), hall(), hall(defence=1)), reveal(("king", "knight")))
    assert living(state, "king") == [0, 0, 1]


def test_nobody_competes_for_a_guest_without_rooms() -> None:
    state = apply(guest_phase(), reveal(("king", "king")))
    assert (state.turn, state.stock["king"]) == (7, 10)


# Moving in


def test_the_host_chooses_among_free_rooms_only() -> None:
    rooms = (Room(card=HALL), Room(card=HALL, king=1), Room(card=HALL))
    castle = Castle(left=(replace(stack(1)[0], spaces=3, rooms=rooms),))
    state = apply(guest_phase(castle), reveal(("king", "king")))
    assert state.visit is not None
    offered = [choice.action for choice in choices(state, HouseGuest)]
    assert offered == [HouseGuest(seat=0, tower="left", level=1, room=room) for room in (0, 2)]
    refused(state, HouseGuest(seat=0, tower="left", level=1, room=1), "guest.slot")
    refused(state, HouseGuest(seat=0, tower="left", level=1, room=3), "guest.slot", final=True)
    refused(state, HouseGuest(seat=1, tower="left", level=1, room=0), "guest.highest", final=True)
    state = apply(state, offered[1])
    assert [room.king for room in state.dukes[0].castle.left[0].rooms] == [0, 1, 1]
    assert state.turn == 7


def test_the_table_may_squeeze_a_guest_into_a_full_room() -> None:
    castle = Castle(left=(replace(stack(1)[0], spaces=3, rooms=(Room(card=HALL, king=1), *[Room(card=HALL)] * 2)),))
    state = apply(guest_phase(castle), reveal(("king", "king")))
    anyway = Correction(move={"do": "house-guest", "seat": 0, "tower": "left", "level": 1, "room": 0})
    state = GAME.apply(state, anyway).state
    assert [room.king for room in state.dukes[0].castle.left[0].rooms] == [2, 0, 0]
    assert (state.visit, state.turn) == (None, 7)


def test_a_knight_raises_offence_once_placed_and_before_the_next_guest() -> None:
    state = guest_phase(hall(knight=2, offence=1), hall(knight=2), hall(knight=2))
    words = [fact.text for fact in facts(state, reveal(("knight", "knight")))]
    first = words.index("North's offence is now 2 (+1).")
    assert words.index("North's offence is now 3 (+1).") > first
    assert living(apply(state, reveal(("knight", "knight"))), "knight") == [2, 0, 0]


def test_the_big_guest_comes_first() -> None:
    words = told(guest_phase(hall(), players=3), reveal(("princess", "king")))
    assert words.index("princess moves in") < words.index("king moves in")


# Five and more


def test_five_players_who_tie_each_get_one() -> None:
    state = guest_phase(hall(), hall(), Castle(), hall(), players=5)
    state = apply(state, reveal(("king", "knight"), ("princess", "king")))
    assert living(state, "king") == [1, 1, 0, 1, 0]
    assert state.stock["king"] == 20 - 3


def test_hosts_who_tie_choose_each_for_themselves() -> None:
    rooms = (Room(card=HALL), Room(card=HALL))
    castle = Castle(left=(replace(stack(1)[0], spaces=2, rooms=rooms),))
    state = apply(guest_phase(castle, hall(), castle, players=5), reveal(("king", "knight"), ("princess", "king")))
    assert state.visit is not None
    assert set(state.visit.seats) == {0, 2}
    assert {prompt.seat for prompt in musts(state)} == {0, 2}
    state = apply(state, HouseGuest(seat=2, tower="left", level=1, room=1))
    assert state.visit is not None
    assert state.visit.seats == (0,)
    refused(state, HouseGuest(seat=2, tower="left", level=1, room=0), "guest.highest", final=True)


def test_figures_that_run_out_go_by_turn_order() -> None:
    state = replace(guest_phase(hall(), hall(), players=5), first=1)
    state = replace(state, stock={**state.stock, "king": 1}, discard={"king": 0}, corrected=True)
    state = replace(state, stock={key: count for key, count in state.stock.items() if key != "knight"})
    words = told(state, reveal(("king", "knight"), ("princess", "king")))
    assert "The king moves in with East." in words
    assert "The king moves in with North." not in words


# Alone


def alone(castle: Castle, **ai: int) -> State:
    state = with_castles(begin(1), castle)
    return replace(state, ai=Ai(mode="duke", **ai), turn=6, phase="guest-card", buyer=None, attacks=(4,))


@pytest.mark.parametrize(
    ("castle", "defence", "host"),
    [
        (hall(defence=3), 2, "player"),
        (hall(defence=3), 4, "ai"),
        (hall(defence=3), 3, "nobody"),
        (Castle(), 0, "ai"),
        (hall(defence=9, king=0), 0, "ai"),
    ],
)
def test_the_ai_competes_and_takes_what_the_player_cannot_house(castle: Castle, defence: int, host: str) -> None:
    state = apply(alone(castle, defence=defence), reveal(("king", "knight")))
    assert state.ai is not None
    assert (living(state, "king")[0], state.ai.king) == {"player": (1, 0), "ai": (0, 1), "nobody": (0, 0)}[host]
    assert state.ai.knight == 0, "only the big guest comes to a game of one"


def test_a_knight_raises_the_ais_offence() -> None:
    state = alone(Castle(), offence=2)
    assert "The AI's offence is now 3 (+1)." in told(state, reveal(("knight", "king")))
    after = apply(state, reveal(("knight", "king")))
    assert after.ai is not None
    assert (after.ai.offence, after.ai.knight, after.stock["knight"]) == (3, 1, 9)
