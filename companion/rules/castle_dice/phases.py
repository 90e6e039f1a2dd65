"""The course of a turn: how each of the ten phases leads to the next. What people do in one is in the other modules."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_dice import cards, leads
from companion.rules.castle_dice.decks import draw, undrawn
from companion.rules.castle_dice.state import (
    ANIMALS,
    NO_RESOURCES,
    RESOURCE_CAP,
    RESOURCES,
    TURNS,
    Phase,
    Player,
    Resource,
    State,
)
from companion.rules.castle_dice.supply import lose_animals, plus, to_bank, with_player, world_dice
from companion.rules.counts import added

_ELDER_DICE = 2


def _people(state: State) -> tuple[int, ...]:
    """The seats in turn order, without Joan."""
    return tuple(seat for seat in state.order if seat != state.joan)


# 1 First player


def start_turn(referee: Referee, state: State) -> State:
    """Everything that is kept by the turn is new; the horses say who goes first, after the first turn."""
    players = tuple(
        replace(
            player, brother=False, picked=False, gathered=0, farmed=False, moats_used=0, skips=False, maiden=None,
            trades=0, alchemy=None, done=False,
        )
        for player in state.players
    )  # fmt: skip
    state = replace(state, players=players, phase="first", active=None, chopped=False, priority=None)
    if state.turn == 1:
        return replace(state, rollers=tuple(range(len(players))))
    return goes_first(referee, state, *_next_first(state))


def _next_first(state: State) -> tuple[int, str]:
    rider = leads.power(state, "horse")
    if rider is not None:
        return rider, "has the most horses and"
    return (state.first + 1) % len(state.players), "is left of the last first player and"


def goes_first(referee: Referee, state: State, seat: int, why: str) -> State:
    """A turn has its first player: on to the cards."""
    rule = "first.wood" if state.turn == 1 else "first.horses"
    holiday = " It is a holiday." if state.holiday else ""
    referee.note(f"Turn {state.turn}: {state.names[seat]} {why} goes first.{holiday}", seat=seat, rule=rule)
    state = replace(state, first=seat, rollers=(), phase="cards")
    return replace(state, active=_people(state)[0])


# 2 Cards


def next_to_draw(referee: Referee, state: State) -> State:
    """Who draws after the present one; then the dice."""
    seats = _people(state)
    place = seats.index(state.active) if state.active in seats else len(seats)
    if place + 1 < len(seats):
        return replace(state, active=seats[place + 1])
    return begin_dice(referee, replace(state, phase="dice", active=None))


# 3 Dice


def begin_dice(referee: Referee, state: State) -> State:
    """Hand out the fixed dice, once it is sure what the tracker shows (ruling.turn-6-dice); then all pick."""
    if not state.tracked.sure:
        return state
    for seat in state.order:
        if not state.players[seat].brother:
            state = take_dice(state, seat, fitting(state, state.tracked.fixed))
    fixed: dict[Resource, int] = {resource: state.tracked.fixed.get(resource, 0) for resource in RESOURCES}
    referee.note(f"Everyone takes the fixed dice: {leads.listed(fixed)}.", rule="dice.fixed")
    return next_to_pick(referee, state)


def fitting(state: State, dice: dict[Resource, int]) -> dict[Resource, int]:
    """Dice as far as the bank has them (dice.bank)."""
    return {resource: min(count, state.bank[resource]) for resource, count in dice.items()}


def take_dice(state: State, seat: int, dice: dict[Resource, int]) -> State:
    """Dice go from the bank to a player."""
    state = replace(state, bank=plus(state.bank, dice, -1))
    return with_player(state, seat, dice=plus(state.players[seat].dice, dice))


def choices_due(state: State, seat: int) -> int:
    """How many choice dice a seat picks (dice.choice; card.royal-chambers; card.brother)."""
    player = state.players[seat]
    due = state.tracked.choice + player.built.get(cards.ROYAL_CHAMBERS, 0) + (5 if player.brother else 0)
    return min(due, sum(state.bank.values()))


def next_to_pick(referee: Referee, state: State) -> State:
    """Who has not picked dice yet; then the cows, then the roll."""
    waiting = [seat for seat in state.order if not state.players[seat].picked]
    if waiting:
        return replace(state, active=waiting[0])
    herder = leads.power(state, "cow")
    if herder is not None and state.players[herder].villagers:
        return replace(state, phase="villager", active=herder)
    return to_roll(state)


def to_roll(state: State) -> State:
    return replace(state, phase="roll", active=None)


# 5 Gather


def begin_gather(referee: Referee, state: State) -> State:
    """The world is formed: the first player gathers."""
    return _visit(referee, replace(state, phase="gather"), state.order)


def reroll_due(state: State) -> bool:
    """Whether dice gathered under a Wise Grandfather wait to be rolled back (card.grandfather)."""
    return bool(state.elder) and (len(state.elder or ()) == _ELDER_DICE or not _can_gather(state))


def _can_gather(state: State) -> bool:
    return state.gathers > 0 and any(state.world.values())


def waits(state: State) -> bool:
    """Whether something must be settled before anybody gathers on."""
    return state.messenger is not None or state.posting is not None or reroll_due(state)


def gather_goes_on(referee: Referee, state: State) -> State:
    """After each part of a gather: more of it, the next player, or the end of the phase."""
    if state.phase != "gather" or waits(state) or _can_gather(state):
        return state
    place = state.order.index(state.active) if state.active in state.order else -1
    return _visit(referee, state, (*state.order[place + 1 :], *state.order[: place + 1]))


def _visit(referee: Referee, state: State, seats: tuple[int, ...]) -> State:
    """Give the go to the first of these seats that does not skip."""
    state = replace(state, elder=None, gathers=0, passable=NO_RESOURCES.copy())
    if not any(state.world.values()):
        return _begin_market(referee, state)
    for seat in seats:
        if not state.players[seat].skips:
            return replace(state, active=seat, gathers=1)
    referee.note("Everyone skips: the dice left in the world go back to the bank.", rule="ruling.all-skip")
    return _begin_market(referee, replace(to_bank(state, world_dice(state)), world={}))


# 6 Market


def _begin_market(referee: Referee, state: State) -> State:
    players = tuple(replace(player, maiden=None) for player in state.players)
    return next_at_market(referee, replace(state, phase="market", players=players, active=None, world={}))


def sets_for_sale(state: State, seat: int) -> int:
    """How many sets a seat can trade: as it has, as far as there are cards (ruling.market-empty)."""
    return min(leads.sets(state.players[seat]), undrawn(state, "market"))


def next_at_market(referee: Referee, state: State) -> State:
    """Who may trade next; then the workers."""
    place = state.order.index(state.active) if state.active in state.order else -1
    for seat in state.order[place + 1 :]:
        if seat == state.joan:
            state = _joan_trades(referee, state, seat)
        elif sets_for_sale(state, seat):
            return replace(state, active=seat)
    return _begin_workers(referee, state)


def _joan_trades(referee: Referee, state: State, seat: int) -> State:
    """Joan trades all her sets on holidays (solo.market; ruling.joan-market-sets)."""
    traded = sets_for_sale(state, seat) if state.holiday else 0
    for animal in ANIMALS:
        state = lose_animals(referee, state, seat, animal, traded, "solo.market")
    return draw(referee, state, seat, "market", traded)


# 7 Workers, 8 merchants


def _begin_workers(referee: Referee, state: State) -> State:
    state = replace(state, phase="workers", active=None)
    if any(player.workers for player in state.players):
        return state
    referee.note("Nobody has a worker.", rule="workers.produce")
    return begin_merchants(referee, state)


def begin_merchants(referee: Referee, state: State) -> State:
    """Everyone whose merchants can do something may use them."""
    players = tuple(replace(player, done=not tradeable(player)) for player in state.players)
    state = replace(state, phase="merchants", players=players)
    if not any(player.merchants for player in state.players):
        referee.note("Nobody has a merchant.", rule="merchants.trade")
    return merchants_go_on(referee, state)


def tradeable(player: Player) -> tuple[Resource, ...]:
    """The resources a player's merchants can still turn into the next rarer (ruling.merchant-not-past-9)."""
    if player.trades >= player.merchants:
        return ()
    pairs = pairwise(RESOURCES)
    return tuple(low for low, high in pairs if player.resources[low] and player.resources[high] < RESOURCE_CAP)


def merchants_go_on(referee: Referee, state: State) -> State:
    """End the phase once nobody can or wants to use a merchant."""
    if state.phase != "merchants" or not all(player.done for player in state.players):
        return state
    return _everyone(state, "build")


def _everyone(state: State, phase: Phase) -> State:
    """A phase in which all act at once; Joan has nothing to do in it."""
    players = tuple(replace(player, done=seat == state.joan) for seat, player in enumerate(state.players))
    return replace(state, phase=phase, players=players)


# 9 Build, 10 raid


def build_goes_on(referee: Referee, state: State) -> State:
    """Once everyone has built the barbarians raid."""
    if state.phase != "build" or not all(player.done for player in state.players):
        return state
    players = tuple(replace(player, alchemy=None) for player in state.players)
    state = replace(state, phase="raid", players=players)
    if any(state.players[seat].barbarians for seat in _people(state)):
        return state
    referee.note("Nobody is raided.", rule="raid.loss")
    return end_raid(referee, state)


def end_raid(referee: Referee, state: State) -> State:
    """The barbarians' dice go back to the bank, and the turn ends."""
    for seat, player in enumerate(state.players):
        state = with_player(to_bank(state, player.camp), seat, camp=NO_RESOURCES.copy())
    return end_turn(referee, state)


def end_turn(referee: Referee, state: State) -> State:
    """The next turn, or after the seventh the end."""
    if state.turn < TURNS:
        return start_turn(referee, replace(state, turn=state.turn + 1))
    referee.note("The seventh turn is over.", rule="turn.seven")
    return bards_go_on(referee, _everyone(state, "bards"))


def bards_go_on(referee: Referee, state: State) -> State:
    """Told Bards are revealed; the game is over once all have said which of their hidden market cards are some."""
    if state.phase != "bards":
        return state
    for seat in _people(state):
        state = _told_bards(referee, state, seat)
    if any(state.players[seat].hidden["market"] and not state.players[seat].done for seat in _people(state)):
        return state
    referee.note("The game is over.", rule="turn.seven")
    return replace(state, phase="over", over=True, active=None)


def _told_bards(referee: Referee, state: State, seat: int) -> State:
    player = state.players[seat]
    bards = player.cards.get(cards.BARD, 0)
    if not bards:
        return state
    text = f"{state.names[seat]} reveals {bards} Bard{'s' if bards > 1 else ''}."
    referee.note(text, seat=seat, what=cards.BARD, change=bards, rule="end.bards")
    told = added(player.cards, cards.BARD, -bards)
    return with_player(state, seat, cards=told, built=added(player.built, cards.BARD, bards))
