"""What listening to a module costs, beside a bare `struct.unpack` of the same frames."""

from __future__ import annotations

import random
import struct
import time
from collections.abc import Callable

from companion.devices.scales.link import Link
from companion.devices.scales.messages import BAUD, Hello, Pong, Round, Type, read, write_hello, write_pong, write_round
from companion.devices.scales.wire import DELIMITER, Decoder, cobs_decode, frame
from companion.sensing.streams import Flag

LINE_BYTES_PER_S = BAUD // 10
"""As fast as a module can talk."""

_ROUNDS = 5000
_REPEATS = 5
_PERIOD_US = 10_750
_CHUNK_BYTES = 64
_MODULES = 4
_BARE = struct.Struct("<BHIBB12sH")
_RANDOM_BYTES = 20_000_000


def decode_cost() -> dict[str, float]:
    """Microseconds for one sample of four cells: bare unpack, frames alone, and all the way to a time on our clock."""
    frames = _frames()
    bare = [cobs_decode(each[:-1]) or b"" for each in frames]
    bare_us = _per_round_us(lambda: [_BARE.unpack(raw) for raw in bare])
    decode_us = _per_round_us(lambda: [read(packet) for packet in Decoder().feed(b"".join(frames))])
    link_us = _per_round_us(lambda: _listened(frames))
    return {
        "bare_unpack_us": bare_us,
        "decode_us": decode_us,
        "driver_us": link_us,
        "decode_times_bare": decode_us / bare_us,
        "driver_times_bare": link_us / bare_us,
        "core_percent_4_modules": link_us * _MODULES * 1e6 / _PERIOD_US / 1e4,
    }


def noise_speed(size: int = _RANDOM_BYTES, seed: int = 0) -> dict[str, float]:
    """How fast the decoder throws random bytes away, in MB/s and in line rates of a module."""
    noise = random.Random(seed).randbytes(size)
    decoder = Decoder()
    began = time.perf_counter()
    packets = sum(
        1
        for at in range(0, size, _CHUNK_BYTES)
        for packet in decoder.feed(noise[at : at + _CHUNK_BYTES])
        if read(packet)
    )
    took_s = time.perf_counter() - began
    return {
        "bytes": size,
        "bad": decoder.bad,
        "packets": packets,
        "mb_per_s": size / took_s / 1e6,
        "line_rates": size / took_s / LINE_BYTES_PER_S,
    }


def run() -> None:
    """Measure and print."""
    for measured in (decode_cost(), noise_speed()):
        for name, value in measured.items():
            print(f"{name:<24} {value:>14.3f}")


def _frames() -> list[bytes]:
    chance = random.Random(1)
    return [
        frame(Type.SAMPLE, write_round(Round(n * _PERIOD_US, 15, Flag(0), _counts(chance))), n) for n in range(_ROUNDS)
    ]


def _counts(chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.randrange(-(1 << 23), 1 << 23) for _ in range(4))


def _listened(frames: list[bytes]) -> None:
    """A link with its clock set, fed one frame at a time as it comes from a port."""
    link = Link("bench", 0)
    link.take(DELIMITER + frame(Type.HELLO, write_hello(Hello(id="bench"))), 0)
    link.due(1)
    link.take(frame(Type.PONG, write_pong(Pong(1, 0, 0)), 1), 2)
    for number, each in enumerate(frames):
        link.take(each, number * _PERIOD_US + 1000)


def _per_round_us(measured: Callable[[], object]) -> float:
    best_s = float("inf")
    for _ in range(_REPEATS):
        began = time.perf_counter()
        measured()
        best_s = min(best_s, time.perf_counter() - began)
    return best_s / _ROUNDS * 1e6
