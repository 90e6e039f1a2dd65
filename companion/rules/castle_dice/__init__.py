"""Castle Dice: seven turns, ten small phases each, and none of them forgotten."""

from companion.rules.castle_dice.game import GAME

__all__ = ["GAME"]
