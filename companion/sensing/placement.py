"""Placements and removals told by scales and eye together: the scales weigh the piece, the eye says where it stands."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import msgspec

from companion.sensing.board_eye import BoardEye
from companion.sensing.gaze import BoardGaze
from companion.sensing.sights import Looked, Seen
from companion.sensing.streams import Sense, Sensed
from companion.sensing.told import Expected

_WAIT_US = 4_500_000  # how long an event waits for the eye: until the hand is gone and a quiet picture taken
_GATHERED_WAIT_US = 2_000_000  # and what is gathered up meanwhile, one piece after the other
_NEAR_US = 4_000_000  # how far apart in time the senses may put the same event
_UNFELT_US = 1_500_000  # how long what was seen waits to be felt until it is asked whether it weighs there
_PLAIN = 0.9  # a score from which the eye knows better than the scales which tower it is
_MASS_SPREAD, _MASS_ERROR_G = 0.05, 0.05  # how far a piece is from its kind's mass, and a reading from the truth
_WEIGHT = 0.2  # how much weight tells beside looks
_TOO_UNLIKE = -2.0
_NOT_SEEN_SO = 0.3  # how much less a kind looks like it that the eye did not think of than the least of those it did
_NO_PLACE = 0.7  # how sure it is that a piece fell that was felt to come where it cannot stand
_UNSEEN = 0.85  # what confidence is left of an event that the eye should have seen and did not
_LEANT_US = 2_500_000  # what comes and goes within this time, of the same weight and never seen, is a hand that leant
_PULLED_US = 500_000  # how long after a fall a piece is felt to be gone that was pulled from below
_THROWN_US = 1_000_000  # and how long before or after one, as the eye says when it was, what it threw off
_SAME_G, _SAME_PART = 0.2, 0.06  # how far two such weighings differ at the most


@dataclass(frozen=True, eq=False)
class _Felt:
    """What waits for the eye; `fell` when the towers fell meanwhile, so that they no longer tell of it.

    What was `gathered` up after a fall is of no tower: the eye has less to say of it, and the next fall none of it.
    """

    event: Sensed
    expected: Expected
    gathered: bool = False
    fell: bool = False

    def is_late(self, now_us: int) -> bool:
        return self.fell or now_us - self.event.t_us > (_GATHERED_WAIT_US if self.gathered else _WAIT_US)


class Placements:
    """Joins what the scales felt on one board with what the eye saw of it."""

    def __init__(self, eye: BoardEye | BoardGaze) -> None:
        self._eye = eye
        self._felt: list[_Felt] = []
        self._seen: list[Seen] = []
        self._weighed: list[Seen] = []
        self._has_looked = False

    def felt(self, event: Sensed, gathered: bool = False) -> list[Sensed]:
        """The scales felt a piece come or go; it waits for the eye, unless the eye has seen it or sees no board.

        A hand may have `gathered` it up after a fall.
        """
        if self._eye.view is None:
            return [event]
        felt = self._as_felt(event, gathered)
        told = next((each for each in self._weighed if self._alike(felt, each)), None)
        if told is not None:
            self._weighed.remove(told)
            return []
        seen = min(
            (each for each in self._seen if self._alike(felt, each)), key=lambda each: _off(felt, each), default=None
        )
        if seen is not None:
            self._seen.remove(seen)
            return [self._joined(event, seen)]
        leant = next((each for each in self._felt if _leant(each.event, event)), None)
        if leant is not None:
            self._forget(leant)
            return []
        self._eye.expect(felt.expected)
        self._felt.append(felt)
        return []

    def saw(self, seen: Seen) -> list[Sensed]:
        """The eye saw a piece come or go; until something is felt about then, it is no piece."""
        felt = min(
            (each for each in self._felt if self._alike(each, seen)), key=lambda each: _off(each, seen), default=None
        )
        if felt is None:
            self._seen.append(seen)
            return []
        self._felt.remove(felt)
        return [self._joined(felt.event, seen)]

    def looked(self, looked: Looked) -> list[Sensed]:
        """The eye took a quiet picture: what was felt and is not seen in it stands where it must."""
        self._has_looked = True
        missed = [felt for felt in self._felt if any(felt.expected is each for each in looked.unseen)]
        return [self._assumed(felt, looked.t_us, looked.anew) for felt in missed]

    def due(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        """What has waited for the eye for too long."""
        self._seen, self._weighed = (
            [seen for seen in some if now_us - seen.decided_us < _NEAR_US] for some in (self._seen, self._weighed)
        )
        late = [felt for felt in self._felt if at_end or felt.is_late(now_us)]
        return [self._assumed(felt, now_us) for felt in late]

    def unfelt(self, now_us: int, at_end: bool = False) -> list[Seen]:
        """The towers' pieces that the eye saw come or go and that were not felt, though they should have been."""
        late = (seen for seen in self._seen if at_end or now_us - seen.decided_us >= _UNFELT_US)
        return [seen for seen in late if seen.tower is not None]

    def weigh(self, seen: Seen, weighed: Sensed) -> list[Sensed]:
        """What was seen and not felt, where what rests on the board has changed by as much as such a piece weighs."""
        if not self._alike(self._as_felt(msgspec.structs.replace(weighed, t_us=seen.t_us)), seen):
            return []
        self._seen.remove(seen)
        self._weighed.append(seen)
        return [self._joined(msgspec.structs.replace(weighed, t_us=seen.t_us), seen)]

    def vouch(self, t_us: int) -> list[Sensed]:
        """What the eye saw about then was done by a hand: the scales, which cannot weigh, took it for a fall."""
        done = [seen for seen in self._seen if abs(seen.t_us - t_us) < _NEAR_US]
        self._seen = [seen for seen in self._seen if seen not in done]
        return [seen_alone(seen) for seen in done]

    def drop(self, since_us: int, fell_us: int, until_us: float = math.inf, thrown: bool = False) -> None:
        """Forget what was felt and seen since then and until then: it was part of an accident.

        What was taken before the first piece fell at `fell_us` was taken by a hand, and so was what was gathered up
        after an earlier fall: that stays. What is gone where all was `thrown` off the board is what fell.
        """
        self._eye.fell(fell_us)
        self._seen, self._weighed = (
            [seen for seen in some if not since_us <= seen.t_us < until_us] for some in (self._seen, self._weighed)
        )
        for felt in [each for each in self._felt if since_us <= each.event.t_us < until_us]:
            self._forget(felt)
            fell = thrown and felt.event.t_us < fell_us + _THROWN_US
            if not fell and (felt.gathered or self.was_taken(felt.event, fell_us)):
                self._felt.append(replace(felt, fell=True))

    def _as_felt(self, event: Sensed, gathered: bool = False) -> _Felt:
        return _Felt(event, Expected(event.kind == "placed", self._kinds(event), event.tower, event.t_us), gathered)

    def was_taken(self, event: Sensed, fell_us: int) -> bool:
        """Whether a hand took it before the rest fell; what was pulled from below is weighed a moment later.

        A plate that is gone with the rest was thrown off.
        """
        after_us = -_THROWN_US if self._is_level(event.piece) else _PULLED_US
        return event.kind == "removed" and event.t_us < fell_us + after_us

    def has_no_place(self, event: Sensed) -> bool:
        """Whether a piece would have to stand where nothing is for it to stand on: then it lies there."""
        castle = self._eye.castle
        if event.kind != "placed" or event.piece is None or event.tower is None or not self._has_looked:
            return False
        placed = [felt.event for felt in self._felt if felt.event.kind == "placed"]
        based = any(each.tower == event.tower and self._is_level(each.piece) for each in placed)
        return not self._is_level(event.piece) and not castle.levels(event.tower) and not based

    def _is_level(self, piece: str | None) -> bool:
        """Whether a piece makes a level of its own; one that is not known may."""
        shape = self._eye.castle.kit.shapes.get(piece or "")
        return shape is None or self._eye.castle.kit.is_level(shape)

    def _forget(self, felt: _Felt) -> None:
        self._felt.remove(felt)
        self._eye.expect_no_more(felt.expected)

    def _assumed(self, felt: _Felt, now_us: int, anew: bool = False) -> Sensed:
        self._forget(felt)
        event, level = self._pulled(felt) if anew else felt.event, self._level(felt, anew)
        return msgspec.structs.replace(
            event,
            level=level,
            piece=event.piece and self._eye.castle.kit.named(event.piece, level),
            decided_us=max(event.decided_us, now_us),
            confidence=round(event.confidence * _UNSEEN, 3),
        )

    def _pulled(self, felt: _Felt) -> Sensed:
        """A piece that went from a tower which fell then, and may be a pillar by its weight, had carried the rest."""
        pillar, event = self._eye.castle.kit.pillar, felt.event
        went = event.kind == "removed" and event.tower is not None
        if not went or pillar is None or pillar.kind not in felt.expected.kinds:
            return event
        return msgspec.structs.replace(event, piece=pillar.kind)

    def _level(self, felt: _Felt, anew: bool) -> int | None:
        """The level of a piece that nobody saw, by what stands there.

        In a tower that was read anew it is part of the top, or was taken from there and brought down all above.
        """
        event = felt.event
        if felt.fell or event.piece is None or event.tower is None:
            return None
        if anew and event.kind == "removed" and self._is_level(event.piece):
            return None
        if anew:
            return self._eye.castle.levels(event.tower) or None
        piece = self._eye.assume(event.kind == "placed", event.piece, event.tower)
        return piece.level if piece else None

    def _alike(self, felt: _Felt, seen: Seen) -> bool:
        """Whether the two may be one event: a tower that the scales name wrongly is the eye's to put right."""
        expected = felt.expected
        near = abs(felt.event.t_us - seen.t_us) < _NEAR_US and expected.came == seen.came
        place = expected.fits(seen.came, seen.tower) or seen.score > _PLAIN
        return near and place and self._eye.castle.kit.akin(expected.kinds, seen.like)

    def _joined(self, event: Sensed, seen: Seen) -> Sensed:
        scales = event.evidence.get("scales", event.confidence)
        return msgspec.structs.replace(
            event,
            tower=seen.tower,
            level=seen.level,
            piece=self._kind(event, seen),
            decided_us=max(event.decided_us, seen.decided_us),
            confidence=round(1 - (1 - scales) * (1 - 0.9 * seen.score), 3),
            evidence={"scales": scales, "camera": round(seen.score, 3)},
        )

    def _kind(self, event: Sensed, seen: Seen) -> str | None:
        """The kind that looks and weighs most like it."""
        if event.grams is None:
            return event.piece or max(seen.like, key=lambda kind: seen.like[kind], default=None)
        unlike = min(seen.like.values(), default=0.0) - _NOT_SEEN_SO
        likely = {
            kind: seen.like.get(kind, unlike) + _weighs(shape.mass_g, event.grams)
            for kind, shape in self._eye.castle.kit.shapes.items()
        }
        kind = max(likely, key=lambda kind: likely[kind], default=event.piece)
        return kind and self._eye.castle.kit.named(kind, seen.level)

    def _kinds(self, event: Sensed) -> tuple[str, ...]:
        """The kinds that a piece may be by its weight."""
        if event.grams is None:
            return (event.piece,) if event.piece else ()
        shapes = self._eye.castle.kit.shapes
        return tuple(kind for kind, shape in shapes.items() if _weighs(shape.mass_g, event.grams) > _TOO_UNLIKE)


def fallen(event: Sensed) -> Sensed:
    """The fall of a piece that was felt to come where it cannot stand."""
    evidence: dict[Sense, float] = {"scales": _NO_PLACE}
    return Sensed(
        kind="collapse",
        t_us=event.t_us,
        decided_us=event.decided_us,
        board=event.board,
        confidence=_NO_PLACE,
        evidence=evidence,
    )


def _leant(came: Sensed, went: Sensed) -> bool:
    """Whether nothing came and went but the weight of a hand."""
    if (came.kind, went.kind) != ("placed", "removed") or came.grams is None or went.grams is None:
        return False
    alike = abs(came.grams - went.grams) < _SAME_G + _SAME_PART * came.grams
    beside = came.tower is not None and went.tower is not None and came.tower != went.tower
    return alike and not beside and 0 <= went.t_us - came.t_us < _LEANT_US


def _off(felt: _Felt, seen: Seen) -> tuple[bool, bool, int]:
    """How far the two are from being one event, the less the better."""
    other_kind = not any(kind in seen.like for kind in felt.expected.kinds)
    return (not felt.expected.fits(seen.came, seen.tower), other_kind, abs(felt.event.t_us - seen.t_us))


def _weighs(mass_g: float | None, grams: float) -> float:
    """How well a kind's mass agrees with what was weighed: 0 at the best."""
    if mass_g is None:
        return 0.0
    return -_WEIGHT * ((grams - mass_g) / (_MASS_SPREAD * mass_g + _MASS_ERROR_G)) ** 2


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
