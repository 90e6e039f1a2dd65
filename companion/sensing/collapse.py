"""Collapses told by scales and eye together: the scales call in a blink, the eye vouches for it or finds the rest.

Both senses and the game's context are weighed as log odds. What the scales are not sure of waits until the hand is gone
and the eye has looked: if it finds nothing fallen then, by all that both senses tell, nothing fell. What the eye alone
tells of while a hand is about counts little where the scales would have felt it. A call is made once; one accident is
one call, whichever sense tells first and however many pieces fall.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import msgspec

from companion.sensing.context import NOTHING_KNOWN
from companion.sensing.falling import Fallen
from companion.sensing.incidents import ONE_ACCIDENT_US, Incidents
from companion.sensing.odds import confidence, odds
from companion.sensing.scales.evidence import Weighed
from companion.sensing.scales.judgement import CLEAR
from companion.sensing.sights import Looked
from companion.sensing.streams import LONG_AGO_US, Sense, Sensed
from companion.sensing.told import Expected
from companion.sensing.views import View

_CALL = 0.4  # log odds from which a collapse is called
_WAIT_US, _HANDS_US = 5_000_000, 12_000_000  # how long one is waited for, also while an eye looks on: hands go
_LOOKS_US = 1_000_000  # an eye that took up nothing for so long does not look
_GATHER_US = 1_800_000  # nobody gathers up so soon after a fall
_LONG_AGO_US = 60_000_000  # what fell longer ago is cleared away
_SLACK_US = 200_000  # how far the senses may differ about a moment
_STIR_US = 700_000  # a fall is motion: within this time of the impact the eye must have seen some
_SHOWN_US, _EXPOSED_US = 400_000, 40_000  # and no later picture shows it; what falls has left its place before it hits
_EARLY_US, _SEEN_LATE_US = 500_000, 2_000_000  # a hand hides for so long that something fell, and no longer than that
_SURE_AFTERWARDS = 0.97  # how sure the scales must be of what the eye, which has looked since, does not see
_STILL_US = 600_000  # and so long after it, the eye has looked at all that was taken by then
_MOVED, _STILL = 0.7, -4.0  # what it tells that something moved there, and that nothing did


class Witness(Protocol):
    """An eye on a board, as far as it is asked about falls that the scales feel."""

    @property
    def view(self) -> View | None: ...
    @property
    def looked_us(self) -> int: ...

    def stirred_since(self, t_us: int) -> bool: ...
    def disturbed_since(self, t_us: int) -> bool: ...
    def expect(self, expected: Expected) -> None: ...
    def expect_no_more(self, expected: Expected) -> None: ...


class Feeling(Protocol):
    """The scales of a board, as far as they are asked about falls that the eye sees."""

    def odds_of_fall(self, since_us: int) -> float: ...
    def hardest_us(self, since_us: int, until_us: int) -> int | None: ...
    def fell(self) -> None: ...
    def weighed(self, since_us: int) -> Weighed | None: ...
    def untold(self, since_us: int) -> Weighed | None: ...


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A fall that was felt, and what the eye was asked to look for; a hand that `gathers` up may have made it.

    A `sure` one waits only for towers to look otherwise than they stood, which a camera shows a moment later.
    """

    event: Sensed
    expected: Expected
    gathers: bool = False
    sure: bool = False

    def is_late(self, now_us: int, looking: bool) -> bool:
        return now_us - self.event.t_us > (_HANDS_US if self.gathers or looking else _WAIT_US)

    def is_of(self, t_us: int) -> bool:
        """Whether it is part of an accident at that time."""
        return abs(self.event.t_us - t_us) < ONE_ACCIDENT_US


class Collapses:
    """The collapses of one board. One that is not `hasty` waits for the eye however sure the scales are."""

    def __init__(
        self, board: str, eye: Witness | None, scales: Feeling | None, incidents: Incidents, hasty: bool = True
    ) -> None:
        self._board = board
        self._hasty = hasty
        self._eye = eye
        self._scales = scales
        self._incidents = incidents
        self._doubted: Sensed | None = None
        self._glimpsed: Fallen | None = None
        self._waiting: list[_Waiting] = []
        self._calm_us = LONG_AGO_US
        self.context = NOTHING_KNOWN

    def felt(self, event: Sensed) -> list[Sensed]:
        """The scales tell of a fall: so it is, if they are sure, unless the eye sees that nothing moved there."""
        eye, prior = self._eye, self.context.fall_odds(self._board)
        sees = eye is not None and eye.view is not None
        seen = self._seen_of(event.t_us) if sees else 0.0
        total = odds(event.confidence) + seen + prior
        if sees or prior:
            evidence = {**event.evidence, "camera": confidence(seen)} if sees else event.evidence
            event = msgspec.structs.replace(event, confidence=confidence(total), evidence=evidence)
        unseen = event.t_us <= self._calm_us and event.evidence["scales"] < _SURE_AFTERWARDS
        if total < _CALL or unseen:
            self._doubted = event
            return []
        sure = self._hasty and event.evidence["scales"] >= CLEAR
        if eye is not None and sees and seen <= _MOVED and not (sure and self._is_disturbed(eye, event)):
            self._wait(eye, event, sure)
            return []
        return self.told(event)

    @staticmethod
    def _is_disturbed(eye: Witness, event: Sensed) -> bool:
        """Whether what is built looks otherwise by then, or a hand hides it. Else something struck the board."""
        return event.evidence["scales"] >= _SURE_AFTERWARDS or eye.disturbed_since(event.t_us - _EXPOSED_US)

    def _seen_of(self, t_us: int) -> float:
        """What the eye says of a fall that was felt then, as log odds."""
        glimpsed, eye = self._glimpsed, self._eye
        if glimpsed is not None and glimpsed.since_us <= t_us <= glimpsed.decided_us:
            return odds(glimpsed.score)
        return _MOVED if eye is not None and eye.stirred_since(t_us - _STIR_US) else _STILL

    def looked(self, looked: Looked) -> list[Sensed]:
        """The eye looked at the whole board and told of no fall: those that were waited for and are dropped."""
        if not looked.anew:
            self._calm_us = max(self._calm_us, looked.calm_us)
        seen = [each for each in self._waiting if each.event.t_us <= looked.calm_us + _SLACK_US]
        self._wait_no_more(seen)
        return [each.event for each in seen]

    def gathered(self, t_us: int) -> None:
        """A hand gathered something up: what it knocked about meanwhile is a fall only if the eye finds one."""
        self._waiting = [replace(each, gathers=each.gathers or each.is_of(t_us)) for each in self._waiting]

    def due(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        """What has waited for the eye for too long; where nothing moved since just before it was felt, nothing fell."""
        looking = self._eye is not None and now_us - self._eye.looked_us < _LOOKS_US
        told = [event for each in self._shown() for event in self.told(each.event, now_us)]
        late = [each for each in self._waiting if at_end or each.is_late(now_us, looking)]
        self._wait_no_more([each for each in late if each.gathers])
        self._wait_no_more([each for each in self._waiting if self._is_still(each.event.t_us, now_us)])
        late = [each for each in late if each in self._waiting]
        return told + [event for each in late for event in self.told(each.event, now_us)]

    def _shown(self) -> list[_Waiting]:
        """What the scales were sure of, and the eye has seen just then that towers are not as they stood."""
        eye = self._eye
        if eye is None:
            return []
        sure = [each for each in self._waiting if each.sure and not each.gathers]
        soon = [each for each in sure if eye.looked_us - each.event.t_us < _SHOWN_US]
        return [each for each in soon if self._is_disturbed(eye, each.event)]

    def _is_still(self, t_us: int, now_us: int) -> bool:
        """Whether the eye saw nothing move from that time on, for long enough to say so; it must have looked since."""
        eye = self._eye
        if eye is None or now_us - t_us <= _STILL_US or eye.looked_us < t_us + _SLACK_US:
            return False
        return not eye.stirred_since(t_us - _SLACK_US)

    def told(self, event: Sensed, now_us: int = LONG_AGO_US) -> list[Sensed]:
        """A fall that nothing more is to be waited for, unless it is part of one that was told."""
        self._wait_no_more([each for each in self._waiting if each.is_of(event.t_us)])
        event = msgspec.structs.replace(event, decided_us=max(event.decided_us, now_us))
        return [event] if self._incidents.is_new(event.t_us) else []

    def saw(self, fallen: Fallen) -> list[Sensed]:
        """The eye finds pieces fallen that stood before: a call of its own where the scales said nothing."""
        waiting = [each for each in self._waiting if _is_within(each.event, fallen)]
        doubted, self._doubted = self._doubted, None
        if self._incidents.since(fallen.since_us):
            self._wait_no_more(waiting)
            return []
        events = [each.event for each in waiting if each.gathers or _is_soon(each.event, fallen)]
        events += [doubted] if doubted and _is_within(doubted, fallen) and _is_soon(doubted, fallen) else []
        felt = events[0] if events else None
        context = self.context
        prior = context.fall_odds(self._board) if fallen.lying else context.lost_odds(self._board)
        total = odds(fallen.score) + prior + (0.0 if felt or fallen.judged else self._unfelt(fallen))
        if total < _CALL:
            self._glimpsed = fallen
            return []
        self._wait_no_more(waiting)
        t_us, evidence = (self._touch_us(felt, fallen), felt.evidence) if felt else (fallen.t_us, dict[Sense, float]())
        if self._scales is not None:
            self._scales.fell()
        if not self._incidents.is_new(t_us):
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

    def _touch_us(self, felt: Sensed, fallen: Fallen) -> int:
        """When it touched: as it was felt or, where it lies only since a while later, at the hardest impact between."""
        early = fallen.t_us - felt.t_us > _EARLY_US
        hardest_us = self._scales.hardest_us(felt.t_us, fallen.t_us) if early and self._scales is not None else None
        return felt.t_us if hardest_us is None else hardest_us

    def _unfelt(self, fallen: Fallen) -> float:
        """What scales that told of no fall say of one that the eye alone tells."""
        return 0.0 if self._scales is None else self._scales.odds_of_fall(fallen.since_us)

    def _wait(self, eye: Witness, event: Sensed, sure: bool) -> None:
        """Have the eye look at what may have come about; what is waited for already may be the same accident."""
        if not any(each.is_of(event.t_us) for each in self._waiting):
            self._waiting.append(_Waiting(event, Expected(True, (), None, event.t_us, fall=True), sure=sure))
            eye.expect(self._waiting[-1].expected)

    def _wait_no_more(self, waiting: list[_Waiting]) -> None:
        for each in waiting:
            self._waiting.remove(each)
            if self._eye is not None:
                self._eye.expect_no_more(each.expected)

    def before(self, t_us: int) -> bool:
        """Whether an accident happened on this board before that time, and not long ago."""
        return self._incidents.before(t_us, _LONG_AGO_US)

    def just_before(self, t_us: int) -> bool:
        """Whether an accident happened on this board sooner before that time than a hand gathers up what it left."""
        return self._incidents.before(t_us, _GATHER_US)

    def fell_us(self, t_us: int) -> int | None:
        """When an accident happened on this board about that time; None where none did."""
        return self._incidents.last_us if self.near(t_us) else None

    def near(self, t_us: int) -> bool:
        """Whether an accident happened on this board about then."""
        return self._incidents.near(t_us, ONE_ACCIDENT_US)


def _is_within(event: Sensed, fallen: Fallen) -> bool:
    """Whether what was felt then may be what the eye finds fallen."""
    return fallen.since_us <= event.t_us <= fallen.decided_us


def _is_soon(event: Sensed, fallen: Fallen) -> bool:
    """Whether the eye finds it fallen as soon after it was felt as a hand hides it."""
    return fallen.t_us - event.t_us < _SEEN_LATE_US
