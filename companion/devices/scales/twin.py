"""The simulated twin of a scale module: the same bytes, from counts of your choosing, with every fault on request.

`SimModule` is the module without any port. `SimTable` plugs modules into ports that exist in memory only; `PtyModule`
puts one on a pseudo terminal that any program can open like a serial port.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import threading
import time
import tty
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from companion.devices.presses import MonotonicNs
from companion.devices.scales.messages import (
    CHANNELS,
    FULL_SCALE,
    GAINS,
    RATES_SPS,
    Ack,
    Boot,
    Hello,
    Pong,
    Result,
    Round,
    Status,
    Type,
    write_ack,
    write_boot,
    write_hello,
    write_pong,
    write_round,
    write_status,
)
from companion.devices.scales.wire import DELIMITER, Decoder, Packet, frame
from companion.errors import DeviceLost
from companion.sensing.streams import Flag

Source = Callable[[int, int], float]
"""Counts of a channel at a moment: (microseconds since the module was made, channel)."""
Spoil = Callable[[bytes], bytes]
"""What the line makes of the bytes that a module sends."""

_NS_PER_US = 1000
_US_PER_S = 1_000_000
_OWN_PACE = (1.162, 1.155, 1.16, 1.149)
"""Real chips are faster than their nominal rate, each by its own oscillator."""
_SLOWER = 10 / 80
_SETTLING_ROUNDS = 4
_WAKING_US = 50_000
_TIMEOUT_US = 250_000
_TIMEOUT_AGAIN_US = 600_000
_WRAP = 1 << 16
_PAYLOAD_BYTES: dict[int, int] = {
    Type.ASK_HELLO: 0, Type.PING: 4, Type.STREAM: 1, Type.SET_RATE: 1, Type.SET_GAIN: 1, Type.SET_ID: 12,
    Type.SET_CHANNELS: 1, Type.CLEAR: 0,
}  # fmt: skip
_ALLOWED: dict[int, Container[int]] = {
    Type.STREAM: (0, 1), Type.SET_RATE: RATES_SPS, Type.SET_GAIN: GAINS, Type.SET_CHANNELS: range(1 << CHANNELS)
}  # fmt: skip
_ID = re.compile(rb"[a-z0-9-]*\0*")
_STEP_S = 0.002
_JOIN_S = 2.0
_READ_BYTES = 4096


class _Chip:
    """One HX711: when it is ready next, when it last was, and how many readings it still needs to settle."""

    def __init__(self, ready_us: float) -> None:
        self.ready_us = ready_us
        self.seen_us = ready_us
        self.told_us = 0.0
        self.settling = _SETTLING_ROUNDS


def still(level: float = 100_000.0, noise: float = 40.0, seed: int = 0) -> Source:
    """A board on which nothing happens."""
    chance = random.Random(seed)
    return lambda t_us, channel: level * (1 + channel / 10) + chance.gauss(0, noise)


def trace(rows: Sequence[tuple[int, Sequence[float]]]) -> Source:
    """Counts as rows of (time, counts of each channel), each held until the next."""
    times = [t_us for t_us, _ in rows]
    return lambda t_us, channel: rows[max(0, bisect_right(times, t_us) - 1)][1][channel]


class SimModule:
    """A module that is told what time it is. Set its faults at any moment; `sent` counts the frames it has made.

    `dead` channels give nothing, `full` ones read the end of their range; `spoil` is what the line does to its bytes.
    """

    def __init__(self, id: str = "north", source: Source | None = None, *, hello: Hello | None = None) -> None:
        self.hello = hello or Hello(id=id, expected=(1 << CHANNELS) - 1)
        self.source = source or still()
        self.dead: set[int] = set()
        self.full: set[int] = set()
        self.spoil: Spoil = bytes
        self.skew_ppm = 800.0
        self.first_us = 0
        """What its clock says when it starts."""
        self.sent = 0
        self.rounds: list[Round] | None = None
        """Set a list to keep every round that was sent."""
        self._glitches: dict[int, list[int]] = {}
        self._out = b""
        self._made_us: int | None = None
        self._now_us = 0
        self.reset(1)

    # What befalls it

    def reset(self, cause: int = 2) -> None:
        """Start anew, as after a press of its button: what it was sending is cut off."""
        self._cause: int | None = cause
        self._out = self._out[: len(self._out) // 2]
        self._decoder = Decoder()
        self._seq = 0
        self.status = Status(t_us=0, expected=self.hello.expected, alive=0)
        self.hello = replace(self.hello, streaming=False, rate_sps=80, gain=128)
        self._desync: set[int] = set()
        self._chips: list[_Chip] = []
        self._round: dict[int, int] = {}
        self._round_us = 0.0
        self._flags = Flag(0)

    def desync(self, channel: int) -> None:
        """A chip loses step at its next reading."""
        self._desync.add(channel)

    def glitch(self, channel: int, *counts: int) -> None:
        """The next readings of a channel are these."""
        self._glitches.setdefault(channel, []).extend(counts)

    # What it does

    def exchange(self, received: bytes, now_us: int) -> bytes:
        """Hear what was sent to it, live on until now, and say what it has to say."""
        self._begin(now_us)
        self._live(now_us)
        self._now_us = now_us
        for packet in self._decoder.feed(received):
            self._obey(packet)
        said, self._out = self._out, b""
        return self.spoil(said)

    def _begin(self, now_us: int) -> None:
        if self._made_us is None:
            self._made_us = now_us
        if self._cause is not None:
            self._boot_us = self._now_us = now_us
            self._status_us = now_us + _US_PER_S
            self._chips = [_Chip(now_us + _WAKING_US + 800 * channel) for channel in range(self.hello.channels)]
            self._out += DELIMITER
            self._send(Type.BOOT, write_boot(Boot(self._clock(now_us), self._cause)))
            self._send(Type.HELLO, write_hello(self.hello))
            self._cause = None

    def _live(self, until_us: int) -> None:
        """Everything that happens until then, in order."""
        while True:
            channel, chip = min(enumerate(self._chips), key=lambda each: each[1].ready_us)
            if min(chip.ready_us, self._status_us) > until_us:
                return
            if self._status_us <= chip.ready_us:
                self._report(self._status_us)
                self._status_us += _US_PER_S
            else:
                self._convert(channel, chip)

    def _convert(self, channel: int, chip: _Chip) -> None:
        at_us = chip.ready_us
        slow = 1.0 if self.hello.rate_sps == RATES_SPS[1] else _SLOWER
        chip.ready_us += _US_PER_S / (80 * slow * _OWN_PACE[channel])
        if channel in self.dead:
            self._waited(chip, at_us)
            return
        chip.seen_us = at_us
        if channel in self._round:
            self._close()
        if not self._round:
            self._round_us = at_us
        self._read(channel, chip, at_us)
        if not self._awaited():
            self._close()

    def _read(self, channel: int, chip: _Chip, at_us: float) -> None:
        if channel in self._desync:
            self._desync.discard(channel)
            self._flags |= Flag.DESYNC
            self._count("desyncs")
            chip.ready_us, chip.settling = at_us + _WAKING_US, _SETTLING_ROUNDS
            return
        if chip.settling:
            chip.settling -= 1
            self._flags |= Flag.SETTLING
        count = self._counts(channel, at_us)
        if count in FULL_SCALE:
            self._flags |= Flag.SATURATED
            self._count("saturations")
        self._round[channel] = count

    def _counts(self, channel: int, at_us: float) -> int:
        if self._glitches.get(channel):
            return self._glitches[channel].pop(0)
        if channel in self.full:
            return FULL_SCALE[1]
        low, high = FULL_SCALE
        return min(max(round(self.source(int(at_us) - (self._made_us or 0), channel)), low), high)

    def _waited(self, chip: _Chip, at_us: float) -> None:
        if at_us - chip.seen_us > _TIMEOUT_US and at_us - chip.told_us > _TIMEOUT_AGAIN_US:
            chip.told_us = at_us
            self._flags |= Flag.TIMEOUT
            self._count("timeouts")
            if not self._awaited():
                self._round_us = self._round_us if self._round else at_us
                self._close()

    def _awaited(self) -> int:
        return self.hello.expected & self._alive() & ~sum(1 << channel for channel in self._round)

    def _alive(self) -> int:
        newest_us = max((chip.seen_us for chip in self._chips), default=0.0)
        return sum(
            1 << channel for channel, chip in enumerate(self._chips) if newest_us - chip.seen_us < _TIMEOUT_US
        ) & ~sum(1 << channel for channel in self.dead)

    def _close(self) -> None:
        counts = tuple(self._round.get(channel) for channel in range(CHANNELS))
        made = Round(self._clock(self._round_us), sum(1 << channel for channel in self._round), self._flags, counts)
        self._round, self._flags = {}, Flag(0)
        if self.hello.streaming:
            if self.rounds is not None:
                self.rounds.append(made)
            self._send(Type.SAMPLE, write_round(made))

    def _report(self, at_us: int) -> None:
        self.status = replace(
            self.status, t_us=self._clock(at_us), streaming=self.hello.streaming, rate_sps=self.hello.rate_sps,
            gain=self.hello.gain, expected=self.hello.expected, alive=self._alive(), worst_loop_us=180,
        )  # fmt: skip
        self._send(Type.STATUS, write_status(self.status))

    # What it is told

    def _obey(self, packet: Packet) -> None:
        if packet.type == Type.ASK_HELLO and not packet.payload:
            self._send(Type.HELLO, write_hello(self.hello))
        elif packet.type == Type.PING and len(packet.payload) == 4:
            at = self._clock(self._now_us)
            self._send(Type.PONG, write_pong(Pong(int.from_bytes(packet.payload, "little"), at, at)))
        else:
            self._send(Type.ACK, write_ack(Ack(packet.type, packet.seq, self._commanded(packet.type, packet.payload))))

    def _commanded(self, type: int, payload: bytes) -> Result:
        if type not in _PAYLOAD_BYTES:
            return Result.UNKNOWN
        if len(payload) != _PAYLOAD_BYTES[type]:
            return Result.WRONG
        return self._set(Type(type), payload)

    def _set(self, type: Type, payload: bytes) -> Result:
        value = payload[0] if payload else 0
        if value not in _ALLOWED.get(type, (value,)) or (type == Type.SET_ID and not _ID.fullmatch(payload)):
            return Result.WRONG
        match type:
            case Type.STREAM:
                self.hello = replace(self.hello, streaming=bool(value))
            case Type.SET_RATE:
                self.hello = replace(self.hello, rate_sps=value)
            case Type.SET_GAIN:
                self.hello = replace(self.hello, gain=value)
            case Type.SET_ID:
                self.hello = replace(self.hello, id=payload.rstrip(b"\0").decode("ascii"))
            case Type.SET_CHANNELS:
                self.hello = replace(self.hello, expected=value or self._alive())
            case Type.CLEAR:
                self.status = replace(self.status, faults=(Flag(0),) * CHANNELS)
            case _:
                return Result.WRONG
        return Result.DONE

    def _send(self, type: Type, payload: bytes) -> None:
        self._out += frame(type, payload, self._seq)
        self._seq = (self._seq + 1) % _WRAP
        self.sent += 1

    def _count(self, counter: str) -> None:
        self.status = replace(self.status, **{counter: (getattr(self.status, counter) + 1) % _WRAP})

    def _clock(self, at_us: float) -> int:
        return int(self.first_us + (at_us - self._boot_us) * (1 + self.skew_ppm / 1e6)) % (1 << 32)


class SimTable:
    """Ports in memory, with modules to plug in and pull out: hand `ports` and `open` to the driver."""

    def __init__(self, monotonic_ns: MonotonicNs) -> None:
        self._now_ns = monotonic_ns
        self._plugged: dict[str, SimModule] = {}

    def plug_in(self, module: SimModule, port: str) -> None:
        """A module loses its power with its cable: it starts when it is plugged in."""
        module.reset(1)
        self._plugged[port] = module

    def unplug(self, port: str) -> None:
        del self._plugged[port]

    def ports(self) -> tuple[str, ...]:
        return tuple(self._plugged)

    def open(self, port: str) -> SimPort:
        if port not in self._plugged:
            raise DeviceLost(f"Nothing is plugged in at {port}.")
        return SimPort(self, port)

    def exchange(self, port: str, module: SimModule, sent: bytes) -> bytes:
        """Pass on what the driver sends to a module, and give what the module says."""
        if self._plugged.get(port) is not module:
            raise DeviceLost(f"{port} does not answer any more (it was unplugged).")
        return module.exchange(sent, self._now_ns() // _NS_PER_US)

    def at(self, port: str) -> SimModule:
        return self._plugged[port]


class SimPort:
    """An open port in memory."""

    def __init__(self, table: SimTable, path: str) -> None:
        self._table = table
        self._path = path
        self._module = table.at(path)
        self._said = b""

    def read(self) -> bytes:
        said, self._said = self._said, b""
        return said + self._table.exchange(self._path, self._module, b"")

    def write(self, data: bytes) -> None:
        self._said += self._table.exchange(self._path, self._module, data)

    def close(self) -> None:
        """The module does not notice."""


class PtyModule:
    """A module on a pseudo terminal: `path` is a serial port to any program. Pump `step`, or let it be `running`."""

    def __init__(self, module: SimModule, monotonic_ns: MonotonicNs = time.monotonic_ns) -> None:
        self.module = module
        self.path = ""
        self._now_ns = monotonic_ns
        self._ends: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self.plug_in()

    def ports(self) -> tuple[str, ...]:
        """Its port, while it is plugged in."""
        return (self.path,) if self._ends else ()

    def plug_in(self) -> None:
        """At a port of its own, which may be another one each time."""
        with self._lock:
            self._ends = os.openpty()
            for end in self._ends:
                tty.setraw(end)
                os.set_blocking(end, False)
            self.path = os.ttyname(self._ends[1])
            self.module.reset(1)

    def unplug(self) -> None:
        """Pull the cable."""
        with self._lock:
            for end in self._ends or ():
                os.close(end)
            self._ends = None

    close = unplug

    def step(self) -> None:
        """Hear, live and speak once. What finds no room on the line is lost."""
        with self._lock:
            if self._ends is None:
                return
            heard = b""
            with contextlib.suppress(OSError):
                heard = os.read(self._ends[0], _READ_BYTES)
            said = self.module.exchange(heard, self._now_ns() // _NS_PER_US)
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], said)

    @contextmanager
    def running(self) -> Iterator[PtyModule]:
        """Step by itself until the end of the block."""
        stop = threading.Event()

        def live() -> None:
            while not stop.wait(_STEP_S):
                self.step()

        thread = threading.Thread(target=live, name="scales-twin", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            stop.set()
            thread.join(_JOIN_S)
            self.close()


def every_nth_byte(nth: int, flip: bool) -> Spoil:
    """A line that drops every so manieth byte, or flips one bit of it."""
    at = 0

    def spoil(data: bytes) -> bytes:
        nonlocal at
        spoilt = bytearray()
        for byte in data:
            at += 1
            if at % nth:
                spoilt.append(byte)
            elif flip:
                spoilt.append(byte ^ 1 << at // nth % 8)
        return bytes(spoilt)

    return spoil
