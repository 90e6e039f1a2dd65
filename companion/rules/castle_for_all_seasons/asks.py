"""What has to be read off the board or said by a player, as questions."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.castle_for_all_seasons.actions import Payment
from companion.rules.castle_for_all_seasons.payments import described
from companion.rules.castle_for_all_seasons.state import KINDS, Source, WinterCard
from companion.rules.castle_for_all_seasons.supply import cart_name
from companion.rules.castle_for_all_seasons.winter import winter_name
from companion.rules.table import Ask, Option

_MOST_FEE_TALERS = 30
_MOST_CART_PIECES = 9
_SPACES = 15

TILE_ASK = Ask(
    field="printed", label="what the tile shows", kind="entry", table="plain-tiles",
    fields=(
        Ask(field="value", label="building value", kind="number", low=2, high=60),
        Ask(field="vp", label="points before the crown", kind="number", high=60),
    ),
)  # fmt: skip
FEE_ASK = Ask(field="talers", label="fee in talers", kind="number", high=_MOST_FEE_TALERS, table="fees")
CART_ASK = Ask(field="pieces", label="pieces shown", kind="number", low=1, high=_MOST_CART_PIECES, table="carts")
SPACES_ASK = Ask(
    field="spaces", label="round spaces with a winter card", kind="list", low=1, high=_SPACES, table="winter-spaces",
    options=tuple(Option(value=space, label=f"space {space}") for space in range(1, _SPACES + 1)),
)  # fmt: skip

PIECE_ASKS = (
    *(Ask(field=f"payment/own/{kind}", label=f"own {kind}", kind="number", high=20) for kind in KINDS),
    *(Ask(field=f"payment/silver/{kind}", label=f"silver as {kind}", kind="number", high=15) for kind in KINDS),
)


def in_full(payment: Payment) -> Payment:
    """A payment with every kind listed, so that each can be asked for."""
    return Payment(
        own={kind: payment.own.get(kind, 0) for kind in KINDS},
        silver={kind: payment.silver.get(kind, 0) for kind in KINDS},
    )


def payment_ask(ways: Iterable[Payment]) -> Ask:
    """Which of these payments."""
    options = tuple(Option(value=way, label=described(way)) for way in ways)
    return Ask(field="payment", label="pay with", kind="choice", options=options)


def source_ask(sources: Iterable[Source]) -> Ask:
    """Which helper is used."""
    options = tuple(Option(value=source, label=_source(source)) for source in sources)
    return Ask(field="source", label="which helper", kind="choice", options=options)


def _source(source: Source) -> str:
    if source == "stock":
        return "one of the own stock"
    return "the innkeeper" if source == "innkeeper" else f"the one at {cart_name(source)}"


def winter_ask(cards: Iterable[WinterCard]) -> Ask:
    """Which winter card was turned up."""
    options = tuple(Option(value=card, label=winter_name(card)) for card in cards)
    return Ask(field="card", label="winter card", kind="choice", options=options)


def talers_ask(most: int) -> Ask:
    """How many talers to convert."""
    return Ask(field="talers", label="talers to convert", kind="number", high=most)
