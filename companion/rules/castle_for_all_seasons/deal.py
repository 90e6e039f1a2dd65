"""Drawing and choosing by chance for people who want the companion to.

What nobody has read off a board is taken from practice values of our own, and marked so.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.rules.base import Action, Dealer, decode, put
from companion.rules.box import Box, Entry
from companion.rules.castle_for_all_seasons.actions import (
    ConvertResources,
    ConvertTalers,
    Erect,
    Payment,
    ReadCart,
    ReadFee,
    ReadTile,
    ReadWinterSpaces,
)
from companion.rules.castle_for_all_seasons.conversions import limit, per_point
from companion.rules.castle_for_all_seasons.payments import ways_for
from companion.rules.castle_for_all_seasons.state import KINDS, Kind, State
from companion.rules.table import Ask, Choice


def deal(state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
    """The choice's action with every asked field answered. The same dealer answers the same."""
    if not choice.asks:
        return choice.action
    return _read(choice.action, box) or _chosen(state, choice, dealer) or _any(choice, dealer)


def _read(action: Action, box: Box) -> Action | None:
    """What the board shows: this box's where it is known, ours otherwise."""
    match action:
        case ReadTile(building=building):
            entry, ours = _entry(box, "buildings", building)
            printed = {"value": entry["value"], "vp": entry["vp"]}
            return _made(ReadTile, {"building": building, "printed": printed, "practice": ours})
        case ReadFee(spot=spot):
            entry, ours = _entry(box, "fees", spot)
            return _made(ReadFee, {"spot": spot, "talers": entry["talers"], "practice": ours})
        case ReadCart(cart=cart):
            entry, ours = _entry(box, "carts", cart)
            return _made(ReadCart, {"cart": cart, "pieces": entry["pieces"], "practice": ours})
        case ReadWinterSpaces():
            entry, ours = _entry(box, "winter-spaces", "spaces")
            return _made(ReadWinterSpaces, {"spaces": entry["spaces"], "practice": ours})
    return None


def _entry(box: Box, table: str, key: str) -> tuple[Entry, bool]:
    own = box[table].get(key)
    ours = box[f"practice-{table}"].get(key)
    if own is None and ours is None:
        raise Malformed(f"The box data has nothing to draw for '{key}'.")
    return (own, False) if own is not None else (ours or {}, True)


def _made(kind: type[Action], values: dict[str, object]) -> Action:
    return decode({"do": kind.__struct_config__.tag, **values}, kind, "What was read")


def _chosen(state: State, choice: Choice, dealer: Dealer) -> Action | None:
    """What pieces or talers a player counts out."""
    action = choice.action
    if isinstance(action, Erect) and choice.asks[0].field != "payment":
        ways = ways_for(state, action.seat, state.printed.tiles[action.building].value)
        return msgspec.structs.replace(action, payment=ways[dealer.pick(len(ways))])
    if isinstance(action, ConvertTalers):
        per = per_point(state, action.seat)
        points = dealer.pick(state.builders[action.seat].talers // per + 1)
        return msgspec.structs.replace(action, talers=points * per)
    if isinstance(action, ConvertResources):
        return msgspec.structs.replace(action, payment=_some_pieces(state, action.seat, dealer))
    return None


def _some_pieces(state: State, seat: int, dealer: Dealer) -> Payment:
    """Any pieces the palace takes, some of them for silver."""
    held, room = state.builders[seat].held, limit(state, seat)
    own: dict[Kind, int] = {}
    silver: dict[Kind, int] = {}
    for kind in KINDS:
        own[kind] = dealer.pick(min(room, held.get(kind, 0)) + 1)
        room -= own[kind]
        bars = held.get("silver", 0) - sum(silver.values())
        silver[kind] = dealer.pick(min(room, bars, state.stock.get(kind, 0)) + 1)
        room -= silver[kind]
    return Payment(own={k: n for k, n in own.items() if n}, silver={k: n for k, n in silver.items() if n})


def _any(choice: Choice, dealer: Dealer) -> Action:
    """One of the options of each ask."""
    raw = msgspec.to_builtins(choice.action)
    for ask in choice.asks:
        put(raw, ask.field, msgspec.to_builtins(_option(ask, dealer)))
    return decode(raw, type(choice.action), "What was drawn")


def _option(ask: Ask, dealer: Dealer) -> object:
    if not ask.options:
        raise Malformed(f"The companion cannot draw this: {ask.label}.")
    return ask.options[dealer.pick(len(ask.options))].value
