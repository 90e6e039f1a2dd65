"""Castle Builder as a Game: set-up, the one dispatch to the handlers, and what can never be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.rules.base import (
    Action,
    Dealer,
    Game,
    GameInfo,
    GameOption,
    Handlers,
    Mode,
    Referee,
    Rulebook,
    Setup,
    decode,
)
from companion.rules.box import Box, Learned
from companion.rules.castle_builder import (
    building,
    castle,
    coins,
    effects,
    layout,
    light,
    phases,
    scoring,
)
from companion.rules.castle_builder.actions import (
    ACTIONS,
    EXAMPLES,
    Arrive,
    BuildTile,
    DrawTiles,
    LayFoundation,
    LayPath,
    NameTile,
    RaiseCastle,
)
from companion.rules.castle_builder.deal import deal
from companion.rules.castle_builder.labels import label
from companion.rules.castle_builder.path import path_fault
from companion.rules.castle_builder.picture import picture
from companion.rules.castle_builder.prompts import offers
from companion.rules.castle_builder.renown import tiles_built
from companion.rules.castle_builder.rulebook import RULES
from companion.rules.castle_builder.rulings import RULINGS
from companion.rules.castle_builder.state import COURT, MARKET_SIZE, Baron, Edge, Options, State, Tile
from companion.rules.castle_builder.supply import BOX_COINS, START_TILES, filled
from companion.rules.offers import prompts_of
from companion.rules.scores import Outcome, ScoreSheet
from companion.rules.table import Choice, Picture, Prompt

_OPTIONS = (
    GameOption(
        key="detail", label="How much to track", default="full", values=("full", "light"), rule="light.only",
        text="Full: every tile built, so sums, barons and coins follow. Light: turns, coins, holders, levels, icons.",
    ),
    GameOption(
        key="sky", label="Reach the Sky", default=False, rule="sky.nine",
        text="Play to nine coins instead of seven.",
    ),
    GameOption(
        key="royal", label="Royal Strategy", default=False, rule="royal.pay",
        text="Pay any number of tiles to change a number; everyone has a prince and a princess to build.",
    ),
    GameOption(
        key="peaceful", label="Peaceful Times", default=False, rule="peaceful.market",
        text="Catapult, Thief and Bitter Lady take a tile from the market instead.",
    ),
    GameOption(
        key="every_coin", label="Every coin area pays", default=True, rule="ruling.every-coin-area",
        text="Each coin area reached or passed gives a coin; off: at most one coin for a move.",
    ),
)  # fmt: skip

_INFO = GameInfo(
    id="castle-builder",
    title="Castle Builder",
    players=(2, 4),
    minutes=(30, 60),
    age=8,
    rules_version=1,
    modes=(
        Mode(key="two-players", label="Two players", players=2),
        Mode(key="three-players", label="Three players", players=3),
        Mode(key="four-players", label="Four players", players=4),
        Mode(key="reach-the-sky", label="Reach the Sky", players=3, options={"sky": True}),
        Mode(key="royal-strategy", label="Royal Strategy", players=3, options={"royal": True}),
        Mode(key="peaceful-times", label="Peaceful Times", players=3, options={"peaceful": True}),
        Mode(key="all-options", label="All three optional rules", players=4,
             options={"sky": True, "royal": True, "peaceful": True}),
        Mode(key="one-coin-a-move", label="At most one coin for a move", players=2, options={"every_coin": False}),
        Mode(key="light", label="Light", players=3, options={"detail": "light"}),
    ),
    options=_OPTIONS,
)  # fmt: skip

_HANDLERS: Handlers[State] = {
    **building.HANDLERS,
    **coins.HANDLERS,
    **effects.HANDLERS,
    **layout.HANDLERS,
    **light.HANDLERS,
    **phases.HANDLERS,
}


class CastleBuilder(Game[State]):
    info = _INFO
    rulebook = Rulebook(RULES, RULINGS)
    state_type = State
    action_types = ACTIONS
    tally_type = scoring.Tally
    examples = EXAMPLES

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        chosen = msgspec.convert(dict(options), Options)
        players = len(setup.seats)
        court = COURT if chosen.royal else ()
        box_tiles = _box_tiles(self.box, setup)
        state = State(
            seats=setup.seats,
            options=chosen,
            first=setup.first,
            active=setup.first,
            barons=(Baron(holder=START_TILES, court=court),) * players,
            box_tiles=box_tiles,
            pile=box_tiles - players * (START_TILES + len(court)),
            coin_pile=BOX_COINS,
        )
        return _laid_out(filled(Referee(self.rulebook), state), setup)

    def play(self, referee: Referee, state: State, action: Action) -> State:
        seat = getattr(action, "seat", 0)
        if seat >= len(state.barons):
            referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {len(state.barons) - 1}.")
        return _HANDLERS[type(action)](referee, state, action)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return prompts_of(self, state, offers(state))

    def picture(self, state: State) -> Picture:
        return picture(state)

    def label(self, state: State, action: Action) -> str:
        return label(state, action)

    def deal(self, state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
        return deal(state, choice, dealer, box)

    def learns(self, state: State, action: Action) -> tuple[Learned, ...]:
        return tuple(_learned(action))

    def tally(self, state: State) -> scoring.Tally:
        return scoring.tally(state)

    def sheet(self, tally: scoring.Tally) -> ScoreSheet:
        return scoring.sheet(tally)

    def tally_template(self, players: int) -> scoring.Tally:
        return scoring.template(players)

    def outcome(self, sheet: ScoreSheet) -> Outcome:
        return scoring.outcome(sheet)

    def appeal(self, choice: Choice) -> int:
        action = choice.action
        if isinstance(action, BuildTile) and action.tile:
            return _SPOT_APPEAL[action.tile.bottom] * action.level
        if isinstance(action, BuildTile | RaiseCastle):
            return _KNOWN_APPEAL * action.level
        if isinstance(action, Arrive):
            return _ARRIVE_APPEAL // (1 + action.coins)
        return _DRAW_APPEAL if isinstance(action, DrawTiles) else 4

    def faults(self, state: State) -> tuple[str, ...]:
        return tuple(_faults(state))


_SPOT_APPEAL: dict[Edge, int] = {"stone": 8, "stone-air": 1, "air-stone": 1, "air": 0}
_KNOWN_APPEAL = 12
_DRAW_APPEAL = 14
_ARRIVE_APPEAL = 20
"""A player by chance who builds high on stone, now and then over the edge, and draws when there is little to build."""

GAME = CastleBuilder()


class _TileCount(Struct, frozen=True):
    count: Annotated[int, Meta(ge=40, le=999)]


def _box_tiles(box: Box, setup: Setup) -> int:
    """How many tiles are in the box: the published number, or what the table says of its own."""
    told = decode(setup.box.get("tile-count", {}), dict[str, Any], "The box data for the number of tiles")
    entry = told.get("tiles") or box["tile-count"]["tiles"]
    return decode(entry, _TileCount, "The box data for the number of tiles").count


def _laid_out(state: State, setup: Setup) -> State:
    """With the path and the foundation where the table has told them before."""
    if state.light:
        return state
    if entry := layout.known(setup.box, "path"):
        state = layout.on_starts(replace(state, path=layout.path_of(entry)))
    if entry := layout.known(setup.box, "foundation"):
        state = replace(state, foundation=layout.foundation_of(entry))
    return state


# What an action tells about the box


def _learned(action: Action) -> Iterator[Learned]:
    if isinstance(action, LayPath):
        yield Learned(table="path", key=layout.KEY, entry={"spaces": list(action.spaces)})
    if isinstance(action, LayFoundation):
        yield Learned(table="foundation", key=layout.KEY, entry=msgspec.to_builtins(action.foundation))
    if isinstance(action, NameTile | BuildTile) and action.tile is not None:
        yield _tile_learned(action.tile)


def _tile_learned(tile: Tile) -> Learned:
    """A tile with its name, even if it has none: a front end would take what it is kept under for one."""
    entry = {"name": tile.name, **msgspec.to_builtins(tile)}
    return Learned(table="tiles", key=castle.describe(tile), entry=entry)


# What can never be true


def _faults(state: State) -> Iterator[str]:
    if len(state.seats) != len(state.barons) or max(state.first, state.active) >= len(state.seats):
        yield "somebody is not at the table."
        return
    yield from _count_faults(state)
    yield from _end_faults(state)
    if not state.light:
        yield from _path_faults(state)
        yield from _castle_faults(state)


def _count_faults(state: State) -> Iterator[str]:
    held = sum(baron.holder + len(baron.court) for baron in state.barons)
    built = sum(tiles_built(state, seat) for seat in range(len(state.barons)))
    tiles = state.pile + state.discard + len(state.tiles) + held + built
    if tiles != state.box_tiles:
        yield f"{tiles} tiles are in play, and the box holds {state.box_tiles}."
    taken = state.coin_pile + len(state.coins) + sum(baron.coins for baron in state.barons)
    if taken != BOX_COINS:
        yield f"{taken} coins are in play, and the box holds {BOX_COINS}."
    if (len(state.tiles) < MARKET_SIZE and state.pile + state.discard) or len(state.tiles) > MARKET_SIZE:
        yield f"the market has {len(state.tiles)} tiles."
    if (len(state.coins) < MARKET_SIZE and state.coin_pile) or len(state.coins) > MARKET_SIZE:
        yield f"the market has {len(state.coins)} coins."


def _end_faults(state: State) -> Iterator[str]:
    best = max(baron.coins for baron in state.barons)
    stuck = state.idle >= len(state.seats)
    if best > state.goal or state.over != (stuck or best == state.goal):
        yield f"the most coins are {best}, and the game ends with {state.goal}."


def _path_faults(state: State) -> Iterator[str]:
    if not state.path:
        return
    if fault := path_fault(state.path):
        yield fault
    areas = [baron.space for baron in state.barons]
    if max(areas) >= len(state.path):
        yield "a baron is beside the path."
    if len(set(areas)) < len(areas):
        yield "two barons are on one area."


def _castle_faults(state: State) -> Iterator[str]:
    for name, baron in zip(state.seats, state.barons, strict=True):
        if baron.castle and state.foundation is None:
            yield f"{name} has built without a foundation."
        elif state.foundation:
            yield from (f"{name} {fault}." for fault in castle.faults(state.foundation, baron.castle))
