"""Frames: the bytes of the protocol's examples, and a decoder that nothing upsets."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.scales import bench
from companion.devices.scales.wire import LONGEST, Decoder, Packet, cobs_decode, cobs_encode, frame, unframe

_BEGINS = 4
_payloads = st.binary(max_size=LONGEST - 6)
_packets = st.builds(Packet, st.integers(0, 255), st.integers(0, 65535), _payloads)


def _wire(packet: Packet) -> bytes:
    return frame(packet.type, packet.payload, packet.seq)


@pytest.mark.parametrize(
    ("packet", "wire"),
    [
        (Packet(0x82, 7, bytes.fromhex("04030201")), "0382070704030201771700"),
        (Packet(0x83, 8, b"\1"), "0383080401a47b00"),
        (Packet(0x06, 0x0102, bytes.fromhex("83080000")), "060602018308 0103bf9e00"),
        (Packet(0x01, 3, bytes.fromhex("40420f000500ffffff523d01")), "0301030440420f020509ffffff523d01405c00"),
    ],
)
def test_the_examples_of_the_protocol(packet: Packet, wire: str) -> None:
    assert _wire(packet) == bytes.fromhex(wire)
    assert unframe(bytes.fromhex(wire)[:-1]) == packet


@given(st.binary(max_size=250))
def test_cobs_leaves_no_zero_and_comes_back(data: bytes) -> None:
    encoded = cobs_encode(data)
    if len(encoded) < 255:
        assert 0 not in encoded
        assert cobs_decode(encoded) == data


@given(st.lists(_packets, max_size=12), st.integers(1, 50))
def test_packets_survive_any_cutting(packets: list[Packet], size: int) -> None:
    wire = b"\0" + b"".join(map(_wire, packets))
    decoder = Decoder()
    found = [packet for at in range(0, len(wire), size) for packet in decoder.feed(wire[at : at + size])]
    assert found == packets
    assert (decoder.good, decoder.bad) == (len(packets), 0)


@given(st.lists(st.binary(max_size=400), max_size=20), _packets)
def test_whatever_comes_before_the_next_frame_is_read(noise: list[bytes], packet: Packet) -> None:
    decoder = Decoder()
    for chunk in noise:
        list(decoder.feed(chunk))
    assert list(decoder.feed(b"\0" + _wire(packet)))[-1] == packet


@given(_packets, st.data())
def test_one_changed_byte_is_never_believed(packet: Packet, data: st.DataObject) -> None:
    wire = bytearray(_wire(packet))
    at = data.draw(st.integers(0, len(wire) - 2))
    wire[at] ^= 1 << data.draw(st.integers(0, 7))
    assert packet not in Decoder().feed(bytes(wire))


def test_a_frame_that_never_ends_takes_no_room() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert list(decoder.feed(b"\x07" * 1000)) == []
    assert len(decoder._rest) <= LONGEST + 1
    assert next(decoder.feed(b"\0" + frame(1))).type == 1
    assert decoder.bad == 1


@pytest.mark.parametrize("drop", [False, True])
def test_every_loss_is_counted_when_bytes_go_wrong(drop: bool) -> None:
    chance = random.Random(3)
    sent = [Packet(1, seq % 65536, chance.randbytes(18)) for seq in range(66_000)]
    wire = bytearray(b"".join(map(_wire, sent)))
    for at in range(500, len(wire), 501):
        wire[at] ^= 1 << chance.randrange(8)
    if drop:
        del wire[500::501]
    decoder = Decoder()
    found = list(decoder.feed(bytes(wire) + _wire(Packet(1, 66_000 % 65536, b""))))[:-1]
    assert len(found) < len(sent)
    assert decoder.lost == len(sent) - len(found)
    assert set(found) <= set(sent)


def test_numbers_begin_anew_with_a_start() -> None:
    decoder = Decoder(begins=_BEGINS)
    list(decoder.feed(frame(1, seq=100) + frame(_BEGINS, seq=0) + frame(1, seq=1)))
    assert decoder.lost == 0


def test_a_hole_can_be_forgiven() -> None:
    decoder = Decoder()
    list(decoder.feed(frame(1, seq=1) + frame(1, seq=5)))
    assert (decoder.lost, decoder.hole) == (3, 3)
    list(decoder.feed(frame(1, seq=2)))
    decoder.forgive(decoder.hole)
    assert decoder.lost == 3


def test_noise_is_thrown_away_and_counted() -> None:
    measured = bench.noise_speed(1_000_000)
    assert measured["bad"] > 1000
    assert measured["packets"] == 0
    assert measured["line_rates"] > 0


def test_the_bench_tells_what_decoding_costs() -> None:
    measured = bench.decode_cost()
    assert all(measured[what] > 0 for what in ("bare_unpack_us", "decode_us", "driver_us", "core_percent_4_modules"))
