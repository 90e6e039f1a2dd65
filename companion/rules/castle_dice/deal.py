"""Rolling and drawing for people who want the companion to: what a choice asks, by chance, from what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.rules.base import Action, Dealer
from companion.rules.box import Box
from companion.rules.castle_dice import actions as do
from companion.rules.castle_dice import phases, solo
from companion.rules.castle_dice.building import one_of_each
from companion.rules.castle_dice.cards import BARD, face_down, known
from companion.rules.castle_dice.gather_cards import camps_of, elder_dice
from companion.rules.castle_dice.gather_moves import pairs
from companion.rules.castle_dice.rolls import SIDES, animal_on, die_of, faces_of, worth, written
from companion.rules.castle_dice.state import (
    ANIMALS,
    DECKS,
    JOAN_FACES,
    NO_RESOURCES,
    RESOURCES,
    Animal,
    DeckId,
    JoanFace,
    Resource,
    State,
)
from companion.rules.table import Choice

T = TypeVar("T")
Dealt = Callable[[State, Any, Choice, Dealer, Box], Action]


def deal(state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
    """The choice's action with every asked field drawn. What only the box can tell stays as it stands in."""
    draw = _DEALT.get(type(choice.action))
    return draw(state, choice.action, choice, dealer, box) if draw and choice.asks else choice.action


# Dice


def roll(state: State, taken: tuple[Mapping[Resource, int], ...], dealer: Dealer) -> str:
    """A roll of dice in its one line of text, every side as likely."""
    rolls = [[(die, _one(SIDES[die], dealer)) for die in RESOURCES for _ in range(dice.get(die, 0))] for dice in taken]
    return written(state.names, rolls)


def _world(state: State, action: do.RollWorld, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, rolls=roll(state, tuple(player.dice for player in state.players), dealer))


def _soldier(state: State, action: do.PlaySoldier, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, rolls=roll(state, camps_of(state, (action.seat,)), dealer))


def _jester(state: State, action: do.PlayJester, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, rolls=roll(state, camps_of(state, tuple(range(len(state.players)))), dealer))


def _roll_back(state: State, action: do.RollBack, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, rolls=roll(state, _alone(state, action.seat, elder_dice(state)), dealer))


def _alchemist(state: State, action: do.PlayAlchemist, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, rolls=roll(state, _alone(state, action.seat, one_of_each(state)), dealer))


def _alone(state: State, seat: int, dice: Mapping[Resource, int]) -> tuple[Mapping[Resource, int], ...]:
    return tuple(dice if other == seat else NO_RESOURCES for other in range(len(state.players)))


def _first(state: State, action: do.RollFirst, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, wood=tuple(_wood(dealer) + _wood(dealer) for _ in state.rollers))


def _wood(dealer: Dealer) -> int:
    side = _one(SIDES["wood"], dealer)
    return int(side) if side.isdecimal() else 0


def _pick(state: State, action: do.PickDice, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    left = Counter(state.bank)
    return replace(action, dice=tuple(_draw(left, dealer) for _ in action.dice))


def _joan_picks(state: State, action: do.JoanPicks, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    choices = phases.choices_due(state, state.joan or 0)
    faces: list[JoanFace] = []
    while solo.choice_dice(faces, choices) is None:
        faces.append(_one(JOAN_FACES, dealer))
    return replace(action, faces=tuple(faces))


def _joan_gathers(state: State, action: do.JoanGathers, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, face=_one(JOAN_FACES, dealer))


# Cards


def _names(state: State, action: do.NameCards, _choice: Choice, dealer: Dealer, box: Box) -> Action:
    """Every hidden card of a seat, of those that lie face down."""
    hidden = state.players[action.seat].hidden
    told = [name for deck in DECKS for name in _from_deck(state, deck, hidden[deck], dealer, box)]
    return replace(action, cards=tuple(told))


def _from_deck(state: State, deck: DeckId, count: int, dealer: Dealer, box: Box) -> list[str]:
    left = pile(state, deck, box)
    return [_draw(left, dealer) for _ in range(min(count, left.total()))]


def pile(state: State, deck: DeckId, box: Box) -> Counter[str]:
    """The face-down cards of a deck; practice cards stand in for those nobody has published."""
    extra = box[f"practice-{deck}"]
    left = face_down(state)
    cards = {name: found for name, found in known(state).items() if found.deck == deck}
    loose = max(0, state.sizes[deck] - sum(found.copies for found in cards.values()))
    likely = {
        name: max(0, left[name] - loose) + min(left[name], int(extra.get(name, {}).get("copies", 0))) for name in cards
    }
    return Counter({name: min(left[name], count) for name, count in likely.items()})


def _bards(state: State, action: do.RevealBards, _choice: Choice, dealer: Dealer, box: Box) -> Action:
    left = pile(state, "market", box)
    hidden = state.players[action.seat].hidden["market"]
    drawn = [_draw(left, dealer) for _ in range(min(hidden, left.total()))]
    return replace(action, bards=min(drawn.count(BARD), face_down(state)[BARD]))


# Choices of people, for games nobody plays


def _gather(state: State, action: do.Gather, choice: Choice, dealer: Dealer, _box: Box) -> Action:
    return replace(action, farmers=_animals(state, len(action.farmers), dealer))


def _animals(state: State, count: int, dealer: Dealer) -> tuple[Animal, ...]:
    left = Counter({animal: state.tokens[animal] // 2 for animal in ANIMALS})
    return tuple(_draw(left, dealer) for _ in range(min(count, left.total())))


def _chop(state: State, action: do.PorkChop, choice: Choice, dealer: Dealer, _box: Box) -> Action:
    die = die_of(action.die)
    there = [face for face in faces_of(die) if state.world.get(face)]
    faces = [face for face in faces_of(die) if worth(face) or state.tokens[animal_on(face) or "pig"]]
    return replace(action, die=_one(there, dealer), face=_one(faces or there, dealer), farmers=())


def _swap(state: State, action: do.SwapVillager, _choice: Choice, dealer: Dealer, _box: Box) -> Action:
    old, new = _one(pairs(state.players[action.seat]), dealer)
    return replace(action, old=old, new=new)


_DEALT: dict[type[Action], Dealt] = {
    do.RollFirst: _first,
    do.RollWorld: _world,
    do.PlaySoldier: _soldier,
    do.PlayJester: _jester,
    do.RollBack: _roll_back,
    do.PlayAlchemist: _alchemist,
    do.PickDice: _pick,
    do.JoanPicks: _joan_picks,
    do.JoanGathers: _joan_gathers,
    do.NameCards: _names,
    do.RevealBards: _bards,
    do.Gather: _gather,
    do.PorkChop: _chop,
    do.SwapVillager: _swap,
}


# Chance


def _one(values: Any, dealer: Dealer) -> Any:
    return values[dealer.pick(len(values))]


def _draw(left: Counter[T], dealer: Dealer) -> T:
    """Take one out, each as likely."""
    pieces = list(left.elements())
    piece = pieces[dealer.pick(len(pieces))]
    left[piece] -= 1
    return piece
