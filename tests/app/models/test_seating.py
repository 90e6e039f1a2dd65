from __future__ import annotations

import pytest

from companion.app.models.checklists import any_game, checklist
from companion.app.models.model import plain
from companion.app.models.places import around
from companion.app.models.seating import SeatingModel
from companion.app.models.settings import SettingsModel
from companion.rules import registry
from companion.rules.base import Setup
from companion.session.dealing import RandomDealer
from companion.session.shelf import Shelf
from tests.session import toy

SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
DUKES = registry.get("castle-dukes")


@pytest.fixture
def seating(shelf: Shelf, settings: SettingsModel) -> SeatingModel:
    return SeatingModel(DUKES, shelf, settings, RandomDealer(5))


def numbers(players: int, **options: str | int | bool) -> dict[str, int | None]:
    setup = Setup(seats=SEATS[:players], options=options)
    return {item.text: item.count for item in checklist(DUKES, setup, plain)}


# Around the table


@pytest.mark.parametrize("portrait", [False, True])
@pytest.mark.parametrize("count", range(1, 9))
def test_nobody_sits_on_anybody_and_everyone_faces_the_middle(count: int, portrait: bool) -> None:
    places = around(count, portrait=portrait)
    assert len({(place.x, place.y) for place in places}) == len(places) == count
    facing = {"bottom": 0, "right": 90, "top": 180, "left": 270}
    assert all(place.turn_deg == facing[place.edge] for place in places)
    assert all(place.turn_deg == 0 for place in around(count, portrait=portrait, turned=False))


def test_seats_go_round_clockwise() -> None:
    eight = around(8)
    assert [place.edge for place in eight] == ["bottom"] * 3 + ["left"] + ["top"] * 3 + ["right"]
    assert eight[0].x > eight[1].x > eight[2].x
    assert eight[4].x < eight[5].x < eight[6].x


# People


def test_people_of_past_evenings_are_offered_first(shelf: Shelf, settings: SettingsModel) -> None:
    settings.remember_names(("West", "Wind", "NE"))
    seating = SeatingModel(DUKES, shelf, settings, RandomDealer(1))
    assert [row.name for row in seating.view.seats] == ["West", "Wind"]
    seating.set_count(4)
    assert [row.name for row in seating.view.seats] == ["West", "Wind", "NE", "East"]
    assert seating.view.suggestions[:2] == ("North", "South")


def test_who_has_no_name_is_called_after_their_side(seating: SeatingModel) -> None:
    sides = {"bottom": "South", "left": "West", "top": "North", "right": "East"}
    for count in (2, 3, 4, 2):
        seating.set_count(count)
        assert [row.name for row in seating.view.seats] == [sides[row.place.edge] for row in seating.view.seats]
    seating.set_count(8)
    assert {row.name for row in seating.view.seats} == set(SEATS)


def test_a_name_given_by_hand_stays_whatever_the_side(seating: SeatingModel) -> None:
    seating.set_name(0, "West")
    seating.set_count(4)
    names = [row.name for row in seating.view.seats]
    assert names[0] == "West"
    assert len(set(names)) == 4


def test_the_number_of_players_stays_within_the_box(seating: SeatingModel) -> None:
    seating.set_count(99)
    assert seating.view.count == 8
    seating.set_count(0)
    assert seating.view.count == 1
    assert seating.view.counts == tuple(range(1, 9))


def test_a_name_that_is_taken_changes_places(seating: SeatingModel) -> None:
    seating.set_count(3)
    seating.set_first(2)
    seating.set_name(0, "East")
    assert [row.name for row in seating.view.seats] == ["East", "West", "South"]
    assert [row.begins for row in seating.view.seats] == [True, False, False]


@pytest.mark.parametrize(("name", "told"), [("  ", "Seat 1 needs"), ("x" * 41, "longer than 40"), ("a\tb", "shown")])
def test_a_name_that_cannot_be_is_said_in_a_sentence(seating: SeatingModel, name: str, told: str) -> None:
    seating.set_name(0, name)
    view = seating.view
    assert not view.ready
    assert told in view.problems[0]
    assert view.seats[0].problem == view.problems[0]
    assert seating.begin() is None
    assert seating.message is not None


def test_what_the_game_has_against_it_is_said(seating: SeatingModel) -> None:
    seating.set_count(1)
    seating.set_option("detail", "light")
    assert seating.view.problems == ("The solo opponent reads the room cards, so a solo game cannot be played light.",)


def test_chance_can_say_who_begins(seating: SeatingModel) -> None:
    seating.set_count(8)
    first = RandomDealer(5).pick(8)
    seating.first_by_chance()
    assert [row.begins for row in seating.view.seats].index(True) == first
    assert seating.message is not None
    assert seating.message.text == f"{seating.view.seats[first].name} begins."


def test_a_seat_can_be_turned(seating: SeatingModel) -> None:
    seating.turn(1)
    assert [place.turn_deg for place in seating.places] == [0, 270]


def test_options_have_a_line_of_rule_text(seating: SeatingModel) -> None:
    for row in seating.view.options:
        assert row.text
        assert row.rule is not None
        assert sum(value.chosen for value in row.values) == 1
    seating.set_option("turns", 12)
    turns = next(row for row in seating.view.options if row.key == "turns")
    assert [value.label for value in turns.values if value.chosen] == ["12"]


def test_a_game_begins_as_it_was_set_up_and_the_people_are_remembered(
    seating: SeatingModel, settings: SettingsModel
) -> None:
    seating.set_count(3)
    seating.set_name(1, "Wind")
    seating.set_first(1)
    seating.set_option("vines", True)
    session = seating.begin()
    assert session is not None
    with session:
        assert session.setup.seats == ("South", "Wind", "East")
        assert (session.setup.first, session.setup.options["vines"]) == (1, True)
    assert settings.settings.recent_names == ("Wind",)


# What to lay out


@pytest.mark.parametrize(
    ("players", "boards"),
    [
        (1, "game board on its 1-2 player side"),
        (2, "game board on its 1-2 player side"),
        (3, "game board on its 3-4 player side"),
        (4, "game board on its 3-4 player side"),
        (5, "game boards: one on its 3-4 player side, one on its 1-2 player side"),
        (8, "game boards on their 3-4 player sides"),
    ],
)
def test_the_board_lies_on_the_side_for_this_many_players(players: int, boards: str) -> None:
    assert boards in numbers(players)


def test_the_numbers_of_the_checklist_follow_the_players() -> None:
    four, six = numbers(4), numbers(6)
    assert four["floor tiles in two stacks, bridge sides up"] == 50
    assert six["floor tiles in two stacks, bridge sides up"] == 100
    assert four["player boards, one in front of each duke"] == 4
    assert four["room cards face up into the slots of the board"] == 5
    assert six["room cards face up into the slots of the board"] == 10
    free = "{}: free coins, to be spent on floor tiles and pillars at once"
    assert [four[free.format(name)] for name in SEATS[1:4]] == [1, 2, 3]
    assert free.format("North") not in four
    assert "vines out of the box" in numbers(2, vines=True)
    assert numbers(1)["barbicans, all dials at 0: yours and the AI's"] == 2


def test_lines_are_ticked_off(seating: SeatingModel) -> None:
    assert not seating.view.checklist
    seating.go("checklist")
    assert len(seating.view.checklist) > 10
    assert all(item.cite for item in seating.view.checklist)
    seating.tick(3)
    seating.tick(4)
    seating.tick(3)
    assert seating.view.ticked == {4}


def test_any_game_has_a_checklist() -> None:
    assert [item.text for item in checklist(toy.PEBBLES, Setup(seats=("North", "East"), first=1), plain)] == [
        "East begins."
    ]
    told = [item.cite for item in any_game(DUKES, Setup(seats=SEATS[:2]), plain)]
    assert told[:2] == ["Setup", "Setup"]
