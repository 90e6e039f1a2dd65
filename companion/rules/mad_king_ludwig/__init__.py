"""Castles of Mad King Ludwig: every point explained as the room goes down."""

from companion.rules.mad_king_ludwig.game import GAME

__all__ = ["GAME"]
