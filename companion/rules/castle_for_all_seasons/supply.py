"""Where talers, resource pieces and helpers are. Every piece is always in exactly one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_for_all_seasons.state import (
    KINDS,
    RESOURCES,
    Building,
    Gift,
    Kind,
    Pieces,
    Resource,
    Source,
    State,
    Tavern,
)
from companion.rules.counts import added

PIECES_IN_BOX: dict[Resource, int] = {"sand": 20, "wood": 18, "clay": 15, "stone": 15, "silver": 15}
TALERS_IN_BOX = 105
"""51 of 1, 8 of 3 and 6 of 5 (Game Materials)."""
TILES_IN_BOX: dict[Building, int] = {
    "palace": 1, "keep": 1, "tavern": 1, "servants-house": 1, "stable": 1, "big-gate": 1, "small-gate": 1,
    "well": 1, "tower": 9, "house": 6,
}  # fmt: skip
VALUES: dict[Kind, int] = {"sand": 1, "wood": 2, "clay": 4, "stone": 5}
"""Building points of each kind (Erecting Buildings)."""

_NAMES: dict[str, tuple[str, str]] = {
    "sand": ("sand pile", "sand piles"),
    "wood": ("wooden beam", "wooden beams"),
    "clay": ("clay slab", "clay slabs"),
    "stone": ("stone block", "stone blocks"),
    "silver": ("silver bar", "silver bars"),
    "victory": ("victory point", "victory points"),
}


def amount(count: int, item: str) -> str:
    """
    >>> amount(2, "wood"), amount(1, "taler")
    ('2 wooden beams', '1 taler')
    """
    one, many = _NAMES.get(item, (item, item + "s"))
    return f"{count} {one if count == 1 else many}"


def listed(pieces: Mapping[Any, int]) -> str:
    """
    >>> listed({"sand": 4, "stone": 2})
    '2 stone blocks, 4 sand piles'
    """
    order = [kind for kind in reversed(RESOURCES) if pieces.get(kind)]
    return ", ".join(amount(pieces[kind], kind) for kind in order) or "nothing"


def cart_name(cart: Resource) -> str:
    """The carts carry one kind each; the rider carries silver."""
    return "the rider" if cart == "silver" else f"the {cart} cart"


def worth(pieces: Mapping[Any, int]) -> int:
    """Building points of some pieces; silver has none (ruling.tie-shared).

    >>> worth({"stone": 2, "clay": 1, "sand": 4, "silver": 3})
    18
    """
    return sum(VALUES[kind] * pieces.get(kind, 0) for kind in KINDS)


def merged(counts: Mapping[Resource, int], more: Mapping[Any, int], sign: int = 1) -> Pieces:
    """The counts with others added, or with `sign` -1 taken away."""
    total: Pieces = dict(counts)
    for kind, count in more.items():
        total = added(total, kind, sign * count)
    return total


def with_builder(state: State, seat: int, **changes: Any) -> State:
    """The state with one builder changed."""
    builders = list(state.builders)
    builders[seat] = replace(builders[seat], **changes)
    return replace(state, builders=tuple(builders))


# Talers


def from_bank(referee: Referee, state: State, seat: int, talers: int, rule: str) -> State:
    """Take talers from the bank, as far as it has any."""
    got = min(talers, state.bank)
    short = "" if got == talers else f" of {talers}: the bank has no more"
    referee.note(
        f"{state.seats[seat]} takes {amount(got, 'taler')}{short}.", seat=seat, what="talers", change=got, rule=rule
    )
    return with_builder(replace(state, bank=state.bank - got), seat, talers=state.builders[seat].talers + got)


def pay(referee: Referee, state: State, seat: int, talers: int, rule: str) -> tuple[State, int]:
    """Take talers from a builder, or be refused under a rule. Returns how many were paid, to be put somewhere."""
    builder = state.builders[seat]
    if builder.talers < talers:
        referee.refuse(rule, f"{state.seats[seat]} has {amount(builder.talers, 'taler')} and needs {talers}.")
    paid = min(talers, builder.talers)
    if paid:
        text = f"{state.seats[seat]} pays {amount(paid, 'taler')}."
        referee.note(text, seat=seat, what="talers", change=-paid, rule=rule)
    return with_builder(state, seat, talers=builder.talers - paid), paid


def pay_bank(referee: Referee, state: State, seat: int, talers: int, rule: str) -> State:
    """Pay talers to the bank."""
    state, paid = pay(referee, state, seat, talers, rule)
    return replace(state, bank=state.bank + paid)


def earn(state: State, seat: int, talers: int) -> State:
    """Put talers that are in nobody's hand into a builder's."""
    return with_builder(state, seat, talers=state.builders[seat].talers + talers)


def score(referee: Referee, state: State, seat: int, points: int, why: str, rule: str) -> State:
    """Move a builder on along the victory track."""
    text = f"{state.seats[seat]} scores {amount(points, 'victory')}: {why}."
    referee.note(text, seat=seat, what="points", change=points, rule=rule)
    return with_builder(state, seat, points=state.builders[seat].points + points)


# Resources


def gain(state: State, seat: int, pieces: Mapping[Any, int]) -> State:
    """Put pieces that are in nobody's hand into a builder's stock."""
    return with_builder(state, seat, held=merged(state.builders[seat].held, pieces))


def give(state: State, seat: int, pieces: Mapping[Any, int]) -> State:
    """Take pieces out of a builder's stock, to be put somewhere. He must have them."""
    return with_builder(state, seat, held=merged(state.builders[seat].held, pieces, -1))


def from_carts(state: State, wanted: Mapping[Any, int]) -> tuple[State, Pieces]:
    """Take pieces from the general stock as far as there are any."""
    got: Pieces = {kind: min(count, state.stock.get(kind, 0)) for kind, count in wanted.items()}
    got = {kind: count for kind, count in got.items() if count}
    return replace(state, stock=merged(state.stock, got, -1)), got


def to_carts(state: State, pieces: Mapping[Any, int]) -> State:
    """Put pieces that are in nobody's hand back into the general stock."""
    return replace(state, stock=merged(state.stock, pieces))


def melt(referee: Referee, state: State, seat: int, become: Mapping[Kind, int]) -> State:
    """Put silver into the forge and take a piece from the carts for each bar. Both must be there."""
    bars = sum(become.values())
    if not bars:
        return state
    text = f"{state.seats[seat]} puts {amount(bars, 'silver')} into the forge for {listed(become)}."
    referee.note(text, seat=seat, what="silver", change=-bars, rule="build.silver")
    state = give(state, seat, {"silver": bars})
    state, got = from_carts(replace(state, forge=state.forge + bars), become)
    return gain(state, seat, got)


def can_melt(state: State, seat: int, become: Mapping[Kind, int]) -> bool:
    """Whether a builder has the silver and the carts have the pieces."""
    enough = all(state.stock.get(kind, 0) >= count for kind, count in become.items())
    return enough and state.builders[seat].held.get("silver", 0) >= sum(become.values())


def has(state: State, seat: int, pieces: Mapping[Any, int]) -> bool:
    """Whether a builder holds some pieces."""
    held = state.builders[seat].held
    return all(held.get(kind, 0) >= count for kind, count in pieces.items())


def gifts(talers: int, pieces: Mapping[Resource, int]) -> tuple[Gift, ...]:
    """What one could take or give out of talers and pieces."""
    kinds: tuple[Gift, ...] = tuple(kind for kind in RESOURCES if pieces.get(kind))
    return (*kinds, "taler") if talers else kinds


# Helpers


def tavern_of(state: State) -> Tavern | None:
    """The village tavern, where it is in play."""
    return state.winter.tavern if state.winter else None


def with_tavern(state: State, tavern: Tavern) -> State:
    """The state with the village tavern changed."""
    assert state.winter is not None
    return replace(state, winter=replace(state.winter, tavern=tavern))


def sources(state: State, seat: int) -> tuple[Source, ...]:
    """Where a builder has a helper to use: the own stock first, then carts and rider, then the village tavern."""
    found: list[Source] = ["stock"] if state.builders[seat].helpers else []
    found += [cart for cart in RESOURCES if cart in state.posts and state.posts[cart].seat == seat]
    tavern = tavern_of(state)
    if tavern and tavern.innkeeper == seat:
        found.append("innkeeper")
    return tuple(found)


def pick_up(referee: Referee, state: State, seat: int, source: Source) -> State:
    """Take a helper in hand from where it is."""
    if source not in sources(state, seat):
        referee.impossible("helper.have", f"{state.seats[seat]} has no helper there to use.")
    if source == "stock":
        return with_builder(state, seat, helpers=state.builders[seat].helpers - 1)
    if source == "innkeeper":
        return with_tavern(state, replace(tavern_of(state) or Tavern(), innkeeper=None))
    return replace(state, posts={cart: post for cart, post in state.posts.items() if cart != source})


def take_home(state: State, cart: Resource) -> State:
    """A trader's helper goes back to its owner's stock."""
    owner = state.posts[cart].seat
    state = replace(state, posts={other: post for other, post in state.posts.items() if other != cart})
    return with_builder(state, owner, helpers=state.builders[owner].helpers + 1)
