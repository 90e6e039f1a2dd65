"""Falls as the eye sees them: castle pieces that lie on a board's ground, or towers that lost more than a hand takes.

A piece on the bare ground is enough. Where a fall left none in sight, more must have changed at the towers than a hand
does at once: with pieces thrown beside the board, or at two towers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.sensing.airspace import Airspace
from companion.sensing.castle import Castle
from companion.sensing.changes import Change, widened
from companion.sensing.glance import Mask
from companion.sensing.glimpses import Look
from companion.sensing.ground import NOTHING, Column, Ground, Lying, Miniature, Sights
from companion.sensing.plan import Board
from companion.sensing.streams import LONG_AGO_US
from companion.sensing.surroundings import Thrown
from companion.sensing.told import Came, Leans, Told, Went

FELL = 0.65
"""The chance from which something has fallen, once all is weighed."""
_SURE_PIECES = 2.0  # smallest pieces lying about from which a fall is as sure as the eye can be
_SURE, _LIKELY, _MAYBE = 0.96, 0.88, 0.7
_IN_SIGHT = 0.6  # the share of a board's picture that must be seen while a hand is about
_NEAR_PIECES = 0.75  # smallest pieces: what lies close to a tower must be as large as this
_EXPLAINED = 0.3  # the share of a thing that pieces may explain which came or went
_BUILT = 0.6  # and from which it is those pieces
_LARGE_PART = 0.5  # of the largest thing: smaller ones do not tell when it came
_MORE_THAN_A_HAND = 2  # pieces that go at once
_SOON_US = 8_000_000  # in this time a hand does not take that many plates down
_FEWEST_LOOSE = 2.0  # times the least that may be a piece: so much lies loose where a plate fell
_SHAKEN_LOOSE = 3.0  # and where all was shaken, edges show by so much
_TOPPLED_LOOSE = 1.0  # and a small piece that only toppled where it stood
_AROUND_PX = 3  # around what changed that may still be part of it
_SCATTERED = 2  # things beside the board from which they were thrown there rather than put
# How much changes where towers stand, in floor tiles: one that is laid makes about one and a half of itself.
_TORN_SOME, _TORN_A_LITTLE, _TORN_EACH, _TORN_A_LEVEL, _TORN, _TORN_APART = 0.3, 0.5, 0.8, 1.2, 2.0, 2.6
_TORN_BY_A_PLATE = 1.5
_TOUCHED = 0.15  # and what a small piece on its top is


@dataclass(frozen=True, eq=False)
class Fallen:
    """A collapse: `lying` when pieces lie on the board's ground, else told by how torn its towers are.

    The board was last seen whole at `since_us`. It is `judged` when all signs were weighed, those of the scales, too.
    What fell was `thrown` off the board, so that it is gone from there.
    """

    board: str
    towers: tuple[str, ...]
    t_us: int
    decided_us: int
    score: float
    since_us: int = LONG_AGO_US
    lying: bool = True
    judged: bool = False
    thrown: bool = False


@dataclass(frozen=True, eq=False)
class _Calm:
    """A calm look with what it showed, when the board was last seen whole before it, and whether a hand was there."""

    look: Look
    sights: Sights
    since_us: int
    alone: bool


class FallWatch:
    """Watches one board through one view for what falls.

    `down` is set by a fall until the whole board was looked at. `doubtful` is a look after which more changed than a
    hand does at once: nothing is to be told of it before all is calm. A hand `rests` over the board if the last calm
    look could not see all of it.
    """

    def __init__(self, board: Board, castle: Castle, air: Airspace) -> None:
        self._board, self._castle, self._air = board, castle, air
        self._small = Miniature.of(air.window, board, castle.kit)
        self._ground = Ground(board, castle.kit, self._small)
        self._looked_us = LONG_AGO_US
        self._sights = NOTHING
        self._calm: _Calm | None = None
        self.down = False
        self.doubtful = False
        self.rests = False

    def look(
        self, look: Look, known: Mask, built: Callable[[], Mask] | None = None, changed: Mask | None = None
    ) -> Fallen | None:
        """A fall, as far as a look at what is known of the board shows one; there is none where no castle can be.

        What came to be where a piece was `built` in does not lie about, and what has not `changed` since the last look
        at all of the board is nothing new.
        """
        if not self._board.towers:
            return None
        picture, known = self._small.shrunk(look.picture), self._small.shrunk_mask(known)
        sights = self._ground.look(picture, known, self._columns(), calm=look.whole)
        if changed is not None:
            sights = self._ground.within(sights, self._small.shrunk_mask(widened(changed, _AROUND_PX)))
        if not look.whole:
            sights = self._since_then(look, sights)
        if sights.lying and built is not None:
            sights = self._but_built(sights, self._small.shrunk_mask(built()))
        plain = look.whole or float(known.mean()) >= _IN_SIGHT
        score = _score(sights, calm=look.whole) if plain else 0.0
        self.doubtful = bool(sights.beside) or sum(part >= _TORN_SOME for part in sights.torn) > 1
        self._sights = sights
        if look.whole:
            self._calm = _Calm(look, sights, self._looked_us, self.alone)
        return self._fallen(look, score) if score else None

    @property
    def suspicious(self) -> bool:
        """Whether as much changed at a tower as a whole level is, and things were thrown beside the board."""
        return len(self._sights.beside) >= _SCATTERED and sum(self._sights.torn) >= _TORN_A_LEVEL

    @property
    def alone(self) -> bool:
        """Whether what moved last began to without a hand, so that nothing was taken."""
        return self._air.within and not self.rests

    def lost(self, look: Look, levels: Mapping[str, int]) -> Fallen | None:
        """A fall, when a tower has only so many levels of those that it had."""
        lower = any(count < self._castle.levels(tower) for tower, count in levels.items())
        return self._fallen(look, _LIKELY) if lower else None

    def lower(self, look: Look, levels: Mapping[str, int], since_us: int, t_us: int) -> Fallen | None:
        """A fall about then, when a tower has lost more levels than a hand can have taken since the last look."""
        lost = {tower: count - self._castle.levels(tower) for tower, count in levels.items()}
        towers = tuple(tower for tower, count in lost.items() if count > 0)
        if max(lost.values(), default=0) < _MORE_THAN_A_HAND or look.t_us - since_us > _SOON_US:
            return None
        return Fallen(self._board.id, towers, t_us, look.t_us, _LIKELY, since_us, lying=False)

    def unexplained(
        self, look: Look, change: Change, told: Told, strewn: Sequence[Mask], unsure: Collection[str]
    ) -> Fallen | None:
        """A fall that shows by a floor that leans, pieces strewn about, or what those that came and went leave over.

        Towers that are `unsure` may be others than they are taken for.
        """
        if told.leans and (leaning := self._leans(look, told.leans)):
            return leaning
        fallen = self._strewn(look, strewn) or self._went(look, len(told.went) - len(told.came))
        fallen = fallen or self._apart(look, change, told) or self._muddled(look, told)
        if fallen or any(isinstance(each, Came) for each in told.but_moved):
            return fallen
        return self._left(look, told.covered(change.known.shape), unsure) or (None if unsure else self._cast(look))

    def near(self, look: Look, explained: Mask) -> float:
        """The largest small thing close to a tower that no piece explains, in smallest pieces."""
        explained = self._small.shrunk_mask(explained)
        near = (each.pieces for each in self.seen_in(look).near if float(explained[each.mask].mean()) < _EXPLAINED)
        return max(near, default=0.0)

    @property
    def floor_px(self) -> float:
        """The pixels of a floor tile in a look."""
        return self._ground.floor_px * self._small.times**2

    def covered(self) -> Mask:
        """Where the window shows towers, and where their next pieces would be."""
        return self._small.enlarged(self._ground.covered(self._columns()))

    def on_top(self) -> Mask:
        """Where the window shows the next pieces of towers, if there are any."""
        return self._small.enlarged(self._ground.on_top(self._columns()))

    def judged(self, look: Look, fallen: Fallen | None, chance: float, since_us: int) -> Fallen | None:
        """What a calm look showed, once all signs are weighed: it fell with that chance, or did not.

        The board was looked at before it at `since_us`. What is judged to be no fall is not asked about again.
        """
        self.down = False
        if chance < FELL or not self._board.towers:
            return None
        fallen = fallen or self._afterwards(look, chance)
        fallen = fallen or Fallen(self._board.id, (), look.since_us, look.t_us, chance, lying=False)
        return replace(fallen, score=chance, since_us=since_us, judged=True)

    def disbelieve(self) -> None:
        """A fall that was told while a hand was about was believed by nobody: all is to be asked anew."""
        self.down = False
        self._ground.disbelieve()

    def fell(self) -> None:
        """What the last look shows has fallen, whoever told."""
        self._ground.fell()

    def was_alone(self, look: Look) -> bool:
        """Whether no hand can have made what a calm look shows."""
        return self._calm is not None and self._calm.look is look and self._calm.alone

    def dropped(self, look: Look, told: Told, loose: float, lies: float, is_lower: Callable[[], bool]) -> Fallen | None:
        """A fall, when pieces went that no hand took, or a plate went and something lies about since.

        So much is `loose`, and `lies` on the ground, in times of the least that may be a piece. The plate must be
        missed when the towers are read anew: one `is_lower` then. A single thing beside the board was put there.
        """
        thrown = len(self.seen_in(look).beside) >= _SCATTERED
        plate = any(isinstance(each, Went) and self._castle.kit.is_level(each.piece.shape) for each in told.but_moved)
        if self.was_alone(look):
            shaken = loose >= (_SHAKEN_LOOSE if plate else _TOPPLED_LOOSE)
            return None if shaken else self._afterwards(look, _LIKELY)
        if not plate or not (thrown or lies >= _FEWEST_LOOSE) or not is_lower():
            return None
        return self._afterwards(look, _LIKELY if thrown else _MAYBE)

    def bulky(self, look: Look, where: Sequence[Mask]) -> Fallen | None:
        """A fall, when things as large as pieces lie there that are none which came, and nothing else was told."""
        return self._lies_about(look, _MAYBE, [self._ground.lying(self._small.shrunk_mask(mask)) for mask in where])

    def slipped(self, look: Look) -> Fallen | None:
        """A fall, when a plate came where nothing can carry it, or what went from a tower still weighs on the board."""
        return self._afterwards(look, _MAYBE)

    def thrown(self, look: Look, thrown: Sequence[Thrown]) -> Fallen | None:
        """A fall, when pieces lie beside the board that no hand laid there."""
        fallen = self._afterwards(look, _LIKELY) if thrown else None
        return fallen and replace(fallen, t_us=min(each.before_us for each in thrown), thrown=True)

    def is_torn(self, look: Look, towers: Collection[str]) -> bool:
        """Whether anything changed where one of these towers stands."""
        torn = zip(self._castle.towers, self.seen_in(look).torn, strict=False)
        return any(tower in towers and part >= _TOUCHED for tower, part in torn)

    def _went(self, look: Look, pieces: int) -> Fallen | None:
        """A fall, when more pieces went from torn towers at once than a hand takes."""
        torn = sum(self.seen_in(look).torn) >= _TORN_A_LEVEL
        return self._afterwards(look, _MAYBE) if torn and pieces >= _MORE_THAN_A_HAND else None

    def _muddled(self, look: Look, told: Told) -> Fallen | None:
        """A fall, when pieces came and went all at once and a tower is torn."""
        return self._afterwards(look, _MAYBE) if told.muddled and sum(self.seen_in(look).torn) >= _TORN_EACH else None

    def _apart(self, look: Look, change: Change, told: Told) -> Fallen | None:
        """A fall, when towers are torn apart by more than light and by more than the pieces told explain."""
        where = self.seen_in(look).where_torn
        explained, shadow = (self._small.shrunk_mask(each) for each in (told.explained(change), change.shadow))
        all_torn = self._ground.floors(each & ~shadow for each in where)
        torn = self._ground.floors(each & ~shadow & ~explained for each in where)
        pieces = [each.piece for each in told.came] + [each.piece for each in told.went]
        plates = sum(self._castle.kit.is_level(piece.shape) for piece in pieces)
        more = sum(all_torn) >= _TORN_APART + _TORN_BY_A_PLATE * plates
        return self._afterwards(look, _MAYBE) if more or _is_apart(torn) else None

    def _left(self, look: Look, explained: Mask, unsure: Collection[str]) -> Fallen | None:
        """A fall, when something small lies close to a tower, or where one would stand, and no piece explains it.

        What is near to a tower that nobody is sure of may be part of it, and what is seen over its top its next piece.
        """
        explained = self._small.shrunk_mask(explained)
        for tower, mask in zip(self._castle.towers, self._ground.towers(self._columns()), strict=True):
            explained |= mask if tower in unsure else False
        explained |= self._ground.on_top(self._columns())
        near = [each for each in self.seen_in(look).near if self._is_left(each, explained)]
        return self._lies_about(look, _LIKELY, near)

    def _strewn(self, look: Look, where: Sequence[Mask]) -> Fallen | None:
        """A fall, when small pieces lie there on the ground."""
        lying = [self._ground.lying(self._small.shrunk_mask(mask)) for mask in where]
        return self._lies_about(look, _LIKELY, lying)

    def _cast(self, look: Look) -> Fallen | None:
        """A fall, when dark spots came beside a torn tower, though no piece came that throws a shadow."""
        return self._lies_about(look, _MAYBE, list(self.seen_in(look).cast))

    def _lies_about(self, look: Look, score: float, lying: list[Lying]) -> Fallen | None:
        """The fall of what lies about in a calm look, if anything does."""
        if not lying:
            return None
        self._ground.told(lying)
        return self._afterwards(look, score, lying)

    def _leans(self, look: Look, leaning: Sequence[Leans]) -> Fallen | None:
        """A fall, when floors came that lean on the board."""
        fallen = self._afterwards(look, _SURE)
        if fallen is None:
            return None
        t_us = leaning[0].felt_us or look.since_us
        return replace(fallen, t_us=t_us, lying=True)

    def seen_in(self, look: Look) -> Sights:
        """What a calm look showed, also when others came after it."""
        return self._calm.sights if self._calm and self._calm.look is look else NOTHING

    def _afterwards(self, look: Look, score: float, lying: list[Lying] | None = None) -> Fallen | None:
        """The fall that a calm look shows once it was told as pieces; it may have been a while ago."""
        calm = self._calm
        if calm is None or calm.look is not look:
            return None
        self._sights = calm.sights if lying is None else replace(calm.sights, lying=lying)
        self._looked_us, looked_us = calm.since_us, self._looked_us
        fallen = self._fallen(look, score)
        self._looked_us = looked_us
        return fallen

    @staticmethod
    def _is_left(lying: Lying, explained: Mask) -> bool:
        return lying.pieces >= _NEAR_PIECES and float(explained[lying.mask].mean()) < _EXPLAINED

    def explained(self, look: Look, where: Mask) -> None:
        """What changed there was done by a hand."""
        self._ground.take_in(self._small.shrunk(look.picture), self._small.shrunk_mask(where))

    def begin_anew(self, look: Look) -> None:
        """The board is in another light: all is as it looks now."""
        self._ground.begin_anew(self._small.shrunk(look.picture))
        self.looked(look)

    def looked(self, look: Look) -> None:
        """The whole board was seen; what is told next happened after this."""
        self._looked_us, self.down = look.t_us, False

    def _fallen(self, look: Look, score: float) -> Fallen | None:
        """The fall that this look shows, unless it was told while a hand was still about."""
        if self.down and look.whole:
            return None
        sights, self.down = self._sights, True
        self._ground.told(glimpsed=not look.whole)
        came = [*sights.lying, *sights.beside] or [self._ground.lying(mask) for mask in sights.where_torn if mask.any()]
        large = max((each.pieces for each in came), default=0.0) * _LARGE_PART
        times = [self._came_us(look, each) for each in came if each.pieces >= large]
        t_us = min((each for each in times if each > self._looked_us), default=look.since_us)
        torn = zip(self._castle.towers, sights.torn, strict=True)
        towers = tuple(tower for tower, part in torn if part >= _TORN_A_LITTLE)
        return Fallen(self._board.id, towers, t_us, look.t_us, score, self._looked_us, bool(sights.lying))

    @staticmethod
    def _but_built(sights: Sights, built: Mask) -> Sights:
        """Without what is for the most part where a piece was built in."""
        return replace(sights, lying=[each for each in sights.lying if float(built[each.mask].mean()) < _BUILT])

    def _since_then(self, look: Look, sights: Sights) -> Sights:
        """Without what already looked like this when the board was last seen whole."""
        lying, beside = (
            [each for each in some if self._came_us(look, each) > self._looked_us]
            for some in (sights.lying, sights.beside)
        )
        return replace(sights, lying=lying, beside=beside)

    def _came_us(self, look: Look, lying: Lying) -> int:
        return self._air.since_us(self._small.enlarged(lying.mask), look.glance)

    def _columns(self) -> list[Column]:
        castle = self._castle
        feet = {each: castle.plates(each)[:1] for each in castle.towers}
        return [
            Column(
                castle.middle(each),
                castle.turn_deg(each),
                castle.top_mm(each),
                (feet[each][0].centre, feet[each][0].turn_deg) if feet[each] else None,
            )
            for each in castle.towers
        ]


def _score(sights: Sights, calm: bool) -> float:
    """How sure it is that something fell; 0 where nothing says so.

    While a hand is about, a single small thing may be part of it, as may be all that is beside the board, and towers
    may be hidden by it.
    """
    pieces = sum(each.pieces for each in sights.lying)
    if sights.lying and (calm or pieces >= _SURE_PIECES):
        return _SURE if pieces >= _SURE_PIECES else _LIKELY
    if not calm:
        return 0.0
    torn = sum(sights.torn)
    return _LIKELY if len(sights.beside) >= _SCATTERED and torn >= _TORN_A_LITTLE else 0.0


def _is_apart(torn: list[float]) -> bool:
    """Whether more changed at the towers than a hand does at once."""
    both = sum(each >= _TORN_EACH for each in torn) > 1
    return sum(torn) >= _TORN_APART or (both and sum(torn) >= _TORN)
