"""From evidence of one board to events: what was placed, what was taken, what fell.

A settled change is judged by its mass and place. A fall is called early when its signs are clear: how hard and where
the board was hit, how much lighter it was before, where its centre went. What cannot be told so early waits until the
load has settled. Whatever rests on the board after an accident is the new reference, without events.
"""

from __future__ import annotations

from collections import deque

import msgspec

from companion.sensing.incidents import ONE_ACCIDENT_US
from companion.sensing.plan import Plan
from companion.sensing.scales.boards import BoardScales
from companion.sensing.scales.evidence import (
    BumpEvidence,
    CellEvidence,
    Evidence,
    ImpactEvidence,
    Load,
    StepEvidence,
)
from companion.sensing.scales.falls import (
    AT_REST,
    BEFORE_US,
    MOVING,
    RECENT_US,
    Signs,
    is_shaken,
    middle_mm,
    off,
    signs,
)
from companion.sensing.scales.impacts import SLOWEST_ROW_S
from companion.sensing.scales.lifts import Lifts
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.site import Site
from companion.sensing.scales.strays import Strays
from companion.sensing.streams import LONG_AGO_US, Kind, ScaleSample, Sensed

_RING_US = 25_000
_FIRST_LOOK_US = 140_000  # a bumped board has swung to both sides by then
_LAST_LOOK_US = 450_000
_LOOK_BACK_US = 130_000
_SHORT_LOOK_BACK_US = 100_000
_FEWEST_ROWS = 4
_MOVING_SIGMA_G = 0.3
_CLEAR_ODDS, _LIKELY_ODDS, _LITTERED_ODDS = 1.6, 0.9, 0.7
_SHAKEN_US = 2_000_000
# How far the lightest piece would have had to move to shift the centre like that.
_SHIFT_MM = 14.0
_FAR_SHIFT_MM = 100.0
_DIP_PART = 0.3
_WHOLE_DIP_PART = 0.8
_WHOLE_PART = 0.75
# How hard an impact is, as the time for which the lightest piece would have had to fall freely: 0.06 s are 18 mm.
_TOUCH_S, _FALL_S, _SURE_FALL_S, _HARD_FALL_S, _KNOCK_S = 0.035, 0.06, 0.09, 0.2, 0.4
_KNOCK_US = 400_000
_STRANGE_FOR_US, _TWO_FOR_US, _SMALL_FOR_US = 12_000_000, 2_400_000, 1_400_000
_SHAKES = 4
_FROM_REST = 0.5
_AT_ONCE_PART = 0.6
_REMEMBERED = 64
_TOGETHER_US = 45_000
_CLUSTER_US = 300_000
_SLOW_HAND_US = 500_000
_SURE, _LIKELY, _MAYBE = 0.97, 0.9, 0.7
_UNKNOWN_PIECE_G = 1.0
_SAG_PART = 0.1
_STEADY_PART, _BESIDE = 0.4, 0.3


class BoardJudge:
    """Judges one board from its scales alone.

    `elsewhere` is to be told when other boards were hit. `shaken` is set by a sample after which the board turns out to
    have been shaken and nothing more.
    """

    def __init__(self, plan: Plan, board: str) -> None:
        self.board = plan.board(board)
        weighs = any(cell.counts_per_g is not None for cell in self.board.cells)
        self.masses = Masses(plan.pieces if weighs else {})
        self.scales = BoardScales(self.board, self.masses.hand_g)
        self._impacts: list[ImpactEvidence] = []
        self._touched_us: int | None = None
        self._accident = False
        self._littered = False
        self._strange_from_us: int | None = None
        self._swing: BumpEvidence | None = None
        self._shaken_us: int | None = None
        self._lifts = Lifts(self.masses)
        self._site = Site(plan, self.board)
        self._strays = Strays(self._site, self.masses)
        self._middle_mm = middle_mm(self.board)
        self.elsewhere: deque[int] = deque(maxlen=_REMEMBERED)
        self.shaken: BumpEvidence | None = None
        self.evidence: list[Evidence] = []

    def push(self, sample: ScaleSample) -> list[Sensed]:
        """The events that this sample decides. `evidence` then holds what the stages said with it."""
        self.evidence = self.scales.push(sample)
        return self._judged(sample.t_us)

    def finish(self) -> list[Sensed]:
        """The events that the end of the stream decides."""
        self.evidence = self.scales.finish()
        return self._judged(self.scales.rows.t_us[-1]) if self.scales.rows.t_us else []

    def _judged(self, now_us: int) -> list[Sensed]:
        found: list[Sensed] = []
        self.shaken = None
        for evidence in self.evidence:
            if isinstance(evidence, StepEvidence):
                found += self._settled(evidence)
            elif isinstance(evidence, ImpactEvidence):
                self._hit(evidence)
            elif isinstance(evidence, BumpEvidence):
                self._swing = self._swing or evidence
            elif isinstance(evidence, CellEvidence):
                found.append(_fault(evidence))
        if not self._accident:
            found += (self._first_call(now_us) if self._impacts else []) or self._strayed()
            self._lifting()
        if (self._impacts or self._swing) and self.scales.at_rest and self._back_to_rest():
            found += self._nothing_changed(now_us)
        return [msgspec.structs.replace(event, decided_us=now_us) for event in found]

    # Falls

    def _hit(self, impact: ImpactEvidence) -> None:
        self._impacts.append(impact)
        del self._impacts[:-_REMEMBERED]
        reference, rows = self.scales.steps.reference, self.scales.rows
        if reference is not None and self._tells_falls():
            recent = next(each for each in self._impacts if impact.t_us - each.t_us < RECENT_US)
            if is_shaken(rows, rows.since(recent.t_us - BEFORE_US), reference, self._middle_mm):
                self._shaken_us = impact.t_us
        if self._accident and impact.push_gs > _SURE_FALL_S * self._piece_g():
            self._touched_us = impact.t_us

    def _first_call(self, now_us: int) -> list[Sensed]:
        """A collapse as soon as the signs of one are clear; never before an impact is over."""
        rows, reference = self.scales.rows, self.scales.steps.reference
        last_us = self._impacts[-1].t_us
        if reference is None or not self._tells_falls() or self.scales.hand:
            return []
        if now_us - self._impacts[0].t_us < _FIRST_LOOK_US or now_us - last_us > _LAST_LOOK_US:
            return []
        begin = rows.since(max(last_us + _RING_US, now_us - _LOOK_BACK_US))
        if len(rows.t_us) - begin < _FEWEST_ROWS:
            begin = rows.since(now_us - _SHORT_LOOK_BACK_US)
        change = rows.level_of(begin, len(rows.t_us)).load.minus(reference)
        enough = _CLEAR_ODDS + (_LITTERED_ODDS if self._littered else 0.0)
        clear = MOVING.odds(self._signs(change, _MOVING_SIGMA_G)) >= enough
        if not clear and not self._landed(change, rows.force[begin:]):
            return []
        return self._collapse(self._touch_us(since_us=now_us - _LAST_LOOK_US), rows.t_us[-1], _LIKELY)

    def _strayed(self) -> list[Sensed]:
        """A collapse by a piece that rolls or slides on the board, however softly it came there."""
        rows, steps = self.scales.rows, self.scales.steps
        if steps.reference is None or not self._tells_falls() or self.scales.hand or self._was_shaken():
            return []
        since_us = self._strays.look(rows, steps.reference, steps.force_noise.sigma, steps.moment_noise.sigma)
        return [] if since_us is None else self._collapse(since_us, rows.t_us[-1], _LIKELY)

    def _landed(self, change: Load, force: list[float]) -> bool:
        """Whether a piece more already lies still where none is built and something hit the board there."""
        steady = len(force) >= _FEWEST_ROWS and max(force) - min(force) < _STEADY_PART * self._piece_g()
        if change.force_g < _WHOLE_PART * self._piece_g() or not steady:
            return False
        position, spread_mm = self.scales.steps.position(change)
        name = self.masses.named(change.force_g, _STEADY_PART * self._piece_g() / 2)
        if name is None or self._site.built_in(self.masses.pieces[name], position, spread_mm):
            return False
        beside = max(off(self._site, impact, self._piece_g()) for impact in self._impacts)
        return beside > _BESIDE and not self._was_shaken()

    def _signs(self, change: Load, sigma_g: float) -> Signs:
        reference, rows = self.scales.steps.reference, self.scales.rows
        assert reference is not None
        shaken = float(self._was_shaken())
        if self._impacts and not shaken:
            shaken = sum(self._everywhere(impact.t_us) for impact in self._impacts) / len(self._impacts)
        return signs(self._site, self.masses, self._piece_g(), rows, reference, self._impacts, change, sigma_g, shaken)

    def _was_shaken(self) -> bool:
        return self._shaken_us is not None and self.scales.rows.t_us[-1] - self._shaken_us < _SHAKEN_US

    def _tells_falls(self) -> bool:
        """Whether this board tells where its load lies, and fast enough to feel impacts."""
        return self.scales.platform.moments_known and not self.blurred

    def _fell(self, change: Load, sigma_g: float) -> bool:
        """Whether the signs alone say that the settled change came about by a fall."""
        enough = _LIKELY_ODDS + (_LITTERED_ODDS if self._littered else 0.0)
        return self._tells_falls() and AT_REST.odds(self._signs(change, sigma_g)) > enough

    def _dipped(self, part: float) -> bool:
        """Whether the board was lighter by a part of the lightest piece just before a hard impact."""
        return any(impact.dip_g > part * self._piece_g() for impact in self._fallen())

    def _falls(self, seconds: float = _FALL_S) -> int:
        """How many impacts are as hard as the lightest piece makes one that has fallen for that time."""
        return len(self._fallen(seconds))

    def _fallen(self, seconds: float = _FALL_S) -> list[ImpactEvidence]:
        return [impact for impact in self._impacts if impact.push_gs > seconds * self._piece_g()]

    def _everywhere(self, t_us: int) -> bool:
        """Whether another board was hit at the same moment: then the table was, and nothing fell."""
        return any(abs(t_us - other_us) < _TOGETHER_US for other_us in self.elsewhere)

    def _collapse(self, t_us: int, decided_us: int, confidence: float) -> list[Sensed]:
        again = self._in_accident(t_us)
        self._accident = self._littered = True
        hard = [impact.t_us for impact in self._impacts if impact.push_gs > _SURE_FALL_S * self._piece_g()]
        self._touched_us = max([t_us, *hard])
        return [] if again else [self._event("collapse", t_us, decided_us, confidence)]

    def _lifting(self) -> None:
        """A hand that takes something off does so before anything is hit."""
        reference = self.scales.steps.reference
        if reference is not None and not self.scales.at_rest and not self.blurred and not self._falls():
            self._lifts.look(self.scales.rows, reference)

    def _lifted(self, change: Load) -> list[Sensed]:
        """The piece that was taken before the rest fell, if it is gone for good."""
        lifted = self._lifts.lifted
        if lifted is None or change.force_g > _WHOLE_PART * lifted.change.force_g:
            return []
        return [self._change_event("removed", lifted.t_us, lifted.change)]

    # Settled states

    def _settled(self, step: StepEvidence) -> list[Sensed]:
        change = step.change
        if self._accident:
            return self._taken_as_is(self._lifted(change))
        if self._is_strange(step):
            return self._taken_as_is(self._slipped(step)) if self._fell_from_a_hand(step) else []
        if abs(change.force_g) < _WHOLE_PART * self.masses.lightest_g and not self._named(step):
            return self._taken_as_is(self._shifted(step))
        if change.force_g > self.masses.least_g:
            return self._taken_as_is(self._placed(step))
        if change.force_g < -self.masses.least_g:
            return self._taken_as_is(self._removed(step))
        return self._taken_as_is(self._shifted(step))

    def _is_strange(self, step: StepEvidence) -> bool:
        """Whether the load is more than pieces make: a hand, for as long as it does not stay for good."""
        grams = step.change.force_g
        if grams < self.masses.hand_g and (grams < self.masses.least_g or self._is_one_piece(step)):
            self._strange_from_us = None
            return False
        if self._strange_from_us is None:
            self._strange_from_us = step.decided_us
        patience_us = _STRANGE_FOR_US
        if grams < self.masses.lightest_g:
            patience_us = _SMALL_FOR_US
        elif self._is_two_pieces(step):
            patience_us = _TWO_FOR_US
        return step.decided_us - self._strange_from_us < patience_us

    def _fell_from_a_hand(self, step: StepEvidence) -> bool:
        light = _WHOLE_PART * self.masses.lightest_g < step.change.force_g < self.masses.hand_g
        return light and self._falls(_SURE_FALL_S) > 0 and self._dipped(_WHOLE_DIP_PART)

    def _slipped(self, step: StepEvidence) -> list[Sensed]:
        return self._collapse(self._touch_us(step), step.decided_us, _MAYBE)

    def _is_two_pieces(self, step: StepEvidence) -> bool:
        two = self.masses.could_be_two(step.change.force_g, step.sigma.force_g)
        return two and self._site.on_board(step.position_mm, step.spread_mm)

    def _is_one_piece(self, step: StepEvidence) -> bool:
        if not self._site.on_board(step.position_mm, step.spread_mm):
            return False
        return not self.masses.known or not self.scales.platform.grams_known or self._named(step) is not None

    def _named(self, step: StepEvidence) -> str | None:
        off_mm = self._site.off_centre_mm(step.position_mm)
        return self.masses.named(abs(step.change.force_g), step.sigma.force_g, off_mm)

    def _placed(self, step: StepEvidence) -> list[Sensed]:
        """Built in or stored; what comes down hard where nothing is built has slipped from a hand."""
        if self._fell(step.change, step.sigma.force_g):
            return self._collapse(self._touch_us(step), step.decided_us, _LIKELY)
        name = self._named(step)
        if name is None or self._site.built_in(self.masses.pieces[name], step.position_mm, step.spread_mm):
            return [self._mass_event("placed", step)]
        tips = self._site.tips(self.masses.pieces[name], step.position_mm, step.spread_mm)
        if tips or self._falls(_TOUCH_S) or self.blurred:
            return self._collapse(self._touch_us(step), step.decided_us, _LIKELY if self._impacts else _MAYBE)
        return [self._mass_event("placed", step)]

    def _removed(self, step: StepEvidence) -> list[Sensed]:
        """Taken by a hand: what one piece weighs, from where one can be. The rest of what left was thrown off."""
        if self._in_accident(step.began_us):
            return []
        slowly = step.t_us - step.began_us > _SLOW_HAND_US
        built = self._site.built_in(None, step.position_mm, step.spread_mm)
        one = self._is_one_piece(step) and (built or self._littered)
        if one:
            knocked = step.t_us - step.began_us < _KNOCK_US or self._in_accident(step.t_us)
            knocked = knocked and built
            hard = self._falls(_SURE_FALL_S) > 1 or self._falls(_KNOCK_S) > 0
            fell = self._falls(_HARD_FALL_S) > 2 or (knocked and hard)
        else:
            fell = self._falls() > 0 or (self.blurred and self.masses.known)
        if not fell and not self._fell(step.change, step.sigma.force_g):
            return [self._mass_event("removed", step)]
        taken = [self._mass_event("removed", step)] if slowly and one else self._lifted(step.change)
        return taken + self._collapse(self._touch_us(step), step.decided_us, _LIKELY if self._impacts else _MAYBE)

    def _touch_us(self, step: StepEvidence | None = None, since_us: int = LONG_AGO_US) -> int:
        """When the first thing touched: at the first hard impact after a dip near the hardest one, or as it settled."""
        impacts = [impact for impact in self._impacts if impact.t_us >= since_us]
        fallen = [impact for impact in impacts if impact.push_gs > _FALL_S * self._piece_g()] or impacts
        if not fallen:
            return step.t_us if step else self.scales.rows.t_us[-1]
        hardest = max(fallen, key=self._touching)
        return next(impact.t_us for impact in fallen if impact.t_us > hardest.t_us - _CLUSTER_US)

    def _touching(self, impact: ImpactEvidence) -> float:
        """How much an impact looks like a piece that touches the board."""
        dipped = impact.dip_g > _DIP_PART * self._piece_g()
        return impact.push_gs * (1 + dipped + 2 * off(self._site, impact, self._piece_g()))

    def _in_accident(self, t_us: int) -> bool:
        return self._touched_us is not None and t_us - self._touched_us < ONE_ACCIDENT_US

    def _shifted(self, step: StepEvidence) -> list[Sensed]:
        """The total is the same and its centre elsewhere: something fell, or a hand pushed it."""
        shift_mm = step.change.moment_gmm() / self._piece_g()
        if shift_mm < _SHIFT_MM or not self.scales.platform.moments_known:
            return []
        only_bumped = shift_mm < _FAR_SHIFT_MM and all(self._everywhere(each.t_us) for each in self._fallen())
        if self._falls() and not only_bumped:
            return self._collapse(self._touch_us(step), step.decided_us, _LIKELY)
        if self.blurred and shift_mm > _FAR_SHIFT_MM:
            return self._collapse(self._touch_us(step), step.decided_us, _MAYBE)
        return []

    @property
    def weighs(self) -> bool:
        """Whether changes can be told: some cells speak, and it is known how the board stood before."""
        return self.scales.steps.reference is not None and bool(self.scales.platform.live)

    @property
    def blurred(self) -> bool:
        """Whether the chips are too slow to show impacts."""
        return self.scales.rows.row_s > SLOWEST_ROW_S

    def _taken_as_is(self, events: list[Sensed]) -> list[Sensed]:
        self.scales.steps.accept()
        self._calm()
        return events

    def _back_to_rest(self) -> bool:
        steps = self.scales.steps
        return abs(steps.away.force_g) <= steps.threshold_g and steps.away.moment_gmm() <= steps.threshold_gmm

    def _nothing_changed(self, now_us: int) -> list[Sensed]:
        """All is as it was: the board was shaken, touched, or something fell where no moment can tell."""
        found: list[Sensed] = []
        if self._fell_unseen():
            found = self._collapse(self._touch_us(), now_us, _MAYBE)
        elif self._impacts:
            first = self._impacts[0]
            alone = self._rattled() or self._was_shaken()
            self.shaken = BumpEvidence(self.board.id, first.t_us, now_us, first.peak_g, alone)
        else:
            self.shaken = self._swing
        self._calm()
        return found

    def _rattled(self) -> bool:
        """Whether it was hit again and again from rest, which a table does that was bumped."""
        from_rest = [impact for impact in self._impacts if impact.peak_g > _FROM_REST * impact.height_g]
        hard = [impact for impact in from_rest if impact.push_gs > _FALL_S * self._piece_g()]
        hardest_gs = max(impact.push_gs for impact in self._impacts)
        at_once = self._impacts[0].push_gs > max(_SURE_FALL_S * self._piece_g(), _AT_ONCE_PART * hardest_gs)
        return len(from_rest) >= _SHAKES and len(hard) > 1 and at_once

    def _fell_unseen(self) -> bool:
        """Whether a single cell felt a fall: a dip of a whole piece and then a hard impact, once or twice."""
        seen = self.scales.platform.moments_known or self._accident or len(self._impacts) >= _SHAKES
        return not seen and self._falls(_SURE_FALL_S) > 0 and self._dipped(_WHOLE_DIP_PART)

    def _calm(self) -> None:
        self._swing = None
        self._impacts.clear()
        self._accident = False
        self._strange_from_us = None
        self._lifts.forget()

    def _piece_g(self) -> float:
        return self.masses.lightest_g or _UNKNOWN_PIECE_G

    # Events

    def _change_event(self, kind: Kind, t_us: int, change: Load) -> Sensed:
        position, spread = self.scales.steps.position(change)
        off_mm = self._site.off_centre_mm(position)
        return self._event(
            kind,
            t_us,
            t_us,
            _MAYBE,
            tower=self._site.tower_at(position, spread),
            piece=self.masses.named(abs(change.force_g), abs(change.force_g) * _SAG_PART, off_mm),
            grams=round(abs(change.force_g), 3) if self.scales.platform.grams_known else None,
        )

    def _mass_event(self, kind: Kind, step: StepEvidence) -> Sensed:
        known = self.scales.platform.grams_known
        grams = abs(step.change.force_g)
        piece = self._named(step) if known else None
        return self._event(
            kind,
            step.t_us,
            step.decided_us,
            (_SURE if piece or not self.masses.known else _LIKELY) if known else _MAYBE,
            tower=self._site.tower_at(step.position_mm, step.spread_mm),
            piece=piece,
            grams=round(grams, 3) if known else None,
        )

    def _event(
        self,
        kind: Kind,
        t_us: int,
        decided_us: int,
        confidence: float,
        tower: str | None = None,
        piece: str | None = None,
        grams: float | None = None,
    ) -> Sensed:
        return Sensed(
            kind=kind,
            t_us=t_us,
            decided_us=decided_us,
            board=self.board.id,
            tower=tower,
            piece=piece,
            grams=grams,
            confidence=confidence,
            evidence={"scales": confidence},
        )


def _fault(evidence: CellEvidence) -> Sensed:
    return Sensed(
        kind="fault",
        t_us=evidence.t_us,
        decided_us=evidence.t_us,
        board=evidence.board,
        what=evidence.what,
        device=evidence.device,
        evidence={"scales": 1.0},
    )
