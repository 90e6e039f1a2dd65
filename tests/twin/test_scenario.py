"""Scripts in the table's words: what they mean, and what is said about a line nobody understands."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import Malformed
from companion.twin.scenario import parse_scenario, read_scenario, scenario_names, together
from companion.twin.table import TOWERS

EVENING = """
# An evening.
boards south north
manner careful
castle left 2 to 4 levels on 3 pillars
north: castle middle 2 levels roofed

place 3 pillars on left
meanwhile north: rest hand on board for 2.5
knock any hard
topple left toward right
"""


def test_a_script_reads_as_it_is_told() -> None:
    evening = parse_scenario(EVENING, "evening")
    assert (evening.title, evening.boards, evening.manner) == ("An evening.", ("south", "north"), "careful")
    left, middle = evening.castles
    assert (left.board, left.tower, left.least, left.most, left.pillars) == ("south", "left", 2, 4, 3)
    assert (middle.board, middle.roofed) == ("north", True)
    place, rest, knock, topple = evening.steps
    assert (place.act, place.piece, place.most, place.tower, place.line) == ("place", "pillar", 3, "left", 8)
    assert (rest.act, rest.board, rest.amount, rest.meanwhile) == ("rest", "north", 2.5, True)
    assert (knock.tower, knock.how) == ("any", "hard")
    assert (topple.tower, topple.toward) == ("left", "right")


def test_steps_told_as_meanwhile_are_done_together() -> None:
    groups = list(together(parse_scenario(EVENING).steps))
    assert [[step.act for step in group] for group in groups] == [["place", "rest"], ["knock"], ["topple"]]


def test_chance_is_drawn_from_the_seed_and_nothing_else() -> None:
    evening = parse_scenario(EVENING)
    assert evening.drawn(5) == evening.drawn(5)
    drawn = [evening.drawn(seed) for seed in range(40)]
    assert {each.castles[0].most for each in drawn} == {2, 3, 4}
    assert {each.steps[2].tower for each in drawn} == set(TOWERS)


def test_the_stock_is_what_the_script_needs() -> None:
    stock = parse_scenario("castle left 2 levels on 3 pillars\nplace tile on middle\nplace 2 pillars on middle").stock()
    assert stock.count("pillar") == 3 + 2
    assert stock.count("floor-tile") == 2 + 1


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("wait 1\nplace ladder on left", 2, "no piece called 'ladder'"),
        ("place tile on attic", 1, "no tower called 'attic'"),
        ("wait 1\n\nwest: wait 2", 3, "no board called 'west'"),
        ("boards south south", 1, "different boards"),
        ("boards south attic", 1, "no seat called 'attic'"),
        ("wait 1\nboards north", 2, "before anything"),
        ("castle left many levels", 1, "castle left 3 levels"),
        ("castle left 2 levels\ncastle left 3 levels", 2, "a castle on left already"),
        ("place 9 to 2 pillars on left", 1, "not a number from 1 to 12"),
        ("# only\nmeanwhile wait 1", 2, "needs a line above"),
        ("knock left\nmeanwhile wait 1\nmeanwhile knock right\nmeanwhile clear board", 4, "more than the 2 hands"),
        ("juggle 3 pillars", 1, "nobody knows how to 'juggle 3 pillars'"),
        ("knock the left one", 1, "say it like 'knock left hard'"),
        ("manner rude", 1, "no manner called 'rude'"),
    ],
)
def test_a_line_nobody_understands_is_named_in_one_sentence(text: str, line: int, why: str) -> None:
    with pytest.raises(Malformed) as wrong:
        parse_scenario(text, "evening")
    said = str(wrong.value)
    assert said.startswith(f"Line {line} of scenario 'evening': ")
    assert why in said
    assert said.endswith(".")
    assert "\n" not in said


def test_a_script_without_acts_is_refused() -> None:
    with pytest.raises(Malformed, match="nothing to do"):
        parse_scenario("# Nothing.\ncastle left 2 levels")


@pytest.mark.parametrize("name", scenario_names())
def test_every_scenario_that_comes_along_reads(name: str) -> None:
    scenario = read_scenario(name)
    assert scenario.title.endswith(".")
    assert scenario.drawn(1).stock()


def test_the_scenarios_cover_every_way_to_fall_and_every_look_alike() -> None:
    acts = {(step.act, step.how) for name in scenario_names() for step in read_scenario(name).steps}
    told = {act for act, _ in acts}
    assert told >= {"knock", "overload", "topple", "roll", "drop on board", "remove", "brush"}
    assert told >= {
        "rest",
        "lean",
        "hover",
        "reach",
        "drop beside",
        "lay beside",
        "drop",
        "lights",
        "shadow",
        "nudge",
        "store",
        "fumble",
    }
    assert {("bump", ""), ("bump", "softly"), ("bump", "hard")} <= acts


def test_a_scenario_can_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# Mine.\nwait 1\n")
    assert read_scenario(str(file)).name == "mine"


def test_an_unknown_scenario_is_named_with_those_that_exist() -> None:
    with pytest.raises(Malformed, match=r"no scenario called 'nothing'.*knocked"):
        read_scenario("nothing")
