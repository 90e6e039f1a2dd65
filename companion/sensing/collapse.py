"""Collapses told by scales and eye together: the scales call in a blink, the eye vouches for it or finds the rest.

Both senses and the game's context are weighed as log odds. A call is made once; one accident is one call, whichever
sense tells first and however many pieces fall.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from companion.sensing.context import NOTHING_KNOWN
from companion.sensing.falling import Fallen
from companion.sensing.incidents import ONE_ACCIDENT_US, Incidents
from companion.sensing.odds import confidence, odds
from companion.sensing.streams import Sense, Sensed
from companion.sensing.views import View

_CALL = 0.4  # log odds from which a collapse is called
_STIR_US = 700_000  # a fall is motion: within this time of the impact the eye must have seen some
_MOVED, _STILL = 0.7, -4.0  # what it tells that something moved there, and that nothing did
_UNFELT = -0.6  # scales that felt no fall speak against one that the eye alone tells


class Witness(Protocol):
    """An eye on a board, as far as it is asked about falls that the scales feel."""

    @property
    def view(self) -> View | None: ...

    def stirred_since(self, t_us: int) -> bool: ...


class Collapses:
    """The collapses of one board."""

    def __init__(self, board: str, eye: Witness | None, scales: bool, incidents: Incidents) -> None:
        self._board = board
        self._eye = eye
        self._scales = scales
        self._incidents = incidents
        self._doubted: Sensed | None = None
        self.context = NOTHING_KNOWN

    def felt(self, event: Sensed) -> list[Sensed]:
        """The scales call a fall: so it is, unless the eye sees this board and nothing at all moved there."""
        prior = self.context.fall_odds(self._board)
        eye = self._eye
        if eye is None or eye.view is None:
            total = odds(event.confidence) + prior
            event = msgspec.structs.replace(event, confidence=confidence(total)) if prior else event
        else:
            moved = _MOVED if eye.stirred_since(event.t_us - _STIR_US) else _STILL
            total = odds(event.confidence) + moved + prior
            evidence = {**event.evidence, "camera": confidence(moved)}
            event = msgspec.structs.replace(event, confidence=confidence(total), evidence=evidence)
        if total < _CALL:
            self._doubted = event
            return []
        return [event] if self._incidents.is_new(event.t_us) else []

    def saw(self, fallen: Fallen) -> list[Sensed]:
        """The eye finds pieces fallen that stood before: a call of its own where the scales said nothing."""
        doubted, self._doubted = self._doubted, None
        if self._incidents.since(fallen.since_us):
            return []
        felt = doubted is not None and fallen.since_us <= doubted.t_us <= fallen.decided_us
        context = self.context
        prior = context.fall_odds(self._board) if fallen.lying else context.lost_odds(self._board)
        total = odds(fallen.score) + prior + (_UNFELT if self._scales and not felt else 0.0)
        t_us, evidence = fallen.t_us, dict[Sense, float]()
        if felt and doubted is not None:
            t_us, evidence = doubted.t_us, doubted.evidence
        if total < _CALL or not self._incidents.is_new(t_us):
            return []
        return [
            Sensed(
                kind="collapse",
                t_us=t_us,
                decided_us=fallen.decided_us,
                board=fallen.board,
                tower=fallen.towers[0] if len(fallen.towers) == 1 else None,
                confidence=confidence(total),
                evidence={**evidence, "camera": fallen.score},
            )
        ]

    def near(self, t_us: int) -> bool:
        """Whether an accident happened on this board about then."""
        return self._incidents.near(t_us, ONE_ACCIDENT_US)
