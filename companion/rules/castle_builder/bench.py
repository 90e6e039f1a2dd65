"""How fast the open spots of a castle are found, and everything a seat may do with it."""

from __future__ import annotations

from timeit import repeat

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Setup
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.game import GAME
from companion.rules.castle_builder.layout import practice_foundation, practice_path
from companion.rules.castle_builder.state import Placed, State, Tile

TILES = 40
"""How many tiles the castle has."""
_SAMPLES = 300
_PROMPT_SAMPLES = 60
_MS_PER_S = 1000
_SPOTS_BUDGET_MS = 5.0


class BenchRow(Struct, frozen=True, kw_only=True):
    """One thing measured. `budget_ms` is what it may take, where that was promised."""

    what: str
    p50_ms: float
    p95_ms: float
    budget_ms: float | None = None

    def __str__(self) -> str:
        budget = "" if self.budget_ms is None else f"   (at most {self.budget_ms:g} ms)"
        return f"{self.what:<48} p50 {self.p50_ms:8.3f} ms   p95 {self.p95_ms:8.3f} ms{budget}"


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


def rows() -> list[BenchRow]:
    """Measure, print and return."""
    built, state = large_castle(), large_game()
    foundation = practice_foundation()
    spots = repeat(lambda: castle.open_spots(foundation, built), number=1, repeat=_SAMPLES)
    prompts = repeat(lambda: GAME.prompts(state), number=1, repeat=_PROMPT_SAMPLES)
    measured = [
        _row(f"open spots and sums, {TILES} tiles", spots, _SPOTS_BUDGET_MS),
        _row(f"all prompts with reasons, {TILES} tiles", prompts),
    ]
    print("\n".join(str(row) for row in measured))
    return measured


def _row(what: str, times_s: list[float], budget_ms: float | None = None) -> BenchRow:
    ordered = sorted(times_s)
    p50, p95 = (ordered[int(len(ordered) * share)] * _MS_PER_S for share in (0.50, 0.95))
    return BenchRow(what=what, p50_ms=p50, p95_ms=p95, budget_ms=budget_ms)
