"""Whatever is tried at the table, allowed, refused or overruled: no tile and no coin is created or lost."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import Refusal
from companion.rules.base import Action, Referee
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder import actions as do
from companion.rules.castle_builder.renown import tiles_built
from companion.rules.castle_builder.state import COINS, EDGES, SOURCES, SPACES, Foundation, State, Tile
from tests.rules.castle_builder.table import PATH, at, baron, table

_SEAT = st.integers(0, 2)
_SLOT = st.integers(0, 2)
_LEVEL = st.integers(1, 4)
_X = st.integers(-2, 9)
_SMALL = st.integers(0, 2)
_EDGE = st.sampled_from(EDGES)
_TILE = st.builds(
    Tile, number=st.integers(0, 12), wild=st.booleans(), no_new_floor=st.booleans(), bottom=_EDGE, top=_EDGE,
    rubies=_SMALL, windows=_SMALL, persons=_SMALL, roof=st.booleans(),
)  # fmt: skip
_MAYBE_TILE = st.none() | _TILE
_SOURCE = st.sampled_from(SOURCES)
_COIN = st.sampled_from(COINS)

ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(do.LayPath, spaces=st.lists(st.sampled_from(SPACES), max_size=12).map(tuple) | st.just((*PATH, "coin"))),
    st.builds(do.LayFoundation, foundation=st.builds(Foundation, width=st.integers(1, 9), door=st.integers(1, 9))),
    st.builds(do.UsePractice),
    st.builds(do.NameTile, slot=_SLOT, tile=_TILE),
    st.builds(do.NameCoin, slot=_SLOT, coin=_COIN),
    st.builds(do.DrawTiles, seat=_SEAT),
    st.builds(do.BuildTile, seat=_SEAT, level=_LEVEL, x=_X, source=_SOURCE, tile=_MAYBE_TILE, pay=_SMALL),
    st.builds(do.DiscardTiles, seat=_SEAT),
    st.builds(do.EndTurn, seat=_SEAT),
    st.builds(do.TakeCoin, seat=_SEAT, slot=_SLOT, coin=st.none() | _COIN),
    st.builds(do.StealTile, seat=_SEAT, victim=_SEAT),
    st.builds(do.BringDown, seat=_SEAT, owner=_SEAT, level=_LEVEL, x=_X),
    st.builds(do.PickTile, seat=_SEAT, slot=_SLOT),
    st.builds(do.RaiseCastle, seat=_SEAT, level=_LEVEL, source=_SOURCE, pay=_SMALL, windows=_SMALL, persons=_SMALL),
    st.builds(do.Arrive, seat=_SEAT, coins=_SMALL, tile=st.booleans()),
    st.builds(do.LoseTile, seat=_SEAT, owner=_SEAT, windows=_SMALL, roof=st.booleans(), level_gone=st.booleans()),
)


def census(state: State) -> tuple[int, int]:
    """Every tile and every coin, wherever it is."""
    held = sum(each.holder + len(each.court) for each in state.barons)
    built = sum(tiles_built(state, seat) for seat in range(len(state.barons)))
    tiles = state.pile + state.discard + len(state.tiles) + held + built
    return tiles, state.coin_pile + len(state.coins) + sum(each.coins for each in state.barons)


@settings(deadline=None)
@given(actions=st.lists(ACTIONS, max_size=30), overruling=st.booleans(), light=st.booleans(), royal=st.booleans())
def test_nothing_is_created_or_lost(actions: list[Action], overruling: bool, light: bool, royal: bool) -> None:
    castle = () if light else (at(1, 0, 4), at(1, 2, 3), at(2, 1, 7))
    options: dict[str, str | int | bool] = {"detail": "light" if light else "full", "royal": royal}
    state = table(baron(*castle), baron(holder=7), players=3, options=options, due=2, acted=True).state
    for action in actions:
        before = census(state)
        try:
            state = GAME.play(Referee(GAME.rulebook, lenient=overruling), state, action)
        except Refusal:
            continue
        assert census(state) == before
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        assert GAME.picture(state).headline
        GAME.prompts(state)
        if not overruling:
            assert GAME.faults(state) == ()
