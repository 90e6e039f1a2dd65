"""Each action in a few words: a line of the history, the text of an undo button."""

from __future__ import annotations

from companion.rules.base import Action
from companion.rules.castle_builder import actions as do
from companion.rules.castle_builder.castle import describe, short, where
from companion.rules.castle_builder.coins import NAMES
from companion.rules.castle_builder.sources import named, source_name
from companion.rules.castle_builder.state import HOLDER_LIMIT, State
from companion.rules.castle_builder.supply import tiles_text
from companion.rules.wording import Words, plain, worded


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens."""
    return worded(_WORDS, state.seats, state, action)


def _name(state: State, seat: int) -> str:
    return state.seats[seat] if seat < len(state.seats) else "nobody"


def _build(state: State, action: do.BuildTile) -> str:
    tile = action.tile or named(state, action.source)
    what = short(tile) if tile else "a tile"
    paying = f", paying {tiles_text(action.pay)}" if action.pay else ""
    return f"builds {what} from {source_name(action.source)} on {where(action.level, action.x)}{paying}"


def _discard(state: State, action: do.DiscardTiles) -> str:
    excess = max(0, state.barons[action.seat].holder - HOLDER_LIMIT) if action.seat < len(state.barons) else 0
    return f"discards {tiles_text(excess)}"


def _coin(state: State, action: do.TakeCoin) -> str:
    known = state.coins[action.slot] if action.slot < len(state.coins) else None
    coin = action.coin or known
    return f"takes the {NAMES[coin]} coin" if coin else "takes a coin"


def _bring_down(state: State, action: do.BringDown) -> str:
    whose = "its own tile" if action.owner == action.seat else f"{_name(state, action.owner)}'s tile"
    return f"brings down {whose} on {where(action.level, action.x)}"


def _raise(state: State, action: do.RaiseCastle) -> str:
    paying = f", paying {tiles_text(action.pay)}" if action.pay else ""
    return f"builds from {source_name(action.source)} on level {action.level}{paying}"


def _arrive(state: State, action: do.Arrive) -> str:
    coins = f"{action.coins} coin{'' if action.coins == 1 else 's'}" if action.coins else ""
    reached = " and ".join(part for part in (coins, "a tile" if action.tile else "") if part)
    return f"moves the baron: {reached or 'nothing'}"


_WORDS: dict[type[Action], Words] = {
    do.LayPath: lambda state, action: f"the path is laid out: {len(action.spaces)} areas",
    do.LayFoundation: lambda state, action: f"the foundation is {action.foundation.width} tiles wide",
    do.UsePractice: plain("the practice board is used"),
    do.NameTile: lambda state, action: f"market tile {action.slot + 1} is {describe(action.tile)}",
    do.NameCoin: lambda state, action: f"coin {action.slot + 1} is the {NAMES[action.coin]}",
    do.DrawTiles: plain("draws 2 tiles"),
    do.BuildTile: _build,
    do.DiscardTiles: _discard,
    do.EndTurn: plain("ends the turn"),
    do.TakeCoin: _coin,
    do.StealTile: lambda state, action: f"robs {_name(state, action.victim)}",
    do.BringDown: _bring_down,
    do.PickTile: lambda state, action: f"takes market tile {action.slot + 1}",
    do.RaiseCastle: _raise,
    do.Arrive: _arrive,
    do.LoseTile: lambda state, action: f"brings down a tile of {_name(state, action.owner)}",
}
