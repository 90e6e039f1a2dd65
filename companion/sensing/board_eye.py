"""The eye on one board: what came, went and fell there, from one look to the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from companion.sensing.airspace import Airspace, is_in_sight
from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change, filled, widened
from companion.sensing.explaining import SURE, Came, Expected, Loose, Telling, Told, Went
from companion.sensing.falling import Fallen, FallWatch
from companion.sensing.fitting import standing_out
from companion.sensing.glance import Mask, Small
from companion.sensing.glimpses import Glimpses, Look, Times, air_over, whole_look
from companion.sensing.litter import Litter
from companion.sensing.markers import marker_corners
from companion.sensing.motion import Stir, Stirring
from companion.sensing.plan import Board
from companion.sensing.readings import Readings
from companion.sensing.remains import lies_about
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.memory import Memory
from companion.sensing.scenes import Built, Scene, Shown
from companion.sensing.shapes import Kit
from companion.sensing.sights import Looked, Seen, Sight
from companion.sensing.signs import Case, Found, chance_of_fall, gained_meanwhile
from companion.sensing.streams import LONG_AGO_US, Frame
from companion.sensing.surroundings import Surroundings, Thrown
from companion.sensing.things import thickness
from companion.sensing.towers import read_top
from companion.sensing.views import View, box_corners

_LEAST_LEVELS = 6  # how high the air over a board is watched at the least
_MARKER_CHANGED = 0.15  # of a marker's pixels: it is not where it was
_SAME_VIEW_PX = 1.0  # views that differ no more show the same
_BETTER_VIEW_PX = 8.0  # and so much may one differ from a better one of the same board
_UNFELT_US = 2_500_000  # how long a change that the scales did not feel waits for them
_PLAIN_US = 1_000_000  # and one in which something has plainly fallen
_FELT_ENOUGH = 0.5  # the chance of a fall from which nothing more is waited for
_FELT_A_LITTLE = 0.2  # and from which it is not only the light that changed
_CLEARED_SCORE, _AROUND_PX = 0.95, 3  # how sure it is that litter was taken, and how far around it that shows
_RELIT_US = 1_000_000  # what looks quite otherwise for so long, and does not move, is in another light
_BUILT_SCORE = 1.2  # and how sure of one that would explain what seems to have fallen
_BULKY, _BULKY_THICK = 3.0, 0.55  # times the least that may be a piece; the share of it that is not at its border
_BUILT = 0.8  # the share of such a thing that is where a base tile, or a tower's next piece, would be
_STANDS_OUT = -0.02  # in logarithms: what came stands out no less than the ground did
_HOLD_US = 2_500_000  # how long a piece that a hand seems to have taken waits for a look at all of the board
_UNFELT_SURE = 1.15  # how sure the eye must be of a piece that they never felt

Chance: TypeAlias = Callable[[Case], float]
"""How likely something has fallen."""


@dataclass(frozen=True, eq=False)
class _Unfelt:
    """A look that waits for the scales to feel what it shows: what had plainly fallen in it, what had moved before."""

    look: Look
    fallen: Fallen | None
    stirring: Stirring

    @property
    def patience_us(self) -> int:
        return _UNFELT_US if self.fallen is None else _PLAIN_US


class BoardEye:
    """Follows one board from one look to the next. Where it is `weighed`, `memory` is what its scales remember.

    The places of the glance that are `elsewhere` are nearer to other boards. `shown` is what the newest one shows of
    what is built; None where nobody knows that.
    """

    def __init__(self, board: Board, kit: Kit, chance: Chance = chance_of_fall) -> None:
        self.board = board
        self._chance = chance
        self.castle = Castle(board, kit)
        self.view: View | None = None
        self._kit = kit
        self._telling = Telling(board, self.castle)
        self._litter = Litter(board, self.castle)
        self._air: Airspace | None = None
        self._falls: FallWatch | None = None
        self._glimpses: Glimpses | None = None
        self._around: Surroundings | None = None
        self._scene: Scene | None = None
        self._readings = Readings(board, self.castle)
        self._expected: list[Expected] = []
        self._doubt: Look | None = None
        self._believed: Look | None = None
        self._unfelt: _Unfelt | None = None
        self._relit: Look | None = None
        self._before: Small = np.zeros((0, 0, 3), np.float32)
        self._fell = False
        self._taken: list[Seen] = []
        self._earlier: list[tuple[int, Came | Went]] = []
        self._read_us = self._compared_us = self._doubted_us = LONG_AGO_US
        self._last: Look | None = None
        self._restate = False
        self.shown: Shown | None = None
        self.weighed = False
        self.memory: Memory | None = None
        self.looked_us = LONG_AGO_US
        self.elsewhere: Mask = np.zeros((0, 0), bool)

    def look_through(self, view: View | None, frame_shape: tuple[int, ...], moved: bool = True) -> None:
        """See the board so from now on.

        A view that differs hardly changes nothing. One that is only known better, as more of the board is in sight,
        goes on with what was seen; another begins a new scene.
        """
        if view is None or view is self.view or not is_in_sight(self.board, view, frame_shape):
            return
        if self._scene is not None and self.view is not None and self._differs_px(view, self.view) < _SAME_VIEW_PX:
            return
        if self.view is not None and not moved and self._differs_px(view, self.view) < _BETTER_VIEW_PX:
            self._look_better(view)
            return
        self.view, self._scene, self._relit = view, None, None
        self.shown = None
        self._doubt = self._believed = self._unfelt = None
        self._litter.forget()
        self._air = Airspace(self.board, view, frame_shape, self._height_mm())
        self._falls = FallWatch(self.board, self.castle, self._air)
        self._around = Surroundings(self.board, self._kit, view, frame_shape)
        self._glimpses = Glimpses(self._air.window, air_over(self.board, view, frame_shape, self._height_mm()))

    def _look_better(self, view: View) -> None:
        self.view = view
        if self._air is not None and self._glimpses is not None:
            self._air.look_through(view)
            self._glimpses.look_through(view)

    def _differs_px(self, view: View, other: View) -> float:
        corners = box_corners(self.board, self._height_mm())
        return float(np.abs(view.project(corners) - other.project(corners)).max())

    @property
    def surface(self) -> Mask | None:
        """The places of the glance where the board itself can be seen."""
        return self._air.surface if self._air is not None else None

    @property
    def peak_us(self) -> int | None:
        """When motion over this board was at its greatest, if the last frame shows that it is over."""
        return self._air.peak_us if self._air is not None else None

    def stirred_since(self, t_us: int) -> bool:
        """Whether anything moved over this board since then."""
        return self._air is not None and self._air.stirred_us is not None and self._air.stirred_us >= t_us

    @property
    def ruined(self) -> bool:
        """Whether something fell and what stands was not read since."""
        return self._fell

    @property
    def doubted(self) -> bool:
        """Whether the board may no longer be where it was: the markers should be looked at."""
        return self._doubt is not None

    def believe(self) -> None:
        """The markers were looked at: the board is where it was."""
        self._believed, self._doubt = self._doubt, None

    def expect(self, expected: Expected) -> None:
        """Another sense felt this; look for it from now on."""
        self._expected.append(expected)

    def expect_no_more(self, expected: Expected) -> None:
        """What was felt is accounted for."""
        self._expected = [each for each in self._expected if each is not expected]

    def assume(self, came: bool, kind: str, tower: str) -> Standing | None:
        """A piece must have come or gone though it was not seen; None when that cannot be."""
        self._restate = True
        return self.castle.assume(came, kind, tower)

    def fell(self, t_us: int) -> None:
        """Something fell here at that time, as far as is known: what stands is read anew once all is seen."""
        self._fell = self._fell or t_us > self._read_us

    def feed(self, frame: Frame, now: Small, stir: Stir, moved_us: Times) -> list[Sight]:
        """What is decided with this frame about this board."""
        self.looked_us = frame.t_us
        if self._air is None or self._glimpses is None or self._falls is None:
            return []
        overdue = self._let_go(until_us=frame.t_us - _HOLD_US)
        self.shown = self._scene.shown(frame.t_us, now) if self._scene is not None else None
        return [*overdue, *self._look(self._air, self._falls, self._glimpses, frame, now, stir, moved_us)]

    def _look(
        self,
        air: Airspace,
        falls: FallWatch,
        glimpses: Glimpses,
        frame: Frame,
        now: Small,
        stir: Stir,
        moved_us: Times,
    ) -> list[Sight]:
        quiet = air.feed(frame, now, stir)
        glimpse = glimpses.feed(frame, now, moved_us)
        now_look = whole_look(quiet, frame, moved_us, air.air) if quiet else glimpse
        self._begin_in_other_light(frame.t_us)
        self._weigh(frame.t_us)
        waited = self._waited(frame.t_us)
        look = waited or now_look or self._believed
        if look is None or self.doubted:
            return self._restated()
        glimpses.looked(look)
        self._last = look
        if self._scene is not None:
            sights = self._compare(air, falls, self._scene, look, moved_us)
            self._unfelt = None if look is waited else self._unfelt
        elif look.whole:
            self._scene = Scene(look, air_over(self.board, look.window.view, frame.image.shape, self._height_mm()))
            sights = [*self._begin(air, falls, look), *self._readings.heights(look)]
        else:
            return []
        self._scene.built = Built.of(self.castle, look, falls.floor_px)
        return [replace(each, decided_us=frame.t_us) if isinstance(each, Fallen) else each for each in sights]

    def _weigh(self, now_us: int) -> None:
        """Towers that the first picture leaves open are held against what rests on the board, once that is known."""
        look = self._readings.open
        if look is not None:
            still = not (self._fell or self._expected or self.stirred_since(look.t_us))
            self._restate |= self._readings.weigh(self.memory, now_us, still)

    def _begin_in_other_light(self, now_us: int) -> None:
        """Take the board as it looks in another light, once nothing has moved since: an arm that rests is no light."""
        look = self._relit
        if look is None or self._scene is None or self._falls is None or self._air is None:
            return
        if now_us - look.t_us < _RELIT_US:
            return
        self._relit = None
        if not self.stirred_since(look.t_us):
            self._begin_anew(self._air, self._falls, self._scene, look)

    def _begin_anew(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look) -> None:
        """All is as it looks now, whatever waits."""
        self._unfelt = None
        scene.begin_anew(look)
        falls.begin_anew(look)
        self._compare_from(air, look)

    def _is_only_lit_otherwise(self, air: Airspace, scene: Scene, look: Look) -> bool:
        """Whether the light changed since the last look, and nothing moved: shadows are others, and pieces are not."""
        felt = self.memory is not None and self.memory.likeliest(self._compared_us) > _FELT_A_LITTLE
        still = air.stirring.began_us is None and not felt and not self._fell and not self._expected_by(look)
        return look.whole and still and scene.is_lit_otherwise(look) and not self._is_lower(look, list(self.castle))

    def _begin(self, air: Airspace, falls: FallWatch, look: Look) -> list[Sight]:
        """The first look at a scene. Towers that are much lower than in the last one fell as the picture moved."""
        levels = {tower: self.castle.levels(tower) for tower in self.castle.towers}
        since_us = self._compared_us
        self._compare_from(air, look)
        self._readings.read(look)
        falls.look(look, look.on_window(look.still))
        falls.looked(look)
        t_us = self._doubted_us if self._doubted_us > since_us else look.since_us
        fallen = falls.lower(look, levels, since_us, t_us)
        return [fallen] if fallen is not None else []

    def _restated(self) -> list[Sight]:
        """Heights of towers that are assumed to be others than they were, as of the last look."""
        restate, self._restate = self._restate, False
        return list(self._readings.heights(self._last)) if restate and self._last is not None else []

    def _waited(self, now_us: int) -> Look | None:
        """The look that waits for the scales, once they felt something or will not."""
        if self._unfelt is None:
            return None
        look = self._unfelt.look
        return look if self._expected_by(look) or now_us - look.t_us >= self._unfelt.patience_us else None

    def _expected_by(self, look: Look) -> list[Expected]:
        """What was felt that this look may show: what happened before it."""
        return [each for each in self._expected if each.t_us <= look.t_us]

    def _may_have_fallen(self, look: Look) -> bool:
        """Whether a fall was felt of which this look may show what came of it."""
        return any(each.fall for each in self._expected_by(look))

    def _must_wait(self, look: Look, change: Change) -> bool:
        """Whether what changed may yet be felt by the scales, which then tell what to look for."""
        felt = self.memory is not None and self.memory.likeliest(self._compared_us) > _FELT_ENOUGH
        told = felt or bool(self._expected_by(look) or self._taken) or self._fell or self._has_waited(look)
        return self.weighed and not told and bool(change.changed.any())

    def _has_waited(self, look: Look) -> bool:
        return self._unfelt is not None and self._unfelt.look is look

    def _compare(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, moved_us: Times) -> list[Sight]:
        believed, self._believed = look is self._believed, None
        if not scene.is_same_light(look):
            self._relit = look if look.whole else None
            return []
        self._relit = None
        if self._is_only_lit_otherwise(air, scene, look):
            self._begin_anew(air, falls, scene, look)
            return []
        alone = falls.was_alone(look) if self._has_waited(look) else look.whole and falls.alone
        if not scene.look(look, moved_us, alone) and not look.whole:
            return []
        if self._only_for_falls(look):
            fallen = falls.look(look, scene.known)
            return self._fallen(fallen if self._can_fall else None)
        change, self._before = scene.change(look), scene.glance
        if not believed and self._seems_moved(look, change):
            self._doubt, self._doubted_us = look, look.since_us
            return []
        again = self._has_waited(look)
        if look.whole and not self._fell:
            falls.disbelieve()
        changed = change.changed if look.whole else None
        fallen = None if again else falls.look(look, change.known, lambda: self._built(look, change), changed)
        if fallen is None and look.whole and falls.suspicious and not again:
            fallen = falls.lost(look, self._readings.levels(look))
        fallen = fallen if self._can_fall else None
        if look.whole and (scene.all_seen or self._fell):
            sights = self._look_at_all(air, falls, scene, look, change, fallen)
            falls.looked(look)
            falls.rests = not scene.all_seen
            return sights
        sights = self._fallen(fallen)
        falls.rests = falls.rests or look.whole
        if self._fell or falls.doubtful or self._may_have_fallen(look):  # it is told once all is seen
            scene.take_in(look, change, change.changed)
            return sights
        return self._look_at_part(air, falls, scene, look, change)

    def _built(self, look: Look, change: Change) -> Mask:
        """Where pieces came to stand on the towers, if that is all that happened, with their shadows."""
        stood = list(self.castle)
        told = self._telling.tell(change, look.window, self._expected_by(look), while_built=True)
        self.castle.restore(stood)
        built = told.only_built and all(
            each.score >= _BUILT_SCORE and each.piece.level <= self.castle.levels(each.piece.tower) + 1
            for each in told.came
        )
        return told.explained(change) if built and not self._litter.many else np.zeros_like(change.changed)

    def _only_for_falls(self, look: Look) -> bool:
        """Whether a look while a hand is about need not be told: with scales nothing comes or goes that is not felt.

        The shadow of a hand alone changes much.
        """
        return self.weighed and not self._expected_by(look) and not look.whole

    @property
    def _can_fall(self) -> bool:
        """Whether more can have fallen than what has lain about since an earlier fall: something is built."""
        return not (self._litter.many and self.castle.is_flat)

    def _fallen(self, fallen: Fallen | None) -> list[Sight]:
        """A fall that shows while a hand is about; where there are scales, it is one if they agree: see `fell`."""
        self._fell = self._fell or (fallen is not None and not self.weighed)
        return [fallen] if fallen else []

    def _seems_moved(self, look: Look, change: Change) -> bool:
        """Whether all markers that are seen are not as they were: a nudged board or camera, rather than pieces."""
        shares = []
        for marker in self.board.markers:
            mask = filled(look.window.project(marker_corners(marker)), look.window.shape)
            if mask.any() and change.known[mask].all():
                shares.append(float(change.changed[mask].mean()))
        return bool(shares) and min(shares) > _MARKER_CHANGED

    def _look_at_all(
        self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, change: Change, fallen: Fallen | None
    ) -> list[Sight]:
        """Nothing is in the way: what is different now is so for good. Something may be plainly `fallen`."""
        if self._must_wait(look, change):
            self._unfelt = _Unfelt(look, fallen, air.stirring)
            return []
        stirring = air.stirring
        if self._unfelt is not None and self._has_waited(look):
            fallen, stirring = self._unfelt.fallen, self._unfelt.stirring
        self._unfelt = None
        expected = self._expected_by(look)
        self._expected = [each for each in self._expected if each not in expected]
        scene.take_in(look, change, np.zeros_like(change.changed))
        if self._fell:
            self._look_at_ruins(look, change)
            again: list[Sight] = [fallen] if fallen is not None else []
            return [
                *self._let_go(),
                *again,
                self._looked(air, look, expected, anew=True),
                *self._readings.heights(look),
            ]
        felt, littered, can_fall = tuple(expected), self._litter.many, self._can_fall
        cleared, change = self._cleared(air, look, change, expected)
        stood = list(self.castle)
        told = self._told(look, change, expected)
        thrown = self._thrown(air, falls, look, told, felt, stood)
        found = self._found(falls, look, change, told, stirring, fallen, stood, thrown)
        fallen = found.fallen if can_fall else None
        found = replace(found, fallen=fallen, expected=felt, littered=littered, cleared=len(cleared))
        since_us = self._compared_us
        case = Case(found.signs(), self.board.id, since_us, look.since_us, look.t_us)
        fallen = falls.judged(look, found.fallen, self._chance(case), since_us)
        looked = self._looked(air, look, told.unseen)
        taken = self._let_go()
        if fallen is not None:
            if thrown:
                taken = []
            self.castle.restore(stood)
            self._look_at_ruins(look, change)
            return [*taken, fallen, looked, *self._readings.heights(look)]
        cleared = [*taken, *cleared]
        if told.lost and found.alone:  # shaken, and all still stands
            self.castle.restore(stood)
            return [*cleared, looked, *self._readings.heights(look)]
        pieces = [*self._pieces(air, look, told), *self._stored(air, look, change, told)]
        return [*cleared, *pieces, looked, *self._readings.heights(look)]

    def _found(
        self,
        falls: FallWatch,
        look: Look,
        change: Change,
        told: Told,
        stirring: Stirring,
        fallen: Fallen | None,
        stood: list[Standing],
        thrown: Sequence[Thrown],
    ) -> Found:
        """What a look found, by what it is told as; something may have `fallen` plainly, or shows to have by that."""
        strewn = self._telling.strewn(change, look.window, told)
        fallen = fallen or falls.unexplained(look, change, told, strewn, self._readings.unsure)
        loose = self._large(look, change, told.loose)
        if fallen is None and self._skips_a_level(told, self._levels_of(stood)):
            fallen = falls.slipped(look)
        if fallen is None and told.lost:
            lies = self._large(look, change, (each for each in told.loose if each.lies))
            fallen = falls.dropped(look, told, loose, lies, lambda: self._is_lower(look, stood))
        if fallen is None and self._stays(look, told, stirring):
            fallen = falls.slipped(look)
        if fallen is None and (told.lost or not told.many) and not self._is_lighter(look, stirring):
            fallen = falls.bulky(look, list(self._bulky(falls, look, change, told)))
        if fallen is None and self._is_gone(falls, look, told, stood):
            fallen = falls.thrown(look, thrown)
        if told.only_based:
            fallen = None
        return Found(
            kit=self._kit,
            change=change,
            told=told,
            sights=falls.seen_in(look),
            fallen=fallen,
            alone=falls.was_alone(look),
            near=falls.near(look, told.covered(change.known.shape)),
            strewn=len(strewn),
            loose=loose,
            stirring=stirring,
            floor_px=falls.floor_px,
            glance_px=falls.floor_px / look.factor**2,
            since_us=self._compared_us,
            memory=self.memory.until(look.t_us) if self.memory is not None else None,
            earlier=[each for t_us, each in self._earlier if t_us <= look.t_us],
            thrown=len(thrown),
        )

    def _is_gone(self, falls: FallWatch, look: Look, told: Told, stood: list[Standing]) -> bool:
        """Whether something may be gone from a tower."""
        torn = falls.is_torn(look, {each.tower for each in stood})
        return bool(told.lost or self._taken or torn)

    def _thrown(
        self,
        air: Airspace,
        falls: FallWatch,
        look: Look,
        told: Told,
        felt: Iterable[Expected],
        stood: list[Standing],
    ) -> list[Thrown]:
        """What was thrown beside the board, where something is gone from a tower or a fall was felt."""
        asked = self._is_gone(falls, look, told, stood) or any(each.fall for each in felt)
        if self._around is None or not asked:
            return []
        came = np.logical_or.reduce([np.zeros(look.window.shape, bool), *(each.mask for each in told.came)])
        return self._around.thrown(look, air, falls.covered(), came, self.elsewhere)

    def _let_go(self, until_us: float = math.inf) -> list[Sight]:
        """Pieces that were taken, as it seemed while a hand was about: nothing shows any more that they fell."""
        overdue = [each for each in self._taken if each.decided_us <= until_us]
        self._taken = [each for each in self._taken if each.decided_us > until_us]
        return list(overdue)

    def _stays(self, look: Look, told: Told, stirring: Stirring) -> bool:
        """Whether one piece went and nothing came, and it still weighs on the board: it lies about."""
        if self.memory is None or self.memory.centre_mm is None or len(told.went) != 1 or told.came:
            return False
        gained = self._gained(look, stirring)
        half_mm = self._kit.widest_mm / 2
        return gained is not None and lies_about(self.board, half_mm, told.went[0], gained)

    def _told(self, look: Look, change: Change, expected: list[Expected]) -> Told:
        """A change told as pieces."""
        if not change.changed.any():
            return Told(unseen=expected, rest=change.changed)
        return self._telling.tell(change, look.window, expected, _UNFELT_SURE if self.weighed else SURE)

    def _gained(self, look: Look, stirring: Stirring) -> Load | None:
        """What came onto the board since the last look, less what went; None where nobody knows."""
        if self.memory is None:
            return None
        return gained_meanwhile(self.memory.until(look.t_us), self._compared_us, stirring)

    def _is_lighter(self, look: Look, stirring: Stirring) -> bool:
        """Whether pieces are gone by the load: what looks otherwise may be the ground under them."""
        gained = self._gained(look, stirring)
        return self.memory is not None and gained is not None and gained.force_g < -self.memory.piece_g

    def _bulky(self, falls: FallWatch, look: Look, change: Change, told: Told) -> Iterator[Mask]:
        """Things that came to lie on the ground, each as large as a piece; the edges of what was shifted are thin.

        What may be the next piece of a tower does not lie there, unless a plate went.
        """
        stored = [each.mask for each in self._telling.stored(change, look.window, told)]
        lost = any(self._kit.is_level(each.piece.shape) for each in told.went)
        built = self._bases(look) if lost else [*self._bases(look), falls.on_top()]
        for each in told.loose:
            solid = each.mask & change.changed & ~change.shadow
            large = self._large(look, change, (each,)) >= _BULKY and thickness(solid) >= _BULKY_THICK
            put_aside = any((each.mask & mask).any() for mask in stored)
            put_aside |= any(float(mask[each.mask].mean()) >= _BUILT for mask in built)
            if each.lies and large and not put_aside and standing_out(change, each.mask) > _STANDS_OUT:
                yield each.mask

    def _bases(self, look: Look) -> list[Mask]:
        """Where the base tiles of towers would lie that have none: one that looks odd is one all the same."""
        empty = (tower for tower in self.castle.towers if not self.castle.levels(tower))
        places = (look.window.mask(self._kit.base, self.castle.middle(tower), 0.0, 0.0) for tower in empty)
        return [widened(place, _AROUND_PX) for place in places]

    def _large(self, look: Look, change: Change, loose: Iterable[Loose]) -> float:
        """How large loose things are, but for shadows, in times of the least that may be a piece."""
        solid = change.changed & ~change.shadow
        return sum(int((each.mask & solid).sum()) for each in loose) / self._telling.least_px(look.window)

    def _is_lower(self, look: Look, stood: list[Standing]) -> bool:
        """Whether a tower is lower in this picture alone than it stood."""
        now = list(self.castle)
        self.castle.restore(stood)
        lower = any(levels < self.castle.levels(tower) for tower, levels in self._readings.levels(look).items())
        self.castle.restore(now)
        return lower

    def _looked(self, air: Airspace, look: Look, unseen: list[Expected], anew: bool = False) -> Looked:
        self._compare_from(air, look)
        return Looked(self.board.id, look.t_us, tuple(unseen), anew, look.since_us)

    def _compare_from(self, air: Airspace, look: Look) -> None:
        """What happens from now on is held against this look."""
        self._compared_us = look.t_us
        self._earlier = [(t_us, each) for t_us, each in self._earlier if t_us > look.t_us]
        air.looked(look.t_us)
        if self._around is not None:
            self._around.looked(look)

    def _look_at_part(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, change: Change) -> list[Sight]:
        """A hand is about: only what is plain already is taken for what it is, all else waits."""
        cleared, rest = self._cleared(air, look, change, self._expected)
        if cleared:
            scene.take_in(look, change, rest.changed)
            return cleared
        stood = list(self.castle)
        unfelt = math.inf if self.weighed else SURE
        told = self._telling.tell(change.in_full_view(), look.window, self._expected, unfelt)
        taken = self._is_taken(told) and not falls.alone
        built = told.only_built and not self._skips_a_level(told, self._levels_of(stood))
        if not built and not taken:
            self.castle.restore(stood)
            scene.take_in(look, change, change.changed)
            return []
        self._expected = list(told.unseen)
        explained = told.explained(change)
        scene.take_in(look, change, change.changed & ~explained)
        scene.forget(explained)
        falls.explained(look, explained & change.known)
        pieces = self._pieces(air, look, told)
        self._earlier += [(look.t_us, each) for each in told.but_moved]
        if taken:  # it may have fallen beside the board, which shows once all is seen
            self._taken, pieces = [*self._taken, *pieces], []
        return [*pieces, *self._readings.heights(look)]

    def _is_taken(self, told: Told) -> bool:
        """Whether a piece, and nothing else, went from a tower; a plate may be hidden by one that comes onto it."""
        if len(told.went) != 1 or told.came or told.loose or told.leans or told.strewn:
            return False
        return not self._kit.is_level(told.went[0].piece.shape)

    def _levels_of(self, stood: list[Standing]) -> dict[str, int]:
        """How many levels the towers had that are surely known, when these pieces stood."""
        plates = [each for each in stood if self._kit.is_level(each.shape)]
        return {
            tower: max((each.level for each in plates if each.tower == tower), default=0)
            for tower in self.castle.towers
            if tower not in self._readings.unsure
        }

    def _skips_a_level(self, told: Told, levels: dict[str, int]) -> bool:
        """Whether a plate, and nothing else, came higher than onto a tower of so many levels: it has slipped."""
        return any(
            self._kit.is_level(each.piece.shape)
            and each.piece.level > levels.get(each.piece.tower, each.piece.level) + 1
            and sum(other.piece.tower == each.piece.tower for other in told.came) == 1
            for each in told.came
        )

    def _look_at_ruins(self, look: Look, change: Change) -> None:
        """What a fall left of the towers, and what lies about."""
        if self._falls is not None:
            self._falls.fell()
        self._read_us = look.since_us
        self._fell = not self._readings.read_fallen(look, change)
        self._litter.fell(change, look.window, self._telling.least_px(look.window))

    def _cleared(
        self, air: Airspace, look: Look, change: Change, expected: list[Expected]
    ) -> tuple[list[Sight], Change]:
        """What was cleared away of what lay about, and the rest of the change; it is no longer expected."""
        cleared: list[Sight] = []
        for each in self._litter.taken(change):
            met = next((one for one in expected if not one.came), None)
            if met is not None:
                expected.remove(met)
            cleared.append(self._seen_as(False, air, look, each.mask, each.like, _CLEARED_SCORE))
            change = change.only(~widened(each.mask, _AROUND_PX) & ~change.shadow)
        return cleared, change

    def _pieces(self, air: Airspace, look: Look, told: Told) -> list[Seen]:
        changes = told.but_moved
        for tower in dict.fromkeys(each.piece.tower for each in told.went if self._kit.is_level(each.piece.shape)):
            for piece in read_top(look.picture, look.window, self.castle, tower):
                self.castle.add(piece)
        return [self._seen(air, look, each) for each in changes]

    def _stored(self, air: Airspace, look: Look, change: Change, told: Told) -> list[Sight]:
        """What was put aside into the inventory."""
        stored = self._telling.stored(change, look.window, told)
        return [self._seen_as(True, air, look, each.mask, each.like, each.score) for each in stored]

    def _seen(self, air: Airspace, look: Look, each: Came | Went) -> Seen:
        came, piece = isinstance(each, Came), each.piece
        like = each.like if isinstance(each, Came) else {piece.shape.kind: each.score}
        seen = self._seen_as(came, air, look, each.mask, like, min(1.0, each.score))
        return replace(seen, tower=piece.tower, level=piece.level)

    def _seen_as(self, came: bool, air: Airspace, look: Look, mask: Mask, like: dict[str, float], score: float) -> Seen:
        """What came or went anywhere, and when it did."""
        t_us = air.changed_us(mask, self._before, look.glance)
        return Seen(came, self.board.id, None, None, like, t_us, look.t_us, score)

    def _height_mm(self) -> float:
        top = max((self.castle.top_mm(tower) for tower in self.castle.towers), default=0.0)
        return max(_LEAST_LEVELS * self._kit.pitch_mm, top + 2 * self._kit.pitch_mm)
