"""What each seat may or must do now, as moves. Whether one is legal is asked of the rules, never decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.castle_builder import castle
from companion.rules.castle_builder.actions import (
    Arrive,
    BringDown,
    BuildTile,
    DiscardTiles,
    DrawTiles,
    EndTurn,
    LayFoundation,
    LayPath,
    LoseTile,
    NameCoin,
    NameTile,
    PickTile,
    RaiseCastle,
    StealTile,
    TakeCoin,
    UsePractice,
)
from companion.rules.castle_builder.asks import (
    ARRIVAL_ASKS,
    FOUNDATION_ASKS,
    ICON_ASKS,
    LOSS_ASKS,
    PATH_ASK,
    coin_ask,
    pay_ask,
    source_ask,
    tile_ask,
)
from companion.rules.castle_builder.castle import Spot
from companion.rules.castle_builder.coins import NAMES, words
from companion.rules.castle_builder.layout import practice_foundation, practice_path
from companion.rules.castle_builder.path import preview, steps_for
from companion.rules.castle_builder.renown import tiles_built
from companion.rules.castle_builder.sources import most_paid, named, source_name, sources
from companion.rules.castle_builder.state import HOLDER_LIMIT, Effect, Phase, Source, State, Tile
from companion.rules.castle_builder.supply import opponents, tiles_text
from companion.rules.offers import Move, Offer
from companion.rules.table import Ask

_SOME_TILE = Tile(number=1)


def offers(state: State) -> tuple[Offer, ...]:
    """Every seat's moves in this phase, and entering what lies in the market, which is always there."""
    if state.over:
        return ()
    found = (*_BY_PHASE[state.phase](state), *_market(state))
    return tuple(offer for offer in found if offer.moves)


# By phase


def _layout(state: State) -> Iterator[Offer]:
    moves: list[Move] = []
    if not state.path:
        moves.append(Move("Lay out the path of your board", LayPath(spaces=practice_path()), (PATH_ASK,)))
    if not state.foundation:
        action = LayFoundation(foundation=practice_foundation())
        moves.append(Move("Tell how wide your foundation is", action, FOUNDATION_ASKS))
    moves.append(Move("Play on the practice board instead", UsePractice()))
    text = "The companion does not know your board yet: tell it once and it remembers."
    yield Offer(seat=None, text=text, rule="setup.path", moves=tuple(moves), must=True)


def _turn(state: State) -> Iterator[Offer]:
    seat = state.active
    if state.acted:
        moves: tuple[Move, ...] = (Move("End the turn", EndTurn(seat=seat), closes=True),)
        yield Offer(seat=seat, text="All is settled.", rule="turn.one", moves=moves, must=True)
        return
    draw = Move("Draw 2 tiles", DrawTiles(seat=seat), group="Draw")
    building = _light_building(state, seat) if state.light else _building(state, seat)
    yield Offer(seat=seat, text="Draw two tiles, or build one.", rule="turn.one", moves=(draw, *building), must=True)


def _building(state: State, seat: int) -> Iterator[Move]:
    """Every open spot, for a tile still to be told; and every entered market tile on every spot."""
    if state.foundation is None:
        return
    spots = castle.open_spots(state.foundation, state.barons[seat].castle)
    untold = tuple(source for source in sources(state, seat) if named(state, source) is None)
    if untold:
        yield from (_build(state, seat, spot, untold) for spot in spots)
    for source in sources(state, seat):
        if tile := named(state, source):
            yield from (_build_named(state, seat, spot, source, tile) for spot in spots)


def _build(state: State, seat: int, spot: Spot, untold: tuple[Source, ...]) -> Move:
    action = BuildTile(seat=seat, level=spot.level, x=spot.x, source=untold[0], tile=castle.fitting_tile(spot))
    most = max(most_paid(state, seat, source) for source in untold)
    asks: list[Ask] = [source_ask(untold)] if len(untold) > 1 else []
    asks.append(tile_ask(spot.bottom))
    if spot.needs is not None and most > 0:
        asks.append(pay_ask(most))
    pattern = "" if spot.bottom == "stone" else f", {spot.bottom} below"
    steps = preview(state, seat, steps_for(spot.level, 0))
    label = f"{_place(spot)}: {castle.needed(spot)}{pattern}; {steps}"
    return Move(label, action, tuple(asks), group="Over air alone" if spot.bottom == "air" else "Build")


def _place(spot: Spot) -> str:
    return castle.where(spot.level, spot.x).capitalize()


def _build_named(state: State, seat: int, spot: Spot, source: Source, tile: Tile) -> Move:
    pay = castle.steps_off(spot, tile)
    action = BuildTile(seat=seat, level=spot.level, x=spot.x, source=source, pay=pay)
    cost = f", paying {tiles_text(pay)}" if pay else ""
    steps = preview(state, seat, steps_for(spot.level, tile.rubies))
    label = f"{castle.short(tile)} on {castle.where(spot.level, spot.x)}{cost}; {steps}"
    return Move(label, action, group=f"Build {source_name(source)}: {castle.describe(tile)}")


def _light_building(state: State, seat: int) -> Iterator[Move]:
    usable = sources(state, seat)
    if not usable:
        return
    most = max(most_paid(state, seat, source) for source in usable)
    asks = (source_ask(usable), *((pay_ask(most),) if most > 0 else ()), *ICON_ASKS)
    for level in range(1, state.barons[seat].levels + 2):
        steps = steps_for(level, 0)
        told = f"{steps} steps and 1 for each ruby" if steps else "no steps"
        action = RaiseCastle(seat=seat, level=level, source=usable[0])
        yield Move(f"Build on level {level}: {told}", action, asks, group="Build")


def _discard(state: State) -> Iterator[Offer]:
    for seat in state.crowded:
        excess = state.barons[seat].holder - HOLDER_LIMIT
        move = Move(f"Discard {tiles_text(excess)}", DiscardTiles(seat=seat))
        text = f"A holder takes {HOLDER_LIMIT}: choose what to keep."
        yield Offer(seat=seat, text=text, rule="draw.limit", moves=(move,), must=True)


def _move(state: State) -> Iterator[Offer]:
    seat = state.active
    moves = [
        Move("It reached nothing", Arrive(seat=seat)),
        Move("A coin reached or passed", Arrive(seat=seat, coins=1)),
        Move("Stopped on a tile area", Arrive(seat=seat, tile=True)),
        Move("A coin, and stopped on a tile area", Arrive(seat=seat, coins=1, tile=True)),
    ]
    if state.options.every_coin:
        moves.append(Move("More than one coin", Arrive(seat=seat, coins=2), ARRIVAL_ASKS))
    text = "Move your baron on the board, then tell what it reached."
    yield Offer(seat=seat, text=text, rule="baron.steps", moves=tuple(moves), must=True)


def _coin(state: State) -> Iterator[Offer]:
    moves = tuple(_take(state, slot) for slot in range(len(state.coins)))
    text = "Take a coin." if state.due == 1 else f"Take a coin: {state.due} are yours."
    yield Offer(seat=state.active, text=text, rule="coin.reached", moves=moves, must=True)


def _take(state: State, slot: int) -> Move:
    coin = state.coins[slot]
    if coin is None:
        action = TakeCoin(seat=state.active, slot=slot, coin="monk")
        return Move(f"Coin {slot + 1}, not entered yet", action, (coin_ask(),))
    return Move(f"{NAMES[coin]}: {words(state, coin)}", TakeCoin(seat=state.active, slot=slot))


def _effect(state: State) -> Iterator[Offer]:
    if state.effect is None:
        return
    text, rule, moves = _EFFECTS[state.effect]
    yield Offer(seat=state.active, text=text, rule=rule, moves=tuple(moves(state, state.active)), must=True)


def _stealing(state: State, seat: int) -> Iterator[Move]:
    for victim in opponents(state, seat):
        label = f"From {state.seats[victim]} ({tiles_text(state.barons[victim].holder)})"
        yield Move(label, StealTile(seat=seat, victim=victim))


def _crumbling(state: State, seat: int) -> Iterator[Move]:
    yield from _falling(state, seat, seat)


def _shooting(state: State, seat: int) -> Iterator[Move]:
    for owner in opponents(state, seat):
        yield from _falling(state, seat, owner)


def _falling(state: State, seat: int, owner: int) -> Iterator[Move]:
    """The bare tiles of a castle; in a light game any one of them."""
    name = state.seats[owner]
    if state.light:
        if tiles_built(state, owner):
            yield Move(f"A tile of {name}'s castle", LoseTile(seat=seat, owner=owner), LOSS_ASKS)
        return
    for placed in castle.loose_tiles(state.barons[owner].castle):
        label = f"{castle.short(placed.tile)} on {castle.where(placed.level, placed.x)}"
        yield Move(label, BringDown(seat=seat, owner=owner, level=placed.level, x=placed.x), group=f"{name}'s castle")


def _picking(state: State, seat: int) -> Iterator[Move]:
    for slot, tile in enumerate(state.tiles):
        told = f": {castle.describe(tile)}" if tile else ""
        yield Move(f"Market tile {slot + 1}{told}", PickTile(seat=seat, slot=slot))


_EFFECTS: dict[Effect, tuple[str, str, Callable[[State, int], Iterator[Move]]]] = {
    "thief": ("Whom do you rob?", "coin.thief", _stealing),
    "crumble": ("Which tile of yours crumbles?", "coin.crumble", _crumbling),
    "catapult": ("Which tile do you shoot down?", "coin.catapult", _shooting),
    "pick": ("Take a tile from the market.", "coin.mill", _picking),
}

_BY_PHASE: dict[Phase, Callable[[State], Iterator[Offer]]] = {
    "layout": _layout,
    "turn": _turn,
    "discard": _discard,
    "move": _move,
    "coin": _coin,
    "effect": _effect,
}


# In any phase


def _market(state: State) -> Iterator[Offer]:
    """Entering what lies face up: not needed, but then the companion can say where a tile fits."""
    if state.phase == "layout":
        return
    moves = [
        Move(f"Enter market tile {slot + 1}", NameTile(slot=slot, tile=_SOME_TILE), (tile_ask(),))
        for slot, tile in enumerate(state.tiles)
        if tile is None and not state.light
    ]
    moves += [
        Move(f"Enter coin {slot + 1}", NameCoin(slot=slot, coin="monk"), (coin_ask(),))
        for slot, coin in enumerate(state.coins)
        if coin is None
    ]
    text = "Enter what lies in the market, if you like."
    yield Offer(seat=None, text=text, rule="market.entered", moves=tuple(moves))
