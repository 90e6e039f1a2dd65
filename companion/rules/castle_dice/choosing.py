"""Phases 1, 3 and 4: who goes first, which dice, the Villager Choice, and the roll that forms the world."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import leads, phases
from companion.rules.castle_dice.actions import (
    KeepVillagers,
    NameFirst,
    PickDice,
    PlayBrother,
    ReadTracker,
    RollFirst,
    RollWorld,
    SwapVillager,
)
from companion.rules.castle_dice.decks import play_away
from companion.rules.castle_dice.gathering import DAUGHTER, check_go
from companion.rules.castle_dice.rolls import dice_words
from companion.rules.castle_dice.state import NO_RESOURCES, RESOURCES, Resource, State, Tracked, kind_of
from companion.rules.castle_dice.supply import (
    into_world,
    place_villager,
    plus,
    remove_villager,
    rolled,
    to_bank,
    with_player,
)

BROTHER = "Loyal Brother"


# 1 First player


def roll_first(referee: Referee, state: State, action: RollFirst) -> State:
    """The most wood goes first; those tied roll again (ruling.first-roll-tied)."""
    _check_first(referee, state)
    if len(action.wood) != len(state.rollers):
        names = ", ".join(state.names[seat] for seat in state.rollers)
        referee.impossible("first.wood", f"One number each is needed for {names or 'those who roll'}.")
    if not state.rollers:
        return state
    best = max(action.wood)
    tied = tuple(seat for seat, wood in zip(state.rollers, action.wood, strict=True) if wood == best)
    if len(tied) == 1:
        return phases.goes_first(referee, state, tied[0], f"rolled {best} wood and")
    names = " and ".join(state.names[seat] for seat in tied)
    referee.note(f"{names} are tied with {best} wood and roll again.", rule="ruling.first-roll-tied")
    return replace(state, rollers=tied)


def name_first(referee: Referee, state: State, action: NameFirst) -> State:
    """Somebody rolled the most wood."""
    _check_first(referee, state)
    if state.phase == "first" and action.seat not in state.rollers:
        referee.refuse("ruling.first-roll-tied", f"{state.names[action.seat]} is out of the roll for the first turn.")
    return phases.goes_first(referee, state, action.seat, "rolled the most wood and")


def _check_first(referee: Referee, state: State) -> None:
    if state.phase != "first":
        referee.impossible("first.wood", "The dice say who goes first before the first turn only.")


# 3 Dice


def read_tracker(referee: Referee, state: State, action: ReadTracker) -> State:
    """The table says what its Turn Tracker shows; fixed dice handed out before go back first."""
    handed_out = state.tracked.sure
    if state.phase != "dice" or (handed_out and any(player.picked for player in state.players)):
        referee.impossible("dice.fixed", "The tracker is read before anybody picks choice dice.")
    for seat, player in enumerate(state.players):
        if handed_out:
            state = with_player(to_bank(state, player.dice), seat, dice=NO_RESOURCES.copy())
    now = Tracked(fixed={one: count for one, count in action.fixed.items() if count}, choice=action.choice)
    tracker = (*state.tracker[: state.turn - 1], now, *state.tracker[state.turn :])
    return phases.begin_dice(referee, replace(state, tracker=tracker))


def play_brother(referee: Referee, state: State, action: PlayBrother) -> State:
    """Five more choice dice instead of the fixed ones (card.brother)."""
    seat = action.seat
    _check_picking(referee, state, seat)
    player = state.players[seat]
    if player.brother:
        referee.refuse("card.brother", f"{state.names[seat]} has given up the fixed dice already.")
    state = play_away(referee, state, seat, BROTHER)
    return with_player(to_bank(state, player.dice), seat, dice=NO_RESOURCES.copy(), brother=True)


def pick_dice(referee: Referee, state: State, action: PickDice) -> State:
    """Take choice dice, as many as are due and as the bank has (dice.choice, dice.bank)."""
    seat = action.seat
    _check_picking(referee, state, seat)
    wanted: dict[Resource, int] = {**NO_RESOURCES, **Counter(action.dice)}
    for resource in RESOURCES:
        if wanted[resource] > state.bank[resource]:
            referee.impossible("dice.bank", f"The bank has {dice_words(state.bank[resource], resource)} left.")
    due = phases.choices_due(state, seat)
    if len(action.dice) != due:
        referee.refuse("dice.choice", f"{state.names[seat]} picks {due} choice dice, not {len(action.dice)}.")
    return picked(referee, state, seat, wanted)


def picked(referee: Referee, state: State, seat: int, dice: dict[Resource, int]) -> State:
    """A player's choice dice leave the bank, and the next one picks."""
    referee.note(f"{state.names[seat]} takes {leads.listed(dice)}.", seat=seat, rule="dice.choice")
    state = with_player(phases.take_dice(state, seat, dice), seat, picked=True)
    return phases.next_to_pick(referee, state) if state.phase == "dice" else state


def _check_picking(referee: Referee, state: State, seat: int) -> None:
    name = state.names[seat]
    if state.phase != "dice":
        referee.refuse("turn.phases", "Dice are picked in phase 3, not now.")
    elif state.players[seat].picked:
        referee.refuse("dice.choice", f"{name} has picked dice already.")
    elif state.active != seat:
        referee.refuse("turn.order", f"It is not {name}'s turn to pick dice.")


# Villager Choice


def swap_villager(referee: Referee, state: State, action: SwapVillager) -> State:
    """Change a villager into another type, by the cows or by a Daughter (cow.choice; card.daughter)."""
    seat = action.seat
    if action.daughter:
        check_go(referee, state, seat)
        state = play_away(referee, state, seat, DAUGHTER)
    elif state.phase != "villager" or state.active != seat:
        referee.refuse("cow.choice", f"{state.names[seat]} has no Villager Choice now.")
    if kind_of(action.old) == kind_of(action.new):
        referee.refuse("cow.choice", "A villager changes into another type.")
    state = remove_villager(referee, state, seat, action.old)
    state = place_villager(referee, state, seat, action.new)
    return phases.to_roll(state) if state.phase == "villager" and not action.daughter else state


def keep_villagers(referee: Referee, state: State, action: KeepVillagers) -> State:
    """The cows' Villager Choice is not used."""
    if state.phase != "villager" or state.active != action.seat:
        referee.impossible("cow.choice", f"{state.names[action.seat]} has no Villager Choice now.")
    return phases.to_roll(state)


# 4 Roll


def roll_world(referee: Referee, state: State, action: RollWorld) -> State:
    """All dice that were taken are rolled at once (roll.world)."""
    if state.phase != "roll":
        referee.impossible("turn.phases", "The dice are rolled in phase 4, once all have picked.")
    roll = rolled(referee, state, action.rolls, tuple(player.dice for player in state.players))
    count = sum(roll.world.values())
    referee.note(f"The world has {count} {'die' if count == 1 else 'dice'}.", rule="roll.world")
    for seat, player in enumerate(state.players):
        state = with_player(state, seat, dice=plus(player.dice, player.dice, -1))
    return phases.begin_gather(referee, into_world(referee, state, roll))


HANDLERS: Handlers[State] = {
    RollFirst: roll_first,
    NameFirst: name_first,
    ReadTracker: read_tracker,
    PlayBrother: play_brother,
    PickDice: pick_dice,
    SwapVillager: swap_villager,
    KeepVillagers: keep_villagers,
    RollWorld: roll_world,
}
