"""A second opinion on every step: dials added up by hand, and every number against the changes that the facts told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.rules.base import Fact
from companion.rules.castle_dukes.picture import picture
from companion.rules.castle_dukes.state import GUESTS, ITEMS, RATINGS, Castle, State

_COINS_A_TURN = 5

Told = Counter[tuple[int | None, str]]
"""The changes the facts of a step tell, by seat and what."""


def faults(before: State, after: State, facts: Sequence[Fact]) -> Iterator[str]:
    """What does not add up in a step."""
    told: Told = Counter()
    for fact in facts:
        told[fact.seat, fact.what] += fact.change
    yield from _coin_faults(before, after, told)
    if after.options.detail == "full":
        yield from _ai_faults(before, after, told)
        for seat in range(len(after.dukes)):
            yield from _inventory_faults(before, after, seat, told)
            yield from _dial_faults(before, after, seat, told)


def standing(castle: Castle) -> Counter[str]:
    """The three ratings of what stands (rulebook, Room Cards; Bonus Items; Construction Deck; Guest Phase)."""
    floors = [*castle.left, *castle.middle, *castle.right]
    worth: Counter[str] = Counter()
    for room in (room for tile in floors for room in tile.rooms):
        worth["comfort"] += room.card.comfort + room.table
        worth["defence"] += room.card.defence + room.table
        worth["offence"] += room.card.offence + room.knight
    for top in (*(tile.roof for tile in floors if tile.roof), *(bridge.top for bridge in castle.bridges)):
        worth["defence"] += top.brazier + top.cauldron
        worth["offence"] += top.cauldron + 2 * top.ballista
    return worth


def _dial_faults(before: State, after: State, seat: int, told: Told) -> Iterator[str]:
    """Dials follow from the castle, so only a castle that is another one is added up again."""
    name, old, new = after.seats[seat], before.dukes[seat].castle, after.dukes[seat].castle
    if old is new:
        yield from (f"{name}'s {rating} turned by itself." for rating in RATINGS if told[seat, rating])
        return
    was, worth = standing(old), standing(new)
    shown = {dial.key: dial.value for dial in picture(after).counters if (dial.seat, dial.group) == (seat, "barbican")}
    for rating in RATINGS:
        if shown[rating] != worth[rating]:
            yield f"{name}'s {rating} shows {shown[rating]}, and {worth[rating]} stands."
        if told[seat, rating] != worth[rating] - was[rating]:
            yield f"{name}'s {rating} went from {was[rating]} to {worth[rating]}; {told[seat, rating]:+} was told."


def _inventory_faults(before: State, after: State, seat: int, told: Told) -> Iterator[str]:
    old, new = before.dukes[seat], after.dukes[seat]
    changes: dict[str, int] = {item: new.held.get(item, 0) - old.held.get(item, 0) for item in ITEMS}
    changes |= {"room": len(new.cards) - len(old.cards), "crumbles": new.crumbles - old.crumbles}
    for what, change in changes.items():
        if told[seat, what] != change:
            yield f"{after.seats[seat]}'s {what} changed by {change}; {told[seat, what]:+} was told."


def _coin_faults(before: State, after: State, told: Told) -> Iterator[str]:
    new_turn = after.turn > before.turn or (before.phase == "opening" and after.phase == "room")
    for seat, duke in enumerate(after.dukes):
        due = _COINS_A_TURN if new_turn else before.dukes[seat].coins + told[seat, "coins"]
        if duke.coins != due:
            yield f"{after.seats[seat]} has {duke.coins} coins and should have {due}."


def _ai_faults(before: State, after: State, told: Told) -> Iterator[str]:
    if before.ai is None or after.ai is None:
        return
    for what in (*RATINGS, *GUESTS):
        change = getattr(after.ai, what) - getattr(before.ai, what)
        if told[len(after.dukes), what] != change:
            yield f"the AI's {what} changed by {change}; {told[len(after.dukes), what]:+} was told."
