"""Frames on the wire: COBS(type, seq, payload, CRC) and a zero. Whatever arrives, the next zero begins anew."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

from msgspec import Struct

DELIMITER = b"\0"
LONGEST = 59
"""No frame is longer than this on the wire, its zero not counted."""

_CRC_START = 0xFFFF
_HEAD = 3
_CRC = 2
_SHORTEST = 1 + _HEAD + _CRC
_SEQ_WRAP = 1 << 16


class Packet(Struct, frozen=True, array_like=True, gc=False):
    """A frame that arrived whole."""

    type: int
    seq: int
    payload: bytes


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    return binascii.crc_hqx(data, _CRC_START)


def cobs_encode(data: bytes) -> bytes:
    """Fewer than 254 bytes without any zero among them.

    >>> cobs_encode(bytes([7, 0, 8])).hex()
    '02070208'
    """
    return b"".join(bytes((len(block) + 1,)) + block for block in data.split(DELIMITER))


def cobs_decode(data: bytes) -> bytes | None:
    """What was encoded, or None where it cannot have been. Fewer than 255 bytes, no zero among them.

    >>> cobs_decode(bytes.fromhex("02070208")).hex(), cobs_decode(bytes([9, 1]))
    ('070008', None)
    """
    plain = bytearray(data)
    end = len(plain)
    at = plain[0] if end else 1
    while at < end:
        step = plain[at]
        plain[at] = 0
        at += step
    return bytes(plain[1:]) if at == end else None


def frame(type: int, payload: bytes = b"", seq: int = 0) -> bytes:
    """A frame as it is sent, its zero included."""
    body = bytes((type, seq & 0xFF, seq >> 8)) + payload
    return cobs_encode(body + crc16(body).to_bytes(_CRC, "little")) + DELIMITER


def unframe(data: bytes) -> Packet | None:
    """The frame between two zeros, or None where it did not arrive whole."""
    if not _SHORTEST <= len(data) <= LONGEST:
        return None
    plain = cobs_decode(data)
    if plain is None or binascii.crc_hqx(plain[:-_CRC], _CRC_START) != plain[-2] | plain[-1] << 8:
        return None
    return Packet(plain[0], plain[1] | plain[2] << 8, plain[_HEAD:-_CRC])


class Decoder:
    """Packets from bytes as they arrive, in pieces of any size. Nothing that arrives can upset it.

    `bad` counts what arrived and was no frame; `lost` counts the holes in the numbers of frames, and `hole` is the one
    before the last packet. A packet of the type `begins` starts the numbers anew.
    """

    def __init__(self, begins: int | None = None) -> None:
        self.good = 0
        self.bad = 0
        self.lost = 0
        self.hole = 0
        self._begins = begins
        self._seq: int | None = None
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Packet]:
        """The packets that these bytes complete."""
        *between, rest = (self._rest + data).split(DELIMITER)
        self._rest = rest[: LONGEST + 1]
        for encoded in between:
            if encoded:
                packet = unframe(encoded)
                if packet is None:
                    self.bad += 1
                else:
                    self._count(packet)
                    yield packet

    def forgive(self, frames: int) -> None:
        """So many were never lost: the sender had begun anew."""
        self.lost -= frames

    def _count(self, packet: Packet) -> None:
        self.good += 1
        known = self._seq is not None and packet.type != self._begins
        self.hole = (packet.seq - self._seq - 1) % _SEQ_WRAP if known and self._seq is not None else 0
        self.lost += self.hole
        self._seq = packet.seq
