"""A module's clock on the host's, and the pace of its samples."""

from __future__ import annotations

import random

import pytest

from companion.devices.scales.clock import WRAP_US, LinkClock, Pace

_HOST_START_US = 10**12


class _Crystal:
    """A module's clock as it really is, and pings over a line that is quick at its best and slow at times."""

    def __init__(self, skew_ppm: float, first_us: int = 0) -> None:
        self.chance = random.Random(5)
        self._skew = skew_ppm / 1e6
        self._first_us = first_us

    def mcu_us(self, host_us: int) -> int:
        return self._first_us + round((host_us - _HOST_START_US) * (1 + self._skew))

    def ping(self, clock: LinkClock, sent_us: int) -> None:
        arrived = sent_us + 150 + int(self.chance.expovariate(1 / 800))
        left = arrived + 60
        received = left + 150 + int(self.chance.expovariate(1 / 800))
        clock.pong(sent_us, self.mcu_us(arrived) % WRAP_US, self.mcu_us(left) % WRAP_US, received)


@pytest.mark.parametrize("skew_ppm", [-3000.0, 0.0, 40.0, 5000.0])
def test_a_skewed_clock_is_followed_through_its_wrap(skew_ppm: float) -> None:
    crystal, clock = _Crystal(skew_ppm, first_us=WRAP_US - 40_000_000), LinkClock()
    worst_us = 0.0
    for second in range(120):
        host_us = _HOST_START_US + second * 1_000_000
        crystal.ping(clock, host_us)
        if second > 20:
            later_us = host_us + 500_000
            worst_us = max(worst_us, abs(clock.host_us(crystal.mcu_us(later_us)) - later_us))
    assert worst_us < 1000
    assert clock.skew_ppm == pytest.approx(skew_ppm, abs=30)


def test_slow_pings_do_not_pull() -> None:
    clock = LinkClock()
    for second in range(30):
        sent_us = second * 1_000_000
        late_us = 0 if second % 5 == 0 else 30_000
        clock.pong(sent_us, sent_us + 200 + late_us, sent_us + 200 + late_us, sent_us + 400 + late_us)
    assert abs(clock.host_us(29_500_000) - 29_500_000) < 300
    assert clock.rtt_us == 400


def test_a_pong_that_came_before_its_ping_is_not_believed() -> None:
    clock = LinkClock()
    clock.pong(sent_us=1000, t_rx_us=0, t_tx_us=5000, received_us=2000)
    assert not clock.known


def test_time_goes_on_over_several_wraps_of_silence() -> None:
    clock = LinkClock()
    assert clock.unwrap(5, 0) == 5
    silent_us = 3 * WRAP_US + 1_000_000
    assert clock.unwrap((5 + silent_us + 30_000) % WRAP_US, silent_us) == 5 + silent_us + 30_000


def test_a_time_a_little_before_the_last_is_no_wrap() -> None:
    clock = LinkClock()
    clock.unwrap(1_000_000, 0)
    assert clock.unwrap(999_000, 10) == 999_000


def test_samples_are_timed_better_than_they_are_read() -> None:
    chance, pace, period_us = random.Random(7), Pace(), 1e6 / 93.1
    wrong_us = []
    for number in range(3000):
        true_us = 5e6 + number * period_us
        if chance.random() < 0.05:
            continue
        timed_us = pace.add(true_us + chance.random() * 400)
        if number > 200:
            wrong_us.append(abs(timed_us - true_us - 200))
    assert max(wrong_us) < 80
    assert pace.rate_hz == pytest.approx(93.1, abs=0.01)


@pytest.mark.parametrize("first_gap", [2, 3])
def test_a_gap_at_the_very_beginning_is_not_taken_for_the_pace(first_gap: int) -> None:
    pace = Pace()
    pace.add(0)
    for number in range(first_gap, 40):
        pace.add(number * 10_000.0)
    assert pace.rate_hz == pytest.approx(100)


def test_another_rate_is_taken_up() -> None:
    pace = Pace()
    for number in range(100):
        pace.add(number * 12_500.0)
    for number in range(20):
        timed_us = pace.add(2e6 + number * 100_000.0)
    assert timed_us == pytest.approx(2e6 + 19 * 100_000.0)
    assert pace.rate_hz == pytest.approx(10)


def test_a_long_pause_begins_anew() -> None:
    pace = Pace()
    for number in range(100):
        pace.add(number * 10_000.0)
    assert pace.add(60e6) == 60e6
    assert pace.rate_hz is None
