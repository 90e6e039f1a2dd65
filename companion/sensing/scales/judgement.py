"""From evidence of one board to events: what was placed, what was taken, what fell.

A settled change is judged by its mass and place. A fall is called early when its symptoms are clear: how hard and where
the board was hit, how much lighter it was before, where its centre went. What cannot be told so early waits until the
load has settled. Whatever rests on the board after an accident is the new reference, without events.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

from companion.sensing.incidents import ONE_ACCIDENT_US
from companion.sensing.odds import chance, odds
from companion.sensing.plan import Plan
from companion.sensing.scales.boards import BoardScales
from companion.sensing.scales.evidence import (
    BumpEvidence,
    CellEvidence,
    Evidence,
    ImpactEvidence,
    Load,
    StepEvidence,
    Weighed,
)
from companion.sensing.scales.falls import Felt, Scene, chance_of_fall, felt
from companion.sensing.scales.gathering import Gathering
from companion.sensing.scales.hits import SHAKES, SURE_FALL_S, Hits
from companion.sensing.scales.impacts import SLOWEST_ROW_S
from companion.sensing.scales.lifts import Lifts
from companion.sensing.scales.memory import Memory
from companion.sensing.scales.naming import MAYBE, Naming, fault
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.site import Site
from companion.sensing.scales.strays import Strays
from companion.sensing.scales.untold import Untold
from companion.sensing.shapes import BASE
from companion.sensing.streams import LONG_AGO_US, ScaleSample, Sensed

_UNFELT_ODDS, _UNTOLD_ODDS = -4.0, -0.3  # of a fall that was not felt at all, and that was not told though it was
CLEAR = 0.8
"""The chance of a fall from which it is called without another sense, once it has stayed so for a moment."""
_HELD_US = 60_000
_AT_ONCE = 0.92  # and from which it is called at once
_SLOW_ODDS = 1.1  # log odds by which a call by slow chips is surer than their chance at one row
_CLEAR_AMONG_LITTER = 0.94  # and where hands gather up
_SETTLED, _ASTRAY, _ASTRAY_BLURRED = 0.5, 0.3, 0.05  # once all lies still, and where what lies there says so
_SUREST = 0.97  # what seems surer than this is right no more often
# How far the lightest piece would have had to move to shift the centre like that.
_SHIFT_MM = 14.0
_SURE_PLACE_MM, _CLEAR_MM = 4.0, 6.0  # how exactly it must be known where a piece lies, and how clear of all towers
_WHOLE_DIP_PART = 0.8
_WHOLE_PART, _SOME_PART = 0.75, 0.2
_STRANGE_FOR_US, _TWO_FOR_US, _SMALL_FOR_US = 12_000_000, 2_400_000, 1_400_000
_REMEMBERED = 64
_CHANCE_KEPT, _MOMENT_US = 0.01, 100_000
_TOGETHER_US = 45_000
_UNKNOWN_PIECE_G = 1.0


class BoardJudge:
    """Judges one board from its scales alone.

    `elsewhere` is to be told when other boards were hit. `shaken` is set by a sample after which the board turns out to
    have been shaken and nothing more.
    """

    def __init__(self, plan: Plan, board: str, chance: Callable[[Felt], float] = chance_of_fall) -> None:
        self.board = plan.board(board)
        weighs = any(cell.counts_per_g is not None for cell in self.board.cells)
        self.masses = Masses(plan.pieces if weighs else {})
        self.scales = BoardScales(self.board, self.masses.hand_g)
        self._touched_us: int | None = None
        self._accident = False
        self._littered = False
        self._strange_from_us: int | None = None
        self._partly_from_us: int | None = None
        self._swing: BumpEvidence | None = None
        self._stirred_us: int | None = None
        self._chance_of = chance
        self._chance, self._weighed_us = 0.0, LONG_AGO_US
        self._clear_us: int | None = None
        self._chances: deque[tuple[int, float]] = deque(maxlen=4 * _REMEMBERED)
        self._lifts = Lifts(self.masses)
        self._site = Site(plan, self.board)
        self._strays = Strays(self._site, self.masses)
        self._hits = Hits(self._site, self._piece_g())
        self._naming = Naming(self.scales, self._site, self.masses)
        self._gathering = Gathering(self.scales, self._site, self.masses)
        self._untold = Untold(self.scales.rests, self._naming, self.masses)
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
            if isinstance(evidence, ImpactEvidence):
                self._hit(evidence)
            elif isinstance(evidence, BumpEvidence):
                self._swing = self._swing or evidence
            elif isinstance(evidence, CellEvidence):
                found.append(fault(evidence))
        self._weigh()
        if not self._accident:
            found += self._called() or self._strayed()
            self._lifting()
        for evidence in self.evidence:
            if isinstance(evidence, StepEvidence):
                found += self._remembered(evidence, self._settled(evidence))
        if self.scales.at_rest and self._back_to_rest():
            self._strange_from_us = self._partly_from_us = None
            if self._hits or self._swing:
                found += self._nothing_changed(now_us)
        return [msgspec.structs.replace(event, decided_us=now_us) for event in found]

    # Falls

    def fell(self) -> None:
        """Another sense saw pieces fall: they lie about now."""
        self._littered = True
        self._gathering.begin()

    def odds_of_fall(self, since_us: int) -> float:
        """What this board, which told of no fall since then, says of one that another sense saw, as log odds."""
        if not self.weighs or not self._feels_falls:
            return 0.0
        return max(_UNFELT_ODDS, min(0.0, odds(self.memory().likeliest(since_us)) + _UNTOLD_ODDS))

    def memory(self) -> Memory:
        """What is remembered of the last seconds."""
        platform = self.scales.platform
        return Memory(
            piece_g=self._piece_g(),
            centre_mm=platform.known_centre_mm,
            feels=self._feels_falls,
            alive=platform.complete,
            chances=tuple(self._chances),
            hits=self._hits.past,
            rests=self.scales.rests.loads if platform.grams_known else (),
        )

    def hardest_us(self, since_us: int, until_us: int) -> int | None:
        """When the board was hit hardest between two times, if it was."""
        return self._hits.hardest_us(since_us, until_us)

    def weighed(self, since_us: int) -> Weighed | None:
        """What came or went since then, as the load tells that has settled; None where that cannot be said."""
        return self._untold.weighed(since_us) if self._weighs_pieces else None

    def untold(self, since_us: int) -> Weighed | None:
        """What came or went since the board lay still at that time or before it, and was not told as a piece."""
        return self._untold.untold(since_us) if self._weighs_pieces else None

    @property
    def _weighs_pieces(self) -> bool:
        return self.scales.platform.grams_known and self.masses.known

    def _hit(self, impact: ImpactEvidence) -> None:
        self._hits.add(impact)
        reference = self.scales.steps.reference
        if reference is not None and self.tells_falls:
            self._hits.look_for_shaking(self.scales.rows, reference)
        if self._accident and impact.push_gs > SURE_FALL_S * self._piece_g():
            self._touched_us = impact.t_us

    def felt(self) -> Felt | None:
        """What speaks for a fall with the newest row, or against it; None while nothing moves."""
        steps, rows, since_us = self.scales.steps, self.scales.rows, self._stirs_since_us
        if steps.reference is None or since_us is None:
            return None
        shaken = float(self._was_shaken())
        if self._hits and not shaken:
            shaken = sum(self._everywhere(impact.t_us) for impact in self._hits) / len(self._hits)
        return felt(
            Scene(
                site=self._site,
                masses=self.masses,
                piece_g=self._piece_g(),
                rows=rows,
                reference=steps.reference,
                impacts=tuple(self._hits),
                since_us=since_us,
                places=self.scales.platform.moments_known,
                shaken=shaken,
                littered=self._littered,
            )
        )

    @property
    def _stirs_since_us(self) -> int | None:
        """Since when the load has moved, or something hit the board; None while it is at rest."""
        left_us = self.scales.steps.left_us
        if left_us is None and not self._hits:
            return None
        if self._stirred_us is not None:
            return self._stirred_us
        now_us = self.scales.rows.t_us[-1]
        return min(now_us if left_us is None else left_us, self._hits.first.t_us if self._hits else now_us)

    def _weigh(self) -> None:
        """How likely something fell, as far as the newest row tells."""
        newest_us = self.scales.rows.t_us[-1] if self.scales.rows.t_us else LONG_AGO_US
        if newest_us == self._weighed_us:
            return
        self._weighed_us, self._stirred_us = newest_us, self._stirs_since_us
        found = self.felt() if self._feels_falls else None
        self._chance = self._chance_of(found) if found is not None else 0.0
        if self._sureness < CLEAR:
            self._clear_us = None
        elif self._clear_us is None:
            self._clear_us = newest_us
        if self._chance > _CHANCE_KEPT and not self._accident:
            self._remember_chance(newest_us, self._chance)

    def _remember_chance(self, t_us: int, chance: float) -> None:
        """The highest of every moment is kept."""
        if self._chances and t_us - self._chances[-1][0] < _MOMENT_US:
            t_us, before = self._chances.pop()
            chance = max(chance, before)
        self._chances.append((t_us, chance))

    def _called(self) -> list[Sensed]:
        """A collapse as soon as the symptoms of one are clear: it touched when they became so, or a moment before."""
        if self._clear_us is None:
            return []
        newest_us = self.scales.rows.t_us[-1]
        clear = CLEAR if newest_us - self._clear_us >= _HELD_US else _AT_ONCE
        if self._sureness < (_CLEAR_AMONG_LITTER if self._littered else clear):
            return []
        return self._collapse(max(self._clear_us, newest_us - _HELD_US), newest_us, self._confidence)

    @property
    def _sureness(self) -> float:
        """How sure a call would be now: a slow chip has but few rows in which the chance may be too high by luck."""
        row_s = self.scales.rows.row_s
        slow = max(0.0, min(1.0, (row_s - SLOWEST_ROW_S) / SLOWEST_ROW_S))
        return chance(odds(self._chance) + _SLOW_ODDS * slow) if slow else self._chance

    @property
    def _confidence(self) -> float:
        return round(min(_SUREST, self._sureness), 3)

    def _strayed(self) -> list[Sensed]:
        """A collapse by a piece that rolls or slides on the board, however softly it came there."""
        rows, steps = self.scales.rows, self.scales.steps
        if steps.reference is None or not self.tells_falls or not self._may_have_fallen:
            return []
        since_us = self._strays.look(rows, steps.reference, steps.force_noise.sigma, steps.moment_sigma)
        return [] if since_us is None else self._collapse(since_us, rows.t_us[-1], MAYBE)

    def _was_shaken(self) -> bool:
        return self._hits.was_shaken(self.scales.rows.t_us[-1])

    @property
    def tells_falls(self) -> bool:
        """Whether this board tells where its load lies, and fast enough to feel impacts."""
        return self.scales.platform.moments_known and not self.blurred

    @property
    def _feels_falls(self) -> bool:
        """Whether falls can be told from other things: by pieces of known mass, or at least by grams and places."""
        grams, places = self.scales.platform.grams_known, self.scales.platform.moments_known
        return grams and (self.masses.known or places)

    @property
    def _fell(self) -> bool:
        """Whether the symptoms alone say that something fell, now that the load has settled."""
        return self._chance > _SETTLED

    @property
    def _may_have_fallen(self) -> bool:
        """Whether the symptoms leave it open that something fell, where what lies there now says so."""
        return self._chance > (_ASTRAY_BLURRED if self.blurred else _ASTRAY)

    def _everywhere(self, t_us: int) -> bool:
        """Whether another board was hit at the same moment: then the table was, and nothing fell."""
        return any(abs(t_us - other_us) < _TOGETHER_US for other_us in self.elsewhere)

    def _collapse(self, t_us: int, decided_us: int, confidence: float) -> list[Sensed]:
        again = self._in_accident(t_us)
        self._remember_chance(decided_us, confidence)
        self._accident = self._littered = True
        hard = [impact.t_us for impact in self._hits.hard(SURE_FALL_S)]
        self._touched_us = max([t_us, *hard])
        return [] if again else [self._naming.event("collapse", t_us, decided_us, confidence)]

    def _lifting(self) -> None:
        """A hand that takes something off does so before anything is hit."""
        reference = self.scales.steps.reference
        if reference is not None and not self.scales.at_rest and not self._hits.hard():
            self._lifts.look(self.scales.rows, reference)

    def _lifted(self, change: Load) -> list[Sensed]:
        """The piece that was taken before the rest fell, if it is gone for good."""
        lifted = self._lifts.lifted
        if lifted is None or change.force_g > _WHOLE_PART * lifted.change.force_g:
            return []
        if self.blurred and not self._was_pulled(lifted.change, change):
            return []
        return [self._naming.unsettled("removed", lifted.t_us, lifted.change)]

    def _was_pulled(self, lifted: Load, change: Load) -> bool:
        """Whether a piece went from where one stands and others moved then; slow chips show no impact between them."""
        position, spread_mm = self.scales.steps.position(lifted)
        built = self._site.built_in(None, position, spread_mm) and self._site.on_board(position, spread_mm)
        return built and change.minus(lifted).moment_gmm() > _SHIFT_MM * self._piece_g()

    # Settled states

    def _settled(self, step: StepEvidence) -> list[Sensed]:
        change = step.change
        if taken := self._gathered(step):
            return self._taken_as_is(taken)
        if self._accident:
            return self._taken_as_is(self._lifted(change))
        if self._is_strange(step):
            return self._taken_as_is(self._slipped(step)) if self._fell_from_a_hand(step) else []
        if abs(change.force_g) < _WHOLE_PART * self.masses.lightest_g and not self._naming.piece(step):
            shifted = self._shifted(step)
            return [] if not shifted and self._may_become_a_piece(step) else self._taken_as_is(shifted)
        if change.force_g > self.masses.least_g:
            return self._taken_as_is(self._placed(step))
        if change.force_g < -self.masses.least_g:
            return self._taken_as_is(self._removed(step))
        return self._taken_as_is(self._shifted(step))

    def _remembered(self, step: StepEvidence, events: list[Sensed]) -> list[Sensed]:
        """Remember what is told of a step as pieces."""
        if events and all(event.kind != "collapse" for event in events):
            self._untold.tell(step)
        return events

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

    def _may_become_a_piece(self, step: StepEvidence) -> bool:
        """Whether a hand may still bear a part of a piece that comes or goes: not for long.

        What is strange has waited already.
        """
        grams = step.change.force_g
        if abs(grams) < _SOME_PART * self.masses.lightest_g or grams >= self.masses.least_g:
            return False
        if self._partly_from_us is None:
            self._partly_from_us = step.decided_us
        return step.decided_us - self._partly_from_us < _SMALL_FOR_US

    def _fell_from_a_hand(self, step: StepEvidence) -> bool:
        light = _WHOLE_PART * self.masses.lightest_g < step.change.force_g < self.masses.hand_g
        return light and bool(self._hits.hard(SURE_FALL_S)) and self._hits.dipped(_WHOLE_DIP_PART)

    def _slipped(self, step: StepEvidence) -> list[Sensed]:
        return self._collapse(self._touch_us(step), step.decided_us, MAYBE)

    def _is_two_pieces(self, step: StepEvidence) -> bool:
        two = self.masses.could_be_two(step.change.force_g, step.sigma.force_g)
        return two and self._site.on_board(step.position_mm, step.spread_mm)

    def _is_one_piece(self, step: StepEvidence) -> bool:
        if not self._site.on_board(step.position_mm, step.spread_mm):
            return False
        return not self.masses.known or not self.scales.platform.grams_known or self._naming.piece(step) is not None

    def _placed(self, step: StepEvidence) -> list[Sensed]:
        """Built in or stored; what comes down hard where nothing is built has slipped from a hand."""
        stored = step.position_mm is not None and self._site.stored(step.position_mm)
        if self._fell and not stored:
            return self._collapse(self._touch_us(step), step.decided_us, MAYBE)
        name = self._naming.piece(step)
        if name is None or self._site.built_in(self.masses.pieces[name], step.position_mm, step.spread_mm):
            self._gathering.end()
            self._littered = False
            return [self._naming.settled("placed", step)]
        if not self._is_a_base_tile(step) and (self._may_have_fallen or self._lies_bare(step)):
            return self._collapse(self._touch_us(step), step.decided_us, MAYBE)
        return [self._naming.settled("placed", step)]

    def _lies_bare(self, step: StepEvidence) -> bool:
        """Whether a piece that is built in nowhere surely lies on the bare board, however softly.

        Something must have hit the board: nothing falls without.
        """
        place, spread_mm = step.position_mm, step.spread_mm
        exactly = spread_mm is not None and spread_mm < _SURE_PLACE_MM and self.scales.platform.complete
        if place is None or not exactly or not self._hits:
            return False
        return self._site.on_bare_ground(place, _CLEAR_MM, 0.0)

    def _is_a_base_tile(self, step: StepEvidence) -> bool:
        """Whether what came may be a base tile and nothing else: one does not fall, wherever it lies."""
        kinds = self.masses.near(step.change.force_g, step.sigma.force_g)
        return bool(kinds) and all(BASE in kind for kind in kinds)

    def _removed(self, step: StepEvidence) -> list[Sensed]:
        """Taken by a hand: what one piece weighs, from where one can be. The rest of what left was thrown off."""
        if self._in_accident(step.began_us):
            return []
        cleared = self._littered and not self.blurred  # what is gathered up is knocked about by the hand
        if cleared or not self._fell:
            return [self._naming.settled("removed", step)]
        confidence = max(MAYBE, self._confidence)
        return self._lifted(step.change) + self._collapse(self._touch_us(step), step.decided_us, confidence)

    def _gathered(self, step: StepEvidence) -> list[Sensed]:
        """What was gathered up after a fall, whatever is knocked over meanwhile."""
        knocked = self.blurred or bool(self._hits.hard(SURE_FALL_S))
        return [self._naming.gathered(each) for each in self._gathering.taken(step, self._touched_us, knocked)]

    def _touch_us(self, step: StepEvidence | None = None) -> int:
        """When the first thing touched, or the load settled."""
        touch_us = self._hits.touch_us()
        return touch_us if touch_us is not None else step.t_us if step else self.scales.rows.t_us[-1]

    def _in_accident(self, t_us: int) -> bool:
        return self._touched_us is not None and t_us - self._touched_us < ONE_ACCIDENT_US

    def _shifted(self, step: StepEvidence) -> list[Sensed]:
        """The total is the same and its centre elsewhere: something fell, or a hand pushed it."""
        shift_mm = step.change.moment_gmm() / self._piece_g()
        if shift_mm < _SHIFT_MM or self._chance < _ASTRAY:
            return []
        return self._collapse(self._touch_us(step), step.decided_us, max(MAYBE, self._confidence))

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
        """All is as it was: the board was shaken, touched, or something fell where no moment can tell.

        What was told as a fall is a bump, too, only if other boards say so.
        """
        found: list[Sensed] = []
        if self._fell_unseen():
            found = self._collapse(self._touch_us(), now_us, MAYBE)
        elif self._hits:
            first = self._hits.first
            alone = not self._accident and (self._hits.rattled() or self._was_shaken())
            self.shaken = BumpEvidence(self.board.id, first.t_us, now_us, first.peak_g, alone)
        else:
            self.shaken = self._swing
        self._calm()
        return found

    def _fell_unseen(self) -> bool:
        """Whether a single cell felt a fall: a dip of a whole piece and then a hard impact, once or twice."""
        seen = self.scales.platform.moments_known or self._accident or len(self._hits) >= SHAKES
        return not seen and bool(self._hits.hard(SURE_FALL_S)) and self._hits.dipped(_WHOLE_DIP_PART)

    def _calm(self) -> None:
        if self._accident:
            self._gathering.begin()
        self._swing = None
        self._hits.clear()
        self._accident = False
        self._chance, self._stirred_us, self._clear_us = 0.0, None, None
        self._strange_from_us = self._partly_from_us = None
        self._lifts.forget()

    def _piece_g(self) -> float:
        return self.masses.lightest_g or _UNKNOWN_PIECE_G
