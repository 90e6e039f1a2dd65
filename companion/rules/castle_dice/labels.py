"""Each action in a few words: a line of the history, the text of an undo button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from companion.rules.base import Action, Correction
from companion.rules.castle_dice import actions as do
from companion.rules.castle_dice.cards import shown
from companion.rules.castle_dice.gather_moves import told
from companion.rules.castle_dice.leads import PLURALS
from companion.rules.castle_dice.state import State


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens. Nothing secret is in it."""
    if isinstance(action, Correction):
        return f"Correction: {action.why or ', '.join(action.set) or 'a move against the rules'}"
    what = _WORDS[type(action)](state, action)
    seat = getattr(action, "seat", None)
    if seat is None or seat >= len(state.names):
        return what[:1].upper() + what[1:]
    return f"{state.names[seat]}: {what}"


def _plain(words: str) -> Callable[[State, Any], str]:
    return lambda state, action: words


def _filled(words: str) -> Callable[[State, Any], str]:
    """Words with the action's fields in them."""
    return lambda state, action: words.format(action)


def _draw(state: State, action: do.DrawCards) -> str:
    parts = [f"{count} {deck}" for count, deck in ((action.castle, "castle"), (action.village, "village")) if count]
    return f"draws {' and '.join(parts) or 'no'} cards"


def _dice(state: State, action: do.PickDice) -> str:
    return f"picks {', '.join(f'{count} {die}' for die, count in Counter(action.dice).items()) or 'no dice'}"


def _gather(state: State, action: do.Gather) -> str:
    helped = f" with farmers ({', '.join(action.farmers)})" if action.farmers else " by a moat" if action.moat else ""
    return f"gathers {told(action.die)}{helped}"


def _chop(state: State, action: do.PorkChop) -> str:
    by = " by a Daughter" if action.daughter else ""
    return f"Pork Chop{by}: {told(action.die)} becomes {told(action.face)}"


def _named(state: State, seat: int) -> str:
    return state.names[seat] if seat < len(state.names) else "nobody"


def _market(state: State, action: do.GoToMarket) -> str:
    return f"trades {action.sets} {'set' if action.sets == 1 else 'sets'} at the market"


def _build(state: State, action: do.Build) -> str:
    where = f" on {action.post}" if action.post else f" for {PLURALS[action.animal]}" if action.animal else ""
    return f"builds {shown(state, action.card)}{where}{' with the Alchemist' if action.alchemy else ''}"


def _discard(state: State, action: do.DiscardCard) -> str:
    return f"discards {shown(state, action.card) if action.card else f'a {action.deck} card'}"


_WORDS: dict[type[Action], Callable[[State, Any], str]] = {
    do.RollFirst: lambda state, action: (
        f"the roll for the first turn: {', '.join(str(wood) for wood in action.wood)} wood"
    ),
    do.NameFirst: _plain("rolled the most wood"),
    do.DiscardCard: _discard,
    do.DrawCards: _draw,
    do.NameCards: _plain("tells the companion what was drawn"),
    do.ReadTracker: lambda state, action: f"the Turn Tracker is read for turn {state.turn}",
    do.PlayBrother: _plain("plays Loyal Brother"),
    do.PickDice: _dice,
    do.JoanPicks: lambda state, action: f"Joan rolls for her dice: {', '.join(action.faces)}",
    do.SwapVillager: _filled("changes a {0.old} into a {0.new}"),
    do.KeepVillagers: _plain("keeps the villagers as they are"),
    do.RollWorld: _filled("the world is rolled: {0.rolls}"),
    do.Gather: _gather,
    do.PorkChop: _chop,
    do.PlaySoldier: _filled("plays Soldier: {0.rolls}"),
    do.PlayGrandfather: _plain("plays Wise Grandfather"),
    do.RollBack: _filled("rolls back {0.rolls}"),
    do.PlayMessenger: _plain("plays King's Messenger"),
    do.BringVillager: _filled("gets a {0.villager} by the King's Messenger"),
    do.PostGuard: _filled("posts the guard on {0.post}"),
    do.PlaySquire: _plain("plays Squire"),
    do.PlayAdvisor: _plain("plays Advisor"),
    do.PlayHungryBarbarians: lambda state, action: (
        f"plays Hungry Barbarians: {' and '.join(PLURALS[animal] for animal in action.animals)}"
    ),
    do.PlayShepherd: lambda state, action: f"plays Shepherd: {PLURALS[action.animal]}",
    do.PlayJester: _filled("plays Jester: {0.rolls}"),
    do.PassBarbarian: lambda state, action: f"hands a {action.die} barbarian to {_named(state, action.to)}",
    do.PlayMaiden: _plain("plays Maiden"),
    do.JoanGathers: lambda state, action: f"Joan gathers{f' (die: {action.face})' if action.face else ''}",
    do.GoToMarket: _market,
    do.WorkersProduce: _plain("workers produce"),
    do.UseMerchant: _filled("uses a merchant on {0.resource}"),
    do.StopTrading: _plain("is done with the merchants"),
    do.Build: _build,
    do.PlayAlchemist: _filled("plays Alchemist: {0.rolls}"),
    do.PlayVolunteer: _plain("plays Volunteer"),
    do.FinishBuilding: _plain("is done building"),
    do.Raid: _plain("the barbarians raid"),
    do.RevealBards: _filled("reveals {0.bards} Bards"),
    do.ReadCard: lambda state, action: f"{action.card.name} is told to the companion",
    do.PlayCard: _filled("plays {0.card}"),
}
