"""The motions of a hand at a board: fetch, bring, set down, pick up, pull out, sweep, with human error in each."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from random import Random

from companion.errors import NoSuchPiece
from companion.twin.castle import Castles, Place
from companion.twin.hand import FINGER_M, WIDEST_M, Hand
from companion.twin.physics import GRAVITY, STEP_S, Body
from companion.twin.pieces import BRIDGE, LEVEL_KINDS, PILLAR, spoken
from companion.twin.scenario import TALLEST
from companion.twin.truth import Diary
from companion.twin.turns import STRAIGHT, Quat, Vec, about, added, back, pointing, times, turned, yawed

_BEHIND_M = 0.46
_HOME_UP_M = 0.15
_CLEAR_M = 0.045
_DIP_RAD = (1.0, 1.3)
_BRIDGE_SWING_RAD = 0.9
_HOVER_M = (0.018, 0.035)
_LOWER_M_S = (0.035, 0.075)
_FELT_M = (0.0003, 0.0009)
_PAST_M = 0.005
_FLAT_DIP_RAD = 0.15
_PULL_OUT_M = 0.11


@dataclass(slots=True)
class Gestures:
    """Somebody at a board with one hand, and what that hand can do there."""

    hand: Hand
    castles: Castles
    diary: Diary
    board: int
    chance: Random

    # Motions

    def go_home(self) -> Iterator[None]:
        """Back to the owner's side and out of sight, with whatever is in the hand."""
        if not self.hand.out:
            return
        if self.hand.at[2] < self._world((0, 0, self._top() + _CLEAR_M))[2]:
            yield from self._rise()
        yield from self.hand.go(self._home_at(), self._pointing(0.5))
        if self.hand.grip is not None:
            self.castles.away.add(self.hand.grip.piece.number)
        self.hand.leave()

    def _home_at(self) -> Vec:
        wide, _ = self._size()
        return self._world((wide * 0.55, -_BEHIND_M, _HOME_UP_M))

    def _come(self) -> None:
        if not self.hand.out:
            self.hand.appear(self._home_at(), self._pointing(0.5))

    def _fetch(self, kind: str, turn: Quat = STRAIGHT) -> Generator[None, None, Body]:
        """Fetch a piece from the owner's side; the hand comes back into sight with it."""
        if self.hand.out:
            yield from self.hand.go(self._home_at(), self._pointing(0.5))
            self.hand.leave()
        piece = self._from_box(kind)
        swing = self.chance.uniform(-0.35, 0.35) + (_BRIDGE_SWING_RAD if kind == BRIDGE else 0.0)
        wanted = self._pointing(self.chance.uniform(*_DIP_RAD), swing)
        self.hand.appear(self._home_at(), wanted)
        lean = self.chance.uniform(0, 2 * math.pi)
        tilt = about((math.cos(lean), math.sin(lean), 0.0), self.chance.gauss(0, self.hand.manner.twist_rad))
        level = times(times(tilt, yawed(self._yaw())), turn)
        self.hand.carry(piece, turned(back(wanted), (0.0, 0.0, -_hold_above(piece))), times(back(wanted), level))
        self.castles.away.add(piece.number)
        return piece

    def _bring(self, piece: Body, aim: Place, above: float) -> Iterator[None]:
        """Carry what is held over its place, high enough to clear the towers, and stop above it."""
        miss = self.hand.manner.miss_m
        at = added(aim.at, (self.chance.gauss(0, miss), self.chance.gauss(0, miss), _hold_above(piece)))
        self._level(piece, aim.yaw)
        high = max(self._world((0, 0, self._top() + _CLEAR_M + 2 * piece.half_m[2]))[2], at[2] + above)
        here = self.hand.at
        yield from self.hand.go(added((0, 0, high), ((here[0] + 2 * at[0]) / 3, (here[1] + 2 * at[1]) / 3, 0)))
        yield from self.hand.go((at[0], at[1], max(at[2] + above, high - 0.02)))
        yield from self.hand.go((at[0], at[1], at[2] + above))
        if self.chance.random() < self.hand.manner.hesitates:
            yield from self.hand.go(added(self.hand.at, (0, 0, self.chance.uniform(0.004, 0.015))))
            yield from self.hand.wait(self.chance.uniform(0.2, 1.2))
            yield from self.hand.go((at[0], at[1], at[2] + above))

    def _level(self, piece: Body, yaw: float) -> None:
        """Turn the piece in the fingers to the yaw it shall have, with an error."""
        grip = self.hand.grip
        if grip is not None and piece.kind != PILLAR:
            wrong = self.chance.gauss(0, self.hand.manner.twist_rad)
            grip.turn = times(grip.turn, yawed(yaw - self._yaw() + wrong))

    def _set_down(self, piece: Body, aim: Place) -> Iterator[None]:
        """Bring a piece to its place and lower it until it is felt to stand."""
        yield from self._bring(piece, aim, self.chance.uniform(*_HOVER_M))
        felt, speed = self.chance.uniform(*_FELT_M), self.chance.uniform(*_LOWER_M_S)
        lowest = aim.at[2] + _hold_above(piece) - _PAST_M
        while self.hand.at[2] > lowest and self.hand.held_back() < felt:
            self.hand.at = added(self.hand.at, (0.0, 0.0, -speed * STEP_S))
            yield
        yield from self.hand.wait(self.chance.uniform(0.04, 0.25))

    def _let_go(self, piece: Body, tower: str | None, grounded: bool = False) -> Iterator[None]:
        tug = self.hand.manner.tug_m
        pull = (self.chance.gauss(0, tug), self.chance.gauss(0, tug), 0.0)
        seconds = self.chance.uniform(0.1, 0.25)
        away = self.hand.go(added(self.hand.at, pull), seconds=seconds)
        yield from _both(self.hand.open(seconds), away)
        self.diary.released(piece, self.board, tower, grounded)

    def _rise(self) -> Iterator[None]:
        """Straight up out of the towers; what was let go of may be touched again from here on."""
        x, y, z = self.hand.at
        yield from self.hand.go((x, y, z + self.chance.uniform(0.035, 0.06)), seconds=self.chance.uniform(0.2, 0.35))
        held = self.hand.grip.piece.number if self.hand.grip else None
        for piece in self.castles.here():
            if piece.number != held:
                self.castles.world.set_meets_hands(piece, True)
        x, y, z = self.hand.at
        top = self._world((0, 0, self._top() + _CLEAR_M))[2]
        if z < top:
            yield from self.hand.go((x, y, top))

    def _drop(self, piece: Body, tower: str | None, grounded: bool = False) -> Iterator[None]:
        self.diary.released(piece, self.board, tower, grounded)
        self.hand.drop()
        yield from self.hand.wait(self.chance.uniform(0.15, 0.5))
        yield from self._rise()

    def _slip_and_catch(self, piece: Body, fall_m: float) -> Iterator[None]:
        """Lose a piece, and close the fingers on it again after it has fallen so far. Should it land, it has landed."""
        self.hand.drop()
        self.diary.armed[piece.number] = True
        x, y, z = self.hand.at
        yield from self.hand.go((x, y, z - fall_m), seconds=math.sqrt(2 * fall_m / GRAVITY))
        yield from self.hand.take(piece, close_s=0.02)
        yield from self.hand.wait(self.chance.uniform(0.1, 0.4))
        self.diary.armed[piece.number] = False

    def _fling(self, piece: Body, tower: str, way: Vec) -> Iterator[None]:
        """Let go of a piece in the middle of a movement: it goes on by itself."""
        seconds = self.chance.uniform(0.14, 0.24)
        half = round(seconds / STEP_S / 2)
        for nth, _ in enumerate(self.hand.go(added(self.hand.at, way), seconds=seconds)):
            if nth == half:
                self.diary.released(piece, self.board, tower)
                self.hand.drop()
            yield
        yield from self._rise()

    def _pick_up(self, piece: Body, quick: bool = False) -> Iterator[None]:
        """Take a piece from above."""
        world, pace = self.castles.world, 0.6 if quick else 1.0
        self._come()
        turn = self._pointing(self.chance.uniform(*_DIP_RAD))
        x, y, z = world.at(piece)
        z += _above(world.reach_up(piece))
        wide = min(2 * WIDEST_M, 2 * max(piece.half_m[0], piece.half_m[1]) + 0.018)
        high = max(self._world((0, 0, self._top() + _CLEAR_M))[2], z + 0.03)
        yield from self.hand.go((self.hand.at[0], self.hand.at[1], max(high, self.hand.at[2])), turn, gap_m=wide)
        yield from self.hand.go((x, y, high))
        world.set_meets_hands(piece, False)
        yield from self.hand.go((x, y, z), seconds=pace * self.chance.uniform(0.35, 0.6))
        yield from self.hand.take(piece, close_s=pace * self.chance.uniform(0.12, 0.25))
        self.diary.taken(piece)
        yield from self.hand.go((x, y, z + 0.05), seconds=pace * self.chance.uniform(0.4, 0.7))

    def _pull_out(self, piece: Body) -> Iterator[None]:
        """Take a piece that bears something: reach in level, and draw it out toward the owner."""
        world = self.castles.world
        x, y, z = self._local(world.at(piece))
        narrow = piece.kind != PILLAR
        y -= piece.half_m[1] if narrow else 0.003
        wide = 0.012 if narrow else 2 * piece.half_m[0] + 0.012
        z += 0.008 if narrow else 0.0
        turn = self._pointing(_FLAT_DIP_RAD, swing=self.chance.uniform(-0.1, 0.1))
        yield from self._arrive((x, y - 0.09, z), turn, wide)
        world.set_meets_hands(piece, False)
        yield from self.hand.go(self._world((x, y, z)), seconds=self.chance.uniform(0.6, 1.0))
        yield from self.hand.take(piece, close_s=0.25)
        self.diary.taken(piece)
        out = self._world((x + self.chance.gauss(0, 0.002), y - _PULL_OUT_M, z + 0.001))
        yield from self.hand.go(out, seconds=self.chance.uniform(0.7, 1.5))

    def _sweep(
        self, tower: str, way: tuple[float, float], speed: tuple[float, float], high: bool = False
    ) -> Iterator[None]:
        """A fast pass through a tower, from one side of it to the other."""
        x, y, _ = self.castles.centre(self.board, tower)
        top = self.castles.standing(self.board, tower).top_mm / 1000
        z = top * (self.chance.uniform(0.75, 0.95) if high else self.chance.uniform(0.45, 0.95))
        back_m, on_m = 0.085, self.chance.uniform(0.03, 0.08)
        reach = self.chance.uniform(-0.005, 0.02)
        start = (x - way[0] * back_m, y - way[1] * back_m + reach, z + 0.004)
        end = (x + way[0] * on_m, y + way[1] * on_m + reach, z)
        yield from self._arrive(start, self._pointing(0.3), 0.01)
        pace = self.chance.uniform(*speed)
        yield from self.hand.go(self._world(end), seconds=(back_m + on_m) / pace)
        yield from self.hand.go(self._world((end[0], end[1] - 0.06, end[2] + 0.06)))

    def _rest_on_board(self, seconds: float, press_m: float) -> Iterator[None]:
        x = self._between() + self.chance.uniform(-0.008, 0.008)
        y = self.chance.uniform(0.012, 0.03)
        turn = self._pointing(0.12, swing=self.chance.uniform(-0.15, 0.15))
        yield from self._arrive((x, y, 0.05), turn, 0.02)
        yield from self.hand.go(self._world((x, y, FINGER_M - press_m)), seconds=self.chance.uniform(0.3, 0.7))
        left = seconds
        while left > 0:
            pause = min(left, self.chance.uniform(0.3, 1.2))
            sway = (self.chance.gauss(0, 0.001), self.chance.gauss(0, 0.001), self.chance.gauss(0, press_m / 5))
            yield from self.hand.go(added(self._world((x, y, FINGER_M - press_m)), sway), seconds=pause)
            left -= pause
        yield from self.hand.go(self._world((x, y - 0.02, 0.06)), seconds=self.chance.uniform(0.25, 0.5))

    def _arrive(self, at: Vec, turn: Quat, gap_m: float) -> Iterator[None]:
        """Come to a point of the board's frame from the owner's side, round the towers."""
        self._come()
        x, y, z = at
        wide, _ = self._size()
        if y > 0.02 and (0 < x < wide):
            high = max(z, self._top() + _CLEAR_M)
            yield from self.hand.go(self._world((x, min(y, -0.03), high)), turn, gap_m=gap_m)
            if z < self._top():
                yield from self.hand.go(self._world((x, min(y, -0.03), z)))
            else:
                yield from self.hand.go(self._world((x, y, high)))
        yield from self.hand.go(self._world(at), turn, gap_m=gap_m)

    # Choosing

    def _tower(self, word: str) -> str:
        return self.castles.tallest(self.board) if word == TALLEST else word

    def _from_box(self, kind: str) -> Body:
        held = {hand.grip.piece.number for hand in self.diary.hands if hand.grip is not None}
        for piece in self.castles.world.pieces:
            if piece.kind == kind and piece.number in self.castles.away and piece.number not in held:
                return piece
        raise NoSuchPiece(f"There is no {spoken(kind)} left in the box.")

    def _chosen(self, tower: str, kind: str, level: int = 0) -> Body:
        found = self.castles.loose(self.board, tower, kind)
        if level:
            found = [each for each in found if self.castles.level_of(self.board, tower, each) == level]
        if not found:
            raise NoSuchPiece(f"There is no {spoken(kind)} to take from the {tower} tower.")
        top = [
            each for each in found if abs(self.castles.world.at(each)[2] - self.castles.world.at(found[0])[2]) < 0.005
        ]
        return min(top, key=lambda each: self._local(self.castles.world.at(each))[1])

    def _covered(self, piece: Body) -> bool:
        """Whether a tile lies above a piece."""
        world, (x, y, z) = self.castles.world, self.castles.world.at(piece)
        tiles = [world.at(each) for each in self.castles.here() if each.kind in LEVEL_KINDS]
        return any(tz > z + 0.004 and math.hypot(tx - x, ty - y) < 0.04 for tx, ty, tz in tiles)

    def _standing_pillars(self, tower: str) -> list[Body]:
        return self.castles.pillars_on(self.board, tower, len(self.castles.stack(self.board, tower)))

    def _top_tile(self, tower: str) -> Body:
        stack = self.castles.stack(self.board, tower)
        if not stack:
            raise NoSuchPiece(f"There is no floor tile in the {tower} tower.")
        return stack[-1]

    def _front_pillar(self, tower: str) -> Body:
        levels = range(1, len(self.castles.stack(self.board, tower)) + 1)
        standing = [each for level in levels for each in self.castles.pillars_on(self.board, tower, level)]
        if not standing:
            raise NoSuchPiece(f"There is no pillar standing in the {tower} tower.")
        depth = {each: self._local(self.castles.world.at(each))[1] for each in standing}
        front = sorted(standing, key=lambda each: depth[each])
        return self.chance.choice([each for each in front if depth[each] < depth[front[0]] + 0.01])

    def _bare(self, piece: Body) -> Place:
        """A place on the board where nothing stands: between the front towers, or beside the middle one."""
        (lx, ly, _), (mx, my, _) = (self.castles.centre(self.board, tower) for tower in ("left", "middle"))
        spots = ((mx, ly), (lx - 0.02, my + 0.01), (2 * mx - lx + 0.02, my + 0.01))
        x, y = self.chance.choice(spots)
        at = self._world((x + self.chance.gauss(0, 0.004), y + self.chance.gauss(0, 0.004), piece.half_m[2]))
        return Place(at, self._yaw())

    def _beside(self, piece: Body) -> Place:
        """A place on the table next to the board."""
        wide, deep = self._size()
        x = self.chance.choice((-1, 1)) * self.chance.uniform(0.05, 0.09) + self.chance.choice((0.0, wide))
        x = x if x < 0 or x > wide else (-x if x < wide / 2 else 2 * wide - x)
        return Place(self._world((x, self.chance.uniform(0.1, 0.7) * deep, piece.half_m[2])), self._yaw())

    def _off_by(self, aim: Place, off_m: float) -> Place:
        if not off_m:
            return aim
        way = self.chance.uniform(0, 2 * math.pi)
        return Place(added(aim.at, (off_m * math.cos(way), off_m * math.sin(way), 0.0)), aim.yaw)

    def _outer(self, tower: str) -> float:
        """Which way is out for a tower: -1 left, 1 right."""
        x, _, _ = self.castles.centre(self.board, tower)
        off = x - self._between()
        return self.chance.choice((-1.0, 1.0)) if abs(off) < 0.02 else math.copysign(1.0, off)

    # Measures

    def _between(self) -> float:
        """The middle between the front towers, in metres from the board's left edge."""
        left, right = self.castles.centre(self.board, "left"), self.castles.centre(self.board, "right")
        return (left[0] + right[0]) / 2

    def _top(self) -> float:
        """The highest thing on the board, in metres."""
        tops = [self.castles.standing(self.board, tower).top_mm for tower in self.castles.towers(self.board)]
        return max(tops) / 1000

    def _size(self) -> tuple[float, float]:
        wide, deep = self.castles.world.plan.boards[self.board].size_mm
        return wide / 1000, deep / 1000

    def _yaw(self) -> float:
        return self.castles.world.yaw(self.board)

    def _pointing(self, dip_rad: float, swing: float | None = None) -> Quat:
        swing = self.chance.uniform(-0.3, 0.3) if swing is None else swing
        return pointing(self._yaw() + math.pi / 2 - swing, dip_rad)

    def _world(self, at: Vec) -> Vec:
        return self.castles.world.on_table(self.board, at)

    def _local(self, at: Vec) -> Vec:
        return self.castles.world.on_board(self.board, at)


def _hold_above(piece: Body) -> float:
    """How far above a piece's centre the fingertips hold it."""
    return _above(piece.half_m[2])


def _above(half_tall: float) -> float:
    """Near the top of what is tall; and never so low that the fingers meet what a flat piece lies on."""
    return max(0.004, half_tall - 0.005, FINGER_M - half_tall + 0.001)


def _both(one: Iterator[None], other: Iterator[None]) -> Iterator[None]:
    """Two motions at once, until both are done."""
    going = [one, other]
    while going:
        going = [each for each in going if next(each, _DONE) is not _DONE]
        if going:
            yield


_DONE = object()
