"""The table as data: phase strip, counters, market, path, castles."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.castle_builder import castle, renown
from companion.rules.castle_builder.coins import NAMES, words
from companion.rules.castle_builder.phases import waits_for
from companion.rules.castle_builder.state import HOLDER_LIMIT, ICONS, Coin, Phase, Space, State, Tile
from companion.rules.strip import strip
from companion.rules.table import Counter, Panel, Picture, Piece, Row

_STRIP: tuple[tuple[str, tuple[Phase, ...]], ...] = (
    ("Draw or build", ("layout", "turn")),
    ("Baron", ("move",)),
    ("Discard", ("discard",)),
    ("Coin", ("coin",)),
    ("Effect", ("effect",)),
)


def picture(state: State) -> Picture:
    """Everything a front end draws."""
    waits = waits_for(state)
    return Picture(
        headline=f"Round {state.round}: {waits}",
        phases=strip(_STRIP, state.phase),
        counters=tuple(_counters(state)),
        panels=tuple(_panels(state)),
    )


def _counters(state: State) -> Iterator[Counter]:
    for seat, baron in enumerate(state.barons):
        yield Counter(key="coins", label="coins", value=baron.coins, seat=seat, limit=state.goal)
        yield Counter(key="tiles", label="tiles", value=baron.holder, seat=seat, limit=HOLDER_LIMIT)
        yield Counter(key="levels", label="levels", value=renown.height(state, seat), seat=seat, group="castle")
        for icon in ICONS:
            yield Counter(key=icon, label=icon, value=renown.icons(state, seat, icon), seat=seat, group="castle")
        if state.path:
            yield Counter(key="area", label="area", value=baron.space + 1, seat=seat)
    yield Counter(key="pile", label="tiles in the pile", value=state.pile)
    yield Counter(key="discard", label="discarded", value=state.discard)


def _panels(state: State) -> Iterator[Panel]:
    yield Panel(title="Market", rows=tuple(_market(state)))
    if state.path:
        yield Panel(title="Path", rows=tuple(_path(state)))
    for seat in range(len(state.barons)):
        if not state.light:
            yield Panel(title="Castle", seat=seat, rows=tuple(_castle(state, seat)))


def _market(state: State) -> Iterator[Row]:
    if not state.light:
        yield Row(label="tiles", pieces=tuple(_market_tile(tile) for tile in state.tiles))
    yield Row(label="coins", pieces=tuple(_market_coin(state, coin) for coin in state.coins))


def _market_tile(tile: Tile | None) -> Piece:
    return Piece(kind="tile", label=castle.describe(tile) if tile else "not entered")


def _market_coin(state: State, coin: Coin | None) -> Piece:
    return Piece(kind=coin or "coin", label=f"{NAMES[coin]}: {words(state, coin)}" if coin else "not entered")


def _path(state: State) -> Iterator[Row]:
    """Every area with something on it, from start area 1."""
    here = {baron.space: name for baron, name in zip(state.barons, state.seats, strict=True)}
    pieces = (_area(area, space, here.get(area)) for area, space in enumerate(state.path))
    yield Row(label=f"{len(state.path)} areas", pieces=tuple(piece for piece in pieces if piece))


def _area(area: int, space: Space, baron: str | None) -> Piece | None:
    if space in ("plain", "start") and baron is None:
        return None
    label = f"{area + 1}{f', {baron}' if baron else ''}"
    return Piece(kind=space, label=label)


def _castle(state: State, seat: int) -> Iterator[Row]:
    """Levels from the top down, tiles from the left, the door among them."""
    if state.foundation is None:
        return
    tiles = castle.standing(state.foundation, state.barons[seat].castle)
    for level in range(renown.height(state, seat), 0, -1):
        row = sorted(x for floor, x in tiles if floor == level)
        yield Row(label=f"level {level}", pieces=tuple(_tile(x, tiles[level, x]) for x in row))


def _tile(x: int, tile: Tile) -> Piece:
    if tile == castle.DOOR:
        return Piece(kind="door", label=f"at {castle.column(x)}: {tile.number}")
    return Piece(kind="tile", label=f"at {castle.column(x)}: {castle.describe(tile)}")
