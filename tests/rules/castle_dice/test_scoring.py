"""Victory points, tie-breaks and the solo chart, from tallies as people fill them in."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.errors import Malformed
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.scoring import JoanTally, PlayerTally, Tally, outcome, sheet, template, verdict
from companion.rules.castle_dice.state import RESOURCES
from tests.rules.castle_dice.table import SEATS, lay, table


def tallied(*mats: dict[str, Any]) -> Tally:
    return Tally(players=tuple(PlayerTally(name=name, **mat) for name, mat in zip(SEATS, mats, strict=False)))


def alone(joan: JoanTally | None = None, **mat: Any) -> Tally:
    return Tally(players=(PlayerTally(name="North", **mat),), joan=joan or JoanTally())


@pytest.mark.parametrize(
    ("mat", "points"),
    [
        ({"tall_keeps": 2}, 8),
        ({"strong_towers": 1, "guardhouses": 1}, 6),
        ({"gatehouses": 2, "deep_moats": 1}, 6),
        ({"royal_chambers": 3}, 3),
        ({"bards": 3}, 3),
        ({"other_points": 2}, 2),
        ({"other_points": -1}, -1),
        ({"wall_farmer": 1, "farmers": 3}, 2),
        ({"wall_farmer": 1, "farmers": 2}, 1),
        ({"wall_guard": 1, "wall_worker": 1, "guards": 5, "workers": 4}, 2),
        ({"wall_merchant": 1, "wall_guard": 1, "merchants": 3, "guards": 5}, 3),
        ({"horses": 1}, 1),
        ({}, 0),
    ],
)
def test_what_a_mat_is_worth(mat: dict[str, Any], points: int) -> None:
    assert sheet(tallied(mat, {})).totals == (points, 0)


def test_tied_for_the_most_nobody_gets_the_point() -> None:
    assert sheet(tallied({"horses": 2, "workers": 1}, {"pigs": 2, "guards": 1}, {"cows": 1})).totals == (0, 0, 0)


def test_equal_points_go_by_the_rarest_resource() -> None:
    for place, resource in enumerate(reversed(RESOURCES)):
        level: dict[str, Any] = dict.fromkeys(list(reversed(RESOURCES))[:place], 4)
        result = outcome(sheet(tallied({**level, resource: 1}, {**level, resource: 2})))
        assert (result.winners, result.decided_by) == ((1,), resource)


def test_equal_in_everything_is_shared() -> None:
    result = outcome(sheet(tallied({"iron": 2}, {"iron": 2})))
    assert (result.winners, result.decided_by) == ((0, 1), "shared")


# Solo


@pytest.mark.parametrize(
    ("points", "told", "won"),
    [
        (-3, "Major Loss", False),
        (0, "Major Loss", False),
        (5, "Major Loss", False),
        (6, "Loss", False),
        (8, "Loss", False),
        (9, "Win", True),
        (10, "Win", True),
        (11, "Major Win", True),
        (12, "Major Win", True),
        (13, "Epic Win!", True),
        (40, "Epic Win!", True),
    ],
)
def test_the_solo_chart(points: int, told: str, won: bool) -> None:
    result = outcome(sheet(alone(other_points=points)))
    assert (result.verdict, result.winners) == (told, (0,) if won else ())
    assert verdict(points) == told


def test_joans_market_cards_cost_points() -> None:
    assert sheet(alone(JoanTally(market_cards=3), bards=1)).total(0) == -2


def test_most_villagers_against_joan_needs_one() -> None:
    assert sheet(alone()).total(0) == 0
    assert sheet(alone(farmers=1)).total(0) == 1


def test_most_animals_must_beat_joan() -> None:
    assert sheet(alone(JoanTally(animals=2), pigs=2)).total(0) == 0
    assert sheet(alone(JoanTally(animals=2), pigs=3)).total(0) == 1


# From a game


def test_a_game_is_counted_as_it_stands() -> None:
    begun = table(
        2,
        built={"Tall Keep": 1, "Wall (Worker)": 1, "Wall (Animal)": 2, "Bard": 1, "Volunteer": 1},
        walls=("pig", "pig"),
        workers=5,
        animals={"pig": 1},
        resources={"iron": 3},
    )
    state = lay(begun.state, 1, animals={"cow": 2})
    tally = GAME.tally(state)
    north = tally.players[0]
    assert (north.tall_keeps, north.wall_worker, north.bards, north.pigs, north.iron) == (1, 1, 1, 1, 3)
    assert GAME.score(state).totals == (4 + 1 + 1 + 1, 1), "animal Walls do not count at the end"


def test_joans_part_of_a_solo_game() -> None:
    state = lay(table(1).state, 1, animals={"cow": 2, "pig": 1}, hidden={"market": 2})
    assert GAME.tally(state).joan == JoanTally(animals=3, market_cards=2)
    assert GAME.score(state).names == ("North",)


# Tallies people fill in


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_template_can_be_scored(players: int) -> None:
    tally = template(players)
    assert (tally.joan is not None) == (players == 1)
    assert sheet(tally).totals == (0,) * players
    assert msgspec.json.decode(msgspec.json.encode(tally), type=Tally) == tally


def test_every_mat_has_the_same_lines() -> None:
    found = sheet(template(4))
    assert all([line.key for line in found.lines if line.seat == seat] == list(found.keys) for seat in range(4))


@pytest.mark.parametrize("players", [0, 5])
def test_no_template_for_too_many(players: int) -> None:
    with pytest.raises(Malformed, match="1 to 4 players"):
        template(players)


@pytest.mark.parametrize(
    ("tally", "why"),
    [
        (Tally(players=()), "1 to 4 players"),
        (Tally(players=(PlayerTally(name="North"),)), "needs 'joan'"),
        (Tally(players=(PlayerTally(name="North"), PlayerTally(name="East")), joan=JoanTally()), "leave 'joan' out"),
        (Tally(players=(PlayerTally(name="North"), PlayerTally(name="North"))), "a name of its own"),
        (Tally(players=(PlayerTally(name=" "), PlayerTally(name="East"))), "a name of its own"),
    ],
)
def test_tallies_of_no_game(tally: Tally, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        sheet(tally)


@pytest.mark.parametrize(("field", "value"), [("farmers", 4), ("iron", 10), ("bards", -1), ("dragons", 1)])
def test_counts_no_mat_can_have(field: str, value: int) -> None:
    raw = {"players": [{"name": "North", field: value}, {"name": "East"}]}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, Tally)
