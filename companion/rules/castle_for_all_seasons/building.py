"""Bricklayer, stonemason and worker: getting resources, erecting buildings, placing helpers."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.actions import (
    AnswerSale,
    Buy,
    BuyNothing,
    DoneBuilding,
    DonePlacing,
    Erect,
    Payment,
    PlaceHelper,
    PlaceInnkeeper,
    TakeFromTower,
)
from companion.rules.castle_for_all_seasons.execution import (
    INNKEEPER_FEE_TALERS,
    MOST_BUILDINGS,
    MOST_HELPERS,
    after_building,
    can_place,
    next_task,
)
from companion.rules.castle_for_all_seasons.payments import LEAST_KINDS, described, is_exact, spent, ways_for
from companion.rules.castle_for_all_seasons.state import Place, Sale, State, Tile
from companion.rules.castle_for_all_seasons.supply import (
    amount,
    can_melt,
    earn,
    from_bank,
    gain,
    give,
    has,
    melt,
    merged,
    pay,
    pay_bank,
    pick_up,
    score,
    tavern_of,
    to_carts,
    with_builder,
    with_tavern,
    worth,
)
from companion.rules.castle_for_all_seasons.trading import on_turn
from companion.rules.counts import added

PIECE_PRICE_TALERS = 1


# Getting resources


def take_from_tower(referee: Referee, state: State, action: TakeFromTower) -> State:
    """The bricklayer takes all pieces of one kind from the defense tower."""
    mine = on_turn(state, action.seat, "take")
    if not mine:
        referee.refuse("turn.order", f"{state.seats[action.seat]} does not take from the defense tower now.")
    count = state.tower.get(action.kind, 0)
    if not count:
        referee.impossible("brick.take", f"The defense tower has no {action.kind}.")
    text = f"{state.seats[action.seat]} takes {amount(count, action.kind)} from the defense tower."
    referee.note(text, seat=action.seat, what=action.kind, change=count, rule="brick.take")
    state = replace(state, tower=added(state.tower, action.kind, -count))
    return _to_building(gain(state, action.seat, {action.kind: count}), mine)


def _to_building(state: State, mine: bool) -> State:
    return replace(state, turn=replace(state.turn, stage="build")) if mine and state.turn else state


def buy(referee: Referee, state: State, action: Buy) -> State:
    """The stonemason buys a piece; its owner may refuse to sell the last one."""
    seat, name = action.seat, state.seats[action.seat]
    if not on_turn(state, seat, "buy"):
        referee.impossible("turn.order", f"{name} does not buy from workers now.")
    assert state.turn is not None
    carried = _carried(state, action)
    if not carried:
        referee.impossible("mason.workers", "That piece does not lie on a worker card of this round.")
    if action.owner == seat:
        referee.refuse("mason.own", "A stonemason does not buy from the own worker.")
    if action.owner in state.turn.declined:
        referee.refuse("mason.last", f"{state.seats[action.owner]} has refused to sell the last piece.")
    if state.builders[seat].talers < PIECE_PRICE_TALERS:
        referee.refuse("mason.price", f"{name} has no taler to pay with.")
    wanted = Sale(owner=action.owner, card=action.card, kind=action.kind)
    if carried == 1 and action.owner != seat:
        referee.note(f"{name} asks for {state.seats[action.owner]}'s last piece.", seat=seat, rule="mason.last")
        return replace(state, turn=replace(state.turn, stage="sale", asked=wanted))
    return _sell(referee, state, wanted)


def _carried(state: State, action: Buy) -> int:
    """How many pieces lie on the owner's worker cards, if the wanted one is there."""
    if action.owner >= len(state.builders):
        return 0
    cards = state.builders[action.owner].carried
    there = cards.get(action.card, {}).get(action.kind, 0)
    return sum(sum(pieces.values()) for pieces in cards.values()) if there else 0


def _sell(referee: Referee, state: State, sale: Sale) -> State:
    """A piece for a taler; then the stonemason may build."""
    assert state.turn is not None
    buyer = state.turn.seat
    text = f"{state.seats[buyer]} buys {amount(1, sale.kind)} from {state.seats[sale.owner]}'s worker."
    referee.note(text, seat=buyer, what=sale.kind, change=1, rule="mason.buy")
    state, paid = pay(referee, state, buyer, min(PIECE_PRICE_TALERS, state.builders[buyer].talers), "mason.price")
    state = earn(state, sale.owner, paid)
    cards = state.builders[sale.owner].carried
    left = {**cards, sale.card: merged(cards[sale.card], {sale.kind: 1}, -1)}
    state = gain(with_builder(state, sale.owner, carried=left), buyer, {sale.kind: 1})
    assert state.turn is not None
    return replace(state, turn=replace(state.turn, stage="build", asked=None))


def answer_sale(referee: Referee, state: State, action: AnswerSale) -> State:
    """The last piece is sold or not; after a refusal the stonemason may look elsewhere."""
    turn = state.turn
    if turn is None or turn.asked is None or turn.asked.owner != action.seat:
        referee.impossible("mason.last", f"Nobody has asked for {state.seats[action.seat]}'s last piece.")
    if action.sell:
        return _sell(referee, state, turn.asked)
    referee.note(f"{state.seats[action.seat]} refuses to sell the last piece.", seat=action.seat, rule="mason.last")
    return replace(state, turn=replace(turn, stage="buy", asked=None, declined=(*turn.declined, action.seat)))


def buy_nothing(referee: Referee, state: State, action: BuyNothing) -> State:
    """The stonemason goes on to build."""
    if not on_turn(state, action.seat, "buy"):
        referee.impossible("turn.order", f"{state.seats[action.seat]} does not buy from workers now.")
    return _to_building(state, True)


# Erecting buildings


def erect(referee: Referee, state: State, action: Erect) -> State:
    """Pay a building exactly, take its tile, and be rewarded as the card says."""
    seat, building = action.seat, action.building
    mine = on_turn(state, seat, "build")
    if not mine:
        _refuse_building(referee, state, seat)
    if building not in state.tiles:
        referee.impossible("build.tile", f"No {castle.named(building)} is left to erect.")
    tile = state.printed.tiles.get(building)
    if tile is None:
        referee.impossible("board.read", f"Read the tile of the {castle.named(building)} off the board first.")
    _check_payment(referee, state, action, tile)
    text = f"{state.seats[seat]} erects the {castle.named(building)} ({tile.value}) with {described(action.payment)}."
    referee.note(text, seat=seat, what=building, change=1, rule="build.exact")
    state = _pay_building(referee, state, seat, action.payment)
    tiles = added(state.builders[seat].tiles, building, 1)
    state = with_builder(state, seat, tiles=tiles, erected=state.builders[seat].erected + 1)
    state = replace(state, tiles=added(state.tiles, building, -1))
    state = _reward(referee, state, seat, tile, sum(spent(action.payment).values()))
    return _after_building_one(referee, state) if mine else state


def _refuse_building(referee: Referee, state: State, seat: int) -> None:
    if on_turn(state, seat, "helpers"):
        referee.refuse("ruling.build-then-helpers", f"{state.seats[seat]} is done building with this card.")
    else:
        referee.refuse("turn.order", f"{state.seats[seat]} does not build now.")


def _check_payment(referee: Referee, state: State, action: Erect, tile: Tile) -> None:
    """Exactly the value, at least 3 kinds, and pieces that are there."""
    seat, payment, name = action.seat, action.payment, state.seats[action.seat]
    if not has(state, seat, payment.own) or not can_melt(state, seat, payment.silver):
        referee.impossible("build.have", f"{name} cannot get {described(payment)} together.")
    if is_exact(tile.value, payment):
        return
    pieces = spent(payment)
    if not ways_for(state, seat, tile.value):
        referee.refuse("build.exact", f"{name} cannot pay exactly {tile.value} with {LEAST_KINDS} kinds or more.")
    elif worth(pieces) != tile.value:
        referee.refuse("build.exact", f"The {castle.named(action.building)} costs {tile.value}, not {worth(pieces)}.")
    else:
        referee.refuse("build.kinds", f"A building is paid with at least {LEAST_KINDS} kinds, not {len(pieces)}.")


def _pay_building(referee: Referee, state: State, seat: int, payment: Payment) -> State:
    state = melt(referee, state, seat, payment.silver)
    return to_carts(give(state, seat, spent(payment)), spent(payment))


def _reward(referee: Referee, state: State, seat: int, tile: Tile, pieces: int) -> State:
    """Talers for the bricklayer, points for the stonemason, half of them for the worker."""
    card = state.turn.card if state.turn and state.turn.seat == seat else None
    if card == "bricklayer":
        return from_bank(referee, state, seat, pieces, "brick.talers")
    if card == "stonemason":
        return score(referee, state, seat, tile.vp, "erected by the stonemason", "mason.points")
    if card in ("wood-worker", "sand-worker", "stone-worker"):
        return score(referee, state, seat, tile.vp // 2, "erected by a worker, half points", "worker.points")
    return state


def _after_building_one(referee: Referee, state: State) -> State:
    assert state.turn is not None
    turn = replace(state.turn, built=state.turn.built + 1)
    state = replace(state, turn=turn)
    if not state.tiles:
        referee.note("The last building stands: this is the last round.", rule="end.last-building")
    return after_building(referee, state) if turn.built >= MOST_BUILDINGS or not state.tiles else state


def done_building(referee: Referee, state: State, action: DoneBuilding) -> State:
    """Erect no more with this card."""
    if not on_turn(state, action.seat, "build"):
        referee.impossible("turn.order", f"{state.seats[action.seat]} does not build now.")
    return after_building(referee, state)


# Placing helpers


def place_helper(referee: Referee, state: State, action: PlaceHelper) -> State:
    """A helper goes into a building for its fee, and stays there until the end."""
    seat, name, place = action.seat, state.seats[action.seat], castle.place_of(action.spot)
    mine = on_turn(state, seat, "helpers")
    if not mine:
        referee.refuse("helper.cards", f"{name} is not placing helpers now.")
    _check_helper(referee, state, seat, place)
    _check_spot(referee, state, action)
    fee = castle.fee(state, action.spot)
    if fee is None:
        referee.impossible("board.read", f"Read the fee of the {castle.spot_name(action.spot)} off the board first.")
    state = pay_bank(referee, state, seat, fee, "helper.fee")
    state = _stand(pick_up(referee, state, seat, action.source), action)
    text = f"{name} places a helper: {castle.spot_name(action.spot)}."
    referee.note(text, seat=seat, what="helpers", change=-1, rule="helper.place")
    state = with_builder(state, seat, placed=(*state.builders[seat].placed, place))
    return _after_placing(referee, state, mine)


def _check_helper(referee: Referee, state: State, seat: int, place: Place) -> None:
    builder, name = state.builders[seat], state.seats[seat]
    if not builder.erected:
        referee.refuse("helper.built", f"{name} has erected no building this round.")
    if len(builder.placed) >= MOST_HELPERS:
        referee.refuse("helper.two", f"{name} has placed two helpers this round.")
    elif place in builder.placed:
        referee.refuse("helper.different", f"{name} has placed a helper in the {castle.named(place)} this round.")


def _check_spot(referee: Referee, state: State, action: PlaceHelper) -> None:
    place = castle.place_of(action.spot)
    if place == "granary" and not castle.is_open(state, "granary"):
        referee.impossible("winter.granary", "There is no free place in a granary.")
    if action.spot in state.helpers:
        referee.impossible("helper.one", f"The {castle.spot_name(action.spot)} is taken.")
    if not castle.stands(state, place):
        referee.refuse("helper.erected", f"The {castle.named(place)} is not erected yet.")


def _stand(state: State, action: PlaceHelper) -> State:
    if action.spot != "granary":
        return replace(state, helpers={**state.helpers, action.spot: action.seat})
    assert state.winter is not None
    return replace(state, winter=replace(state.winter, granary=(*(state.winter.granary or ()), action.seat)))


def place_innkeeper(referee: Referee, state: State, action: PlaceInnkeeper) -> State:
    """An innkeeper takes the talers that lie in the village tavern."""
    seat = action.seat
    mine = on_turn(state, seat, "helpers")
    if not mine:
        referee.refuse("helper.cards", f"{state.seats[seat]} is not placing helpers now.")
    tavern = tavern_of(state)
    if tavern is None or tavern.innkeeper is not None:
        referee.impossible("winter.tavern", "There is no village tavern without an innkeeper.")
    if state.options.innkeeper == "as-helper":
        _check_helper(referee, state, seat, "village-tavern")
        state = with_builder(state, seat, placed=(*state.builders[seat].placed, "village-tavern"))
    state = pay_bank(referee, state, seat, INNKEEPER_FEE_TALERS, "winter.tavern")
    state = pick_up(referee, state, seat, action.source)
    text = f"{state.seats[seat]} places an innkeeper and takes {amount(tavern.talers, 'taler')} from the card."
    referee.note(text, seat=seat, what="talers", change=tavern.talers, rule="winter.tavern")
    state = with_tavern(earn(state, seat, tavern.talers), replace(tavern, talers=0, innkeeper=seat))
    return _after_placing(referee, state, mine)


def _after_placing(referee: Referee, state: State, mine: bool) -> State:
    """The next card, once nothing more can be placed."""
    if mine and state.turn and not can_place(state, state.turn.seat):
        return next_task(referee, state)
    return state


def done_placing(referee: Referee, state: State, action: DonePlacing) -> State:
    """Place no more helpers with this card."""
    if not on_turn(state, action.seat, "helpers"):
        referee.impossible("helper.cards", f"{state.seats[action.seat]} is not placing helpers now.")
    return next_task(referee, state)


HANDLERS: Handlers[State] = {
    TakeFromTower: take_from_tower,
    Buy: buy,
    AnswerSale: answer_sale,
    BuyNothing: buy_nothing,
    Erect: erect,
    DoneBuilding: done_building,
    PlaceHelper: place_helper,
    PlaceInnkeeper: place_innkeeper,
    DonePlacing: done_placing,
}
