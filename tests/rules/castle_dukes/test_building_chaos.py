"""Castle Dukes: whatever is tried at the table, allowed, refused or overruled, no component is created or lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Refusal
from companion.rules.base import Action
from companion.rules.castle_dukes import actions as do
from companion.rules.castle_dukes.castle import CHARACTERS
from companion.rules.castle_dukes.state import GUESTS, ITEMS, ROOM_ITEMS, TOP_ITEMS, TOWERS, Castle, Options
from tests.rules.castle_dukes.table import ATTIC, CELLAR, KITCHEN, roofed, stack, table, with_kitchen

_SEAT = st.integers(0, 1)
_LEVEL = st.integers(1, 4)
_INDEX = st.integers(0, 2)
_COUNT = st.integers(1, 3)
_TOWER = st.sampled_from(TOWERS)
_SPOT = st.sampled_from((*TOWERS, "bridge"))
_PIECE = st.sampled_from(("tile", "room", "pillar", *CHARACTERS, "table", "coffer", *TOP_ITEMS))

ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(do.DrawTile, seat=_SEAT),
    st.builds(do.TakePillars, seat=_SEAT),
    st.builds(do.DrawConstruction, seat=_SEAT, items=st.dictionaries(st.sampled_from(TOP_ITEMS), st.integers(0, 2))),
    st.builds(do.StopBuying, seat=_SEAT),
    st.builds(do.DiscardItem, seat=_SEAT, item=st.sampled_from(ITEMS), count=_COUNT),
    st.builds(do.DiscardRoom, seat=_SEAT, card=_INDEX),
    st.builds(do.PlaceTile, seat=_SEAT, tower=_TOWER, spaces=_INDEX, cobbles=_INDEX, ends=st.booleans()),
    st.builds(do.PlaceRoof, seat=_SEAT, tower=_TOWER),
    st.builds(do.PlaceBridge, seat=_SEAT, level=_LEVEL),
    st.builds(do.PlacePillars, seat=_SEAT, tower=_TOWER, level=_LEVEL, count=_COUNT, cobbles=st.none() | _INDEX),
    st.builds(do.BuildRoom, seat=_SEAT, tower=_TOWER, level=_LEVEL, card=_INDEX),
    st.builds(do.FurnishRoom, seat=_SEAT, item=st.sampled_from(ROOM_ITEMS), tower=_TOWER, level=_LEVEL, room=_INDEX),
    st.builds(do.ArmTop, seat=_SEAT, item=st.sampled_from(TOP_ITEMS), tower=_SPOT, level=_LEVEL),
    st.builds(do.FinishBuilding, seat=_SEAT),
    st.builds(do.DropVines, seat=_SEAT, count=_COUNT),
    st.builds(do.Crumble, seat=_SEAT, deliberate=st.booleans()),
    st.builds(do.TakeDown, seat=_SEAT, what=_PIECE, tower=_SPOT, level=_LEVEL, room=st.just(0), cobble=st.booleans()),
    st.builds(do.RehouseGuest, seat=_SEAT, guest=st.sampled_from(GUESTS), tower=_TOWER, level=_LEVEL),
    st.builds(do.Settle, seat=_SEAT),
)
CASTLE = Castle(left=(*with_kitchen(king=1, knight=1, serf=2, table=True).left, *stack(2)), right=roofed(3, brazier=1))


@given(
    phase=st.sampled_from(("opening", "building", "dragon")),
    actions=st.lists(ACTIONS, max_size=25),
    overruling=st.booleans(),
)
def test_no_component_is_created_or_lost(phase: str, actions: list[Action], overruling: bool) -> None:
    held = dict.fromkeys(ITEMS, 3)
    laid = table(phase=phase, castle=CASTLE, held=held, cards=(KITCHEN, ATTIC, CELLAR), options=Options(vines=True))
    for action in actions:
        try:
            laid.play(action, overruling=overruling)
        except Refusal:
            continue
    assert all(duke.coins >= 0 for duke in laid.state.dukes)
