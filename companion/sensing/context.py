"""What the game knows of the table just now. It makes one thing a little likelier than another and decides nothing."""

from __future__ import annotations

from typing import Any

import msgspec

_HANDS_OFF = -0.4  # log odds of a fall in a phase in which nobody touches a castle
_AT_TURN, _NOT_AT_TURN = 0.3, -0.3
_BASE_TILE = -0.6  # a base tile that is dropped onto the board is no fall
_REMOVING = -0.8  # levels that are lost while the dragon takes pieces are taken rather than fallen
_HANDS_OFF_PHASES = ("auction", "income", "scoring", "end")


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What the game knows. All of it may be left out.

    `phase` is the game's own word for what is going on, `board` the board at turn. `base_tile` says that a base tile
    is about to come onto that board, `removing` that pieces are being taken from its towers by the rules.
    """

    phase: str = ""
    board: str | None = None
    base_tile: bool = False
    removing: bool = False

    @classmethod
    def of(cls, known: dict[str, Any]) -> Context:
        """From the `context` of a recording's plan; what is not understood is left out."""
        context = cls()
        for name in cls.__struct_fields__:
            try:
                value = msgspec.convert({name: known[name]}, cls) if name in known else context
            except msgspec.ValidationError:
                continue
            context = msgspec.structs.replace(context, **{name: getattr(value, name)})
        return context

    def fall_odds(self, board: str) -> float:
        """What is added to the log odds of a fall on a board."""
        odds = _HANDS_OFF if self.phase.lower() in _HANDS_OFF_PHASES else 0.0
        if self.board is not None:
            odds += _AT_TURN if self.board == board else _NOT_AT_TURN
        if self.base_tile and self.board in (None, board):
            odds += _BASE_TILE
        return odds

    def lost_odds(self, board: str) -> float:
        """The same for a fall that shows by what is missing alone."""
        removing = self.removing and self.board in (None, board)
        return self.fall_odds(board) + (_REMOVING if removing else 0.0)


NOTHING_KNOWN = Context()
