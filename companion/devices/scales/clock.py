"""Two clocks made one: a module counts its own microseconds in 32 bits, the table counts the host's.

Pings tell where the module's clock stands and how fast it goes; only the quickest are believed. The
times of samples come from counting them: a chip converts at a steady pace, and only the reading of it jitters.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct

WRAP_US = 1 << 32
"""A module's clock starts again after 71.6 minutes."""

_BUCKET_US = 1_000_000
_BUCKETS = 120
_SKEW_SD = 3e-3
"""What is believed of a module's clock before it was measured: a ceramic resonator is right to about this."""
_FLOOR_US = 100.0
"""A ping is never believed to be better than this."""

_FORGET = 1 - 1 / 160
_SETTLED = 8
_OFF_PACE = 0.3
_OFF_PACE_IN_A_ROW = 4
_GAPS_IN_A_ROW = 6
_LONGEST_GAP_S = 5
_US_PER_S = 1e6


class Ping(Struct, frozen=True):
    """One question and its answer: the middle of both on either clock, and the time they were under way."""

    host_us: float
    mcu_us: float
    rtt_us: float


class LinkClock:
    """A module's clock seen from the host. Start over with a new one when the module does.

    >>> clock = LinkClock()
    >>> clock.unwrap(4_294_967_290, host_us=0), clock.unwrap(10, host_us=16)
    (4294967290, 4294967306)
    """

    def __init__(self) -> None:
        self.last_us: int | None = None
        """The latest moment of the module's clock, and when it was on the host's."""
        self.last_host_us = 0
        self._best: deque[Ping] = deque(maxlen=_BUCKETS)
        self._bucket = 0
        self._at_mcu_us = 0.0
        self._at_host_us = 0.0
        self._skew = 0.0
        self.rtt_us: float | None = None

    @property
    def known(self) -> bool:
        """Whether a ping has come back yet."""
        return bool(self._best)

    @property
    def skew_ppm(self) -> float:
        """How much faster than the host's the module's clock goes."""
        return -self._skew * 1e6

    def unwrap(self, t_us: int, host_us: int) -> int:
        """A module's 32 bit time as one that only goes on, however long it was silent before."""
        if self.last_us is None:
            unwrapped = t_us
        else:
            expected = self.last_us + host_us - self.last_host_us
            unwrapped = expected + _signed(t_us - expected)
        if self.last_us is None or unwrapped > self.last_us:
            self.last_us, self.last_host_us = unwrapped, host_us
        return unwrapped

    def pong(self, sent_us: int, t_rx_us: int, t_tx_us: int, received_us: int) -> None:
        """A ping's answer: sent and received by the host's clock, arrived and left again by the module's."""
        mcu_tx = self.unwrap(t_tx_us, received_us)
        mcu_rx = mcu_tx - (t_tx_us - t_rx_us) % WRAP_US
        rtt_us = received_us - sent_us - (mcu_tx - mcu_rx)
        if rtt_us < 0:
            return
        self._keep(Ping((sent_us + received_us) / 2, (mcu_rx + mcu_tx) / 2, rtt_us))
        self.rtt_us = min(ping.rtt_us for ping in self._best)
        self._fit()

    def host_us(self, mcu_us: float) -> float:
        """A moment of the module's (unwrapped) clock on the host's."""
        since = mcu_us - self._at_mcu_us
        return self._at_host_us + since + since * self._skew

    def _keep(self, ping: Ping) -> None:
        bucket = int(ping.host_us // _BUCKET_US)
        if not self._best or bucket != self._bucket:
            self._bucket = bucket
            self._best.append(ping)
        elif ping.rtt_us < self._best[-1].rtt_us:
            self._best[-1] = ping

    def _fit(self) -> None:
        """Regress host minus module time on module time; slow pings count less, and an unusual skew has to be shown."""
        newest = self._best[-1]
        least = self.rtt_us or 0.0
        sums = [0.0] * 5
        for ping in self._best:
            weight = (_FLOOR_US + (ping.rtt_us - least) / 2) ** -2
            x = ping.mcu_us - newest.mcu_us
            y = ping.host_us - newest.host_us - x
            for place, term in enumerate((1.0, x, x * x, y, x * y)):
                sums[place] += weight * term
        total, sum_x, sum_xx, sum_y, sum_xy = sums
        mean_x, mean_y = sum_x / total, sum_y / total
        spread = sum_xx - total * mean_x * mean_x + _SKEW_SD**-2
        self._skew = (sum_xy - total * mean_x * mean_y) / spread
        self._at_mcu_us = newest.mcu_us + mean_x
        self._at_host_us = newest.host_us + mean_x + mean_y


class Pace:
    """When each sample of a steady row was taken: the time it was read, regressed on its number.

    >>> pace = Pace()
    >>> [round(pace.add(t_us)) for t_us in (0, 10_000, 20_000)]
    [0, 10000, 20000]
    """

    def __init__(self) -> None:
        self._read_us = 0.0
        self._start(0.0)
        self._samples = 0

    @property
    def period_us(self) -> float | None:
        """Time from one sample to the next, once it is known."""
        return self._period_us if self._samples >= _SETTLED else None

    @property
    def rate_hz(self) -> float | None:
        """Samples a second, once they are known."""
        period_us = self.period_us
        return _US_PER_S / period_us if period_us else None

    def add(self, read_us: float) -> float:
        """The time of the next sample from the moment it was read. Samples left out in between are noticed."""
        if not self._samples:
            self._start(read_us)
            return read_us
        before_us, self._read_us = self._read_us, read_us
        passed_us = read_us - before_us
        if not 0 < passed_us < _LONGEST_GAP_S * _US_PER_S:
            self._start(read_us)
            return read_us
        if self._samples == 1 or self._began_with_a_gap(passed_us):
            self._start(before_us)
            self._read_us, self._period_us = read_us, passed_us
        return self._fitted(read_us)

    def _began_with_a_gap(self, passed_us: float) -> bool:
        return self._samples < _SETTLED and passed_us < (1 - _OFF_PACE) * self._period_us

    def _start(self, read_us: float) -> None:
        self._origin_us = self._read_us = read_us
        self._samples = 1
        self._period_us = 0.0
        self._off_pace = self._gaps = 0
        self._line_us = 0.0
        # Sums over (number, time), both from the newest sample's own: weight, n, n * n, t, n * t.
        self._w, self._n, self._nn, self._t, self._nt = 1.0, 0.0, 0.0, 0.0, 0.0

    def _fitted(self, read_us: float) -> float:
        steps = max(1, round((read_us - self._origin_us - self._line_us) / self._period_us))
        expected_us = self._line_us + steps * self._period_us
        off_us = read_us - self._origin_us - expected_us
        self._gaps = self._gaps + 1 if steps > 1 else 0
        if abs(off_us) > _OFF_PACE * self._period_us or self._gaps >= _GAPS_IN_A_ROW:
            return self._stumbled(read_us)
        self._off_pace = 0
        self._samples += 1
        self._move_to(steps, read_us)
        self._regress()
        return read_us if self._samples < _SETTLED else self._origin_us + self._line_us

    def _stumbled(self, read_us: float) -> float:
        """A sample out of step is taken as it was read; several in a row are a new pace."""
        self._off_pace += 1
        if self._off_pace >= _OFF_PACE_IN_A_ROW or self._gaps >= _GAPS_IN_A_ROW or self._samples < _SETTLED:
            self._start(read_us)
        return read_us

    def _move_to(self, steps: int, read_us: float) -> None:
        """Let the sums grow old, make this sample their origin, and count it in."""
        by_us = read_us - self._origin_us
        w, n, nn, t, nt = (_FORGET * each for each in (self._w, self._n, self._nn, self._t, self._nt))
        self._nt = nt - steps * t - by_us * n + steps * by_us * w
        self._nn = nn - 2 * steps * n + steps * steps * w
        self._n = n - steps * w
        self._t = t - by_us * w
        self._w = w + 1.0
        self._origin_us = read_us

    def _regress(self) -> None:
        spread = self._w * self._nn - self._n * self._n
        slope = (self._w * self._nt - self._n * self._t) / spread
        self._period_us = slope
        self._line_us = (self._t - slope * self._n) / self._w


def _signed(difference: int) -> int:
    """The shortest way from one 32 bit time to another."""
    return (difference + WRAP_US // 2) % WRAP_US - WRAP_US // 2
