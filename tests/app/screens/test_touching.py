"""Fingers on the table screen of the real app: waking it, tapping once and twice, holding."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.screens.asides import HoldTouch
from companion.app.theme import HOLD_S
from tests.app.driver import Finger
from tests.app.screens.evening import Evening
from tests.app.screens.playing import ScreenHand, legal

_LOCK_MIN = 2


def _at_the_table(evening: Evening, **settings: Any) -> ScreenHand:
    evening.begin("North", "East")
    app = evening.start(motion=False, **settings)
    evening.drive.tap(evening.drive.find(id="resume"))
    evening.drive.still()
    return ScreenHand(evening.drive, app.screen)


def _pillars(hand: ScreenHand) -> Any:
    return hand._found(legal(hand.screen, "take-pillars").id)


def test_the_touch_that_wakes_the_table_makes_no_move(evening: Evening) -> None:
    hand = _at_the_table(evening, lock_min=_LOCK_MIN)
    evening.drive.advance(_LOCK_MIN * 60 + 1, step=1.0)
    assert evening.app.glass.asleep
    seq = hand.model.session.seq
    evening.drive.tap(_pillars(hand))
    assert (hand.model.session.seq, evening.app.glass.asleep) == (seq, False)
    evening.drive.still()
    evening.drive.tap(_pillars(hand))
    assert hand.model.session.seq == seq + 1


def test_the_finger_that_wakes_holds_nothing(evening: Evening) -> None:
    hand = _at_the_table(evening, lock_min=_LOCK_MIN)
    held = _refused(hand)
    seq = hand.model.session.seq
    evening.drive.advance(_LOCK_MIN * 60 + 1, step=1.0)
    evening.drive.hold(held, seconds=2 * HOLD_S)
    assert (hand.model.session.seq, evening.app.glass.asleep) == (seq, False)


@pytest.mark.parametrize("order", ["down down up up", "down up down up"])
def test_a_tap_that_two_drivers_deliver_is_one_move(evening: Evening, order: str) -> None:
    hand = _at_the_table(evening)
    seq = hand.model.session.seq
    x, y = evening.drive.place(_pillars(hand))
    fingers = [Finger(x, y), Finger(x + 2, y - 1)]
    down, up = iter(fingers), iter(fingers)
    for word in order.split():
        if word == "down":
            next(down).down()
        else:
            next(up).up()
    evening.drive.frames(3)
    assert hand.model.session.seq == seq + 1


def test_what_the_rules_refuse_is_held_never_tapped(evening: Evening) -> None:
    hand = _at_the_table(evening)
    held = _refused(hand)
    seq = hand.model.session.seq
    evening.drive.tap(held)
    evening.drive.hold(held, seconds=HOLD_S * 0.8)
    assert hand.model.session.seq == seq
    evening.drive.hold(held, seconds=HOLD_S + 0.1)
    assert hand.model.session.history(1)[-1].kind == "correction"


def _refused(hand: ScreenHand) -> HoldTouch:
    """The way to do a refused move all the same."""
    while True:
        prompts = hand.model.view.prompts
        grey = [one for prompt in prompts for one in prompt.choices if not one.legal and not one.asks and one.rule]
        if grey:
            hand.touch(grey[0].id)
            return hand.drive.find(HoldTouch)
        hand.touch(next(one.id for prompt in prompts for one in prompt.choices if one.legal and not one.asks))
