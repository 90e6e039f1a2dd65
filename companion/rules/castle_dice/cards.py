"""The cards: what is printed on them, what they cost now, and how many of each can still turn up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from msgspec import convert

from companion.rules.box import shipped
from companion.rules.castle_dice.state import RESOURCES, Card, Player, Resource, State

_PACKAGE = "companion.rules.castle_dice"
GUARDHOUSE = "Guardhouse"
ANIMAL_WALL = "Wall (Animal)"
VOLUNTEER = "Volunteer"
BARD = "Bard"
DEEP_MOAT = "Deep Moat"
ROYAL_CHAMBERS = "Royal Chambers"
_WALL_SAVES: dict[str, tuple[Resource, ...]] = {"Tall Keep": RESOURCES, "Strong Tower": ("wood", "stone", "gold")}
"""Of which resources a Wall takes one off the cost."""


@cache
def catalog() -> Mapping[str, Card]:
    """Every published card by name."""
    return {name: convert(entry, Card) for name, entry in shipped(_PACKAGE)["cards"].items()}


def known(state: State) -> dict[str, Card]:
    """Every card this table knows: the published ones and its own."""
    return {**catalog(), **state.box_cards}


def card(state: State, name: str) -> Card | None:
    """A card by name, as this box has it."""
    return state.box_cards.get(name) or catalog().get(name)


def shown(state: State, name: str) -> str:
    """What the table calls a card (ruling.guardhouse)."""
    return state.options.guardhouse if name == GUARDHOUSE else name


def walls(state: State, player: Player) -> int:
    """How many Walls a player has, Volunteers included."""
    return sum(count for name, count in player.built.items() if name == VOLUNTEER or _is_wall(state, name))


def _is_wall(state: State, name: str) -> bool:
    found = card(state, name)
    return found is not None and found.kind == "wall"


def cost(state: State, player: Player, built: Card, *, alchemy: bool = False) -> dict[Resource, int]:
    """What a card costs a player now, after Walls and, if wanted, an Alchemist."""
    saved = dict.fromkeys(_WALL_SAVES.get(built.name, ()), walls(state, player))
    brewed: Mapping[Resource, int] = (player.alchemy or {}) if alchemy else {}
    return {
        resource: max(0, full - saved.get(resource, 0) - brewed.get(resource, 0))
        for resource, full in built.cost.items()
    }


def lacking(state: State, player: Player, built: Card, *, alchemy: bool = False) -> dict[Resource, int]:
    """What a player is short of to pay for a card; empty when it is affordable."""
    price = cost(state, player, built, alchemy=alchemy)
    return {need: price[need] - player.resources[need] for need in RESOURCES if price[need] > player.resources[need]}


def is_built(held: Card) -> bool:
    """Whether a card is built by paying for it, rather than played."""
    return held.kind in ("part", "wall", "villager")


def affordable(state: State, seat: int) -> tuple[str, ...]:
    """The cards a seat could pay for now: of its told hand, and of what it may hold besides."""
    player = state.players[seat]
    held = possible(state, seat).values()
    return tuple(one.name for one in held if is_built(one) and not lacking(state, player, one))


def possible(state: State, seat: int) -> dict[str, Card]:
    """Every card that is, or may be, in a seat's hand: the told ones, and all that can be among the hidden."""
    player = state.players[seat]
    left = face_down(state)
    return {
        name: found
        for name, found in known(state).items()
        if player.cards.get(name) or (player.hidden[found.deck] and left[name] > 0)
    }


def named(state: State) -> Counter[str]:
    """How many copies of each card lie where their name is known: in told hands, by mats, on the discards."""
    counts: Counter[str] = Counter()
    for player in state.players:
        counts.update(player.cards)
        counts.update(player.built)
    for deck in state.decks.values():
        counts.update(deck.discard)
    return counts


def face_down(state: State) -> dict[str, int]:
    """How many copies of each card may still lie face down, with those nobody has counted (ruling.village-47)."""
    cards, seen = known(state), named(state)
    loose = dict(state.sizes)
    for name, found in cards.items():
        loose[found.deck] -= max(found.copies, seen[name])
    return {name: max(0, found.copies - seen[name]) + max(0, loose[found.deck]) for name, found in cards.items()}


def may_be_held(state: State, held: Card) -> bool:
    """Whether a copy of a card may still lie face down."""
    name = held.name
    shown_copies = sum(player.cards.get(name, 0) + player.built.get(name, 0) for player in state.players)
    shown_copies += state.decks[held.deck].discard.get(name, 0)
    return shown_copies < held.copies or face_down(state)[name] > 0
