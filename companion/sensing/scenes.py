"""What a board looked like where it was seen last, place by place, and the hand that is in the way now."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.sensing.castle import Castle
from companion.sensing.changes import Change, filled, laid_over, light_of, widened
from companion.sensing.glance import Mask, Small, glance_of, most
from companion.sensing.glimpses import Look, Times
from companion.sensing.things import SAME_TEXTURE, alike

_STRANGE = 0.12  # in logarithms: what is that different from before may be a hand
_DIFFERENT, _DIFFERENT_PX = 0.05, 2  # so much at so many places of the glance: worth a closer look
_WHITE = glance_of(250.0)  # in logarithms: as bright as a picture can be, or nearly so
_SAME_LIGHT = 0.06  # in logarithms: the light is as it was
_OTHER_COLOUR = 0.1  # and so much more in one colour than in another: it is of another lamp
_EVENLY, _QUITE_EVENLY = 0.6, 0.93  # the share of the board that must have become brighter alike, also then
_HAND_PX = 30  # of a glance: a hand or a sleeve is larger than this
_BEYOND = 0.35  # and so much of it is beyond the air over the board, or it reaches the picture's edge
_EDGE_PX = 2  # of that edge, at the least
_HUGE = 0.35  # of the air over the board: no tower that falls is as large
_SHADE, _SHADE_PART = 0.04, 0.3  # in logarithms: how far colours differ in what a shadow does to them at a glance
_DEEPEST, _EVEN = 1.3, 0.25  # and how much darker it is at the most, and how evenly
_TEXTURE, _FINE_PX = 0.012, 5  # and how much of one a ground has by which that can be told, and how fine that is
_SOME_OF_IT = 0.1  # the share of a shadow that may look otherwise
_BESIDE_PX = 5  # of a glance: how far beside it what it holds goes, and its blur
_PART_OF_IT_US = 10_000_000  # what has lain still for so long is no hand
_UNLIKE = 0.1  # in logarithms: what is built is not as it stood, or is hidden
_DISTURBED = 0.25  # floor tiles that are unlike: more than a finger, or a pillar that is taken


class Scene:
    """One board as it was seen last."""

    def __init__(self, look: Look, air: Mask) -> None:
        self._air = air
        self._border = np.ones(air.shape, bool)
        self._border[1:-1, 1:-1] = False
        self._hidden = self._over = np.zeros(air.shape, bool)
        self.built: Built | None = None
        self.begin_anew(look)

    def begin_anew(self, look: Look) -> None:
        """All is as it looks now."""
        self._seen = np.ones(look.window.shape, bool)
        self._stale = np.zeros(look.window.shape, bool)
        self.picture, self._glance = look.picture, look.glance

    def is_lit_otherwise(self, look: Look) -> bool:
        """Whether this look is in another light, however evenly that changed."""
        return float(np.abs(_light(look.glance, self._glance)).max()) > _SAME_LIGHT

    def is_same_light(self, look: Look) -> bool:
        """Whether this look can be compared with what was seen before: the light is the same, or changed evenly."""
        light = _light(look.glance, self._glance)
        if float(np.abs(light).max()) <= _SAME_LIGHT:
            return True
        enough = _EVENLY if float(np.ptp(light)) <= _OTHER_COLOUR else _QUITE_EVENLY
        similar = most(_difference(look.glance, self._glance))[self._air] < _STRANGE
        return look.whole and float(similar.mean()) >= enough

    def look(self, look: Look, moved_us: Times, alone: bool = False) -> bool:
        """Take note of what can be seen: it is still, and no hand is in front of it. Whether any of that changed.

        No hand can have come where all was left `alone`.
        """
        different = _difference(look.glance, self._glance)
        unlike = most(different)
        strange = (unlike > _STRANGE) & (not alone)
        hand = self._hand(strange, different, look.whole) & (look.t_us - moved_us < _PART_OF_IT_US)
        self._hidden = widened(hand, _BESIDE_PX) | ~look.still
        self._over = hand | ~look.still if look.whole else self._hidden
        self._seen = look.on_window(~self._hidden)
        return int(((unlike > _DIFFERENT) & self._air & ~self._hidden).sum()) >= _DIFFERENT_PX

    def change(self, look: Look) -> Change:
        """What is different now, as far as it can be seen."""
        return Change.between(self.picture, look.picture, self.known)

    @property
    def glance(self) -> Small:
        """The board at a glance as it was seen last."""
        return self._glance

    @property
    def known(self) -> Mask:
        """What was seen at the last look and before it: the part of the window that can be compared."""
        return self._seen & ~self._stale

    def _hand(self, strange: Mask, different: Small, calm: bool) -> Mask:
        """What is strange and large, and reaches in from beyond the board or is larger than what stands there.

        A hand that rests comes from the picture's edge: what lies beyond the board and has no arm was thrown there, and
        what only became darker or brighter at that edge is the shadow of a tower.
        """
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange.view(np.uint8), connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] >= _HAND_PX
        beyond = np.bincount(labels[~self._air], minlength=count)
        edge = np.bincount(labels[self._border], minlength=count)
        reaching = edge >= _EDGE_PX
        if not calm:
            reaching |= beyond >= np.maximum(_HAND_PX, _BEYOND * stats[:, cv2.CC_STAT_AREA])
        outside = self._border | ~self._air
        for label in np.flatnonzero(large & reaching):
            reaching[label] = label > 0 and not self._is_shade(different, outside & (labels == label))
        huge = stats[:, cv2.CC_STAT_AREA] > _HUGE * self._air.sum()
        hand = large & (reaching | huge)
        hand[0] = False
        return np.asarray(hand[labels])

    def _is_shade(self, different: Small, where: Mask) -> bool:
        """Whether places only became darker or brighter: all colours alike, about as much, and with their texture."""
        change = different[where]
        low, high = change.min(axis=1), change.max(axis=1)
        strength = np.maximum(np.abs(low), np.abs(high))
        tinted = (low * high <= 0) | (high - low >= _SHADE + _SHADE_PART * strength) | (strength >= _DEEPEST)
        if float(tinted.mean()) > _SOME_OF_IT or float(np.ptp(np.percentile(change.mean(axis=1), [10, 90]))) > _EVEN:
            return False
        before, after = (_texture(each)[where] for each in (self._glance, self._glance + different))
        return float(before.std()) > _TEXTURE and alike(before, after) > SAME_TEXTURE

    def take_in(self, look: Look, change: Change, but: Mask) -> None:
        """From now on the board looks so where it was seen, but for a part of the window."""
        if look.whole and self._seen.all():
            self.begin_anew(look)
            return
        fresh = self._seen & ~but
        self.picture = laid_over(self.picture, look.picture - change.gain, fresh)
        self._stale &= ~fresh
        small = ~self._hidden & ~look.on_glance(~fresh)
        self._glance = laid_over(self._glance, look.glance - _light(look.glance, self._glance), small)

    def forget(self, where: Mask) -> None:
        """What it looked like there is no longer so, though it is not seen: the next look there is a first one."""
        self._stale |= where & ~self._seen

    def shown(self, t_us: int, glance: Small) -> Shown | None:
        """What a glance of that time shows of what is built; None where nobody knows what that is."""
        return Shown(t_us, glance, self._glance, self.built) if self.built is not None else None

    @property
    def all_seen(self) -> bool:
        """Whether nothing was in the way over the board at the last look."""
        return not (self._over & self._air).any()


@dataclass(frozen=True, eq=False)
class Built:
    """Where a glance shows what could fall, all but base tiles, and how many places of it a floor tile fills.

    Towers that nobody is sure of are as they are taken for: what falls from another waits for a look.
    """

    where: Mask
    floor_px: float

    @classmethod
    def of(cls, castle: Castle, look: Look, floor_px: float) -> Built:
        """What is built as a look shows it, where a floor tile fills so many pixels."""
        pieces = (
            piece for tower in castle.towers for piece in castle.of(tower) if piece not in castle.plates(tower)[:1]
        )
        rings = (look.window.silhouette(each.shape, each.centre, each.turn_deg, each.low_mm) for each in pieces)
        origin = np.array((look.window.left, look.window.top))
        masks = (filled((ring + origin) / look.factor, look.still.shape) for ring in rings)
        return cls(
            np.asarray(np.logical_or.reduce([np.zeros(look.still.shape, bool), *masks])), floor_px / look.factor**2
        )


@dataclass(frozen=True, eq=False)
class Shown:
    """What a glance of that time shows of what is built, which looked otherwise, or not, when it was seen last."""

    t_us: int
    glance: Small
    before: Small
    built: Built

    @cached_property
    def disturbed(self) -> bool:
        """Whether what is built is not as it stood, or is hidden."""
        unlike = most(_difference(self.glance, self.before)) > _UNLIKE
        return int((unlike & self.built.where).sum()) >= _DISTURBED * self.built.floor_px


def _difference(glance: Small, before: Small) -> Small:
    """How different each place of a glance is, by colour, the light taken out; nothing is brighter than white."""
    different: Small = glance - before - _light(glance, before)
    different[(different < 0) & (glance >= _WHITE)] = 0
    different[(different > 0) & (before >= _WHITE)] = 0
    return different


def _light(glance: Small, before: Small) -> Small:
    """How much brighter each colour became (3): a lamp that is dimmed is redder, too."""
    change = (glance - before)[::3, ::3].reshape(-1, 3)
    return np.array([light_of(colour) for colour in change.T], np.float32)


def _texture(picture: Small) -> Small:
    """A glance without what changes slowly across it: lamps and lenses make slopes."""
    return np.asarray(picture - cv2.blur(picture, (_FINE_PX, _FINE_PX)))
