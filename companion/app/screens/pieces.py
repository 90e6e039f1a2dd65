"""Pieces in a row: an icon for each kind, with how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kivy.metrics import sp
from kivy.properties import ListProperty, StringProperty
from kivy.uix.widget import Widget

from companion.app.icons import icon
from companion.app.screens.moves import TouchButton
from companion.app.theme import SANS, SANS_BOLD, SCALE_SP
from companion.app.widgets.look import colours, lazily, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.words import TextLabel, measured
from companion.rules.table import Panel, Row

Bit = tuple[str, str]
"""An icon and the words beside it; either may be empty."""

_FIELD_ICONS = {"vp": "star", "points": "star", "rubies": "ruby", "windows": "window", "persons": "person"}
_COUNTED_FROM_TWO = ("king", "princess", "knight", "serf")
_FLAG_ICONS = {"upper": "up", "lower": "down", "roof": "roof", "wild": "check", "tick": "check"}


def value_bits(value: object, words: str) -> list[Bit]:
    """What a button of an answer shows: icons with numbers where every part has one, otherwise its words."""
    if isinstance(value, Mapping) and isinstance(value.get("kind"), str):
        return [(_drawn(str(value["kind"])), words)]
    if isinstance(value, Mapping):
        bits = list(_field_bits(value))
        return bits if bits and all(bit[0] for bit in bits) else [("", words)]
    if isinstance(value, str) and icon(value) is not None:
        return [(value, words)]
    if isinstance(value, list | tuple) and value:
        bits = [(part if isinstance(part, str) else "fire", "") for part in value if part is not False]
        return bits if all(icon(kind) is not None for kind, _ in bits) else [("", words)]
    return [("", words)]


def _field_bits(values: Mapping[str, object]) -> Iterator[Bit]:
    for field, value in values.items():
        if value in (0, False, "", "any", "none", None):
            continue
        name = _FIELD_ICONS.get(field, field)
        kind = _FLAG_ICONS.get(value, value) if isinstance(value, str) else name
        alone = isinstance(value, str) or value is True or (value == 1 and kind in _COUNTED_FROM_TWO)
        yield (_drawn(kind), "" if alone else str(value))


def _drawn(kind: str) -> str:
    return kind if icon(kind) is not None else ""


class PieceRow(Widget):
    """Bits side by side, in the middle or from the left, smaller when there are many. `needed_width` tells its room."""

    bits = ListProperty()
    ground = StringProperty("panel")
    halign = StringProperty("center")

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._parts: list[tuple[IconView, TextLabel]] = []
        lazily(self._arrange, "pos", "size", "bits", "ground", "halign")

    def tint(self, shade: Any) -> None:
        for picture, label in self._parts:
            picture.tint = label.tint = shade

    def needed_width(self, height: float) -> float:
        return sum(self._wide(bit, height) for bit in self.bits) + steps(1) * max(0, len(self.bits) - 1)

    def needed_height(self, width: float, line: float) -> float:
        """How high a single bit is when its words have to wrap."""
        kind, words = self.bits[0]
        room = max(1, int(width - (line if kind else 0)))
        return max(line, measured(words, SANS_BOLD, round(float(sp(SCALE_SP["body"]))), room)[1])

    def _wide(self, bit: Bit, height: float) -> float:
        kind, words = bit
        size = max(1, round(min(float(sp(SCALE_SP["body"])), height * 0.8)))
        text = measured(words, SANS_BOLD, size, None)[0] + steps(0.5) if words else 0
        return (min(height, steps(4)) if kind else 0) + text

    def _arrange(self, *_: Any) -> None:
        self._keep(len(self.bits))
        height = float(self.height)
        needed = self.needed_width(height)
        wraps = len(self.bits) == 1
        shrink = min(1.0, self.width / needed) if needed and not wraps else 1.0
        needed = min(needed, self.width) if wraps else needed
        x = self.x if self.halign == "left" else self.center_x - needed * shrink / 2
        for (picture, label), bit in zip(self._parts, self.bits, strict=True):
            wide = needed if wraps else self._wide(bit, height) * shrink
            side = min(height, steps(4)) * shrink if bit[0] else 0
            picture.kind, label.text = bit
            picture.ground = label.ground = self.ground
            picture.pos, picture.size = (x, self.center_y - side / 2), (side, side)
            label.pos, label.size = (x + side, self.y), (max(0, wide - side), height)
            label.halign = "center" if not bit[0] else "left"
            x += wide + steps(1) * shrink

    def _keep(self, count: int) -> None:
        while len(self._parts) > count:
            for widget in self._parts.pop():
                self.remove_widget(widget)
        while len(self._parts) < count:
            part = (IconView(), TextLabel(strong=True))
            self._parts.append(part)
            for widget in part:
                self.add_widget(widget)


class PieceButton(TouchButton):
    """A button that shows pieces instead of words."""

    def __init__(self, touch: Any, **properties: Any) -> None:
        self._row = PieceRow()
        super().__init__(touch, **properties)
        self.add_widget(self._row)

    def show(self, bits: Iterable[Bit]) -> None:
        self._row.bits = list(bits)

    def _arrange(self, *_: Any) -> None:
        super()._arrange()
        pad = steps(0.5)
        tall = min(self.height - 2 * pad, steps(4))
        self._row.pos = (self.x + pad, self.center_y - tall / 2)
        self._row.size = (max(0, self.width - 2 * pad), tall)

    def _paint(self, *_: Any) -> None:
        super()._paint()
        self._row.tint(self._colours(colours())[2])


class PanelPicture(Widget):
    """A part of a game's picture: a title, and its rows of pieces. As high as it needs in its width."""

    def __init__(self, panel: Panel, title: str, **properties: Any) -> None:
        super().__init__(size_hint_y=None, **properties)
        self._title = TextLabel(text=title, strong=True, grows=True)
        self.add_widget(self._title)
        self._rows = [(_row_label(row), row) for row in panel.rows]
        self._pieces = [_pieces(row) for _, row in self._rows]
        for (label, _row), pieces in zip(self._rows, self._pieces, strict=True):
            self.add_widget(label)
            for piece in pieces:
                self.add_widget(piece)
        lazily(self._arrange, "pos", "width")

    def _arrange(self, *_: Any) -> None:
        line, gap = steps(4), steps(0.5)
        self._title.width = self.width
        placed: list[tuple[Any, float, float, float, float]] = []
        below = steps(3.5)
        for (label, _row), pieces in zip(self._rows, self._pieces, strict=True):
            indent = min(self.width * 0.3, label.ideal_width() + gap) if label.text else 0
            placed.append((label, 0, below, indent, max(line, label.wrapped_height(indent))))
            x, tall = indent, placed[-1][-1]
            for piece in pieces:
                wide = min(piece.needed_width(line), self.width - indent)
                if x + wide > self.width and x > indent:
                    x, below, tall = indent, below + tall, line
                high = piece.needed_height(wide, line)
                placed.append((piece, x, below, wide, high))
                x, tall = x + wide + steps(1.5), max(tall, high)
            below += tall + gap
        self.height = below
        for widget, x, down, wide, high in placed:
            widget.size, widget.pos = (max(1, wide), high), (self.x + x, self.top - down - high)
        self._title.pos = (self.x, self.top - steps(3.5))


class _RowLabel(TextLabel):
    """What a row is called; it wraps when it is long."""

    def wrapped_height(self, width: float) -> float:
        if not self.text or width <= 0:
            return 0.0
        return float(measured(self.text, SANS, self.wanted_px, max(1, int(width)))[1])


def _row_label(row: Row) -> _RowLabel:
    return _RowLabel(text=row.label, tone="soft")


def _pieces(row: Row) -> list[PieceRow]:
    return [PieceRow(bits=[_bit(piece.kind, piece.label, piece.count)], halign="left") for piece in row.pieces]


def _bit(kind: str, label: str, count: int) -> Bit:
    drawn = _drawn(kind)
    words = " ".join(
        part
        for part in (f"{count}\N{MULTIPLICATION SIGN}" if count != 1 else "", label or ("" if drawn else kind))
        if part
    )
    return drawn, words
