"""Placements and removals told by scales and eye together: the scales weigh the piece, the eye says where it stands."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from companion.sensing.castle import Standing
from companion.sensing.explaining import Expected
from companion.sensing.eye import BoardEye, Looked, Seen
from companion.sensing.streams import Sensed

_WAIT_US = 4_000_000  # how long an event waits for the eye: until the hand is gone and a quiet picture taken
_NEAR_US = 4_000_000  # how far apart in time the senses may put the same event
_UNSEEN = 0.85  # what confidence is left of an event that the eye should have seen and did not


@dataclass(frozen=True, eq=False)
class _Felt:
    event: Sensed
    expected: Expected


class Placements:
    """Joins what the scales felt on one board with what the eye saw of it."""

    def __init__(self, eye: BoardEye) -> None:
        self._eye = eye
        self._felt: list[_Felt] = []

    def felt(self, event: Sensed) -> list[Sensed]:
        """The scales felt a piece come or go; it waits for the eye, unless the eye does not see this board."""
        if self._eye.view is None:
            return [event]
        expected = Expected(event.kind == "placed", event.piece, event.tower)
        self._eye.expect(expected)
        self._felt.append(_Felt(event, expected))
        return []

    def saw(self, seen: Seen) -> list[Sensed]:
        """The eye saw a piece come or go; without anything felt about then, it is no piece."""
        alike = [
            felt
            for felt in self._felt
            if felt.expected.fits(seen.came, seen.tower) and abs(felt.event.t_us - seen.t_us) < _NEAR_US
        ]
        if not alike:
            return []
        felt = min(alike, key=lambda each: (each.event.piece not in seen.like, abs(each.event.t_us - seen.t_us)))
        self._felt.remove(felt)
        return [_joined(felt.event, seen)]

    def looked(self, looked: Looked) -> list[Sensed]:
        """The eye took a quiet picture: what was felt and is not seen in it stands where it must."""
        missed = [felt for felt in self._felt if any(felt.expected is each for each in looked.unseen)]
        return [self._assumed(felt, looked.t_us) for felt in missed]

    def due(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        """What has waited for the eye for too long."""
        late = [felt for felt in self._felt if at_end or now_us - felt.event.decided_us > _WAIT_US]
        return [self._assumed(felt, now_us) for felt in late]

    def drop(self, since_us: int) -> None:
        """Forget what was felt since then: it was part of an accident."""
        self._felt = [felt for felt in self._felt if felt.event.t_us < since_us]

    def _assumed(self, felt: _Felt, now_us: int) -> Sensed:
        self._felt.remove(felt)
        event = felt.event
        piece = self._stood(felt.expected)
        return msgspec.structs.replace(
            event,
            level=piece.level if piece else None,
            decided_us=max(event.decided_us, now_us),
            confidence=round(event.confidence * _UNSEEN, 3),
        )

    def _stood(self, expected: Expected) -> Standing | None:
        if expected.kind is None or expected.tower is None:
            return None
        return self._eye.castle.assume(expected.came, expected.kind, expected.tower)


def _joined(event: Sensed, seen: Seen) -> Sensed:
    likeliest = max(seen.like, key=lambda kind: seen.like[kind], default=None)
    scales = event.evidence.get("scales", event.confidence)
    return msgspec.structs.replace(
        event,
        tower=seen.tower,
        level=seen.level,
        piece=event.piece or likeliest,
        decided_us=max(event.decided_us, seen.decided_us),
        confidence=round(1 - (1 - scales) * (1 - 0.9 * seen.score), 3),
        evidence={"scales": scales, "camera": round(seen.score, 3)},
    )


def seen_alone(seen: Seen) -> Sensed:
    """What the eye saw, as an event of its own: there are no scales to ask."""
    score = round(min(0.95, seen.score), 3)
    return Sensed(
        kind="placed" if seen.came else "removed",
        t_us=seen.t_us,
        decided_us=seen.decided_us,
        board=seen.board,
        tower=seen.tower,
        level=seen.level,
        piece=max(seen.like, key=lambda kind: seen.like[kind], default=None),
        confidence=score,
        evidence={"camera": score},
    )
