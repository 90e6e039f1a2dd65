"""A Castle for All Seasons: character cards, exact payments and helpers, in summer and in winter."""

from companion.rules.castle_for_all_seasons.game import GAME

__all__ = ["GAME"]
