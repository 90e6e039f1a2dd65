"""What hands do at a table: each act of a script, in the motions of a hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from companion.errors import Malformed, NoSuchPiece
from companion.twin.castle import Place
from companion.twin.gestures import Gestures
from companion.twin.hand import FINGER_M
from companion.twin.physics import Body
from companion.twin.pieces import LEVEL_KINDS, PILLAR, spoken
from companion.twin.scenario import Step
from companion.twin.turns import Quat, about, added, turned, yawed

_ROLLS_OUT = 0.2
_LIE: Quat = about((1.0, 0.0, 0.0), math.pi / 2)
_KNOCK_M_S = {"softly": (0.15, 0.3), "usual": (0.35, 0.65), "hard": (0.7, 1.0)}


class Player(Gestures):
    """Somebody at a board, acting with one hand."""

    def do(self, step: Step) -> Iterator[None]:
        """The motions of one step; NoSuchPiece when what it is about is not there."""
        act: dict[str, Callable[[Step], Iterator[None]]] = {
            "place": self.place, "remove": self.remove, "drop": self.drop, "drop on board": self.drop_on_board,
            "drop beside": self.drop_beside, "lay beside": self.lay_beside, "roll": self.roll, "store": self.store,
            "knock": self.knock, "topple": self.topple, "brush": self.brush, "overload": self.overload,
            "rest": self.rest, "lean": self.lean,
            "hover": self.hover, "reach": self.reach, "clear": self.clear, "fumble": self.fumble,
        }  # fmt: skip
        yield from act[step.act](step)

    def place(self, step: Step) -> Iterator[None]:
        tower = self._tower(step.tower)
        stand = len(self._standing_pillars(tower)) if step.piece == PILLAR else 0
        for _ in range(step.most):
            piece = yield from self._fetch(step.piece)
            aim = self.castles.place_for(self.board, tower, piece, stand + step.most)
            aim = self._off_by(aim, step.amount / 1000)
            grounded = not self.castles.stack(self.board, tower) and step.piece in LEVEL_KINDS
            yield from self._set_down(piece, aim)
            yield from self._let_go(piece, tower, grounded)
            yield from self._rise()

    def store(self, step: Step) -> Iterator[None]:
        areas = self.castles.world.plan.boards[self.board].inventory
        if not areas:
            raise Malformed("This board has no place to store pieces.")
        low, high = areas[0].min_mm, areas[0].max_mm
        piece = yield from self._fetch(step.piece)
        x, y = (self.chance.uniform(low[axis] + 16, high[axis] - 16) / 1000 for axis in (0, 1))
        at = self._world((x, y, piece.half_m[2] + 0.001))
        yield from self._set_down(piece, Place(at, self._yaw()))
        yield from self._let_go(piece, None, grounded=True)
        yield from self._rise()

    def remove(self, step: Step) -> Iterator[None]:
        yield from self.take(self._chosen(self._tower(step.tower), step.piece, step.level))

    def take(self, piece: Body) -> Iterator[None]:
        """Take a piece off the board: from above, or out from under what it bears."""
        if self._covered(piece):
            yield from self._pull_out(piece)
        else:
            yield from self._pick_up(piece)

    def clear(self, step: Step) -> Iterator[None]:
        """Gather what fell, piece by piece into the hand."""
        world = self.castles.world
        fallen = [
            each for each in self.castles.here() if each.number in self.diary.down or world.board_under(each) is None
        ]
        mine = [each for each in fallen if world.over(self.board, added(world.at(each), (0, 0, 0.05)), 0.15)]
        for piece in mine:
            yield from self._pick_up(piece, quick=True)
            self.hand.leave_piece()

    def drop(self, step: Step) -> Iterator[None]:
        """Let a piece fall on its tower from a little above: a base tile clatters, a pillar bounces."""
        tower = self._tower(step.tower)
        piece = yield from self._fetch(step.piece)
        aim = self.castles.place_for(self.board, tower, piece)
        grounded = not self.castles.stack(self.board, tower) and step.piece in LEVEL_KINDS
        yield from self._bring(piece, aim, self.chance.uniform(0.015, 0.04))
        yield from self._drop(piece, tower, grounded)

    def drop_on_board(self, step: Step) -> Iterator[None]:
        piece = yield from self._fetch(step.piece)
        yield from self._bring(piece, self._bare(piece), self.chance.uniform(0.02, 0.07))
        yield from self._drop(piece, None)

    def drop_beside(self, step: Step) -> Iterator[None]:
        """A piece slips and falls on the table next to the board."""
        piece = yield from self._fetch(step.piece)
        yield from self._bring(piece, self._beside(piece), self.chance.uniform(0.03, 0.09))
        yield from self._drop(piece, None)

    def lay_beside(self, step: Step) -> Iterator[None]:
        """Take a piece from a tower, and lay it on the table next to the board."""
        piece = self._chosen(self._tower(step.tower), step.piece)
        yield from self.take(piece)
        yield from self._set_down(piece, self._beside(piece))
        yield from self._let_go(piece, None)
        yield from self._rise()

    def fumble(self, step: Step) -> Iterator[None]:
        """A piece slips out of the fingers over the board, and is caught in the air."""
        if step.tower:
            piece = self._chosen(self._tower(step.tower), step.piece)
            if self._covered(piece):
                raise NoSuchPiece(f"There is no {spoken(step.piece)} in the {step.tower} tower that bears nothing.")
            yield from self._pick_up(piece)
        else:
            piece = yield from self._fetch(step.piece)
        fall_m = self.chance.uniform(0.02, 0.045)
        bare = self._bare(piece)
        yield from self._bring(piece, bare, fall_m + self.chance.uniform(0.035, 0.06))
        yield from self._slip_and_catch(piece, fall_m)
        yield from self._rise()

    def roll(self, step: Step) -> Iterator[None]:
        """A pillar is laid on its side near the rim, and rolls off."""
        tower = self._tower(step.tower)
        piece = yield from self._fetch(step.piece, _LIE)
        world, tile = self.castles.world, self._top_tile(tower)
        side = self._outer(tower) * (1 if self.chance.random() < _ROLLS_OUT else -1)
        dx, dy, dz = turned(
            yawed(self._yaw()), (side * (tile.half_m[0] - 0.011), self.chance.uniform(-0.006, 0.006), 0.0)
        )
        x, y, z = added(world.at(tile), (dx, dy, dz))
        yield from self._set_down(piece, Place((x, y, z + tile.half_m[2] + piece.half_m[0]), self._yaw()))
        yield from self._fling(piece, tower, turned(yawed(self._yaw()), (side * 0.03, 0.0, 0.003)))

    def knock(self, step: Step) -> Iterator[None]:
        """The back of the hand catches a tower in passing."""
        tower = self._tower(step.tower)
        way = -self._outer(tower) if self.chance.random() < 0.75 else self._outer(tower)
        yield from self._sweep(tower, (way, self.chance.uniform(-0.15, 0.15)), _KNOCK_M_S[step.how or "usual"])

    def topple(self, step: Step) -> Iterator[None]:
        """Push a tower over toward another one."""
        tower, other = self._tower(step.tower), self._tower(step.toward)
        ax, ay, _ = self.castles.centre(self.board, tower)
        bx, by, _ = self.castles.centre(self.board, other)
        far = math.hypot(bx - ax, by - ay) or 1.0
        yield from self._sweep(tower, ((bx - ax) / far, (by - ay) / far), (0.5, 0.8), high=True)

    def brush(self, step: Step) -> Iterator[None]:
        """A finger slides along a pillar."""
        tower = self._tower(step.tower)
        pillar = self._front_pillar(tower)
        deep = {"softly": (0.0002, 0.0008), "hard": (0.006, 0.013)}.get(step.how, (0.0008, 0.0022))
        x, y, z = self._local(self.castles.world.at(pillar))
        inward = pillar.half_m[0] + FINGER_M - self.chance.uniform(*deep)
        side = self.chance.choice((-1, 1))
        lift = self.chance.uniform(-0.3, 0.6) * pillar.half_m[2]
        start, end = (x - side * 0.035, y - inward, z + lift), (x + side * 0.03, y - inward, z + lift)
        turn = self._pointing(0.35)
        yield from self._arrive(start, turn, 0.0)
        yield from self.hand.go(self._world(end), seconds=0.065 / self.chance.uniform(0.07, 0.2))
        yield from self.hand.go(self._world((end[0], end[1] - 0.07, end[2] + 0.02)))

    def overload(self, step: Step) -> Iterator[None]:
        """Press on the rim of the top tile until it gives."""
        tower = self._tower(step.tower)
        if len(self.castles.stack(self.board, tower)) < 2:
            raise NoSuchPiece(f"There is no second level in the {tower} tower to press on.")
        tile = self._top_tile(tower)
        x, y, z = self._local(self.castles.world.at(tile))
        side = self._outer(tower)
        at = (x + side * (tile.half_m[0] - 0.003), y - self.chance.uniform(-0.01, 0.02), z + FINGER_M)
        yield from self._arrive(added(at, (0, 0, 0.025)), self._pointing(1.2), 0.0)
        yield from self.hand.go(self._world(added(at, (0, 0, -0.014))), seconds=self.chance.uniform(0.8, 2.2))
        yield from self.hand.wait(self.chance.uniform(0.05, 0.4))
        yield from self.hand.go(self._world(added(at, (side * 0.03, -0.07, 0.02))), gap_m=0.02)

    def rest(self, step: Step) -> Iterator[None]:
        yield from self._rest_on_board(step.amount or 2.0, self.chance.uniform(0.0015, 0.005))

    def lean(self, step: Step) -> Iterator[None]:
        yield from self._rest_on_board(step.amount or 2.0, self.chance.uniform(0.008, 0.02))

    def hover(self, step: Step) -> Iterator[None]:
        """A hand that means to do something, and thinks about it."""
        x, y, _ = self.castles.centre(self.board, self._tower(step.tower))
        height = self._top() + self.chance.uniform(0.03, 0.07)
        yield from self._arrive((x + self.chance.uniform(-0.02, 0.02), y, height), self._pointing(0.9), 0.03)
        until = step.amount or 1.5
        while until > 0:
            pause = self.chance.uniform(0.3, 0.8)
            near = (
                x + self.chance.gauss(0, 0.01),
                y + self.chance.gauss(0, 0.01),
                height + self.chance.uniform(0, 0.02),
            )
            yield from self.hand.go(self._world(near), seconds=pause)
            until -= pause

    def reach(self, step: Step) -> Iterator[None]:
        """An arm across the board, for something beyond it."""
        wide, deep = self._size()
        over = (wide * self.chance.uniform(0.25, 0.75), deep + 0.06, self._top() + self.chance.uniform(0.06, 0.1))
        since = self.diary.now_us
        yield from self._arrive(over, self._pointing(0.25), 0.03)
        sway = (self.chance.uniform(-0.06, 0.06), self.chance.uniform(-0.03, 0.03), self.chance.uniform(0, 0.03))
        yield from self.hand.go(self._world(added(over, sway)), seconds=step.amount or 1.5)
        event = self.diary.write("occluder", board=self.castles.world.plan.boards[self.board].id)
        event["t_us"], event["until_us"] = since, self.diary.now_us
