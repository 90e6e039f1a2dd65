"""The cards of the gather phase: what is played before a gather, or instead of one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import (
    BringVillager,
    PassBarbarian,
    PlayAdvisor,
    PlayGrandfather,
    PlayHungryBarbarians,
    PlayJester,
    PlayMaiden,
    PlayMessenger,
    PlayShepherd,
    PlaySoldier,
    PlaySquire,
    PostGuard,
    RollBack,
)
from companion.rules.castle_dice.cards import walls
from companion.rules.castle_dice.decks import play_away
from companion.rules.castle_dice.gathering import check_go, gathered
from companion.rules.castle_dice.leads import herd
from companion.rules.castle_dice.state import (
    NO_RESOURCES,
    RESOURCES,
    VILLAGERS,
    Player,
    Resource,
    State,
    Villager,
    guard_at,
)
from companion.rules.castle_dice.supply import (
    gain,
    has_room,
    into_world,
    lose_animals,
    place_villager,
    plus,
    rolled,
    with_player,
)

ADVISOR, HUNGRY, SHEPHERD = "Advisor", "Hungry Barbarians", "Shepherd"
SOLDIER, JESTER, MAIDEN = "Soldier", "Jester", "Maiden"
GRANDFATHER, MESSENGER, SQUIRE = "Wise Grandfather", "King's Messenger", "Squire"


def _check_first_gather(referee: Referee, state: State, seat: int) -> None:
    check_go(referee, state, seat)
    if state.players[seat].gathered:
        referee.refuse("card.first-gather", f"{state.names[seat]} has gathered this turn already.")


# Barbarians rolled again


def camps_of(state: State, seats: tuple[int, ...]) -> tuple[Mapping[Resource, int], ...]:
    """The barbarian dice of some seats, none of the others."""
    return tuple(player.camp if seat in seats else NO_RESOURCES for seat, player in enumerate(state.players))


def play_soldier(referee: Referee, state: State, action: PlaySoldier) -> State:
    """One's barbarians are rolled into the world."""
    check_go(referee, state, action.seat)
    state = play_away(referee, state, action.seat, SOLDIER)
    return _roll_camps(referee, state, action.rolls, (action.seat,), "card.soldier")


def play_jester(referee: Referee, state: State, action: PlayJester) -> State:
    """Everyone's barbarians are rolled; those that come up for its player may be handed on."""
    seat = action.seat
    check_go(referee, state, seat)
    state = play_away(referee, state, seat, JESTER)
    state = _roll_camps(referee, state, action.rolls, tuple(range(len(state.players))), "card.jester")
    return replace(state, passable=state.players[seat].camp)


def _roll_camps(referee: Referee, state: State, text: str, seats: tuple[int, ...], rule: str) -> State:
    camps = camps_of(state, seats)
    if not any(any(camp.values()) for camp in camps):
        referee.refuse(rule, "There are no barbarians to roll again.")
    roll = rolled(referee, state, text, camps)
    for seat, camp in enumerate(camps):
        state = with_player(state, seat, camp=plus(state.players[seat].camp, camp, -1))
    return into_world(referee, state, roll)


def pass_barbarian(referee: Referee, state: State, action: PassBarbarian) -> State:
    """A barbarian the Jester's player rolled goes to another camp."""
    seat, die, to = action.seat, action.die, action.to
    if to >= len(state.players) or to == seat:
        referee.impossible("card.jester", "A barbarian is handed to another player.")
    if not state.players[seat].camp[die]:
        referee.impossible("card.jester", f"{state.names[seat]} has no barbarian on a {die} die.")
    if state.active != seat or not state.passable[die]:
        referee.refuse("card.jester", f"{state.names[seat]} rolled no {die} barbarian for a Jester.")
    text = f"{state.names[seat]} hands a {die} barbarian to {state.names[to]}."
    referee.note(text, seat=seat, what="barbarians", change=-1, rule="card.jester")
    state = with_player(state, seat, camp=plus(state.players[seat].camp, {die: -1}))
    state = with_player(state, to, camp=plus(state.players[to].camp, {die: 1}))
    return replace(state, passable={**state.passable, die: max(0, state.passable[die] - 1)})


# More gathers


def play_advisor(referee: Referee, state: State, action: PlayAdvisor) -> State:
    """One more gather for each Wall."""
    _check_first_gather(referee, state, action.seat)
    more = walls(state, state.players[action.seat])
    state = play_away(referee, state, action.seat, ADVISOR)
    referee.note(f"{state.names[action.seat]} gathers {more} more.", seat=action.seat, rule="card.advisor")
    return replace(state, gathers=state.gathers + more)


def play_grandfather(referee: Referee, state: State, action: PlayGrandfather) -> State:
    """One more gather, both dice to be rolled back."""
    check_go(referee, state, action.seat)
    if state.phase != "gather":
        referee.impossible("card.grandfather", "A Wise Grandfather helps in the gather phase only.")
    if state.elder is not None:
        referee.refuse("ruling.one-grandfather", "A Wise Grandfather is helping already.")
    state = play_away(referee, state, action.seat, GRANDFATHER)
    return replace(state, elder=state.elder or (), gathers=state.gathers + 1)


def roll_back(referee: Referee, state: State, action: RollBack) -> State:
    """The dice gathered under a Wise Grandfather form part of the world again."""
    seat = action.seat
    if not phases.reroll_due(state) or state.active != seat:
        referee.impossible("card.grandfather", "No dice wait to be rolled back.")
    dice = elder_dice(state)
    taken = tuple(dice if other == seat else NO_RESOURCES for other in range(len(state.players)))
    left = state.gathers if any(state.world.values()) else 0
    state = replace(state, elder=None, gathers=left)
    return phases.gather_goes_on(referee, into_world(referee, state, rolled(referee, state, action.rolls, taken)))


def elder_dice(state: State) -> dict[Resource, int]:
    """The dice that wait for a Wise Grandfather's roll."""
    return {die: (state.elder or ()).count(die) for die in RESOURCES}


# Instead of a gather


def play_squire(referee: Referee, state: State, action: PlaySquire) -> State:
    """One of each guarded resource."""
    check_go(referee, state, action.seat)
    state = play_away(referee, state, action.seat, SQUIRE)
    for resource in RESOURCES:
        if resource in state.players[action.seat].guards:
            state = gain(referee, state, action.seat, resource, 1, "card.squire")
    return gathered(referee, state, action.seat)


def play_messenger(referee: Referee, state: State, action: PlayMessenger) -> State:
    """The next player names a villager there is room for."""
    seat = action.seat
    check_go(referee, state, seat)
    if state.phase != "gather":
        referee.impossible("card.messenger", "A King's Messenger comes in the gather phase only.")
    if not state.villager_tokens:
        referee.impossible("ruling.villager-tokens", "All villager tokens are on the mats.")
    if not roomy(state.players[seat]):
        referee.impossible("card.messenger", f"{state.names[seat]} has no room for another villager.")
    state = play_away(referee, state, seat, MESSENGER)
    return gathered(referee, replace(state, messenger=seat), seat)


def roomy(player: Player) -> tuple[Villager, ...]:
    """The villagers a mat has room for."""
    return tuple(kind for kind in VILLAGERS if has_room(player, kind))


def bring_villager(referee: Referee, state: State, action: BringVillager) -> State:
    """The messenger's villager comes; for a guard its owner chooses the post."""
    if state.messenger is None or state.messenger != action.seat:
        referee.impossible("card.messenger", f"No King's Messenger is on the way to {state.names[action.seat]}.")
    player = state.players[action.seat]
    state = replace(state, messenger=None)
    posts = [post for post in RESOURCES if post not in player.guards]
    if action.villager == "guard" and len(posts) > 1:
        return replace(state, posting=action.seat)
    place = guard_at(posts[0]) if action.villager == "guard" and posts else action.villager
    if place == "guard":
        referee.impossible("build.limits", f"{state.names[action.seat]} has a guard on every resource.")
    return phases.gather_goes_on(referee, place_villager(referee, state, action.seat, place))


def post_guard(referee: Referee, state: State, action: PostGuard) -> State:
    """The guard a messenger brought takes its post."""
    if state.posting != action.seat:
        referee.impossible("card.messenger", f"No guard of {state.names[action.seat]} waits for a post.")
    state = place_villager(referee, state, action.seat, guard_at(action.post))
    return phases.gather_goes_on(referee, replace(state, posting=None))


# Animals


def play_hungry(referee: Referee, state: State, action: PlayHungryBarbarians) -> State:
    """Everyone discards all animals of two types."""
    _check_first_gather(referee, state, action.seat)
    if action.animals[0] == action.animals[1]:
        referee.refuse("card.hungry", "Hungry Barbarians eat two types of animals.")
    state = play_away(referee, state, action.seat, HUNGRY)
    for animal in dict.fromkeys(action.animals):
        for seat, player in enumerate(state.players):
            state = lose_animals(referee, state, seat, animal, player.animals[animal], "card.hungry")
    return state


def play_shepherd(referee: Referee, state: State, action: PlayShepherd) -> State:
    """All others hand over every animal of a type."""
    seat, animal = action.seat, action.animal
    _check_first_gather(referee, state, seat)
    state = play_away(referee, state, seat, SHEPHERD)
    for other, player in enumerate(state.players):
        count = player.animals[animal]
        if other != seat and count:
            text = f"{state.names[other]} hands {herd(count, animal)} to {state.names[seat]}."
            referee.note(text, seat=other, what=animal, change=-count, rule="card.shepherd")
            state = with_player(state, other, animals={**player.animals, animal: 0})
            referee.note(f"{state.names[seat]} gains {herd(count, animal)}.", seat=seat, what=animal, change=count)
            state = with_player(state, seat, animals=plus(state.players[seat].animals, {animal: count}))
    return state


def play_maiden(referee: Referee, state: State, action: PlayMaiden) -> State:
    """Opens the hand: cards are laid down, then as many drawn (`hands.discard_card`, `hands.draw_cards`)."""
    check_go(referee, state, action.seat)
    state = play_away(referee, state, action.seat, MAIDEN)
    return with_player(state, action.seat, maiden=0)


HANDLERS: Handlers[State] = {
    PlaySoldier: play_soldier,
    PlayJester: play_jester,
    PassBarbarian: pass_barbarian,
    PlayAdvisor: play_advisor,
    PlayGrandfather: play_grandfather,
    RollBack: roll_back,
    PlaySquire: play_squire,
    PlayMessenger: play_messenger,
    BringVillager: bring_villager,
    PostGuard: post_guard,
    PlayHungryBarbarians: play_hungry,
    PlayShepherd: play_shepherd,
    PlayMaiden: play_maiden,
}
