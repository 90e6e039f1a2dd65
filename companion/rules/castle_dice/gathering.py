"""Phase 5: taking dice out of the world, with farmers, moats and Pork Chops (Gathering Resources)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import Gather, PorkChop
from companion.rules.castle_dice.cards import DEEP_MOAT
from companion.rules.castle_dice.decks import play_away
from companion.rules.castle_dice.leads import power
from companion.rules.castle_dice.rolls import animal_on, die_of, worth
from companion.rules.castle_dice.state import Animal, Face, Player, State
from companion.rules.castle_dice.supply import from_world, gain, take_animal, to_bank, with_player

DAUGHTER = "Daughter"
_FARMED = {1: 1, 2: 1, 3: 2}
"""How many animals the farmers choose: one more with one or two of them, both with three (gather.farmers)."""


def check_go(referee: Referee, state: State, seat: int) -> None:
    """It is a seat's go to gather, and nothing else waits to be settled."""
    name = state.names[seat]
    if state.phase != "gather":
        referee.refuse("turn.phases", "Dice are gathered in phase 5, not now.")
    elif state.active != seat:
        referee.refuse("gather.one", f"It is not {name}'s go to gather.")
    elif phases.waits(state):
        referee.refuse("gather.one", "Something else must be settled before the next gather.")
    elif state.players[seat].maiden is not None:
        referee.refuse("card.maiden", f"{name} draws the cards of the Maiden first.")


def gather(referee: Referee, state: State, action: Gather) -> State:
    """Take a die and what it shows."""
    check_go(referee, state, action.seat)
    state = _taken(referee, state, action.seat, action.die)
    if action.moat:
        state = _by_moat(referee, state, action)
    else:
        state = _bring(referee, state, action.seat, action.die, action.farmers, action.take_from)
    return gathered(referee, state, action.seat)


def pork_chop(referee: Referee, state: State, action: PorkChop) -> State:
    """Turn a die to any face, gather it, and skip the rest of the phase (gather.pork-chop)."""
    seat = action.seat
    check_go(referee, state, seat)
    if die_of(action.die) != die_of(action.face):
        referee.impossible("gather.pork-chop", f"A {die_of(action.die)} die has no side '{action.face}'.")
    if action.daughter:
        state = play_away(referee, state, seat, DAUGHTER)
    else:
        _check_pigs(referee, state, seat)
        state = replace(state, chopped=True)
    state = _taken(referee, state, seat, action.die)
    text = f"{state.names[seat]} turns {action.die} to {action.face}, and gathers no more this turn."
    referee.note(text, seat=seat, rule="gather.pork-chop")
    state = _bring(referee, state, seat, action.face, action.farmers, action.take_from)
    state = with_player(state, seat, skips=True)
    if state.active == seat:
        state = replace(state, gathers=1)
    return gathered(referee, state, seat)


def _check_pigs(referee: Referee, state: State, seat: int) -> None:
    if power(state, "pig") != seat:
        referee.refuse("power.most", f"{state.names[seat]} does not have the most pigs.")
    elif state.chopped:
        referee.refuse("gather.one-pork-chop", "The Pork Chop of the pigs has been used this turn.")


def gathered(referee: Referee, state: State, seat: int) -> State:
    """A gather, or what was done instead of it, is over."""
    state = with_player(state, seat, gathered=state.players[seat].gathered + 1)
    if state.active == seat:
        state = replace(state, gathers=max(0, state.gathers - 1))
    return phases.gather_goes_on(referee, state)


def _taken(referee: Referee, state: State, seat: int, die: Face) -> State:
    """A die leaves the world for the bank, or waits for a Wise Grandfather's roll."""
    if not state.world.get(die):
        referee.impossible("gather.world", f"No die of the world shows {die}.")
    state = from_world(state, die)
    if state.active == seat and state.elder is not None and len(state.elder) < 2:
        return replace(state, elder=(*state.elder, die_of(die)))
    return to_bank(state, {die_of(die): 1})


def _bring(
    referee: Referee, state: State, seat: int, face: Face, farmers: tuple[Animal, ...], donor: int | None
) -> State:
    animal = animal_on(face)
    if animal is None:
        if farmers:
            referee.refuse("gather.farmers", "Farmers help when an animal is gathered.")
        return gain(referee, state, seat, die_of(face), worth(face), "gather.resource")
    if not farmers:
        return take_animal(referee, state, seat, animal, donor)
    return _by_farmers(referee, state, seat, animal, farmers, donor)


def _by_farmers(
    referee: Referee, state: State, seat: int, animal: Animal, farmers: tuple[Animal, ...], donor: int | None
) -> State:
    """More or other animals, once a turn (gather.farmers)."""
    player = state.players[seat]
    _check_farmers(referee, state, seat, animal, farmers)
    brings = farmers if player.farmers == 3 else (animal, *farmers)
    for one in brings[:2]:
        state = take_animal(referee, state, seat, one, donor)
    return with_player(state, seat, farmed=True)


def _check_farmers(referee: Referee, state: State, seat: int, animal: Animal, farmers: tuple[Animal, ...]) -> None:
    player, name = state.players[seat], state.names[seat]
    if player.farmed:
        referee.refuse("gather.farmers", f"{name}'s farmers have helped this turn already.")
    elif not player.farmers:
        referee.refuse("gather.farmers", f"{name} has no farmer.")
    elif len(farmers) != _FARMED[player.farmers]:
        words = f"{player.farmers} {'farmer' if player.farmers == 1 else 'farmers'}"
        referee.refuse("gather.farmers", f"{name}'s {words} choose {_FARMED[player.farmers]} of the animals.")
    elif player.farmers == 1 and farmers != (animal,):
        referee.refuse("gather.farmers", f"One farmer adds another {animal}.")


def _by_moat(referee: Referee, state: State, action: Gather) -> State:
    """One of the die's resource instead of its animal (card.deep-moat)."""
    seat, player = action.seat, state.players[action.seat]
    if animal_on(action.die) is None:
        referee.refuse("card.deep-moat", "A Deep Moat turns an animal into a resource; this die shows one.")
    elif moats_left(player) <= 0:
        referee.refuse("card.deep-moat", f"{state.names[seat]} has no Deep Moat to use now.")
    state = with_player(state, seat, moats_used=player.moats_used + 1)
    return gain(referee, state, seat, die_of(action.die), 1, "card.deep-moat")


def moats_left(player: Player) -> int:
    """How often a player may still use a Deep Moat this turn (build.cumulative)."""
    return player.built.get(DEEP_MOAT, 0) - player.moats_used


HANDLERS: Handlers[State] = {Gather: gather, PorkChop: pork_chop}
