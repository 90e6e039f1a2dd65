"""The table as data: phase strip, money and points, contract board, favour race, castles, bonus cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.rules.mad_king_ludwig import bonus, favours, rooms
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.favours import Standing
from companion.rules.mad_king_ludwig.notation import written
from companion.rules.mad_king_ludwig.prompts import details
from companion.rules.mad_king_ludwig.purse import amount
from companion.rules.mad_king_ludwig.rooms import TYPES
from companion.rules.mad_king_ludwig.scoring_steps import room_points
from companion.rules.mad_king_ludwig.state import STACKS, Castle, Phase, Space, State
from companion.rules.table import Counter, Panel, PhaseMark, Picture, Piece, Row

_STRIP: tuple[tuple[str, tuple[Phase, ...]], ...] = (
    ("Set-up", ("favours", "bonus")),
    ("Rooms", ("draw",)),
    ("Prices", ("pricing",)),
    ("Buying", ("buying",)),
    ("Reveal", ("reveal",)),
)
_NAMES: dict[Phase, str] = {
    "favours": "King's Favours",
    "bonus": "Bonus cards",
    "draw": "Rooms for the contract board",
    "pricing": "Prices",
    "buying": "Buying",
    "reveal": "Show and count",
    "over": "Game over",
}


def picture(state: State) -> Picture:
    """Everything a front end draws."""
    return Picture(
        headline=_headline(state),
        phases=_strip(state),
        counters=tuple(_counters(state)),
        panels=tuple(_panels(state)),
    )


def _headline(state: State) -> str:
    last = " (the last)" if state.last_round else ""
    who = f", {state.seats[state.turn.seat]}" if state.turn and not state.solo else ""
    return f"Round {state.round}{last}: {_NAMES[state.phase]}{who}"


def _strip(state: State) -> tuple[PhaseMark, ...]:
    now = next((place for place, (_, phases) in enumerate(_STRIP) if state.phase in phases), len(_STRIP))
    return tuple(PhaseMark(label=label, status=_status(place, now)) for place, (label, _) in enumerate(_STRIP))


def _status(place: int, now: int) -> Literal["past", "now", "ahead"]:
    if place == now:
        return "now"
    return "past" if place < now else "ahead"


def _counters(state: State) -> Iterator[Counter]:
    for seat, player in enumerate(state.players):
        yield Counter(key="marks", label="M", value=player.marks, seat=seat)
        yield Counter(key="points", label="points", value=player.track, seat=seat)
        yield Counter(key="rooms", label="rooms", value=len(player.castle.rooms), seat=seat)
        yield Counter(key="completed", label="completed", value=len(castles.completed(player.castle)), seat=seat)
        yield Counter(key="bonus", label="bonus cards", value=len(player.bonus), seat=seat)
    yield Counter(key="round", label="round", value=state.round)
    yield Counter(key="deck", label="room cards", value=state.deck)
    yield Counter(key="hallways", label="hallways", value=state.hallways)
    yield Counter(key="stairs", label="stairs", value=state.stairs)


def _panels(state: State) -> Iterator[Panel]:
    yield Panel(title="Contract board", rows=tuple(_space(state, space) for space in state.spaces))
    if state.favours:
        yield Panel(title="King's Favours", rows=tuple(_favour(state, each) for each in favours.race(state)))
    stacks = (
        Piece(kind=size, label="" if state.stacks[size] else "empty", count=state.stacks[size]) for size in STACKS
    )
    yield Panel(title="Stacks", rows=(Row(label="tiles left", pieces=tuple(stacks)),))
    for seat, player in enumerate(state.players):
        master = ", Master Builder" if seat == state.master and not state.solo else ""
        yield Panel(title=f"Castle{master}", seat=seat, rows=tuple(_castle(player.castle)))
        cards = (*player.bonus, *player.drawn)
        if cards:
            pieces = tuple(Piece(kind="bonus", label=bonus.name(card)) for card in cards)
            yield Panel(
                title="Bonus cards", seat=seat, rows=(Row(label="cards", pieces=pieces),), secret=not state.over
            )


def _space(state: State, space: Space) -> Row:
    pieces = []
    if space.room:
        tile = rooms.find(space.room, state.own)
        pieces.append(Piece(kind=space.room, label=details(tile) if tile else ""))
    if space.coins:
        pieces.append(Piece(kind="coin", label="1000 M", count=space.coins // 1000))
    return Row(label=str(space.price), pieces=tuple(pieces))


def _favour(state: State, standing: Standing) -> Row:
    pieces = (
        Piece(kind=state.seats[seat], label=f"{value}, worth {award.points}")
        for seat, (value, award) in enumerate(zip(standing.values, standing.awards, strict=True))
    )
    return Row(label=standing.name, pieces=tuple(pieces))


def _castle(castle: Castle) -> Iterator[Row]:
    """Rooms by type, each with what it is worth now and what it lacks to be complete; then the whole as text."""
    for type in TYPES:
        own = [index for index, tile in enumerate(castles.tiles(castle)) if tile.type == type]
        if own:
            yield Row(label=type, pieces=tuple(_room(castle, index) for index in own))
    if castles.is_map(castle):
        yield Row(label="map", pieces=(Piece(kind="map", label=written(castle)),))


def _room(castle: Castle, index: int) -> Piece:
    words = [amount(room_points(castle, index), "point")]
    if castles.contacts(castle)[index].complete:
        words.append("complete")
    elif castles.is_map(castle):
        words.append(f"{castles.entrances_left(castle, index)} of {len(castles.tile_at(castle, index).doors)} open")
    return Piece(kind=castle.rooms[index].room, label=", ".join(words))
