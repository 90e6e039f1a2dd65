"""The table as data: phase strip, counters, board, helpers, stocks, cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.phases import card_name, hand, laid
from companion.rules.castle_for_all_seasons.scoring import TRACK_SPACES, track_space
from companion.rules.castle_for_all_seasons.state import (
    BUILDINGS,
    FACE_DOWN,
    RESOURCES,
    SPOTS,
    Building,
    Laid,
    Phase,
    Resource,
    Spot,
    State,
    Winter,
)
from companion.rules.castle_for_all_seasons.winter import winter_name
from companion.rules.strip import strip
from companion.rules.table import Counter, Panel, PhaseMark, Picture, Piece, Row

_STRIP: tuple[tuple[str, tuple[Phase, ...]], ...] = (
    ("Cards", ("board", "court", "share", "lay")),
    ("Winter card", ("draw", "winter")),
    ("Reveal", ("reveal",)),
    ("Workers", ("equip",)),
    ("Execute", ("cards", "carts")),
    ("Final scoring", ("final",)),
)
_NAMES: dict[Phase, str] = {
    "board": "Read the board", "court": "Courting the damsel", "share": "Sharing the damsel's gifts",
    "lay": "Lay cards", "draw": "Winter card", "winter": "Winter card", "reveal": "Reveal", "equip": "Equip workers",
    "cards": "Execute cards", "carts": "The carts pay", "final": "Final scoring", "over": "Game over",
}  # fmt: skip


_PLAIN: tuple[Building, ...] = ("well", "tower", "house")
"""Buildings without helper's places (Using Helpers)."""


def picture(state: State) -> Picture:
    """Everything a front end draws. Cards laid face down are shown to their owner only."""
    return Picture(
        headline=_headline(state),
        phases=_strip(state),
        counters=tuple(_counters(state)),
        panels=tuple(_panels(state)),
    )


def _headline(state: State) -> str:
    if state.phase in ("final", "over"):
        return _NAMES[state.phase]
    what = _NAMES[state.phase]
    if not state.round:
        return f"Before the first round: {what}"
    if state.turn:
        what = f"{state.seats[state.turn.seat]} executes {card_name(state.turn.card)}"
    return f"Round {state.round} of {state.rounds}: {what}"


def _strip(state: State) -> tuple[PhaseMark, ...]:
    return strip([step for step in _STRIP if state.winter or step[0] != "Winter card"], state.phase)


def _counters(state: State) -> Iterator[Counter]:
    for seat, builder in enumerate(state.builders):
        yield Counter(key="points", label="points", value=builder.points, seat=seat)
        if builder.points > TRACK_SPACES:
            yield Counter(key="track", label="track space", value=track_space(builder.points), seat=seat)
        yield Counter(key="talers", label="talers", value=builder.talers, seat=seat)
        yield Counter(key="helpers", label="helpers", value=builder.helpers, seat=seat)
        for kind in RESOURCES:
            yield Counter(key=kind, label=kind, value=builder.held.get(kind, 0), seat=seat, group="stock")
    yield Counter(key="round", label="round", value=state.round, limit=state.rounds)
    yield Counter(key="bank", label="talers in the bank", value=state.bank)
    yield Counter(key="forge", label="silver in the forge", value=state.forge)
    yield Counter(key="tiles", label="buildings to erect", value=sum(state.tiles.values()))


def _panels(state: State) -> Iterator[Panel]:
    yield Panel(title="Buildings to erect", rows=tuple(_tiles(state)))
    yield Panel(title="Carts", rows=tuple(_carts(state)))
    yield Panel(title="Helpers in the castle", rows=tuple(_helpers(state)))
    if state.winter and state.winter.drawn:
        yield Panel(title="Winter", rows=tuple(_winter(state, state.winter)))
    for seat in range(len(state.seats)):
        yield Panel(title="Cards", seat=seat, rows=tuple(_cards(state, seat)))
        if laid(state.builders[seat]) and state.options.cards == "secret":
            row = _card_row("laid", state.builders[seat].laid)
            yield Panel(title="Face down", seat=seat, rows=(row,), secret=True)


def _tiles(state: State) -> Iterator[Row]:
    special = [building for building in BUILDINGS if state.tiles.get(building) and building not in _PLAIN]
    plain = [building for building in _PLAIN if state.tiles.get(building)]
    for label, buildings in (("with helper's places", special), ("without", plain)):
        if buildings:
            yield Row(label=label, pieces=tuple(_tile(state, building) for building in buildings))


def _tile(state: State, building: Building) -> Piece:
    tile = state.printed.tiles.get(building)
    shown = f"{tile.value} for {tile.vp} points" if tile else "not read yet"
    return Piece(kind=building, label=shown, count=state.tiles[building])


def _carts(state: State) -> Iterator[Row]:
    yield Row(label="carts and rider", pieces=tuple(_cart(state, cart) for cart in RESOURCES))
    yield Row(label="defense tower", pieces=_pieces(state.tower))


def _cart(state: State, cart: Resource) -> Piece:
    shown = state.printed.carts.get(cart)
    told = [] if shown is None else [f"pays {shown}"]
    told += [f"helper of {state.seats[state.posts[cart].seat]}"] if cart in state.posts else []
    return Piece(kind=cart, label=", ".join(told), count=state.stock.get(cart, 0))


def _pieces(counts: Mapping[Resource, int]) -> tuple[Piece, ...]:
    return tuple(Piece(kind=kind, count=counts[kind]) for kind in RESOURCES if counts.get(kind))


def _helpers(state: State) -> Iterator[Row]:
    for place in dict.fromkeys(castle.place_of(spot) for spot in SPOTS):
        spots = castle.spots_of(place)
        if castle.stands(state, place) or any(spot in state.helpers for spot in spots):
            yield Row(label=castle.named(place), pieces=tuple(_helper(state, spot) for spot in spots))


def _helper(state: State, spot: Spot) -> Piece:
    if spot in state.helpers:
        return Piece(kind="helper", label=state.seats[state.helpers[spot]])
    fee = castle.fee(state, spot)
    return Piece(kind="free", label="fee not read yet" if fee is None else f"fee {fee}")


def _winter(state: State, winter: Winter) -> Iterator[Row]:
    yield Row(label="drawn", pieces=tuple(Piece(kind="winter-card", label=winter_name(card)) for card in winter.drawn))
    if winter.tavern:
        keeper = winter.tavern.innkeeper
        label = "no innkeeper" if keeper is None else f"innkeeper: {state.seats[keeper]}"
        yield Row(label="village tavern", pieces=(Piece(kind="taler", label=label, count=winter.tavern.talers),))
    if winter.granary is not None:
        yield Row(
            label="granary", pieces=tuple(Piece(kind="helper", label=state.seats[seat]) for seat in winter.granary)
        )
    if winter.damsel:
        out = [state.seats[seat] for seat in winter.damsel.out]
        label = f"out: {', '.join(out)}" if out else "courted" if winter.damsel.declared else "not courted yet"
        talers = (Piece(kind="taler", count=winter.damsel.talers),) if winter.damsel.talers else ()
        gifts = (*_pieces(winter.damsel.pieces), *talers)
        yield Row(label="damsel", pieces=(Piece(kind="winter-card", label=label), *gifts))


def _cards(state: State, seat: int) -> Iterator[Row]:
    """What everyone can know: the hand still counts a card laid face down."""
    builder = state.builders[seat]
    yield _card_row("in hand", hand(builder))
    if builder.played:
        yield _card_row("played", builder.played)
    if builder.laid:
        shown = builder.laid if state.options.cards == "table" else (FACE_DOWN,) * len(builder.laid)
        yield _card_row("laid", shown)
    if builder.lost:
        yield _card_row("lost", builder.lost)
    for worker, pieces in builder.carried.items():
        yield Row(label=f"on {card_name(worker)}", pieces=_pieces(pieces) or (Piece(kind="empty"),))


def _card_row(label: str, cards: tuple[Laid, ...]) -> Row:
    return Row(label=label, pieces=tuple(Piece(kind=card) for card in cards))
