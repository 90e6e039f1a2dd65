"""Who is ahead and what it gives, what the raid will cost: what people ask each other at the table."""

from __future__ import annotations

from companion.rules.castle_dice.state import ANIMALS, RESOURCES, Animal, Player, Resource, State

HAND_SIZE = 5
_POWERS: dict[Animal, str] = {
    "horse": "goes first next turn",
    "pig": "may Pork Chop",
    "cow": "may change a villager",
    "chicken": "draws to a hand of 6",
}
PLURALS: dict[str, str] = {"horse": "horses", "pig": "pigs", "cow": "cows", "chicken": "chickens"}


def counted(player: Player, animal: Animal) -> int:
    """How many of an animal a player has for its power: tokens and animal Walls (card.wall-animal)."""
    return player.animals[animal] + player.walls.count(animal)


def leader(state: State, animal: Animal) -> int | None:
    """Who alone has the most of an animal (power.most)."""
    counts = [counted(player, animal) for player in state.players]
    best = max(counts)
    return counts.index(best) if best and counts.count(best) == 1 else None


def power(state: State, animal: Animal) -> int | None:
    """Who has an animal's power now; of Joan's only the horse's counts (solo.animals)."""
    ahead = leader(state, animal)
    return None if ahead == state.joan and animal != "horse" else ahead


def lead_text(state: State, animal: Animal) -> str:
    """Who leads an animal and what that gives now."""
    ahead = leader(state, animal)
    if ahead is None:
        return "nobody leads"
    if power(state, animal) is None:
        return f"{state.names[ahead]} leads, without its power"
    if animal == "pig" and state.chopped:
        return f"{state.names[ahead]} leads; the Pork Chop of this turn is used"
    return f"{state.names[ahead]} {_POWERS[animal]}"


def hand_size(state: State, seat: int) -> int:
    """How many cards a seat draws up to (cards.hand)."""
    return HAND_SIZE + (power(state, "chicken") == seat)


def raid_loss(state: State, player: Player) -> dict[Resource, int]:
    """What the barbarians will take from a player (raid.loss; ruling.raid-every-resource)."""
    raiders = player.camp if state.options.raid == "own-colour" else dict.fromkeys(RESOURCES, player.barbarians)
    losses = {one: min(raiders[one], player.resources[one]) for one in RESOURCES if one not in player.guards}
    return {resource: loss for resource, loss in losses.items() if loss}


def produced(player: Player) -> tuple[Resource, ...]:
    """What a player's workers stand on, the most common resource first."""
    return RESOURCES[: player.workers]


def sets(player: Player) -> int:
    """How many whole sets of the four animals a player has."""
    return min(player.animals[animal] for animal in ANIMALS)


def listed(amounts: dict[Resource, int]) -> str:
    """
    >>> listed({"wood": 2, "iron": 1})
    '2 wood, 1 iron'
    """
    return ", ".join(f"{count} {resource}" for resource, count in amounts.items() if count) or "nothing"


def herd(count: int, animal: Animal) -> str:
    """
    >>> herd(2, "pig"), herd(1, "cow")
    ('2 pigs', '1 cow')
    """
    return f"{count} {animal if count == 1 else PLURALS[animal]}"
