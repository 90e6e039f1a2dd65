"""The final score: favours with ties, depleted stacks, bonus cards, money, tie-break, solo titles."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.mad_king_ludwig import GAME, bonus, favours
from companion.rules.mad_king_ludwig.bench import THIRTY_ROOMS
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.scoring import PlayerTally, Tally, outcome, sheet, tally, template, title
from companion.rules.mad_king_ludwig.state import BONUSES, FAVOURS, FavourId, Player
from companion.rules.scores import Line
from tests.rules.mad_king_ludwig.table import SEATS, table


def players(*counts: dict[str, Any], **rest: Any) -> Tally:
    made = (PlayerTally(name=name, **count) for name, count in zip(SEATS, counts, strict=False))
    return Tally(players=tuple(made), **rest)


def points(of: Tally, key: str) -> list[int]:
    return [line.points for line in sheet(of).lines if line.key == key]


def line(of: Tally, seat: int, key: str) -> Line:
    (found,) = [each for each in sheet(of).lines if (each.seat, each.key) == (seat, key)]
    return found


# Favours


def test_the_rulebooks_example_of_a_tie() -> None:
    """Two tied for first get 6 each, the next has third place, and who has none gets nothing (King's Favors)."""
    values = [{"favours": {"rooms-food": count}} for count in (3, 3, 2, 0)]
    assert points(players(*values, favours=("rooms-food",)), "favour-rooms-food") == [6, 6, 2, 0]


@pytest.mark.parametrize(
    ("values", "paid"),
    [
        ((5, 4, 3, 2), (8, 4, 2, 1)),
        ((5, 5, 5, 5), (3, 3, 3, 3)),
        ((5, 4, 4, 1), (8, 3, 3, 1)),
        ((5, 4, 3, 3), (8, 4, 1, 1)),
        ((5, 5, 5, 1), (4, 4, 4, 1)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 1, 0, 0), (0, 8, 0, 0)),
        ((2, 2), (6, 6)),
        ((2, 1), (8, 4)),
    ],
)
def test_favour_places(values: tuple[int, ...], paid: tuple[int, ...]) -> None:
    """ruling.favour-ties-pool"""
    assert tuple(award.points for award in favours.awards(values)) == paid


def test_money_favour_comes_from_the_purse() -> None:
    of = players({"marks": 9000}, {"marks": 21000}, favours=("money",))
    assert points(of, "favour-money") == [4, 8]
    assert points(of, "money") == [0, 2]


@pytest.mark.parametrize(
    ("favour", "value"),
    [
        ("rooms-living", 6), ("rooms-activity", 3), ("rooms-sleeping", 0), ("rooms-outdoor", 6),
        ("rooms-utility", 4), ("rooms-food", 3), ("rooms-corridor", 6), ("rooms-downstairs", 2),
        ("feet-living", 150 + 450 + 350 + 350 + 150 + 400), ("feet-food", 200 + 100 + 300),
        ("feet-corridor", 125 + 2 * 75 + 3 * 150), ("feet-downstairs", 500 + 150), ("feet-sleeping", 0),
        ("money", 12000), ("circular-rooms", 5), ("square-rooms", 4), ("incomplete-rooms", 17), ("completed-rooms", 13),
    ],
)  # fmt: skip
def test_what_favours_count(favour: FavourId, value: int) -> None:
    """Counted by hand in the drawing of the castle of thirty rooms."""
    assert favours.value(favour, Player(marks=12000, castle=read(THIRTY_ROOMS))) == value


def test_small_and_large_rooms() -> None:
    """Hallways, stairs and the Foyer are neither; 300 is small and 350 large."""
    castle = read("foyer@0,0 hallway@3,1 stairs@1,3/270 kitchen@-4,-1/270 salon@9,0")
    player = Player(castle=castle)
    assert favours.value("small-rooms", player) == 1
    assert favours.value("large-rooms", player) == 1


def test_a_hallway_is_not_round() -> None:
    """ruling.round-means-round: it has 150 square feet, but comes from no room stack."""
    player = Player(castle=read("foyer@0,0 hallway@3,1"))
    assert favours.value("circular-rooms", player) == 0
    assert bonus.count("size-150", player.castle, 0, 0) == 0
    assert bonus.count("round-rooms", player.castle, 0, 0) == 0


def test_external_entrances_leave_corridors_out() -> None:
    """ruling.external-no-corridors: of the Larder and a hallway only the Larder's free entrance counts."""
    player = Player(castle=read("foyer@0,0 larder@3,0 hallway@-6,1"))
    assert favours.value("external-entrances", player) == 1


def test_the_race_is_what_the_favours_would_pay_now() -> None:
    laid = table("foyer@0,0 larder@3,0", players=2)
    (food, money) = favours.race(laid.state)
    assert (food.values, [award.points for award in food.awards]) == ((1, 0), [8, 0])
    assert (money.values, [award.points for award in money.awards]) == ((15000, 15000), [6, 6])


# Bonus cards


@pytest.mark.parametrize(
    ("card", "count", "worth"),
    [
        ("unique-sizes", 9, 0), ("unique-sizes", 10, 8), ("unique-types", 7, 0), ("unique-types", 8, 7),
        ("hallways", 3, 3), ("stairs", 3, 6), ("external-entrances", 7, 3), ("completed-rooms", 5, 2),
        ("square-rooms", 4, 4), ("round-rooms", 4, 4), ("cash", 14999, 2), ("cash", 15000, 3),
        ("type-food", 2, 6), ("type-living", 2, 4), ("type-corridor", 5, 5), ("type-sleeping", 1, 3),
        ("size-100", 2, 4), ("size-350", 2, 6),
    ],
)  # fmt: skip
def test_worth_of_a_bonus_card(card: str, count: int, worth: int) -> None:
    assert bonus.card(card).worth(count) == worth
    of = players({"bonus": {card: count}}, {})
    assert points(of, f"bonus-{card}") == [worth]


@pytest.mark.parametrize(
    ("card", "count"),
    [
        ("hallways", 3), ("stairs", 2), ("unique-types", 7), ("unique-sizes", 10), ("square-rooms", 4),
        ("round-rooms", 5), ("completed-rooms", 13), ("type-corridor", 6), ("size-350", 2), ("cash", 7000),
        ("external-entrances", 4),
    ],
)  # fmt: skip
def test_what_bonus_cards_count(card: str, count: int) -> None:
    """Counted by hand in the drawing of the castle of thirty rooms: all sizes, but no sleeping room."""
    castle = read(THIRTY_ROOMS)
    assert bonus.count(card, castle, 7000, 4) == count


def test_a_table_corrects_a_card() -> None:
    of = players({"bonus": {"type-food": 2}}, {}, bonus_points={"type-food": 5})
    assert points(of, "bonus-type-food") == [10]


def test_there_are_27_cards_and_24_favours() -> None:
    assert len(BONUSES) == 27
    assert len(FAVOURS) == 24
    assert all(bonus.card(card).name for card in BONUSES)
    assert all(favours.name(favour) for favour in FAVOURS)


# Depleted stacks and money


def test_rooms_from_empty_stacks() -> None:
    laid = table("foyer@0,0 larder@3,0 hallway@-6,1 stairs@1,3/270", stacks={**table().state.stacks, "100": 0})
    assert [each.depleted for each in tally(laid.state).players] == [1, 0]
    laid = table("foyer@0,0 larder@3,0 hallway@-6,1 stairs@1,3/270", hallways=0, stairs=0)
    assert [each.depleted for each in tally(laid.state).players] == [2, 0]
    assert points(players({"depleted": 3}, {}), "depleted") == [6, 0]


@pytest.mark.parametrize(("marks", "worth"), [(9999, 0), (10000, 1), (29000, 2)])
def test_money(marks: int, worth: int) -> None:
    assert points(players({"marks": marks}, {}), "money") == [worth, 0]


# Who wins


def test_a_tie_goes_to_the_larger_castle_then_is_shared() -> None:
    """ruling.tie-shared"""
    won = outcome(sheet(players({"placement": 50, "feet": 3000}, {"placement": 50, "feet": 3100})))
    assert (won.winners, won.decided_by) == ((1,), "castle size in square feet")
    shared = outcome(sheet(players({"placement": 50, "feet": 3000}, {"placement": 50, "feet": 3000})))
    assert (shared.winners, shared.decided_by) == ((0, 1), "shared")


def test_the_whole_castle_counts_in_square_feet() -> None:
    """ruling.total-feet"""
    state = table("foyer@0,0 larder@3,0 hallway@-6,1 stairs@1,3/270").state
    assert tally(state).players[0].feet == 125 + 100 + 150 + 75


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (-5, "Court Jester"), (49, "Court Jester"), (50, "Court Jester"),
        (51, "Servant to his Royal Majesty"), (70, "Servant to his Royal Majesty"),
        (71, "The Duke of Castle Building"), (85, "The Duke of Castle Building"),
        (86, "The Supreme Prince Regent of Palaces"), (100, "The Supreme Prince Regent of Palaces"),
        (101, "King of Grand Castle Construction"), (150, "King of Grand Castle Construction"),
    ],
)  # fmt: skip
def test_solo_titles(score: int, name: str) -> None:
    """ruling.solo-bands"""
    assert title(score) == name
    assert outcome(sheet(players({"placement": score}))).verdict == name


def test_only_solo_games_have_a_title() -> None:
    assert outcome(sheet(players({"placement": 50}, {}))).verdict == ""


# Tallies


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_templates_can_be_scored(count: int) -> None:
    made = template(count)
    again = msgspec.json.decode(msgspec.json.encode(made), type=Tally)
    assert again == made
    assert len(sheet(made).names) == count
    assert len(made.favours) == (count if count > 1 else 0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Tally(players=()), "1 to 4 players, not 0"),
        (players({}, {}, favours=("money", "money")), "only once"),
        (players({"favours": {"rooms-food": 1}}, {}), "not among the favours"),
        (players({}, {}, favours=("rooms-food",)), "lacks a count"),
        (players({"bonus": {"cash": 1}}, {"bonus": {"cash": 1}}), "there only once"),
        (players({}, favours=("money",)), "solo game has no favours"),
        (Tally(players=(PlayerTally(name="North"), PlayerTally(name="North"))), "name of its own"),
    ],
)
def test_a_tally_no_game_could_end_with(wrong: Tally, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        sheet(wrong)
    with pytest.raises(Malformed):
        template(5)


@given(st.lists(st.integers(-50, 200), min_size=2, max_size=4))
def test_totals_are_the_sum_of_lines(track: list[int]) -> None:
    of = players(*({"placement": each, "marks": 10000} for each in track))
    assert list(sheet(of).totals) == [each + 1 for each in track]
    assert set(outcome(sheet(of)).winners) == {seat for seat, each in enumerate(track) if each == max(track)}


def test_the_starting_space_counts() -> None:
    of = players({"start": 1, "placement": 20, "rewards": 5}, {"placement": 25})
    assert sheet(of).totals == (26, 25)
    assert line(of, 0, "start").points == 1


def test_a_game_is_scored_from_its_state() -> None:
    laid = table("foyer@0,0 larder@3,0", favours=("rooms-food", "money"))
    shown = replace(laid.state, phase="over", over=True, turn=None)
    held = tuple(
        replace(player, bonus=cards) for player, cards in zip(shown.players, (("cash",), ("stairs",)), strict=True)
    )
    scored = GAME.score(replace(shown, players=held))
    assert scored.totals == (2 + 8 + 6 + 1 + 3, 6 + 1)
