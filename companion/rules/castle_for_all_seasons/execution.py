"""Executing the played cards: reveal, equipment, then card by card in the fixed order until somebody must decide."""

from __future__ import annotations

from itertools import combinations_with_replacement

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.phases import card_name, end_round, laid
from companion.rules.castle_for_all_seasons.state import (
    RESOURCES,
    WORKERS,
    Card,
    Kind,
    Pieces,
    Resource,
    Stage,
    State,
    Task,
    Turn,
    Worker,
)
from companion.rules.castle_for_all_seasons.supply import (
    amount,
    cart_name,
    earn,
    from_bank,
    from_carts,
    gain,
    listed,
    merged,
    pay,
    score,
    sources,
    take_home,
    tavern_of,
    with_builder,
    with_tavern,
)

MESSENGER_TALERS = 8
MASTER_BUILDER_POINTS = 5
MOST_BUILDINGS = 2
MOST_HELPERS = 2
INNKEEPER_FEE_TALERS = 3

RANK: dict[Card, int] = {
    "messenger": 1, "trader": 2, "bricklayer": 3, "stonemason": 4,
    "wood-worker": 5, "sand-worker": 5, "stone-worker": 5, "master-builder": 6,
}  # fmt: skip
"""The fixed order of execution (Executing character cards)."""
FIXED_PIECES: dict[Worker, Pieces] = {
    "wood-worker": {"wood": 2, "silver": 1},
    "sand-worker": {"sand": 2, "clay": 1},
    "stone-worker": {"stone": 1},
}
FREE_KINDS: tuple[Kind, ...] = ("sand", "wood", "clay")
FREE_PIECES = 2
"""What the worker with the stone block gets besides (Equipping worker cards)."""


def reveal(referee: Referee, state: State) -> State:
    """All cards are flipped over; workers are equipped, then the cards are executed in their order."""
    tasks = [Task(seat=seat, card=card) for seat in state.order for card in laid(state.builders[seat])]
    for seat in state.order:
        builder = state.builders[seat]
        cards = " and ".join(card_name(card) for card in laid(builder)) or "nothing"
        referee.note(f"{state.seats[seat]} reveals {cards}.", seat=seat, rule="cards.reveal")
        state = with_builder(state, seat, played=(*builder.played, *laid(builder)), laid=())
    return equipping_goes_on(
        referee,
        replace(
            state,
            equipping=tuple(task for task in tasks if task.card in WORKERS),
            queue=tuple(sorted(tasks, key=lambda task: RANK[task.card])),
            carts_due=any(task.card == "trader" for task in tasks),
            phase="equip",
        ),
    )


def equipping_goes_on(referee: Referee, state: State) -> State:
    """Equip the workers in order, as far as nobody has to choose; then execute the cards."""
    while state.equipping:
        choices = free_pieces(state) if state.equipping[0].card == "stone-worker" else ((),)
        if len(choices) > 1:
            return state
        state = equip(referee, state, choices[0])
    return next_task(referee, replace(state, phase="cards"))


def free_pieces(state: State) -> tuple[tuple[Kind, ...], ...]:
    """Every way to take the free pieces from the carts: two, or as many as there are."""
    there = {kind: state.stock.get(kind, 0) for kind in FREE_KINDS}
    size = min(FREE_PIECES, sum(there.values()))
    pairs = combinations_with_replacement(FREE_KINDS, size)
    return tuple(pair for pair in pairs if all(pair.count(kind) <= there[kind] for kind in FREE_KINDS))


def equip(referee: Referee, state: State, free: tuple[Kind, ...]) -> State:
    """Put the next worker's pieces on its card, as far as the carts have them."""
    task = state.equipping[0]
    worker = next(worker for worker in WORKERS if worker == task.card)
    state, got = from_carts(state, {**FIXED_PIECES[worker], **{kind: free.count(kind) for kind in free}})
    text = f"{state.seats[task.seat]}'s worker is equipped with {listed(got)}."
    referee.note(text, seat=task.seat, rule="worker.equip")
    carried = {**state.builders[task.seat].carried, worker: got}
    return replace(with_builder(state, task.seat, carried=carried), equipping=state.equipping[1:])


# Executing cards


def next_task(referee: Referee, state: State) -> State:
    """Execute cards until somebody has to decide something. After the last trader the carts pay."""
    state = replace(state, turn=None, phase="cards")
    while state.turn is None and state.phase == "cards":
        if state.carts_due and all(task.card != "trader" for task in state.queue):
            state = pay_carts(referee, state)
            continue
        if not state.queue:
            return end_round(referee, state)
        task, rest = state.queue[0], state.queue[1:]
        state = _START[RANK[task.card]](referee, replace(state, queue=rest), task)
    return state


def _messenger(referee: Referee, state: State, task: Task) -> State:
    return from_bank(referee, state, task.seat, MESSENGER_TALERS, "messenger.talers")


def _master_builder(referee: Referee, state: State, task: Task) -> State:
    """Take all cards back; 5 points for each building others erected this round."""
    others = sum(builder.erected for seat, builder in enumerate(state.builders) if seat != task.seat)
    referee.note(f"{state.seats[task.seat]} takes all played cards back.", seat=task.seat, rule="master.back")
    why = f"{amount(others, 'building')} erected by others this round"
    state = with_builder(state, task.seat, played=())
    return score(referee, state, task.seat, MASTER_BUILDER_POINTS * others, why, "ruling.master-builder-others")


def _trader(referee: Referee, state: State, task: Task) -> State:
    """The village tavern is paid first, then a helper is placed."""
    state = _at_stage(state, task, "post")
    return to_post(referee, state) if _paid_tavern(state) else _pay_tavern(referee, state, task.seat)


def _paid_tavern(state: State) -> bool:
    tavern = tavern_of(state)
    return tavern is None or (state.turn is not None and tavern.innkeeper == state.turn.seat)


def _pay_tavern(referee: Referee, state: State, seat: int) -> State:
    """A taler to the innkeeper's owner, or onto the card while there is no innkeeper."""
    tavern = tavern_of(state)
    assert tavern is not None
    if not state.builders[seat].talers:
        return _cannot_pay_tavern(referee, state, seat)
    state, paid = pay(referee, state, seat, 1, "winter.tavern-toll")
    if tavern.innkeeper is None:
        return to_post(referee, with_tavern(state, replace(tavern, talers=tavern.talers + paid)))
    owner = tavern.innkeeper
    referee.note(f"{state.seats[owner]}'s innkeeper gets it.", seat=owner, what="talers", change=paid)
    return to_post(referee, earn(state, owner, paid))


def _cannot_pay_tavern(referee: Referee, state: State, seat: int) -> State:
    """A trader's helper goes home; its owner chooses which."""
    assert state.turn is not None
    own = [cart for cart, post in state.posts.items() if post.seat == seat]
    if len(own) > 1:
        return replace(state, turn=replace(state.turn, stage="recall"))
    text = f"{state.seats[seat]} cannot pay the village tavern"
    if not own:
        referee.note(f"{text} and has no trader's helper to take back.", seat=seat, rule="winter.tavern-toll")
        return to_post(referee, state)
    referee.note(f"{text}: the helper at {cart_name(own[0])} goes home.", seat=seat, rule="winter.tavern-toll")
    return to_post(referee, take_home(state, own[0]))


def to_post(referee: Referee, state: State) -> State:
    """The trader places a helper, if there is one to place."""
    assert state.turn is not None
    seat = state.turn.seat
    if {"stock", "innkeeper"} & {*sources(state, seat)}:
        return replace(state, turn=replace(state.turn, stage="post"))
    referee.note(f"{state.seats[seat]} has no helper for the carts.", seat=seat, rule="trader.place")
    return replace(state, turn=None)


def pay_carts(referee: Referee, state: State) -> State:
    """Every owner of a trader's helper gets pieces, the defense tower first; waits while a cart is not read yet."""
    if unread_carts(state):
        return replace(state, phase="carts")
    for cart in RESOURCES:
        if cart in state.posts:
            state = _pay_cart(referee, state, cart)
    return replace(state, carts_due=False)


def carts_go_on(referee: Referee, state: State) -> State:
    """Pay the carts that had to wait, once nothing is left to read."""
    return next_task(referee, state) if state.phase == "carts" and not unread_carts(state) else state


def unread_carts(state: State) -> tuple[Resource, ...]:
    """Carts with a helper whose pieces nobody has read off the board."""
    return tuple(cart for cart in RESOURCES if cart in state.posts and cart not in state.printed.carts)


def _pay_cart(referee: Referee, state: State, cart: Resource) -> State:
    seat = state.posts[cart].seat
    shown = state.printed.carts[cart]
    state, tribute = from_carts(state, {cart: 1})
    state = replace(state, tower=merged(state.tower, tribute))
    share = shown if state.options.tribute == "on-top" else shown - 1
    state, got = from_carts(state, {cart: share})
    text = f"{cart_name(cart).capitalize()}: {amount(tribute.get(cart, 0), cart)} to the defense tower"
    text += f", {amount(got.get(cart, 0), cart)} to {state.seats[seat]}."
    referee.note(text, seat=seat, what=cart, change=got.get(cart, 0), rule="trader.pay")
    return gain(state, seat, got)


def _bricklayer(referee: Referee, state: State, task: Task) -> State:
    if state.tower:
        return _at_stage(state, task, "take")
    referee.note("The defense tower is empty.", rule="brick.take")
    return _at_stage(state, task, "build")


def _stonemason(referee: Referee, state: State, task: Task) -> State:
    return _at_stage(state, task, "buy" if for_sale(state, task.seat) and state.builders[task.seat].talers else "build")


def for_sale(state: State, buyer: int) -> tuple[tuple[int, Worker, Resource], ...]:
    """The pieces on the worker cards of others."""
    return tuple(
        (owner, worker, kind)
        for owner in state.order
        if owner != buyer
        for worker, pieces in state.builders[owner].carried.items()
        for kind in RESOURCES
        if kind in pieces
    )


def _worker(referee: Referee, state: State, task: Task) -> State:
    """The pieces on the card become the player's own."""
    builder = state.builders[task.seat]
    worker = next(worker for worker in WORKERS if worker == task.card)
    pieces = builder.carried.get(worker, {})
    referee.note(f"{state.seats[task.seat]}'s worker brings {listed(pieces)}.", seat=task.seat, rule="worker.own")
    left = {card: rest for card, rest in builder.carried.items() if card != worker}
    state = with_builder(gain(state, task.seat, pieces), task.seat, carried=left)
    return _at_stage(state, task, "build")


_START = {1: _messenger, 2: _trader, 3: _bricklayer, 4: _stonemason, 5: _worker, 6: _master_builder}


def _at_stage(state: State, task: Task, stage: Stage) -> State:
    return replace(state, turn=Turn(seat=task.seat, card=task.card, stage=stage))


def after_building(referee: Referee, state: State) -> State:
    """Bricklayers and stonemasons may place helpers, where they can; workers may not."""
    assert state.turn is not None
    state = replace(state, turn=replace(state.turn, stage="helpers"))
    if state.turn is not None and state.turn.card in ("bricklayer", "stonemason") and can_place(state, state.turn.seat):
        return state
    return next_task(referee, state)


def can_place(state: State, seat: int) -> bool:
    """Whether a builder could place a helper or an innkeeper, as far as the fees are known."""
    if not sources(state, seat):
        return False
    talers = state.builders[seat].talers
    spots = [spot for spot in castle.targets(state) if may_use(state, seat, castle.place_of(spot))]
    return any((castle.fee(state, spot) or 0) <= talers for spot in spots) or may_keep_inn(state, seat)


def may_use(state: State, seat: int, place: str) -> bool:
    """Whether a builder who has built this round may still put a helper into a building."""
    builder = state.builders[seat]
    return builder.erected > 0 and len(builder.placed) < MOST_HELPERS and place not in builder.placed


def may_keep_inn(state: State, seat: int) -> bool:
    """Whether a builder may place an innkeeper (ruling.innkeeper-free)."""
    tavern = tavern_of(state)
    if tavern is None or tavern.innkeeper is not None or state.builders[seat].talers < INNKEEPER_FEE_TALERS:
        return False
    builder = state.builders[seat]
    return state.options.innkeeper == "free" or (builder.erected > 0 and len(builder.placed) < MOST_HELPERS)
