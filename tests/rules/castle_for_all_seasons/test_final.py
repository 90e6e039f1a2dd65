"""Final scoring: conversions, every building, the rulebook's examples, tie-breaks, tallies typed in by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import ConvertResources, ConvertTalers, Payment
from companion.rules.castle_for_all_seasons.conversions import _gain, best_resources, best_talers, limit
from companion.rules.castle_for_all_seasons.scoring import BuilderTally, Tally, sheet, template, track_space
from companion.rules.castle_for_all_seasons.state import KINDS
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, Table, table, tavern, winter


def points(tally: Tally, key: str) -> list[int]:
    return [line.points for line in sheet(tally).lines if line.key == key]


def tally(*builders: dict[str, Any], **rest: Any) -> Tally:
    names = ("North", "East", "South", "West")
    players = tuple(BuilderTally(name=names[seat], **builder) for seat, builder in enumerate(builders))
    return Tally(players=players, **rest)


def ended(here: Table) -> Table:
    """The last round is over."""
    players = len(here.state.seats)
    cards: Any = [("messenger", "trader")] * 2 if players == 2 else ["wood-worker"] * players
    here.round(here.state.rounds).reveal(*cards)
    return here.through()


# The market


def market(spots: int, talers: int) -> Table:
    here = table().built("palace").strip(NORTH).helper(NORTH, *("market-1", "market-2")[:spots])  # type: ignore[arg-type]
    return ended(here.give(NORTH, talers=talers))


@pytest.mark.parametrize(("spots", "talers", "best", "points"), [(1, 9, 8, 4), (2, 9, 9, 9), (1, 2, 2, 1)])
def test_the_best_conversion_in_the_market(spots: int, talers: int, best: int, points: int) -> None:
    here = market(spots, talers)
    assert best_talers(here.state, NORTH) == best
    choice = GAME.prompts(here.state)[0].choices[0]
    assert choice.action == ConvertTalers(seat=NORTH, talers=best)
    assert "best" in choice.label
    here.do(choice.action)
    assert here.state.over
    assert {line.key: line.points for line in GAME.score(here.state).lines if line.seat == NORTH}["market"] == points
    assert here.state.boxed_talers == best


def test_one_helper_converts_even_numbers() -> None:
    here = market(1, 9)
    here.refuses(ConvertTalers(seat=NORTH, talers=3), "score.market", final=True)
    here.refuses(ConvertTalers(seat=NORTH, talers=10), "score.market", final=True)
    here.refuses(ConvertTalers(seat=EAST, talers=2), "end.order", final=True)
    here.do(ConvertTalers(seat=NORTH, talers=0))
    assert here.state.over


def test_without_talers_nothing_is_asked() -> None:
    assert market(1, 1).state.over


# The palace


def palace(spots: int = 1, **pieces: int) -> Table:
    here = table().built("palace").strip(NORTH).helper(NORTH, *("palace-1", "palace-2")[:spots])  # type: ignore[arg-type]
    here.round(15).give(NORTH, **pieces).reveal("messenger", "messenger", "messenger")
    return here


def test_the_dearest_pieces_and_silver_through_the_forge() -> None:
    here = palace(stone=2, clay=1, sand=3, silver=2)
    best = best_resources(here.state, NORTH)
    assert best == Payment(own={"stone": 2, "clay": 1}, silver={"stone": 2})
    here.do(ConvertResources(seat=NORTH, payment=best))
    assert here.state.forge == 2
    assert here.state.boxed == {"stone": 4, "clay": 1}
    assert GAME.score(here.state).total(NORTH) == 24


def test_five_pieces_for_each_helper() -> None:
    here = palace(clay=7)
    too_many = ConvertResources(seat=NORTH, payment=Payment(own={"clay": 6}))
    here.refuses(too_many, "score.palace", final=True)
    here.refuses(ConvertResources(seat=NORTH, payment=Payment(own={"stone": 1})), "build.have", final=True)
    here.do(ConvertResources(seat=NORTH, payment=Payment(own={"clay": 5})))
    assert GAME.score(here.state).total(NORTH) == 20
    two = palace(spots=2, clay=7).do(ConvertResources(seat=NORTH, payment=Payment(own={"clay": 7})))
    assert GAME.score(two.state).total(NORTH) == 28


def test_silver_keeps_stones_for_the_tie_break_and_helps_ones_own_forge() -> None:
    here = palace(stone=5, silver=2)
    assert best_resources(here.state, NORTH).silver == {"stone": 2}
    others = replace(here.state, helpers={**here.state.helpers, "forge-10": EAST})
    assert best_resources(others, NORTH).silver == {}
    own = replace(palace(stone=5, sand=1, silver=2).state, helpers={"palace-1": NORTH, "forge-6": NORTH})
    assert best_resources(own, NORTH).silver == {"stone": 2}


def test_the_forge_counts_silver_of_the_palace() -> None:
    """ruling.forge-after-palace"""
    here = palace(silver=3)
    here.helper(EAST, "forge-10")
    here.do(ConvertResources(seat=NORTH, payment=Payment(silver={"stone": 3})))
    assert GAME.score(here.state).totals == (15, 3, 0)


few = st.integers(0, 2)


@given(
    st.fixed_dictionaries(dict.fromkeys((*KINDS, "silver"), few)),
    st.fixed_dictionaries(dict.fromkeys(KINDS, few)),
    st.sampled_from([{}, {"forge-10": NORTH}, {"forge-6": NORTH}, {"forge-10": EAST}, {"forge-6": EAST}]),
)
def test_no_conversion_is_better_than_the_best(held: Any, stock: Any, forge: Any) -> None:
    state = table().state
    builder = replace(state.builders[NORTH], held={kind: count for kind, count in held.items() if count})
    state = replace(state, builders=(builder, *state.builders[1:]), stock=stock, helpers={"palace-1": NORTH, **forge})
    own = [range(held[kind] + 1) for kind in KINDS]
    melted = [range(stock[kind] + 1) for kind in KINDS]
    best = _gain(state, NORTH, best_resources(state, NORTH))
    for counts in product(*own, *melted):
        if sum(counts) <= limit(state, NORTH) and sum(counts[4:]) <= held["silver"]:
            payment = Payment(
                own=dict(zip(KINDS, counts[:4], strict=True)), silver=dict(zip(KINDS, counts[4:], strict=True))
            )
            assert _gain(state, NORTH, payment) <= best


def test_market_before_palace_from_the_starting_player() -> None:
    """ruling.palace-box"""
    here = table().built("palace", by=SOUTH).helper(NORTH, "palace-1").helper(EAST, "palace-2", "market-1")
    here.give(EAST, talers=4, clay=1).give(NORTH, clay=1)
    ended(here)
    assert [(settling.seat, settling.place) for settling in here.state.settling] == [
        (EAST, "market"), (NORTH, "palace"), (EAST, "palace"),
    ]  # fmt: skip
    here.refuses(ConvertResources(seat=NORTH, payment=Payment()), "end.order", final=True)


# The list of buildings


def test_the_taverns_of_the_rulebook() -> None:
    """11 helpers in the castle: 11 points on the 12 spot, 5 on the 6 spot."""
    erected: Any = {
        "tavern": 1,
        "stable": 1,
        "servants-house": 1,
        "palace": 1,
        "keep": 1,
        "small-gate": 1,
        "big-gate": 1,
    }
    here = tally(
        {"tavern_12": 1, "stable_16": 1, "servants_house": 2, "palace": 2},
        {"tavern_6": 1, "market": 2, "forge_10": 1, "keep": 1},
        erected=erected,
    )
    assert points(here, "tavern") == [11, 5]


def test_the_forge_of_the_rulebook() -> None:
    """9 silver bars: 9 and 4 points."""
    assert points(tally({"forge_10": 1, "forge_6": 1}, {}, forge=9), "forge") == [13, 0]


def test_a_clay_slab_in_the_palace_of_the_rulebook() -> None:
    assert points(tally({"palace": 1, "converted": {"clay": 1}}, {}, erected={"palace": 1}), "palace") == [4, 0]


def test_the_keep_counts_empty_places_of_erected_buildings() -> None:
    """ruling.keep-erected-only: market 2, forge 2, tavern 2 and the keep itself, of which one is taken."""
    here = tally({"keep": 1}, {"tavern_6": 1}, erected={"keep": 1, "tavern": 1})
    assert points(here, "keep") == [3 * 5, 0]


def test_gates_and_stable_count_towers_and_houses() -> None:
    erected: Any = {"big-gate": 1, "small-gate": 1, "stable": 1, "tower": 4, "house": 3}
    here = tally({"small_gate": 1, "stable_16": 1}, {"big_gate": 1, "stable_12": 1}, erected=erected)
    assert points(here, "gates") == [4, 8]
    assert points(here, "stable") == [9, 6]


def test_the_servants_house_counts_what_is_not_erected() -> None:
    here = tally({"servants_house": 2}, {"servants_house": 1}, erected={"servants-house": 1, "tower": 2})
    assert points(here, "servants") == [40, 20]


def test_the_granary_counts_neither_for_keep_nor_tavern() -> None:
    erected: Any = {"keep": 1, "tavern": 1}
    with_it = tally({"keep": 1, "granary": 2}, {"tavern_12": 1}, erected=erected)
    without = tally({"keep": 1}, {"tavern_12": 1}, erected=erected)
    for key in ("keep", "tavern"):
        assert points(with_it, key) == points(without, key)
    assert points(with_it, "granary") == [14, 0]


def test_helpers_leave_the_carts_before_the_scoring() -> None:
    here = ended(table().post(NORTH, "sand", "wood").post(EAST, "clay"))
    assert here.state.posts == {}
    assert [builder.helpers for builder in here.state.builders] == [6, 6, 6]


def test_the_innkeeper_is_not_in_the_castle() -> None:
    here = tavern(winter(), innkeeper=NORTH).built("tavern").helper(EAST, "tavern-12")
    assert GAME.score(here.state).total(EAST) == 1


def test_every_player_of_a_game_is_tallied_from_its_state() -> None:
    here = table().built("servants-house", "stable", by=SOUTH)
    here.helper(NORTH, "servants-house-1", "servants-house-3", "stable-16").helper(EAST, "forge-6")
    found = GAME.tally(here.state)
    assert (found.players[NORTH].servants_house, found.players[NORTH].stable_16, found.players[EAST].forge_6) == (
        2,
        1,
        1,
    )
    assert found.erected == {"servants-house": 1, "stable": 1}


# Ties


def test_most_talers_break_a_tie() -> None:
    outcome = GAME.outcome(sheet(tally({"points": 9, "talers": 2}, {"points": 9, "talers": 3})))
    assert (outcome.winners, outcome.decided_by) == ((1,), "talers left")


def test_then_the_value_of_resources_without_silver() -> None:
    """ruling.tie-shared"""
    left: Any = {"stone": 1}
    silver: Any = {"silver": 9, "clay": 1}
    outcome = GAME.outcome(sheet(tally({"points": 9, "resources": left}, {"points": 9, "resources": silver})))
    assert (outcome.winners, outcome.decided_by) == ((0,), "value of resources left")
    level = GAME.outcome(sheet(tally({"points": 9, "resources": {"silver": 1}}, {"points": 9})))
    assert (level.winners, level.decided_by) == ((0, 1), "shared")


def test_the_track_laps_at_90() -> None:
    """ruling.track-laps"""
    assert [track_space(points) for points in (0, 1, 90, 91, 181)] == [0, 1, 90, 1, 1]
    here = table()
    lapped = replace(here.state, builders=(replace(here.state.builders[0], points=95), *here.state.builders[1:]))
    counters = {counter.key: counter.value for counter in GAME.picture(lapped).counters if counter.seat == NORTH}
    assert (counters["points"], counters["track"]) == (95, 5)


# Typed in by hand


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_template_scores_nothing_and_round_trips(players: int) -> None:
    blank = template(players)
    assert sheet(blank).totals == (0,) * players
    assert msgspec.json.decode(msgspec.json.encode(blank), type=Tally) == blank


@pytest.mark.parametrize("players", [0, 1, 5])
def test_a_template_for_too_few_or_too_many(players: int) -> None:
    with pytest.raises(Malformed, match="2 to 4"):
        template(players)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (tally({"keep": 1}, {}), "the keep is not erected"),
        (tally({"keep": 1}, {"keep": 1}, erected={"keep": 1}), "takes 1"),
        (tally({"market": 1, "converted_talers": 3}, {}), "odd number"),
        (tally({"converted_talers": 2}, {}), "without a helper in the market"),
        (tally({"palace": 1, "converted": {"sand": 6}}, {}, erected={"palace": 1}), "more than 5"),
        (tally({}, {}, erected={"tower": 10}), "the box holds 9"),
        (tally({}, {}, forge=16), "silver bars"),
        (tally({"market": 2, "palace": 2, "forge_10": 1, "granary": 3}, {}, erected={"palace": 1}), "more than 7"),
        (tally({}), "2 to 4"),
        (Tally(players=(BuilderTally(name="North"), BuilderTally(name="North"))), "name of its own"),
    ],
)  # fmt: skip
def test_a_tally_no_game_could_end_with(wrong: Tally, match: str) -> None:
    with pytest.raises(Malformed, match=match):
        sheet(wrong)


def test_what_the_table_has_settled_is_scored_as_it_is() -> None:
    assert points(tally({"keep": 1}, {}, corrected=True), "keep") == [9, 0]
