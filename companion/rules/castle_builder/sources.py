"""Where a tile to build comes from: the holder, the market, the court beside the holder. And what is paid for it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_builder.state import COURT, MARKET_SOURCES, Courtier, Source, State, Tile
from companion.rules.castle_builder.supply import lose_from_holder, tile_taken, tiles_text, with_baron

_ONE_STEP = 1


def sources(state: State, seat: int) -> tuple[Source, ...]:
    """Where a seat could build from now."""
    baron = state.barons[seat]
    holder: tuple[Source, ...] = ("holder",) if baron.holder else ()
    return (*holder, *MARKET_SOURCES[: len(state.tiles)], *baron.court)


def source_name(source: Source) -> str:
    """
    >>> source_name("market-2"), source_name("prince")
    ('market tile 2', 'the prince')
    """
    if source in MARKET_SOURCES:
        return f"market tile {MARKET_SOURCES.index(source) + 1}"
    return "the holder" if source == "holder" else f"the {source}"


def named(state: State, source: Source) -> Tile | None:
    """The tile a source is known to give."""
    slot = MARKET_SOURCES.index(source) if source in MARKET_SOURCES else len(state.tiles)
    return state.tiles[slot] if slot < len(state.tiles) else None


def checked_source(referee: Referee, state: State, seat: int, source: Source) -> None:
    """Refuse, finally, what is not there to build."""
    if source in sources(state, seat):
        return
    name = state.seats[seat]
    if source == "holder":
        referee.impossible("build.source", f"{name}'s holder is empty.")
    if source in COURT:
        referee.impossible("royal.court", f"{name} has no {source} beside the holder.")
    referee.impossible("build.source", f"There is no {source_name(source)}.")


def taken(referee: Referee, state: State, seat: int, source: Source) -> State:
    """The state without the tile that is being built; the market is filled at once."""
    baron = state.barons[seat]
    if source == "holder":
        return with_baron(state, seat, holder=baron.holder - 1)
    if source in MARKET_SOURCES:
        return tile_taken(referee, state, MARKET_SOURCES.index(source))
    return with_baron(state, seat, court=_without(baron.court, source))


def _without(court: tuple[Courtier, ...], gone: Source) -> tuple[Courtier, ...]:
    return tuple(courtier for courtier in court if courtier != gone)


def entered(referee: Referee, state: State, source: Source, said: Tile | None) -> Tile:
    """The tile that is built: as said now, or as it was entered in the market."""
    known = named(state, source)
    tile = said or known
    if tile is None:
        referee.impossible("tile.entered", f"Say which tile {source_name(source)} is.")
    if not tile.wild and not tile.number:
        referee.impossible("tile.entered", "A tile has a number, a tick, or both.")
    if known and known != tile:
        referee.refuse("market.entered", f"Another tile was entered as {source_name(source)}.")
    return replace(tile, name=source) if source in COURT and not tile.name else tile


def most_paid(state: State, seat: int, source: Source) -> int:
    """How many tiles a seat could pay when it builds from a source."""
    left = state.barons[seat].holder - (source == "holder")
    return left if state.options.royal else min(_ONE_STEP, left)


def paid(referee: Referee, state: State, seat: int, pay: int) -> State:
    """Tiles of the holder discarded to change a number; the tile to be built has left the holder already."""
    held, name = state.barons[seat].holder, state.seats[seat]
    if pay > held:
        referee.impossible("pay.holder", f"{name} has {tiles_text(held)} left in the holder and cannot pay {pay}.")
    if pay > _ONE_STEP and not state.options.royal:
        referee.refuse("pay.one-step", f"One tile can be paid to change a number by one step, not {pay}.")
    return lose_from_holder(referee, state, seat, pay, "royal.pay" if state.options.royal else "pay.one-step")
