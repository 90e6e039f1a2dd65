"""A duke's barbican and inventory: three dials, and what lies ready to be built with."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.models.castle_dukes import DIAL_MOST, DukeView
from companion.app.screens.pieces import PieceRow
from companion.app.widgets.look import lazily, steps
from companion.app.widgets.numbers import Dial

_TELLING_DP = 112


class Barbican(BoxLayout):
    """The dials of one duke, one under the other or side by side."""

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("spacing", steps(0.5))
        super().__init__(orientation="vertical", **properties)
        self._dials: dict[str, Dial] = {}
        lazily(self._shape, "size")

    def _shape(self, *_: Any) -> None:
        self.orientation = "vertical" if self.height >= self.width else "horizontal"

    def show(self, duke: DukeView, changes: dict[str, int]) -> None:
        """Shows a duke's ratings, and how they changed where the dials are large enough to tell."""
        roomy = max(self.height, self.width) / 3 >= dp(_TELLING_DP)
        for dial in duke.dials:
            if dial.rating not in self._dials:
                self._dials[dial.rating] = Dial(icon=dial.rating, high=DIAL_MOST)
                self.add_widget(self._dials[dial.rating])
            drawn = self._dials[dial.rating]
            drawn.become(dial.value)
            drawn.change = changes.get(dial.rating, 0) if roomy else 0


class Inventory(PieceRow):
    """What lies in an inventory, and how many rooms."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(halign="left", **properties)

    def show(self, duke: DukeView) -> None:
        held = [(item.kind, str(item.count)) for item in duke.held if item.count]
        cards = len(duke.cards) + len(duke.loose_cards)
        loose = [(piece.kind, f"+{piece.count}") for piece in duke.loose if piece.count]
        self.bits = [*held, *loose, *([("room", str(cards))] if cards else [])]
