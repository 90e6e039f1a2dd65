"""What truly happened: pieces placed and taken, first touches, hands over boards, towers as they stand once quiet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from companion.twin.castle import Castles, Standing
from companion.twin.hand import Hand
from companion.twin.physics import STEP_S, Body, World

ONE_ACCIDENT_S = 2.5
"""Touches on one board less than this apart are one accident."""

_LOOK_STEPS = 40
_QUIET_S = 0.3
_STILL_M_S = 0.003
_LYING_COS = 0.7
_SAME_MM = 0.05
_HAND_MARGIN_M = 0.02

Event: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class _Page:
    """What is being watched on one board."""

    towers: dict[str, Standing] = field(default_factory=dict)
    touched_s: float = -1e9
    collapse: Event | None = None
    stirred: bool = True
    quiet_s: float = 0.0


@dataclass(frozen=True, slots=True)
class _LetGo:
    piece: Body
    board: int
    tower: str | None
    t_us: int


class Diary:
    """Keeps the truth of an episode while it runs. Nothing here steers anything."""

    def __init__(self, world: World, castles: Castles, hands: Sequence[Hand], start_us: int = 0) -> None:
        self.world, self.castles, self.hands, self.start_us = world, castles, hands, start_us
        self.events: list[Event] = []
        self.down: set[int] = set()
        self.armed = np.zeros(len(world.pieces), dtype=bool)
        self.t_s = 0.0
        self._steps = 0
        self._pages = [_Page() for _ in world.plan.boards]
        self._let_go: list[_LetGo] = []
        self._hands_over: dict[tuple[int, int], int] = {}

    @property
    def now_us(self) -> int:
        return self.start_us + round(self.t_s * 1e6)

    def open(self) -> None:
        """The table before anything happens."""
        for board in range(len(self._pages)):
            bases = {stack[0].number for stack in self._stacks(board) if stack}
            for piece in self.castles.here():
                if self.world.board_under(piece) == board:
                    self.armed[piece.number] = piece.number not in bases
            self._write_state(board, always=True)

    def step(self) -> None:
        """After each step of the physics."""
        self._steps += 1
        self.t_s = self._steps * STEP_S
        if self.world.data.ntree_awake:
            for touch in self.world.touches(self.armed):
                self._touched(touch.board, self.world.pieces[touch.piece])
        if self._steps % _LOOK_STEPS == 0:
            self._look()

    def close(self) -> list[Event]:
        """The truth of the whole episode, in the order things happened."""
        for board, page in enumerate(self._pages):
            self._settle(board, page)
        for key in list(self._hands_over):
            self._hand_left(key)
        self.events.sort(key=lambda event: (event["t_us"], event["kind"]))
        return self.events

    @property
    def quiet(self) -> bool:
        """Whether everything that was begun has come to rest and been written down."""
        return not any(page.stirred for page in self._pages)

    def write(self, kind: str, **what: Any) -> Event:
        event = {"kind": kind, "t_us": self.now_us, **what}
        self.events.append(event)
        return event

    # Told by the hands

    def released(self, piece: Body, board: int, tower: str | None, grounded: bool = False) -> None:
        """A hand let go of a piece there; `grounded` when its place is on the board itself."""
        self.castles.away.discard(piece.number)
        self.armed[piece.number] = not grounded
        self._stir(board)
        self._let_go.append(_LetGo(piece, board, tower, self.now_us))

    def taken(self, piece: Body) -> None:
        """A hand took a piece off a board, or from beside it."""
        board = self.world.board_under(piece)
        if board is not None:
            fallen = piece.number in self.down
            tower = None if fallen else self.castles.tower_of(board, piece)
            level = self.castles.level_of(board, tower, piece) if tower else None
            self.write(
                "removed",
                board=self._id(board),
                piece=piece.kind,
                tower=tower,
                level=level or None,
                mass_g=piece.mass_g,
            )
            self._stir(board)
        self.castles.away.add(piece.number)
        self.down.discard(piece.number)
        self.armed[piece.number] = False
        self.world.keep_awake(piece, False)

    # Seen

    def _touched(self, board: int, piece: Body) -> None:
        page = self._pages[board]
        self.armed[piece.number] = False
        self.down.add(piece.number)
        self._stir(board)
        if page.collapse is None or self.t_s - page.touched_s >= ONE_ACCIDENT_S:
            page.collapse = self.write("collapse", board=self._id(board), pieces=[])
        page.collapse["pieces"].append(piece.kind)
        page.touched_s = self.t_s

    def _stir(self, board: int) -> None:
        self._pages[board].stirred, self._pages[board].quiet_s = True, 0.0

    def _look(self) -> None:
        for number, hand in enumerate(self.hands):
            for board in range(len(self._pages)):
                self._watch_hand(number, hand, board)
        if not self.world.data.ntree_awake and self.quiet:
            return
        held = {hand.grip.piece.number for hand in self.hands if hand.grip is not None}
        moving = self._moving(held)
        for board, page in enumerate(self._pages):
            page.stirred = page.stirred or board in moving
            page.quiet_s = 0.0 if board in moving else page.quiet_s + _LOOK_STEPS * STEP_S
            if page.stirred and page.quiet_s >= _QUIET_S:
                self._settle(board, page)

    def _moving(self, held: set[int]) -> set[int]:
        """The boards something moves on, and while at it: what lies across an edge is kept awake to be weighed."""
        boards = set()
        for piece in self.castles.here():
            if piece.number in held or not self.world.data.tree_awake[piece.tree]:
                continue
            if self.world.speed(piece) > _STILL_M_S:
                boards |= {
                    board for board in range(len(self._pages)) if self.world.over(board, self.world.at(piece), 0.1)
                }
            self.world.keep_awake(piece, self.world.straddles(piece))
            if piece.round:
                self.world.set_rolling(piece, abs(self.world.upright(piece)) < _LYING_COS)
        return boards

    def _settle(self, board: int, page: _Page) -> None:
        for let_go in [each for each in self._let_go if each.board == board]:
            self._let_go.remove(let_go)
            self._placed(let_go)
        self._write_state(board)
        page.stirred = False

    def _placed(self, let_go: _LetGo) -> None:
        piece, board = let_go.piece, let_go.board
        if piece.number in self.down or self.world.board_under(piece) != board:
            return
        tower = self.castles.tower_of(board, piece) if let_go.tower else None
        level = self.castles.level_of(board, tower, piece) if tower else None
        self.events.append(
            {"kind": "placed", "t_us": let_go.t_us, "board": self._id(board), "piece": piece.kind, "tower": tower,
             "level": level or None, "mass_g": piece.mass_g}
        )  # fmt: skip

    def _write_state(self, board: int, always: bool = False) -> None:
        page = self._pages[board]
        seen = {tower: self.castles.standing(board, tower) for tower in self.castles.towers(board)}
        if always or any(_differs(seen[tower], page.towers[tower]) for tower in seen):
            page.towers = seen
            towers = {tower: {"levels": each.levels, "top_mm": each.top_mm} for tower, each in seen.items()}
            self.write("state", board=self._id(board), towers=towers)

    def _watch_hand(self, number: int, hand: Hand, board: int) -> None:
        key = (number, board)
        over = hand.out and any(
            self.world.over(board, point, _HAND_MARGIN_M) for point in (hand.place, hand.knuckles())
        )
        if over and key not in self._hands_over:
            self._hands_over[key] = self.now_us
        elif not over and key in self._hands_over:
            self._hand_left(key)

    def _hand_left(self, key: tuple[int, int]) -> None:
        since = self._hands_over.pop(key)
        self.events.append({"kind": "hand", "t_us": since, "board": self._id(key[1]), "until_us": self.now_us})

    def _stacks(self, board: int) -> list[list[Body]]:
        return [self.castles.stack(board, tower) for tower in self.castles.towers(board)]

    def _id(self, board: int) -> str:
        return self.world.plan.boards[board].id


def _differs(a: Standing, b: Standing) -> bool:
    return a.levels != b.levels or abs(a.top_mm - b.top_mm) > _SAME_MM
