"""What each seat may or must do now, as moves. Whether one is legal is asked of the rules, never decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.castle_for_all_seasons.actions import (
    Court,
    DeclareCourtship,
    DrawWinter,
    Equip,
    FeedFire,
    GiveCard,
    LayCard,
    LeaveCourt,
    PayTribute,
    ReadCart,
    ReadWinterSpaces,
    RepairWall,
    Reveal,
    TakeGift,
)
from companion.rules.castle_for_all_seasons.asks import CART_ASK, SPACES_ASK, winter_ask
from companion.rules.castle_for_all_seasons.card_moves import executing
from companion.rules.castle_for_all_seasons.courting import can_declare
from companion.rules.castle_for_all_seasons.execution import free_pieces, unread_carts
from companion.rules.castle_for_all_seasons.final_moves import converting
from companion.rules.castle_for_all_seasons.phases import card_name, cards_missing, everyone_laid, hand, winter_deck
from companion.rules.castle_for_all_seasons.state import State
from companion.rules.castle_for_all_seasons.supply import amount, cart_name, gifts
from companion.rules.castle_for_all_seasons.winter import (
    FIRE_BEAMS,
    WALL_POINTS,
    WALL_STONES,
    giveable,
    owed,
    tribute,
    winter_name,
)
from companion.rules.offers import Move, Offer


def offers(state: State) -> tuple[Offer, ...]:
    """Every seat's moves in this phase, and the one that may come at any time."""
    if state.over:
        return ()
    found = (*_BY_PHASE[state.phase](state), *_declaring(state))
    return tuple(offer for offer in found if offer.moves)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# Before the round


def _board(state: State) -> Iterator[Offer]:
    move = Move("Enter the round spaces with a winter card", ReadWinterSpaces(spaces=(1,)), (SPACES_ASK,))
    text = "Which round spaces show a winter card? Space 1 is the last round."
    yield Offer(None, text, "winter.spaces", (move,), must=True)


def _declaring(state: State) -> Iterator[Offer]:
    if can_declare(state):
        for seat in range(len(state.seats)):
            move = Move("Court the damsel of the castle", DeclareCourtship(seat=seat))
            yield Offer(seat, "The damsel can be courted.", "winter.damsel", (move,), must=False)


def _court(state: State) -> Iterator[Offer]:
    damsel = state.winter.damsel if state.winter else None
    if damsel and damsel.asked:
        seat = damsel.asked[0]
        builder = state.builders[seat]
        giving = (
            Move(f"Give {amount(1, gift)}", Court(seat=seat, gift=gift)) for gift in gifts(builder.talers, builder.held)
        )
        moves = (*giving, Move("Drop out for the game", LeaveCourt(seat=seat), closes=True))
        yield Offer(seat, "Court the damsel: give a piece or a taler, or drop out.", "winter.damsel", moves, must=True)


def _share(state: State) -> Iterator[Offer]:
    damsel = state.winter.damsel if state.winter else None
    if damsel and damsel.sharing:
        seat = damsel.sharing[0]
        moves = tuple(
            Move(f"Take {amount(1, gift)}", TakeGift(seat=seat, gift=gift))
            for gift in gifts(damsel.talers, damsel.pieces)
        )
        yield Offer(seat, "Take something from the damsel's card.", "winter.damsel-share", moves, must=True)


# Cards


def _lay(state: State) -> Iterator[Offer]:
    """Each seat for itself; where cards are chosen in the companion, for its eyes only."""
    secret = state.options.cards == "secret"
    for seat in range(len(state.seats)):
        missing = cards_missing(state, seat)
        if missing:
            text = (
                f"Lay {amount(missing, 'card')} face down."
                if secret
                else f"Enter {amount(missing, 'card')} you played."
            )
            yield Offer(seat, text, "cards.lay", tuple(_laying(state, seat)), secret=secret, must=True)


def _laying(state: State, seat: int) -> Iterator[Move]:
    builder = state.builders[seat]
    for card in hand(builder):
        if card not in builder.laid:
            yield Move(_capital(card_name(card)), LayCard(seat=seat, card=card))


def _draw(state: State) -> Iterator[Offer]:
    deck = winter_deck(state)
    laid = "" if state.options.cards == "secret" else "When all cards lie face down: "
    text = _capital(f"{laid}{state.seats[state.first]} draws a winter card.")
    yield Offer(
        None,
        text,
        "winter.draw",
        (Move("Turn up a winter card", DrawWinter(card=deck[0]), (winter_ask(deck),)),),
        must=True,
    )


def _reveal(state: State) -> Iterator[Offer]:
    if everyone_laid(state):
        yield Offer(
            None, "All have laid their cards.", "cards.reveal", (Move("Flip all cards over", Reveal()),), must=True
        )
    yield from _lay(state)


def _equip(state: State) -> Iterator[Offer]:
    if state.equipping:
        seat = state.equipping[0].seat
        moves = tuple(_equipping(state, seat))
        yield Offer(seat, "Choose the free pieces of your worker.", "worker.free", moves, must=True)


def _equipping(state: State, seat: int) -> Iterator[Move]:
    for kinds in free_pieces(state):
        yield Move(_capital(" and ".join(kinds)), Equip(seat=seat, kinds=kinds))


def _carts(state: State) -> Iterator[Offer]:
    moves = tuple(
        Move(f"Read {cart_name(cart)}", ReadCart(cart=cart, pieces=1), (CART_ASK,)) for cart in unread_carts(state)
    )
    yield Offer(None, "How many pieces does the board show there?", "board.read", moves, must=True)


# Winter cards


def _winter(state: State) -> Iterator[Offer]:
    card = owed(state)
    for seat in state.winter.pending if state.winter else ():
        if card in ("plague", "snowdrift"):
            secret = card == "snowdrift" and state.options.cards == "secret"
            text = f"{_capital(winter_name(card))}: give up a card, or pay."
            yield Offer(seat, text, f"winter.{card}", tuple(_giving(state, seat)), secret=secret, must=True)
        elif card == "cracked-wall":
            text = f"Cracked wall: up to {WALL_STONES} stone blocks, {WALL_POINTS} points each."
            yield Offer(seat, text, "winter.wall", tuple(_mending(state, seat)), must=True)
        elif card == "fireplace":
            yield Offer(
                seat, "Fireplace: pay 2 wooden beams.", "winter.fireplace", tuple(_feeding(state, seat)), must=True
            )


def _giving(state: State, seat: int) -> Iterator[Move]:
    for card in giveable(state, seat):
        yield Move(f"Give up {card_name(card)}", GiveCard(seat=seat, card=card))
    yield Move(f"Pay {amount(tribute(state, seat), 'taler')}", PayTribute(seat=seat))


def _mending(state: State, seat: int) -> Iterator[Move]:
    for stones, silver in _mixes(state, seat, "stone", WALL_STONES):
        if stones + silver:
            points = amount(WALL_POINTS * (stones + silver), "victory")
            yield Move(
                f"Give {_mix(stones, silver, 'stone')} for {points}",
                RepairWall(seat=seat, stones=stones, silver=silver),
            )
    yield Move("Give nothing", RepairWall(seat=seat), closes=True)


def _feeding(state: State, seat: int) -> Iterator[Move]:
    for wood, silver in _mixes(state, seat, "wood", FIRE_BEAMS):
        yield Move(f"Pay {_mix(wood, silver, 'wood')}", FeedFire(seat=seat, wood=wood, silver=silver))


def _mixes(state: State, seat: int, kind: str, most: int) -> Iterator[tuple[int, int]]:
    """Own pieces and silver bars that together are not more than so many."""
    held = {str(resource): count for resource, count in state.builders[seat].held.items()}
    for own in range(min(most, held.get(kind, 0)), -1, -1):
        for silver in range(min(most - own, held.get("silver", 0)) + 1):
            yield own, silver


def _mix(own: int, silver: int, kind: str) -> str:
    return f"{amount(own, kind)} and {amount(silver, 'silver')}" if silver else amount(own, kind)


_BY_PHASE: dict[str, Callable[[State], Iterator[Offer]]] = {
    "board": _board,
    "court": _court,
    "share": _share,
    "lay": _lay,
    "draw": _draw,
    "winter": _winter,
    "reveal": _reveal,
    "equip": _equip,
    "cards": executing,
    "carts": _carts,
    "final": converting,
}
