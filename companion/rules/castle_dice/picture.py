"""The table as data: the ten phases, counters, the world, the mats, and who leads what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.castle_dice import leads
from companion.rules.castle_dice.cards import affordable, shown
from companion.rules.castle_dice.decks import hand, in_hand
from companion.rules.castle_dice.rolls import faces_of
from companion.rules.castle_dice.state import (
    ANIMALS,
    RESOURCE_CAP,
    RESOURCES,
    TURNS,
    Phase,
    Player,
    Resource,
    State,
)
from companion.rules.strip import strip
from companion.rules.table import Counter, Panel, Picture, Piece, Row

_STRIP: tuple[tuple[str, tuple[Phase, ...]], ...] = (
    ("1 First", ("first",)),
    ("2 Cards", ("cards",)),
    ("3 Dice", ("dice", "villager")),
    ("4 Roll", ("roll",)),
    ("5 Gather", ("gather",)),
    ("6 Market", ("market",)),
    ("7 Workers", ("workers",)),
    ("8 Merchants", ("merchants",)),
    ("9 Build", ("build",)),
    ("10 Raid", ("raid",)),
)
_NAMES: dict[Phase, str] = {
    "first": "Who goes first",
    "cards": "Choose and draw cards",
    "dice": "Pick choice dice",
    "villager": "Villager Choice",
    "roll": "Roll the dice",
    "gather": "Gather",
    "market": "Go to market",
    "workers": "Workers produce",
    "merchants": "Merchants work",
    "build": "Build",
    "raid": "Barbarians raid",
    "bards": "Reveal the Bards",
    "over": "Game over",
}


def picture(state: State) -> Picture:
    """Everything a front end draws."""
    holiday = ", a holiday" if state.holiday else ""
    return Picture(
        headline=f"Turn {state.turn} of {TURNS}{holiday}: {_NAMES[state.phase]}",
        phases=strip(_STRIP, state.phase),
        counters=tuple(_counters(state)),
        panels=tuple(_panels(state)),
    )


def _counters(state: State) -> Iterator[Counter]:
    for seat, player in enumerate(state.players):
        if seat != state.joan:
            for resource in RESOURCES:
                value = player.resources[resource]
                yield Counter(key=resource, label=resource, value=value, seat=seat, limit=RESOURCE_CAP, group="silo")
        for animal in ANIMALS:
            yield Counter(
                key=animal, label=leads.PLURALS[animal], value=player.animals[animal], seat=seat, group="barn"
            )
        yield Counter(key="barbarians", label="barbarians", value=player.barbarians, seat=seat)
        if seat != state.joan:
            yield Counter(
                key="hand", label="hand", value=hand(state, seat), seat=seat, limit=leads.hand_size(state, seat)
            )
        yield Counter(key="market", label="market cards", value=in_hand(state, player, "market"), seat=seat)
    yield Counter(key="turn", label="turn", value=state.turn, limit=TURNS)
    yield Counter(key="world", label="dice in the world", value=sum(state.world.values()))


def _panels(state: State) -> Iterator[Panel]:
    if state.world:
        yield Panel(title="World", rows=tuple(_world(state)))
    else:
        yield Panel(title="Dice bank", rows=(Row(label="dice", pieces=_dice(state.bank)),))
    rows = tuple(
        Row(label=leads.PLURALS[animal], pieces=(Piece(kind=animal, label=leads.lead_text(state, animal)),))
        for animal in ANIMALS
        if leads.leader(state, animal) is not None
    )
    if rows:
        yield Panel(title="Who leads", rows=rows)
    for seat, player in enumerate(state.players):
        yield Panel(title="Joan" if seat == state.joan else "Mat", seat=seat, rows=tuple(_mat(state, seat, player)))
        if player.cards:
            yield Panel(title="Hand", seat=seat, secret=not state.solo, rows=tuple(_hand(state, seat, player)))


def _hand(state: State, seat: int, player: Player) -> Iterator[Row]:
    """The told cards of a hand, and which of them could be paid for now."""
    cards = (Piece(kind="card", label=shown(state, name), count=count) for name, count in player.cards.items())
    yield Row(label="cards", pieces=tuple(cards))
    payable = [name for name in affordable(state, seat) if name in player.cards]
    if payable:
        yield Row(
            label="can be paid for", pieces=tuple(Piece(kind="card", label=shown(state, name)) for name in payable)
        )


def _dice(dice: Mapping[Resource, int]) -> tuple[Piece, ...]:
    return tuple(Piece(kind=die, count=dice[die]) for die in RESOURCES if dice[die])


def _world(state: State) -> Iterator[Row]:
    for die in RESOURCES:
        pieces = tuple(Piece(kind=face, count=state.world[face]) for face in faces_of(die) if state.world.get(face))
        if pieces:
            yield Row(label=die, pieces=pieces)


def _joan(state: State, player: Player) -> Iterator[Row]:
    if state.priority:
        yield Row(label="priority", pieces=(Piece(kind=state.priority),))
    animals = tuple(Piece(kind=animal, count=player.animals[animal]) for animal in ANIMALS if player.animals[animal])
    if animals:
        yield Row(label="animals", pieces=animals)
    if player.hidden["market"]:
        yield Row(label="market cards", pieces=(Piece(kind="card", count=player.hidden["market"]),))


def _mat(state: State, seat: int, player: Player) -> Iterator[Row]:
    if seat == state.joan:
        yield from _joan(state, player)
        return
    villagers = (
        *(Piece(kind="worker", label=f"on {resource}") for resource in leads.produced(player)),
        *(Piece(kind="guard", label=f"on {post}") for post in player.guards),
        *((Piece(kind="farmer", count=player.farmers),) if player.farmers else ()),
        *((Piece(kind="merchant", count=player.merchants),) if player.merchants else ()),
    )
    if villagers:
        yield Row(label="villagers", pieces=villagers)
    if player.built:
        parts = (Piece(kind="part", label=shown(state, name), count=count) for name, count in player.built.items())
        yield Row(label="castle", pieces=tuple(parts))
    if player.walls:
        yield Row(
            label="animal Walls", pieces=tuple(Piece(kind=animal, label="counts one more") for animal in player.walls)
        )
    if any(player.dice.values()):
        yield Row(label="dice to roll", pieces=_dice(player.dice))
    if player.barbarians:
        loss = leads.listed(leads.raid_loss(state, player))
        yield Row(label="raid", pieces=(Piece(kind="barbarian", label=f"will take {loss}", count=player.barbarians),))
