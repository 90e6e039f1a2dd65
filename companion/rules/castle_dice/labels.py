"""Each action in a few words: a line of the history, the text of an undo button."""

from __future__ import annotations

from collections import Counter

from companion.rules.base import Action
from companion.rules.castle_dice import actions as do
from companion.rules.castle_dice.cards import shown
from companion.rules.castle_dice.gather_moves import told
from companion.rules.castle_dice.leads import PLURALS
from companion.rules.castle_dice.state import State
from companion.rules.wording import Words, filled, plain, worded


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens. Nothing secret is in it."""
    return worded(_WORDS, state.names, state, action)


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


_WORDS: dict[type[Action], Words] = {
    do.RollFirst: lambda state, action: (
        f"the roll for the first turn: {', '.join(str(wood) for wood in action.wood)} wood"
    ),
    do.NameFirst: plain("rolled the most wood"),
    do.DiscardCard: _discard,
    do.DrawCards: _draw,
    do.NameCards: plain("tells the companion what was drawn"),
    do.ReadTracker: lambda state, action: f"the Turn Tracker is read for turn {state.turn}",
    do.PlayBrother: plain("plays Loyal Brother"),
    do.PickDice: _dice,
    do.JoanPicks: lambda state, action: f"Joan rolls for her dice: {', '.join(action.faces)}",
    do.SwapVillager: filled("changes a {0.old} into a {0.new}"),
    do.KeepVillagers: plain("keeps the villagers as they are"),
    do.RollWorld: filled("the world is rolled: {0.rolls}"),
    do.Gather: _gather,
    do.PorkChop: _chop,
    do.PlaySoldier: filled("plays Soldier: {0.rolls}"),
    do.PlayGrandfather: plain("plays Wise Grandfather"),
    do.RollBack: filled("rolls back {0.rolls}"),
    do.PlayMessenger: plain("plays King's Messenger"),
    do.BringVillager: filled("gets a {0.villager} by the King's Messenger"),
    do.PostGuard: filled("posts the guard on {0.post}"),
    do.PlaySquire: plain("plays Squire"),
    do.PlayAdvisor: plain("plays Advisor"),
    do.PlayHungryBarbarians: lambda state, action: (
        f"plays Hungry Barbarians: {' and '.join(PLURALS[animal] for animal in action.animals)}"
    ),
    do.PlayShepherd: lambda state, action: f"plays Shepherd: {PLURALS[action.animal]}",
    do.PlayJester: filled("plays Jester: {0.rolls}"),
    do.PassBarbarian: lambda state, action: f"hands a {action.die} barbarian to {_named(state, action.to)}",
    do.PlayMaiden: plain("plays Maiden"),
    do.JoanGathers: lambda state, action: f"Joan gathers{f' (die: {action.face})' if action.face else ''}",
    do.GoToMarket: _market,
    do.WorkersProduce: plain("workers produce"),
    do.UseMerchant: filled("uses a merchant on {0.resource}"),
    do.StopTrading: plain("is done with the merchants"),
    do.Build: _build,
    do.PlayAlchemist: filled("plays Alchemist: {0.rolls}"),
    do.PlayVolunteer: plain("plays Volunteer"),
    do.FinishBuilding: plain("is done building"),
    do.Raid: plain("the barbarians raid"),
    do.RevealBards: filled("reveals {0.bards} Bards"),
    do.ReadCard: lambda state, action: f"{action.card.name} is told to the companion",
    do.PlayCard: filled("plays {0.card}"),
}
