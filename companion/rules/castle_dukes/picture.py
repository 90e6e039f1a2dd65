"""The table as data: phase strip, counters, game board, castles, inventories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.barbican import ratings
from companion.rules.castle_dukes.state import (
    RATINGS,
    ROOM_ITEMS,
    TOP_ITEMS,
    TOWERS,
    Card,
    Phase,
    Room,
    Slot,
    State,
    Tile,
    Top,
)
from companion.rules.castle_dukes.supply import limit
from companion.rules.table import Counter, Panel, PhaseMark, Picture, Piece, Row

_STRIP: tuple[tuple[str, tuple[Phase, ...]], ...] = (
    ("Rooms", ("opening", "room")),
    ("Building", ("building",)),
    ("Guest card", ("guest-card",)),
    ("Dragon", ("dragon",)),
    ("Guests", ("guests",)),
)
_NAMES: dict[Phase, str] = {
    "opening": "Free coins",
    "room": "Room Phase",
    "building": "Building Phase",
    "guest-card": "Guest Phase",
    "dragon": "Dragon attack",
    "guests": "Guest Phase",
    "count": "Count the castles",
    "over": "Game over",
}
_IN_ROOM = (*ROOM_ITEMS, "king", "princess", "knight")


def picture(state: State) -> Picture:
    """Everything a front end draws."""
    return Picture(
        headline=f"Turn {state.turn} of {state.options.turns}: {_NAMES[state.phase]}",
        phases=_strip(state),
        counters=tuple(_counters(state)),
        panels=tuple(_panels(state)),
    )


def _strip(state: State) -> tuple[PhaseMark, ...]:
    now = next((place for place, (_, phases) in enumerate(_STRIP) if state.phase in phases), len(_STRIP))
    return tuple(PhaseMark(label=label, status=_status(place, now)) for place, (label, _) in enumerate(_STRIP))


def _status(place: int, now: int) -> Literal["past", "now", "ahead"]:
    if place == now:
        return "now"
    return "past" if place < now else "ahead"


def _counters(state: State) -> Iterator[Counter]:
    for seat, duke in enumerate(state.dukes):
        yield Counter(key="coins", label="coins", value=duke.coins, seat=seat)
        dials = ratings(state, seat)
        for rating in RATINGS:
            yield Counter(key=rating, label=rating, value=getattr(dials, rating), seat=seat, group="barbican")
        yield Counter(key="crumbles", label="Crumble tokens", value=duke.crumbles, seat=seat)
        if state.options.vines:
            yield Counter(key="vines", label="vines dropped", value=duke.vines_dropped, seat=seat)
    if state.ai:
        for rating in RATINGS:
            yield Counter(
                key=rating, label=rating, value=getattr(state.ai, rating), seat=len(state.dukes), group="barbican"
            )
    yield Counter(key="turn", label="turn", value=state.turn, limit=state.options.turns)


def _panels(state: State) -> Iterator[Panel]:
    for board, slots in enumerate(state.boards):
        title = "Rooms" if len(state.boards) == 1 else f"Rooms, board {board + 1}"
        yield Panel(title=title, rows=tuple(_slot(slot) for slot in reversed(slots)))
    for seat in range(len(state.dukes)):
        if state.options.detail == "full":
            yield Panel(title="Castle", seat=seat, rows=tuple(_castle(state, seat)))
            yield Panel(title="Inventory", seat=seat, rows=tuple(_inventory(state, seat)))
    if state.ai:
        guests = tuple(Piece(kind=guest, count=getattr(state.ai, guest)) for guest in ("king", "princess", "knight"))
        rows = (Row(label="guests", pieces=tuple(piece for piece in guests if piece.count)),)
        yield Panel(title="AI", seat=len(state.dukes), rows=rows)


def _slot(slot: Slot) -> Row:
    pieces: list[Piece] = []
    if slot.filled:
        pieces.append(Piece(kind="room", label=describe(slot.card) if slot.card else "not entered"))
    if slot.bonus != "none":
        pieces.append(Piece(kind="bonus" if slot.bonus == "unknown" else slot.bonus, label=_bonus(slot)))
    return Row(label=f"{slot.cost}", pieces=tuple(pieces))


def _bonus(slot: Slot) -> str:
    return "not known yet" if slot.bonus == "unknown" else "bonus"


def describe(card: Card) -> str:
    """A room card in a few words.

    >>> describe(Card(name="Kitchen", comfort=1, king=1, serf=2, levels="lower"))
    'Kitchen: comfort 1; king, 2 serfs; lower'
    """
    adds = [f"{rating} {getattr(card, rating)}" for rating in RATINGS if getattr(card, rating)]
    slots = [
        _slots(guest, getattr(card, guest)) for guest in ("king", "princess", "knight", "serf") if getattr(card, guest)
    ]
    points = [f"{card.vp} VP"] if card.vp else []
    parts = [", ".join([*adds, *points]), ", ".join(slots), "" if card.levels == "any" else card.levels]
    told = "; ".join(part for part in parts if part)
    return f"{card.name}: {told}" if told else card.name


def _slots(guest: str, count: int) -> str:
    return guest if count == 1 else f"{count} {guest}{'es' if guest.endswith('s') else 's'}"


def _castle(state: State, seat: int) -> Iterator[Row]:
    """Levels from the top down, tower by tower, then the bridges."""
    here = state.dukes[seat].castle
    for tower in TOWERS:
        stack = castle.tower(here, tower)
        for level in range(len(stack), 0, -1):
            yield Row(label=f"{tower} {level}", pieces=tuple(_tile(stack[level - 1])))
    for bridge in here.bridges:
        yield Row(label=f"bridge {bridge.level}", pieces=(Piece(kind="bridge"), *_top(bridge.top)))


def _tile(tile: Tile) -> Iterator[Piece]:
    if tile.roof is not None:
        yield Piece(kind="roof")
        yield from _top(tile.roof)
        return
    yield Piece(kind="tile", label=f"{tile.covered} of {tile.cobbles} cobblestones held")
    if tile.pillars:
        yield Piece(kind="pillar", count=tile.pillars)
    for room in tile.rooms:
        yield from _room(room)


def _room(room: Room) -> Iterator[Piece]:
    yield Piece(kind="room", label=room.card.name)
    for item in _IN_ROOM:
        if count := int(getattr(room, item)):
            yield Piece(kind=item, count=count)


def _top(top: Top) -> Iterator[Piece]:
    for item in TOP_ITEMS:
        if count := getattr(top, item):
            yield Piece(kind=item, count=count)


def _inventory(state: State, seat: int) -> Iterator[Row]:
    duke = state.dukes[seat]
    if duke.held:
        pieces = (Piece(kind=item, count=count, label=f"of {limit(item)}") for item, count in duke.held.items())
        yield Row(label="items", pieces=tuple(pieces))
    if duke.cards:
        yield Row(label="rooms", pieces=tuple(Piece(kind="room", label=describe(card)) for card in duke.cards))
    if duke.loose or duke.loose_cards:
        loose = (Piece(kind=item, count=count) for item, count in duke.loose.items())
        cards = (Piece(kind="room", label=card.name) for card in duke.loose_cards)
        yield Row(label="in hand", pieces=(*loose, *cards))
