from __future__ import annotations

from typing import Any

import pytest

from companion.app.models.places import around
from companion.app.models.table import TableModel
from companion.errors import DiskTrouble
from companion.rules import registry
from companion.rules.base import Correction, Setup
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand
from tests.text import toy

TILE = "Draw a floor tile (1 coin)"
PILLARS = "Take two pillars (1 coin)"
FELL = "Something fell: take a Crumble token"


def coins(table: TableModel, seat: int) -> Any:
    return next(counter for counter in table.view.seats[seat].counters if counter.key == "coins")


def to_room_phase(hand: Hand) -> None:
    """East, South and West spend their 1, 2 and 3 free coins."""
    for seat, count in ((1, 1), (2, 2), (3, 3)):
        for _ in range(count):
            hand.press(PILLARS, seat)


@pytest.fixture
def hill(shelf: Shelf, clock: ManualClock) -> Hand:
    shelf.game_of = lambda _: toy.GAME
    session = shelf.new("hilltop", Setup(seats=("North", "East"), options={"turns": 1}))
    return Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))


# What is shown


def test_what_must_be_done_comes_first_and_any_time_moves_are_folded(table: TableModel) -> None:
    urgencies = [prompt.urgency for prompt in table.view.prompts]
    assert urgencies == ["must"] * 3 + ["any-time"] * 4
    assert [prompt.who for prompt in table.view.prompts[:3]] == ["East", "South", "West"]
    assert [seat.active for seat in table.view.seats] == [False, True, True, True]


def test_seats_face_their_players(table: TableModel) -> None:
    assert tuple(seat.place for seat in table.view.seats) == around(4)
    assert table.touch(table.view.seats[1].turn)
    turned = table.view.seats[1].place
    assert turned is not None
    assert turned.turn_deg == 0


def test_a_number_that_changed_shows_its_change_for_five_seconds(
    table: TableModel, hand: Hand, clock: ManualClock
) -> None:
    hand.press(TILE, 3)
    hand.press(TILE, 3)
    assert (coins(table, 3).value, coins(table, 3).change) == (1, -2)
    ids = table.view.prompts[0].choices[0].id
    clock.advance(4.9)
    table.tick()
    assert coins(table, 3).change == -2
    clock.advance(0.2)
    table.tick()
    assert coins(table, 3).change == 0
    assert table.view.prompts[0].choices[0].id == ids


def test_the_clocks_of_those_who_must_act_run(table: TableModel, hand: Hand, clock: ManualClock) -> None:
    table.enter()
    clock.advance(65)
    table.tick()
    assert [seat.clock for seat in table.view.seats] == ["0:00", "1:05", "1:05", "1:05"]
    hand.press(TILE, 1)
    clock.advance(10)
    table.leave()
    clock.advance(100)
    table.tick()
    assert [seat.clock for seat in table.view.seats] == ["0:00", "1:05", "1:15", "1:15"]
    assert table.view.paused
    assert table.view.clock == "1:15"


def test_every_prompt_has_its_rule_and_every_refusal_its_reason(table: TableModel, hand: Hand) -> None:
    to_room_phase(hand)
    prompt = table.view.prompts[0]
    assert prompt.rule is not None
    assert prompt.rule.cite == "Room Phase"
    for choice in prompt.choices:
        assert choice.legal or (choice.why and choice.rule is not None and choice.rule.cite)


def test_words_go_through_the_translator(session: Session, clock: ManualClock) -> None:
    view = TableModel(session, dealer=RandomDealer(1), clock=clock, t=str.upper).view
    assert view.headline == "TURN 1 OF 9: FREE COINS"
    assert view.prompts[0].choices[0].label == TILE.upper()
    assert view.prompts[0].who == "East"
    assert view.seats[0].counters[0].label == "COINS"


# Touches


def test_a_touch_delivered_twice_counts_once(table: TableModel, hand: Hand, session: Session) -> None:
    id = hand.choice(TILE, 3).id
    assert table.touch(id)
    assert not table.touch(id)
    assert session.seq == 2


def test_a_touch_on_a_rendering_that_is_gone_does_nothing(table: TableModel, hand: Hand, session: Session) -> None:
    late = hand.choice(TILE, 2).id
    hand.press(TILE, 3)
    assert not table.touch(late)
    assert not table.touch("")
    assert session.seq == 2


def test_subscribers_hear_of_changes_until_they_leave(table: TableModel, hand: Hand) -> None:
    heard: list[str] = []
    end = table.subscribe(lambda: heard.append(table.view.headline))
    hand.press(TILE, 3)
    end()
    hand.press(TILE, 3)
    assert heard == ["Turn 1 of 9: Free coins"]


def test_undo_and_redo_are_labelled_and_take_one_touch(table: TableModel, hand: Hand) -> None:
    hand.press(TILE, 3)
    undo = table.view.undo
    assert undo is not None
    assert undo.label == "West: draws a floor tile"
    hand.touch(undo.id)
    assert coins(table, 3).value == 3
    assert table.view.undo is None
    redo = table.view.redo
    assert redo is not None
    hand.touch(redo.id)
    assert coins(table, 3).value == 2
    assert [line.kind for line in table.view.tail] == ["setup", "action", "undo", "redo"]


# Refusals and corrections


def refused(hand: Hand) -> Any:
    """North draws construction cards until the coins are gone, and then wants another."""
    to_room_phase(hand)
    for seat in range(4):
        hand.press("No more rooms", seat)
    for _ in range(5):
        hand.press(PILLARS, 0) if hand.choice(PILLARS, 0).legal else hand.press(TILE, 0)
    return hand.choice(TILE, 0)


def test_a_refused_move_says_why_with_its_rule_and_changes_nothing(
    table: TableModel, hand: Hand, session: Session
) -> None:
    choice = refused(hand)
    seq = session.seq
    assert not choice.legal
    hand.touch(choice.id)
    message = table.view.message
    assert message is not None
    assert (message.weight, message.text) == ("refused", choice.why)
    assert message.rule is not None
    assert message.rule.cite
    assert session.seq == seq
    hand.touch(table.view.dismiss)
    assert table.view.message is None


def test_what_was_refused_can_be_done_anyway_and_is_marked(table: TableModel, hand: Hand, session: Session) -> None:
    hand.touch(refused(hand).id)
    message = table.view.message
    assert message is not None
    hand.touch(message.anyway)
    assert table.state.corrected
    assert [line.kind for line in session.history()][-1] == "correction"
    assert table.view.tail[-1].label == "Correction: North: draws a floor tile"
    assert any("Overruled" in fact for fact in table.view.facts)


def test_a_move_with_asks_can_be_done_anyway_once_they_are_answered(table: TableModel, hand: Hand) -> None:
    refused(hand)
    hand.press("Draw a construction card (4 coins)", 0)
    message = table.view.message
    assert message is not None
    hand.touch(message.anyway)
    asking = table.view.asking
    assert asking is not None
    assert asking.draw == ""
    assert asking.now.entry is not None
    hand.touch(asking.now.entry.chips[0].plus)
    done = table.view.asking
    assert done is not None
    hand.touch(done.now.done)
    assert table.state.dukes[0].held["brazier"] == 1
    assert table.state.corrected


def test_plus_and_minus_set_a_counter_right_by_a_correction(table: TableModel, hand: Hand) -> None:
    assert coins(table, 0).minus == ""
    hand.touch(coins(table, 0).plus)
    assert (coins(table, 0).value, coins(table, 0).change) == (1, 1)
    assert table.view.tail[-1].label == "Correction: North: coins +1"
    comfort = next(counter for counter in table.view.seats[0].counters if counter.key == "comfort")
    assert (comfort.plus, comfort.minus) == ("", "")


@pytest.mark.parametrize("game", [game.info.id for game in registry.shelf()])
def test_plus_changes_that_counter_and_nothing_else(game: str, shelf: Shelf, clock: ManualClock) -> None:
    with shelf.new(game, Setup(seats=("North", "East", "South"))) as session:
        table = TableModel(session, dealer=RandomDealer(1), clock=clock)
        keys = [counter.key for counter in table.view.seats[1].counters if counter.plus]
        assert keys
        for key in keys:
            before = [(counter.key, counter.value) for seat in table.view.seats for counter in seat.counters]
            assert table.touch(next(counter.plus for counter in table.view.seats[1].counters if counter.key == key))
            assert table.view.message is None
            after = [(counter.key, counter.value) for seat in table.view.seats for counter in seat.counters]
            changed = [(old[0], new[1] - old[1]) for old, new in zip(before, after, strict=True) if old != new]
            assert changed in ([(key, 1)], [(key, 1000)])


def test_dials_of_a_light_game_turn_by_one_touch_and_without_a_correction(shelf: Shelf, clock: ManualClock) -> None:
    with shelf.new("castle-dukes", Setup(seats=("North", "East"), options={"detail": "light"})) as session:
        table = TableModel(session, dealer=RandomDealer(1), clock=clock)
        dial = next(counter for counter in table.view.seats[1].counters if counter.key == "comfort")
        assert table.touch(dial.plus)
        assert table.state.dukes[1].dials.comfort == 1
        assert not table.state.corrected


def test_a_disk_in_trouble_is_a_message_and_the_move_can_be_tried_again(
    table: TableModel, hand: Hand, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskTrouble("The disk is full: nothing was saved. Make room and try again.")

    with monkeypatch.context() as broken:
        broken.setattr(session, "dispatch", full)
        hand.press(TILE, 3)
    message = table.view.message
    assert message is not None
    assert (message.weight, message.anyway) == ("trouble", "")
    hand.press(TILE, 3)
    assert table.view.message is None
    assert coins(table, 3).value == 2


def test_a_game_that_can_only_be_looked_at_offers_nothing_to_touch(
    shelf: Shelf, session: Session, clock: ManualClock
) -> None:
    with shelf.open(session.id, read_only=True) as looked_at:
        view = TableModel(looked_at, dealer=RandomDealer(1), clock=clock).view
        assert view.read_only == "It was opened read-only."
        assert view.prompts == ()
        assert view.undo is None
        assert view.seats[0].counters[0].plus == ""


def test_what_another_hand_did_is_shown(table: TableModel, hand: Hand, session: Session) -> None:
    late = hand.choice(TILE, 3).id
    session.dispatch(Correction(why="found a coin", set={"dukes/0/coins": 2}), "correction")
    assert coins(table, 0).value == 2
    assert coins(table, 0).change == 2
    assert not table.touch(late)


# Any game


def test_a_thing_that_alone_must_be_told_is_asked_for_at_once(hill: Hand) -> None:
    asking = hill.model.view.asking
    assert asking is not None
    assert asking.title == "Turn up a quarry card"
    hill.touch(asking.cancel)
    assert hill.model.view.asking is None
    hill.press("Turn up a quarry card")
    assert hill.model.view.asking is not None


def test_a_secret_is_shown_to_its_seat_alone(hill: Hand) -> None:
    table = hill.model
    asking = table.view.asking
    assert asking is not None
    hill.touch(asking.draw)
    for seat in (0, 1):
        hill.press("Rest", seat)
    prompts = table.view.prompts
    assert [(prompt.secret, prompt.choices) for prompt in prompts] == [(True, ())] * 2
    hill.touch(prompts[1].open)
    curtain = table.view.curtain
    assert curtain is not None
    assert curtain.text == "Pass the screen to East."
    hill.touch(curtain.open)
    assert table.view.opened == 1
    assert [prompt.seat for prompt in table.view.prompts] == [1]
    hill.press("Fly a flag", 1)
    first = table.view.asking
    assert first is not None
    hill.touch(first.now.buttons[2].id)
    table.type("Onward")
    motto = table.view.asking
    assert motto is not None
    assert motto.answered == ("Green",)
    hill.touch(motto.now.done)
    assert table.view.opened is None
    assert table.state.flags[1] == ("green",)
    hill.touch(table.view.prompts[0].open)
    again = table.view.curtain
    assert again is not None
    hill.touch(again.open)
    assert hill.choice("Fly a flag", 0).quick == ()


def test_a_list_is_tapped_together_and_ends_by_itself(hill: Hand) -> None:
    table = hill.model
    asking = table.view.asking
    assert asking is not None
    hill.touch(asking.draw)
    hill.press("Paint flags", 0)
    for place in (0, 2):
        painting = table.view.asking
        assert painting is not None
        assert len(painting.now.picked) == (place > 0)
        hill.touch(painting.now.buttons[place].id)
    assert table.view.asking is None
    assert table.state.flags[0] == ("red", "green")


def test_an_answer_that_is_refused_is_asked_for_again(hill: Hand) -> None:
    table = hill.model
    asking = table.view.asking
    assert asking is not None
    hill.touch(asking.draw)
    hill.press("Paint flags", 0)
    for _ in range(2):
        painting = table.view.asking
        assert painting is not None
        hill.touch(painting.now.buttons[0].id)
    message = table.view.message
    assert message is not None
    assert message.rule is not None
    assert message.rule.ruling
    assert table.view.asking is not None
    hill.touch(message.anyway)
    assert table.state.flags[0] == ("red", "red")
    assert table.view.asking is None
