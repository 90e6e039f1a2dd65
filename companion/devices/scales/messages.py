"""What a module and the table say to each other, as values. firmware/PROTOCOL.md has every byte of it."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct

from companion.devices.scales.wire import Packet, frame
from companion.errors import Malformed
from companion.sensing.streams import Flag

MAJOR = 1
"""The protocol that is spoken here."""
BAUD = 500_000
CHANNELS = 4
FULL_SCALE = (-(1 << 23), (1 << 23) - 1)
"""What a chip says when there is more than it can measure."""
RATES_SPS = (10, 80)
GAINS = (128, 64)

_ID_BYTES = 12
_ID = re.compile(r"[a-z0-9-]{0,12}")
_STREAMING = 1
_HELLO = struct.Struct("<BB3BI12sBBIBBBB")
_STATUS = struct.Struct("<I7HBBBBB4s")
_BOOT = struct.Struct("<IB")
_PONG = struct.Struct("<III")
_ACK = struct.Struct("<BHB")
_NO_MASK = 1 << CHANNELS
_ALL = _NO_MASK - 1
_HELD = tuple(tuple(channel for channel in range(CHANNELS) if mask >> channel & 1) for mask in range(_NO_MASK))
_SAMPLES = tuple(struct.Struct("<IBB" + "Hb" * len(held)) for held in _HELD)
_FLAGS = tuple(Flag(bits) for bits in range(16))
_CAUSES = {1: "it was switched on", 2: "its port was opened", 4: "its supply sagged", 8: "its program had hung"}


class Type(IntEnum):
    """The first byte of a frame. From 0x81 on it is the table that speaks."""

    SAMPLE = 0x01
    STATUS = 0x02
    HELLO = 0x03
    BOOT = 0x04
    PONG = 0x05
    ACK = 0x06
    ASK_HELLO = 0x81
    PING = 0x82
    STREAM = 0x83
    SET_RATE = 0x84
    SET_GAIN = 0x85
    SET_ID = 0x86
    SET_CHANNELS = 0x87
    TEXT = 0x88
    CLEAR = 0x89


class Result(IntEnum):
    """What became of a command."""

    DONE = 0
    UNKNOWN = 1
    WRONG = 2
    CANNOT = 3


class Round(Struct, frozen=True, gc=False):
    """One round of readings, None for each channel that had none. `t_us` is the module's 32 bit clock."""

    t_us: int
    mask: int
    flags: Flag
    counts: tuple[int | None, ...]


class Status(Struct, frozen=True, kw_only=True):
    """What a module counts, since its start, modulo 65536; and which channels should and do answer."""

    t_us: int
    tx_dropped: int = 0
    rx_bad: int = 0
    timeouts: int = 0
    saturations: int = 0
    desyncs: int = 0
    late: int = 0
    worst_loop_us: int = 0
    streaming: bool = False
    rate_sps: int = 80
    gain: int = 128
    expected: int = 0
    alive: int = 0
    faults: tuple[Flag, ...] = (Flag(0),) * CHANNELS


class Hello(Struct, frozen=True, kw_only=True):
    """Who a module is. Of a major version that is not known here, the versions alone are read."""

    major: int = MAJOR
    minor: int = 0
    firmware: str = "1.0.0"
    build: int = 0
    id: str = ""
    channels: int = CHANNELS
    expected: int = 0
    tick_hz: int = 1_000_000
    rate_sps: int = 80
    gain: int = 128
    can_set: int = 3
    streaming: bool = False


class Boot(Struct, frozen=True):
    """A module has started. Several causes are several bits."""

    t_us: int
    cause: int

    def why(self) -> str:
        """Its cause in words."""
        said = [words for bit, words in _CAUSES.items() if self.cause & bit]
        return " and ".join(said) or "the cause is not known"


class Pong(Struct, frozen=True):
    """The answer to a ping: when it arrived and when this was sent, by the module's clock."""

    nonce: int
    t_rx_us: int
    t_tx_us: int


class Ack(Struct, frozen=True):
    """What became of a command, named by its type and number."""

    command: int
    seq: int
    result: int


Message: TypeAlias = Round | Status | Hello | Boot | Pong | Ack


def read(packet: Packet) -> Message | None:
    """What a module said; None for what is not known here or has not the length it should have."""
    if packet.type == Type.SAMPLE:
        return read_round(packet.payload)
    parse = _READ.get(packet.type)
    try:
        return parse(packet.payload) if parse else None
    except struct.error:
        return None


def read_round(payload: bytes) -> Round | None:
    """A SAMPLE's payload; what a later minor version adds at its end is ignored."""
    mask = payload[4] if len(payload) > 4 else _NO_MASK
    if mask >= _NO_MASK or len(payload) < _SAMPLES[mask].size:
        return None
    t_us, _, flags, *parts = _SAMPLES[mask].unpack_from(payload)
    if mask == _ALL:
        a, a_high, b, b_high, c, c_high, d, d_high = parts
        counts = (a + (a_high << 16), b + (b_high << 16), c + (c_high << 16), d + (d_high << 16))
        return Round(t_us, mask, _FLAGS[flags & 15], counts)
    return Round(t_us, mask, _FLAGS[flags & 15], _spread(_HELD[mask], parts))


def _spread(held: tuple[int, ...], parts: list[int]) -> tuple[int | None, ...]:
    counts: list[int | None] = [None] * CHANNELS
    for place, channel in enumerate(held):
        counts[channel] = parts[2 * place] + (parts[2 * place + 1] << 16)
    return tuple(counts)


def _read_status(payload: bytes) -> Status:
    t_us, *counted, state, rate, gain, expected, alive, faults = _STATUS.unpack_from(payload)
    tx_dropped, rx_bad, timeouts, saturations, desyncs, late, worst_loop_us = counted
    return Status(
        t_us=t_us, tx_dropped=tx_dropped, rx_bad=rx_bad, timeouts=timeouts, saturations=saturations, desyncs=desyncs,
        late=late, worst_loop_us=worst_loop_us, streaming=bool(state & _STREAMING), rate_sps=rate, gain=gain,
        expected=expected, alive=alive, faults=tuple(_FLAGS[bits & 15] for bits in faults),
    )  # fmt: skip


def _read_hello(payload: bytes) -> Hello | None:
    if len(payload) >= 2 and payload[0] != MAJOR:
        return Hello(major=payload[0], minor=payload[1], firmware="")
    major, minor, a, b, c, build, name, channels, expected, tick, rate, gain, can, state = _HELLO.unpack_from(payload)
    return Hello(
        major=major, minor=minor, firmware=f"{a}.{b}.{c}", build=build, id=_shown_id(name), channels=channels,
        expected=expected, tick_hz=tick, rate_sps=rate, gain=gain, can_set=can, streaming=bool(state & _STREAMING),
    )  # fmt: skip


def _shown_id(name: bytes) -> str:
    return name.rstrip(b"\0").decode("ascii", errors="replace")


_READ: dict[int, Callable[[bytes], Message | None]] = {
    Type.STATUS.value: _read_status,
    Type.HELLO.value: _read_hello,
    Type.BOOT.value: lambda payload: Boot(*_BOOT.unpack_from(payload)),
    Type.PONG.value: lambda payload: Pong(*_PONG.unpack_from(payload)),
    Type.ACK.value: lambda payload: Ack(*_ACK.unpack_from(payload)),
}


# How it is written


def ping(nonce: int, seq: int) -> bytes:
    return frame(Type.PING, nonce.to_bytes(4, "little"), seq)


def id_payload(name: str) -> bytes:
    """A module's id as it is stored. Raises Malformed for one that cannot be."""
    if not _ID.fullmatch(name):
        raise Malformed(
            f"'{name}' cannot be a module's id: it has up to {_ID_BYTES} small letters a to z, digits and '-'."
        )
    return name.encode("ascii").ljust(_ID_BYTES, b"\0")


def write_round(round: Round) -> bytes:
    """The payload of a SAMPLE."""
    parts = [part for count in round.counts if count is not None for part in (count & 0xFFFF, count >> 16)]
    return _SAMPLES[round.mask].pack(round.t_us, round.mask, round.flags, *parts)


def write_status(status: Status) -> bytes:
    return _STATUS.pack(
        status.t_us, status.tx_dropped, status.rx_bad, status.timeouts, status.saturations, status.desyncs, status.late,
        status.worst_loop_us, status.streaming, status.rate_sps, status.gain, status.expected, status.alive,
        bytes(status.faults),
    )  # fmt: skip


def write_hello(hello: Hello) -> bytes:
    version = (int(part) for part in hello.firmware.split("."))
    return _HELLO.pack(
        hello.major, hello.minor, *version, hello.build, hello.id.encode("ascii"), hello.channels, hello.expected,
        hello.tick_hz, hello.rate_sps, hello.gain, hello.can_set, hello.streaming,
    )  # fmt: skip


def write_boot(boot: Boot) -> bytes:
    return _BOOT.pack(boot.t_us, boot.cause)


def write_pong(pong: Pong) -> bytes:
    return _PONG.pack(pong.nonce, pong.t_rx_us, pong.t_tx_us)


def write_ack(ack: Ack) -> bytes:
    return _ACK.pack(ack.command, ack.seq, ack.result)
