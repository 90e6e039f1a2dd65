"""What may leave the table while a game runs: every line without the cards and choices that are still hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.base import Action, Game
from companion.session import snapshots
from companion.session.journal import Journal, Row

_encoder = msgspec.json.Encoder()


def veiled_rows(journal: Journal, game: Game[Any]) -> Iterator[Row]:
    """The lines of a journal as everyone may see them: as they are once the game is over, or if nothing is hidden."""
    if not _hides(game) or journal.last().over:
        yield from journal.rows()
        return
    for row in journal.rows():
        yield _veiled(journal, game, row)


def _hides(game: Game[Any]) -> bool:
    """Whether a game has anything that only some at the table may know."""
    kind = type(game)
    return kind.public_state is not Game.public_state or kind.public_action is not Game.public_action


def _veiled(journal: Journal, game: Game[Any], row: Row) -> Row:
    state = snapshots.unpack(row.state, game) if row.state else None
    if state is None:
        return row if not row.state else replace(row, action=b"null", state=snapshots.pack_json(b"{}"))
    row = replace(row, state=snapshots.pack(game.public_state(state)))
    if row.parent is None:
        return row
    return replace(row, action=_encoder.encode(_public(journal, game, row)))


def _public(journal: Journal, game: Game[Any], row: Row) -> Action:
    """The action as it may be told."""
    action = game.decode_action(msgspec.json.decode(row.action))
    before = snapshots.unpack(journal.row(row.parent).state, game) if row.parent is not None else None
    return action if before is None else game.public_action(before, action)
