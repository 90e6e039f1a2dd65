"""The room board: cards in their slots, what each costs, and the bonus that comes with it."""

from __future__ import annotations

from typing import Any

from kivy.metrics import sp
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.app.models.castle_dukes import SlotView
from companion.app.screens.brush import Brush
from companion.app.screens.figures import GOLD, INK, PEOPLE, person
from companion.app.screens.moves import Touch
from companion.app.theme import SCALE_SP, colour, faded
from companion.app.widgets.look import colours, lazily, steps
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel

_BACK = colour("#7C5B3B")
_BACK_LIGHT = colour("#9A764F")
_FACE = colour("#FFF9EA")
_EDGE = colour("#B9A27A")
_MADE_OF_VALUES = " · "


class SlotCard(Touchable):
    """A slot: touched, its card is bought, or entered where it cannot be bought."""

    slot: SlotView | None = ObjectProperty(None, allownone=True)
    touch_id = StringProperty("")

    def __init__(self, touch: Touch) -> None:
        super().__init__()
        self._touch = touch
        self._brush = Brush(self.canvas)
        self._name = TextLabel(role="small", strong=True, halign="center")
        self.add_widget(self._name)
        lazily(self._draw, "pos", "size", "slot", "pressed")

    def on_release(self) -> None:
        if self.touch_id:
            self._touch(self.touch_id)

    def show(self, slot: SlotView) -> None:
        move = slot.take or slot.enter
        self.touch_id = move.id if move else ""
        self.slot = slot

    def _draw(self, *_: Any) -> None:
        slot, brush = self.slot, self._brush
        brush.clean()
        self._name.text = ""
        if slot is None or min(self.size) <= 1:
            return
        theme = colours()
        live = slot.take is not None and slot.take.legal
        tall = self.height - steps(4)
        edge = theme.accent if live else _EDGE
        if not slot.filled:
            brush.box(self.x, self.y, self.width, tall, faded(INK, 0.12), corner=steps(1))
        else:
            brush.box(self.x, self.y, self.width, tall, edge, corner=steps(1))
            inset = 4 if live else 2
            fill = _FACE if slot.card else _BACK
            brush.box(
                self.x + inset, self.y + inset, self.width - 2 * inset, tall - 2 * inset,
                theme.panel_pressed if self.pressed else fill, corner=steps(0.75),
            )  # fmt: skip
            self._draw_card(slot, tall)
        self._draw_price(slot, tall, live or slot.take is None)

    def _draw_card(self, slot: SlotView, tall: float) -> None:
        if slot.card:
            self._draw_face(slot, tall)
            return
        inset = steps(1)
        brush = self._brush
        brush.box(
            self.x + inset, self.y + inset, self.width - 2 * inset, tall - 2 * inset, _BACK_LIGHT, corner=steps(0.5)
        )
        brush.box(self.x + inset + 2, self.y + inset + 2, self.width - 2 * inset - 4, tall - 2 * inset - 4, _BACK,
                  corner=steps(0.5))  # fmt: skip
        side = min(self.width, tall) * 0.42
        self._brush.icon("room", self.center_x - side / 2, self.y + (tall - side) / 2, side, _BACK_LIGHT)

    def _draw_face(self, slot: SlotView, tall: float) -> None:
        """The name where it is one, and what the card prints."""
        named = "" if _MADE_OF_VALUES in slot.card or not slot.pieces else slot.card
        high = tall * 0.4 if named and tall > steps(14) else 0
        self._name.text = named if high else ""
        self._name.pos, self._name.size = (self.x + steps(0.75), self.y + tall - high), (self.width - steps(1.5), high)
        things = [piece for piece in slot.pieces if piece.kind != "levels"]
        across = 2 if len(things) > 1 else 1
        rows = -(-len(things) // across) or 1
        bottom = steps(4) if slot.bonus else steps(0.5)
        cell = min((tall - high - bottom - steps(2)) / rows, steps(5))
        wide = (self.width - steps(1)) / across
        for at, piece in enumerate(things):
            row, place = divmod(at, across)
            x = self.x + steps(0.5) + place * wide
            y = self.y + tall - high - steps(1.75) - (row + 1) * cell
            self._draw_piece(piece.kind, piece.count, x, y, wide, cell)

    def _draw_piece(self, kind: str, count: int, x: float, y: float, width: float, cell: float) -> None:
        side = min(cell, width * 0.6) * 0.94
        left = x + (width - side - (side * 0.5 if count > 1 or kind not in PEOPLE else 0)) / 2
        if kind in PEOPLE:
            person(self._brush, kind, left, y, side)
        else:
            self._brush.icon("star" if kind == "vp" else kind, left, y, side, INK)
        if count > 1 or kind not in PEOPLE:
            self._brush.words(str(count), left + side + 2, y + cell / 2, float(sp(SCALE_SP["body"])), INK, anchor=0)

    def _draw_price(self, slot: SlotView, tall: float, live: bool) -> None:
        """A coin over the card's upper edge, and the bonus at its foot."""
        radius = min(steps(3.25), self.width * 0.3)
        middle = self.y + tall
        self._brush.disc(self.center_x, middle, radius + 2, INK)
        self._brush.disc(self.center_x, middle, radius, GOLD if live else _EDGE)
        self._brush.words(str(slot.cost), self.center_x, middle, radius * 1.25, INK)
        if slot.bonus and slot.bonus != "unknown":
            side = min(steps(4), self.width * 0.45)
            x = self.center_x - side / 2
            if slot.bonus in PEOPLE:
                person(self._brush, slot.bonus, x, self.y + steps(0.75), side)
            else:
                shade = INK if slot.card or not slot.filled else _FACE
                self._brush.icon(slot.bonus, x, self.y + steps(0.75), side, shade)


class RoomBoard(Widget):
    """The slots of one board or two, the dearest at the right."""

    def __init__(self, touch: Touch, **properties: Any) -> None:
        super().__init__(**properties)
        self._touch = touch
        self._cards: list[list[SlotCard]] = []
        self._relay = lazily(self._lay, "pos", "size")

    def show(self, boards: tuple[tuple[SlotView, ...], ...]) -> None:
        if [len(board) for board in boards] != [len(row) for row in self._cards]:
            self.clear_widgets()
            self._cards = [[SlotCard(self._touch) for _ in board] for board in boards]
            for row in self._cards:
                for card in row:
                    self.add_widget(card)
        for row, board in zip(self._cards, boards, strict=True):
            for card, slot in zip(row, reversed(board), strict=True):
                card.show(slot)
        self._relay()

    def card(self, board: int, slot: int) -> SlotCard:
        """The card in a slot."""
        return next(
            card
            for row in self._cards
            for card in row
            if card.slot and (card.slot.board, card.slot.slot) == (board, slot)
        )

    def _lay(self, *_: Any) -> None:
        gap, rows = steps(1), max(1, len(self._cards))
        tall = (self.height - gap * (rows - 1)) / rows
        for at, row in enumerate(self._cards):
            wide = (self.width - gap * (len(row) - 1)) / max(1, len(row))
            y = self.top - (at + 1) * tall - at * gap
            for place, card in enumerate(row):
                card.pos, card.size = (self.x + place * (wide + gap), y), (wide, tall)
