"""What is read in the picture, drawn over it: boards, towers with their levels and heights, in their seats' colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, SmoothLine
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.theme import DARK, Colour, faded
from companion.app.widgets.film import Film, Point
from companion.app.widgets.look import Last, seat_look
from companion.app.widgets.tags import Tag

if TYPE_CHECKING:
    from companion.app.models.live import Spot
    from companion.live.shown import BoardReading, Reading, TowerReading

_TOWER_DP = 2.2
_BOARD_DP = 1.2
_BARE = 0.45
_NOBODY = DARK.chalk


class TableOverlay(Widget):
    """Outlines and tags over a picture. Lies in it and takes no touch."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._lines: list[tuple[Any, Any]] = []
        self._tags: list[Tag] = []
        self._last = Last()

    def draw(self, film: Film, reading: Reading, spots: Sequence[Spot]) -> None:
        """Draws a reading; what has not changed is left as it is."""
        if not self._last.differs(reading.boards, tuple(spots), film.box, film.shown):
            return
        lines = [
            (tuple(part for pixel in outline for part in film.over(pixel)), tint, width)
            for outline, tint, width in _outlines(reading, spots)
        ]
        self._draw_lines(lines)
        self._draw_tags(film, list(_tags(reading, spots)))

    def _draw_lines(self, lines: Sequence[tuple[tuple[float, ...], Colour, float]]) -> None:
        while len(self._lines) < len(lines):
            with self.canvas:
                self._lines.append((Color(1, 1, 1, 0), SmoothLine(close=True)))
        for at, (shade, line) in enumerate(self._lines):
            points, tint, width = lines[at] if at < len(lines) else ((), (0.0, 0.0, 0.0, 0.0), 1.0)
            shade.rgba, line.points, line.width = tint, list(points), dp(width) / 2

    def _draw_tags(self, film: Film, tags: Sequence[tuple[str, Point, Colour]]) -> None:
        while len(self._tags) < len(tags):
            self._tags.append(Tag())
            self.add_widget(self._tags[-1])
        for tag in self._tags[len(tags) :]:
            self.remove_widget(tag)
        del self._tags[len(tags) :]
        for tag, (text, top, tint) in zip(self._tags, tags, strict=True):
            tag.stand(text, film.over(top), tint, film)


def _tint(board: BoardReading) -> Colour:
    return seat_look(board.seat).field if board.seat is not None else _NOBODY


def _outlines(reading: Reading, spots: Sequence[Spot]) -> Iterator[tuple[Sequence[Point], Colour, float]]:
    for board in reading.boards:
        tint = _tint(board)
        if board.outline:
            yield board.outline, faded(tint, 0.9), _BOARD_DP
        stands = {tower.tower for tower in board.towers if tower.levels}
        for spot in spots:
            if spot.board == board.board:
                yield spot.outline, tint if spot.tower in stands else faded(_NOBODY, _BARE), _TOWER_DP


def _tags(reading: Reading, spots: Sequence[Spot]) -> Iterator[tuple[str, Point, Colour]]:
    for board in reading.boards:
        for tower in board.towers:
            spot = next((one for one in spots if (one.board, one.tower) == (board.board, tower.tower)), None)
            if spot is not None and tower.levels:
                yield tower_tag(tower), min(spot.outline, key=lambda pixel: pixel[1]), _tint(board)


def tower_tag(tower: TowerReading) -> str:
    """Its levels, and its height where that is measured."""
    return f"{tower.levels} · {tower.top_mm:.0f} mm" if tower.top_mm else str(tower.levels)
