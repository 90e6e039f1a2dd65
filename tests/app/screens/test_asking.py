"""What is asked before a move is whole: by the fewest touches, found again by a letter, taken back without harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kivy.uix.floatlayout import FloatLayout

from companion.app.models.asking import AskingView
from companion.app.models.steps import Button, FieldChip, StepView
from companion.app.screens.asking import AskingSheet, ButtonGrid
from companion.app.screens.counting import CounterBox
from companion.app.screens.moves import TouchButton
from companion.app.screens.pieces import PieceButton, value_bits
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.scrolling import Scroller
from tests.app.driver import Driver
from tests.app.screens.playing import Doorman, ScreenHand, begun, has, legal, played_to, seated

SIZES = ((800, 480), (1280, 720), (720, 1280))


@pytest.fixture
def door(tmp_path: Path) -> Doorman:
    return Doorman(tmp_path)


def _asked(drive: Driver, door: Doorman, kind: str, seats: int = 4, size: tuple[int, int] = SIZES[0]) -> ScreenHand:
    """A table where a move is about to be made that asks for something."""
    session = played_to(door, begun(door, "castle-dukes", seats), has(kind))
    hand = ScreenHand(drive, seated(drive, door, session, size))
    if hand.model.view.asking is None:
        hand.touch(legal(hand.screen, kind).id)
    assert drive.find_all(AskingSheet)
    return hand


# What a button shows


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        ({"comfort": 2, "defence": 0}, [("comfort", "2")]),
        ({"king": 1, "serf": 2}, [("king", ""), ("serf", "2")]),
        ({"vp": 1, "levels": "upper"}, [("star", "1"), ("up", "")]),
        ({"comfort": 0, "defence": 0}, [("", "words")]),
        ({"kind": "pillar", "count": 2}, [("pillar", "words")]),
        ("knight", [("knight", "words")]),
        (("king", "princess", True), [("king", ""), ("princess", ""), ("fire", "")]),
        (("king", "knight", False), [("king", ""), ("knight", "")]),
        (7, [("", "words")]),
        ({"nobody-drew-this": 1}, [("", "words")]),
    ],
)
def test_values_are_shown_as_pieces_where_all_of_them_are_drawn(value: object, bits: list[tuple[str, str]]) -> None:
    assert value_bits(value, "words") == bits


def test_a_grid_uses_its_buttons_again(drive: Driver) -> None:
    grid = ButtonGrid(lambda id: None, [Button(id=str(at), label=f"word {at}") for at in range(6)])
    drive.show(grid)
    before = list(grid.buttons)
    grid.show([Button(id=f"new {at}", label=f"other {at}") for at in range(4)])
    assert grid.buttons == before[:4]
    assert [button.touch_id for button in grid.buttons] == ["new 0", "new 1", "new 2", "new 3"]
    grid.show([Button(id="a", label="", value={"comfort": 1, "king": 1})])
    assert isinstance(grid.buttons[0], PieceButton)


# Learning the box


def test_a_new_room_takes_five_touches_the_first_time_and_two_the_next(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 2), has("take-room"))
    hand = ScreenHand(drive, seated(drive, door, session))
    card = {"comfort": 1, "defence": 2, "offence": 3, "king": 1, "princess": 1, "knight": 1, "serf": 1, "vp": 2}
    slot = legal(hand.screen, "name-room")
    assert hand._seen(slot.id) or hand._reached(slot.id)
    if not drive.find_all(AskingSheet):
        hand.tap(hand._seen(slot.id))
    before = hand.taps
    for at in range(4):
        entry = hand._now().entry
        assert entry is not None
        section = entry.sections[at]
        wanted = {field: card.get(field, "any") for field in section.fields}
        hand.touch(next(button.id for button in section.buttons if button.value == wanted))
    assert hand.taps - before == 4
    assert hand.model.view.asking is None
    assert session.history(1)[-1].label
    again = legal(hand.screen, "name-room")
    hand.tap(hand._seen(again.id) or hand._reached(again.id))
    before = hand.taps
    known = hand._now().entry
    assert known is not None
    named = next(button for button in known.known if button.value and _holds(button.value, card))
    hand.touch(named.id)
    assert hand.taps - before == 1
    assert hand.model.view.asking is None


def _holds(value: Any, card: dict[str, int]) -> bool:
    return all(value.get(field) == number for field, number in card.items())


def test_a_known_room_is_found_by_a_letter(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "take-room")
    entry = hand._now().entry
    assert entry is not None
    label = entry.known[-1].label
    hand.tap(hand._searched(label))
    assert hand.model.view.asking is None


def test_values_can_be_told_out_of_order_and_one_by_one(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "take-room")
    entry = hand._now().entry
    assert entry is not None
    assert hand._in_section(entry.chips[2].plus)
    hand.touch(entry.chips[2].plus)
    after = hand._now().entry
    assert after is not None
    assert after.chips[2].value == 1
    assert drive.find(AskingSheet)._mode == "-1"
    hand.touch(after.chips[2].minus)
    again = hand._now().entry
    assert again is not None
    assert again.chips[2].value == 0


def test_a_room_is_named_on_the_keyboard(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "take-room")
    entry = hand._now().entry
    assert entry is not None
    hand.touch(entry.toggle_naming)
    for letter in "hut":
        hand.tap(hand._key(letter))
    assert drive.find(Keyboard).text == "Hut"
    hand.tap(hand._key("check"))
    drive.frames(3)
    named = hand._now().entry
    assert named is not None
    assert (named.name, named.naming) == ("Hut", False)
    assert "Hut" in drive.texts()


# Other questions


def test_guests_are_told_by_one_touch(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "reveal-guests")
    before = hand.taps
    hand.touch(hand._now().buttons[3].id)
    assert hand.taps == before + 1
    assert len(hand.model.state.guest_cards) == 1


def test_several_things_are_taken_and_put_back(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "draw-chits")
    for _ in range(2):
        hand.touch(hand._now().buttons[0].id)
    assert len(hand._now().picked) == 2
    hand.touch(hand._now().picked[0].id)
    assert len(hand._now().picked) == 1
    for _ in range(4):
        hand.touch(hand._now().buttons[2].id)
    assert hand.model.view.asking is None


def test_the_companion_draws_when_it_is_asked_to(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "draw-chits")
    assert hand.model.view.asking is not None
    seq = hand.model.session.seq
    hand.touch(hand.model.view.asking.draw)
    assert hand.model.session.seq == seq + 1


def test_closing_takes_the_move_back_and_does_not_ask_again(drive: Driver, door: Doorman) -> None:
    hand = _asked(drive, door, "draw-chits")
    seq = hand.model.session.seq
    hand.close_sheet()
    assert hand.model.view.asking is None
    assert drive.find_all(AskingSheet) == []
    assert hand.model.session.seq == seq
    assert has("draw-chits")(hand.model)


def test_a_roll_is_told_die_by_die(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dice", 2), has("roll-world"))
    hand = ScreenHand(drive, seated(drive, door, session))
    asking = hand.model.view.asking
    assert asking is not None
    assert [button.label for button in asking.now.buttons] == ["1", "2", "3", "cow", "barbarian"]
    dice = sum(sum(player.dice.values()) for player in hand.model.state.players)
    seq = session.seq
    while session.seq == seq:
        hand.touch(hand._now().buttons[0].id)
    assert hand.taps == dice


# Every kind of question by itself


def _asking(now: StepView, **more: Any) -> AskingView:
    parts: dict[str, Any] = {"fields": ("field",), "step": 1, "steps": 1, "answered": (), "presets": (), "draw": ""}
    return AskingView(title="A move", do="move", now=now, back="back", cancel="cancel", **{**parts, **more})


def _sheet(drive: Driver, now: StepView, size: tuple[int, int] = SIZES[0], **more: Any) -> tuple[Any, list[str]]:
    touched: list[str] = []
    host = drive.show(FloatLayout(), size)
    sheet = AskingSheet(_asking(now, **more), touched.append, touched.append)
    sheet.open(host)
    drive.still()
    return sheet, touched


def _buttons(*labels: str) -> tuple[Button, ...]:
    return tuple(
        Button(id=f"id {label}", label=label, value=int(label) if label.isdecimal() else label) for label in labels
    )


@pytest.mark.parametrize("size", SIZES)
def test_a_number_is_typed_on_a_pad(drive: Driver, size: tuple[int, int]) -> None:
    digits = _buttons(*"0123456789")
    step = StepView(kind="pad", label="feet", buttons=digits, typed="12", high=999, done="done", erase="erase")
    _, touched = _sheet(drive, step, size)
    drive.tap("7")
    drive.tap(drive.find(TouchButton, where=lambda one: one.touch_id == "erase"))
    drive.tap(drive.find(TouchButton, where=lambda one: one.touch_id == "done"))
    assert touched == ["id 7", "erase", "done"]
    assert "12" in drive.texts()
    assert drive.overlaps_and_cuts() == []


def test_a_pad_leaves_out_what_would_be_too_much(drive: Driver) -> None:
    _, touched = _sheet(drive, StepView(kind="pad", label="feet", buttons=_buttons("0", "1"), typed="1", high=11))
    drive.tap("9")
    drive.tap(drive.find(TouchButton, text="1"))
    assert touched == ["id 1"]


@pytest.mark.parametrize("size", SIZES)
def test_numbers_that_are_proposed_are_counted_up_and_down(drive: Driver, size: tuple[int, int]) -> None:
    kinds = ("wood", "stone", "gold", "silver as wood", "silver as stone", "silver as gold", "bricks")
    chips = tuple(
        FieldChip(field=kind, label=kind, value=at, plus=f"{kind} +", minus=f"{kind} -" if at else "")
        for at, kind in enumerate(kinds)
    )
    _, touched = _sheet(drive, StepView(kind="counts", label="how many", chips=chips, done="done"), size)
    assert drive.overlaps_and_cuts() == []
    boxes = {box.text: box for box in drive.find_all(CounterBox)}
    assert [boxes[kind].value for kind in kinds] == list(range(len(kinds)))
    drive.tap(boxes["stone"]._plus)
    drive.tap(boxes["stone"]._minus)
    assert boxes["wood"]._minus.disabled
    drive.tap("Done")
    assert touched == ["stone +", "stone -", "done"]


def test_words_are_typed_letter_by_letter(drive: Driver) -> None:
    _, touched = _sheet(drive, StepView(kind="text", label="motto", typed="", done="done"))
    for key in "Up":
        drive.tap(key)
    drive.tap(drive.find(PushButton, where=lambda one: getattr(one, "key", "") == "check"))
    drive.frames(2)
    assert touched == ["Up", "done"]


def test_a_small_number_is_one_touch(drive: Driver) -> None:
    _, touched = _sheet(drive, StepView(kind="number", label="coins", buttons=_buttons("0", "1", "2")))
    drive.tap("2")
    assert touched == ["id 2"]


def test_answers_given_before_come_first(drive: Driver) -> None:
    step = StepView(kind="grid", label="colour", buttons=_buttons("red", "blue"))
    _, touched = _sheet(drive, step, presets=(Button(id="preset", label="red as ever"),))
    drive.tap("red as ever")
    assert touched == ["preset"]


@pytest.mark.parametrize("kind", ["pad", "text"])
def test_before_something_is_typed_what_was_said_before_is_offered(drive: Driver, kind: Any) -> None:
    step = StepView(kind=kind, label="roll", buttons=_buttons(*"0123456789"), typed="", high=99)
    _, touched = _sheet(drive, step, presets=(Button(id="preset", label="as ever"),))
    drive.tap("as ever")
    assert touched == ["preset"]
    drive.tap("Something else")
    assert drive.find_all(Keyboard) or drive.find_all(PushButton, text="9")


def test_the_second_question_can_go_back(drive: Driver) -> None:
    step = StepView(kind="grid", label="colour", buttons=_buttons("red", "blue"))
    _, touched = _sheet(drive, step, step=2, steps=2, answered=("king",))
    assert any("king" in text for text in drive.texts())
    drive.tap(drive.find(TouchButton, where=lambda one: one.icon == "back"))
    assert touched == ["back"]


@pytest.mark.parametrize("kind", ["take-room", "reveal-guests", "draw-chits", "draw-construction"])
def test_questions_fit_the_smallest_screen_down_to_their_end(drive: Driver, door: Doorman, kind: str) -> None:
    hand = _asked(drive, door, kind, 6, SIZES[0])
    assert drive.overlaps_and_cuts() == []
    for scroller in drive.find_all(Scroller, under=hand.sheet()):
        scroller.go_to(scroller.furthest)
    drive.frames(3)
    assert drive.overlaps_and_cuts() == []
