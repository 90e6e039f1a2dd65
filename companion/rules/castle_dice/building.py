"""Phases 9 and 10 and the end: building, the raid, the Bards, and cards the table tells us of."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import (
    Build,
    FinishBuilding,
    PlayAlchemist,
    PlayCard,
    PlayVolunteer,
    Raid,
    ReadCard,
    RevealBards,
)
from companion.rules.castle_dice.cards import (
    ANIMAL_WALL,
    BARD,
    VOLUNTEER,
    card,
    catalog,
    cost,
    face_down,
    is_built,
    lacking,
    shown,
)
from companion.rules.castle_dice.decks import discarded, leave_hand, play_away, printed
from companion.rules.castle_dice.leads import listed, raid_loss
from companion.rules.castle_dice.rolls import die_of, worth
from companion.rules.castle_dice.state import (
    NO_RESOURCES,
    RESOURCES,
    VILLAGERS,
    Card,
    DeckId,
    Place,
    Resource,
    State,
    guard_at,
)
from companion.rules.castle_dice.supply import place_villager, plus, rolled, spend, with_player
from companion.rules.counts import added

ALCHEMIST = "Alchemist"


def _check_building(referee: Referee, state: State, seat: int) -> None:
    if state.phase != "build":
        referee.refuse("turn.phases", "Cards are built in phase 9, not now.")
    elif state.players[seat].done:
        referee.refuse("build.done", f"{state.names[seat]} has finished building this turn.")


# Build


def build(referee: Referee, state: State, action: Build) -> State:
    """Pay for a card of the hand and put up what it is (build.pay)."""
    held = printed(referee, state, action.card)
    if not is_built(held):
        referee.impossible("build.kind", f"{shown(state, held.name)} is played, not built.")
    _check_building(referee, state, action.seat)
    state = _put_up(referee, _pay(referee, state, action, held), action, held)
    return with_player(state, action.seat, alchemy=None) if action.alchemy else state


def _pay(referee: Referee, state: State, action: Build, held: Card) -> State:
    seat, player = action.seat, state.players[action.seat]
    if action.alchemy and player.alchemy is None:
        referee.refuse("card.alchemist", f"{state.names[seat]} has no Alchemist's result to use.")
    short = lacking(state, player, held, alchemy=action.alchemy)
    if short:
        why = f"{state.names[seat]} lacks {listed(short)} for {shown(state, held.name)}."
        referee.refuse("build.pay", why)
    return spend(referee, state, seat, cost(state, player, held, alchemy=action.alchemy))


def _put_up(referee: Referee, state: State, action: Build, held: Card) -> State:
    seat, name = action.seat, held.name
    if held.kind == "villager":
        state = place_villager(referee, state, seat, _place(referee, action))
        return discarded(leave_hand(referee, state, seat, held), held.deck, name)
    if name == ANIMAL_WALL and action.animal is None:
        referee.impossible("card.wall-animal", "Say which animal the Wall stands for.")
    state = leave_hand(referee, state, seat, held)
    referee.note(f"{state.names[seat]} builds {shown(state, name)}.", seat=seat, what=name, change=1, rule="build.pay")
    player = state.players[seat]
    chosen = (action.animal,) if action.animal and name == ANIMAL_WALL else ()
    return with_player(state, seat, built=added(player.built, name, 1), walls=(*player.walls, *chosen))


def _place(referee: Referee, action: Build) -> Place:
    """Where the villager of a card stands."""
    kind = next((one for one in VILLAGERS if one == action.card.lower()), None)
    if kind is None:
        referee.impossible("build.kind", f"'{action.card}' is none of the four villagers.")
    if kind != "guard":
        return kind
    if action.post is None:
        referee.impossible("build.guard-post", "Say which resource the guard stands at.")
    return guard_at(action.post)


def one_of_each(state: State) -> dict[Resource, int]:
    """The dice an Alchemist rolls (ruling.alchemist-missing-die)."""
    return {die: min(1, state.bank[die]) for die in RESOURCES}


def play_alchemist(referee: Referee, state: State, action: PlayAlchemist) -> State:
    """One of each die is rolled; its resources lower the cost of one card (card.alchemist)."""
    seat = action.seat
    _check_building(referee, state, seat)
    if state.players[seat].alchemy is not None:
        referee.refuse("card.alchemist", f"{state.names[seat]} has an Alchemist's result to use first.")
    dice = one_of_each(state)
    taken = tuple(dice if other == seat else NO_RESOURCES for other in range(len(state.players)))
    roll = rolled(referee, state, action.rolls, taken)
    state = play_away(referee, state, seat, ALCHEMIST)
    brewed = {die_of(face): worth(face) * count for face, count in roll.world.items() if worth(face)}
    text = f"The Alchemist takes {listed(brewed)} off one card of {state.names[seat]}."
    referee.note(text, seat=seat, rule="card.alchemist")
    return with_player(state, seat, alchemy=brewed)


def play_volunteer(referee: Referee, state: State, action: PlayVolunteer) -> State:
    """A Volunteer lies by the mat and counts as a Wall."""
    seat = action.seat
    _check_building(referee, state, seat)
    state = leave_hand(referee, state, seat, printed(referee, state, VOLUNTEER))
    text = f"{state.names[seat]} has a Volunteer, who counts as a Wall."
    referee.note(text, seat=seat, what=VOLUNTEER, change=1, rule="card.volunteer")
    return with_player(state, seat, built=added(state.players[seat].built, VOLUNTEER, 1))


def finish_building(referee: Referee, state: State, action: FinishBuilding) -> State:
    """A player is done building."""
    if state.phase != "build":
        referee.impossible("turn.phases", "Building is in phase 9, not now.")
    _check_building(referee, state, action.seat)
    referee.note(f"{state.names[action.seat]} is done building.", seat=action.seat)
    return phases.build_goes_on(referee, with_player(state, action.seat, done=True))


# Raid


def raid(referee: Referee, state: State, action: Raid) -> State:
    """Barbarians take what no guard keeps, and their dice go back (raid.loss)."""
    if state.phase != "raid":
        referee.impossible("turn.phases", "The barbarians raid in phase 10, once all have built.")
    for seat in state.order:
        if seat != state.joan and state.players[seat].barbarians:
            state = _raided(referee, state, seat)
    return phases.end_raid(referee, state)


def _raided(referee: Referee, state: State, seat: int) -> State:
    player = state.players[seat]
    losses = raid_loss(state, player)
    for resource, loss in losses.items():
        text = f"Barbarians take {loss} {resource} from {state.names[seat]}."
        referee.note(text, seat=seat, what=resource, change=-loss, rule="raid.loss")
    if not losses:
        referee.note(f"Barbarians find nothing at {state.names[seat]}'s.", seat=seat, rule="raid.loss")
    return with_player(state, seat, resources=plus(player.resources, losses, -1))


# The end


def reveal_bards(referee: Referee, state: State, action: RevealBards) -> State:
    """How many of the market cards still hidden are Bards (end.bards)."""
    seat, bards = action.seat, action.bards
    player = state.players[seat]
    if state.phase != "bards":
        referee.impossible("ruling.bards-kept", "Bards are revealed at the end of the game.")
    if bards > player.hidden["market"]:
        why = f"{state.names[seat]} holds {player.hidden['market']} market cards that are not told."
        referee.impossible("cards.have", why)
    if bards > face_down(state)[BARD]:
        referee.refuse("end.bards", f"Only {face_down(state)[BARD]} Bards of the box can be in hidden hands.")
    text = f"{state.names[seat]} reveals {bards or 'no'} Bard{'' if bards == 1 else 's'}."
    referee.note(text, seat=seat, what=BARD, change=bards, rule="end.bards")
    hidden: dict[DeckId, int] = plus(player.hidden, {"market": -bards})
    return with_player(state, seat, hidden=hidden, built=added(player.built, BARD, bards), done=True)


# Cards of this box


def read_card(referee: Referee, state: State, action: ReadCard) -> State:
    """What is printed on a card of this box (card.learned)."""
    told = action.card
    old = card(state, told.name)
    if old is not None and old.deck != told.deck:
        referee.impossible("card.learned", f"{told.name} is a card of the {old.deck} deck.")
    if old is not None and old.kind != told.kind and told.name in catalog():
        referee.impossible("card.learned", f"{told.name} is known to be a {old.kind} card.")
    if told.kind == "villager" and told.name not in catalog():
        referee.impossible("card.learned", "There are four villagers, and their cards are known.")
    referee.note(f"{shown(state, told.name)} is now known: {listed(told.cost)} to build.", rule="card.learned")
    return replace(state, box_cards={**state.box_cards, told.name: told})


def play_card(referee: Referee, state: State, action: PlayCard) -> State:
    """Play a learned card: its cost is paid, what it says is done at the table (card.learned)."""
    seat = action.seat
    held = printed(referee, state, action.card)
    if held.name in catalog() or is_built(held):
        referee.impossible("cards.when", f"{shown(state, held.name)} has a move of its own.")
    short = lacking(state, state.players[seat], held)
    if short:
        referee.refuse("build.pay", f"{state.names[seat]} lacks {listed(short)} for {held.name}.")
    state = spend(referee, state, seat, cost(state, state.players[seat], held))
    if held.kind == "lasting":
        state = leave_hand(referee, state, seat, held)
        state = with_player(state, seat, built=added(state.players[seat].built, held.name, 1))
    else:
        state = play_away(referee, state, seat, held.name)
    referee.note(f"Do what {held.name} says, and set the numbers right.", seat=seat, rule="card.learned")
    return state


HANDLERS: Handlers[State] = {
    Build: build,
    PlayAlchemist: play_alchemist,
    PlayVolunteer: play_volunteer,
    FinishBuilding: finish_building,
    Raid: raid,
    RevealBards: reveal_bards,
    ReadCard: read_card,
    PlayCard: play_card,
}
