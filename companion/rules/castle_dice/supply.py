"""Where things are: the dice bank, the tokens, the silos. Every piece is always in exactly one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Referee
from companion.rules.castle_dice.leads import herd
from companion.rules.castle_dice.rolls import Rolled, die_of, read
from companion.rules.castle_dice.state import (
    RESOURCE_CAP,
    RESOURCES,
    Animal,
    Face,
    Place,
    Player,
    Resource,
    State,
    Villager,
    kind_of,
    post_of,
)
from companion.rules.counts import K, added

VILLAGER_TOKENS = 60
LIMITS: dict[Villager, int] = {"worker": 5, "farmer": 3, "merchant": 3, "guard": 5}


def plus(counts: Mapping[K, int], more: Mapping[K, int], sign: int = 1) -> dict[K, int]:
    """Two sets of counts added, every key kept."""
    return {key: counts.get(key, 0) + sign * more.get(key, 0) for key in {**counts, **more}}


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


# Resources


def gain(referee: Referee, state: State, seat: int, resource: Resource, count: int, rule: str) -> State:
    """Add to a silo, up to the cap of 9 (silo.cap)."""
    resources = state.players[seat].resources
    got = min(count, RESOURCE_CAP - resources[resource])
    lost = f"; {count - got} above {RESOURCE_CAP} lost" if got < count else ""
    text = f"{state.names[seat]} gains {got} {resource}{lost}."
    referee.note(text, seat=seat, what=resource, change=got, rule="silo.cap" if lost else rule)
    return with_player(state, seat, resources={**resources, resource: resources[resource] + got})


def spend(referee: Referee, state: State, seat: int, amounts: Mapping[Resource, int]) -> State:
    """Take from a silo what is there of the amounts."""
    resources = dict(state.players[seat].resources)
    for resource, count in amounts.items():
        paid = min(count, resources[resource])
        if paid:
            resources[resource] -= paid
            text = f"{state.names[seat]} pays {paid} {resource}."
            referee.note(text, seat=seat, what=resource, change=-paid)
    return with_player(state, seat, resources=resources)


# Dice


def to_bank(state: State, dice: Mapping[Resource, int]) -> State:
    """Dice go back to the bank."""
    return replace(state, bank=plus(state.bank, dice))


def from_world(state: State, face: Face) -> State:
    """A die leaves the world, into somebody's hand."""
    return replace(state, world=added(state.world, face, -1))


def world_dice(state: State) -> dict[Resource, int]:
    """The dice of the world by type."""
    dice = dict.fromkeys(RESOURCES, 0)
    for face, count in state.world.items():
        dice[die_of(face)] += count
    return dice


def rolled(referee: Referee, state: State, text: str, taken: tuple[Mapping[Resource, int], ...]) -> Rolled:
    """Read a roll that was told, or refuse it with what is wrong."""
    try:
        return read(text, state.names, taken)
    except Malformed as error:
        referee.impossible("roll.entry", str(error))


def into_world(referee: Referee, state: State, roll: Rolled) -> State:
    """Lay rolled dice out: barbarians into their camps, the rest into the world."""
    players = tuple(
        replace(player, camp=plus(player.camp, camp)) for player, camp in zip(state.players, roll.camps, strict=True)
    )
    for seat, camp in enumerate(roll.camps):
        if count := sum(camp.values()):
            words = "barbarian goes" if count == 1 else "barbarians go"
            text = f"{count} {words} to {state.names[seat]}'s camp."
            referee.note(text, seat=seat, what="barbarians", change=count, rule="roll.world")
    return replace(state, players=players, world=plus(state.world, roll.world))


# Animals


def take_animal(referee: Referee, state: State, seat: int, animal: Animal, donor: int | None) -> State:
    """Take a token from the bank, or when it has none from another player (gather.shortage)."""
    if state.tokens[animal]:
        state = replace(state, tokens=plus(state.tokens, {animal: -1}))
        return _give_animal(referee, state, seat, animal, "")
    owners = [other for other, player in enumerate(state.players) if other != seat and player.animals[animal]]
    if not owners:
        referee.note(f"No {animal} is left to take.", seat=seat, rule="ruling.nobody-has-one")
        return state
    if donor not in owners:
        names = " or ".join(state.names[owner] for owner in owners)
        referee.impossible("gather.shortage", f"The bank has no {animal} left: say whether {names} gives one.")
    state = with_player(state, donor, animals=plus(state.players[donor].animals, {animal: -1}))
    referee.note(f"{state.names[donor]} loses a {animal}.", seat=donor, what=animal, change=-1, rule="gather.shortage")
    return _give_animal(referee, state, seat, animal, f" from {state.names[donor]}")


def _give_animal(referee: Referee, state: State, seat: int, animal: Animal, whence: str) -> State:
    text = f"{state.names[seat]} gains a {animal}{whence}."
    referee.note(text, seat=seat, what=animal, change=1, rule="gather.animal")
    return with_player(state, seat, animals=plus(state.players[seat].animals, {animal: 1}))


def lose_animals(referee: Referee, state: State, seat: int, animal: Animal, count: int, rule: str) -> State:
    """Animals go back to the bank."""
    if not count:
        return state
    text = f"{state.names[seat]} gives up {herd(count, animal)}."
    referee.note(text, seat=seat, what=animal, change=-count, rule=rule)
    state = with_player(state, seat, animals=plus(state.players[seat].animals, {animal: -count}))
    return replace(state, tokens=plus(state.tokens, {animal: count}))


# Villagers


def standing(player: Player, kind: Villager) -> int:
    """How many of a villager stand on a mat."""
    counts = {
        "worker": player.workers, "farmer": player.farmers, "merchant": player.merchants, "guard": len(player.guards),
    }  # fmt: skip
    return counts[kind]


def has_room(player: Player, kind: Villager) -> bool:
    """Whether another villager of a kind fits on the mat (build.limits)."""
    return standing(player, kind) < LIMITS[kind]


def place_villager(referee: Referee, state: State, seat: int, place: Place) -> State:
    """Put a villager token on a mat; what does not fit is impossible."""
    player, kind, post = state.players[seat], kind_of(place), post_of(place)
    if not has_room(player, kind):
        why = f"{state.names[seat]} has {LIMITS[kind]} {kind}s already: the mat has no place for more."
        referee.impossible("build.limits", why)
    if post in player.guards:
        referee.impossible("build.guard-post", f"{state.names[seat]} already has a guard on {post}.")
    if not state.villager_tokens:
        referee.impossible("ruling.villager-tokens", "All villager tokens are on the mats.")
    where = f" on {post or RESOURCES[player.workers]}" if kind in ("worker", "guard") else ""
    text = f"{state.names[seat]} places a {kind}{where}."
    referee.note(text, seat=seat, what=kind, change=1, rule=_PLACING.get(kind, "build.limits"))
    state = replace(state, villager_tokens=state.villager_tokens - 1)
    if post:
        return with_player(state, seat, guards=(*player.guards, post))
    return with_player(state, seat, **{f"{kind}s": standing(player, kind) + 1})


_PLACING: dict[Villager, str] = {"worker": "build.worker-order", "guard": "build.guard-post"}


def remove_villager(referee: Referee, state: State, seat: int, place: Place) -> State:
    """Take a villager token off a mat; of the workers the one on the rarest resource (ruling.worker-changed)."""
    player, kind, post = state.players[seat], kind_of(place), post_of(place)
    there = post in player.guards if post else standing(player, kind)
    if not there:
        referee.impossible("build.villager-have", f"{state.names[seat]} has no {place} to change.")
    where = f" on {post or RESOURCES[player.workers - 1]}" if kind in ("worker", "guard") else ""
    text = f"{state.names[seat]} takes back a {kind}{where}."
    referee.note(text, seat=seat, what=kind, change=-1, rule="ruling.worker-changed" if kind == "worker" else "")
    state = replace(state, villager_tokens=state.villager_tokens + 1)
    if post:
        return with_player(state, seat, guards=tuple(other for other in player.guards if other != post))
    return with_player(state, seat, **{f"{kind}s": standing(player, kind) - 1})
