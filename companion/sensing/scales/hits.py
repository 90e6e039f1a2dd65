"""All that hit a board since it last lay still: how hard, how often, where, and what of it was a piece that touched.

How hard an impact is, is told as the time for which the lightest piece would have had to fall freely: 0.06 s are 18 mm.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.shaking import is_shaken, middle_mm
from companion.sensing.scales.site import Site
from companion.sensing.streams import LONG_AGO_US

_TOUCH_S, FALL_S, SURE_FALL_S = 0.035, 0.06, 0.09
SHAKES = 4
_RECENT_US, _BEFORE_US = 1_500_000, 100_000
_SHAKEN_US = 2_000_000
_DIP_PART = 0.3
_FROM_REST = 0.5
_SOFT_S, _HARDEST = 0.03, 2.0  # an impact that tells nothing, and the logarithm of how much harder it can count
_AT_ONCE_PART = 0.6
_REMEMBERED = 64
_CLUSTER_US = 300_000
_LONG_REMEMBERED = 256


class Hits:
    """The impacts on one board. `piece_g` is what the lightest piece weighs."""

    def __init__(self, site: Site, piece_g: float) -> None:
        self._site, self._piece_g = site, piece_g
        self._middle_mm = middle_mm(site.board)
        self._shaken_us = LONG_AGO_US
        self._all: list[ImpactEvidence] = []
        self._past: deque[ImpactEvidence] = deque(maxlen=_LONG_REMEMBERED)

    def __iter__(self) -> Iterator[ImpactEvidence]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def first(self) -> ImpactEvidence:
        return self._all[0]

    @property
    def last(self) -> ImpactEvidence:
        return self._all[-1]

    @property
    def past(self) -> tuple[ImpactEvidence, ...]:
        """What hit the board harder than a touch, also before it last lay still."""
        return tuple(self._past)

    def add(self, impact: ImpactEvidence) -> None:
        self._all.append(impact)
        del self._all[:-_REMEMBERED]
        if impact.push_gs > _TOUCH_S * self._piece_g:
            self._past.append(impact)

    def clear(self) -> None:
        self._all.clear()

    def look_for_shaking(self, rows: Rows, reference: Load) -> None:
        """Whether the last one was a bump of the table; the board must tell where its load lies."""
        recent = next(each for each in self._all if self.last.t_us - each.t_us < _RECENT_US)
        if is_shaken(rows, rows.since(recent.t_us - _BEFORE_US), reference, self._middle_mm):
            self._shaken_us = self.last.t_us

    def was_shaken(self, now_us: int) -> bool:
        """Whether the whole board was, not long ago."""
        return now_us - self._shaken_us < _SHAKEN_US

    def hard(self, seconds: float = FALL_S) -> list[ImpactEvidence]:
        """Those as hard as the lightest piece makes one that has fallen for that time."""
        return [impact for impact in self._all if impact.push_gs > seconds * self._piece_g]

    def hardest_us(self, since_us: int, until_us: int) -> int | None:
        """When the hardest impact was between two times."""
        hits = [impact for impact in self._past if since_us <= impact.t_us <= until_us]
        return max(hits, key=lambda impact: impact.push_gs).t_us if hits else None

    def dipped(self, part: float) -> bool:
        """Whether the board was lighter by a part of the lightest piece just before a hard one."""
        return any(impact.dip_g > part * self._piece_g for impact in self.hard())

    def rattled(self) -> bool:
        """Whether it was hit again and again from rest, which a table does that was bumped."""
        from_rest = [impact for impact in self._all if impact.peak_g > _FROM_REST * impact.height_g]
        hard = [impact for impact in from_rest if impact.push_gs > FALL_S * self._piece_g]
        hardest_gs = max(impact.push_gs for impact in self._all)
        at_once = self.first.push_gs > max(SURE_FALL_S * self._piece_g, _AT_ONCE_PART * hardest_gs)
        return len(from_rest) >= SHAKES and len(hard) > 1 and at_once

    def touch_us(self) -> int | None:
        """When the first thing touched: at the first hard impact after a dip near the hardest one, if there is any."""
        impacts = self._all
        if any(impact.t_us <= self._shaken_us for impact in impacts):
            impacts = [impact for impact in impacts if self._is_beside_middle(impact)]
        fallen = [impact for impact in impacts if impact.push_gs > FALL_S * self._piece_g] or impacts
        if not fallen:
            return None
        hardest = max(fallen, key=self._touching)
        return next(impact.t_us for impact in fallen if impact.t_us > hardest.t_us - _CLUSTER_US)

    def _is_beside_middle(self, impact: ImpactEvidence) -> bool:
        """Whether something hit a board that is shaken, too: shaking alone acts about its middle."""
        width, depth = self._site.board.size_mm
        place = impact.position_mm
        return place is not None and math.dist(place, (width / 2, depth / 2)) > self._middle_mm

    def _touching(self, impact: ImpactEvidence) -> float:
        """How much an impact looks like a piece that touches the board."""
        dipped = impact.dip_g > _DIP_PART * self._piece_g
        return impact.push_gs * (1 + dipped + 2 * self._off(impact))

    def _off(self, impact: ImpactEvidence) -> float:
        """How much the place of an impact looks like bare ground, the more the harder it is."""
        if impact.position_mm is None:
            return 0.0
        harder = math.log(max(impact.push_gs / self._piece_g, 1e-9) / _SOFT_S)
        return self._site.off_tower(impact.position_mm) * max(0.0, min(_HARDEST, harder))
