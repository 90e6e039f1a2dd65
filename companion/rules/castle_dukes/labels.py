"""Each action in a few words: a line of the history, the text of an undo button."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.rules.base import Action, Correction, kebab
from companion.rules.castle_dukes import actions as do
from companion.rules.castle_dukes.castle import tower, where
from companion.rules.castle_dukes.state import Chit, State, TowerId
from companion.rules.castle_dukes.supply import amount


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens."""
    if isinstance(action, Correction):
        return f"Correction: {action.why or ', '.join(action.set) or 'a move against the rules'}"
    seat = getattr(action, "seat", None)
    if seat is not None and seat >= len(state.seats):
        return f"Seat {seat}: {kebab(type(action).__name__).replace('-', ' ')}"
    what = _WORDS[type(action)](state, action)
    if seat is None:
        return what[:1].upper() + what[1:]
    return f"{state.seats[seat]}: {what}"


def _plain(words: str) -> Callable[[State, Any], str]:
    return lambda state, action: words


def _here(words: str) -> Callable[[State, Any], str]:
    """Words with the action's fields in them, and where it happens."""
    return lambda state, action: f"{words.format(action)} on {where(action.tower, action.level)}"


def _next(words: str) -> Callable[[State, Any], str]:
    return lambda state, action: f"{words} as {where(action.tower, _next_level(state, action.seat, action.tower))}"


def _next_level(state: State, seat: int, id: TowerId) -> int:
    return len(tower(state.dukes[seat].castle, id)) + 1


def _take_room(state: State, action: do.TakeRoom) -> str:
    if action.board >= len(state.boards) or action.slot >= len(state.boards[action.board]):
        return "takes a room"
    slot = state.boards[action.board][action.slot]
    card = slot.card or action.card
    return f"takes {card.name if card else 'a room'} for {amount(slot.cost, 'coin')}"


def _construction(state: State, action: do.DrawConstruction) -> str:
    gives = ", ".join(amount(count, item) for item, count in action.items.items() if count)
    return f"draws a construction card ({gives or 'nothing'})"


def _discard_room(state: State, action: do.DiscardRoom) -> str:
    return f"puts away {_card(state.dukes[action.seat].cards, action.card)}"


def _build_room(state: State, action: do.BuildRoom) -> str:
    duke = state.dukes[action.seat]
    card = _card((*duke.loose_cards, *duke.cards), action.card)
    return f"builds {card} on {where(action.tower, action.level)}"


def _card(cards: tuple[Any, ...], place: int) -> str:
    return str(cards[place].name) if place < len(cards) else "a room"


def _guest_cards(state: State, action: do.RevealGuests) -> str:
    cards = (f"{card.main}, {card.small}{', fire' if card.fire else ''}" for card in action.cards)
    return f"guest card: {'; '.join(cards)}"


def _house(state: State, action: do.HouseGuest) -> str:
    guest = state.visit.guest if state.visit else "guest"
    return f"houses the {guest} on {where(action.tower, action.level)}"


def _pick_chit(state: State, action: do.PickChit) -> str:
    attack = state.dukes[action.seat].attack
    drawn = attack.chits if attack else ()
    return f"resolves {_chits(drawn[action.chit : action.chit + 1]) or 'a chit'}"


def _chits(chits: Iterable[Chit]) -> str:
    return ", ".join(amount(chit.count, chit.kind) for chit in chits)


def _dials(state: State, action: do.SetDials) -> str:
    dials = action.dials
    return f"dials to comfort {dials.comfort}, defence {dials.defence}, offence {dials.offence}"


def _award(state: State, action: do.AwardGuest) -> str:
    names = [state.seats[seat] for seat in action.seats if seat < len(state.seats)]
    return f"the guest goes to {' and '.join(names) or 'nobody'}"


_WORDS: dict[type[Action], Callable[[State, Any], str]] = {
    do.NameRoom: lambda state, action: f"{action.card.name} lies in slot {action.slot + 1}",
    do.TakeRoom: _take_room,
    do.PassRooms: _plain("buys no more rooms"),
    do.DrawTile: _plain("draws a floor tile"),
    do.TakePillars: _plain("takes two pillars"),
    do.DrawConstruction: _construction,
    do.StopBuying: _plain("is done acquiring"),
    do.DiscardItem: lambda state, action: f"puts away {amount(action.count, action.item)}",
    do.DiscardRoom: _discard_room,
    do.PlaceTile: _next("lays a floor tile"),
    do.PlaceRoof: _next("lays a roof"),
    do.PlaceBridge: lambda state, action: f"lays a bridge on level {action.level}",
    do.PlacePillars: lambda state, action: (
        f"stands {amount(action.count, 'pillar')} on {where(action.tower, action.level)}"
    ),
    do.BuildRoom: _build_room,
    do.FurnishRoom: _here("puts a {0.item}"),
    do.ArmTop: _here("puts a {0.item}"),
    do.FinishBuilding: _plain("is done building"),
    do.DropVines: lambda state, action: f"drops {amount(action.count, 'vine')}",
    do.Crumble: lambda state, action: (
        "takes a Crumble token to rearrange" if action.deliberate else "has an accident: Crumble token"
    ),
    do.TakeDown: _here("takes down a {0.what}"),
    do.RehouseGuest: _here("puts the {0.guest} back"),
    do.Settle: _plain("has put the castle right"),
    do.RevealGuests: _guest_cards,
    do.HouseGuest: _house,
    do.FaceDragon: lambda state, action: f"meets the dragon with {action.rating}",
    do.SacrificePrincess: _plain("gives up a princess"),
    do.DrawChits: lambda state, action: f"draws chits: {_chits(action.chits)}",
    do.PickChit: _pick_chit,
    do.Lose: _here("loses a {0.what}"),
    do.AiTakes: lambda state, action: f"the AI takes a room{f' (die: {action.die})' if action.die else ''}",
    do.AiBurns: lambda state, action: f"the AI loses 1 {action.die}",
    do.Spend: lambda state, action: f"spends {amount(action.coins, 'coin')}",
    do.SetDials: _dials,
    do.AwardGuest: _award,
    do.DragonDone: _plain("has taken the dragon's damage"),
    do.CountCastle: _plain("has counted the castle"),
}
