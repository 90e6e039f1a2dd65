"""The portable core on this computer: framing, rounds, faults, commands, settings."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.scales.messages import Ack, Boot, Hello, Pong, Result, Round, Status, Type, read
from companion.devices.scales.twin import SimModule
from companion.devices.scales.wire import Decoder, frame
from companion.sensing.streams import Flag
from tests.firmware.core import Core

_LOWEST, _HIGHEST = -(1 << 23), (1 << 23) - 1


def rounds(core: Core) -> list[Round]:
    return [message for message in core.messages() if isinstance(message, Round)]


def status(core: Core) -> Status:
    """The next STATUS, with all chips working meanwhile."""
    for _ in range(90):
        core.convert(1, 2, 3, 4)
    return [message for message in core.messages() if isinstance(message, Status)][-1]


def stream(core: Core) -> None:
    assert core.command(Type.STREAM, b"\1") == [Ack(Type.STREAM, 0, Result.DONE)]


def test_the_first_words_are_a_zero_boot_and_hello(library: Path) -> None:
    core = Core(library)
    core.boot(cause=2)
    assert core.host.sent[0] == 0
    boot, hello = core.messages()
    assert isinstance(boot, Boot)
    assert boot.cause == 2
    assert isinstance(hello, Hello)
    assert (hello.major, hello.minor, hello.firmware, hello.id, hello.channels) == (1, 0, "1.0.0", "", 4)
    assert hello.tick_hz == 1_000_000
    assert hello.build != 0


def test_every_count_arrives_as_it_was_converted(core: Core) -> None:
    stream(core)
    draw = random.Random(7)
    edges = [_LOWEST, _LOWEST + 1, -1, 0, 1, _HIGHEST - 1, _HIGHEST, 0x00FF00, -0x010000]
    for _ in range(500):
        counts = tuple(draw.choice(edges) if draw.random() < 0.3 else draw.randint(_LOWEST, _HIGHEST) for _ in range(4))
        core.convert(*counts)
        (only,) = rounds(core)
        assert only.counts == counts
        assert bool(only.flags & Flag.SATURATED) == bool({_LOWEST, _HIGHEST} & {*counts})


def test_numbers_of_frames_are_spent_by_what_was_dropped(core: Core) -> None:
    stream(core)
    core.convert(1, 2, 3, 4)
    (before,) = core.packets()
    core.host.room = 10
    for _ in range(5):
        core.convert(1, 2, 3, 4)
    assert core.sent() == b""
    core.host.room = 255
    core.convert(1, 2, 3, 4)
    (after,) = core.packets()
    assert (after.seq - before.seq) & 0xFFFF == 6
    assert status(core).tx_dropped >= 5


def test_a_slow_chip_is_absent_from_a_round_and_first_in_the_next(core: Core) -> None:
    stream(core)
    core.convert(10, 20, None, None)
    core.convert(None, None, 30, None)
    assert rounds(core) == []
    core.convert(11, None, None, None)
    (lapped,) = rounds(core)
    assert lapped.counts == (10, 20, 30, None)
    core.convert(None, 21, 31, 40)
    (whole,) = rounds(core)
    assert whole.counts == (11, 21, 31, 40)


def test_a_silent_chip_times_out_is_latched_and_comes_back(core: Core) -> None:
    stream(core)
    downs = core.host.chips[1].power_downs
    for _ in range(30):
        core.convert(1, None, 3, 4)
    said = rounds(core)
    assert sum(bool(one.flags & Flag.TIMEOUT) for one in said) == 1
    assert all(one.counts[1] is None for one in said)
    assert core.host.chips[1].power_downs == downs + 1
    for _ in range(70):
        core.convert(1, None, 3, 4)
    seen = [message for message in core.messages() if isinstance(message, Status)][-1]
    assert (seen.alive, seen.expected, seen.faults[1]) == (0b1101, 0b1111, Flag.TIMEOUT)
    core.convert(1, 2, 3, 4)
    assert [one.counts for one in rounds(core)][-1] == (1, 2, 3, 4)
    seen = status(core)
    assert (seen.alive, seen.faults[1]) == (0b1111, Flag.TIMEOUT)
    assert core.command(Type.CLEAR) == [Ack(Type.CLEAR, 0, Result.DONE)]
    assert status(core).faults == (Flag(0),) * 4


def test_when_all_chips_are_silent_the_timeout_is_said_without_any_channel(core: Core) -> None:
    stream(core)
    core.idle(300_000)
    (said,) = rounds(core)
    assert (said.mask, said.flags) == (0, Flag.TIMEOUT)


def test_a_line_that_stays_low_is_a_desync_once_and_no_flood(core: Core) -> None:
    stream(core)
    core.host.chips[2].stuck_low = True
    for _ in range(40):
        core.convert(5, 6, None, 8)
    said = rounds(core)
    assert sum(bool(one.flags & Flag.DESYNC) for one in said) == 1
    assert all(one.counts[2] is None for one in said)
    core.host.chips[2].stuck_low = False
    core.wait(4000)
    core.convert(5, 6, 7, 8)
    assert [one.counts for one in rounds(core)][-1] == (5, 6, 7, 8)
    assert status(core).desyncs == 1


def test_the_first_conversions_after_a_change_are_settling(core: Core) -> None:
    stream(core)
    assert core.command(Type.SET_GAIN, bytes([64])) == [Ack(Type.SET_GAIN, 0, Result.DONE)]
    flags = []
    for _ in range(6):
        core.convert(1, 2, 3, 4)
        flags += [bool(one.flags & Flag.SETTLING) for one in rounds(core)]
    assert flags == [True] * 4 + [False] * 2
    assert core.host.chips[0].extra == 3
    core.command(Type.SET_GAIN, bytes([64]))
    core.convert(1, 2, 3, 4)
    assert rounds(core)[0].flags == Flag(0)


def test_a_reading_that_may_be_too_old_is_thrown_away_and_counted(core: Core) -> None:
    stream(core)
    for channel in range(4):
        core._core.host_convert(channel, 99)
    core.wait(9000)
    assert rounds(core) == []
    assert status(core).late == 4


def test_the_clock_wraps_without_a_fault(core: Core) -> None:
    stream(core)
    core.host.now_us = 0xFFFFFFFF - 1_000_000
    core.wait(0)
    core.sent()
    times = []
    for _ in range(160):
        core.convert(1, 2, 3, 4)
        times += [one.t_us for one in rounds(core)]
    assert {(after - before) & 0xFFFFFFFF for before, after in pairwise(times)} == {12_500}


COMMANDS = pytest.mark.parametrize(
    ("type", "payload", "result"),
    [
        (Type.STREAM, b"\1", Result.DONE),
        (Type.STREAM, b"\2", Result.WRONG),
        (Type.STREAM, b"", Result.WRONG),
        (Type.SET_RATE, b"\x0a", Result.DONE),
        (Type.SET_RATE, b"\x0b", Result.WRONG),
        (Type.SET_GAIN, b"\x20", Result.WRONG),
        (Type.SET_CHANNELS, b"\x10", Result.WRONG),
        (Type.SET_CHANNELS, b"\x03", Result.DONE),
        (Type.SET_ID, b"north".ljust(12, b"\0"), Result.DONE),
        (Type.SET_ID, b"North".ljust(12, b"\0"), Result.WRONG),
        (Type.SET_ID, b"a\0b".ljust(12, b"\0"), Result.WRONG),
        (Type.SET_ID, b"north", Result.WRONG),
        (Type.PING, b"123", Result.WRONG),
        (Type.ASK_HELLO, b"1", Result.WRONG),
        (0x8A, b"", Result.UNKNOWN),
        (0x01, b"", Result.UNKNOWN),
        (Type.SET_ID, b"n\xfcrd".ljust(12, b"\0"), Result.WRONG),
        (Type.SET_CHANNELS, b"\0", Result.DONE),
        (Type.CLEAR, b"", Result.DONE),
    ],
)


@COMMANDS
def test_commands_are_acknowledged_and_can_be_said_twice(core: Core, type: int, payload: bytes, result: int) -> None:
    for seq in (0xBEEF, 0xBEF0):
        assert core.command(type, payload, seq) == [Ack(type, seq, result)]


@COMMANDS
def test_the_simulated_twin_answers_alike(type: int, payload: bytes, result: int) -> None:
    twin = SimModule("north")
    twin.exchange(b"", 0)
    answers = [read(packet) for packet in Decoder().feed(twin.exchange(frame(type, payload, 0xBEEF), 1000))]
    assert answers == [Ack(type, 0xBEEF, result)]


def test_ping_tells_when_it_came_and_when_it_went(core: Core) -> None:
    now = core.host.now_us
    assert core.command(Type.PING, b"\4\3\2\1") == [Pong(0x01020304, now, now)]


def test_broken_frames_are_counted_and_the_next_one_is_heard(core: Core) -> None:
    good = frame(Type.ASK_HELLO)
    core.receive(b"\x05\x81\x00\0" + good[:-2] + b"\x55\0" + b"\x11" * 80 + b"\0" + good)
    assert [type(message) for message in core.messages()] == [Hello]
    assert status(core).rx_bad == 3


def test_a_frame_that_stops_half_way_is_given_up(core: Core) -> None:
    good = frame(Type.ASK_HELLO)
    core.receive(good[:3])
    core.idle(400_000)
    core.sent()
    core.receive(good)
    assert [type(message) for message in core.messages()] == [Hello]


def test_id_and_channels_outlive_a_reset(core: Core) -> None:
    core.command(Type.SET_ID, b"east-2".ljust(12, b"\0"))
    core.command(Type.SET_CHANNELS, b"\x03")
    core.idle(100_000)
    core.sent()
    core.boot()
    hello = core.messages()[1]
    assert isinstance(hello, Hello)
    assert (hello.id, hello.expected) == ("east-2", 0b0011)


def test_storing_the_same_again_wears_nothing(core: Core) -> None:
    for _ in range(3):
        core.command(Type.SET_ID, b"east".ljust(12, b"\0"))
        core.idle(100_000)
    assert 0 < core.host.stored <= 15


def test_a_damaged_store_counts_as_empty(core: Core) -> None:
    core.command(Type.SET_ID, b"east".ljust(12, b"\0"))
    core.idle(100_000)
    core.host.store[3] ^= 1
    core.sent()
    core.boot()
    hello = core.messages()[1]
    assert isinstance(hello, Hello)
    assert (hello.id, hello.expected) == ("", 0)


def test_the_rate_line_follows(core: Core) -> None:
    assert core.host.fast
    core.command(Type.SET_RATE, bytes([10]))
    assert not core.host.fast
