"""What was sensed, drawn onto the picture it was sensed in: towers, motion, events and forces, for people to check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np

from companion.sensing import pens
from companion.sensing.castle import Castle
from companion.sensing.glance import glance
from companion.sensing.motion import Motion
from companion.sensing.plan import Board, Plan
from companion.sensing.recording import Item
from companion.sensing.resizing import Size, resized
from companion.sensing.streams import Frame, Image, Sensed
from companion.sensing.strips import HEIGHT_PX, Strip, columns_of, draw_strips
from companion.sensing.views import Floats, View
from companion.sensing.watch import Watcher

_LEAST_WIDTH_PX = 640
_CAPTION_US = 2_000_000
_FADE_US = 400_000
_MOST_CAPTIONS = 4
_TEXT, _CAPTION, _HEIGHT = 0.42, 0.5, 0.4
_MARGIN_PX = 8
_MOVING_SHARE = 0.28
_FLOOR_SHARE = 0.1
_US_PER_S = 1_000_000


class Overlay:
    """Draws what a watcher makes of a table. Feed it every item after the watcher, with the events it decided.

    `caption` puts an event in words. Bigger pictures stay as they are, smaller ones are enlarged to be readable.
    """

    def __init__(self, plan: Plan, watcher: Watcher, caption: Callable[[Sensed], str]) -> None:
        self._plan = plan
        self._watcher = watcher
        self._caption = caption
        self._motion = Motion()
        self._strips = [Strip(board) for board in plan.boards if board.cells]
        self._captions: list[tuple[int, Sensed]] = []
        self._began_us: int | None = None

    def size(self, frame: Frame) -> Size:
        """Width and height of what `feed` draws of such a frame."""
        wide, high = _shown_size(frame.image)
        rows = -(-len(self._strips) // columns_of(len(self._strips))) if self._strips else 0
        return wide, high + rows * HEIGHT_PX

    def feed(self, item: Item, events: Sequence[Sensed]) -> Image | None:
        """The picture of a frame; None for a sample."""
        self._began_us = item.t_us if self._began_us is None else self._began_us
        for event in events:
            self._hear(event, item.t_us)
        if isinstance(item, Frame):
            return self._draw(item)
        for strip in self._strips:
            if strip.board.id == item.board:
                strip.felt(item)
        return None

    def _hear(self, event: Sensed, now_us: int) -> None:
        for strip in self._strips:
            strip.heard(event)
        if event.kind != "height":
            self._captions.append((now_us, event))

    def _draw(self, frame: Frame) -> Image:
        self._captions = [each for each in self._captions if frame.t_us - each[0] < _CAPTION_US]
        wide, high = self.size(frame)
        canvas = np.full((high, wide, 3), pens.RULE, np.uint8)
        picture = canvas[: _shown_size(frame.image)[1]]
        picture[:] = resized(frame.image, (wide, picture.shape[0]))
        self._draw_motion(picture, frame)
        self._draw_boards(picture, wide / frame.image.shape[1])
        self._draw_captions(picture, frame.t_us)
        self._draw_time(picture, frame.t_us)
        draw_strips(canvas[picture.shape[0] :], self._strips, frame.t_us)
        return canvas

    # The picture

    def _draw_motion(self, picture: Image, frame: Frame) -> None:
        moving = self._motion.feed(frame.t_us, glance(frame.image)).moving
        soft = cv2.resize(moving.astype(np.float32), picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        touched = soft > 0
        share = (_MOVING_SHARE * soft[touched])[:, None]
        picture[touched] = np.round(picture[touched] * (1 - share) + np.array(pens.MOVING) * share).astype(np.uint8)

    def _draw_boards(self, picture: Image, zoom: float) -> None:
        eye = self._watcher.eye
        if eye is None:
            return
        seen = [(board, eye.board(board.id)) for board in self._plan.boards]
        labels: list[tuple[Floats, str]] = []
        for board, sight in seen:
            if sight.view is not None:
                look = _Look(board, sight.view, zoom)
                look.draw_board(picture, self._fell_lately(board.id))
                labels += [look.ruins()] if sight.ruined else look.draw_towers(picture, sight.castle)
        _draw_labels(picture, labels)

    def _fell_lately(self, board: str) -> bool:
        return any(event.kind == "collapse" and event.board == board for _, event in self._captions)

    def _draw_captions(self, picture: Image, now_us: int) -> None:
        top = _MARGIN_PX
        for told_us, event in self._captions[-_MOST_CAPTIONS:]:
            left_us = told_us + _CAPTION_US - now_us
            words, colour = self._caption(event), pens.KINDS[event.kind]
            pens.label(picture, words, (_MARGIN_PX, top), _CAPTION, bar=colour, share=min(1.0, left_us / _FADE_US))
            top += pens.plate_size(words, _CAPTION)[1] + 4

    def _draw_time(self, picture: Image, now_us: int) -> None:
        words = f"{(now_us - (self._began_us or 0)) / _US_PER_S:.2f} s"
        wide, _ = pens.plate_size(words, _TEXT)
        pens.label(picture, words, (picture.shape[1] - wide - _MARGIN_PX, _MARGIN_PX), _TEXT)


class _Look:
    """One board as the camera sees it, in the pixels of the drawn picture."""

    def __init__(self, board: Board, view: View, zoom: float) -> None:
        self._board = board
        self._view = view
        self._zoom = zoom

    def draw_board(self, picture: Image, fell: bool) -> None:
        """Its rim and its name; both red when something has just fallen."""
        wide, deep = self._board.size_mm
        ring = self._pixels([(0, 0, 0), (wide, 0, 0), (wide, deep, 0), (0, deep, 0)])
        colour = pens.KINDS["collapse"] if fell else pens.BOARD
        pens.outline(picture, ring, colour, 3 if fell else 1)
        left, bottom = ring[:, 0].min(), ring[:, 1].max()
        corner = ring[int(np.argmin(ring[:, 0] - ring[:, 1]))]
        at = np.clip((corner[0], min(bottom, corner[1] + 4)), 0, np.subtract(picture.shape[1::-1], 22))
        pens.label(picture, self._board.id, (int(max(at[0], left)), int(at[1])), _HEIGHT, colour)

    def ruins(self) -> tuple[Floats, str]:
        """Where it is to be written that nobody has read what still stands, and the words."""
        wide, deep = self._board.size_mm
        return self._pixels([(wide / 2, deep / 2, 0.0)])[0], "not read since the fall"

    def draw_towers(self, picture: Image, castle: Castle) -> Iterator[tuple[Floats, str]]:
        """Outlines of all that stands; yields where the height of each tower is to be written, and its words."""
        for tower in castle.towers:
            pieces = castle.of(tower)
            for piece in pieces:
                floor = piece.shape in (castle.kit.floor, castle.kit.base)
                corners = self._pixels(piece.shape.corners(piece.centre, piece.turn_deg, piece.low_mm))
                hull = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2).astype(float)
                pens.outline(picture, hull, pens.TOWER, share=_FLOOR_SHARE if floor else 0.0)
            if pieces:
                top = self._pixels([(*castle.middle(tower), castle.top_mm(tower))])[0]
                levels = castle.levels(tower)
                counted = "1 level" if levels == 1 else f"{levels} levels"
                yield top, f"{tower}: {counted}, {castle.top_mm(tower):.0f} mm"

    def _pixels(self, points_mm: Floats | Sequence[Sequence[float]]) -> Floats:
        return (self._view.project(points_mm) + 0.5) * self._zoom - 0.5


def _draw_labels(picture: Image, labels: Sequence[tuple[Floats, str]]) -> None:
    """Heights above their towers; one that would cover another moves up, with a line down to where it belongs."""
    taken: list[tuple[int, int, int, int]] = []
    for top, words in sorted(labels, key=lambda each: -float(each[0][1])):
        wide, high = pens.plate_size(words, _HEIGHT)
        left = int(np.clip(top[0] - wide / 2, 0, max(0, picture.shape[1] - wide)))
        upper = int(top[1]) - high - 14
        while clash := [box for box in taken if _overlap(box, (left, upper, left + wide, upper + high))]:
            upper = min(box[1] for box in clash) - high - 2
        upper = max(0, upper)
        taken.append((left, upper, left + wide, upper + high))
        cv2.line(picture, (int(top[0]), int(top[1])), (int(top[0]), upper + high), pens.TOWER, 1, cv2.LINE_AA)
        pens.label(picture, words, (left, upper), _HEIGHT, pens.TOWER)


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _shown_size(image: Image) -> Size:
    """The size in which a picture is shown: at least a readable width, and even, as video wants it."""
    height, width = image.shape[:2]
    zoom = max(1.0, _LEAST_WIDTH_PX / width)
    return round(width * zoom) // 2 * 2, round(height * zoom) // 2 * 2
