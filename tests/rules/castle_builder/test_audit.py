"""The second opinion: it agrees with the rules, and would notice if they were wrong."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Fact
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import BuildTile, DrawTiles
from companion.rules.castle_builder.audit import faults
from companion.rules.castle_builder.state import State, Tile
from tests.rules.castle_builder.table import at, baron, table

BEFORE = table(baron(at(1, 0, 4), at(1, 2, 3))).state


def audit(action: BuildTile | DrawTiles) -> tuple[State, tuple[Fact, ...]]:
    step = GAME.apply(BEFORE, action)
    assert list(faults(BEFORE, step.state, step.facts)) == []
    return step.state, step.facts


def test_changes_must_be_told() -> None:
    after, facts = audit(DrawTiles(seat=0))
    assert list(faults(BEFORE, after, facts[:-1])) == ["North's tiles changed by 2; +0 was told."]


def test_sums_are_added_up_again() -> None:
    after, facts = audit(BuildTile(seat=0, level=2, x=1, tile=Tile(number=6), pay=1))
    castle = (*after.barons[0].castle[:-1], at(2, 1, 9))
    wrong = replace(after, barons=(replace(after.barons[0], castle=castle), after.barons[1]))
    assert list(faults(BEFORE, wrong, facts)) == ["a 9 stands on 7, and 1 was paid."]


def test_barons_do_not_rest_on_rubies_nor_walk_out_of_turn() -> None:
    after, facts = audit(DrawTiles(seat=0))
    moved = replace(after, barons=(after.barons[0], replace(after.barons[1], space=9)))
    assert list(faults(BEFORE, moved, facts)) == [
        "East's baron rests on a ruby area.",
        "East's baron moved out of turn.",
    ]
