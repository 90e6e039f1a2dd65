"""States as they lie in the journal: JSON, lightly compressed.

Level 1 takes about as long as encoding the state and leaves a seventh to a tenth of it; higher levels cost more time
than they save on the disk.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from companion.rules.base import Game, State

_LEVEL = 1
_encoder = msgspec.json.Encoder()


def pack(state: State) -> bytes:
    return zlib.compress(_encoder.encode(state), _LEVEL)


def pack_json(state: bytes) -> bytes:
    """The snapshot of a state that is JSON already."""
    return zlib.compress(state, _LEVEL)


def json_of(snapshot: bytes) -> bytes:
    """The JSON of a snapshot. Raises ValueError when it is garbled (snapshots carry a checksum)."""
    try:
        return zlib.decompress(snapshot)
    except zlib.error as error:
        raise ValueError(str(error)) from error


def unpack(snapshot: bytes, game: Game[Any]) -> State | None:
    """The state of a snapshot, or None when these rules no longer know such a state.

    States of the journal were possible when they were written, so nothing but their shape is checked.
    """
    try:
        return msgspec.json.decode(json_of(snapshot), type=game.state_type)
    except msgspec.DecodeError:
        return None
