"""Samples and pictures on their way to the sensing thread: bounded, and in the order of time."""

from __future__ import annotations

import numpy as np

from companion.live.inbox import Inbox, InOrder
from companion.sensing.streams import Frame, ScaleSample

_IMAGE = np.zeros((2, 2, 3), np.uint8)


def sample(t_ms: int, board: str = "south") -> ScaleSample:
    return ScaleSample(t_ms * 1000, board, (1, 2, 3, 4))


def frame(t_ms: int) -> Frame:
    return Frame(t_ms * 1000, 0, _IMAGE)


def times(items: list[ScaleSample | Frame]) -> list[int]:
    return [item.t_us // 1000 for item in items]


def test_only_the_newest_pictures_wait_and_what_is_lost_is_counted() -> None:
    inbox = Inbox()
    inbox.put([frame(t_ms) for t_ms in range(10)])
    inbox.put([sample(t_ms) for t_ms in range(5000)])
    taken = inbox.take()
    assert (inbox.dropped_frames, inbox.dropped_samples) == (7, 1000)
    assert times([item for item in taken if isinstance(item, Frame)]) == [7, 8, 9]
    assert inbox.take() == []


def test_it_is_told_which_pictures_nobody_will_look_at() -> None:
    passed: list[Frame] = []
    inbox, order = Inbox(2, passed.append), InOrder(lambda: 1_000_000, passed.append)
    inbox.put([frame(1), frame(2), frame(3)])
    order.add([frame(900), frame(890), sample(880)])
    assert times([*passed]) == [1, 890]


def test_what_all_scales_have_passed_is_handed_on_in_order() -> None:
    order = InOrder(lambda: 1_000_000)
    order.add([sample(970, "north")])
    assert times(order.add([sample(980), sample(990), sample(985, "north"), frame(982)])) == [980, 982, 985]
    assert times(order.add([sample(995, "north"), sample(996)])) == [990, 995]


def test_no_sample_waits_for_a_picture() -> None:
    order = InOrder(lambda: 1_000_000)
    assert times(order.add([frame(900), sample(990)])) == [900, 990]
    assert times(order.add([frame(940)])) == [940]
    assert order.late == 0


def test_nothing_waits_long_for_scales_that_are_slow() -> None:
    now_ms = [1000]
    order = InOrder(lambda: now_ms[0] * 1000)
    assert times(order.add([sample(900, "north"), sample(990)])) == [900]
    now_ms[0] = 1041
    assert times(order.add([])) == [990]
    assert order.late == 0


def test_nothing_waits_at_all_for_a_sense_that_is_gone() -> None:
    now_ms = [1000]
    order = InOrder(lambda: now_ms[0] * 1000)
    order.add([frame(1000)])
    now_ms[0] = 2000
    assert times(order.add([sample(1999), sample(2000)])) == [1999, 2000]


def test_what_comes_too_late_is_counted_and_what_goes_back_left_out() -> None:
    now_ms = [1000]
    order = InOrder(lambda: now_ms[0] * 1000)
    order.add([sample(990), frame(992)])
    now_ms[0] = 1100
    order.add([sample(1090)])
    assert times(order.add([frame(1031)])) == [1031]
    assert order.late == 0
    now_ms[0] = 1200
    order.add([sample(1190)])
    assert times(order.add([frame(1129)])) == [1129]
    assert order.late == 1
    assert times(order.add([sample(1180, "north")])) == [1180]
    assert order.late == 2
    assert times(order.add([sample(1050)])) == []
    assert order.late == 3


def test_a_clock_that_ran_away_does_not_fill_the_memory() -> None:
    order = InOrder(lambda: 0)
    order.add([sample(0, "north")])
    handed = [item for t_ms in range(9000) for item in order.add([sample(10_000_000 + t_ms)])]
    assert len(handed) == 5000
