"""The moves of whoever executes a card: trader, bricklayer, stonemason, worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.actions import (
    AnswerSale,
    Buy,
    BuyNothing,
    DoneBuilding,
    DonePlacing,
    Erect,
    Payment,
    PlaceHelper,
    PlaceInnkeeper,
    PostHelper,
    PostNobody,
    ReadFee,
    ReadTile,
    RecallHelper,
    TakeFromTower,
)
from companion.rules.castle_for_all_seasons.asks import (
    FEE_ASK,
    PIECE_ASKS,
    TILE_ASK,
    in_full,
    payment_ask,
    source_ask,
)
from companion.rules.castle_for_all_seasons.execution import INNKEEPER_FEE_TALERS, for_sale
from companion.rules.castle_for_all_seasons.payments import described, ways_for
from companion.rules.castle_for_all_seasons.phases import card_name
from companion.rules.castle_for_all_seasons.state import (
    BUILDINGS,
    RESOURCES,
    Building,
    Stage,
    State,
    Target,
    Tile,
    Turn,
)
from companion.rules.castle_for_all_seasons.supply import amount, cart_name, sources, tavern_of
from companion.rules.offers import Move, Offer
from companion.rules.table import Ask

_SHOWN_WAYS = 24
_STAND_IN_TILE = Tile(value=2, vp=0)


def executing(state: State) -> Iterator[Offer]:
    """The moves at this stage of the card being executed."""
    turn = state.turn
    if turn is None:
        return
    if turn.stage == "sale" and turn.asked:
        yield _sale(state, turn)
        return
    text, rule = _TEXTS[turn.stage]
    card = card_name(turn.card)
    moves = tuple(_STAGES[turn.stage](state, turn))
    yield Offer(turn.seat, f"{card[:1].upper()}{card[1:]}: {text}", rule, moves, must=True)


def _sale(state: State, turn: Turn) -> Offer:
    assert turn.asked is not None
    owner = turn.asked.owner
    text = f"{state.seats[turn.seat]} wants your last piece, {amount(1, turn.asked.kind)}, for a taler."
    moves = (
        Move("Sell it", AnswerSale(seat=owner, sell=True)),
        Move("Keep it", AnswerSale(seat=owner, sell=False)),
    )
    return Offer(owner, text, "mason.last", moves, must=True)


# Trader


def _recalling(state: State, turn: Turn) -> Iterator[Move]:
    for cart in RESOURCES:
        if cart in state.posts and state.posts[cart].seat == turn.seat:
            yield Move(f"Take back the helper at {cart_name(cart)}", RecallHelper(seat=turn.seat, cart=cart))


def _posting(state: State, turn: Turn) -> Iterator[Move]:
    usable = [source for source in sources(state, turn.seat) if source in ("stock", "innkeeper")]
    ask = (source_ask(usable),) if len(usable) > 1 else ()
    for cart in RESOURCES:
        post = state.posts.get(cart)
        who = f", displacing {state.seats[post.seat]}" if post else ""
        label = f"Helper to {cart_name(cart)}{who}"
        yield Move(label, PostHelper(seat=turn.seat, cart=cart, source=usable[0] if usable else "stock"), ask)
    yield Move("Place no helper", PostNobody(seat=turn.seat), closes=True)


# Getting resources


def _taking(state: State, turn: Turn) -> Iterator[Move]:
    for kind in RESOURCES:
        if kind in state.tower:
            yield Move(f"Take {amount(state.tower[kind], kind)}", TakeFromTower(seat=turn.seat, kind=kind))


def _buying(state: State, turn: Turn) -> Iterator[Move]:
    for owner, worker, kind in for_sale(state, turn.seat):
        label = f"Buy {amount(1, kind)} from {state.seats[owner]}"
        yield Move(label, Buy(seat=turn.seat, owner=owner, card=worker, kind=kind), group="Buy for a taler")
    yield Move("Buy nothing", BuyNothing(seat=turn.seat), closes=True)


# Building


def _building(state: State, turn: Turn) -> Iterator[Move]:
    for building in BUILDINGS:
        if building in state.tiles:
            yield from _erecting(state, turn, building)
    yield Move("Done building", DoneBuilding(seat=turn.seat), closes=True)


def _erecting(state: State, turn: Turn, building: Building) -> Iterator[Move]:
    tile = state.printed.tiles.get(building)
    name = castle.named(building)
    if tile is None:
        action = ReadTile(building=building, printed=_STAND_IN_TILE)
        yield Move(f"Read a {name} tile off the board", action, (TILE_ASK,), group="Read once")
        return
    label = f"Erect the {name} ({tile.value}{_reward(turn, tile)})"
    ways = ways_for(state, turn.seat, tile.value)
    if len(ways) == 1:
        label += f" with {described(ways[0])}"
    action_of = Erect(seat=turn.seat, building=building, payment=ways[0] if ways else Payment())
    yield Move(label, action_of, (payment_ask(ways[:_SHOWN_WAYS]),) if len(ways) > 1 else (), group="Build")
    if len(ways) > _SHOWN_WAYS:
        counted = Erect(seat=turn.seat, building=building, payment=in_full(ways[0]))
        yield Move(f"Erect the {name}, counting the pieces out", counted, PIECE_ASKS, group="Build")


def _reward(turn: Turn, tile: Tile) -> str:
    if turn.card == "bricklayer":
        return ""
    points = tile.vp if turn.card == "stonemason" else tile.vp // 2
    return f", {amount(points, 'point')}"


# Helpers


def _placing(state: State, turn: Turn) -> Iterator[Move]:
    usable = sources(state, turn.seat)
    ask = (source_ask(usable),) if len(usable) > 1 else ()
    source = usable[0] if usable else "stock"
    for spot in _different(state):
        fee = castle.fee(state, spot)
        where = castle.spot_name(spot)
        if fee is None and spot != "granary":
            yield Move(f"Read the fee: {where}", ReadFee(spot=spot, talers=0), (FEE_ASK,), group="Read once")
        else:
            action = PlaceHelper(seat=turn.seat, spot=spot, source=source)
            yield Move(f"Helper to the {where} ({amount(fee or 0, 'taler')})", action, ask, group="Helpers")
    yield from _inn(state, turn, ask)
    yield Move("Done placing", DonePlacing(seat=turn.seat), closes=True)


def _different(state: State) -> Iterator[Target]:
    """The open places, of equal ones in a building only the first."""
    seen = set()
    for spot in castle.targets(state):
        fee = castle.fee(state, spot)
        what = (castle.place_of(spot), fee if fee is not None else spot)
        if what not in seen:
            seen.add(what)
            yield spot


def _inn(state: State, turn: Turn, ask: tuple[Ask, ...]) -> Iterator[Move]:
    tavern, usable = tavern_of(state), sources(state, turn.seat)
    if tavern and tavern.innkeeper is None and usable:
        label = f"Innkeeper to the village tavern ({INNKEEPER_FEE_TALERS} talers, {tavern.talers} on the card)"
        yield Move(label, PlaceInnkeeper(seat=turn.seat, source=usable[0]), ask, group="Helpers")


_TEXTS: dict[Stage, tuple[str, str]] = {
    "recall": ("you cannot pay the village tavern; take back a helper.", "winter.tavern-toll"),
    "post": ("place a helper beside a cart or the rider.", "trader.place"),
    "take": ("take all of one kind from the defense tower.", "brick.take"),
    "buy": ("buy a piece from a worker, or nothing.", "mason.buy"),
    "build": ("erect up to two buildings.", "build.exact"),
    "helpers": ("place helpers.", "helper.place"),
}
_STAGES: dict[Stage, Callable[[State, Turn], Iterator[Move]]] = {
    "recall": _recalling,
    "post": _posting,
    "take": _taking,
    "buy": _buying,
    "build": _building,
    "helpers": _placing,
}
