"""Time at the table."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.session.clocks import ManualClock, SeatClocks, SystemClock
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.toy import Take


def test_several_seats_think_at_once(clock: ManualClock) -> None:
    clocks = SeatClocks.fresh(3, clock)
    clocks.activate([0, 2])
    clock.advance(5)
    clocks.activate([2])
    clock.advance(1.5)
    assert [clocks.seat_s(seat) for seat in range(3)] == [5, 0, 6.5]
    assert clocks.table_s == 6.5


def test_a_pause_stops_them_all(clock: ManualClock) -> None:
    clocks = SeatClocks.fresh(2, clock)
    clocks.activate([0])
    clock.advance(2)
    clocks.pause()
    clock.advance(100)
    assert (clocks.seat_s(0), clocks.table_s) == (2, 2)
    clocks.resume()
    clock.advance(1)
    assert (clocks.seat_s(0), clocks.table_s) == (3, 3)


def test_a_seat_that_is_not_there(clock: ManualClock) -> None:
    with pytest.raises(Malformed, match="seats 0 to 1"):
        SeatClocks.fresh(2, clock).activate([2])


def test_time_off_never_counts_and_a_closed_game_keeps_its_time(
    shelf: Shelf, session: Session, clock: ManualClock
) -> None:
    session.clocks.activate([1])
    clock.advance(10)
    session.dispatch(Take(seat=1))
    clock.advance(4)
    session.close()
    clock.advance(1000)
    with shelf.open(session.id) as again:
        assert again.clocks.paused
        assert again.clocks.active == (1,)
        clock.advance(1000)
        assert again.clocks.seat_s(1) == 14
        again.resume()
        clock.advance(1)
        assert again.clocks.seat_s(1) == 15


def test_a_pulled_plug_loses_at_most_the_time_since_the_last_line(
    shelf: Shelf, session: Session, clock: ManualClock
) -> None:
    session.clocks.activate([0])
    clock.advance(10)
    session.dispatch(Take(seat=0))
    clock.advance(4)
    session._journal.close()
    later = ManualClock(wall_s=clock.wall_ns() // 10**9 + 86_400)
    with Shelf(shelf.folder, game_of=toy.game_of, clock=later).open(session.id) as again:
        assert again.clocks.seat_s(0) == 10


def test_a_pause_is_kept_at_once(shelf: Shelf, session: Session, clock: ManualClock) -> None:
    session.clocks.activate([0])
    clock.advance(3)
    session.pause()
    with shelf.open(session.id, read_only=True) as reader:
        assert reader.clocks.seat_s(0) == 3


def test_undo_does_not_turn_back_time(session: Session, clock: ManualClock) -> None:
    session.clocks.activate([0])
    clock.advance(3)
    session.dispatch(Take(seat=0))
    session.undo()
    assert session.clocks.seat_s(0) == 3


def test_the_machines_clocks_go_on() -> None:
    clock = SystemClock()
    assert clock.monotonic_ns() <= clock.monotonic_ns()
    assert clock.wall_ns() > 1_600_000_000 * 10**9
