"""Payloads: what is written is read back, what is not ours is let be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.scales import messages
from companion.devices.scales.messages import Ack, Boot, Hello, Pong, Round, Status, Type, read
from companion.devices.scales.wire import Packet
from companion.errors import Malformed
from companion.sensing.streams import Flag

_EDGES = (0, 1, -1, 127, 128, -128, 255, 256, 65535, 65536, -65536, (1 << 23) - 1, -(1 << 23))
_counts = st.one_of(st.none(), st.sampled_from(_EDGES), st.integers(-(1 << 23), (1 << 23) - 1))
_u32 = st.integers(0, (1 << 32) - 1)
_u16 = st.integers(0, 65535)
_u8 = st.integers(0, 255)


@st.composite
def _rounds(draw: st.DrawFn) -> Round:
    counts = draw(st.tuples(_counts, _counts, _counts, _counts))
    mask = sum(1 << channel for channel, count in enumerate(counts) if count is not None)
    return Round(draw(_u32), mask, Flag(draw(st.integers(0, 15))), counts)


@given(_rounds())
def test_rounds_come_back(round: Round) -> None:
    assert read(Packet(Type.SAMPLE, 0, messages.write_round(round))) == round


@given(_rounds(), st.binary(max_size=8))
def test_what_a_later_minor_version_adds_is_ignored(round: Round, more: bytes) -> None:
    assert read(Packet(Type.SAMPLE, 0, messages.write_round(round) + more)) == round


@pytest.mark.parametrize("length", range(6))
def test_a_round_that_is_cut_short_is_none(length: int) -> None:
    assert read(Packet(Type.SAMPLE, 0, bytes(length))) is None


def test_a_round_of_more_channels_than_there_are_is_none() -> None:
    assert read(Packet(Type.SAMPLE, 0, bytes((0, 0, 0, 0, 0x10, 0, 1, 2, 3)))) is None


_STATUS = Status(
    t_us=7, tx_dropped=1, rx_bad=2, timeouts=3, saturations=4, desyncs=5, late=6, worst_loop_us=65535, streaming=True,
    rate_sps=10, gain=64, expected=15, alive=7, faults=(Flag(0), Flag(1), Flag(10), Flag(8)),
)  # fmt: skip
_HELLO = Hello(minor=3, firmware="1.2.3", build=0xDEADBEEF, id="far-corner-1", expected=5, rate_sps=10, streaming=True)


@pytest.mark.parametrize(
    ("type", "write", "message", "length"),
    [
        (Type.STATUS, messages.write_status, _STATUS, 27),
        (Type.HELLO, messages.write_hello, _HELLO, 31),
        (Type.BOOT, messages.write_boot, Boot(9, 8), 5),
        (Type.PONG, messages.write_pong, Pong(1, 2, 3), 12),
        (Type.ACK, messages.write_ack, Ack(0x83, 513, 2), 4),
    ],
)
def test_messages_come_back(type: Type, write: Callable[[Any], bytes], message: object, length: int) -> None:
    payload = write(message)
    assert len(payload) == length
    assert read(Packet(type, 0, payload)) == message
    assert read(Packet(type, 0, payload + b"more")) == message
    assert read(Packet(type, 0, payload[:-1])) is None


@given(_u8, st.binary(max_size=60))
def test_nothing_that_arrives_upsets_reading(type: int, payload: bytes) -> None:
    read(Packet(type, 0, payload))


def test_of_another_major_version_only_the_version_is_read() -> None:
    assert read(Packet(Type.HELLO, 0, bytes((2, 7)))) == Hello(major=2, minor=7, firmware="")


@pytest.mark.parametrize(
    ("cause", "words"),
    [(1, "it was switched on"), (12, "its supply sagged and its program had hung"), (0, "the cause is not known")],
)
def test_why_a_module_started(cause: int, words: str) -> None:
    assert Boot(0, cause).why() == words


def test_an_id_is_padded() -> None:
    assert messages.id_payload("north") == b"north" + bytes(7)


@pytest.mark.parametrize("name", ["North", "far corner", "n" * 13, "süd"])
def test_an_id_that_cannot_be_stored_is_refused(name: str) -> None:
    with pytest.raises(Malformed, match="small letters"):
        messages.id_payload(name)
