"""Counters, dials and the pad that numbers are typed on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.numbers import Counter, Dial, NumberPad
from tests.app.widgets.touched import Heard, fixed

if TYPE_CHECKING:
    from tests.app.driver import Driver


def test_a_counter_tells_its_steps_and_leaves_counting_to_others(drive: Driver) -> None:
    counter = drive.show(fixed(Counter(text="coins", value=4), 300, 100))
    heard = Heard().of(counter, "on_step")
    minus, plus = drive.find_all(PushButton)
    drive.tap(plus)
    drive.tap(minus)
    assert (heard, counter.value) == ([("on_step", 1), ("on_step", -1)], 4)


def test_a_counter_that_counts_stops_at_its_ends(drive: Driver) -> None:
    counter = drive.show(fixed(Counter(value=1, high=2, self_counting=True), 300, 100))
    minus, plus = drive.find_all(PushButton)
    for _ in range(3):
        drive.tap(plus)
    assert counter.value == 2
    for _ in range(4):
        drive.tap(minus)
    assert counter.value == 0


def test_a_change_is_shown_for_five_seconds_and_adds_up(drive: Driver) -> None:
    counter = drive.show(fixed(Counter(value=4), 300, 100))
    counter.value = 6
    drive.advance(3.0, step=0.1)
    counter.value = 7
    drive.advance(4.8, step=0.1)
    assert "+3" in drive.texts()
    drive.advance(0.4, step=0.1)
    assert "+3" not in drive.texts()
    counter.value = 5
    drive.frames(2)
    assert "\N{MINUS SIGN}2" in drive.texts()


def test_another_games_number_is_no_change(drive: Driver) -> None:
    counter = drive.show(fixed(Counter(value=4), 300, 100))
    counter.become(9)
    drive.frames(2)
    assert (counter.change, drive.texts()) == (0, ["9"])


def test_a_side_of_a_counter_that_is_off_says_why(drive: Driver) -> None:
    counter = drive.show(fixed(Counter(value=4, plus_reason="The bank is empty."), 300, 100))
    heard = Heard().of(counter, "on_step", "on_reason")
    drive.tap(drive.find_all(PushButton)[1])
    assert heard == [("on_reason", "The bank is empty.")]


@pytest.mark.parametrize("box", [(300, 80), (160, 160), (80, 220)])
def test_a_counter_fits_any_shape(drive: Driver, box: tuple[int, int]) -> None:
    drive.show(fixed(Counter(text="coins", icon="coin", value=88), *box))
    assert drive.overlaps_and_cuts() == []


def test_a_dial_turns_to_its_value(drive: Driver) -> None:
    dial = drive.show(fixed(Dial(text="Comfort", icon="comfort", value=0, high=20), 120, 150))
    dial.value = 10
    drive.frames(6)
    assert 0 < dial.turned < 0.5
    drive.still()
    assert dial.turned == pytest.approx(0.5)
    assert {"10", "+10", "Comfort"} <= set(drive.texts())


def test_a_number_is_typed(drive: Driver) -> None:
    pad = drive.show(fixed(NumberPad(low=1, high=40), 300, 300))
    heard = Heard().of(pad, "on_done")
    for key in "17":
        drive.tap(key)
    assert pad.value == 17
    drive.tap("3")
    assert pad.value == 3
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "backspace"))
    assert pad.value is None
    done = drive.find(PushButton, where=lambda key: key.icon == "check")
    drive.tap(done)
    assert heard == []
    drive.tap("0")
    drive.tap(done)
    assert heard == []
    drive.tap("9")
    drive.tap(done)
    assert heard == [("on_done", 9)]
