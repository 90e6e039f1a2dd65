"""Victory Points, category by category."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.castle_dukes.scoring import AiTally, DukeTally, Tally, checked, sheet, tally, template
from companion.rules.castle_dukes.state import (
    Ai,
    Bridge,
    Card,
    Castle,
    Duke,
    Options,
    Room,
    State,
    Tile,
    Top,
)
from companion.rules.castle_dukes.supply import ONE_SET
from companion.rules.places import decide
from companion.rules.scores import Line

SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
KEYS = (
    "bridges", "serfs", "battlements", "coffers", "high-rooms", "kings", "princesses", "knights", "room-points",
    "comfort", "defence", "offence", "tallest", "crumbles",
)  # fmt: skip


def dukes(*counts: dict[str, Any]) -> Tally:
    return Tally(players=tuple(DukeTally(name=name, **count) for name, count in zip(SEATS, counts, strict=False)))


def solo(player: dict[str, Any] | None = None, ai: dict[str, Any] | None = None, **rest: Any) -> Tally:
    return Tally(players=(DukeTally(name="North", **(player or {})),), ai=AiTally(**(ai or {})), **rest)


def line(of: Tally, seat: int, key: str) -> Line:
    (found,) = [each for each in sheet(of).lines if (each.seat, each.key) == (seat, key)]
    return found


def points(of: Tally, key: str) -> list[int]:
    return [each.points for each in sheet(of).lines if each.key == key]


# What pays by number


@pytest.mark.parametrize(
    ("field", "key", "count", "worth", "why"),
    [
        ("bridges", "bridges", 1, 1, "1 bridge, 1 each"),
        ("bridges", "bridges", 3, 3, "3 bridges, 1 each"),
        ("serfs", "serfs", 1, 0, "1 serf, 1 for every 2"),
        ("serfs", "serfs", 5, 2, "5 serfs, 1 for every 2"),
        ("battlements", "battlements", 4, 4, "4 battlements, 1 each"),
        ("coffers", "coffers", 2, 0, "2 coffers, 1 for every 3"),
        ("coffers", "coffers", 7, 2, "7 coffers, 1 for every 3"),
        ("high_rooms", "high-rooms", 2, 2, "2 rooms on level 5+, 1 each"),
        ("kings", "kings", 2, 6, "2 kings, 3 each"),
        ("princesses", "princesses", 3, 6, "3 princesses, 2 each"),
        ("knights", "knights", 4, 4, "4 knights, 1 each"),
        ("room_vp", "room-points", 5, 5, "5 points printed on rooms, 1 each"),
        ("crumbles", "crumbles", 3, -6, "3 Crumble tokens, -2 each"),
        ("vines", "vines", 1, 0, "1 vine, -1 for every 2"),
        ("vines", "vines", 5, -2, "5 vines, -1 for every 2"),
    ],
)
def test_worth_of_a_count(field: str, key: str, count: int, worth: int, why: str) -> None:
    of = dukes({"rooms": 9}, {"rooms": 9, field: count})
    found = line(of, 1, key)
    assert (found.count, found.points, found.why) == (count, worth, why)
    assert line(of, 0, key).points == 0


def test_every_category_is_listed_for_every_seat_in_order() -> None:
    for players in range(2, 9):
        lines = sheet(template(players)).lines
        assert [(each.seat, each.key) for each in lines] == list(product(range(players), KEYS))
        assert all(each.why and each.label for each in lines)


def test_vines_are_listed_only_when_any_dropped() -> None:
    assert "vines" not in sheet(dukes({}, {})).keys
    assert points(dukes({"vines": 3}, {}), "vines") == [-1, 0]


# Contests


@pytest.mark.parametrize(
    ("key", "prizes"), [("comfort", (6, 3)), ("defence", (6, 3)), ("offence", (4, 2)), ("tallest", (6, 3))]
)
@pytest.mark.parametrize("players", range(2, 9))
def test_contest_with_ties(key: str, prizes: tuple[int, int], players: int) -> None:
    def of(*values: int) -> Tally:
        padded = (*values, *[0] * (players - len(values)))
        return dukes(*({"levels": (0, value, 0)} if key == "tallest" else {key: value} for value in padded))

    first, second = prizes
    assert points(of(9, 5), key)[:2] == [first, second]
    assert points(of(*[9] * players), key) == [(first + second) // players] * players
    seconds = players - 1
    assert points(of(9, *[5] * seconds), key) == [first, *[second // seconds] * seconds]
    if players > 2:
        assert points(of(9, 9, 5), key)[:3] == [(first + second) // 2] * 2 + [0]


def test_why_of_a_tie_shows_the_sum() -> None:
    assert line(dukes({"comfort": 4}, {"comfort": 4}), 0, "comfort").why == "2 tied for 1st: (6 + 3) / 2, rounded down"


def test_tallest_castle_is_by_the_highest_tower_not_by_all_levels() -> None:
    assert points(dukes({"levels": (4, 4, 4)}, {"levels": (0, 0, 5)}), "tallest") == [3, 6]


def test_ruling_two_players_paid() -> None:
    assert points(dukes({"comfort": 1}, {"comfort": 2}), "comfort") == [3, 6]


def test_ruling_zero_ranks() -> None:
    nothing = dukes({}, {})
    assert [points(nothing, key) for key in ("comfort", "offence", "tallest")] == [[4, 4], [3, 3], [4, 4]]
    assert points(dukes({"comfort": 2}, {}), "comfort") == [6, 3]


def test_ruling_zero_ranks_turned_off_pays_nobody_for_nothing() -> None:
    nothing = replace(dukes({}, {}), zero_ranks=False)
    assert sheet(nothing).totals == (0, 0)
    assert line(nothing, 0, "comfort").why == "nobody has any"
    some = replace(dukes({"comfort": 2}, {}), zero_ranks=False)
    assert points(some, "comfort") == [6, 3]


# Solo


def test_solo_ratings_are_contested_with_the_ai() -> None:
    of = solo({"comfort": 5, "defence": 2, "offence": 3}, {"comfort": 4, "defence": 7, "offence": 3})
    assert sheet(of).names == ("North", "AI")
    assert (points(of, "comfort"), points(of, "defence"), points(of, "offence")) == ([6, 3], [3, 6], [3, 3])


def test_solo_guests_score_for_the_ai() -> None:
    of = solo({}, {"kings": 1, "princesses": 2, "knights": 3})
    assert [line(of, 1, key).points for key in ("kings", "princesses", "knights")] == [3, 4, 3]


def test_ai_scores_only_its_guests_and_ratings() -> None:
    keys = [each.key for each in sheet(solo()).lines if each.seat == 1]
    assert keys == ["kings", "princesses", "knights", "comfort", "defence", "offence"]


@pytest.mark.parametrize(("levels", "worth"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (9, 5)])
def test_ruling_solo_height_part(levels: int, worth: int) -> None:
    of = solo({"levels": (1 if levels else 0, levels, 0)})
    assert points(of, "tallest") == [worth]
    assert "1 for every 2 levels or part" in line(of, 0, "tallest").why


def test_ruling_solo_tie() -> None:
    of = solo({"levels": (1, 0, 0), "comfort": 0, "knights": 0}, {"knights": 1})
    assert sheet(of).totals == (4 + 4 + 3 + 1, 4 + 4 + 3 + 1)
    outcome = decide(sheet(of))
    assert (outcome.winners, outcome.decided_by) == ((0,), "levels in all three towers")


# When points are equal


def test_more_levels_in_all_three_towers_breaks_a_tie() -> None:
    of = dukes({"levels": (3, 1, 1), "rooms": 9}, {"levels": (3, 2, 1)})
    assert decide(sheet(of)).decided_by == "levels in all three towers"
    assert decide(sheet(of)).winners == (1,)


def test_more_rooms_breaks_the_next_tie() -> None:
    of = dukes({"levels": (3, 1, 2), "rooms": 4}, {"levels": (3, 2, 1), "rooms": 3})
    assert (decide(sheet(of)).winners, decide(sheet(of)).decided_by) == ((0,), "rooms built")


def test_still_tied_is_won_together() -> None:
    of = dukes({"levels": (3, 1, 2), "rooms": 4}, {"levels": (3, 2, 1), "rooms": 4}, {})
    assert (decide(sheet(of)).winners, decide(sheet(of)).decided_by) == ((0, 1), "shared")


def test_a_tie_is_broken_among_those_tied_only() -> None:
    of = dukes({"kings": 5}, {"kings": 5, "rooms": 1}, {"levels": (0, 0, 0), "rooms": 9})
    assert decide(sheet(of)).winners == (1,)


# Properties

small = st.integers(0, 6)
counted = st.builds(
    DukeTally,
    name=st.just("?"),
    comfort=small, defence=small, offence=small, levels=st.tuples(small, small, small), bridges=small, serfs=small,
    battlements=small, coffers=small, rooms=st.just(9), high_rooms=small, room_vp=small, kings=small,
    princesses=small, knights=small, crumbles=small, vines=small,
)  # fmt: skip
tables = st.lists(counted, min_size=2, max_size=8).map(
    lambda each: tuple(replace(duke, name=name) for duke, name in zip(each, SEATS, strict=False))
)


@given(tables, st.booleans())
def test_prizes_paid_never_pass_the_prizes(players: tuple[DukeTally, ...], zero_ranks: bool) -> None:
    of = Tally(players=players, zero_ranks=zero_ranks)
    for key, prizes in (("comfort", 9), ("defence", 9), ("offence", 6), ("tallest", 9)):
        assert 0 <= sum(points(of, key)) <= prizes


@given(st.data(), tables)
def test_where_a_duke_sits_does_not_matter(data: st.DataObject, players: tuple[DukeTally, ...]) -> None:
    order = data.draw(st.permutations(range(len(players))))
    before, after = sheet(Tally(players=players)), sheet(Tally(players=tuple(players[seat] for seat in order)))
    assert after.totals == tuple(before.total(seat) for seat in order)
    assert {after.names[seat] for seat in decide(after).winners} == {before.names[s] for s in decide(before).winners}


@given(tables)
def test_tally_round_trips(players: tuple[DukeTally, ...]) -> None:
    of = Tally(players=players)
    assert msgspec.json.decode(msgspec.json.encode(of), type=Tally) == of


# What a tally must be


def test_template_can_be_scored() -> None:
    for players in range(1, 9):
        of = template(players)
        assert [duke.name for duke in of.players] == list(SEATS[:players])
        assert (of.ai is not None) == (players == 1)
        assert checked(of) is of


@pytest.mark.parametrize("players", [0, 9])
def test_no_template_for_too_few_or_many(players: int) -> None:
    with pytest.raises(Malformed, match="1 to 8 players"):
        template(players)


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (Tally(players=()), "1 to 8 players"),
        (Tally(players=tuple(DukeTally(name=str(seat)) for seat in range(9))), "1 to 8 players"),
        (Tally(players=(DukeTally(name="North"), DukeTally(name="North"))), "a name of its own"),
        (Tally(players=(DukeTally(name="North"), DukeTally(name=" "))), "a name of its own"),
        (Tally(players=(DukeTally(name="North"), DukeTally(name="N" * 41))), "a name of its own"),
        (Tally(players=(DukeTally(name="North"),)), "needs 'ai'"),
        (replace(template(2), ai=AiTally()), "leave 'ai' out"),
        (dukes({"rooms": 1, "high_rooms": 2}, {}), "North has 2 rooms on level 5"),
    ],
)
def test_malformed_tallies(of: Tally, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        checked(of)
    with pytest.raises(Malformed, match=says):
        sheet(of)


@pytest.mark.parametrize("raw", [{"comfort": -1}, {"levels": [1, 2]}, {"kings": 1000}, {"dragons": 1}])
def test_counts_are_bounded(raw: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"players": [{"name": "North", **raw}]}, Tally)


# From a game


def floor(**changes: Any) -> Tile:
    return Tile(**{"spaces": 1, "cobbles": 1, "pillars": 1, "covered": 1, **changes})


def test_tally_of_a_castle() -> None:
    solar = Room(card=Card(name="Solar", comfort=3, vp=2, princess=1, serf=2), table=True, serf=2, princess=1)
    vault = Room(card=Card(name="Vault", defence=3, king=1, knight=1), coffer=True, king=1, knight=1)
    arms = Top(brazier=2, battlement=1, cauldron=1, ballista=1)
    north = Duke(
        castle=Castle(
            left=(floor(rooms=(vault,)), floor(), floor(), floor(), floor(rooms=(solar,)), Tile(roof=arms)),
            right=(floor(), floor(), floor()),
            bridges=(Bridge(level=3, top=Top(battlement=1)),),
        ),
        crumbles=2,
        vines_dropped=3,
    )
    state = State(
        seats=("North", "East"), options=Options(zero_ranks=False), first=0, dukes=(north, Duke()), boards=(),
        stock=dict(ONE_SET),
    )  # fmt: skip
    assert tally(state) == Tally(
        players=(
            DukeTally(
                name="North", comfort=4, defence=3 + 1 + 2 + 1, offence=1 + 2 + 1, levels=(6, 0, 3), bridges=1,
                serfs=2, battlements=2, coffers=1, rooms=2, high_rooms=1, room_vp=2, kings=1, princesses=1, knights=1,
                crumbles=2, vines=3,
            ),
            DukeTally(name="East"),
        ),
        zero_ranks=False,
    )  # fmt: skip


def test_tally_of_the_ai() -> None:
    ai = Ai(mode="duke", comfort=3, defence=2, offence=1, king=4, princess=5, knight=6)
    state = State(
        seats=("North",), options=Options(), first=1, dukes=(Duke(),), boards=(), stock=dict(ONE_SET), ai=ai
    )  # fmt: skip
    expected = AiTally(comfort=3, defence=2, offence=1, kings=4, princesses=5, knights=6)
    assert tally(state) == Tally(players=(DukeTally(name="North"),), ai=expected)
