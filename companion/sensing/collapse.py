"""Collapses told by scales and eye together: the scales call in a blink, the eye vouches for it or finds the rest."""

from __future__ import annotations

import msgspec

from companion.sensing.eye import BoardEye, Fallen
from companion.sensing.incidents import Incidents
from companion.sensing.streams import Sensed

_STIR_US = 700_000  # a fall is motion: within this time of the impact the eye must have seen some
_ALONE = 0.8  # what confidence is left of a fall that only one of two senses tells


class Collapses:
    """The collapses of one board."""

    def __init__(self, eye: BoardEye | None, scales: bool) -> None:
        self._eye = eye
        self._scales = scales
        self._incidents = Incidents()

    def felt(self, event: Sensed) -> list[Sensed]:
        """The scales call a fall: so it is, unless the eye sees this board and nothing at all moved there."""
        eye = self._eye
        if eye is None or eye.view is None:
            return [event] if self._incidents.is_new(event.t_us) else []
        if not eye.stirred_since(event.t_us - _STIR_US):
            return []
        if not self._incidents.is_new(event.t_us):
            return []
        return [msgspec.structs.replace(event, evidence={**event.evidence, "camera": 0.6})]

    def saw(self, fallen: Fallen) -> list[Sensed]:
        """The eye finds pieces fallen that stood before: a call of its own where the scales said nothing."""
        if not self._incidents.is_new(fallen.t_us):
            return []
        confidence = round(fallen.score * (_ALONE if self._scales else 1.0), 3)
        return [
            Sensed(
                kind="collapse",
                t_us=fallen.t_us,
                decided_us=fallen.decided_us,
                board=fallen.board,
                tower=fallen.towers[0] if len(fallen.towers) == 1 else None,
                confidence=confidence,
                evidence={"camera": fallen.score},
            )
        ]

    def near(self, t_us: int) -> bool:
        """Whether an accident happened on this board about then."""
        return self._incidents.near(t_us)
