"""The shape of the functions that carry out actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.base import Action, Referee
from companion.rules.castle_dukes.state import State

Handler = Callable[[Referee, State, Any], State]
"""Takes the state to the state after one kind of action, or refuses it."""
Handlers = dict[type[Action], Handler]
