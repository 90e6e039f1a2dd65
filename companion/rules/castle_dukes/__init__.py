"""Castle Dukes: build the greatest castle in the land, and keep it standing."""

from companion.rules.castle_dukes.game import GAME

__all__ = ["GAME"]
