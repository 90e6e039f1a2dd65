"""How fast the open spots of a castle are found, and everything a seat may do with it."""

from __future__ import annotations

from itertools import repeat

from msgspec.structs import replace

from companion.rules.base import Setup
from companion.rules.benching import Clock, Timing, timed
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.game import GAME
from companion.rules.castle_builder.layout import practice_foundation, practice_path
from companion.rules.castle_builder.state import Placed, State, Tile

TILES = 40
"""How many tiles the castle has."""
_SAMPLES = 300
_PROMPT_SAMPLES = 60
_SPOTS_MOST_MS = 5.0


def large_castle(tiles: int = TILES) -> tuple[Placed, ...]:
    """A castle of so many tiles, each on the first open spot."""
    built: tuple[Placed, ...] = ()
    for _ in range(tiles):
        spot = castle.open_spots(practice_foundation(), built)[0]
        built = (*built, Placed(level=spot.level, x=spot.x, tile=castle.fitting_tile(spot)))
    return built


def large_game() -> State:
    """A game in which the active seat has such a castle, and every market tile is entered."""
    state = GAME.setup(Setup(seats=("North", "East", "South", "West")))
    state = replace(state, path=practice_path(), foundation=practice_foundation(), tiles=(Tile(number=7),) * 3)
    barons = tuple(replace(baron, space=seat) for seat, baron in enumerate(state.barons))
    return replace(state, barons=(replace(barons[0], castle=large_castle()), *barons[1:]), pile=state.pile - TILES)


def rows(clock: Clock) -> list[Timing]:
    """The open spots of a castle of forty tiles, and everything its seat may do."""
    built, foundation, state = large_castle(), practice_foundation(), large_game()
    spots = repeat(lambda: castle.open_spots(foundation, built), _SAMPLES)
    prompts = repeat(lambda: GAME.prompts(state), _PROMPT_SAMPLES)
    return [
        timed(f"open spots and sums, {TILES} tiles", clock, spots, _SPOTS_MOST_MS),
        timed(f"all prompts with reasons, {TILES} tiles", clock, prompts),
    ]
