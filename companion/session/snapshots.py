"""States as they lie in the journal: a checksum of eight hexadecimal digits, then plain JSON.

Not compressed: zlib at its fastest takes a quarter off the speed of a move on a good disk (0.1 ms of 0.4), to save a
few kilobytes a move. An evening is a few megabytes, and anyone with SQLite can read it.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import msgspec

from companion.rules.base import Game, State

_DIGITS = 8

_encoder = msgspec.json.Encoder()


def pack(state: State) -> bytes:
    return pack_json(_encoder.encode(state))


def pack_json(state: bytes) -> bytes:
    """The snapshot of a state that is JSON already."""
    return b"%08x" % crc32(state) + state


def json_of(snapshot: bytes) -> bytes:
    """The JSON of a snapshot. Raises ValueError when it is garbled."""
    state = snapshot[_DIGITS:]
    if snapshot[:_DIGITS] != b"%08x" % crc32(state):
        raise ValueError("the checksum of a snapshot is wrong")
    return state


def unpack(snapshot: bytes, game: Game[Any]) -> State | None:
    """The state of a snapshot, or None when these rules no longer know such a state.

    States of the journal were possible when they were written, so nothing but their shape is checked.
    """
    try:
        return msgspec.json.decode(json_of(snapshot), type=game.state_type)
    except msgspec.DecodeError:
        return None
