"""Castle Dukes at the desk: what events mean, which answers the rules allow, and the ways back into step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.rules.base import Correction
from companion.rules.castle_dukes.actions import (
    CountCastle,
    Crumble,
    FinishBuilding,
    Lose,
    PlacePillars,
    PlaceTile,
    Settle,
    TakeDown,
)
from companion.rules.castle_dukes.state import Bridge, Card, Castle, Chit, Counted, Room, Tile, Top
from tests.live.table import LiveTable, answer_of, floor, live_table, towers
from tests.rules.castle_dukes.table import census

HANDS = {"held": {"tile": 3, "pillar": 6}}
PILLARS = {"facing": "offence", "damage": 2, "chits": [{"kind": "pillar"}] * 5, "resolved": [0]}
KITCHEN = Card(name="Kitchen", comfort=1, serf=2, king=1)
VAULT = Card(name="Vault", defence=3, levels="lower")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    with live_table(tmp_path, sets=HANDS) as table:
        yield table


def with_castle(folder: Path, castle: Castle, **more: Any) -> Any:
    return live_table(folder, sets={**HANDS, "castle": castle, **more})


# Collapses


def test_a_collapse_costs_one_token(table: LiveTable) -> None:
    table.fall(tower="left")
    assert table.asked.text == "Something fell on North's board by the left tower."
    assert table.weights() == ["book", "reject", "later"]
    assert table.answer("book").done
    assert (table.north.crumbles, table.north.rearranging) == (1, True)


def test_a_second_fall_may_be_the_same_accident(table: LiveTable) -> None:
    table.fall()
    table.answer("book")
    table.fall()
    assert table.weights() == ["book", "same", "reject", "later"]
    table.answer("same")
    assert table.north.crumbles == 1
    assert table.desk.decided[1].bound_to == table.desk.decided[0].id


def test_a_fall_while_the_call_is_open_may_belong_to_it(table: LiveTable) -> None:
    table.fall()
    table.fall()
    first, second = table.desk.proposals
    assert [answer.weight for answer in first.answers] == ["book", "reject", "later"]
    assert table.answer("same", second).done
    assert table.desk.decided[0].bound_to == first.id


@pytest.mark.parametrize("why", ["rejected", "long ago", "another board"])
def test_nothing_is_the_same_accident_as_none(table: LiveTable, why: str) -> None:
    table.fall("east" if why == "another board" else "north")
    table.answer("reject" if why == "rejected" else "book")
    table.wait(121 if why == "long ago" else 1)
    table.fall()
    assert "same" not in table.weights()


def test_the_dragon_pays_for_what_falls_with_what_it_takes(tmp_path: Path) -> None:
    """A piece owed to the dragon may bring others down without a token (FAQ, Extra Item Removal)."""
    sets = {"castle": towers(2), "attack": {**PILLARS, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets) as table:
        table.fall()
        assert table.weights() == ["book", "exempt", "reject", "later"]
        assert not any(answer.primary for answer in table.asked.answers), "nobody but the table can know"
        table.answer("exempt")
        assert table.north.crumbles == 0
        assert table.desk.decided[0].ending == "exempt"


def test_the_dragon_pays_for_what_it_took_just_now(tmp_path: Path) -> None:
    sets = {"castle": towers(2), "attack": {**PILLARS, "damage": 1, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets) as table:
        table.do(Lose(seat=0, what="pillar", tower="left", level=1, cobble=True))
        table.fall()
        assert "exempt" in table.weights()


def test_others_pay_for_their_own_accidents_during_the_attack(tmp_path: Path) -> None:
    sets = {"castle": towers(2), "attack": {**PILLARS, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets, collapse="auto") as table:
        table.fall("east")
        assert table.state.dukes[1].crumbles == 1


def test_auto_does_not_decide_about_the_dragon(tmp_path: Path) -> None:
    sets = {"castle": towers(2), "attack": {**PILLARS, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets, collapse="auto") as table:
        table.fall()
        assert table.asked.urgent
        assert table.north.crumbles == 0


# Pieces put up


def test_a_tile_becomes_the_next_level(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.place("floor-tile", "left", 2)
        answer = answer_of(table.asked, "book")
        assert answer.primary
        assert answer.label == "Floor tile as level 2 of the left tower (1 room space, 1 marking, bridge ends)"
        table.answer("book")
        assert len(table.north.castle.left) == 2


def test_a_tile_may_show_what_others_show_or_something_else(tmp_path: Path) -> None:
    plain, wide = floor(), Tile(spaces=2, cobbles=0, ends=False, pillars=1)
    with with_castle(tmp_path, Castle(left=(wide, wide), middle=(plain,))) as table:
        table.place("floor-tile", "right", 1)
        first, second, other = [answer for answer in table.asked.answers if answer.weight == "book"]
        assert [first.primary, second.primary, other.primary] == [True, False, False]
        assert "2 room spaces, 0 markings, no bridge ends" in first.label
        assert not table.desk.answer(table.asked.id, other.id).done, "what it shows was not told"
        told = {"spaces": 3, "cobbles": 2, "ends": True}
        assert table.desk.answer(table.asked.id, other.id, told).done
        assert table.north.castle.right == (Tile(spaces=3, cobbles=2, ends=True),)
        assert table.session.history()[-1].origin == "seat 0", "what people tell is theirs"


def test_a_tile_of_no_tower_can_be_on_each(table: LiveTable) -> None:
    table.place("floor-tile", None)
    labels = [answer.label for answer in table.asked.answers if not answer.asks and answer.weight == "book"]
    assert [label.split(" of the ")[1].split()[0] for label in labels] == ["left", "middle", "right"]
    assert not any(answer.primary for answer in table.asked.answers)


def test_a_roof_and_a_bridge_are_tiles_too(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(3, 0, 3)) as table:
        table.place("roof", "left", 4)
        assert answer_of(table.asked, "book").label == "Roof as level 4 of the left tower"
        table.answer("book")
        table.place("bridge", None, 3)
        assert answer_of(table.asked, "book").label == "Bridge on level 3"
        table.answer("book")
        assert table.north.castle.bridges == (Bridge(level=3),)


def test_pillars_put_up_one_by_one_are_one_question(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        for _ in range(3):
            table.place("pillar", "left", 1)
        assert table.asked.count == 3
        assert table.asked.text == "3 pillars were put up on level 1 of the left tower."
        lines = table.session.seq
        table.answer("book")
        assert (table.north.castle.left[0].pillars, table.session.seq) == (4, lines + 1)


def test_a_pillar_taken_back_is_one_less(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.place("pillar", "left", 1)
        table.place("pillar", "left", 1)
        table.remove("pillar", "left", 1)
        assert table.asked.count == 1
        table.remove("pillar", "left", 1)
        assert not table.desk.proposals
        assert table.desk.decided[0].ending == "withdrawn"


def test_each_room_in_hand_can_be_the_one(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1), cards=(KITCHEN, VAULT)) as table:
        table.place("room", "left", 1)
        labels = [answer.label for answer in table.asked.answers if answer.weight == "book"]
        assert labels == ["Kitchen on level 1 of the left tower", "Vault on level 1 of the left tower"]


def test_a_figure_goes_where_there_is_room_for_it(tmp_path: Path) -> None:
    castle = Castle(left=(Tile(pillars=1, covered=1, rooms=(Room(card=KITCHEN),)),))
    with with_castle(tmp_path, castle, held={"serf": 1}) as table:
        table.place("meeple", "left", 1)
        table.answer("book")
        assert table.north.castle.left[0].rooms[0].serf == 1


def test_a_guest_who_is_expected_moves_in(tmp_path: Path) -> None:
    castle = Castle(left=(Tile(rooms=(Room(card=KITCHEN),)),), right=(Tile(rooms=(Room(card=KITCHEN),)),))
    with live_table(tmp_path, phase="guests", sets={"castle": castle}) as table:
        visit = {"guests": ["king"], "visit": {"guest": "king", "seats": [0]}}
        table.do(Correction(why="a king comes", set=visit))
        table.place("meeple", "right", 1)
        assert table.answer("book").done
        assert table.north.castle.right[0].rooms[0].king == 1


def test_what_stands_on_roofs(tmp_path: Path) -> None:
    castle = Castle(left=(*(floor(),) * 2, Tile(spaces=0, cobbles=0, roof=Top())))
    with with_castle(tmp_path, castle, held={"brazier": 1, "battlement": 1}) as table:
        table.place("battlement", "left", 3)
        table.answer("book")
        table.place("brazier", "left")
        table.answer("book")
        assert table.north.castle.left[2].roof == Top(brazier=1, battlement=1)


def test_a_piece_the_senses_do_not_name_can_be_anything_in_hand(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.place(None, "left")
        labels = " ".join(answer.label for answer in table.asked.answers)
        assert "Floor tile as level 2" in labels
        assert "1 pillar on level 1" in labels


def test_another_level_than_the_rules_allow_is_offered_but_not_taken_for_granted(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.place("floor-tile", "left", 4)
        assert "level 2" in answer_of(table.asked, "book").label
        assert not any(answer.primary for answer in table.asked.answers)


# What the game knows already


def test_who_touches_the_screen_first_is_not_asked(table: LiveTable) -> None:
    table.do(PlaceTile(seat=0, tower="left"))
    table.place("floor-tile", "left")
    assert not table.desk.proposals
    assert table.desk.decided[0].ending == "known"
    table.place("floor-tile", "middle")
    assert table.asked.kind == "placed", "it was expected once, and on the left"


def test_two_pillars_booked_at_once_are_seen_one_by_one(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.do(PlacePillars(seat=0, tower="left", level=1, count=2))
        table.place("pillar", "left", 1)
        table.place("pillar", "left", 1)
        assert not table.desk.proposals
        table.place("pillar", "left", 1)
        assert table.asked.count == 1


def test_who_touches_the_screen_after_building_is_not_asked_on(table: LiveTable) -> None:
    table.place("floor-tile", "left", 1)
    table.do(PlaceTile(seat=0, tower="left"))
    assert not table.desk.proposals
    assert table.desk.decided[0].ending == "known"
    assert len(table.north.castle.left) == 1


def test_a_level_says_best_whether_the_game_knows_it(table: LiveTable) -> None:
    table.do(PlaceTile(seat=0, tower="left"))
    table.place("floor-tile", "left", 2)
    assert not table.desk.decided
    assert table.mismatch.why == "vetoed", "there is no pillar on level 1"


def test_what_was_booked_long_ago_is_no_longer_expected(table: LiveTable) -> None:
    table.do(PlaceTile(seat=0, tower="left"))
    table.wait(301)
    table.place("floor-tile", None)
    assert table.desk.proposals


# Pieces taken away


def test_what_is_owed_to_the_dragon_is_lost(tmp_path: Path) -> None:
    castle = Castle(left=(floor(3), floor()), middle=(floor(2),))
    with live_table(tmp_path, phase="dragon", sets={"castle": castle, "attack": {**PILLARS, "damage": 3}}) as table:
        table.do(Correction(why="owed", set={"dukes/0/attack/owed": {"kind": "pillar"}, "dukes/1/attack": PILLARS}))
        table.remove("pillar", "middle", 1)
        assert answer_of(table.asked, "book").label == "Remove a pillar on level 1 of the middle tower"
        table.answer("book")
        assert table.north.castle.middle[0].pillars == 1
        assert table.north.attack is not None
        assert table.north.attack.owed is None


def test_what_comes_down_with_it_is_not_asked_about(tmp_path: Path) -> None:
    attack = {**PILLARS, "damage": 4, "owed": Chit(kind="pillar")}
    with live_table(tmp_path, phase="dragon", sets={"castle": towers(3), "attack": attack}) as table:
        table.do(Correction(why="East too", set={"dukes/1/attack": PILLARS}))
        table.remove("pillar", "left", 1)
        table.answer("book")
        assert len(table.north.castle.left) == 1
        for piece, level in (("pillar", 3), ("floor-tile", 3), ("pillar", 2), ("floor-tile", 2)):
            table.remove(piece, "left", level)
        assert not table.desk.proposals
        assert not table.desk.out_of_step
        assert [each.ending for each in table.desk.decided] == ["book", *["known"] * 4]


def test_while_rearranging_pieces_are_taken_in_hand(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(2), rearranging=True) as table:
        table.remove("floor-tile", "left", 2)
        table.answer("book")
        assert table.north.loose == {"tile": 1, "pillar": 1}
        table.remove("pillar", "left", 2)
        assert not table.desk.proposals, "it stood on the tile"
        table.place("floor-tile", "middle", 1)
        assert table.answer("book").done
        assert table.north.loose == {"pillar": 1}


def test_a_piece_just_put_up_and_taken_back_offers_the_undo(table: LiveTable) -> None:
    before = table.state
    table.place("floor-tile", "left", 1)
    table.answer("book")
    table.remove("floor-tile", "left", 1)
    answer = answer_of(table.asked, "undo")
    assert answer.label == "Take back: North: lays a floor tile as level 1 of the left tower"
    assert table.answer("undo").done
    assert table.state == before
    assert [each.undone for each in table.desk.decided] == [True, False]
    assert table.desk.undo(table.desk.decided[1].id).done, "the undo can be undone"
    assert len(table.north.castle.left) == 1


def test_a_piece_the_game_still_has_is_out_of_step(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(2), held={"tile": 1}) as table:
        before = census(table.state)
        table.remove("floor-tile", "left", 2)
        assert table.mismatch.why == "vetoed"
        assert table.mismatch.sentence == (
            "1 floor tile was taken away from level 2 of the left tower. The game still has it."
        )
        assert [answer.weight for answer in table.mismatch.answers] == ["correct", "wait", "ignore"]
        assert table.answer("correct", table.mismatch).done
        assert (len(table.north.castle.left), table.north.rearranging) == (1, False)
        assert table.north.held["tile"] == 2
        assert census(table.state) == before
        assert not table.desk.out_of_step


def test_a_piece_put_back_is_in_step_again(tmp_path: Path) -> None:
    """A battlement may be lifted off to be armed, and goes back to where it was."""
    castle = Castle(left=(*(floor(),) * 2, Tile(spaces=0, cobbles=0, roof=Top(battlement=1))))
    with with_castle(tmp_path, castle) as table:
        table.remove("battlement", "left", 3)
        table.answer("wait", table.mismatch)
        assert table.mismatch.waiting
        table.place("battlement", "left", 3)
        assert not table.desk.out_of_step
        assert not table.desk.proposals


# The rules veto


def test_a_piece_against_the_rules_can_be_put_up_anyway(table: LiveTable) -> None:
    table.do(FinishBuilding(seat=0))
    before = census(table.state)
    table.place("floor-tile", "left", 1)
    assert not table.desk.proposals
    assert table.mismatch.why == "vetoed"
    assert table.answer("correct", table.mismatch).done
    assert len(table.north.castle.left) == 1
    assert table.session.history()[-1].kind == "correction"
    assert census(table.state) == before


def test_a_piece_nobody_booked_is_lent_by_the_supply(tmp_path: Path) -> None:
    with live_table(tmp_path) as table:
        before, state = census(table.state), table.state
        table.place("floor-tile", "left", 1)
        assert table.answer("correct", table.mismatch).done
        assert len(table.north.castle.left) == 1
        assert census(table.state) == before
        assert table.desk.undo(table.desk.decided[0].id).done
        assert table.state == state


def test_what_was_vetoed_is_asked_as_soon_as_the_rules_allow_it(tmp_path: Path) -> None:
    with live_table(tmp_path) as table:
        table.place("floor-tile", "left", 1)
        assert table.desk.out_of_step
        table.do(Correction(why="a tile was drawn", set={"dukes/0/held": {"tile": 1}}))
        assert not table.desk.out_of_step
        assert table.answer("book").done


def test_what_is_set_aside_is_kept_and_can_be_taken_up(table: LiveTable) -> None:
    table.place("pillar", "left", 1)
    table.answer("ignore", table.mismatch)
    assert not table.desk.out_of_step
    assert table.desk.undo(table.desk.decided[0].id).done
    assert table.desk.out_of_step


# Heights


def test_a_tower_that_differs_for_good_is_out_of_step(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(2)) as table:
        table.measure("left", 3)
        table.wait(7)
        assert not table.desk.out_of_step, "somebody may be building"
        table.wait(2)
        mismatch = table.mismatch
        assert (mismatch.why, mismatch.tower, mismatch.table, mismatch.game) == ("levels", "left", 3, 2)
        assert mismatch.sentence == "North's left tower has 3 levels on the table and 2 levels in the game."


@pytest.mark.parametrize("levels", [0, 1, 3, 5])
@pytest.mark.parametrize("held", [{}, {"tile": 3, "pillar": 6}])
def test_the_game_takes_the_tables_word_and_loses_no_piece(tmp_path: Path, levels: int, held: dict[str, int]) -> None:
    with live_table(tmp_path, sets={"castle": towers(2), "held": held}) as table:
        before, state = census(table.state), table.state
        table.measure("left", levels)
        table.wait()
        assert table.answer("correct", table.mismatch).done
        assert len(table.north.castle.left) == levels
        assert census(table.state) == before
        assert not table.desk.out_of_step
        assert table.desk.undo(table.desk.decided[0].id).done
        assert table.state == state


def test_a_tower_that_is_put_right_is_in_step_by_itself(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(2)) as table:
        table.measure("left", 1)
        table.wait()
        table.answer("wait", table.mismatch)
        assert table.mismatch.waiting
        table.measure("left", 2)
        assert not table.desk.out_of_step


def test_a_tower_that_is_set_aside_stays_so_until_it_changes(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(2)) as table:
        table.measure("left", 1)
        table.wait()
        table.answer("ignore", table.mismatch)
        table.wait(60)
        assert not table.desk.out_of_step
        table.measure("left", 0)
        table.wait()
        assert table.mismatch.table == 0


def test_an_open_question_comes_before_heights(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.place("floor-tile", "left", 2)
        table.measure("left", 2)
        table.wait(30)
        assert not table.desk.out_of_step
        table.answer("book")
        table.wait(30)
        assert not table.desk.out_of_step


def test_without_a_camera_nothing_is_held_against_the_game(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        table.measure("left", 1)
        table.desk.sees = False
        table.do(PlaceTile(seat=0, tower="left"))
        table.wait(30)
        assert not table.desk.out_of_step
        table.desk.sees = True
        table.wait(1)
        assert not table.desk.out_of_step
        table.wait()
        assert table.desk.out_of_step


def test_an_unsure_height_is_not_kept(table: LiveTable) -> None:
    table.measure("left", 3, confidence=0.5)
    assert not table.desk.measured


def test_after_an_accident_what_fell_comes_down_by_the_rules(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(3)) as table:
        table.fall()
        table.answer("book")
        table.measure("left", 1)
        table.wait()
        assert table.answer("correct", table.mismatch).done
        assert table.session.history()[-1].kind == "action", "while rearranging this is no correction"
        assert table.north.loose == {"tile": 2, "pillar": 2}
        table.do(Settle(seat=0))
        assert not table.desk.out_of_step


def test_the_tallest_castle_is_checked(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(3, 1)) as table:
        table.measure("left", 4)
        table.measure("middle", 1)
        north, east = table.desk.tallest
        assert (north.game, north.measured, north.agrees) == (3, 4, False)
        assert (east.game, east.measured, east.agrees) == (0, None, True)


# The light game


@pytest.fixture
def light(tmp_path: Path) -> Iterator[LiveTable]:
    with live_table(tmp_path, options={"detail": "light"}) as table:
        yield table


def test_a_light_game_knows_of_accidents_and_not_of_pieces(light: LiveTable) -> None:
    light.place("floor-tile", "left", 1)
    light.remove("pillar", "left", 1)
    light.measure("left", 3)
    light.wait()
    assert (light.desk.proposals, light.desk.out_of_step) == ((), ())
    light.fall()
    light.answer("book")
    assert (light.north.crumbles, light.north.rearranging) == (1, False)


def test_the_count_of_a_light_game_has_the_measured_levels_filled_in(light: LiveTable) -> None:
    light.measure("left", 3)
    light.measure("middle", 5)
    light.do(Correction(why="the end", set={"phase": "count"}))
    asked = light.asked
    assert (asked.seat, asked.kind, asked.expires_us) == (0, "height", None)
    assert asked.text == "Levels as measured: left 3, middle 5."
    answer = answer_of(asked, "book")
    assert isinstance(answer.actions[0], CountCastle)
    assert answer.actions[0].counts == Counted(left=3, middle=5)
    assert not light.desk.answer(asked.id, answer.id).done, "the rest has to be counted"
    assert light.desk.answer(asked.id, answer.id, {"counts/right": 2, "counts/serfs": 4}).done
    assert light.north.counted == Counted(left=3, middle=5, right=2, serfs=4)
    assert not light.desk.proposals
    assert light.desk.tallest[0].agrees
    assert light.desk.undo(light.desk.decided[0].id).done
    assert light.asked.kind == "height"


def test_a_light_game_has_no_exemption_but_during_the_attack(tmp_path: Path) -> None:
    attack = {"facing": "offence", "damage": 2}
    with live_table(tmp_path, options={"detail": "light"}, phase="dragon", sets={"attack": attack}) as table:
        table.fall()
        assert "exempt" not in table.weights(), "East has not met the dragon yet"
        table.do(Correction(why="East too", set={"dukes/1/attack": attack}))
        assert "exempt" in table.weights()


# What the detectors are told


def test_the_detectors_know_the_phase_and_the_boards(tmp_path: Path) -> None:
    with with_castle(tmp_path, towers(1)) as table:
        context = table.desk.context
        assert context["phase"] == "building"
        assert context["boards"]["north"] == {
            "seat": 0,
            "at_turn": True,
            "base_tiles": ["middle", "right"],
            "removing": False,
            "rearranging": False,
        }
        table.do(FinishBuilding(seat=0))
        assert not table.desk.context["boards"]["north"]["at_turn"]
        table.do(Crumble(seat=0))
        assert table.desk.context["boards"]["north"]["rearranging"]
        table.do(TakeDown(seat=0, what="tile", tower="left", level=1))
        assert "left" in table.desk.context["boards"]["north"]["base_tiles"]
        assert table.desk.context["boards"]["east"]["base_tiles"] == [], "there is no tile in hand"


def test_the_detectors_know_what_the_dragon_takes(tmp_path: Path) -> None:
    sets = {"castle": towers(2), "attack": {**PILLARS, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets) as table:
        boards = table.desk.context["boards"]
        assert (boards["north"]["removing"], boards["north"]["at_turn"]) == (True, True)
        assert (boards["east"]["removing"], boards["east"]["at_turn"]) == (False, False)
