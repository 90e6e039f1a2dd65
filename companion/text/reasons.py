"""Why an event was told: what the scales felt about then, and what the camera saw of it, in sentences."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

from companion.sensing.plan import Plan, Point
from companion.sensing.recording import Item
from companion.sensing.scales.evidence import BumpEvidence, ImpactEvidence, StepEvidence
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher

_REMEMBERED = 400
_STEP_NEAR_US = 2_000_000
_BLOW_BEFORE_US = 150_000
_BLOW_AFTER_US = 600_000
_SWING_NEAR_US = 500_000
_LEAST_DIP_G = 0.5

_Fact = StepEvidence | ImpactEvidence | BumpEvidence


class Reasons:
    """Remembers what the stages of the scales said lately, and finds what stands behind an event."""

    def __init__(self, plan: Plan, watcher: Watcher) -> None:
        self._plan = plan
        self._watcher = watcher
        self._facts: deque[_Fact] = deque(maxlen=_REMEMBERED)
        self._weighed = self._filmed = False

    def saw(self, item: Item) -> None:
        """The watcher was fed this just now."""
        self._weighed |= isinstance(item, ScaleSample)
        self._filmed |= isinstance(item, Frame)
        scales = self._watcher.scales
        if scales is not None and isinstance(item, ScaleSample) and item.board in scales.judges:
            self._facts.extend(fact for fact in scales.evidence if isinstance(fact, _Fact))

    def why(self, event: Sensed) -> list[str]:
        """A sentence for each sense that had a say, or should have had one."""
        return [*self._felt(event), *self._saw(event)]

    # Scales

    def _felt(self, event: Sensed) -> Iterator[str]:
        if "scales" not in event.evidence:
            if self._watcher.scales is not None and event.board in self._watcher.scales.judges:
                felt = "felt nothing that they would have told alone" if self._weighed else "gave no sample"
                yield f"Scales: {felt}."
            return
        words = {"collapse": self._blows, "bump": self._swings}.get(event.kind, self._step)(event)
        yield f"Scales, {100 * event.evidence['scales']:.0f} %: {words}."

    def _step(self, event: Sensed) -> str:
        steps = [
            fact
            for fact in self._facts
            if isinstance(fact, StepEvidence)
            and fact.board == event.board
            and (fact.change.force_g > 0) == (event.kind == "placed")
            and abs(fact.t_us - event.t_us) <= _STEP_NEAR_US
        ]
        if not steps:
            return "the load changed" + (f" by {event.grams:.1f} g" if event.grams is not None else "")
        step = min(steps, key=lambda fact: abs(fact.t_us - event.t_us))
        change_g = step.change.force_g
        direction = "heavier" if change_g > 0 else "lighter"
        return f"the board settled {abs(change_g):.1f} g {direction}{self._near(event, step.position_mm)}"

    def _blows(self, event: Sensed) -> str:
        blows = [
            fact
            for fact in self._facts
            if isinstance(fact, ImpactEvidence)
            and fact.board == event.board
            and event.t_us - _BLOW_BEFORE_US <= fact.t_us <= event.t_us + _BLOW_AFTER_US
        ]
        if not blows:
            return "the load went elsewhere than a hand would have taken it"
        first = min(blows, key=lambda fact: abs(fact.t_us - event.t_us))
        dip = (
            f"the board was {first.dip_g:.1f} g lighter for a moment, then came " if first.dip_g > _LEAST_DIP_G else ""
        )
        more = f", the first of {len(blows)}" if len(blows) > 1 else ""
        return f"{dip}a blow of {first.peak_g:.0f} g{self._near(event, first.position_mm)}{more}"

    def _swings(self, event: Sensed) -> str:
        swings = [
            fact
            for fact in self._facts
            if isinstance(fact, BumpEvidence) and abs(fact.t_us - event.t_us) <= _SWING_NEAR_US
        ]
        boards = sorted({fact.board for fact in swings})
        most = max((fact.swing_g for fact in swings), default=0.0)
        return f"{' and '.join(boards) or 'the boards'} swung by up to {most:.0f} g, and nothing on them changed"

    def _near(self, event: Sensed, place: Point | None) -> str:
        """Where on the board that is, from the nearest tower."""
        towers = self._plan.board(event.board).towers if event.board else ()
        if place is None or not towers:
            return ""
        tower = min(towers, key=lambda each: math.dist(each.centre_mm, place))
        return f", {math.dist(tower.centre_mm, place):.0f} mm from the middle of {tower.id}"

    # Camera

    def _saw(self, event: Sensed) -> Iterator[str]:
        eye = self._watcher.eye
        if eye is None or event.board is None:
            return
        if "camera" in event.evidence:
            sure = f"{100 * event.evidence['camera']:.0f} %"
            yield f"Camera, {sure}: {_seen(event)}."
        elif not self._filmed:
            yield "Camera: gave no picture."
        elif eye.board(event.board).view is None:
            yield f"Camera: has not found {event.board} by its markers."
        elif event.level is not None:
            yield "Camera: did not see it; the level is where it must be by what stands there."
        else:
            yield "Camera: did not see it."


def _seen(event: Sensed) -> str:
    """What the eye says of an event.

    >>> _seen(Sensed(kind="placed", t_us=0, decided_us=0, piece="pillar", tower="left", level=2))
    'a pillar stands on level 2 of tower left'
    >>> _seen(Sensed(kind="placed", t_us=0, decided_us=0, piece="pillar", tower="left", level=0))
    'a pillar stands on the foundation of tower left'
    >>> _seen(Sensed(kind="placed", t_us=0, decided_us=0, piece="pillar", tower="left"))
    'a pillar stands on tower left'
    >>> _seen(Sensed(kind="removed", t_us=0, decided_us=0, piece="pillar"))
    'a pillar no longer lies on the ground or in store'
    """
    if event.kind == "collapse":
        return "something moved there then" if "scales" in event.evidence else "what stood there lies about"
    now = "" if event.kind == "placed" else "no longer "
    if event.tower is None:
        return f"{a_piece(event.piece)} {now}lies on the ground or in store"
    place = f"level {event.level} of " if event.level else "" if event.level is None else "the foundation of "
    return f"{a_piece(event.piece)} {now}stands on {place}tower {event.tower}"


def a_piece(piece: str | None) -> str:
    """
    >>> a_piece("pillar"), a_piece("attic"), a_piece(None)
    ('a pillar', 'an attic', 'something')
    >>> a_piece("floor-tile")
    'a floor tile'
    """
    return f"{'an' if piece[0] in 'aeiou' else 'a'} {piece.replace('-', ' ')}" if piece else "something"
