"""Castle Builder: pile up sums, walk the baron, and be the first with seven coins."""

from companion.rules.castle_builder.game import GAME

__all__ = ["GAME"]
