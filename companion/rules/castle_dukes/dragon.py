"""Dragon Attack: meeting it, the chits drawn, and what is lost."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import DrawChits, FaceDragon, Lose, PickChit, SacrificePrincess
from companion.rules.castle_dukes.barbican import ratings, with_castle
from companion.rules.castle_dukes.phases import dragon_goes_on, dragon_seat
from companion.rules.castle_dukes.state import Attack, Chit, State
from companion.rules.castle_dukes.supply import amount, put_away_all, put_back, with_duke

CHITS_DRAWN = 5
_TILE_CHITS = 1
_PRINCESS_SAVES = 2
_CHART = {"offence": (13, 8, 5), "defence": (20, 13, 7)}
"""The least rating for 1, 2 and 3 damage; below the last it is 4 (Dragon Damage Chart)."""


def damage(rating: str, value: int) -> int:
    """What the dragon does to a castle that meets it with this rating.

    >>> [damage("offence", value) for value in (4, 5, 8, 13)], [damage("defence", value) for value in (6, 7, 13, 20)]
    ([4, 3, 2, 1], [4, 3, 2, 1])
    """
    return next((hits for hits, least in enumerate(_CHART[rating], start=1) if value >= least), 4)


def face_dragon(referee: Referee, state: State, action: FaceDragon) -> State:
    """Choose the rating to meet the dragon with; it can be changed until all have chosen."""
    if state.phase != "dragon":
        referee.impossible("dragon.when", "There is no dragon now.")
    attack = state.dukes[action.seat].attack
    if attack and (dragon_seat(state) is not None or attack.sacrificed):
        referee.refuse("dragon.choose", f"{state.seats[action.seat]} has already met the dragon.")
    _check_standing(referee, state, action.seat)
    value = getattr(ratings(state, action.seat), action.rating)
    hits = damage(action.rating, value)
    referee.note(
        f"{state.seats[action.seat]} meets the dragon with {action.rating} {value}: {hits} damage.",
        seat=action.seat, what="damage", change=hits, rule="dragon.chart",
    )  # fmt: skip
    return with_duke(state, action.seat, attack=Attack(facing=action.rating, damage=hits))


def sacrifice_princess(referee: Referee, state: State, action: SacrificePrincess) -> State:
    """Return a princess to the pool for 2 less damage, to a least of 1."""
    attack = _attack(referee, state, action.seat)
    if attack.sacrificed or attack.chits:
        referee.refuse("dragon.princess", "One princess may be given up, before the chits are drawn.")
    target = castle.Target(what="princess", tower=action.tower, level=action.level, room=action.room)
    state = _without(referee, state, action.seat, target, to_pool=True)
    hits = max(1, attack.damage - _PRINCESS_SAVES)
    referee.note(
        f"A princess is given up: {hits} damage.", seat=action.seat, what="damage", change=hits - attack.damage
    )
    return with_duke(state, action.seat, attack=replace(attack, damage=hits, sacrificed=True))


def draw_chits(referee: Referee, state: State, action: DrawChits) -> State:
    """Five chits from the bag; those of the duke before are back in it."""
    attack = _attack(referee, state, action.seat)
    _check_turn(referee, state, action.seat)
    if attack.chits:
        referee.impossible("dragon.five-chits", f"{state.seats[action.seat]} has drawn already.")
    if len(action.chits) != CHITS_DRAWN:
        referee.impossible("dragon.five-chits", f"{CHITS_DRAWN} chits are drawn, not {len(action.chits)}.")
    if sum(chit.kind == "tile" for chit in action.chits) > _TILE_CHITS:
        referee.refuse("dragon.one-tile-chit", "There is only one floor tile chit.")
    referee.note(f"{state.seats[action.seat]} draws {', '.join(map(chit_name, action.chits))}.", seat=action.seat)
    return with_duke(state, action.seat, attack=replace(attack, chits=action.chits))


def chit_name(chit: Chit) -> str:
    """
    >>> chit_name(Chit(kind="decor", count=2))
    '2 decors'
    """
    return amount(chit.count, chit.kind)


def pick_chit(referee: Referee, state: State, action: PickChit) -> State:
    """Choose a chit; one of which the castle has nothing costs nothing."""
    seat, attack = action.seat, _attack(referee, state, action.seat)
    _check_turn(referee, state, seat)
    _check_standing(referee, state, seat)
    if attack.owed:
        referee.impossible("dragon.resolve", f"{chit_name(attack.owed)} must be removed first.")
    if action.chit >= len(attack.chits) or action.chit in attack.resolved:
        referee.impossible("dragon.resolve", "There is no such chit left to resolve.")
    chit = attack.chits[action.chit]
    attack = replace(attack, resolved=(*attack.resolved, action.chit))
    return dragon_goes_on(referee, with_duke(state, seat, attack=replace(attack, owed=chit)))


def lose(referee: Referee, state: State, action: Lose) -> State:
    """Remove one piece for the chit being resolved, and everything that rests on it."""
    seat, attack = action.seat, _attack(referee, state, action.seat)
    if attack.owed is None:
        referee.impossible("dragon.resolve", f"{state.seats[seat]} has nothing to remove now.")
    if castle.kind_of(action.what) != attack.owed.kind:
        referee.refuse("dragon.kinds", f"A {action.what} is not what the chit takes: {attack.owed.kind}.")
    _check_standing(referee, state, seat)
    state = _without(referee, state, seat, castle.Target.of(action))
    left = attack.owed.count - 1
    owed = replace(attack.owed, count=left) if left else None
    return dragon_goes_on(referee, with_duke(state, seat, attack=replace(attack, owed=owed)))


def _attack(referee: Referee, state: State, seat: int) -> Attack:
    attack = state.dukes[seat].attack
    if state.options.detail == "light":
        referee.impossible("light.only", "In a light game the table resolves the damage.")
    if attack is None:
        referee.impossible("dragon.choose", f"{state.seats[seat]} has not chosen how to meet the dragon.")
    return attack


def _check_turn(referee: Referee, state: State, seat: int) -> None:
    turn = dragon_seat(state)
    if turn is None:
        referee.refuse("dragon.choose", "First every duke chooses how to meet the dragon.")
    elif turn != seat:
        referee.refuse("dragon.five-chits", f"{state.seats[turn]} resolves the attack first.")


def _check_standing(referee: Referee, state: State, seat: int) -> None:
    """After an accident the castle is put right first: what lies in the hand hides from no dragon."""
    if state.dukes[seat].rearranging:
        referee.refuse("crumble.replace", f"First {state.seats[seat]}'s castle is put right.")


def _without(referee: Referee, state: State, seat: int, target: castle.Target, *, to_pool: bool = False) -> State:
    """Take a piece off a castle; it goes to the discard, or straight back to the pool."""
    try:
        rest, pieces, _ = castle.remove(state.dukes[seat].castle, target)
    except LookupError:
        referee.impossible("dragon.resolve", f"There is no such {target.what} in {state.seats[seat]}'s castle.")
    lost = ", ".join(amount(count, item) for item, count in pieces.items())
    referee.note(
        f"{state.seats[seat]} loses {lost}.",
        seat=seat,
        rule="dragon.extra" if sum(pieces.values()) > 1 else "dragon.resolve",
    )
    state = with_castle(referee, state, seat, rest)
    return put_back(state, "princess") if to_pool else put_away_all(state, pieces)


HANDLERS: Handlers[State] = {
    FaceDragon: face_dragon,
    SacrificePrincess: sacrifice_princess,
    DrawChits: draw_chits,
    PickChit: pick_chit,
    Lose: lose,
}
